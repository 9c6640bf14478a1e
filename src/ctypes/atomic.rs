//! One machine word that C's inline functions change atomically.

use std::ffi::c_void;
use std::sync::atomic::AtomicUsize;

/// An atomic integer or pointer. C reads and writes it only through `aws_atomic_*`.
#[repr(C)]
pub struct aws_atomic_var {
    pub value: *mut c_void,
}

impl aws_atomic_var {
    pub const fn new(n: usize) -> aws_atomic_var {
        aws_atomic_var { value: std::ptr::without_provenance_mut(n) }
    }

    /// The word as an atomic of the language.
    ///
    /// # Safety
    /// `var` points to a live variable for `'a`.
    pub unsafe fn word<'a>(var: *const aws_atomic_var) -> &'a AtomicUsize {
        // SAFETY: by the contract; the word has the size and alignment of an AtomicUsize.
        unsafe { AtomicUsize::from_ptr(var.cast_mut().cast()) }
    }
}
