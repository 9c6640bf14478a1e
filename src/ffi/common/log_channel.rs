//! `aws/common/log_channel.h`: what carries formatted lines to a writer. Types only: a program
//! brings its own logger, or takes the standard one.

use std::ffi::{c_int, c_void};

use super::log_writer::aws_log_writer;
use crate::ctypes::{aws_allocator, aws_string};

/// Takes a line; the channel frees it.
pub type aws_log_channel_send_fn =
    Option<unsafe extern "C" fn(channel: *mut aws_log_channel, output: *mut aws_string) -> c_int>;

/// Frees what the channel holds.
pub type aws_log_channel_clean_up_fn = Option<unsafe extern "C" fn(channel: *mut aws_log_channel)>;

/// What a channel can do.
#[repr(C)]
pub struct aws_log_channel_vtable {
    pub send: aws_log_channel_send_fn,
    pub clean_up: aws_log_channel_clean_up_fn,
}

/// A channel in the caller's memory.
#[repr(C)]
pub struct aws_log_channel {
    pub vtable: *mut aws_log_channel_vtable,
    pub allocator: *mut aws_allocator,
    pub writer: *mut aws_log_writer,
    pub r#impl: *mut c_void,
}
