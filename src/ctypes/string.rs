//! An immutable string with its length, laid out in one block with its bytes.

use std::ptr::{self, NonNull};
use std::slice;

use super::alloc::aws_allocator;
use super::byte_buf::{aws_byte_cursor, secure_zero};
use crate::base::{Code, Error, Result};

/// `len` bytes and a zero behind them, in the block of the struct itself. `allocator` is NULL for
/// strings in static memory, which are never freed.
#[repr(C)]
pub struct aws_string {
    pub allocator: *mut aws_allocator,
    pub len: usize,
    /// The first byte; `len` of them follow one another, then a zero.
    pub bytes: [u8; 1],
}

/// Bytes in front of the text.
const HEAD: usize = std::mem::offset_of!(aws_string, bytes);

impl aws_string {
    /// A copy of `text`.
    ///
    /// # Safety
    /// `allocator` is NULL or live, and outlives the string.
    pub unsafe fn new(allocator: *mut aws_allocator, text: &[u8]) -> Result<NonNull<aws_string>> {
        let size = text.len().checked_add(HEAD + 1).ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        // SAFETY: the block holds the head, the text and the zero. It is never smaller than the
        // struct, so that a reference to the struct stays within it.
        unsafe {
            let block = aws_allocator::acquire(allocator, size.max(size_of::<aws_string>()))?;
            let made = block.cast::<aws_string>();
            (&raw mut (*made.as_ptr()).allocator).write(allocator);
            (&raw mut (*made.as_ptr()).len).write(text.len());
            let to = block.as_ptr().cast::<u8>().add(HEAD);
            ptr::copy_nonoverlapping(text.as_ptr(), to, text.len());
            to.add(text.len()).write(0);
            Ok(made)
        }
    }

    /// The bytes; `None` for NULL.
    ///
    /// # Safety
    /// `this` is NULL or a live string for `'a`.
    pub unsafe fn text<'a>(this: *const aws_string) -> Option<&'a [u8]> {
        if this.is_null() {
            return None;
        }
        // SAFETY: by the contract; the bytes follow the head in the same block.
        unsafe {
            let len = (&raw const (*this).len).read();
            if len > isize::MAX as usize {
                return None;
            }
            Some(slice::from_raw_parts(this.cast::<u8>().add(HEAD), len))
        }
    }

    /// The text as a C string: it ends with a zero (and ends earlier for C where it holds one).
    ///
    /// # Safety
    /// `this` is a live string.
    pub unsafe fn c_str(this: *const aws_string) -> *const std::ffi::c_char {
        // SAFETY: by the contract.
        unsafe { this.cast::<std::ffi::c_char>().add(HEAD) }
    }

    /// A view of the text; empty for NULL.
    ///
    /// # Safety
    /// As for [`text`](Self::text).
    pub unsafe fn cursor(this: *const aws_string) -> aws_byte_cursor {
        // SAFETY: by the contract.
        unsafe { Self::text(this) }.map_or(aws_byte_cursor::EMPTY, aws_byte_cursor::of)
    }

    /// Frees it, unless it is NULL or static.
    ///
    /// # Safety
    /// Nobody uses the string any more.
    pub unsafe fn destroy(this: *mut aws_string) {
        // SAFETY: by the contract.
        unsafe {
            if !this.is_null() && !(*this).allocator.is_null() {
                aws_allocator::release((*this).allocator, this.cast());
            }
        }
    }

    /// Overwrites the text, then frees it.
    ///
    /// # Safety
    /// As for [`destroy`](Self::destroy); a static string must be writable.
    pub unsafe fn destroy_secure(this: *mut aws_string) {
        // SAFETY: by the contract.
        unsafe {
            if !this.is_null() {
                secure_zero(this.cast::<u8>().add(HEAD), (*this).len);
                Self::destroy(this);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::alloc::tests as counted;
    use super::*;

    #[test]
    fn new_string_ends_with_a_zero() {
        let a = counted::counting(9);
        // SAFETY: strings are destroyed once.
        unsafe {
            for text in [&b""[..], b"a", b"seven77", b"a\0b"] {
                let s = aws_string::new(a, text).expect("memory").as_ptr();
                assert_eq!(aws_string::text(s), Some(text));
                assert_eq!(*aws_string::c_str(s).add(text.len()), 0);
                assert_eq!(aws_string::cursor(s).len, text.len());
                aws_string::destroy_secure(s);
            }
            aws_string::destroy(ptr::null_mut());
            assert!(aws_string::text(ptr::null()).is_none());
            assert!(aws_string::new(ptr::null_mut(), b"x").is_err());
        }
        assert_eq!(counted::LIVE.get(), 0);
    }

    #[test]
    fn static_string_is_never_freed() {
        let s = aws_string { allocator: ptr::null_mut(), len: 0, bytes: [0] };
        // SAFETY: a string without allocator is left alone.
        unsafe { aws_string::destroy((&raw const s).cast_mut()) };
        assert_eq!(s.len, 0);
    }
}
