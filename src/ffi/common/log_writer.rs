//! `aws/common/log_writer.h`: what writes lines somewhere. Types only: a program brings its own
//! logger, or takes the standard one.

use std::ffi::{c_char, c_int, c_void};

use crate::ctypes::{aws_allocator, aws_string};

/// Writes a line, which it does not keep.
pub type aws_log_writer_write_fn =
    Option<unsafe extern "C" fn(writer: *mut aws_log_writer, output: *const aws_string) -> c_int>;

/// Frees what the writer holds.
pub type aws_log_writer_clean_up_fn = Option<unsafe extern "C" fn(writer: *mut aws_log_writer)>;

/// What a writer can do.
#[repr(C)]
pub struct aws_log_writer_vtable {
    pub write: aws_log_writer_write_fn,
    pub clean_up: aws_log_writer_clean_up_fn,
}

/// A writer in the caller's memory.
#[repr(C)]
pub struct aws_log_writer {
    pub vtable: *mut aws_log_writer_vtable,
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
}

/// Where a file writer writes; exactly one of the two is set.
#[repr(C)]
pub struct aws_log_writer_file_options {
    pub filename: *const c_char,
    pub file: *mut libc::FILE,
}
