//! Header `aws/io/channel.h`: types of the reference's channel pipeline. The library has no such
//! pipeline: a connection is one socket with one codec on one loop. The types are kept because other
//! headers name them.

use std::ffi::{c_char, c_int, c_void};

use crate::ctypes::{
    aws_allocator, aws_array_list, aws_linked_list_node, aws_task, aws_task_status,
};
use crate::ffi::io::io::aws_io_message;

/// Which way a shutdown or a message travels through a channel.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_channel_direction {
    AWS_CHANNEL_DIR_READ = 0,
    AWS_CHANNEL_DIR_WRITE = 1,
}

/// One place in a channel's row of handlers. Slots are made by channels only.
#[repr(C)]
pub struct aws_channel_slot {
    pub alloc: *mut aws_allocator,
    pub channel: *mut aws_channel,
    pub adj_left: *mut aws_channel_slot,
    pub adj_right: *mut aws_channel_slot,
    pub handler: *mut aws_channel_handler,
    pub window_size: usize,
    pub upstream_message_overhead: usize,
    pub current_window_update_batch_size: usize,
}

/// A channel task. Runs on the channel's event-loop thread; `status` tells whether it runs or was
/// cancelled because the channel goes away.
pub type aws_channel_task_fn = Option<
    unsafe extern "C" fn(
        channel_task: *mut aws_channel_task,
        arg: *mut c_void,
        status: aws_task_status,
    ),
>;

/// A task that runs on a channel's thread. Owned by the caller until it has run.
#[repr(C)]
pub struct aws_channel_task {
    pub wrapper_task: aws_task,
    pub task_fn: aws_channel_task_fn,
    pub arg: *mut c_void,
    pub type_tag: *const c_char,
    pub node: aws_linked_list_node,
}

/// What a channel handler does. All members are called on the channel's event-loop thread.
#[repr(C)]
pub struct aws_channel_handler_vtable {
    pub process_read_message: Option<
        unsafe extern "C" fn(
            handler: *mut aws_channel_handler,
            slot: *mut aws_channel_slot,
            message: *mut aws_io_message,
        ) -> c_int,
    >,
    pub process_write_message: Option<
        unsafe extern "C" fn(
            handler: *mut aws_channel_handler,
            slot: *mut aws_channel_slot,
            message: *mut aws_io_message,
        ) -> c_int,
    >,
    pub increment_read_window: Option<
        unsafe extern "C" fn(
            handler: *mut aws_channel_handler,
            slot: *mut aws_channel_slot,
            size: usize,
        ) -> c_int,
    >,
    pub shutdown: Option<
        unsafe extern "C" fn(
            handler: *mut aws_channel_handler,
            slot: *mut aws_channel_slot,
            dir: aws_channel_direction,
            error_code: c_int,
            free_scarce_resources_immediately: bool,
        ) -> c_int,
    >,
    pub initial_window_size:
        Option<unsafe extern "C" fn(handler: *mut aws_channel_handler) -> usize>,
    pub message_overhead: Option<unsafe extern "C" fn(handler: *mut aws_channel_handler) -> usize>,
    pub destroy: Option<unsafe extern "C" fn(handler: *mut aws_channel_handler)>,
    pub reset_statistics: Option<unsafe extern "C" fn(handler: *mut aws_channel_handler)>,
    pub gather_statistics: Option<
        unsafe extern "C" fn(handler: *mut aws_channel_handler, stats_list: *mut aws_array_list),
    >,
    pub trigger_read: Option<unsafe extern "C" fn(handler: *mut aws_channel_handler)>,
}

/// One handler of a channel.
#[repr(C)]
pub struct aws_channel_handler {
    pub vtable: *mut aws_channel_handler_vtable,
    pub alloc: *mut aws_allocator,
    pub slot: *mut aws_channel_slot,
    pub r#impl: *mut c_void,
}

/// A channel. Opaque.
pub struct aws_channel {
    _private: [u8; 0],
}
