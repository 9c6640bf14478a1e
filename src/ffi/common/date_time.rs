//! `aws/common/date_time.h`: points in time as C programs take them apart.

use std::ffi::c_char;

/// A point in time. Filled in by the `aws_date_time_init_*` functions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_date_time {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub timestamp: libc::time_t,
    pub milliseconds: u16,
    pub tz: [c_char; 6],
    pub gmt_time: libc::tm,
    pub local_time: libc::tm,
    pub utc_assumed: bool,
}
