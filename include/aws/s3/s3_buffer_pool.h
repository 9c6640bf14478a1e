/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_S3_S3_BUFFER_POOL_H
#define AWS_S3_S3_BUFFER_POOL_H

#include <aws/common/ref_count.h>
#include <aws/io/future.h>
#include <aws/s3/s3.h>

#endif /* AWS_S3_S3_BUFFER_POOL_H */
