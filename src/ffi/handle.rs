//! Which C pointer is what: a Box, a counted Arc, or borrowed, as a fact of the type. A pointer of
//! one kind cannot be freed as another, because the function for it does not exist.
//!
//! ```text
//! pub struct aws_x { _private: [u8; 0] }                // opaque in C
//! unsafe impl Handle for aws_x { type Rust = X; type Owner = Counted; }
//! let p: *mut aws_x = handle::give(Arc::new(x));        // one reference goes to C
//! handle::acquire(p); handle::release(p);               // *_acquire and *_release
//! let x: &X = match handle::view(p) { Some(x) => x, None => return fail(INVALID_ARGUMENT) };
//! ```
//!
//! A C type with public fields that C reads is the `Rust` type itself (or its first field), so the
//! same pointer serves both.

use std::ffi::c_void;
use std::sync::Arc;

/// One owner: `*_new` to `*_destroy`.
pub enum Owned {}
/// Many owners: `*_acquire` and `*_release`.
pub enum Counted {}
/// Lives inside something else; C never frees it.
pub enum Borrowed {}

/// A C type that stands for a Rust type.
///
/// # Safety
/// Every pointer to `Self` that C holds came from this module with the same `Rust` and `Owner`.
pub unsafe trait Handle {
    type Rust;
    type Owner;
}

/// Hands a value to C, which gives it back with [`take`].
pub fn own<H: Handle<Owner = Owned>>(value: H::Rust) -> *mut H {
    Box::into_raw(Box::new(value)).cast()
}

/// Takes a value back from C; NULL gives `None`.
///
/// # Safety
/// `p` is NULL, or came from [`own`] and was not taken before.
pub unsafe fn take<H: Handle<Owner = Owned>>(p: *mut H) -> Option<Box<H::Rust>> {
    if p.is_null() {
        return None;
    }
    // SAFETY: by the contract the pointer is a Box of this type, given up by C now.
    Some(unsafe { Box::from_raw(p.cast()) })
}

/// Hands one reference to C.
pub fn give<H: Handle<Owner = Counted>>(value: Arc<H::Rust>) -> *mut H {
    Arc::into_raw(value).cast_mut().cast()
}

/// A reference of our own beside C's; NULL gives `None`.
///
/// # Safety
/// `p` is NULL, or C holds a reference to it now.
pub unsafe fn share<H: Handle<Owner = Counted>>(p: *const H) -> Option<Arc<H::Rust>> {
    if p.is_null() {
        return None;
    }
    let raw: *const H::Rust = p.cast();
    // SAFETY: C's reference keeps the count above zero during both calls.
    unsafe {
        Arc::increment_strong_count(raw);
        Some(Arc::from_raw(raw))
    }
}

/// One more reference for C; returns its argument, NULL included.
///
/// # Safety
/// As for [`share`].
pub unsafe fn acquire<H: Handle<Owner = Counted>>(p: *mut H) -> *mut H {
    if !p.is_null() {
        // SAFETY: C's reference keeps the count above zero.
        unsafe { Arc::increment_strong_count(p.cast::<H::Rust>().cast_const()) };
    }
    p
}

/// Gives one of C's references back and returns NULL, as the C interface does.
///
/// # Safety
/// `p` is NULL, or C gives up one of its references now.
pub unsafe fn release<H: Handle<Owner = Counted>>(p: *mut H) -> *mut H {
    if !p.is_null() {
        // SAFETY: by the contract this reference is C's to give up.
        drop(unsafe { Arc::from_raw(p.cast::<H::Rust>().cast_const()) });
    }
    std::ptr::null_mut()
}

/// C's pointer to something that lives elsewhere.
pub fn lend<H: Handle<Owner = Borrowed>>(value: &H::Rust) -> *mut H {
    (value as *const H::Rust).cast_mut().cast()
}

/// The value behind a handle of any kind; NULL gives `None`.
///
/// # Safety
/// `p` is NULL or a live handle, and stays one for `'a`.
pub unsafe fn view<'a, H: Handle>(p: *const H) -> Option<&'a H::Rust>
where
    H::Rust: 'a,
{
    // SAFETY: by the contract.
    unsafe { p.cast::<H::Rust>().as_ref() }
}

/// Exclusive access; only a single owner can grant it.
///
/// # Safety
/// As for [`view`], and nobody else touches the value for `'a`.
pub unsafe fn view_mut<'a, H: Handle<Owner = Owned>>(p: *mut H) -> Option<&'a mut H::Rust>
where
    H::Rust: 'a,
{
    // SAFETY: by the contract.
    unsafe { p.cast::<H::Rust>().as_mut() }
}

/// A caller's bytes. `len == 0` ignores the pointer; NULL with a length, or a length no object can
/// have, gives `None`.
///
/// # Safety
/// `p` points to `len` readable bytes for `'a`, unless `len` is 0.
pub unsafe fn bytes<'a>(p: *const u8, len: usize) -> Option<&'a [u8]> {
    if len == 0 {
        return Some(&[]);
    }
    if p.is_null() || len > isize::MAX as usize {
        return None;
    }
    // SAFETY: by the contract, and the length was checked.
    Some(unsafe { std::slice::from_raw_parts(p, len) })
}

/// A caller's `user_data`: carried to the thread that calls back, never looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UserData(pub *mut c_void);

// SAFETY: we only carry the pointer; what it means, and on which threads, is the caller's affair.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

#[cfg(test)]
mod tests {
    use super::*;

    struct c_counted {
        _private: [u8; 0],
    }
    // SAFETY: only the tests below make pointers of it.
    unsafe impl Handle for c_counted {
        type Rust = String;
        type Owner = Counted;
    }
    struct c_owned {
        _private: [u8; 0],
    }
    // SAFETY: only the tests below make pointers of it.
    unsafe impl Handle for c_owned {
        type Rust = Vec<u8>;
        type Owner = Owned;
    }

    #[test]
    fn counted_handle_lives_until_its_last_release() {
        let value = Arc::new(String::from("x"));
        let weak = Arc::downgrade(&value);
        let p: *mut c_counted = give(value);
        // SAFETY: the references below are counted one by one.
        unsafe {
            assert_eq!(acquire(p), p);
            assert_eq!(view(p).map(String::as_str), Some("x"));
            assert_eq!(share(p).as_deref().map(String::as_str), Some("x"));
            assert!(release(p).is_null());
            assert_eq!(weak.strong_count(), 1);
            release(p);
        }
        assert_eq!(weak.strong_count(), 0);
    }

    #[test]
    fn owned_handle_comes_back_whole() {
        let p: *mut c_owned = own(vec![1, 2]);
        // SAFETY: the pointer is taken once.
        let back = unsafe {
            view_mut(p).expect("not null").push(3);
            take(p)
        };
        assert_eq!(back.as_deref(), Some(&vec![1, 2, 3]));
    }

    #[test]
    fn null_handle_is_none_everywhere() {
        let p: *mut c_counted = std::ptr::null_mut();
        // SAFETY: NULL is allowed.
        unsafe {
            assert!(view(p).is_none());
            assert!(share(p).is_none());
            assert!(acquire(p).is_null());
            assert!(release(p).is_null());
            assert!(take::<c_owned>(std::ptr::null_mut()).is_none());
        }
    }

    #[test]
    fn bytes_of_length_zero_ignore_the_pointer() {
        // SAFETY: lengths are 0, absurd, or that of a live array.
        unsafe {
            assert_eq!(bytes(std::ptr::null(), 0), Some(&[][..]));
            assert_eq!(bytes(std::ptr::dangling(), 0), Some(&[][..]));
            assert_eq!(bytes(std::ptr::null(), 1), None);
            assert_eq!(bytes(std::ptr::dangling(), usize::MAX), None);
            assert_eq!(bytes([1, 2].as_ptr(), 2), Some(&[1, 2][..]));
        }
    }
}
