/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_S3_S3_H
#define AWS_S3_S3_H

#include <aws/common/common.h>
#include <aws/io/logging.h>
#include <aws/s3/exports.h>

#endif /* AWS_S3_S3_H */
