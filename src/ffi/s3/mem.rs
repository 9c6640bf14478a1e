//! Values of ours in memory of the caller's allocator, and C's small types as Rust slices.

use std::ptr::NonNull;
use std::sync::atomic::{Ordering, fence};

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_byte_cursor, aws_ref_count, aws_string};

/// Moves a value into memory of `allocator`.
///
/// # Safety
/// `allocator` is NULL or a live allocator that outlives the value.
pub unsafe fn put<T>(allocator: *mut aws_allocator, value: T) -> Result<NonNull<T>> {
    // SAFETY: by the contract; allocators give memory aligned for any C type.
    unsafe {
        let place = aws_allocator::acquire(allocator, size_of::<T>())?.cast::<T>();
        place.write(value);
        Ok(place)
    }
}

/// Moves a value out of such memory and gives the memory back.
///
/// # Safety
/// `place` came from [`put`] with the same allocator and is not used any more.
pub unsafe fn take<T>(allocator: *mut aws_allocator, place: NonNull<T>) -> T {
    // SAFETY: by the contract.
    unsafe {
        let value = place.read();
        aws_allocator::release(allocator, place.as_ptr().cast());
        value
    }
}

/// A C string object with these bytes.
///
/// # Safety
/// `allocator` is NULL or a live allocator.
pub unsafe fn new_string(allocator: *mut aws_allocator, bytes: &[u8]) -> Result<*mut aws_string> {
    let head = std::mem::offset_of!(aws_string, bytes);
    let size = head + bytes.len() + 1;
    // SAFETY: the block holds the head, the bytes and the zero behind them.
    unsafe {
        let s = aws_allocator::acquire(allocator, size.max(size_of::<aws_string>()))?;
        let s = s.cast::<aws_string>().as_ptr();
        (&raw mut (*s).allocator).write(allocator);
        (&raw mut (*s).len).write(bytes.len());
        let to = (&raw mut (*s).bytes).cast::<u8>();
        to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        to.add(bytes.len()).write(0);
        Ok(s)
    }
}

/// Gives a C string back; NULL and static strings are nothing.
///
/// # Safety
/// `s` is NULL or a live string nobody uses any more.
pub unsafe fn free_string(s: *const aws_string) {
    // SAFETY: by the contract.
    if let Some(allocator) = unsafe { s.as_ref() }.map(|s| s.allocator)
        && !allocator.is_null()
    {
        // SAFETY: the string came from this allocator.
        unsafe { aws_allocator::release(allocator, s.cast_mut().cast()) };
    }
}

/// The bytes of a C string; NULL gives none.
///
/// # Safety
/// `s` is NULL or a live string for `'a`.
pub unsafe fn string_bytes<'a>(s: *const aws_string) -> &'a [u8] {
    if s.is_null() {
        return &[];
    }
    // SAFETY: by the contract; `len` bytes follow the head in the same block.
    unsafe { std::slice::from_raw_parts((&raw const (*s).bytes).cast(), (*s).len) }
}

/// The bytes a caller's cursor shows.
///
/// # Safety
/// The cursor shows readable bytes for `'a`.
pub unsafe fn cursor_bytes<'a>(cursor: aws_byte_cursor) -> Result<&'a [u8]> {
    // SAFETY: by the contract.
    unsafe { crate::ffi::handle::bytes(cursor.ptr, cursor.len) }
        .ok_or(Error::new(Code::INVALID_ARGUMENT))
}

/// A cursor over bytes of ours. C sees them as writable but must not write.
pub fn cursor_over(bytes: &[u8]) -> aws_byte_cursor {
    aws_byte_cursor { len: bytes.len(), ptr: bytes.as_ptr().cast_mut() }
}

/// One more reference.
///
/// # Safety
/// The counter is live and above zero.
pub unsafe fn acquire_ref(count: *const aws_ref_count) {
    // SAFETY: by the contract.
    unsafe { crate::ctypes::aws_atomic_var::word(&raw const (*count).ref_count) }
        .fetch_add(1, Ordering::Relaxed);
}

/// One reference less; the last one calls the counter's function.
///
/// # Safety
/// The counter is live; the caller gives up one of its references.
pub unsafe fn release_ref(count: *mut aws_ref_count) {
    // SAFETY: by the contract. After the decrement the counter is touched only by the last owner.
    unsafe {
        let word = crate::ctypes::aws_atomic_var::word(&raw const (*count).ref_count);
        let before = word.fetch_sub(1, Ordering::Release);
        if before == 1 {
            fence(Ordering::Acquire);
            if let Some(on_zero) = (*count).on_zero_fn {
                on_zero((*count).object);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::{aws_atomic_var, default_allocator};

    #[test]
    fn string_has_its_bytes_and_a_zero_behind_them() {
        for text in [&b""[..], b"x", b"a longer text"] {
            // SAFETY: the default allocator lives for ever; the string is freed once.
            unsafe {
                let s = new_string(default_allocator(), text).expect("memory");
                assert_eq!(string_bytes(s), text);
                assert_eq!(*(&raw const (*s).bytes).cast::<u8>().add(text.len()), 0);
                free_string(s);
            }
        }
    }

    #[test]
    fn last_release_calls_the_function_once() {
        unsafe extern "C" fn note(object: *mut std::ffi::c_void) {
            // SAFETY: the object is the cell below.
            unsafe { *object.cast::<u32>() += 1 };
        }
        let mut calls = 0_u32;
        let mut count = aws_ref_count {
            ref_count: aws_atomic_var::new(1),
            object: (&raw mut calls).cast(),
            on_zero_fn: Some(note),
        };
        // SAFETY: two references are taken and given up.
        unsafe {
            acquire_ref(&count);
            release_ref(&mut count);
            assert_eq!(calls, 0);
            release_ref(&mut count);
        }
        assert_eq!(calls, 1);
    }
}
