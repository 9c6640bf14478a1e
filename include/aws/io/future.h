/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/future.rs; `make headers` writes it anew. */
#ifndef AWS_IO_FUTURE_H
#define AWS_IO_FUTURE_H

#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_channel;
struct aws_event_loop;
struct aws_future_bool;
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

/**
 * A new future of a bool.
 *
 * `alloc`: required; outlives the future. Returns a future with one reference, to be given back with
 * aws_future_bool_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
 */
struct aws_future_bool *aws_future_bool_new(struct aws_allocator *alloc);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_future_bool *aws_future_bool_acquire(struct aws_future_bool *future);

/** Gives one reference back and returns NULL. NULL is allowed. Any thread. */
struct aws_future_bool *aws_future_bool_release(struct aws_future_bool *future);

/**
 * Ends the future with a result; ignored where it has ended. Callbacks may be called before this
 * returns. Any thread.
 */
void aws_future_bool_set_result(struct aws_future_bool *future, bool result);

/**
 * The result. Where the future is not done, or ended with an error: false with
 * AWS_ERROR_INVALID_STATE raised. Any thread.
 */
bool aws_future_bool_get_result(const struct aws_future_bool *future);

/**
 * Ends the future with an error (0 is taken for AWS_ERROR_UNKNOWN); ignored where it has ended.
 * Callbacks may be called before this returns. Any thread.
 */
void aws_future_bool_set_error(struct aws_future_bool *future, int error_code);

/** Whether the future has ended. Any thread. */
bool aws_future_bool_is_done(const struct aws_future_bool *future);

/**
 * The error the future ended with; 0 for success. AWS_ERROR_INVALID_STATE where it has not ended. Any
 * thread.
 */
int aws_future_bool_get_error(const struct aws_future_bool *future);

/**
 * Calls `on_done` once when the future ends: on the thread that ends it, or before this returns where it
 * has ended. Any thread.
 */
void aws_future_bool_register_callback(
    struct aws_future_bool *future,
    aws_future_callback_fn *on_done,
    void *user_data);

/**
 * As the function without the condition, but where the future has ended nothing is registered and false
 * returned. Any thread.
 */
bool aws_future_bool_register_callback_if_not_done(
    struct aws_future_bool *future,
    aws_future_callback_fn *on_done,
    void *user_data);

/** Calls `on_done` once on this event loop's thread, when the future has ended. Any thread. */
void aws_future_bool_register_event_loop_callback(
    struct aws_future_bool *future,
    struct aws_event_loop *event_loop,
    aws_future_callback_fn *on_done,
    void *user_data);

/** Refused with AWS_ERROR_UNIMPLEMENTED: this library makes no channels. */
void aws_future_bool_register_channel_callback(
    struct aws_future_bool *future,
    struct aws_channel *channel,
    aws_future_callback_fn *on_done,
    void *user_data);

/**
 * Blocks until the future ends or `timeout_ns` nanoseconds are over; returns whether it has ended. Not on
 * an event loop that has to end it.
 */
bool aws_future_bool_wait(struct aws_future_bool *future, uint64_t timeout_ns);

/**
 * A new future of nothing but success.
 *
 * `alloc`: required; outlives the future. Returns a future with one reference, to be given back with
 * aws_future_void_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
 */
struct aws_future_void *aws_future_void_new(struct aws_allocator *alloc);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_future_void *aws_future_void_acquire(struct aws_future_void *future);

/** Gives one reference back and returns NULL. NULL is allowed. Any thread. */
struct aws_future_void *aws_future_void_release(struct aws_future_void *future);

/**
 * Ends the future with success; ignored where it has ended. Callbacks may be called before this
 * returns. Any thread.
 */
void aws_future_void_set_result(struct aws_future_void *future);

/**
 * Ends the future with an error (0 is taken for AWS_ERROR_UNKNOWN); ignored where it has ended.
 * Callbacks may be called before this returns. Any thread.
 */
void aws_future_void_set_error(struct aws_future_void *future, int error_code);

/** Whether the future has ended. Any thread. */
bool aws_future_void_is_done(const struct aws_future_void *future);

/**
 * The error the future ended with; 0 for success. AWS_ERROR_INVALID_STATE where it has not ended. Any
 * thread.
 */
int aws_future_void_get_error(const struct aws_future_void *future);

/**
 * Calls `on_done` once when the future ends: on the thread that ends it, or before this returns where it
 * has ended. Any thread.
 */
void aws_future_void_register_callback(
    struct aws_future_void *future,
    aws_future_callback_fn *on_done,
    void *user_data);

/**
 * As the function without the condition, but where the future has ended nothing is registered and false
 * returned. Any thread.
 */
bool aws_future_void_register_callback_if_not_done(
    struct aws_future_void *future,
    aws_future_callback_fn *on_done,
    void *user_data);

/** Calls `on_done` once on this event loop's thread, when the future has ended. Any thread. */
void aws_future_void_register_event_loop_callback(
    struct aws_future_void *future,
    struct aws_event_loop *event_loop,
    aws_future_callback_fn *on_done,
    void *user_data);

/** Refused with AWS_ERROR_UNIMPLEMENTED: this library makes no channels. */
void aws_future_void_register_channel_callback(
    struct aws_future_void *future,
    struct aws_channel *channel,
    aws_future_callback_fn *on_done,
    void *user_data);

/**
 * Blocks until the future ends or `timeout_ns` nanoseconds are over; returns whether it has ended. Not on
 * an event loop that has to end it.
 */
bool aws_future_void_wait(struct aws_future_void *future, uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_FUTURE_H */
