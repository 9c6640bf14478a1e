//! `aws/common/condition_variable.h`: waiting for another thread's news.

use std::ffi::{c_int, c_void};

use crate::base::Code;
pub use crate::ctypes::aws_condition_variable;
use crate::ctypes::aws_mutex;
use crate::ffi::raise::{AWS_OP_SUCCESS, op, raise};

/// Whether what the caller waits for has come; called with the mutex held.
pub type aws_condition_predicate_fn = Option<unsafe extern "C" fn(pred_ctx: *mut c_void) -> bool>;

/// Makes a condition variable in the caller's memory; AWS_CONDITION_VARIABLE_INIT does the same.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_COND_VARIABLE_INIT_FAILED. Ended with
/// aws_condition_variable_clean_up(). The struct must not move meanwhile. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_condition_variable_init(
    condition_variable: *mut aws_condition_variable,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { op(aws_condition_variable::init(arg!(mut condition_variable))) } })
}

/// Ends a condition variable that nobody waits on; NULL and a zeroed one are nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_condition_variable_clean_up(
    condition_variable: *mut aws_condition_variable,
) {
    ffi_fn!({
        if !condition_variable.is_null() {
            // SAFETY: by the argument rules.
            unsafe { aws_condition_variable::clean_up(condition_variable) };
        }
    })
}

/// Wakes one of the threads that wait, if there are any.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread, with or without the mutex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_condition_variable_notify_one(
    condition_variable: *mut aws_condition_variable,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { op(aws_condition_variable::notify_one(arg!(mut condition_variable))) } })
}

/// Wakes all threads that wait; as aws_condition_variable_notify_one().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_condition_variable_notify_all(
    condition_variable: *mut aws_condition_variable,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { op(aws_condition_variable::notify_all(arg!(mut condition_variable))) } })
}

/// Waits until a predicate holds.
///
/// `mutex`: held by this thread; let go while it sleeps, held again on return. `pred`: called with
/// `pred_ctx` on this thread with the mutex held, first before any sleep.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_condition_variable_wait_pred(
    condition_variable: *mut aws_condition_variable,
    mutex: *mut aws_mutex,
    pred: aws_condition_predicate_fn,
    pred_ctx: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        let Some(pred) = pred else { return raise(Code::INVALID_ARGUMENT) };
        if condition_variable.is_null() || mutex.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        unsafe {
            while !pred(pred_ctx) {
                ok!(aws_condition_variable::wait(condition_variable, mutex));
            }
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    struct Shared {
        mutex: aws_mutex,
        news: aws_condition_variable,
        value: u32,
    }

    unsafe extern "C" fn is_three(ctx: *mut c_void) -> bool {
        // SAFETY: the context is the struct below, read with the mutex held.
        unsafe { (*ctx.cast::<Shared>()).value == 3 }
    }

    #[test]
    fn waiter_sees_what_another_thread_did() {
        // SAFETY: the struct stays where it is until both threads are done with it.
        unsafe {
            let shared = Box::into_raw(Box::new(std::mem::zeroed::<Shared>()));
            aws_mutex::init(&raw mut (*shared).mutex).expect("a mutex");
            assert_eq!(aws_condition_variable_init(&raw mut (*shared).news), 0);
            let address = shared.expose_provenance();
            let other = std::thread::spawn(move || {
                let shared = ptr::with_exposed_provenance_mut::<Shared>(address);
                for _ in 0..3 {
                    aws_mutex::lock(&raw mut (*shared).mutex).expect("locked");
                    (*shared).value += 1;
                    aws_mutex::unlock(&raw mut (*shared).mutex).expect("unlocked");
                    assert_eq!(aws_condition_variable_notify_one(&raw mut (*shared).news), 0);
                }
            });
            let (mutex, news) = (&raw mut (*shared).mutex, &raw mut (*shared).news);
            aws_mutex::lock(mutex).expect("locked");
            let done = aws_condition_variable_wait_pred(news, mutex, Some(is_three), shared.cast());
            assert_eq!((done, (*shared).value), (0, 3));
            aws_mutex::unlock(mutex).expect("unlocked");
            other.join().expect("no panic");
            aws_condition_variable_clean_up(news);
            aws_condition_variable_clean_up(news);
            aws_mutex::clean_up(mutex);
            drop(Box::from_raw(shared));
        }
    }

    #[test]
    fn null_arguments_are_invalid() {
        // SAFETY: NULL is refused.
        unsafe {
            let null = ptr::null_mut();
            assert_eq!(aws_condition_variable_notify_one(null), -1);
            assert_eq!(aws_condition_variable_notify_all(null), -1);
            let none = ptr::null_mut();
            assert_eq!(
                aws_condition_variable_wait_pred(null, none, Some(is_three), null.cast()),
                -1
            );
            assert_eq!(aws_condition_variable_wait_pred(null, none, None, null.cast()), -1);
            aws_condition_variable_clean_up(null);
        }
    }
}
