//! Header `aws/io/channel_bootstrap.h`: the client bootstrap, a pair of an event-loop group and a host
//! resolver.

use std::ffi::c_void;

use crate::ctypes::{aws_allocator, aws_byte_buf, aws_ref_count};
use crate::ffi::io::channel::{aws_channel_handler, aws_channel_slot};
use crate::ffi::io::event_loop::aws_event_loop_group;
use crate::ffi::io::host_resolver::{aws_host_resolution_config, aws_host_resolver};

/// Picks the handler for a negotiated ALPN protocol. Event-loop thread; `protocol` is valid during the
/// call; returns a handler or NULL.
pub type aws_channel_on_protocol_negotiated_fn = Option<
    unsafe extern "C" fn(
        new_slot: *mut aws_channel_slot,
        protocol: *mut aws_byte_buf,
        user_data: *mut c_void,
    ) -> *mut aws_channel_handler,
>;

/// A bootstrap is gone. Called once, from whichever thread gave up the last reference.
pub type aws_client_bootstrap_shutdown_complete_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// What a client needs to make connections: an event-loop group and a host resolver. Callers read
/// `event_loop_group`; everything else is the library's.
#[repr(C)]
pub struct aws_client_bootstrap {
    pub allocator: *mut aws_allocator,
    pub event_loop_group: *mut aws_event_loop_group,
    pub host_resolver: *mut aws_host_resolver,
    pub host_resolver_config: aws_host_resolution_config,
    pub on_protocol_negotiated: aws_channel_on_protocol_negotiated_fn,
    pub ref_count: aws_ref_count,
    pub on_shutdown_complete: aws_client_bootstrap_shutdown_complete_fn,
    pub user_data: *mut c_void,
}

/// Options of aws_client_bootstrap_new().
#[repr(C)]
pub struct aws_client_bootstrap_options {
    /// Required. The bootstrap keeps a reference.
    pub event_loop_group: *mut aws_event_loop_group,
    /// Required. The bootstrap keeps a reference.
    pub host_resolver: *mut aws_host_resolver,
    /// Optional; copied. NULL: the resolver's defaults (30 s time to live).
    pub host_resolution_config: *const aws_host_resolution_config,
    /// Optional. Called when the bootstrap is gone.
    pub on_shutdown_complete: aws_client_bootstrap_shutdown_complete_fn,
    pub user_data: *mut c_void,
}
