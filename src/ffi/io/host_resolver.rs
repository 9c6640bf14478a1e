//! Header `aws/io/host_resolver.h`: host names to addresses, with a cache.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::{
    aws_allocator, aws_array_list, aws_ref_count, aws_shutdown_callback_options,
    aws_simple_completion_callback, aws_string,
};
use crate::ffi::io::event_loop::aws_event_loop_group;
use crate::ffi::io::io::aws_io_clock_fn;

/// Family of a resolved address.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_address_record_type {
    AWS_ADDRESS_RECORD_TYPE_A = 0,
    AWS_ADDRESS_RECORD_TYPE_AAAA = 1,
}

/// Which record types aws_host_resolver_get_host_address_count() counts; may be joined with `|`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_get_host_address_flags {
    AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_A = 1,
    AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_AAAA = 2,
}

/// One resolved address of a host.
#[repr(C)]
pub struct aws_host_address {
    pub allocator: *mut aws_allocator,
    /// The name that was asked for.
    pub host: *const aws_string,
    /// The address as text.
    pub address: *const aws_string,
    pub record_type: MaybeUninit<aws_address_record_type>,
    /// Nanoseconds of the system clock after which the record is stale.
    pub expiry: u64,
    /// How many connections were made to it.
    pub use_count: usize,
    /// How many of them failed.
    pub connection_failure_count: usize,
    /// Unused; 0.
    pub weight: u8,
}

/// A host name was resolved, or not. Runs on a resolver thread or inside the call that asked.
/// `host_addresses` holds aws_host_address and, like `host_name`, is valid during the call; NULL when
/// `err_code` is not 0.
pub type aws_on_host_resolved_result_fn = Option<
    unsafe extern "C" fn(
        resolver: *mut aws_host_resolver,
        host_name: *const aws_string,
        err_code: c_int,
        host_addresses: *const aws_array_list,
        user_data: *mut c_void,
    ),
>;

/// Resolves a name, blocking. Runs on a resolver thread. Appends aws_host_address values to
/// `output_addresses`; returns AWS_OP_SUCCESS, or AWS_OP_ERR with an error raised.
pub type aws_resolve_host_implementation_fn = Option<
    unsafe extern "C" fn(
        allocator: *mut aws_allocator,
        host_name: *const aws_string,
        output_addresses: *mut aws_array_list,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// How a name is resolved.
#[repr(C)]
pub struct aws_host_resolution_config {
    /// Optional. NULL: the system's resolver.
    pub r#impl: aws_resolve_host_implementation_fn,
    /// Seconds a record is kept.
    pub max_ttl: usize,
    /// Given to `impl`.
    pub impl_data: *mut c_void,
    /// Nanoseconds between background look-ups of a name in use; 0 means one second.
    pub resolve_frequency_ns: u64,
}

/// Options of purging one host from the cache.
#[repr(C)]
pub struct aws_host_resolver_purge_host_options {
    pub host: *const aws_string,
    pub on_host_purge_complete_callback: aws_simple_completion_callback,
    pub user_data: *mut c_void,
}

/// What a host resolver does. Callers may implement one.
#[repr(C)]
pub struct aws_host_resolver_vtable {
    pub destroy: Option<unsafe extern "C" fn(resolver: *mut aws_host_resolver)>,
    pub resolve_host: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            host_name: *const aws_string,
            res: aws_on_host_resolved_result_fn,
            config: *const aws_host_resolution_config,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    pub record_connection_failure: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            address: *const aws_host_address,
        ) -> c_int,
    >,
    pub purge_cache: Option<unsafe extern "C" fn(resolver: *mut aws_host_resolver) -> c_int>,
    pub purge_cache_with_callback: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            on_purge_cache_complete_callback: aws_simple_completion_callback,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    pub purge_host_cache: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            options: *const aws_host_resolver_purge_host_options,
        ) -> c_int,
    >,
    pub get_host_address_count: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            host_name: *const aws_string,
            flags: u32,
        ) -> usize,
    >,
}

/// A host resolver. The library calls through `vtable`, so that a caller may bring its own.
#[repr(C)]
pub struct aws_host_resolver {
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
    pub vtable: *mut aws_host_resolver_vtable,
    pub ref_count: aws_ref_count,
    pub shutdown_options: aws_shutdown_callback_options,
}

/// Options of aws_host_resolver_new_default().
#[repr(C)]
pub struct aws_host_resolver_default_options {
    /// Names kept in the cache; required, not 0.
    pub max_entries: usize,
    /// Required. The resolver keeps a reference.
    pub el_group: *mut aws_event_loop_group,
    /// Optional; copied. Called once, when the resolver and its threads are gone.
    pub shutdown_options: *const aws_shutdown_callback_options,
    /// Optional. Clock for the age of records (tests).
    pub system_clock_override_fn: aws_io_clock_fn,
}
