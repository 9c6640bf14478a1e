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

impl aws_task {
    /// A task that is not scheduled.
    pub const fn new(r#fn: aws_task_fn, arg: *mut c_void, type_tag: *const c_char) -> aws_task {
        aws_task {
            r#fn,
            arg,
            timestamp: 0,
            node: aws_linked_list_node::UNLINKED,
            priority_queue_node: aws_priority_queue_node { current_index: 0 },
            type_tag,
            abi_extension: anon_aws_task_abi_extension { reserved: 0 },
        }
    }

    /// Runs a task. It counts as not scheduled from here on, because its function may free it or
    /// schedule it again.
    ///
    /// # Safety
    /// `task` is live, on no list, and nobody else runs it. No reference to it is alive.
    pub unsafe fn run(task: *mut aws_task, status: aws_task_status) {
        // SAFETY: by the contract; after the call nothing of the task is read.
        unsafe {
            (*task).abi_extension.scheduled = false;
            if let (Some(run), arg) = ((*task).r#fn, (*task).arg) {
                run(task, arg, MaybeUninit::new(status));
            }
        }
    }
}
