//! `aws/common/task_scheduler.h`: pieces of the caller's work.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use super::enum_number;
use crate::ctypes::aws_allocator;
use crate::ctypes::{aws_linked_list, aws_priority_queue};
pub use crate::ctypes::{aws_task, aws_task_fn, aws_task_status};

/// Tasks in order of their time. Kept for structs of other headers that contain it.
#[repr(C)]
pub struct aws_task_scheduler {
    pub alloc: *mut aws_allocator,
    pub timed_queue: aws_priority_queue,
    pub timed_list: aws_linked_list,
    pub asap_list: aws_linked_list,
}

/// Prepares a task.
///
/// `task`: written; must live until it has run. `fn`: what it does. `arg`: given to it. `type_tag`:
/// a name for log lines that lives as long as the task. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_task_init(
    task: *mut aws_task,
    r#fn: aws_task_fn,
    arg: *mut c_void,
    type_tag: *const c_char,
) {
    ffi_fn!({
        if !task.is_null() {
            // SAFETY: by the argument rules.
            unsafe { task.write(aws_task::new(r#fn, arg, type_tag)) };
        }
    })
}

/// Runs a task now, on this thread, before this returns; it may free itself.
///
/// `task`: not scheduled anywhere. `status`: given to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_task_run(task: *mut aws_task, status: MaybeUninit<aws_task_status>) {
    ffi_fn!(calls_out {
        let status = match enum_number(status) {
            0 => aws_task_status::AWS_TASK_STATUS_RUN_READY,
            _ => aws_task_status::AWS_TASK_STATUS_CANCELED,
        };
        if !task.is_null() {
            // SAFETY: by the argument rules.
            unsafe { aws_task::run(task, status) };
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn note(
        task: *mut aws_task,
        arg: *mut c_void,
        status: MaybeUninit<aws_task_status>,
    ) {
        // SAFETY: called by the test below.
        unsafe {
            assert!(!(*task).abi_extension.scheduled);
            *arg.cast::<u32>() += 1 + enum_number(status);
        }
    }

    #[test]
    fn task_runs_with_its_status() {
        let mut sum = 0u32;
        let arg = (&raw mut sum).cast();
        let mut task = MaybeUninit::<aws_task>::uninit();
        let p = task.as_mut_ptr();
        // SAFETY: the task is run by this thread alone.
        unsafe {
            aws_task_init(p, Some(note), arg, c"test".as_ptr());
            (*p).abi_extension.scheduled = true;
            aws_task_run(p, MaybeUninit::new(aws_task_status::AWS_TASK_STATUS_RUN_READY));
            aws_task_run(p, MaybeUninit::new(aws_task_status::AWS_TASK_STATUS_CANCELED));
            assert_eq!(*arg.cast::<u32>(), 3);
            aws_task_init(p, None, arg, std::ptr::null());
            aws_task_run(p, MaybeUninit::new(aws_task_status::AWS_TASK_STATUS_RUN_READY));
            let none = std::ptr::null_mut();
            aws_task_init(none, None, arg, std::ptr::null());
            aws_task_run(none, MaybeUninit::new(aws_task_status::AWS_TASK_STATUS_RUN_READY));
        }
    }
}
