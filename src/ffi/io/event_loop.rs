//! Header `aws/io/event_loop.h`: event loops and groups of them.

use std::mem::MaybeUninit;

use crate::ctypes::aws_shutdown_callback_options;
use crate::ffi::io::io::aws_io_clock_fn;

/// Which system interface an event loop waits on.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_event_loop_type {
    AWS_EVENT_LOOP_PLATFORM_DEFAULT = 0,
    AWS_EVENT_LOOP_EPOLL = 1,
    AWS_EVENT_LOOP_IOCP = 2,
    AWS_EVENT_LOOP_KQUEUE = 3,
    AWS_EVENT_LOOP_DISPATCH_QUEUE = 4,
}

/// Options of aws_event_loop_group_new().
#[repr(C)]
pub struct aws_event_loop_group_options {
    /// Number of loops. 0: half the CPUs the process may use, at least one, at most 64.
    pub loop_count: u16,
    /// AWS_EVENT_LOOP_PLATFORM_DEFAULT or the type this platform has; others raise
    /// AWS_ERROR_PLATFORM_NOT_SUPPORTED.
    pub r#type: MaybeUninit<aws_event_loop_type>,
    /// Optional; copied. Called once, after every thread of the group has ended.
    pub shutdown_options: *const aws_shutdown_callback_options,
    /// Optional; read during the call. The CPU group (NUMA node) whose CPUs the loops are pinned to.
    pub cpu_group: *const u16,
    /// Optional. The clock that aws_event_loop_current_clock_time() reads instead of the monotonic one.
    pub clock_override: aws_io_clock_fn,
}

/// One event loop: a thread that waits for sockets and runs tasks. Opaque; owned by its group.
pub struct aws_event_loop {
    _private: [u8; 0],
}

/// A group of event loops. Opaque; counted with aws_event_loop_group_acquire() and
/// aws_event_loop_group_release().
pub struct aws_event_loop_group {
    _private: [u8; 0],
}
