/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/error.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ERROR_INL
#define AWS_COMMON_ERROR_INL

#include <aws/common/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sets this thread's last error, calls the error handler and returns AWS_OP_ERR. */
AWS_STATIC_IMPL int aws_raise_error(int err) {
    aws_raise_error_private(err);
    return AWS_OP_ERR;
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ERROR_INL */
