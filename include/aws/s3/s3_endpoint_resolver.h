/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_S3_S3_ENDPOINT_RESOLVER_H
#define AWS_S3_S3_ENDPOINT_RESOLVER_H

#include <aws/s3/s3.h>

#endif /* AWS_S3_S3_ENDPOINT_RESOLVER_H */
