//! Counted references to an object, and what is called when the last one goes.

use std::ffi::c_void;

use super::atomic::aws_atomic_var;

/// Called once when something has completely ended.
pub type aws_simple_completion_callback = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A counter of references. `on_zero_fn` is called with `object` by the thread that gives up the
/// last one.
#[repr(C)]
pub struct aws_ref_count {
    pub ref_count: aws_atomic_var,
    pub object: *mut c_void,
    pub on_zero_fn: aws_simple_completion_callback,
}

/// Who is told when an object has ended.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_shutdown_callback_options {
    /// May be NULL.
    pub shutdown_callback_fn: aws_simple_completion_callback,
    pub shutdown_callback_user_data: *mut c_void,
}
