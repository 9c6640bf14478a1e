/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_S3_S3_CLIENT_H
#define AWS_S3_S3_CLIENT_H

#include <aws/auth/signing_config.h>
#include <aws/common/ref_count.h>
#include <aws/http/connection_manager.h>
#include <aws/io/retry_strategy.h>
#include <aws/s3/s3.h>
#include <aws/s3/s3_buffer_pool.h>

#endif /* AWS_S3_S3_CLIENT_H */
