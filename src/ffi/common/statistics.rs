//! `aws/common/statistics.h`: what a program that watches connections implements. Types only.

use std::ffi::c_void;

use crate::ctypes::{aws_allocator, aws_array_list};

/// A kind of statistics; each library has 256 of them.
pub type aws_crt_statistics_category_t = u32;

/// The kinds of the common headers.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_crt_common_statistics_category {
    AWSCRT_STAT_CAT_INVALID = 0,
}

/// What every kind of statistics begins with.
#[repr(C)]
pub struct aws_crt_statistics_base {
    pub category: aws_crt_statistics_category_t,
}

/// The time that statistics are about, in milliseconds.
#[repr(C)]
pub struct aws_crt_statistics_sample_interval {
    pub begin_time_ms: u64,
    pub end_time_ms: u64,
}

/// Takes the statistics of an interval; `stats` is a list of pointers to aws_crt_statistics_base.
pub type aws_crt_statistics_handler_process_statistics_fn = Option<
    unsafe extern "C" fn(
        handler: *mut aws_crt_statistics_handler,
        interval: *mut aws_crt_statistics_sample_interval,
        stats: *mut aws_array_list,
        context: *mut c_void,
    ),
>;

/// Frees a handler.
pub type aws_crt_statistics_handler_destroy_fn =
    Option<unsafe extern "C" fn(handler: *mut aws_crt_statistics_handler)>;

/// How often a handler wants statistics, in milliseconds.
pub type aws_crt_statistics_handler_get_report_interval_ms_fn =
    Option<unsafe extern "C" fn(handler: *mut aws_crt_statistics_handler) -> u64>;

/// What a handler can do.
#[repr(C)]
pub struct aws_crt_statistics_handler_vtable {
    pub process_statistics: aws_crt_statistics_handler_process_statistics_fn,
    pub destroy: aws_crt_statistics_handler_destroy_fn,
    pub get_report_interval_ms: aws_crt_statistics_handler_get_report_interval_ms_fn,
}

/// A handler of statistics.
#[repr(C)]
pub struct aws_crt_statistics_handler {
    pub vtable: *mut aws_crt_statistics_handler_vtable,
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
}
