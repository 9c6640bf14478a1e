//! `aws/common/clock.h`: the monotonic clock.

use std::ffi::c_int;

use crate::ffi::raise::AWS_OP_SUCCESS;
use crate::sys::clock;

/// Units of time, as how many of them make a second.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_timestamp_unit {
    AWS_TIMESTAMP_SECS = 1,
    AWS_TIMESTAMP_MILLIS = 1000,
    AWS_TIMESTAMP_MICROS = 1_000_000,
    AWS_TIMESTAMP_NANOS = 1_000_000_000,
}

/// Nanoseconds of a clock that never goes back; its zero means nothing.
///
/// `timestamp`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any
/// thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_high_res_clock_get_ticks(timestamp: *mut u64) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        *unsafe { arg!(mut timestamp) } = clock::now().nanos();
        AWS_OP_SUCCESS
    })
}
