/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_S3_S3EXPRESS_CREDENTIALS_PROVIDER_H
#define AWS_S3_S3EXPRESS_CREDENTIALS_PROVIDER_H

#include <aws/auth/credentials.h>
#include <aws/common/ref_count.h>
#include <aws/s3/s3.h>

#endif /* AWS_S3_S3EXPRESS_CREDENTIALS_PROVIDER_H */
