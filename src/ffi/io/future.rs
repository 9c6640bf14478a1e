//! Header `aws/io/future.h`: one value that comes later, and who waits for it.

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use crate::base::{Code, Result};
use crate::ctypes::aws_allocator;
use crate::ffi::raise;
use crate::ffi::s3::future::{Future, Place};

/// A future is done. Called once, on the thread the registration asked for, else on the thread that
/// completed the future, or at once when it was done already.
pub type aws_future_callback_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A future of a bool. Opaque.
pub struct aws_future_bool {
    _private: [u8; 0],
}

/// A future of nothing but success or an error. Opaque.
pub struct aws_future_void {
    _private: [u8; 0],
}

unsafe fn discard_nothing(_: *mut c_void) {}

/// A future without a value, with one reference.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the future.
pub unsafe fn new_void(allocator: *mut aws_allocator) -> Result<NonNull<Future>> {
    // SAFETY: by the contract.
    unsafe { Future::create(allocator, discard_nothing) }
}

/// Gives up a reference. NULL is nothing. Returns NULL. Any thread.
///
/// # Safety
/// `future` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_release(
    future: *mut aws_future_void,
) -> *mut aws_future_void {
    ffi_fn!({
        if let Some(f) = NonNull::new(future.cast::<Future>()) {
            // SAFETY: by the contract.
            unsafe { Future::release(f) };
        }
        ptr::null_mut()
    })
}

/// The error the future ended with, or 0 for success. AWS_ERROR_INVALID_STATE while it is not done.
/// Any thread.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_get_error(future: *const aws_future_void) -> c_int {
    ffi_fn!({
        // SAFETY: every future of this type was made by `new_void`.
        match unsafe { future.cast::<Future>().as_ref() }.map(Future::error) {
            Some(Ok(code)) => code,
            Some(Err(e)) => e.code.0,
            None => Code::INVALID_ARGUMENT.0,
        }
    })
}

/// Calls `on_done` when the future is done: on the thread that completes it, or before this returns
/// where it is done already. Any thread.
///
/// # Safety
/// `future` is NULL or live; `user_data` is valid for the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_register_callback(
    future: *mut aws_future_void,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!(calls_out {
        // SAFETY: every future of this type was made by `new_void`.
        match (unsafe { future.cast::<Future>().as_ref() }, on_done) {
            (Some(f), Some(call)) => {
                f.on_done(call, user_data, Place::Inline, true);
            }
            _ => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
    })
}
