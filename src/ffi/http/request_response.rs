//! Header `aws/http/request_response.h`: headers, messages and streams.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::aws_byte_cursor;
use crate::ffi::io::stream::aws_input_stream;

/// How HPACK may store a header (HTTP/2 only).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_header_compression {
    AWS_HTTP_HEADER_COMPRESSION_USE_CACHE = 0,
    AWS_HTTP_HEADER_COMPRESSION_NO_CACHE = 1,
    AWS_HTTP_HEADER_COMPRESSION_NO_FORWARD_CACHE = 2,
}

/// One header. Name and value are borrowed.
#[repr(C)]
pub struct aws_http_header {
    pub name: aws_byte_cursor,
    pub value: aws_byte_cursor,
    pub compression: MaybeUninit<aws_http_header_compression>,
}

/// Which part of a message headers belong to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_header_block {
    AWS_HTTP_HEADER_BLOCK_MAIN = 0,
    AWS_HTTP_HEADER_BLOCK_INFORMATIONAL = 1,
    AWS_HTTP_HEADER_BLOCK_TRAILING = 2,
}

/// Headers arrived. Event-loop thread, may be called several times for one block; the array is valid
/// during the call. AWS_OP_ERR ends the stream.
pub type aws_http_on_incoming_headers_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        header_block: aws_http_header_block,
        header_array: *const aws_http_header,
        num_headers: usize,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// A block of headers is complete. Event-loop thread. AWS_OP_ERR ends the stream.
pub type aws_http_on_incoming_header_block_done_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        header_block: aws_http_header_block,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// Body bytes arrived. Event-loop thread; `data` is valid during the call. AWS_OP_ERR ends the stream.
pub type aws_http_on_incoming_body_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        data: *const aws_byte_cursor,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// The peer will send nothing more on this HTTP/2 stream. Event-loop thread.
pub type aws_http2_on_remote_end_stream_fn =
    Option<unsafe extern "C" fn(stream: *mut aws_http_stream, user_data: *mut c_void)>;

/// A stream is complete. Event-loop thread; called once.
pub type aws_http_on_stream_complete_fn = Option<
    unsafe extern "C" fn(stream: *mut aws_http_stream, error_code: c_int, user_data: *mut c_void),
>;

/// A stream is destroyed. Any thread; called once, last.
pub type aws_http_on_stream_destroy_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Times of one stream, in nanoseconds of the monotonic clock; -1: did not happen.
#[repr(C)]
pub struct aws_http_stream_metrics {
    pub send_start_timestamp_ns: i64,
    pub send_end_timestamp_ns: i64,
    pub sending_duration_ns: i64,
    pub receive_start_timestamp_ns: i64,
    pub receive_end_timestamp_ns: i64,
    pub receiving_duration_ns: i64,
    pub stream_id: u32,
}

/// Times of a stream, right before it is complete. Event-loop thread.
pub type aws_http_on_stream_metrics_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        metrics: *const aws_http_stream_metrics,
        user_data: *mut c_void,
    ),
>;

/// Options of aws_http_connection_make_request().
#[repr(C)]
pub struct aws_http_make_request_options {
    /// sizeof the struct the caller compiled with.
    pub self_size: usize,
    /// The request. The stream keeps a reference.
    pub request: *mut aws_http_message,
    pub user_data: *mut c_void,
    pub on_response_headers: aws_http_on_incoming_headers_fn,
    pub on_response_header_block_done: aws_http_on_incoming_header_block_done_fn,
    pub on_response_body: aws_http_on_incoming_body_fn,
    pub on_metrics: aws_http_on_stream_metrics_fn,
    pub on_h2_remote_end_stream: aws_http2_on_remote_end_stream_fn,
    pub on_complete: aws_http_on_stream_complete_fn,
    pub on_destroy: aws_http_on_stream_destroy_fn,
    pub use_manual_data_writes: bool,
    pub http2_use_manual_data_writes: bool,
    pub response_first_byte_timeout_ms: u64,
}

/// Written data is out, or failed. Event-loop thread.
pub type aws_http_stream_write_complete_fn = Option<
    unsafe extern "C" fn(stream: *mut aws_http_stream, error_code: c_int, user_data: *mut c_void),
>;

/// A list of headers, in order. Opaque; counted. Not safe for use by several threads at once.
pub struct aws_http_headers {
    _private: [u8; 0],
}

/// A request or response head with its body stream. Opaque; counted. Not safe for use by several
/// threads at once.
pub struct aws_http_message {
    _private: [u8; 0],
}

/// One exchange on a connection. Opaque.
pub struct aws_http_stream {
    _private: [u8; 0],
}

/// Options of writing body bytes to a stream.
#[repr(C)]
pub struct aws_http_stream_write_data_options {
    /// The bytes. Required unless `end_stream`; the stream keeps a reference.
    pub data: *mut aws_input_stream,
    /// No more will follow.
    pub end_stream: bool,
    /// Optional.
    pub on_complete: aws_http_stream_write_complete_fn,
    pub user_data: *mut c_void,
}

/// Options of writing body bytes to an HTTP/2 stream.
#[repr(C)]
pub struct aws_http2_stream_write_data_options {
    /// The bytes. Required unless `end_stream`; the stream keeps a reference.
    pub data: *mut aws_input_stream,
    /// No more will follow.
    pub end_stream: bool,
    /// Optional.
    pub on_complete: aws_http_stream_write_complete_fn,
    pub user_data: *mut c_void,
}
