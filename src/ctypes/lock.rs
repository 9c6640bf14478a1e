//! The mutex and the condition variable that C places in its own memory.

use std::ptr;

use crate::base::{Code, Error, Result};

/// A mutex in the caller's memory; AWS_MUTEX_INIT or `aws_mutex_init` makes it usable.
#[repr(C)]
pub struct aws_mutex {
    pub mutex_handle: libc::pthread_mutex_t,
    pub initialized: bool,
}

/// A condition variable in the caller's memory.
#[repr(C)]
pub struct aws_condition_variable {
    pub condition_handle: libc::pthread_cond_t,
    pub initialized: bool,
}

impl aws_mutex {
    /// Makes a mutex in the caller's memory.
    ///
    /// # Safety
    /// `this` is writable and holds no live mutex.
    pub unsafe fn init(this: *mut aws_mutex) -> Result<()> {
        // SAFETY: by the contract. The kind is the system's default; the attribute object is not
        // needed for that.
        unsafe {
            let failed = libc::pthread_mutex_init(&raw mut (*this).mutex_handle, ptr::null());
            (*this).initialized = failed == 0;
            check(failed, "pthread_mutex_init")
        }
    }

    /// # Safety
    /// `this` is a live mutex that nobody holds; a zeroed struct is left alone.
    pub unsafe fn clean_up(this: *mut aws_mutex) {
        // SAFETY: by the contract.
        unsafe {
            if (*this).initialized {
                libc::pthread_mutex_destroy(&raw mut (*this).mutex_handle);
            }
            ptr::write_bytes(this, 0, 1);
        }
    }

    /// # Safety
    /// `this` is a live mutex that this thread does not hold.
    pub unsafe fn lock(this: *mut aws_mutex) -> Result<()> {
        // SAFETY: by the contract.
        check(unsafe { libc::pthread_mutex_lock(&raw mut (*this).mutex_handle) }, "lock")
    }

    /// # Safety
    /// `this` is a live mutex that this thread holds.
    pub unsafe fn unlock(this: *mut aws_mutex) -> Result<()> {
        // SAFETY: by the contract.
        check(unsafe { libc::pthread_mutex_unlock(&raw mut (*this).mutex_handle) }, "unlock")
    }
}

impl aws_condition_variable {
    /// # Safety
    /// `this` is writable and holds no live variable.
    pub unsafe fn init(this: *mut aws_condition_variable) -> Result<()> {
        // SAFETY: by the contract.
        unsafe {
            let failed = libc::pthread_cond_init(&raw mut (*this).condition_handle, ptr::null());
            (*this).initialized = failed == 0;
            match failed {
                0 => Ok(()),
                _ => Err(Error::os(Code::COND_VARIABLE_INIT_FAILED, "pthread_cond_init", failed)),
            }
        }
    }

    /// # Safety
    /// `this` is a live variable that nobody waits on; a zeroed struct is left alone.
    pub unsafe fn clean_up(this: *mut aws_condition_variable) {
        // SAFETY: by the contract.
        unsafe {
            if (*this).initialized {
                libc::pthread_cond_destroy(&raw mut (*this).condition_handle);
            }
            ptr::write_bytes(this, 0, 1);
        }
    }

    /// # Safety
    /// `this` is a live variable.
    pub unsafe fn notify_one(this: *mut aws_condition_variable) -> Result<()> {
        // SAFETY: by the contract.
        condition(unsafe { libc::pthread_cond_signal(&raw mut (*this).condition_handle) })
    }

    /// # Safety
    /// `this` is a live variable.
    pub unsafe fn notify_all(this: *mut aws_condition_variable) -> Result<()> {
        // SAFETY: by the contract.
        condition(unsafe { libc::pthread_cond_broadcast(&raw mut (*this).condition_handle) })
    }

    /// Waits for one notification (or a spurious one).
    ///
    /// # Safety
    /// Both are live, and this thread holds the mutex.
    pub unsafe fn wait(this: *mut aws_condition_variable, mutex: *mut aws_mutex) -> Result<()> {
        // SAFETY: by the contract.
        condition(unsafe {
            libc::pthread_cond_wait(
                &raw mut (*this).condition_handle,
                &raw mut (*mutex).mutex_handle,
            )
        })
    }
}

fn check(failed: i32, call: &'static str) -> Result<()> {
    let code = match failed {
        0 => return Ok(()),
        libc::EINVAL => Code::MUTEX_NOT_INIT,
        libc::EPERM => Code::MUTEX_CALLER_NOT_OWNER,
        libc::EDEADLK => Code::THREAD_DEADLOCK_DETECTED,
        libc::EBUSY | libc::ETIMEDOUT => Code::MUTEX_TIMEOUT,
        libc::ENOMEM => Code::OOM,
        _ => Code::MUTEX_FAILED,
    };
    Err(Error::os(code, call, failed))
}

fn condition(failed: i32) -> Result<()> {
    let code = match failed {
        0 => return Ok(()),
        libc::ENOMEM => Code::OOM,
        libc::ETIMEDOUT => Code::COND_VARIABLE_TIMED_OUT,
        _ => Code::COND_VARIABLE_ERROR_UNKNOWN,
    };
    Err(Error::os(code, "pthread_cond", failed))
}
