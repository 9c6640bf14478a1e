/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/s3_endpoint_resolver.rs; `make headers` writes it anew. */
#ifndef AWS_S3_S3_ENDPOINT_RESOLVER_H
#define AWS_S3_S3_ENDPOINT_RESOLVER_H

#include <aws/s3/s3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_endpoints_rule_engine;

/**
 * Creates a rule engine with the rules of S3 and the partitions of AWS.
 *
 * `allocator` must outlive it. The engine is the caller's, counted. Any thread. Raises
 * AWS_ERROR_UNIMPLEMENTED until the rule engine is part of the library.
 */
struct aws_endpoints_rule_engine *aws_s3_endpoint_resolver_new(struct aws_allocator *allocator);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_S3_ENDPOINT_RESOLVER_H */
