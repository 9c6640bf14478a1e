//! A piece of the caller's work, in the caller's memory, that a loop or scheduler runs once.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use super::list::aws_linked_list_node;
use super::priority_queue::aws_priority_queue_node;

/// Why a task is called.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_task_status {
    /// Its time has come.
    AWS_TASK_STATUS_RUN_READY,
    /// It was cancelled, or its scheduler ends: free what belongs to it, do no work.
    AWS_TASK_STATUS_CANCELED,
}

/// The work of a task. Called exactly once for each time the task was scheduled; the task's memory
/// may be freed or scheduled again inside.
pub type aws_task_fn = Option<
    unsafe extern "C" fn(
        task: *mut aws_task,
        arg: *mut c_void,
        status: MaybeUninit<aws_task_status>,
    ),
>;

/// Whether a task is scheduled; the rest of the word is kept for later.
#[repr(C)]
#[derive(Clone, Copy)]
pub union anon_aws_task_abi_extension {
    pub scheduled: bool,
    pub reserved: usize,
}

/// A task. The memory is the caller's and must live until the task has run.
#[repr(C)]
pub struct aws_task {
    pub r#fn: aws_task_fn,
    pub arg: *mut c_void,
    /// When to run, in nanoseconds of the scheduler's clock; 0 = as soon as possible.
    pub timestamp: u64,
    pub node: aws_linked_list_node,
    pub priority_queue_node: aws_priority_queue_node,
    /// A name for log lines.
    pub type_tag: *const c_char,
    pub abi_extension: anon_aws_task_abi_extension,
}
