//! The guard of every export: a panic inside is caught, logged with its place, and turned into the
//! failure value of the return type with AWS_ERROR_UNKNOWN as last error.
//!
//! ```text
//! pub unsafe extern "C" fn aws_x(..) -> c_int {
//!     ffi_fn!({ .. })                // may use `return`, `?` does not fit: see raise.rs `ok!`
//!     ffi_fn!(calls_out { .. })      // runs a caller's callback before it returns
//! }
//! ```
//!
//! The guard stands inside the body so that cbindgen sees the function. `calls_out` sets no catch
//! frame below the caller's code: a callback that ends its thread unwinds through here, and a catch
//! would turn that into an abort. Steps of ours inside such a body that could panic go through
//! `base::caught` by themselves.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use super::raise;
use crate::base::{Code, caught};

/// What a function of this return type gives back when it fails.
pub trait FfiFailure {
    fn failure() -> Self;
}

/// Runs the body of an export; used through `ffi_fn!`.
#[inline]
pub fn guarded<R: FfiFailure>(body: impl FnOnce() -> R) -> R {
    match caught(std::any::type_name_of_val(&body), 0, body) {
        Some(value) => value,
        None => raise::fail(Code::UNKNOWN),
    }
}

/// Guards the body of an exported function; see the module's doc.
#[macro_export]
macro_rules! ffi_fn {
    (calls_out $body:block) => {{
        #[allow(clippy::redundant_closure_call, reason = "`return` in the body leaves the body")]
        (move || $body)()
    }};
    ($body:block) => {
        $crate::ffi::guard::guarded(move || $body)
    };
}

macro_rules! failure_values {
    ($($t:ty => $v:expr),* $(,)?) => {
        $(impl FfiFailure for $t {
            #[inline]
            fn failure() -> Self {
                $v
            }
        })*
    };
}

failure_values! {
    () => (),
    c_int => -1,
    bool => false,
    u8 => 0,
    u16 => 0,
    u32 => 0,
    u64 => 0,
    i64 => 0,
    usize => 0,
    isize => 0,
    f64 => 0.0,
}

impl<T> FfiFailure for *const T {
    #[inline]
    fn failure() -> Self {
        std::ptr::null()
    }
}

impl<T> FfiFailure for *mut T {
    #[inline]
    fn failure() -> Self {
        std::ptr::null_mut()
    }
}

impl<T> FfiFailure for MaybeUninit<T> {
    #[inline]
    fn failure() -> Self {
        MaybeUninit::zeroed()
    }
}

impl<T> FfiFailure for Option<T> {
    #[inline]
    fn failure() -> Self {
        None
    }
}

/// `ffi_failure!(aws_byte_cursor, aws_hash_iter)`: C structs whose failure value is all zeros;
/// `ffi_failure!(aws_x = aws_x::AWS_X_NONE)`: a type with a failure value of its own.
#[macro_export]
macro_rules! ffi_failure {
    ($t:ty = $v:expr) => {
        impl $crate::ffi::guard::FfiFailure for $t {
            fn failure() -> Self {
                $v
            }
        }
    };
    ($($t:ty),+ $(,)?) => {
        $(impl $crate::ffi::guard::FfiFailure for $t {
            fn failure() -> Self {
                // SAFETY: only named for C structs of integers and nullable pointers, for which
                // all-zero bytes are a value.
                unsafe { std::mem::zeroed() }
            }
        })+
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn panicking(_: c_int) -> c_int {
        ffi_fn!({ if std::hint::black_box(true) { panic!("planted") } else { 0 } })
    }

    extern "C" fn returning(early: bool) -> *mut u8 {
        ffi_fn!({
            if early {
                return std::ptr::dangling_mut();
            }
            std::ptr::null_mut()
        })
    }

    extern "C" fn calling_out(f: extern "C" fn() -> c_int) -> c_int {
        ffi_fn!(calls_out { f() + 1 })
    }

    extern "C" fn seven() -> c_int {
        7
    }

    #[test]
    fn panic_in_an_export_becomes_its_failure_value() {
        raise::set_last_error(0);
        // SAFETY: the function has no requirement.
        assert_eq!(unsafe { panicking(1) }, -1);
        assert_eq!(raise::last_error(), Code::UNKNOWN.0);
    }

    #[test]
    fn return_in_a_body_leaves_the_body_only() {
        assert!(!returning(true).is_null());
        assert!(returning(false).is_null());
        assert_eq!(calling_out(seven), 8);
    }
}
