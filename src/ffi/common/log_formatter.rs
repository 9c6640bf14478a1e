//! `aws/common/log_formatter.h`: what makes a line of a format and its arguments. Types only: a
//! program brings its own logger, or takes the standard one.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use super::date_time::aws_date_format;
use super::logging::aws_log_level;
use crate::ctypes::aws_allocator;

/// Frees what the formatter holds.
pub type aws_log_formatter_clean_up_fn =
    Option<unsafe extern "C" fn(logger: *mut aws_log_formatter)>;

/// What a formatter can do. The first function takes a `va_list`, which Rust has no type for.
#[repr(C)]
pub struct aws_log_formatter_vtable {
    pub format: *mut c_void,
    pub clean_up: aws_log_formatter_clean_up_fn,
}

/// A formatter in the caller's memory.
#[repr(C)]
pub struct aws_log_formatter {
    pub vtable: *mut aws_log_formatter_vtable,
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
}

/// How the standard format writes the time.
#[repr(C)]
pub struct aws_log_formatter_standard_options {
    pub date_format: MaybeUninit<aws_date_format>,
}

/// One line on its way through the standard format.
#[repr(C)]
pub struct aws_logging_standard_formatting_data {
    /// Receives the line.
    pub log_line_buffer: *mut c_char,
    /// Room in it.
    pub total_length: usize,
    pub level: MaybeUninit<aws_log_level>,
    pub subject_name: *const c_char,
    pub format: *const c_char,
    pub date_format: MaybeUninit<aws_date_format>,
    pub allocator: *mut aws_allocator,
    /// Bytes of it used.
    pub amount_written: usize,
}
