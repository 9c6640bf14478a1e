//! Counted references to an object, and what is called when the last one goes.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use super::atomic::aws_atomic_var;

/// Called once when something has completely ended.
pub type aws_simple_completion_callback = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A counter of references. `on_zero_fn` is called with `object` by the thread that gives up the
/// last one.
#[repr(C)]
pub struct aws_ref_count {
    pub ref_count: aws_atomic_var,
    pub object: *mut c_void,
    pub on_zero_fn: aws_simple_completion_callback,
}

/// Who is told when an object has ended.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_shutdown_callback_options {
    /// May be NULL.
    pub shutdown_callback_fn: aws_simple_completion_callback,
    pub shutdown_callback_user_data: *mut c_void,
}

impl aws_ref_count {
    /// A counter that stands at one.
    pub const fn new(object: *mut c_void, on_zero_fn: aws_simple_completion_callback) -> Self {
        aws_ref_count { ref_count: aws_atomic_var::new(1), object, on_zero_fn }
    }

    /// One more reference; returns the object.
    ///
    /// # Safety
    /// `this` is NULL or live, and the caller holds a reference.
    pub unsafe fn acquire(this: *mut aws_ref_count) -> *mut c_void {
        if this.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: by the contract.
        unsafe {
            let before =
                aws_atomic_var::word(&raw const (*this).ref_count).fetch_add(1, Ordering::Relaxed);
            debug_assert!(before > 0, "a reference to something that has ended");
            (*this).object
        }
    }

    /// Gives one reference back and returns how many are left; the last one calls `on_zero_fn`,
    /// which may free the counter itself.
    ///
    /// # Safety
    /// `this` is NULL or live, and the caller gives up a reference.
    pub unsafe fn release(this: *mut aws_ref_count) -> usize {
        if this.is_null() {
            return 0;
        }
        // SAFETY: by the contract; after the last release nothing of the counter is read.
        unsafe {
            let before =
                aws_atomic_var::word(&raw const (*this).ref_count).fetch_sub(1, Ordering::AcqRel);
            debug_assert!(before > 0, "more releases than references");
            if before == 1
                && let (Some(on_zero), object) = ((*this).on_zero_fn, (*this).object)
            {
                on_zero(object);
            }
            before.wrapping_sub(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn count(object: *mut c_void) {
        // SAFETY: the object is the integer below.
        unsafe { *object.cast::<u32>() += 1 };
    }

    #[test]
    fn last_release_calls_on_zero_once() {
        let mut calls = 0u32;
        let object = (&raw mut calls).cast::<c_void>();
        let mut counter = aws_ref_count::new(object, Some(count));
        let this = &raw mut counter;
        // SAFETY: two references are held and given back.
        unsafe {
            assert_eq!(aws_ref_count::acquire(this), object);
            assert_eq!(aws_ref_count::release(this), 1);
            assert_eq!(*object.cast::<u32>(), 0);
            assert_eq!(aws_ref_count::release(this), 0);
            assert_eq!(*object.cast::<u32>(), 1);
            assert!(aws_ref_count::acquire(std::ptr::null_mut()).is_null());
            assert_eq!(aws_ref_count::release(std::ptr::null_mut()), 0);
        }
    }
}
