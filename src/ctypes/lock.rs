//! The mutex and the condition variable that C places in its own memory.

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
