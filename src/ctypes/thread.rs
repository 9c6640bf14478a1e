//! Threads as C describes them.

use super::alloc::aws_allocator;
use super::byte_buf::aws_byte_cursor;

/// Who waits for a thread to end.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_thread_join_strategy {
    /// Whoever launched it joins it.
    AWS_TJS_MANUAL = 0,
    /// The library joins it; `aws_thread_join_all_managed` waits for all of these.
    AWS_TJS_MANAGED,
}

/// The life of a thread handle.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_thread_detach_state {
    AWS_THREAD_NOT_CREATED = 1,
    AWS_THREAD_JOINABLE,
    AWS_THREAD_JOIN_COMPLETED,
    AWS_THREAD_MANAGED,
}

/// How a thread is to be started.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_thread_options {
    /// Bytes of stack; 0 = the system's default.
    pub stack_size: usize,
    /// The CPU to run on, or -1 for any. A wish: a refusal by the system is only logged.
    pub cpu_id: i32,
    pub join_strategy: aws_thread_join_strategy,
    /// At most 15 bytes of it are used; empty = no name.
    pub name: aws_byte_cursor,
}

/// The system's name of a thread.
pub type aws_thread_id_t = libc::pthread_t;

/// Runs something once, whoever comes first.
pub type aws_thread_once = libc::pthread_once_t;

/// A handle of a thread in the caller's memory.
#[repr(C)]
pub struct aws_thread {
    pub allocator: *mut aws_allocator,
    pub detach_state: aws_thread_detach_state,
    pub thread_id: aws_thread_id_t,
}
