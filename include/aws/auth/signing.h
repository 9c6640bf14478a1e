/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/signing.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_SIGNING_H
#define AWS_AUTH_SIGNING_H

#include <aws/auth/auth.h>
#include <aws/auth/signing_config.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_signable;
struct aws_signing_config_base;
struct aws_signing_result;

/**
 * Signing is done. Any thread, also before aws_sign_request_aws() has returned. `result` is valid during
 * the call; NULL when `error_code` is not 0.
 */
typedef void (aws_signing_complete_fn)(
    struct aws_signing_result *result,
    int error_code,
    void *userdata);

/**
 * Signs something by Signature Version 4.
 *
 * `allocator`: required; the result's memory comes from it. `signable`: required; must live, unchanged,
 * until the callback has been called. `base_config`: required; an aws_signing_config_aws, copied during
 * the call. `on_complete`: required; called once if and only if this returns AWS_OP_SUCCESS, before it
 * returns where the keys are known, else on the thread of the credentials provider. A body without given
 * hash is read and rewound, which may block.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_AUTH_SIGNING_MISMATCHED_CONFIGURATION,
 * AWS_AUTH_SIGNING_INVALID_CONFIGURATION, AWS_AUTH_SIGNING_INVALID_CREDENTIALS,
 * AWS_AUTH_SIGNING_UNSUPPORTED_SIGNATURE_TYPE, AWS_ERROR_UNIMPLEMENTED (Sigv4a),
 * AWS_ERROR_INVALID_ARGUMENT or the provider's error. Any thread.
 */
int aws_sign_request_aws(
    struct aws_allocator *allocator,
    const struct aws_signable *signable,
    const struct aws_signing_config_base *base_config,
    aws_signing_complete_fn *on_complete,
    void *userdata);

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_SIGNING_H */
