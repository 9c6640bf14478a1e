/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/http/request_response.rs; `make headers` writes it anew. */
#ifndef AWS_HTTP_REQUEST_RESPONSE_H
#define AWS_HTTP_REQUEST_RESPONSE_H

#include <aws/http/http.h>
#include <aws/io/future.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How HPACK may store a header (HTTP/2 only). */
enum aws_http_header_compression {
    AWS_HTTP_HEADER_COMPRESSION_USE_CACHE = 0,
    AWS_HTTP_HEADER_COMPRESSION_NO_CACHE = 1,
    AWS_HTTP_HEADER_COMPRESSION_NO_FORWARD_CACHE = 2,
};

/** Which part of a message headers belong to. */
enum aws_http_header_block {
    AWS_HTTP_HEADER_BLOCK_MAIN = 0,
    AWS_HTTP_HEADER_BLOCK_INFORMATIONAL = 1,
    AWS_HTTP_HEADER_BLOCK_TRAILING = 2,
};

struct aws_http_header;
struct aws_http_message;
struct aws_http_stream;
struct aws_http_stream_metrics;
struct aws_input_stream;

/**
 * Headers arrived. Event-loop thread, may be called several times for one block; the array is valid
 * during the call. AWS_OP_ERR ends the stream.
 */
typedef int (aws_http_on_incoming_headers_fn)(
    struct aws_http_stream *stream,
    enum aws_http_header_block header_block,
    const struct aws_http_header *header_array,
    size_t num_headers,
    void *user_data);

/** A block of headers is complete. Event-loop thread. AWS_OP_ERR ends the stream. */
typedef int (aws_http_on_incoming_header_block_done_fn)(
    struct aws_http_stream *stream,
    enum aws_http_header_block header_block,
    void *user_data);

/**
 * Body bytes arrived. Event-loop thread; `data` is valid during the call. AWS_OP_ERR ends the stream.
 */
typedef int (aws_http_on_incoming_body_fn)(
    struct aws_http_stream *stream,
    const struct aws_byte_cursor *data,
    void *user_data);

/** The peer will send nothing more on this HTTP/2 stream. Event-loop thread. */
typedef void (aws_http2_on_remote_end_stream_fn)(struct aws_http_stream *stream, void *user_data);

/** A stream is complete. Event-loop thread; called once. */
typedef void (aws_http_on_stream_complete_fn)(
    struct aws_http_stream *stream,
    int error_code,
    void *user_data);

/** A stream is destroyed. Any thread; called once, last. */
typedef void (aws_http_on_stream_destroy_fn)(void *user_data);

/** Times of a stream, right before it is complete. Event-loop thread. */
typedef void (aws_http_on_stream_metrics_fn)(
    struct aws_http_stream *stream,
    const struct aws_http_stream_metrics *metrics,
    void *user_data);

/** Written data is out, or failed. Event-loop thread. */
typedef void (aws_http_stream_write_complete_fn)(
    struct aws_http_stream *stream,
    int error_code,
    void *user_data);

/** A list of headers, in order. Opaque; counted. Not safe for use by several threads at once. */
struct aws_http_headers;

/**
 * A request or response head with its body stream. Opaque; counted. Not safe for use by several
 * threads at once.
 */
struct aws_http_message;

/** One exchange on a connection. Opaque. */
struct aws_http_stream;

/** One header. Name and value are borrowed. */
struct aws_http_header {
    struct aws_byte_cursor name;
    struct aws_byte_cursor value;
    enum aws_http_header_compression compression;
};

/** Times of one stream, in nanoseconds of the monotonic clock; -1: did not happen. */
struct aws_http_stream_metrics {
    int64_t send_start_timestamp_ns;
    int64_t send_end_timestamp_ns;
    int64_t sending_duration_ns;
    int64_t receive_start_timestamp_ns;
    int64_t receive_end_timestamp_ns;
    int64_t receiving_duration_ns;
    uint32_t stream_id;
};

/** Options of aws_http_connection_make_request(). */
struct aws_http_make_request_options {
    /** sizeof the struct the caller compiled with. */
    size_t self_size;
    /** The request. The stream keeps a reference. */
    struct aws_http_message *request;
    void *user_data;
    aws_http_on_incoming_headers_fn *on_response_headers;
    aws_http_on_incoming_header_block_done_fn *on_response_header_block_done;
    aws_http_on_incoming_body_fn *on_response_body;
    aws_http_on_stream_metrics_fn *on_metrics;
    aws_http2_on_remote_end_stream_fn *on_h2_remote_end_stream;
    aws_http_on_stream_complete_fn *on_complete;
    aws_http_on_stream_destroy_fn *on_destroy;
    bool use_manual_data_writes;
    bool http2_use_manual_data_writes;
    uint64_t response_first_byte_timeout_ms;
};

/** Options of writing body bytes to a stream. */
struct aws_http_stream_write_data_options {
    /** The bytes. Required unless `end_stream`; the stream keeps a reference. */
    struct aws_input_stream *data;
    /** No more will follow. */
    bool end_stream;
    /** Optional. */
    aws_http_stream_write_complete_fn *on_complete;
    void *user_data;
};

/** Options of writing body bytes to an HTTP/2 stream. */
struct aws_http2_stream_write_data_options {
    /** The bytes. Required unless `end_stream`; the stream keeps a reference. */
    struct aws_input_stream *data;
    /** No more will follow. */
    bool end_stream;
    /** Optional. */
    aws_http_stream_write_complete_fn *on_complete;
    void *user_data;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_HTTP_REQUEST_RESPONSE_H */
