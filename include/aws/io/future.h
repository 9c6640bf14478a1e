/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/future.rs; `make headers` writes it anew. */
#ifndef AWS_IO_FUTURE_H
#define AWS_IO_FUTURE_H

#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A future is done. Called once, on the thread the registration asked for, else on the thread that
 * completed the future, or at once when it was done already.
 */
typedef void (aws_future_callback_fn)(void *user_data);

/** A future of a bool. Opaque. */
struct aws_future_bool;

/** A future of nothing but success or an error. Opaque. */
struct aws_future_void;

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_FUTURE_H */
