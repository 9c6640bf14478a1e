//! Header `aws/http/http.h`: error codes, versions and method names.

use crate::ctypes::aws_allocator;
use crate::ctypes::aws_byte_cursor;
use crate::ffi::common::thread::join_managed;
use crate::ffi::place::cursor_of;

/// Error codes of the HTTP library.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_errors {
    AWS_ERROR_HTTP_UNKNOWN = 2048,
    AWS_ERROR_HTTP_HEADER_NOT_FOUND = 2049,
    AWS_ERROR_HTTP_INVALID_HEADER_FIELD = 2050,
    AWS_ERROR_HTTP_INVALID_HEADER_NAME = 2051,
    AWS_ERROR_HTTP_INVALID_HEADER_VALUE = 2052,
    AWS_ERROR_HTTP_INVALID_METHOD = 2053,
    AWS_ERROR_HTTP_INVALID_PATH = 2054,
    AWS_ERROR_HTTP_INVALID_STATUS_CODE = 2055,
    AWS_ERROR_HTTP_MISSING_BODY_STREAM = 2056,
    AWS_ERROR_HTTP_INVALID_BODY_STREAM = 2057,
    AWS_ERROR_HTTP_CONNECTION_CLOSED = 2058,
    AWS_ERROR_HTTP_SWITCHED_PROTOCOLS = 2059,
    AWS_ERROR_HTTP_UNSUPPORTED_PROTOCOL = 2060,
    AWS_ERROR_HTTP_REACTION_REQUIRED = 2061,
    AWS_ERROR_HTTP_DATA_NOT_AVAILABLE = 2062,
    AWS_ERROR_HTTP_OUTGOING_STREAM_LENGTH_INCORRECT = 2063,
    AWS_ERROR_HTTP_CALLBACK_FAILURE = 2064,
    AWS_ERROR_HTTP_WEBSOCKET_UPGRADE_FAILURE = 2065,
    AWS_ERROR_HTTP_WEBSOCKET_CLOSE_FRAME_SENT = 2066,
    AWS_ERROR_HTTP_WEBSOCKET_IS_MIDCHANNEL_HANDLER = 2067,
    AWS_ERROR_HTTP_CONNECTION_MANAGER_INVALID_STATE_FOR_ACQUIRE = 2068,
    AWS_ERROR_HTTP_CONNECTION_MANAGER_VENDED_CONNECTION_UNDERFLOW = 2069,
    AWS_ERROR_HTTP_SERVER_CLOSED = 2070,
    AWS_ERROR_HTTP_PROXY_CONNECT_FAILED = 2071,
    AWS_ERROR_HTTP_CONNECTION_MANAGER_SHUTTING_DOWN = 2072,
    AWS_ERROR_HTTP_CHANNEL_THROUGHPUT_FAILURE = 2073,
    AWS_ERROR_HTTP_PROTOCOL_ERROR = 2074,
    AWS_ERROR_HTTP_STREAM_IDS_EXHAUSTED = 2075,
    AWS_ERROR_HTTP_GOAWAY_RECEIVED = 2076,
    AWS_ERROR_HTTP_RST_STREAM_RECEIVED = 2077,
    AWS_ERROR_HTTP_RST_STREAM_SENT = 2078,
    AWS_ERROR_HTTP_STREAM_NOT_ACTIVATED = 2079,
    AWS_ERROR_HTTP_STREAM_HAS_COMPLETED = 2080,
    AWS_ERROR_HTTP_PROXY_STRATEGY_NTLM_CHALLENGE_TOKEN_MISSING = 2081,
    AWS_ERROR_HTTP_PROXY_STRATEGY_TOKEN_RETRIEVAL_FAILURE = 2082,
    AWS_ERROR_HTTP_PROXY_CONNECT_FAILED_RETRYABLE = 2083,
    AWS_ERROR_HTTP_PROTOCOL_SWITCH_FAILURE = 2084,
    AWS_ERROR_HTTP_MAX_CONCURRENT_STREAMS_EXCEEDED = 2085,
    AWS_ERROR_HTTP_STREAM_MANAGER_SHUTTING_DOWN = 2086,
    AWS_ERROR_HTTP_STREAM_MANAGER_CONNECTION_ACQUIRE_FAILURE = 2087,
    AWS_ERROR_HTTP_STREAM_MANAGER_UNEXPECTED_HTTP_VERSION = 2088,
    AWS_ERROR_HTTP_WEBSOCKET_PROTOCOL_ERROR = 2089,
    AWS_ERROR_HTTP_MANUAL_WRITE_NOT_ENABLED = 2090,
    AWS_ERROR_HTTP_MANUAL_WRITE_HAS_COMPLETED = 2091,
    AWS_ERROR_HTTP_RESPONSE_FIRST_BYTE_TIMEOUT = 2092,
    AWS_ERROR_HTTP_CONNECTION_MANAGER_ACQUISITION_TIMEOUT = 2093,
    AWS_ERROR_HTTP_CONNECTION_MANAGER_MAX_PENDING_ACQUISITIONS_EXCEEDED = 2094,
    AWS_ERROR_HTTP_STREAM_CANCELLED = 2095,
    AWS_ERROR_HTTP_END_RANGE = 3071,
}

/// Error codes of the HTTP/2 protocol (RFC 9113, 7).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http2_error_code {
    AWS_HTTP2_ERR_NO_ERROR = 0,
    AWS_HTTP2_ERR_PROTOCOL_ERROR = 1,
    AWS_HTTP2_ERR_INTERNAL_ERROR = 2,
    AWS_HTTP2_ERR_FLOW_CONTROL_ERROR = 3,
    AWS_HTTP2_ERR_SETTINGS_TIMEOUT = 4,
    AWS_HTTP2_ERR_STREAM_CLOSED = 5,
    AWS_HTTP2_ERR_FRAME_SIZE_ERROR = 6,
    AWS_HTTP2_ERR_REFUSED_STREAM = 7,
    AWS_HTTP2_ERR_CANCEL = 8,
    AWS_HTTP2_ERR_COMPRESSION_ERROR = 9,
    AWS_HTTP2_ERR_CONNECT_ERROR = 10,
    AWS_HTTP2_ERR_ENHANCE_YOUR_CALM = 11,
    AWS_HTTP2_ERR_INADEQUATE_SECURITY = 12,
    AWS_HTTP2_ERR_HTTP_1_1_REQUIRED = 13,
    AWS_HTTP2_ERR_COUNT = 14,
}

/// Log subjects of the HTTP library.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_log_subject {
    AWS_LS_HTTP_GENERAL = 2048,
    AWS_LS_HTTP_CONNECTION = 2049,
    AWS_LS_HTTP_ENCODER = 2050,
    AWS_LS_HTTP_DECODER = 2051,
    AWS_LS_HTTP_SERVER = 2052,
    AWS_LS_HTTP_STREAM = 2053,
    AWS_LS_HTTP_CONNECTION_MANAGER = 2054,
    AWS_LS_HTTP_STREAM_MANAGER = 2055,
    AWS_LS_HTTP_WEBSOCKET = 2056,
    AWS_LS_HTTP_WEBSOCKET_SETUP = 2057,
    AWS_LS_HTTP_PROXY_NEGOTIATION = 2058,
}

/// Protocol version of a connection or message.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_version {
    AWS_HTTP_VERSION_UNKNOWN = 0,
    AWS_HTTP_VERSION_1_0 = 1,
    AWS_HTTP_VERSION_1_1 = 2,
    AWS_HTTP_VERSION_2 = 3,
    AWS_HTTP_VERSION_COUNT = 4,
}

/// Number of this library's errors and log subjects.
pub const AWS_C_HTTP_PACKAGE_ID: u32 = 2;

// SAFETY: a cursor is two numbers; what it points to is the business of whoever reads there.
unsafe impl Sync for aws_byte_cursor {}

/// The method name `GET`.
#[unsafe(no_mangle)]
pub static aws_http_method_get: aws_byte_cursor = cursor_of(b"GET");

/// The method name `PUT`.
#[unsafe(no_mangle)]
pub static aws_http_method_put: aws_byte_cursor = cursor_of(b"PUT");

/// Kept for programs that call it: error names and log subjects are known from the start.
///
/// `allocator`: not kept; may be NULL. Any thread, any number of times.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_library_init(allocator: *mut aws_allocator) {
    ffi_fn!({
        let _ = allocator;
    })
}

/// Waits for the threads of event-loop groups, resolvers and pools that were released, as
/// aws_thread_join_all_managed(). Not to be called on such a thread; any number of times.
///
/// # Safety
/// Not on a thread of the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_library_clean_up() {
    ffi_fn!({
        join_managed();
    })
}
