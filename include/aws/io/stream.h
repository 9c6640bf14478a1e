/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/stream.rs; `make headers` writes it anew. */
#ifndef AWS_IO_STREAM_H
#define AWS_IO_STREAM_H

#include <aws/common/ref_count.h>
#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a seek offset counts from: the begin, or (with offsets of 0 or less) the end. */
enum aws_stream_seek_basis {
    AWS_SSB_BEGIN = 0,
    AWS_SSB_END = 2,
};

struct aws_allocator;
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_input_stream;
struct aws_input_stream_vtable;
struct aws_stream_status;

/** State of an input stream. */
struct aws_stream_status {
    /** No further byte will come. */
    bool is_end_of_stream;
    /** The stream still works. */
    bool is_valid;
};

/**
 * What an input stream does. Callers implement it; the library calls one member at a time for one
 * stream, never from an event-loop thread.
 */
struct aws_input_stream_vtable {
    /**
     * Moves the position. AWS_IO_STREAM_INVALID_SEEK_POSITION outside the stream,
     * AWS_IO_STREAM_SEEK_UNSUPPORTED where there is no seeking.
     */
    int (*seek)(struct aws_input_stream *stream, int64_t offset, enum aws_stream_seek_basis basis);
    /**
     * Appends at least one byte to `dest`, up to its capacity, or none when none is there now. Must not
     * grow `dest`. May block.
     */
    int (*read)(struct aws_input_stream *stream, struct aws_byte_buf *dest);
    /** Tells whether the end is reached. */
    int (*get_status)(struct aws_input_stream *stream, struct aws_stream_status *status);
    /**
     * The whole length in bytes, whatever the position;
     * AWS_IO_STREAM_GET_LENGTH_UNSUPPORTED where it is not known.
     */
    int (*get_length)(struct aws_input_stream *stream, int64_t *out_length);
    /** Optional. NULL: `ref_count` counts. */
    void (*acquire)(struct aws_input_stream *stream);
    /** Optional. NULL: `ref_count` counts. */
    void (*release)(struct aws_input_stream *stream);
};

/**
 * A source of bytes. Callers implement it by filling in `vtable` and either `ref_count` or the
 * vtable's acquire and release.
 */
struct aws_input_stream {
    /** The implementation's own state. */
    void *impl;
    const struct aws_input_stream_vtable *vtable;
    /** Counts references where the vtable does not. */
    struct aws_ref_count ref_count;
};

/**
 * A stream over bytes in memory.
 *
 * `allocator`: required. `cursor`: the struct is copied, its bytes are borrowed and must live until the
 * stream's last reference is gone. Returns a stream with one reference, to be given back with
 * aws_input_stream_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
 */
struct aws_input_stream *aws_input_stream_new_from_cursor(
    struct aws_allocator *allocator,
    const struct aws_byte_cursor *cursor);

/**
 * A stream over a file, which is opened now and closed with the last reference.
 *
 * `allocator`: required. `file_name`: required, ended by a NUL. Returns a stream with one reference;
 * NULL with the error of opening (AWS_ERROR_FILE_INVALID_PATH, AWS_ERROR_NO_PERMISSION, ..),
 * AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread; may wait for the disk.
 */
struct aws_input_stream *aws_input_stream_new_from_file(
    struct aws_allocator *allocator,
    const char *file_name);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_input_stream *aws_input_stream_acquire(struct aws_input_stream *stream);

/**
 * Gives one reference back and returns NULL; the last one ends the stream. NULL is allowed. Any
 * thread.
 */
struct aws_input_stream *aws_input_stream_release(struct aws_input_stream *stream);

/**
 * Moves to `offset` bytes from the begin, or (offset 0 or less) from the end.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_IO_STREAM_INVALID_SEEK_POSITION,
 * AWS_IO_STREAM_SEEK_UNSUPPORTED, AWS_ERROR_INVALID_ARGUMENT or the implementation's error. One thread
 * at a time may use one stream; may block.
 */
int aws_input_stream_seek(
    struct aws_input_stream *stream,
    int64_t offset,
    enum aws_stream_seek_basis basis);

/**
 * Reads bytes behind those in `dest`, up to its capacity; it is never grown.
 *
 * Nothing read is the end of the stream only if aws_input_stream_get_status() says so. A full `dest` is
 * success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_IO_STREAM_READ_FAILED,
 * AWS_ERROR_INVALID_ARGUMENT or the implementation's error; `dest` is then as before. One thread at a
 * time may use one stream; may block.
 */
int aws_input_stream_read(struct aws_input_stream *stream, struct aws_byte_buf *dest);

/**
 * Tells whether the end is reached and the stream still works.
 *
 * `status`: written on success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or
 * the implementation's error. One thread at a time may use one stream.
 */
int aws_input_stream_get_status(struct aws_input_stream *stream, struct aws_stream_status *status);

/**
 * Tells the whole length in bytes, whatever the position.
 *
 * `out_length`: written on success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
 * AWS_IO_STREAM_GET_LENGTH_UNSUPPORTED, AWS_ERROR_INVALID_ARGUMENT or the implementation's error. One
 * thread at a time may use one stream.
 */
int aws_input_stream_get_length(struct aws_input_stream *stream, int64_t *out_length);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_STREAM_H */
