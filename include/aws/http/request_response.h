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

struct aws_allocator;
struct aws_byte_cursor;
struct aws_http2_stream_write_data_options;
struct aws_http_connection;
struct aws_http_header;
struct aws_http_headers;
struct aws_http_make_request_options;
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

/** Times of a stream, right before it is complete. Event-loop thread. */
typedef void (aws_http_on_stream_metrics_fn)(
    struct aws_http_stream *stream,
    const struct aws_http_stream_metrics *metrics,
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

/**
 * New headers, none of them.
 *
 * `allocator`: required; outlives the headers. Returns headers with one reference, to be given back
 * with aws_http_headers_release(); NULL with an error raised: AWS_ERROR_INVALID_ARGUMENT,
 * AWS_ERROR_OOM. Any thread.
 */
struct aws_http_headers *aws_http_headers_new(struct aws_allocator *allocator);

/**
 * Takes one more reference.
 *
 * `headers`: NULL does nothing. Any thread.
 */
void aws_http_headers_acquire(struct aws_http_headers *headers);

/**
 * Gives one reference back; the last one frees the headers and every cursor got from them.
 *
 * `headers`: NULL does nothing. Any thread.
 */
void aws_http_headers_release(struct aws_http_headers *headers);

/**
 * Adds a header behind the others; headers of the same name stay.
 *
 * `header`: copied, the value without the white space around it. Returns AWS_OP_SUCCESS, or AWS_OP_ERR
 * with AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_HTTP_INVALID_HEADER_NAME (empty name) or AWS_ERROR_OOM.
 * One thread at a time may use one `headers`.
 */
int aws_http_headers_add_header(
    struct aws_http_headers *headers,
    const struct aws_http_header *header);

/**
 * Adds a header behind the others; headers of the same name stay.
 *
 * Arguments and errors as for aws_http_headers_add_header().
 */
int aws_http_headers_add(
    struct aws_http_headers *headers,
    struct aws_byte_cursor name,
    struct aws_byte_cursor value);

/**
 * Replaces all headers of this name (case does not count) by one, or adds it.
 *
 * Arguments and errors as for aws_http_headers_add_header(); `name` and `value` may lie in the headers
 * that are replaced.
 */
int aws_http_headers_set(
    struct aws_http_headers *headers,
    struct aws_byte_cursor name,
    struct aws_byte_cursor value);

/**
 * How many headers there are. NULL: 0 with AWS_ERROR_INVALID_ARGUMENT raised. One thread at a time may use one `headers`.
 */
size_t aws_http_headers_count(const struct aws_http_headers *headers);

/**
 * Reads the header at `index`.
 *
 * `out_header`: written only on success; its cursors are valid until that header is changed or erased.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_INDEX or AWS_ERROR_INVALID_ARGUMENT.
 * One thread at a time may use one `headers`.
 */
int aws_http_headers_get_index(
    const struct aws_http_headers *headers,
    size_t index,
    struct aws_http_header *out_header);

/**
 * Reads the value of the first header of this name (case does not count).
 *
 * `out_value`: written only on success; valid until that header is changed or erased. Returns
 * AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_HEADER_NOT_FOUND or AWS_ERROR_INVALID_ARGUMENT.
 * One thread at a time may use one `headers`.
 */
int aws_http_headers_get(
    const struct aws_http_headers *headers,
    struct aws_byte_cursor name,
    struct aws_byte_cursor *out_value);

/**
 * Whether there is a header of this name (case does not count). Where there is none,
 * AWS_ERROR_HTTP_HEADER_NOT_FOUND is raised. One thread at a time may use one `headers`.
 */
bool aws_http_headers_has(const struct aws_http_headers *headers, struct aws_byte_cursor name);

/**
 * Erases all headers of this name (case does not count).
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_HEADER_NOT_FOUND or
 * AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one `headers`.
 */
int aws_http_headers_erase(struct aws_http_headers *headers, struct aws_byte_cursor name);

/**
 * Erases the first header with this name (case does not count) and this value (case counts).
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_HEADER_NOT_FOUND or
 * AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one `headers`.
 */
int aws_http_headers_erase_value(
    struct aws_http_headers *headers,
    struct aws_byte_cursor name,
    struct aws_byte_cursor value);

/** Erases all headers. NULL does nothing. One thread at a time may use one `headers`. */
void aws_http_headers_clear(struct aws_http_headers *headers);

/**
 * A new HTTP/1.1 request without method, path, headers and body.
 *
 * `allocator`: required; outlives the message. Returns a message with one reference, to be given back
 * with aws_http_message_release(); NULL with an error raised: AWS_ERROR_INVALID_ARGUMENT,
 * AWS_ERROR_OOM. Any thread.
 */
struct aws_http_message *aws_http_message_new_request(struct aws_allocator *allocator);

/**
 * A new HTTP/1.1 request with headers that exist already.
 *
 * `existing_headers`: required; the message keeps a reference and shares them. Else as
 * aws_http_message_new_request().
 */
struct aws_http_message *aws_http_message_new_request_with_headers(
    struct aws_allocator *allocator,
    struct aws_http_headers *existing_headers);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_http_message *aws_http_message_acquire(struct aws_http_message *message);

/**
 * Gives one reference back and returns NULL; the last one frees the message and gives back its
 * references to headers and body stream. NULL is allowed. Any thread.
 */
struct aws_http_message *aws_http_message_release(struct aws_http_message *message);

/**
 * Sets the method.
 *
 * `method`: copied; empty removes it. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
 * AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use one message.
 */
int aws_http_message_set_request_method(
    struct aws_http_message *request_message,
    struct aws_byte_cursor method);

/**
 * Reads the method.
 *
 * `out_method`: valid until the method is set again or the message is gone; emptied where there is none.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_DATA_NOT_AVAILABLE (none set) or
 * AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one message.
 */
int aws_http_message_get_request_method(
    const struct aws_http_message *request_message,
    struct aws_byte_cursor *out_method);

/**
 * Sets the path and query, in the form they are sent.
 *
 * `path`: copied; empty removes it. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
 * AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use one message.
 */
int aws_http_message_set_request_path(
    struct aws_http_message *request_message,
    struct aws_byte_cursor path);

/**
 * Reads the path.
 *
 * `out_path`: valid until the path is set again or the message is gone; emptied where there is none.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_DATA_NOT_AVAILABLE (none set) or
 * AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one message.
 */
int aws_http_message_get_request_path(
    const struct aws_http_message *request_message,
    struct aws_byte_cursor *out_path);

/**
 * Sets the body.
 *
 * `body_stream`: the message keeps a reference; NULL removes the body. The stream's own acquire and
 * release are called before this returns. One thread at a time may use one message.
 */
void aws_http_message_set_body_stream(
    struct aws_http_message *message,
    struct aws_input_stream *body_stream);

/**
 * The message's headers, shared with it: changing them changes the message.
 *
 * Returns a borrowed pointer, valid as long as the message; NULL with AWS_ERROR_INVALID_ARGUMENT.
 * One thread at a time may use one message.
 */
struct aws_http_headers *aws_http_message_get_headers(const struct aws_http_message *message);

/** Adds a header to the message; see aws_http_headers_add_header(). */
int aws_http_message_add_header(struct aws_http_message *message, struct aws_http_header header);

/**
 * Makes the stream of one request on a connection; aws_http_stream_activate() starts it.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
 * Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED.
 */
struct aws_http_stream *aws_http_connection_make_request(
    struct aws_http_connection *client_connection,
    const struct aws_http_make_request_options *options);

/**
 * Starts a stream.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
 */
int aws_http_stream_activate(struct aws_http_stream *stream);

/**
 * Gives a reference to a stream back. NULL does nothing.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
 */
void aws_http_stream_release(struct aws_http_stream *stream);

/**
 * Reads a response's status; AWS_ERROR_HTTP_DATA_NOT_AVAILABLE before its head has arrived.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
 */
int aws_http_stream_get_incoming_response_status(
    const struct aws_http_stream *stream,
    int *out_status);

/**
 * Opens a stream's window by `increment_size` bytes.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
 */
void aws_http_stream_update_window(struct aws_http_stream *stream, size_t increment_size);

/**
 * Writes body bytes to an HTTP/2 stream. Refused: connections always speak HTTP/1.1, so there is no
 * such stream. Returns AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT (NULL) or AWS_ERROR_INVALID_STATE.
 */
int aws_http2_stream_write_data(
    struct aws_http_stream *http2_stream,
    const struct aws_http2_stream_write_data_options *options);

#ifdef __cplusplus
}
#endif

#endif /* AWS_HTTP_REQUEST_RESPONSE_H */
