//! Header `aws/auth/aws_imds_client.h`: the client of the instance metadata service.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::base::Code;
use crate::ctypes::{aws_allocator, aws_array_list, aws_byte_buf, aws_byte_cursor};
use crate::ffi::auth::credentials::{
    aws_auth_http_system_vtable, aws_credentials, aws_imds_endpoint_mode, aws_imds_protocol_version,
};
use crate::ffi::common::date_time::aws_date_time;
use crate::ffi::http::proxy::proxy_env_var_settings;
use crate::ffi::io::channel_bootstrap::aws_client_bootstrap;
use crate::ffi::io::retry_strategy::aws_retry_strategy;
use crate::ffi::raise::{raise, raise_null};

/// An instance metadata client is gone. Any thread; called once.
pub type aws_imds_client_shutdown_completed_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Callback for when an instance metadata client is gone.
#[repr(C)]
pub struct aws_imds_client_shutdown_options {
    pub shutdown_callback: aws_imds_client_shutdown_completed_fn,
    pub shutdown_user_data: *mut c_void,
}

/// Options of aws_imds_client_new().
#[repr(C)]
pub struct aws_imds_client_options {
    pub shutdown_options: aws_imds_client_shutdown_options,
    /// Required. The client keeps a reference.
    pub bootstrap: *mut aws_client_bootstrap,
    /// Optional. NULL: a standard strategy.
    pub retry_strategy: *mut aws_retry_strategy,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub imds_version: MaybeUninit<aws_imds_protocol_version>,
    /// Refuses version 1 of the service.
    pub ec2_metadata_v1_disabled: bool,
    pub imds_endpoint: aws_byte_cursor,
    pub imds_endpoint_mode: MaybeUninit<aws_imds_endpoint_mode>,
    pub function_table: *mut aws_auth_http_system_vtable,
}

/// A metadata resource arrived, or not. Any thread; `resource` is valid during the call.
pub type aws_imds_client_on_get_resource_callback_fn = Option<
    unsafe extern "C" fn(resource: *const aws_byte_buf, error_code: c_int, user_data: *mut c_void),
>;

/// The instance's IAM profile.
#[repr(C)]
pub struct aws_imds_iam_profile {
    pub last_updated: aws_date_time,
    pub instance_profile_arn: aws_byte_cursor,
    pub instance_profile_id: aws_byte_cursor,
}

/// The instance's description.
#[repr(C)]
pub struct aws_imds_instance_info {
    pub marketplace_product_codes: aws_array_list,
    pub availability_zone: aws_byte_cursor,
    pub private_ip: aws_byte_cursor,
    pub version: aws_byte_cursor,
    pub instance_id: aws_byte_cursor,
    pub billing_products: aws_array_list,
    pub instance_type: aws_byte_cursor,
    pub account_id: aws_byte_cursor,
    pub image_id: aws_byte_cursor,
    pub pending_time: aws_date_time,
    pub architecture: aws_byte_cursor,
    pub kernel_id: aws_byte_cursor,
    pub ramdisk_id: aws_byte_cursor,
    pub region: aws_byte_cursor,
}

/// A list arrived, or not. Any thread; `array` is valid during the call.
pub type aws_imds_client_on_get_array_callback_fn = Option<
    unsafe extern "C" fn(array: *const aws_array_list, error_code: c_int, user_data: *mut c_void),
>;

/// Credentials arrived, or not. Any thread; acquire them to keep them.
pub type aws_imds_client_on_get_credentials_callback_fn = Option<
    unsafe extern "C" fn(
        credentials: *const aws_credentials,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// A profile arrived, or not. Any thread; valid during the call.
pub type aws_imds_client_on_get_iam_profile_callback_fn = Option<
    unsafe extern "C" fn(
        iam_profile_info: *const aws_imds_iam_profile,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// The instance's description arrived, or not. Any thread; valid during the call.
pub type aws_imds_client_on_get_instance_info_callback_fn = Option<
    unsafe extern "C" fn(
        instance_info: *const aws_imds_instance_info,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// A client of the instance metadata service. Opaque; counted.
pub struct aws_imds_client {
    _private: [u8; 0],
}

/// A client of the instance metadata service. Not there yet.
///
/// Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_imds_client_new(
    allocator: *mut aws_allocator,
    options: *const aws_imds_client_options,
) -> *mut aws_imds_client {
    ffi_fn!({
        if allocator.is_null() || options.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        waits!("IMDS client")
    })
}

/// Gives one reference back. NULL does nothing. Not there yet: no client exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_imds_client_release(client: *mut aws_imds_client) {
    ffi_fn!({
        if !client.is_null() {
            waits!("IMDS client")
        }
    })
}

/// Asks for a resource. Not there yet: no client exists.
///
/// Returns AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED; no callback comes.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_imds_client_get_resource_async(
    client: *mut aws_imds_client,
    resource_path: aws_byte_cursor,
    callback: aws_imds_client_on_get_resource_callback_fn,
    user_data: *mut c_void,
) -> c_int {
    ffi_fn!({
        let _ = (resource_path, user_data);
        if client.is_null() || callback.is_none() {
            return raise(Code::INVALID_ARGUMENT);
        }
        waits!("IMDS client")
    })
}
