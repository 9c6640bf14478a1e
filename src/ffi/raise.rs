//! The thread-local last error: the only file that touches it.
//!
//! `raise(code)` is what a failing export returns; `fail` does the same for any return type. The
//! handlers a program may install (per thread, or one for all) are called on every raise.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{PoisonError, RwLock};

use super::guard::FfiFailure;
use crate::base::{Code, Error};

pub const AWS_OP_SUCCESS: c_int = 0;
pub const AWS_OP_ERR: c_int = -1;

/// A program's error handler: called with the error and the context given at installation.
#[derive(Clone, Copy)]
pub struct Handler {
    pub call: Option<unsafe extern "C" fn(c_int, *mut c_void)>,
    pub context: *mut c_void,
}

// SAFETY: a global handler is documented as called from every thread; its owner synchronises.
unsafe impl Send for Handler {}
// SAFETY: as above.
unsafe impl Sync for Handler {}

impl Handler {
    pub const NONE: Handler = Handler { call: None, context: std::ptr::null_mut() };
}

thread_local! {
    static LAST: Cell<c_int> = const { Cell::new(0) };
    static THREAD_HANDLER: Cell<Handler> = const { Cell::new(Handler::NONE) };
}

static GLOBAL_HANDLER: RwLock<Handler> = RwLock::new(Handler::NONE);

/// Sets the last error of this thread, calls the handler, returns AWS_OP_ERR.
#[cold]
pub fn raise(code: Code) -> c_int {
    set_last_error(code.0);
    let mut handler = THREAD_HANDLER.try_with(Cell::get).unwrap_or(Handler::NONE);
    if handler.call.is_none() {
        handler = *GLOBAL_HANDLER.read().unwrap_or_else(PoisonError::into_inner);
    }
    if let Some(call) = handler.call {
        // SAFETY: the program installed the pair and keeps it valid until it installs another.
        unsafe { call(code.0, handler.context) };
    }
    AWS_OP_ERR
}

/// Raises the code of an engine error.
pub fn raise_error(error: Error) -> c_int {
    raise(error.code)
}

/// Raises and returns NULL.
pub fn raise_null<T>(code: Code) -> *mut T {
    raise(code);
    std::ptr::null_mut()
}

/// Raises and returns the failure value of whatever the function returns.
pub fn fail<R: FfiFailure>(code: Code) -> R {
    raise(code);
    R::failure()
}

/// A capability that is not there: a log line names the function, AWS_ERROR_UNIMPLEMENTED is raised.
pub fn unimplemented<R: FfiFailure>(function: &'static str) -> R {
    crate::log!(CommonGeneral, Error, 0, "{function} is not implemented in this version");
    fail(Code::UNIMPLEMENTED)
}

/// AWS_OP_SUCCESS, or the error raised.
pub fn op(result: Result<(), Error>) -> c_int {
    match result {
        Ok(()) => AWS_OP_SUCCESS,
        Err(error) => raise(error.code),
    }
}

pub fn last_error() -> c_int {
    LAST.try_with(Cell::get).unwrap_or(0)
}

/// The error a caller's function left behind, or `code` where it raised none.
pub fn last_error_or(code: Code) -> Error {
    match last_error() {
        0 => Error::new(code),
        raised => Error::new(Code(raised)),
    }
}

/// Sets the last error without calling a handler (restore, reset).
pub fn set_last_error(code: c_int) {
    // At thread end the cell may be gone; then nobody can read it either.
    let _ = LAST.try_with(|last| last.set(code));
}

/// Installs this thread's handler and returns the one before.
pub fn set_thread_handler(handler: Handler) -> Handler {
    THREAD_HANDLER.try_with(|h| h.replace(handler)).unwrap_or(Handler::NONE)
}

/// Installs the handler for threads without one of their own and returns the one before.
pub fn set_global_handler(handler: Handler) -> Handler {
    let mut held = GLOBAL_HANDLER.write().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut held, handler)
}

/// `ok!(expr)`: the value of an engine `Result`, or leave the export with its error raised.
#[macro_export]
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => {
                return $crate::ffi::raise::fail($crate::base::Error::from(error).code);
            }
        }
    };
}

/// `arg!(ptr)`: a shared reference to a caller's struct; NULL leaves the export with
/// AWS_ERROR_INVALID_ARGUMENT. `arg!(mut ptr)`: an exclusive one. Stands in an unsafe context.
#[macro_export]
macro_rules! arg {
    (mut $ptr:expr) => {
        match $ptr.as_mut() {
            Some(value) => value,
            None => return $crate::ffi::raise::fail($crate::base::Code::INVALID_ARGUMENT),
        }
    };
    ($ptr:expr) => {
        match $ptr.as_ref() {
            Some(value) => value,
            None => return $crate::ffi::raise::fail($crate::base::Code::INVALID_ARGUMENT),
        }
    };
}

/// `waits!("tls")`: the capability behind this export is not there yet. Logs it and leaves with
/// AWS_ERROR_UNIMPLEMENTED. `c-tests/abi` counts these.
#[macro_export]
macro_rules! waits {
    ($capability:literal) => {{
        $crate::log!(CommonGeneral, Error, 0, "not built yet: {}", $capability);
        return $crate::ffi::raise::fail($crate::base::Code::UNIMPLEMENTED);
    }};
}

/// `refused!("pkcs11")`: not supported by design. Logs it and leaves with
/// AWS_ERROR_UNIMPLEMENTED, or with the code given. `c-tests/abi` counts these.
#[macro_export]
macro_rules! refused {
    ($what:literal) => {
        $crate::refused!($what, $crate::base::Code::UNIMPLEMENTED)
    };
    ($what:literal, $code:expr) => {{
        $crate::log!(CommonGeneral, Error, 0, "not supported: {}", $what);
        return $crate::ffi::raise::fail($code);
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raise_sets_the_last_error_of_its_thread_only() {
        raise(Code::OOM);
        let other = std::thread::spawn(last_error).join().expect("the thread ends");
        assert_eq!(other, 0);
        assert_eq!(last_error(), 1);
    }

    #[test]
    fn thread_handler_is_called_with_its_context() {
        unsafe extern "C" fn note(code: c_int, context: *mut c_void) {
            // SAFETY: the context is the cell below.
            unsafe { *context.cast::<c_int>() = code };
        }
        let mut seen = 0;
        let context = (&raw mut seen).cast();
        set_thread_handler(Handler { call: Some(note), context });
        let p: *mut u8 = raise_null(Code::INVALID_STATE);
        assert!(set_thread_handler(Handler::NONE).call.is_some());
        raise(Code::OOM);
        assert!(p.is_null());
        assert_eq!(seen, Code::INVALID_STATE.0);
    }

    #[test]
    fn arg_of_null_leaves_with_invalid_argument() {
        fn read(p: *const c_int) -> c_int {
            // SAFETY: NULL or a live int.
            *unsafe { arg!(p) }
        }
        assert_eq!(read(&5), 5);
        assert_eq!(read(std::ptr::null()), AWS_OP_ERR);
        assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
    }
}
