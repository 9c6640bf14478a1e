//! A caller's retry strategy as the engine's retry policy.
//!
//! A token is acquired before a request's first try and released when the engine drops it. The
//! strategy answers on any thread, maybe inline.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::base::{Code, Done, Error, Result};
use crate::client::{RetryKind, RetryPolicy, RetryToken};
use crate::ctypes::aws_atomic_var;
use crate::ffi::io::retry_strategy::{
    aws_retry_error_type, aws_retry_strategy, aws_retry_strategy_vtable, aws_retry_token,
};
use crate::ffi::place::cursor_of;
use crate::ffi::raise::{AWS_OP_SUCCESS, last_error_or};

/// How long a strategy may take for a token: the reference sets no bound.
const TIMEOUT_MS: u64 = 0;

/// A caller's strategy; holds a reference.
pub(crate) struct CallerStrategy(*mut aws_retry_strategy);

// SAFETY: a strategy's functions may be called on any thread.
unsafe impl Send for CallerStrategy {}
// SAFETY: as above.
unsafe impl Sync for CallerStrategy {}

type Acquired = Done<Box<dyn RetryToken>>;
type Go = Done<()>;

fn word<'a>(count: *const aws_atomic_var) -> &'a AtomicUsize {
    // SAFETY: counts of live objects; the callers below hold references.
    unsafe { aws_atomic_var::word(count) }
}

impl CallerStrategy {
    /// Takes a reference of its own.
    ///
    /// # Safety
    /// `strategy` is NULL or live.
    pub(crate) unsafe fn share(strategy: *mut aws_retry_strategy) -> Result<CallerStrategy> {
        // SAFETY: by the contract.
        unsafe {
            if strategy.is_null() || (*strategy).vtable.is_null() {
                return Err(Error::new(Code::INVALID_ARGUMENT));
            }
            word(&raw const (*strategy).ref_count).fetch_add(1, Ordering::Relaxed);
        }
        Ok(CallerStrategy(strategy))
    }
}

impl Drop for CallerStrategy {
    fn drop(&mut self) {
        // SAFETY: the reference is ours; the last one calls the strategy's own destroy.
        unsafe {
            if word(&raw const (*self.0).ref_count).fetch_sub(1, Ordering::AcqRel) == 1
                && let Some(destroy) = (*self.0).vtable.as_ref().and_then(|t| t.destroy)
            {
                destroy(self.0);
            }
        }
    }
}

impl RetryPolicy for CallerStrategy {
    fn acquire(&self, partition: &str, done: Acquired) {
        let cursor = cursor_of(partition.as_bytes());
        // SAFETY: our reference keeps the strategy and its table.
        let acquire = unsafe { (*self.0).vtable.as_ref() }.and_then(|t| t.acquire_token);
        let Some(acquire) = acquire else { return done(Err(Error::new(Code::INVALID_ARGUMENT))) };
        let user_data = Box::into_raw(Box::new(done));
        // SAFETY: the callback takes the box, once, if and only if the call succeeds.
        unsafe {
            let code = acquire(self.0, &cursor, Some(on_acquired), user_data.cast(), TIMEOUT_MS);
            if code != AWS_OP_SUCCESS {
                let done = Box::from_raw(user_data);
                done(Err(last_error_or(Code::UNKNOWN)));
            }
        }
    }
}

unsafe extern "C" fn on_acquired(
    _strategy: *mut aws_retry_strategy,
    error_code: c_int,
    token: *mut aws_retry_token,
    user_data: *mut c_void,
) {
    // SAFETY: `acquire` gave the box to this callback, which is called once.
    let done = unsafe { Box::from_raw(user_data.cast::<Acquired>()) };
    if error_code != 0 || token.is_null() {
        let code = if error_code == 0 { Code::UNKNOWN } else { Code(error_code) };
        done(Err(Error::new(code)));
    } else {
        done(Ok(Box::new(CallerToken(token))));
    }
}

/// A token of a caller's strategy; released on drop.
struct CallerToken(*mut aws_retry_token);

// SAFETY: a token may be used on any thread.
unsafe impl Send for CallerToken {}

impl CallerToken {
    fn table(&self) -> Option<&aws_retry_strategy_vtable> {
        // SAFETY: a token is kept by our reference, and keeps its strategy and the table.
        unsafe { (*self.0).retry_strategy.as_ref()?.vtable.as_ref() }
    }
}

impl RetryToken for CallerToken {
    fn schedule(&mut self, kind: RetryKind, go: Go) {
        let kind = match kind {
            RetryKind::Transient => aws_retry_error_type::AWS_RETRY_ERROR_TYPE_TRANSIENT,
            RetryKind::Throttling => aws_retry_error_type::AWS_RETRY_ERROR_TYPE_THROTTLING,
            RetryKind::Server => aws_retry_error_type::AWS_RETRY_ERROR_TYPE_SERVER_ERROR,
            RetryKind::Client => aws_retry_error_type::AWS_RETRY_ERROR_TYPE_CLIENT_ERROR,
        };
        let Some(schedule) = self.table().and_then(|t| t.schedule_retry) else {
            return go(Err(Error::new(Code::INVALID_ARGUMENT)));
        };
        let user_data = Box::into_raw(Box::new(go));
        // SAFETY: the callback takes the box, once, if and only if the call succeeds.
        unsafe {
            let kind = MaybeUninit::new(kind);
            if schedule(self.0, kind, Some(on_ready), user_data.cast()) != AWS_OP_SUCCESS {
                let go = Box::from_raw(user_data);
                go(Err(last_error_or(Code::IO_MAX_RETRIES_EXCEEDED)));
            }
        }
    }

    fn succeeded(&mut self) {
        if let Some(record) = self.table().and_then(|t| t.record_success) {
            // SAFETY: the function is the strategy's own.
            unsafe { record(self.0) };
        }
    }
}

unsafe extern "C" fn on_ready(
    _token: *mut aws_retry_token,
    error_code: c_int,
    user_data: *mut c_void,
) {
    // SAFETY: `schedule` gave the box to this callback, which is called once.
    let go = unsafe { Box::from_raw(user_data.cast::<Go>()) };
    match error_code {
        0 => go(Ok(())),
        code => go(Err(Error::new(Code(code)))),
    }
}

impl Drop for CallerToken {
    fn drop(&mut self) {
        // SAFETY: the reference is ours; the last one calls the strategy's release.
        unsafe {
            if word(&raw const (*self.0).ref_count).fetch_sub(1, Ordering::AcqRel) == 1
                && let Some(release) = self.table().and_then(|t| t.release_token)
            {
                release(self.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::aws_byte_cursor;
    use crate::ffi::io::retry_strategy::{
        aws_retry_strategy_on_retry_ready_fn, aws_retry_strategy_on_retry_token_acquired_fn,
    };
    use crate::ffi::raise;
    use std::ptr;
    use std::sync::mpsc;

    static DESTROYED: AtomicUsize = AtomicUsize::new(0);
    static RELEASED: AtomicUsize = AtomicUsize::new(0);

    unsafe extern "C" fn destroy(_: *mut aws_retry_strategy) {
        DESTROYED.fetch_add(1, Ordering::SeqCst);
    }
    /// Answers inline; a partition of seven letters is refused.
    unsafe extern "C" fn acquire_token(
        strategy: *mut aws_retry_strategy,
        partition_id: *const aws_byte_cursor,
        on_acquired: aws_retry_strategy_on_retry_token_acquired_fn,
        user_data: *mut c_void,
        _timeout_ms: u64,
    ) -> c_int {
        // SAFETY: arguments as the table promises; the token is leaked for the test.
        unsafe {
            if (*partition_id).len == 7 {
                return raise::raise(Code::IO_RETRY_PERMISSION_DENIED);
            }
            let token = Box::leak(Box::new(aws_retry_token {
                allocator: ptr::null_mut(),
                retry_strategy: strategy,
                ref_count: aws_atomic_var::new(1),
                r#impl: ptr::null_mut(),
            }));
            on_acquired.expect("a callback")(strategy, 0, token, user_data);
        }
        AWS_OP_SUCCESS
    }
    /// Ready at once for throttling, refused for all else.
    unsafe extern "C" fn schedule_retry(
        token: *mut aws_retry_token,
        error_type: MaybeUninit<aws_retry_error_type>,
        retry_ready: aws_retry_strategy_on_retry_ready_fn,
        user_data: *mut c_void,
    ) -> c_int {
        let throttling = aws_retry_error_type::AWS_RETRY_ERROR_TYPE_THROTTLING as i32;
        if crate::ffi::place::enum_value(error_type) != throttling {
            return raise::raise(Code::IO_MAX_RETRIES_EXCEEDED);
        }
        // SAFETY: arguments as the table promises.
        unsafe { retry_ready.expect("a callback")(token, 0, user_data) };
        AWS_OP_SUCCESS
    }
    unsafe extern "C" fn release_token(_: *mut aws_retry_token) {
        RELEASED.fetch_add(1, Ordering::SeqCst);
    }

    #[test]
    fn callers_strategy_decides_and_is_released() {
        let mut table = aws_retry_strategy_vtable {
            destroy: Some(destroy),
            acquire_token: Some(acquire_token),
            schedule_retry: Some(schedule_retry),
            record_success: None,
            release_token: Some(release_token),
        };
        let mut strategy = aws_retry_strategy {
            allocator: ptr::null_mut(),
            vtable: &mut table,
            ref_count: aws_atomic_var::new(0),
            r#impl: ptr::null_mut(),
        };
        // SAFETY: the strategy lives until the end of the test.
        let policy = unsafe { CallerStrategy::share(&mut strategy) }.expect("a table");
        let (tx, rx) = mpsc::channel();
        let refused = tx.clone();
        policy.acquire("refused", Box::new(move |r| refused.send(r).expect("a receiver")));
        let error = rx.recv().expect("an answer").err();
        assert_eq!(error, Some(Error::new(Code::IO_RETRY_PERMISSION_DENIED)));
        policy.acquire("host", Box::new(move |r| tx.send(r).expect("a receiver")));
        let mut token = rx.recv().expect("an answer").expect("a token");
        let (tx, rx) = mpsc::channel();
        for kind in [RetryKind::Throttling, RetryKind::Server] {
            let tx = tx.clone();
            token.schedule(kind, Box::new(move |r| tx.send(r).expect("a receiver")));
        }
        assert_eq!(rx.recv().expect("an answer"), Ok(()));
        let refused = Error::new(Code::IO_MAX_RETRIES_EXCEEDED);
        assert_eq!(rx.recv().expect("an answer"), Err(refused));
        token.succeeded();
        drop(token);
        assert_eq!(RELEASED.load(Ordering::SeqCst), 1);
        drop(policy);
        assert_eq!(DESTROYED.load(Ordering::SeqCst), 1);
    }
}
