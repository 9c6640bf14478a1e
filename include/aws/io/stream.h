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

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_STREAM_H */
