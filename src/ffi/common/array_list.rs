//! `aws/common/array_list.h`: contiguous lists of items of any size. Most of it is inline in C.

use std::ffi::{c_int, c_void};

pub use crate::ctypes::aws_array_list;
use crate::ffi::raise::op;

ffi_failure!(aws_array_list);

/// Compares two items: below zero, zero or above zero as `a` stands before, with or after `b`.
pub type aws_array_list_comparator_fn =
    Option<unsafe extern "C" fn(a: *const c_void, b: *const c_void) -> c_int>;

/// Makes room for an item at `index`; the block grows to twice its size at least and may move.
///
/// `list`: initialised. Returns AWS_OP_SUCCESS, or AWS_OP_ERR, the list being unchanged, with
/// AWS_ERROR_INVALID_INDEX (a list over the caller's own memory), AWS_ERROR_OVERFLOW_DETECTED,
/// AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Any thread, one at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_array_list_ensure_capacity(
    list: *mut aws_array_list,
    index: usize,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { op(arg!(mut list).ensure_capacity(index)) } })
}
