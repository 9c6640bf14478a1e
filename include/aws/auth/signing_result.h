/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/signing_result.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_SIGNING_RESULT_H
#define AWS_AUTH_SIGNING_RESULT_H

#include <aws/auth/auth.h>
#include <aws/common/hash_table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_http_message;
struct aws_signing_result;
struct aws_string;

/** What signing added: properties and lists of headers and query parameters. */
struct aws_signing_result {
    struct aws_allocator *allocator;
    struct aws_hash_table properties;
    struct aws_hash_table property_lists;
};

/** A name and value of a signing result's list. */
struct aws_signing_result_property {
    struct aws_string *name;
    struct aws_string *value;
};

/**
 * Adds what signing made to a request: query parameters to its path, headers behind its headers.
 *
 * `request`: required. `allocator`: unused. `result`: required; of aws_sign_request_aws(). Returns
 * AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM; the request may then
 * have some of it. One thread at a time may use the request.
 */
int aws_apply_signing_result_to_http_request(
    struct aws_http_message *request,
    struct aws_allocator *allocator,
    const struct aws_signing_result *result);

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_SIGNING_RESULT_H */
