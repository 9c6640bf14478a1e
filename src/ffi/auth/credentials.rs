//! Header `aws/auth/credentials.h`: credentials and where they come from.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_cursor};
use crate::ffi::http::proxy::{aws_http_proxy_options, proxy_env_var_settings};
use crate::ffi::io::channel_bootstrap::aws_client_bootstrap;
use crate::ffi::io::io::aws_io_clock_fn;
use crate::ffi::io::tls_channel_handler::{aws_tls_connection_options, aws_tls_ctx};
use crate::ffi::sdkutils::aws_profile::aws_profile_collection;

/// Credentials arrived, or not (`credentials` is NULL and `error_code` says why). Any thread, also
/// before the call that asked has returned. Borrowed during the call; acquire them to keep them.
pub type aws_on_get_credentials_callback_fn = Option<
    unsafe extern "C" fn(
        credentials: *mut aws_credentials,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// Asks a provider for credentials. Returns AWS_OP_SUCCESS if and only if the callback was or will be
/// called, exactly once; else AWS_OP_ERR with an error raised.
pub type aws_credentials_provider_get_credentials_fn = Option<
    unsafe extern "C" fn(
        provider: *mut aws_credentials_provider,
        callback: aws_on_get_credentials_callback_fn,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// Called once, when the last reference to a provider is given up.
pub type aws_credentials_provider_destroy_fn =
    Option<unsafe extern "C" fn(provider: *mut aws_credentials_provider)>;

/// What a credentials provider does. Callers may implement one.
#[repr(C)]
pub struct aws_credentials_provider_vtable {
    pub get_credentials: aws_credentials_provider_get_credentials_fn,
    pub destroy: aws_credentials_provider_destroy_fn,
}

/// A provider is gone. Called once, from whichever thread finished the shutdown.
pub type aws_credentials_provider_shutdown_completed_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Callback for when a provider is gone.
#[repr(C)]
pub struct aws_credentials_provider_shutdown_options {
    pub shutdown_callback: aws_credentials_provider_shutdown_completed_fn,
    pub shutdown_user_data: *mut c_void,
}

/// A source of credentials. The library always calls through `vtable`.
#[repr(C)]
pub struct aws_credentials_provider {
    pub vtable: *mut aws_credentials_provider_vtable,
    pub allocator: *mut aws_allocator,
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub r#impl: *mut c_void,
    pub ref_count: aws_atomic_var,
}

/// Options of aws_credentials_provider_new_static(). Cursors are copied.
#[repr(C)]
pub struct aws_credentials_provider_static_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Required.
    pub access_key_id: aws_byte_cursor,
    /// Required.
    pub secret_access_key: aws_byte_cursor,
    /// Optional.
    pub session_token: aws_byte_cursor,
    /// Optional.
    pub account_id: aws_byte_cursor,
}

/// Options of aws_credentials_provider_new_environment().
#[repr(C)]
pub struct aws_credentials_provider_environment_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
}

/// Options of aws_credentials_provider_new_profile().
#[repr(C)]
pub struct aws_credentials_provider_profile_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Empty: AWS_PROFILE, else `default`.
    pub profile_name_override: aws_byte_cursor,
    /// Empty: AWS_CONFIG_FILE, else `~/.aws/config`.
    pub config_file_name_override: aws_byte_cursor,
    /// Empty: AWS_SHARED_CREDENTIALS_FILE, else `~/.aws/credentials`.
    pub credentials_file_name_override: aws_byte_cursor,
    pub profile_collection_cached: *mut aws_profile_collection,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub proxy_ev_settings: *mut proxy_env_var_settings,
}

/// Options of aws_credentials_provider_new_cached().
#[repr(C)]
pub struct aws_credentials_provider_cached_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Required. The provider keeps a reference.
    pub source: *mut aws_credentials_provider,
    /// Milliseconds credentials without an expiry are kept. 0: for good.
    pub refresh_time_in_milliseconds: u64,
    /// Optional. Clock for the age of credentials (tests).
    pub high_res_clock_fn: aws_io_clock_fn,
    /// Optional. Clock for the expiry of credentials (tests).
    pub system_clock_fn: aws_io_clock_fn,
}

/// Options of aws_credentials_provider_new_chain().
#[repr(C)]
pub struct aws_credentials_provider_chain_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// The providers to ask, in order. The chain keeps a reference to each.
    pub providers: *mut *mut aws_credentials_provider,
    pub provider_count: usize,
}

/// Version of the instance metadata service to talk first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_imds_protocol_version {
    IMDS_PROTOCOL_V2 = 0,
    IMDS_PROTOCOL_V1 = 1,
}

/// Address family of the instance metadata service.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_imds_endpoint_mode {
    AWS_IMDS_ENDPOINT_MODE_DEFAULT = 0,
    AWS_IMDS_ENDPOINT_MODE_IPV4 = 1,
    AWS_IMDS_ENDPOINT_MODE_IPV6 = 2,
}

/// Options of a provider that asks the instance metadata service.
#[repr(C)]
pub struct aws_credentials_provider_imds_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub bootstrap: *mut aws_client_bootstrap,
    pub imds_version: MaybeUninit<aws_imds_protocol_version>,
    pub ec2_metadata_v1_disabled: bool,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub imds_endpoint: aws_byte_cursor,
    pub imds_endpoint_mode: MaybeUninit<aws_imds_endpoint_mode>,
}

/// Options of aws_credentials_provider_new_x509().
#[repr(C)]
pub struct aws_credentials_provider_x509_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_connection_options: *const aws_tls_connection_options,
    pub thing_name: aws_byte_cursor,
    pub role_alias: aws_byte_cursor,
    pub endpoint: aws_byte_cursor,
    pub proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
}

/// Options of a provider that trades a web identity token for credentials.
#[repr(C)]
pub struct aws_credentials_provider_sts_web_identity_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub bootstrap: *mut aws_client_bootstrap,
    pub config_profile_collection_cached: *mut aws_profile_collection,
    pub tls_ctx: *mut aws_tls_ctx,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub profile_name_override: aws_byte_cursor,
    pub region: aws_byte_cursor,
    pub role_arn: aws_byte_cursor,
    pub role_session_name: aws_byte_cursor,
    pub token_file_path: aws_byte_cursor,
}

/// Options of a provider that assumes a role.
#[repr(C)]
pub struct aws_credentials_provider_sts_options {
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub creds_provider: *mut aws_credentials_provider,
    pub role_arn: aws_byte_cursor,
    pub session_name: aws_byte_cursor,
    pub external_id: aws_byte_cursor,
    pub duration_seconds: u16,
    pub http_proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub profile_collection_cached: *mut aws_profile_collection,
    pub profile_name_override: aws_byte_cursor,
    pub config_file_name_override: aws_byte_cursor,
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub system_clock_fn: aws_io_clock_fn,
}

/// Options of aws_credentials_provider_new_process().
#[repr(C)]
pub struct aws_credentials_provider_process_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub profile_to_use: aws_byte_cursor,
    pub config_profile_collection_cached: *mut aws_profile_collection,
}

/// Options of aws_credentials_provider_new_chain_default().
#[repr(C)]
pub struct aws_credentials_provider_chain_default_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// For the members that ask over the network.
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub profile_collection_cached: *mut aws_profile_collection,
    pub profile_name_override: aws_byte_cursor,
    /// Leaves the environment variables out.
    pub skip_environment_credentials_provider: bool,
    pub proxy_ev_settings: *const proxy_env_var_settings,
}

/// A caller's own source of credentials; rules as for aws_credentials_provider_get_credentials_fn.
pub type aws_credentials_provider_delegate_get_credentials_fn = Option<
    unsafe extern "C" fn(
        delegate_user_data: *mut c_void,
        callback: aws_on_get_credentials_callback_fn,
        callback_user_data: *mut c_void,
    ) -> c_int,
>;

/// Options of aws_credentials_provider_new_delegate().
#[repr(C)]
pub struct aws_credentials_provider_delegate_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Required.
    pub get_credentials: aws_credentials_provider_delegate_get_credentials_fn,
    pub delegate_user_data: *mut c_void,
}

/// A login with an identity provider.
#[repr(C)]
pub struct aws_cognito_identity_provider_token_pair {
    pub identity_provider_name: aws_byte_cursor,
    pub identity_provider_token: aws_byte_cursor,
}

/// Hands logins over to the library, which copies them during the call.
pub type aws_credentials_provider_cognito_get_token_pairs_completion_fn = Option<
    unsafe extern "C" fn(
        logins: *mut aws_cognito_identity_provider_token_pair,
        login_count: usize,
        error_code: c_int,
        completion_user_data: *mut c_void,
    ),
>;

/// Asks the caller for fresh logins; calls the completion now or later.
pub type aws_credentials_provider_cognito_get_token_pairs_async_fn = Option<
    unsafe extern "C" fn(
        get_token_pairs_user_data: *mut c_void,
        completion_callback: aws_credentials_provider_cognito_get_token_pairs_completion_fn,
        completion_user_data: *mut c_void,
    ) -> c_int,
>;

/// Options of aws_credentials_provider_new_cognito().
#[repr(C)]
pub struct aws_credentials_provider_cognito_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub endpoint: aws_byte_cursor,
    pub identity: aws_byte_cursor,
    pub logins: *mut aws_cognito_identity_provider_token_pair,
    pub login_count: usize,
    pub custom_role_arn: *mut aws_byte_cursor,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub http_proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub get_token_pairs: aws_credentials_provider_cognito_get_token_pairs_async_fn,
    pub get_token_pairs_user_data: *mut c_void,
}

/// Options of a provider that reads a console login session.
#[repr(C)]
pub struct aws_credentials_provider_login_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub login_session: aws_byte_cursor,
    pub login_region: aws_byte_cursor,
    pub login_cache_directory_override: aws_byte_cursor,
    pub profile_name_override: aws_byte_cursor,
    pub config_file_name_override: aws_byte_cursor,
    pub config_file_cached: *mut aws_profile_collection,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub system_clock_fn: aws_io_clock_fn,
}

/// Stand-ins for HTTP functions in the reference's own tests. Opaque; ignored.
pub struct aws_auth_http_system_vtable {
    _private: [u8; 0],
}

/// Credentials. Opaque, never changed after they are made; counted with aws_credentials_acquire() and
/// aws_credentials_release().
pub struct aws_credentials {
    _private: [u8; 0],
}
