/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/future.rs; `make headers` writes it anew. */
#ifndef AWS_IO_FUTURE_H
#define AWS_IO_FUTURE_H

#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_future_void;

/**
 * A future is done. Called once, on the thread the registration asked for, else on the thread that
 * completed the future, or at once when it was done already.
 */
typedef void (aws_future_callback_fn)(void *user_data);

/** A future of a bool. Opaque. */
struct aws_future_bool;

/** A future of nothing but success or an error. Opaque. */
struct aws_future_void;

/** Gives up a reference. NULL is nothing. Returns NULL. Any thread. */
struct aws_future_void *aws_future_void_release(struct aws_future_void *future);

/**
 * The error the future ended with, or 0 for success. AWS_ERROR_INVALID_STATE while it is not done.
 * Any thread.
 */
int aws_future_void_get_error(const struct aws_future_void *future);

/**
 * Calls `on_done` when the future is done: on the thread that completes it, or before this returns
 * where it is done already. Any thread.
 */
void aws_future_void_register_callback(
    struct aws_future_void *future,
    aws_future_callback_fn *on_done,
    void *user_data);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_FUTURE_H */
