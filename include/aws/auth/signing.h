/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/signing.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_SIGNING_H
#define AWS_AUTH_SIGNING_H

#include <aws/auth/auth.h>
#include <aws/auth/signing_config.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_signing_result;

/**
 * Signing is done. Any thread, also before aws_sign_request_aws() has returned. `result` is valid during
 * the call; NULL when `error_code` is not 0.
 */
typedef void (aws_signing_complete_fn)(
    struct aws_signing_result *result,
    int error_code,
    void *userdata);

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_SIGNING_H */
