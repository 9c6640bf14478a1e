//! `aws/common/ref_count.h`: counted references.

use std::ffi::c_void;

pub use crate::ctypes::aws_ref_count;
use crate::ctypes::aws_simple_completion_callback;

/// Sets a counter to one reference.
///
/// `ref_count`: written. `object`: what is counted, kept. `on_zero_fn`: called with `object` by the
/// thread that gives up the last reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_ref_count_init(
    ref_count: *mut aws_ref_count,
    object: *mut c_void,
    on_zero_fn: aws_simple_completion_callback,
) {
    ffi_fn!({
        if !ref_count.is_null() {
            // SAFETY: by the argument rules.
            unsafe { ref_count.write(aws_ref_count::new(object, on_zero_fn)) };
        }
    })
}

/// One more reference; returns the object counted. Only while a reference is held. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_ref_count_acquire(ref_count: *mut aws_ref_count) -> *mut c_void {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { aws_ref_count::acquire(ref_count) } })
}

/// Gives a reference back and returns how many are left. The last one calls the function given to
/// aws_ref_count_init() before this returns. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_ref_count_release(ref_count: *mut aws_ref_count) -> usize {
    // SAFETY: by the argument rules.
    ffi_fn!(calls_out { unsafe { aws_ref_count::release(ref_count) } })
}
