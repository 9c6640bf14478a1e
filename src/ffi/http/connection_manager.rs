//! Header `aws/http/connection_manager.h`: types of the connection pool.

use std::ffi::{c_int, c_void};

use crate::ctypes::aws_byte_cursor;
use crate::ffi::http::connection::{
    aws_http_connection, aws_http_connection_monitoring_options, aws_http2_setting,
};
use crate::ffi::http::proxy::{aws_http_proxy_options, proxy_env_var_settings};
use crate::ffi::io::channel_bootstrap::aws_client_bootstrap;
use crate::ffi::io::socket::aws_socket_options;
use crate::ffi::io::tls_channel_handler::aws_tls_connection_options;

/// A connection was leased from a manager, or not. Event-loop thread.
pub type aws_http_connection_manager_on_connection_setup_fn = Option<
    unsafe extern "C" fn(
        connection: *mut aws_http_connection,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// A connection manager is gone.
pub type aws_http_connection_manager_shutdown_complete_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Counters of a connection pool.
#[repr(C)]
pub struct aws_http_manager_metrics {
    pub available_concurrency: usize,
    pub pending_concurrency_acquires: usize,
    pub leased_concurrency: usize,
}

/// Options of a connection pool.
#[repr(C)]
pub struct aws_http_connection_manager_options {
    pub bootstrap: *mut aws_client_bootstrap,
    pub initial_window_size: usize,
    pub socket_options: *const aws_socket_options,
    pub response_first_byte_timeout_ms: u64,
    pub tls_connection_options: *const aws_tls_connection_options,
    pub http2_prior_knowledge: bool,
    pub monitoring_options: *const aws_http_connection_monitoring_options,
    pub host: aws_byte_cursor,
    pub port: u32,
    pub initial_settings_array: *const aws_http2_setting,
    pub num_initial_settings: usize,
    pub max_closed_streams: usize,
    pub http2_conn_manual_window_management: bool,
    pub proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub max_connections: usize,
    pub shutdown_complete_user_data: *mut c_void,
    pub shutdown_complete_callback: aws_http_connection_manager_shutdown_complete_fn,
    pub enable_read_back_pressure: bool,
    pub max_connection_idle_in_milliseconds: u64,
    pub connection_acquisition_timeout_ms: u64,
    pub max_pending_connection_acquisitions: u64,
    pub network_interface_names_array: *const aws_byte_cursor,
    pub num_network_interface_names: usize,
}

/// A connection pool. Opaque.
pub struct aws_http_connection_manager {
    _private: [u8; 0],
}
