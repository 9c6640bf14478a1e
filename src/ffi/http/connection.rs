//! Header `aws/http/connection.h`: connections of callers' own.

use std::ffi::{c_int, c_void};

use crate::base::Code;
use crate::ctypes::{aws_allocator, aws_array_list, aws_byte_cursor, aws_hash_table};
use crate::ffi::http::http::aws_http_version;
use crate::ffi::http::proxy::{aws_http_proxy_options, proxy_env_var_settings};
use crate::ffi::io::channel_bootstrap::aws_client_bootstrap;
use crate::ffi::io::event_loop::aws_event_loop;
use crate::ffi::io::host_resolver::aws_host_resolution_config;
use crate::ffi::io::socket::aws_socket_options;
use crate::ffi::io::tls_channel_handler::aws_tls_connection_options;
use crate::ffi::raise::{fail, raise};

/// A connection was made, or not (`connection` is NULL and `error_code` says why). Event-loop thread.
/// On success the callee owns `connection` and must release it.
pub type aws_http_on_client_connection_setup_fn = Option<
    unsafe extern "C" fn(
        connection: *mut aws_http_connection,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// A connection is closed. Event-loop thread; called once for each connection whose setup succeeded.
pub type aws_http_on_client_connection_shutdown_fn = Option<
    unsafe extern "C" fn(
        connection: *mut aws_http_connection,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// The peer answered a change of HTTP/2 settings. Event-loop thread.
pub type aws_http2_on_change_settings_complete_fn = Option<
    unsafe extern "C" fn(
        http2_connection: *mut aws_http_connection,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// The peer sent GOAWAY. Event-loop thread; `debug_data` is valid during the call.
pub type aws_http2_on_goaway_received_fn = Option<
    unsafe extern "C" fn(
        http2_connection: *mut aws_http_connection,
        last_stream_id: u32,
        http2_error_code: u32,
        debug_data: aws_byte_cursor,
        user_data: *mut c_void,
    ),
>;

/// The peer changed its HTTP/2 settings. Event-loop thread; the array is valid during the call.
pub type aws_http2_on_remote_settings_change_fn = Option<
    unsafe extern "C" fn(
        http2_connection: *mut aws_http_connection,
        settings_array: *const aws_http2_setting,
        num_settings: usize,
        user_data: *mut c_void,
    ),
>;

/// Receives a connection's statistics. Event-loop thread; the list is valid during the call.
pub type aws_http_statistics_observer_fn = Option<
    unsafe extern "C" fn(
        connection_nonce: usize,
        stats_list: *const aws_array_list,
        user_data: *mut c_void,
    ),
>;

/// When a connection is closed because it is too slow.
#[repr(C)]
pub struct aws_http_connection_monitoring_options {
    /// Bytes a second below which a connection counts as failing; 0 switches the check off.
    pub minimum_throughput_bytes_per_second: u64,
    /// Seconds in a row a connection may be failing.
    pub allowable_throughput_failure_interval_seconds: u32,
    pub statistics_observer_fn: aws_http_statistics_observer_fn,
    pub statistics_observer_user_data: *mut c_void,
}

/// Options of HTTP/1.1 connections.
#[repr(C)]
pub struct aws_http1_connection_options {
    /// Most bytes held back while the caller's window is closed. 0: 256 KiB.
    pub read_buffer_capacity: usize,
}

/// Options of HTTP/2 connections. The library negotiates HTTP/1.1; kept for callers that fill them in.
#[repr(C)]
pub struct aws_http2_connection_options {
    pub initial_settings_array: *mut aws_http2_setting,
    pub num_initial_settings: usize,
    pub on_initial_settings_completed: aws_http2_on_change_settings_complete_fn,
    pub max_closed_streams: usize,
    pub on_goaway_received: aws_http2_on_goaway_received_fn,
    pub on_remote_settings_change: aws_http2_on_remote_settings_change_fn,
    pub conn_manual_window_management: bool,
    pub conn_window_size_threshold_to_send_update: u32,
    pub stream_window_size_threshold_to_send_update: u32,
}

/// Options of aws_http_client_connect(). Start from AWS_HTTP_CLIENT_CONNECTION_OPTIONS_INIT.
#[repr(C)]
pub struct aws_http_client_connection_options {
    /// sizeof the struct the caller compiled with.
    pub self_size: usize,
    pub allocator: *mut aws_allocator,
    pub bootstrap: *mut aws_client_bootstrap,
    /// Borrowed during the call.
    pub host_name: aws_byte_cursor,
    pub port: u32,
    pub socket_options: *const aws_socket_options,
    pub tls_options: *const aws_tls_connection_options,
    pub proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub monitoring_options: *const aws_http_connection_monitoring_options,
    /// Milliseconds to wait for a response's first byte; 0: no limit.
    pub response_first_byte_timeout_ms: u64,
    /// Whether the caller opens the window itself.
    pub manual_window_management: bool,
    /// Bytes of window a stream starts with.
    pub initial_window_size: usize,
    pub user_data: *mut c_void,
    pub on_setup: aws_http_on_client_connection_setup_fn,
    pub on_shutdown: aws_http_on_client_connection_shutdown_fn,
    pub prior_knowledge_http2: bool,
    pub alpn_string_map: *mut aws_hash_table,
    pub http1_options: *const aws_http1_connection_options,
    pub http2_options: *const aws_http2_connection_options,
    /// Optional. The loop the connection shall live on.
    pub requested_event_loop: *mut aws_event_loop,
    pub host_resolution_config: *const aws_host_resolution_config,
}

/// One HTTP/2 setting.
#[repr(C)]
pub struct aws_http2_setting {
    pub id: aws_http2_settings_id,
    pub value: u32,
}

/// A connection. Opaque.
pub struct aws_http_connection {
    _private: [u8; 0],
}

/// One HTTP/2 setting's number (RFC 9113, 6.5.2).
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct aws_http2_settings_id(pub c_int);

impl aws_http2_settings_id {
    pub const AWS_HTTP2_SETTINGS_BEGIN_RANGE: Self = Self(1);
    pub const AWS_HTTP2_SETTINGS_HEADER_TABLE_SIZE: Self = Self(1);
    pub const AWS_HTTP2_SETTINGS_ENABLE_PUSH: Self = Self(2);
    pub const AWS_HTTP2_SETTINGS_MAX_CONCURRENT_STREAMS: Self = Self(3);
    pub const AWS_HTTP2_SETTINGS_INITIAL_WINDOW_SIZE: Self = Self(4);
    pub const AWS_HTTP2_SETTINGS_MAX_FRAME_SIZE: Self = Self(5);
    pub const AWS_HTTP2_SETTINGS_MAX_HEADER_LIST_SIZE: Self = Self(6);
    pub const AWS_HTTP2_SETTINGS_END_RANGE: Self = Self(7);
}

crate::ffi_failure!(aws_http_version = aws_http_version::AWS_HTTP_VERSION_UNKNOWN);

/// Connects to a server; `options` is copied, the setup callback tells the outcome.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
/// Returns AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED; no callback comes.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_client_connect(
    options: *const aws_http_client_connection_options,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let options = unsafe { arg!(options) };
        let ready = options.self_size != 0
            && !options.allocator.is_null()
            && options.host_name.len != 0
            && options.on_setup.is_some();
        match ready {
            true => waits!("HTTP connections of callers"),
            false => raise(Code::INVALID_ARGUMENT),
        }
    })
}

/// Gives a reference to a connection back. NULL does nothing.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_connection_release(connection: *mut aws_http_connection) {
    ffi_fn!({
        if !connection.is_null() {
            waits!("HTTP connections of callers")
        }
    })
}

/// Closes a connection; its streams end with an error. NULL does nothing.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_connection_close(connection: *mut aws_http_connection) {
    ffi_fn!({
        if !connection.is_null() {
            waits!("HTTP connections of callers")
        }
    })
}

/// Whether a connection takes new requests.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_connection_is_open(
    connection: *const aws_http_connection,
) -> bool {
    ffi_fn!({
        match connection.is_null() {
            true => fail(Code::INVALID_ARGUMENT),
            false => waits!("HTTP connections of callers"),
        }
    })
}

/// The protocol version of a connection.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_connection_get_version(
    connection: *const aws_http_connection,
) -> aws_http_version {
    ffi_fn!({
        match connection.is_null() {
            true => fail(Code::INVALID_ARGUMENT),
            false => waits!("HTTP connections of callers"),
        }
    })
}

/// Opens an HTTP/2 connection's window. Connections always speak HTTP/1.1, where this does nothing.
/// NULL does nothing.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http2_connection_update_window(
    http2_connection: *mut aws_http_connection,
    increment_size: u32,
) {
    ffi_fn!({
        let _ = (http2_connection, increment_size);
    })
}
