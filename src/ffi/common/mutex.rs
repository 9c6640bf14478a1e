//! `aws/common/mutex.h`: a mutex in the caller's memory. Not recursive.

use std::ffi::c_int;

pub use crate::ctypes::aws_mutex;
use crate::ffi::raise::op;

/// Makes a mutex in the caller's memory; AWS_MUTEX_INIT does the same for static ones.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_MUTEX_FAILED, AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Ended with aws_mutex_clean_up(). The struct must not move meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mutex_init(mutex: *mut aws_mutex) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { op(aws_mutex::init(arg!(mut mutex))) } })
}

/// Ends a mutex that nobody holds; NULL and a zeroed one are nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mutex_clean_up(mutex: *mut aws_mutex) {
    ffi_fn!({
        if !mutex.is_null() {
            // SAFETY: by the argument rules.
            unsafe { aws_mutex::clean_up(mutex) };
        }
    })
}

/// Waits until this thread holds the mutex.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with an AWS_ERROR_MUTEX code or
/// AWS_ERROR_INVALID_ARGUMENT. A thread that holds it already waits for ever.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mutex_lock(mutex: *mut aws_mutex) -> c_int {
    // SAFETY: by the argument rules. No reference is made of what other threads write.
    ffi_fn!({ unsafe { if mutex.is_null() { invalid() } else { op(aws_mutex::lock(mutex)) } } })
}

/// Lets the mutex go.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with an AWS_ERROR_MUTEX code or
/// AWS_ERROR_INVALID_ARGUMENT. Only for the thread that holds it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mutex_unlock(mutex: *mut aws_mutex) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { if mutex.is_null() { invalid() } else { op(aws_mutex::unlock(mutex)) } } })
}

fn invalid() -> c_int {
    crate::ffi::raise::raise(crate::base::Code::INVALID_ARGUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[test]
    fn mutex_goes_through_its_life() {
        // SAFETY: the mutex is used by this thread alone.
        unsafe {
            let mut m = std::mem::zeroed::<aws_mutex>();
            assert_eq!(aws_mutex_init(&mut m), 0);
            assert!(m.initialized);
            assert_eq!(aws_mutex_lock(&mut m), 0);
            assert_eq!(aws_mutex_unlock(&mut m), 0);
            aws_mutex_clean_up(&mut m);
            assert!(!m.initialized);
            aws_mutex_clean_up(&mut m);
            for f in [aws_mutex_init, aws_mutex_lock, aws_mutex_unlock] {
                assert_eq!(f(ptr::null_mut()), -1);
            }
            aws_mutex_clean_up(ptr::null_mut());
        }
    }
}
