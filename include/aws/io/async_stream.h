/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/async_stream.rs; `make headers` writes it anew. */
#ifndef AWS_IO_ASYNC_STREAM_H
#define AWS_IO_ASYNC_STREAM_H

#include <aws/io/io.h>
#include <aws/common/ref_count.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_async_input_stream;
struct aws_async_input_stream_vtable;
struct aws_byte_buf;
struct aws_future_bool;

/** What an asynchronous input stream does. */
struct aws_async_input_stream_vtable {
    /** Called once, when the last reference is given up. Any thread. */
    void (*destroy)(struct aws_async_input_stream *stream);
    /**
     * Starts one read into the free part of `dest` (never full, stays valid until the future is done).
     * The future completes with true at the end of the stream; the caller of `read` owns a reference to it.
     * May complete before it returns, or later on any thread.
     */
    struct aws_future_bool *(*read)(struct aws_async_input_stream *stream, struct aws_byte_buf *dest);
};

/**
 * A source of bytes that may have to wait for them. Callers may implement it: the library only calls
 * through `vtable`. One read at a time is outstanding.
 */
struct aws_async_input_stream {
    const struct aws_async_input_stream_vtable *vtable;
    struct aws_allocator *alloc;
    struct aws_ref_count ref_count;
    /** The implementation's own state. */
    void *impl;
};

/**
 * Fills in the public head of a caller's own stream, with one reference. The vtable's destroy is called
 * when the last one is given back.
 *
 * `stream`: overwritten. `alloc`, `impl`: kept for the implementation. `vtable`: required, with both
 * members; kept. NULL raises AWS_ERROR_INVALID_ARGUMENT.
 */
void aws_async_input_stream_init_base(
    struct aws_async_input_stream *stream,
    struct aws_allocator *alloc,
    const struct aws_async_input_stream_vtable *vtable,
    void *impl);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_async_input_stream *aws_async_input_stream_acquire(
    struct aws_async_input_stream *stream);

/**
 * Gives one reference back and returns NULL; the last one calls the vtable's destroy. NULL is allowed.
 * Any thread.
 */
struct aws_async_input_stream *aws_async_input_stream_release(
    struct aws_async_input_stream *stream);

/**
 * Starts one read into the free part of `dest`, which must live until the future has ended.
 *
 * Returns a future whose reference is the caller's: true at the end of the stream. A full `dest` ends it
 * with AWS_ERROR_SHORT_BUFFER. NULL with AWS_ERROR_INVALID_ARGUMENT for NULL arguments. One read at a
 * time.
 */
struct aws_future_bool *aws_async_input_stream_read(
    struct aws_async_input_stream *stream,
    struct aws_byte_buf *dest);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_ASYNC_STREAM_H */
