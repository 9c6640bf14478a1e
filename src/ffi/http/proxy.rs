//! Header `aws/http/proxy.h`: how to go through a proxy.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::{aws_allocator, aws_byte_cursor, aws_ref_count, aws_string};
use crate::ffi::http::request_response::{
    aws_http_header, aws_http_header_block, aws_http_message,
};
use crate::ffi::http::status_code::aws_http_status_code;
use crate::ffi::io::tls_channel_handler::aws_tls_connection_options;

/// How to authenticate with a proxy (old form; a proxy strategy takes its place).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_proxy_authentication_type {
    AWS_HPAT_NONE = 0,
    AWS_HPAT_BASIC = 1,
}

/// Whether the HTTP_PROXY and HTTPS_PROXY environment variables are looked at.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_proxy_env_var_type {
    AWS_HPEV_DISABLE = 0,
    AWS_HPEV_ENABLE = 1,
}

/// How a proxy is used. LEGACY: a tunnel with TLS, else forwarding.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_proxy_connection_type {
    AWS_HPCT_HTTP_LEGACY = 0,
    AWS_HPCT_HTTP_FORWARD = 1,
    AWS_HPCT_HTTP_TUNNEL = 2,
}

/// How the proxy environment variables are used.
#[repr(C)]
pub struct proxy_env_var_settings {
    pub env_var_type: MaybeUninit<aws_http_proxy_env_var_type>,
    pub connection_type: MaybeUninit<aws_http_proxy_connection_type>,
    pub tls_options: *const aws_tls_connection_options,
}

/// Options of connecting through a proxy.
#[repr(C)]
pub struct aws_http_proxy_options {
    pub connection_type: MaybeUninit<aws_http_proxy_connection_type>,
    pub host: aws_byte_cursor,
    pub port: u32,
    pub tls_options: *const aws_tls_connection_options,
    /// Optional. How to negotiate; it wins over `auth_type`.
    pub proxy_strategy: *mut aws_http_proxy_strategy,
    pub auth_type: MaybeUninit<aws_http_proxy_authentication_type>,
    pub auth_username: aws_byte_cursor,
    pub auth_password: aws_byte_cursor,
    /// Hosts that bypass the proxy, joined by commas.
    pub no_proxy_hosts: aws_byte_cursor,
}

/// Returns a new token for the proxy, or NULL with `out_error_code` set. Event-loop thread.
pub type aws_http_proxy_negotiation_get_token_sync_fn = Option<
    unsafe extern "C" fn(user_data: *mut c_void, out_error_code: *mut c_int) -> *mut aws_string,
>;

/// Returns a new token that answers the proxy's challenge, or NULL with `out_error_code` set.
pub type aws_http_proxy_negotiation_get_challenge_token_sync_fn = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        challenge_context: *const aws_byte_cursor,
        out_error_code: *mut c_int,
    ) -> *mut aws_string,
>;

/// Ends a CONNECT negotiation with an error.
pub type aws_http_proxy_negotiation_terminate_fn = Option<
    unsafe extern "C" fn(
        message: *mut aws_http_message,
        error_code: c_int,
        internal_proxy_user_data: *mut c_void,
    ),
>;

/// Lets a CONNECT request go out.
pub type aws_http_proxy_negotiation_http_request_forward_fn = Option<
    unsafe extern "C" fn(message: *mut aws_http_message, internal_proxy_user_data: *mut c_void),
>;

/// Changes a CONNECT request; calls one of the two callbacks, now or later.
pub type aws_http_proxy_negotiation_http_request_transform_async_fn = Option<unsafe extern "C" fn(proxy_negotiator: *mut aws_http_proxy_negotiator, message: *mut aws_http_message, negotiation_termination_callback: aws_http_proxy_negotiation_terminate_fn, negotiation_http_request_forward_callback: aws_http_proxy_negotiation_http_request_forward_fn, internal_proxy_user_data: *mut c_void)>;

/// Changes a request that is forwarded through a proxy.
pub type aws_http_proxy_negotiation_http_request_transform_fn = Option<
    unsafe extern "C" fn(
        proxy_negotiator: *mut aws_http_proxy_negotiator,
        message: *mut aws_http_message,
    ) -> c_int,
>;

/// Headers of the answer to CONNECT.
pub type aws_http_proxy_negotiation_connect_on_incoming_headers_fn = Option<
    unsafe extern "C" fn(
        proxy_negotiator: *mut aws_http_proxy_negotiator,
        header_block: aws_http_header_block,
        header_array: *const aws_http_header,
        num_headers: usize,
    ) -> c_int,
>;

/// Status of the answer to CONNECT.
pub type aws_http_proxy_negotiator_connect_status_fn = Option<
    unsafe extern "C" fn(
        proxy_negotiator: *mut aws_http_proxy_negotiator,
        status_code: aws_http_status_code,
    ) -> c_int,
>;

/// Body of the answer to CONNECT.
pub type aws_http_proxy_negotiator_connect_on_incoming_body_fn = Option<
    unsafe extern "C" fn(
        proxy_negotiator: *mut aws_http_proxy_negotiator,
        data: *const aws_byte_cursor,
    ) -> c_int,
>;

/// What to do after CONNECT was refused.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_proxy_negotiation_retry_directive {
    AWS_HPNRD_STOP = 0,
    AWS_HPNRD_NEW_CONNECTION = 1,
    AWS_HPNRD_CURRENT_CONNECTION = 2,
}

/// Asks a negotiator what to do after CONNECT was refused.
pub type aws_http_proxy_negotiator_get_retry_directive_fn = Option<
    unsafe extern "C" fn(
        proxy_negotiator: *mut aws_http_proxy_negotiator,
    ) -> aws_http_proxy_negotiation_retry_directive,
>;

/// Members of a negotiator for forwarding.
#[repr(C)]
pub struct aws_http_proxy_negotiator_forwarding_vtable {
    pub forward_request_transform: aws_http_proxy_negotiation_http_request_transform_fn,
}

/// Members of a negotiator for tunnels.
#[repr(C)]
pub struct aws_http_proxy_negotiator_tunnelling_vtable {
    pub connect_request_transform: aws_http_proxy_negotiation_http_request_transform_async_fn,
    pub on_incoming_headers_callback: aws_http_proxy_negotiation_connect_on_incoming_headers_fn,
    pub on_status_callback: aws_http_proxy_negotiator_connect_status_fn,
    pub on_incoming_body_callback: aws_http_proxy_negotiator_connect_on_incoming_body_fn,
    pub get_retry_directive: aws_http_proxy_negotiator_get_retry_directive_fn,
}

/// Makes the negotiator of one connection.
pub type aws_http_proxy_strategy_create_negotiator_fn = Option<
    unsafe extern "C" fn(
        proxy_strategy: *mut aws_http_proxy_strategy,
        allocator: *mut aws_allocator,
    ) -> *mut aws_http_proxy_negotiator,
>;

/// What a proxy strategy does.
#[repr(C)]
pub struct aws_http_proxy_strategy_vtable {
    pub create_negotiator: aws_http_proxy_strategy_create_negotiator_fn,
}

/// How to negotiate with a proxy. Callers may implement one.
#[repr(C)]
pub struct aws_http_proxy_strategy {
    pub ref_count: aws_ref_count,
    pub vtable: *mut aws_http_proxy_strategy_vtable,
    pub r#impl: *mut c_void,
    pub proxy_connection_type: MaybeUninit<aws_http_proxy_connection_type>,
}

/// Options of basic authentication with a proxy.
#[repr(C)]
pub struct aws_http_proxy_strategy_basic_auth_options {
    pub proxy_connection_type: MaybeUninit<aws_http_proxy_connection_type>,
    pub user_name: aws_byte_cursor,
    pub password: aws_byte_cursor,
}

/// Options of Kerberos authentication with a proxy.
#[repr(C)]
pub struct aws_http_proxy_strategy_tunneling_kerberos_options {
    pub get_token: aws_http_proxy_negotiation_get_token_sync_fn,
    pub get_token_user_data: *mut c_void,
}

/// Options of NTLM authentication with a proxy.
#[repr(C)]
pub struct aws_http_proxy_strategy_tunneling_ntlm_options {
    pub get_token: aws_http_proxy_negotiation_get_token_sync_fn,
    pub get_challenge_token: aws_http_proxy_negotiation_get_challenge_token_sync_fn,
    pub get_challenge_token_user_data: *mut c_void,
}

/// Options of trying authentication kinds one after the other.
#[repr(C)]
pub struct aws_http_proxy_strategy_tunneling_adaptive_options {
    pub kerberos_options: *mut aws_http_proxy_strategy_tunneling_kerberos_options,
    pub ntlm_options: *mut aws_http_proxy_strategy_tunneling_ntlm_options,
}

/// The two kinds of negotiator: `forwarding_vtable` or `tunnelling_vtable`, by the strategy's
/// connection type.
#[repr(C)]
pub union anon_proxy_negotiator_strategy_vtable {
    pub forwarding_vtable: *mut aws_http_proxy_negotiator_forwarding_vtable,
    pub tunnelling_vtable: *mut aws_http_proxy_negotiator_tunnelling_vtable,
}

/// Negotiates with a proxy for one connection.
#[repr(C)]
pub struct aws_http_proxy_negotiator {
    pub ref_count: aws_ref_count,
    pub r#impl: *mut c_void,
    pub strategy_vtable: anon_proxy_negotiator_strategy_vtable,
}
