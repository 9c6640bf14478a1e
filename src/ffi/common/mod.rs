//! Headers `aws/common/*.h`, one file each.
//!
//! Types whose layout C code shares are defined in `ctypes` and re-exported by the file of their
//! header. What is no header of its own: `error_table` and `log_subjects` hold names, `log_sink`
//! writes the standard logger's lines, `mem_tracer` is the allocator that remembers.

use std::mem::MaybeUninit;

pub mod allocator;
pub mod array_list;
pub mod assert;
pub mod atomics;
pub mod byte_buf;
pub mod clock;
pub mod command_line_parser;
#[allow(clippy::module_inception, reason = "named after its header")]
pub mod common;
pub mod condition_variable;
pub mod cross_process_lock;
pub mod date_time;
pub mod environment;
pub mod error;
mod error_table;
pub mod file;
pub mod hash_table;
pub mod linked_list;
pub mod log_channel;
pub mod log_formatter;
mod log_sink;
mod log_subjects;
pub mod log_writer;
pub mod logging;
mod mem_tracer;
pub mod mutex;
pub mod priority_queue;
pub mod ref_count;
pub mod shutdown_types;
pub mod statistics;
pub mod string;
pub mod system_info;
pub mod system_resource_util;
pub mod task_scheduler;
pub mod thread;
pub mod thread_scheduler;
pub mod uri;
pub mod xml_parser;

/// The number behind a C enum that came from the caller, listed or not.
pub(crate) fn enum_number<T: Copy>(value: MaybeUninit<T>) -> u32 {
    const { assert!(size_of::<T>() == 4 && align_of::<T>() == 4, "C enums have four bytes") };
    // SAFETY: C always passes all four bytes.
    unsafe { value.as_ptr().cast::<u32>().read() }
}
