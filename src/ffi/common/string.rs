//! `aws/common/string.h`: immutable strings with a length, ended by a zero as well.

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use crate::base::Code;
pub use crate::ctypes::aws_string;
use crate::ctypes::{aws_allocator, aws_byte_buf, aws_byte_cursor};
use crate::ffi::handle;
use crate::ffi::raise::raise_null;

/// A copy of a C string.
///
/// `allocator`: borrowed, must outlive the string. `c_str`: borrowed for the call.
/// Returns NULL with AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Freed with aws_string_destroy().
/// Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_new_from_c_str(
    allocator: *mut aws_allocator,
    c_str: *const c_char,
) -> *mut aws_string {
    ffi_fn!({
        if c_str.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        unsafe { ok!(aws_string::new(allocator, CStr::from_ptr(c_str).to_bytes())).as_ptr() }
    })
}

/// A copy of `len` bytes, which may hold zeros.
///
/// `bytes`: borrowed for the call; not looked at when `len` is 0. Else as
/// aws_string_new_from_c_str().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_new_from_array(
    allocator: *mut aws_allocator,
    bytes: *const u8,
    len: usize,
) -> *mut aws_string {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { copy(allocator, handle::bytes(bytes, len)) } })
}

/// A copy of what a cursor shows.
///
/// `cursor`: borrowed for the call. Else as aws_string_new_from_c_str().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_new_from_cursor(
    allocator: *mut aws_allocator,
    cursor: *const aws_byte_cursor,
) -> *mut aws_string {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { copy(allocator, arg!(cursor).bytes()) } })
}

/// A copy of a buffer's bytes in use.
///
/// `buf`: borrowed for the call. Else as aws_string_new_from_c_str().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_new_from_buf(
    allocator: *mut aws_allocator,
    buf: *const aws_byte_buf,
) -> *mut aws_string {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { copy(allocator, arg!(buf).bytes()) } })
}

/// A string that may be kept: a copy, or the string itself where it lives for ever.
///
/// `allocator`: for the copy; may be NULL for a static string. `str`: borrowed.
/// Returns as aws_string_new_from_c_str(); the result is given to aws_string_destroy() either way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_clone_or_reuse(
    allocator: *mut aws_allocator,
    str: *const aws_string,
) -> *mut aws_string {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            if !str.is_null() && (&raw const (*str).allocator).read().is_null() {
                return str.cast_mut();
            }
            copy(allocator, aws_string::text(str))
        }
    })
}

unsafe fn copy(allocator: *mut aws_allocator, text: Option<&[u8]>) -> *mut aws_string {
    match text {
        // SAFETY: by the caller's contract.
        Some(text) => unsafe { ok!(aws_string::new(allocator, text)).as_ptr() },
        None => raise_null(Code::INVALID_ARGUMENT),
    }
}

/// Frees a string; NULL and static strings are nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_destroy(str: *mut aws_string) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { aws_string::destroy(str) } })
}

/// Like aws_string_destroy(), but overwrites the text with zeros first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_destroy_secure(str: *mut aws_string) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { aws_string::destroy_secure(str) } })
}

/// Whether a string and a C string have the same bytes; NULL equals NULL only. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_string_eq_c_str(str: *const aws_string, c_str: *const c_char) -> bool {
    ffi_fn!({
        if str.is_null() || c_str.is_null() {
            return str.is_null() && c_str.is_null();
        }
        // SAFETY: by the argument rules.
        unsafe { aws_string::text(str) == Some(CStr::from_ptr(c_str).to_bytes()) }
    })
}

/// A view of a string's text.
///
/// `src`: borrowed as long as the result lives; NULL gives an empty view. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_from_string(src: *const aws_string) -> aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { aws_string::cursor(src) } })
}

/// A string of ours for C, or NULL raised; used by the other files of this surface.
///
/// # Safety
/// `allocator` is live and outlives the string.
pub(crate) unsafe fn give(allocator: *mut aws_allocator, text: &[u8]) -> *mut aws_string {
    // SAFETY: by the contract.
    match unsafe { aws_string::new(allocator, text) } {
        Ok(made) => made.as_ptr(),
        Err(error) => {
            crate::ffi::raise::raise_error(error);
            null_mut()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::raise::last_error;
    use std::ptr;

    #[test]
    fn strings_from_everything_equal_their_source() {
        let a = default_allocator();
        // SAFETY: each string is destroyed once.
        unsafe {
            let c = aws_byte_cursor::of(b"text");
            let buf = aws_byte_buf { len: 4, capacity: 4, buffer: c.ptr, ..aws_byte_buf::EMPTY };
            for s in [
                aws_string_new_from_c_str(a, c"text".as_ptr()),
                aws_string_new_from_array(a, c.ptr, 4),
                aws_string_new_from_cursor(a, &c),
                aws_string_new_from_buf(a, &buf),
                give(a, b"text"),
            ] {
                assert!(aws_string_eq_c_str(s, c"text".as_ptr()));
                assert!(!aws_string_eq_c_str(s, c"tex".as_ptr()));
                assert_eq!(aws_byte_cursor_from_string(s).bytes(), Some(&b"text"[..]));
                let again = aws_string_clone_or_reuse(a, s);
                assert_ne!(again, s);
                aws_string_destroy(s);
                aws_string_destroy_secure(again);
            }
            let fixed = aws_string { allocator: ptr::null_mut(), len: 0, bytes: [0] };
            let same = aws_string_clone_or_reuse(ptr::null_mut(), &fixed);
            assert!(ptr::eq(same, &fixed));
        }
    }

    #[test]
    fn hostile_arguments_are_invalid() {
        let a = default_allocator();
        // SAFETY: NULL and absurd lengths are what is tried.
        unsafe {
            assert!(aws_string_new_from_c_str(a, ptr::null()).is_null());
            assert!(aws_string_new_from_c_str(ptr::null_mut(), c"x".as_ptr()).is_null());
            assert!(aws_string_new_from_array(a, ptr::null(), 1).is_null());
            assert!(aws_string_new_from_array(a, ptr::dangling(), usize::MAX).is_null());
            assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
            let empty = aws_string_new_from_array(a, ptr::null(), 0);
            assert!(aws_string_eq_c_str(empty, c"".as_ptr()));
            aws_string_destroy(empty);
            assert!(aws_string_new_from_cursor(a, ptr::null()).is_null());
            assert!(aws_string_new_from_buf(a, ptr::null()).is_null());
            assert!(aws_string_clone_or_reuse(a, ptr::null()).is_null());
            assert!(aws_string_eq_c_str(ptr::null(), ptr::null()));
            assert!(!aws_string_eq_c_str(ptr::null(), c"".as_ptr()));
            aws_string_destroy(ptr::null_mut());
        }
    }
}
