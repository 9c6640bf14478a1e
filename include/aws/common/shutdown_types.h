/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/shutdown_types.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_SHUTDOWN_TYPES_H
#define AWS_COMMON_SHUTDOWN_TYPES_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Called once when something has completely ended. */
typedef void (aws_simple_completion_callback)(void *user_data);

/** Who is told when an object has ended. */
struct aws_shutdown_callback_options {
    /** May be NULL. */
    aws_simple_completion_callback *shutdown_callback_fn;
    void *shutdown_callback_user_data;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_SHUTDOWN_TYPES_H */
