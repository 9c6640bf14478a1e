//! Header `aws/io/retry_strategy.h`: who decides whether and when to try again.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::{
    aws_allocator, aws_atomic_var, aws_byte_cursor, aws_shutdown_callback_options,
};
use crate::ffi::io::event_loop::aws_event_loop_group;

/// A retry token was acquired, or not. Runs on an event-loop thread of the strategy, or on any thread
/// for a caller's strategy, also before the call that asked has returned. On success the callee owns
/// one reference to `token`; on failure `token` is NULL.
pub type aws_retry_strategy_on_retry_token_acquired_fn = Option<
    unsafe extern "C" fn(
        retry_strategy: *mut aws_retry_strategy,
        error_code: c_int,
        token: *mut aws_retry_token,
        user_data: *mut c_void,
    ),
>;

/// It is time to try again, or (`error_code`) no more. Thread as for the token. `token` stays owned by
/// whoever held it.
pub type aws_retry_strategy_on_retry_ready_fn = Option<
    unsafe extern "C" fn(token: *mut aws_retry_token, error_code: c_int, user_data: *mut c_void),
>;

/// A random number for jitter. Any thread.
pub type aws_generate_random_fn = Option<unsafe extern "C" fn(user_data: *mut c_void) -> u64>;

/// Why something has to be tried again; decides how much of the retry budget it costs.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_retry_error_type {
    /// Connection trouble, timeouts, a short read.
    AWS_RETRY_ERROR_TYPE_TRANSIENT = 0,
    /// The server asked us to slow down.
    AWS_RETRY_ERROR_TYPE_THROTTLING = 1,
    /// The server failed by itself.
    AWS_RETRY_ERROR_TYPE_SERVER_ERROR = 2,
    /// The request was at fault.
    AWS_RETRY_ERROR_TYPE_CLIENT_ERROR = 3,
}

/// What a retry strategy does. Callers may implement one; every member is called through here.
#[repr(C)]
pub struct aws_retry_strategy_vtable {
    /// Called once, when the last reference is given up.
    pub destroy: Option<unsafe extern "C" fn(retry_strategy: *mut aws_retry_strategy)>,
    /// Asks for a token for `partition_id` (borrowed during the call; may be NULL or empty). The callback
    /// is called once if and only if this returns AWS_OP_SUCCESS.
    pub acquire_token: Option<
        unsafe extern "C" fn(
            retry_strategy: *mut aws_retry_strategy,
            partition_id: *const aws_byte_cursor,
            on_acquired: aws_retry_strategy_on_retry_token_acquired_fn,
            user_data: *mut c_void,
            timeout_ms: u64,
        ) -> c_int,
    >,
    /// Asks for one more try with a token the caller holds. The callback is called once if and only if
    /// this returns AWS_OP_SUCCESS; refused with AWS_IO_MAX_RETRIES_EXCEEDED or
    /// AWS_IO_RETRY_PERMISSION_DENIED.
    pub schedule_retry: Option<
        unsafe extern "C" fn(
            token: *mut aws_retry_token,
            error_type: aws_retry_error_type,
            retry_ready: aws_retry_strategy_on_retry_ready_fn,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    /// The work behind the token succeeded; gives budget back.
    pub record_success: Option<unsafe extern "C" fn(token: *mut aws_retry_token) -> c_int>,
    /// Called once, when a token's last reference is given up; frees it.
    pub release_token: Option<unsafe extern "C" fn(token: *mut aws_retry_token)>,
}

/// A retry strategy. Callers may implement one.
#[repr(C)]
pub struct aws_retry_strategy {
    pub allocator: *mut aws_allocator,
    pub vtable: *mut aws_retry_strategy_vtable,
    pub ref_count: aws_atomic_var,
    pub r#impl: *mut c_void,
}

/// One use of a retry strategy: the tries of one piece of work.
#[repr(C)]
pub struct aws_retry_token {
    pub allocator: *mut aws_allocator,
    pub retry_strategy: *mut aws_retry_strategy,
    pub ref_count: aws_atomic_var,
    pub r#impl: *mut c_void,
}

/// How a back-off time is made random. DEFAULT is FULL.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_exponential_backoff_jitter_mode {
    AWS_EXPONENTIAL_BACKOFF_JITTER_DEFAULT = 0,
    AWS_EXPONENTIAL_BACKOFF_JITTER_NONE = 1,
    AWS_EXPONENTIAL_BACKOFF_JITTER_FULL = 2,
    AWS_EXPONENTIAL_BACKOFF_JITTER_DECORRELATED = 3,
}

/// Options of aws_retry_strategy_new_exponential_backoff().
#[repr(C)]
pub struct aws_exponential_backoff_retry_options {
    /// Required. Waits run on its loops; the strategy keeps a reference.
    pub el_group: *mut aws_event_loop_group,
    /// At most 63. 0: 5 (3 for the standard strategy).
    pub max_retries: usize,
    /// Milliseconds of the first wait. 0: 500.
    pub backoff_scale_factor_ms: u32,
    /// Longest wait in seconds. 0: 20.
    pub max_backoff_secs: u32,
    pub jitter_mode: MaybeUninit<aws_exponential_backoff_jitter_mode>,
    /// Optional, old form of `generate_random_impl`.
    pub generate_random: Option<unsafe extern "C" fn() -> u64>,
    /// Optional. NULL: a generator of the library's.
    pub generate_random_impl: aws_generate_random_fn,
    pub generate_random_user_data: *mut c_void,
    /// Optional; copied. Called once, when the strategy is gone.
    pub shutdown_options: *const aws_shutdown_callback_options,
}

/// Options of aws_retry_strategy_new_no_retry().
#[repr(C)]
pub struct aws_no_retry_options {
    pub shutdown_options: *const aws_shutdown_callback_options,
}

/// Options of aws_retry_strategy_new_standard().
#[repr(C)]
pub struct aws_standard_retry_options {
    pub backoff_retry_options: aws_exponential_backoff_retry_options,
    /// Tokens each partition starts with, and its most. 0: 500.
    pub initial_bucket_capacity: usize,
}
