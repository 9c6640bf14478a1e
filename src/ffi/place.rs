//! Handles and bytes that live in memory of the caller's allocator.
//!
//! A [`Placed<T>`] is what an opaque C handle points to: a tag word, the allocator it came from, a
//! count of references and the value. The tag tells a handle of ours from a stranger's, such as one
//! of a genuine AWS library in the same process: that one is refused, not looked into. Its first
//! word is read and nothing else, and every C object of that family is at least one word long.
//!
//! ```text
//! unsafe impl Tagged for Headers { type C = aws_http_headers; const NAME: .. }
//! let p: *mut aws_http_headers = Placed::make(allocator, headers)?;      // one reference
//! Placed::<Headers>::view(p)?   Placed::acquire(p)   if let Some(h) = Placed::release(p) { .. }
//! ```

use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_byte_cursor, aws_ref_count};
use crate::ffi::handle;
use crate::log;

/// A Rust value behind an opaque C type.
///
/// # Safety
/// Pointers to `C` that this library gives out come from [`Placed::make`] of this type only.
pub unsafe trait Tagged: Sized {
    /// The C type.
    type C;
    /// Its name, for log lines.
    const NAME: &'static str;
    /// Eight bytes that no other type has.
    const TAG: u64;
}

/// A counted value in the caller's memory.
#[repr(C)]
pub struct Placed<T> {
    tag: u64,
    allocator: *mut aws_allocator,
    count: AtomicUsize,
    value: T,
}

/// Its address makes the tags of two copies of this library differ.
static ANCHOR: u8 = 0;

/// The tag word of a type's handles.
pub fn tag<T: Tagged>() -> u64 {
    mark(T::TAG)
}

/// A tag word of this copy of the library, for handles that are not [`Placed`].
pub fn mark(tag: u64) -> u64 {
    tag ^ (&raw const ANCHOR).addr() as u64
}

/// Says why a handle is not looked into.
#[cold]
pub fn refuse(name: &str, at: usize) {
    log!(
        CommonGeneral,
        Error,
        at,
        "this is no {name} of libs3fast: it was freed before, or another AWS library made it; \
         handles of two libraries must not be mixed"
    );
}

impl<T: Tagged> Placed<T> {
    /// A new handle with one reference.
    ///
    /// # Safety
    /// `allocator` is NULL or live, and outlives the handle.
    pub unsafe fn make(allocator: *mut aws_allocator, value: T) -> Result<*mut T::C> {
        // SAFETY: by the contract.
        let made = unsafe { aws_allocator::acquire(allocator, size_of::<Self>())?.cast::<Self>() };
        if !made.is_aligned() {
            // SAFETY: the block came from this allocator.
            unsafe { aws_allocator::release(allocator, made.as_ptr().cast()) };
            return Err(Error::new(Code::INVALID_ARGUMENT));
        }
        // SAFETY: the block is fresh, aligned and large enough.
        unsafe {
            made.write(Placed { tag: tag::<T>(), allocator, count: AtomicUsize::new(1), value });
        }
        Ok(made.as_ptr().cast())
    }

    /// The whole behind a handle; NULL and strangers give `None`.
    ///
    /// # Safety
    /// `p` is NULL, a live handle for `'a`, or a stranger's live object.
    unsafe fn whole<'a>(p: *const T::C) -> Option<&'a Self> {
        let at = p.cast::<Self>();
        if at.is_null() {
            return None;
        }
        if !at.is_aligned()
            // SAFETY: by the contract the first word can be read.
            || unsafe { at.cast::<u64>().read() } != tag::<T>()
        {
            refuse(T::NAME, p.addr());
            return None;
        }
        // SAFETY: the tag says that the handle is ours; by the contract it is live.
        Some(unsafe { &*at })
    }

    /// The value behind a handle; NULL and strangers are AWS_ERROR_INVALID_ARGUMENT.
    ///
    /// # Safety
    /// `p` is NULL, a live handle for `'a`, or a stranger's live object.
    pub unsafe fn view<'a>(p: *const T::C) -> Result<&'a T>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        match unsafe { Self::whole(p) } {
            Some(whole) => Ok(&whole.value),
            None => Err(Error::new(Code::INVALID_ARGUMENT)),
        }
    }

    /// Exclusive access.
    ///
    /// # Safety
    /// As for [`view`](Self::view), and nobody else uses the value for `'a`.
    pub unsafe fn view_mut<'a>(p: *mut T::C) -> Result<&'a mut T>
    where
        T: 'a,
    {
        // SAFETY: by the contract.
        unsafe {
            Self::view(p)?;
            Ok(&mut (*p.cast::<Self>()).value)
        }
    }

    /// The allocator a live handle came from.
    ///
    /// # Safety
    /// As for [`view`](Self::view).
    pub unsafe fn allocator(p: *const T::C) -> Result<*mut aws_allocator> {
        // SAFETY: by the contract.
        unsafe { Self::whole(p) }.map(|w| w.allocator).ok_or(Error::new(Code::INVALID_ARGUMENT))
    }

    /// One more reference; false for NULL and strangers.
    ///
    /// # Safety
    /// As for [`view`](Self::view).
    pub unsafe fn acquire(p: *const T::C) -> bool {
        // SAFETY: by the contract.
        let Some(whole) = (unsafe { Self::whole(p) }) else { return false };
        // As for Arc: a reference can only be made from a live one, which orders everything.
        whole.count.fetch_add(1, Ordering::Relaxed);
        true
    }

    /// One reference less. The last one gives the memory back and returns the value.
    ///
    /// # Safety
    /// As for [`view`](Self::view); the caller gives its reference up.
    pub unsafe fn release(p: *const T::C) -> Option<T> {
        // SAFETY: by the contract; after the last reference nobody else uses the block.
        unsafe { Self::forgo(p).then(|| Self::free(p)) }
    }

    /// One reference less, true for the last; the memory stays until [`free`](Self::free).
    ///
    /// # Safety
    /// As for [`release`](Self::release).
    pub unsafe fn forgo(p: *const T::C) -> bool {
        // SAFETY: by the contract.
        let Some(whole) = (unsafe { Self::whole(p) }) else { return false };
        if whole.count.fetch_sub(1, Ordering::Release) != 1 {
            return false;
        }
        fence(Ordering::Acquire);
        true
    }

    /// Gives the memory back and returns the value.
    ///
    /// # Safety
    /// `p` is a live handle whose last reference was given up by [`forgo`](Self::forgo); called once.
    pub unsafe fn free(p: *const T::C) -> T {
        let at = p.cast_mut().cast::<Self>();
        // SAFETY: the last reference is gone, so nobody else uses the block; the value moves out
        // before the block goes back. The tag is wiped so that a late use is noticed.
        unsafe {
            let allocator = (*at).allocator;
            let value = std::ptr::read(&raw const (*at).value);
            (&raw mut (*at).tag).write_volatile(0);
            aws_allocator::release(allocator, at.cast());
            value
        }
    }
}

/// Bytes in the caller's memory, wiped before they go back when they are secret.
pub struct Bytes {
    allocator: *mut aws_allocator,
    at: NonNull<u8>,
    len: usize,
    secret: bool,
}

// SAFETY: the bytes never change after they are made, and an allocator may be called on any thread.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl Bytes {
    /// A copy of the parts, one behind the other.
    ///
    /// # Safety
    /// `allocator` is NULL or live, and outlives the bytes.
    pub unsafe fn join(allocator: *mut aws_allocator, parts: &[&[u8]]) -> Result<Bytes> {
        let len = parts
            .iter()
            .try_fold(0usize, |sum, p| sum.checked_add(p.len()))
            .ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        // One byte for nothing: an allocator may refuse a size of zero.
        // SAFETY: by the contract.
        let at = unsafe { aws_allocator::acquire(allocator, len.max(1))?.cast::<u8>() };
        let mut end = 0;
        for part in parts {
            // SAFETY: the block holds the sum of the parts' lengths.
            unsafe {
                at.add(end).copy_from_nonoverlapping(NonNull::from(*part).cast(), part.len())
            };
            end += part.len();
        }
        Ok(Bytes { allocator, at, len, secret: false })
    }

    /// A copy.
    ///
    /// # Safety
    /// As for [`join`](Self::join).
    pub unsafe fn copy(allocator: *mut aws_allocator, bytes: &[u8]) -> Result<Bytes> {
        // SAFETY: by the contract.
        unsafe { Self::join(allocator, &[bytes]) }
    }

    /// A copy that is wiped at its end.
    ///
    /// # Safety
    /// As for [`join`](Self::join).
    pub unsafe fn secret(allocator: *mut aws_allocator, bytes: &[u8]) -> Result<Bytes> {
        // SAFETY: by the contract.
        let mut made = unsafe { Self::copy(allocator, bytes)? };
        made.secret = true;
        Ok(made)
    }

    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the block is live and holds `len` bytes, written by `join`.
        unsafe { std::slice::from_raw_parts(self.at.as_ptr(), self.len) }
    }

    pub fn as_ptr(&self) -> *mut u8 {
        self.at.as_ptr()
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        if self.secret {
            for i in 0..self.len {
                // SAFETY: inside the block. Volatile, so that the wiping stays.
                unsafe { self.at.add(i).write_volatile(0) };
            }
        }
        // SAFETY: the block came from this allocator and is not used any more.
        unsafe { aws_allocator::release(self.allocator, self.at.as_ptr().cast()) };
    }
}

/// The bytes of a caller's cursor; a length without a pointer is AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// The cursor's bytes are readable for `'a`.
pub unsafe fn bytes_of<'a>(cursor: aws_byte_cursor) -> Result<&'a [u8]> {
    // SAFETY: by the contract.
    unsafe { handle::bytes(cursor.ptr, cursor.len) }.ok_or(Error::new(Code::INVALID_ARGUMENT))
}

/// A cursor over bytes of ours; C must not write through it. Empty: NULL and 0.
pub const fn cursor_of(bytes: &[u8]) -> aws_byte_cursor {
    let ptr = if bytes.is_empty() { std::ptr::null() } else { bytes.as_ptr() };
    aws_byte_cursor { len: bytes.len(), ptr: ptr.cast_mut() }
}

/// The number behind an enum that C handed over, whatever it is.
pub fn enum_value<E: Copy>(value: MaybeUninit<E>) -> i32 {
    const { assert!(size_of::<E>() == 4) };
    // SAFETY: four bytes that the caller wrote; every pattern is an integer.
    unsafe { std::mem::transmute_copy(&value) }
}

/// One more reference to an object with public `ref_count`.
///
/// # Safety
/// `count` points to the count of a live object.
pub unsafe fn ref_acquire(count: *const aws_ref_count) {
    // SAFETY: by the contract.
    let word = unsafe { crate::ctypes::aws_atomic_var::word(&raw const (*count).ref_count) };
    word.fetch_add(1, Ordering::Relaxed);
}

/// One reference less; the last one calls `on_zero_fn`.
///
/// # Safety
/// `count` points to the count of a live object; the caller gives its reference up.
pub unsafe fn ref_release(count: *const aws_ref_count) {
    // SAFETY: by the contract. The fields are read before the reference is given up.
    let (word, end, object) = unsafe {
        let word = crate::ctypes::aws_atomic_var::word(&raw const (*count).ref_count);
        (word, (*count).on_zero_fn, (*count).object)
    };
    if word.fetch_sub(1, Ordering::Release) == 1 {
        fence(Ordering::Acquire);
        if let Some(end) = end {
            // SAFETY: the object's own end, called once, with the object.
            unsafe { end(object) };
        }
    }
}

#[cfg(test)]
pub mod testing {
    //! An allocator that counts, and fails at the n-th call when told.

    use std::ffi::c_void;
    use std::sync::atomic::{AtomicIsize, Ordering};

    use crate::ctypes::aws_allocator;

    #[repr(C)]
    pub struct Counting {
        table: aws_allocator,
        /// Blocks that are out.
        pub live: AtomicIsize,
        /// Calls until one fails; negative: none does.
        pub fail_in: AtomicIsize,
    }

    impl Counting {
        pub fn new() -> Box<Counting> {
            Box::new(Counting {
                table: aws_allocator {
                    mem_acquire: Some(acquire),
                    mem_release: Some(release),
                    mem_realloc: None,
                    mem_calloc: None,
                    r#impl: std::ptr::null_mut(),
                },
                live: AtomicIsize::new(0),
                fail_in: AtomicIsize::new(-1),
            })
        }
        pub fn get(&self) -> *mut aws_allocator {
            (&raw const *self).cast_mut().cast()
        }
        pub fn live(&self) -> isize {
            self.live.load(Ordering::SeqCst)
        }
    }

    unsafe extern "C" fn acquire(this: *mut aws_allocator, size: usize) -> *mut c_void {
        // SAFETY: the allocator is the first field of a Counting.
        let this = unsafe { &*this.cast::<Counting>() };
        let left = this.fail_in.load(Ordering::SeqCst);
        if left >= 0 {
            this.fail_in.store(left - 1, Ordering::SeqCst);
            if left == 0 {
                return std::ptr::null_mut();
            }
        }
        this.live.fetch_add(1, Ordering::SeqCst);
        // SAFETY: malloc takes any size.
        unsafe { libc::malloc(size) }
    }

    unsafe extern "C" fn release(this: *mut aws_allocator, block: *mut c_void) {
        // SAFETY: as above.
        unsafe { &*this.cast::<Counting>() }.live.fetch_sub(1, Ordering::SeqCst);
        // SAFETY: the block came from malloc.
        unsafe { libc::free(block) }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::Counting;
    use super::*;

    struct c_thing {
        _private: [u8; 0],
    }
    struct Thing(Vec<u8>);
    // SAFETY: only the tests below make pointers of it.
    unsafe impl Tagged for Thing {
        type C = c_thing;
        const NAME: &'static str = "c_thing";
        const TAG: u64 = u64::from_le_bytes(*b"s3f.test");
    }

    #[test]
    fn handle_gives_its_memory_back_at_the_last_release() {
        let memory = Counting::new();
        // SAFETY: the references are counted one by one.
        unsafe {
            let p = Placed::make(memory.get(), Thing(vec![1])).expect("memory");
            assert!(Placed::<Thing>::acquire(p));
            assert_eq!(Placed::<Thing>::view(p).expect("ours").0, [1]);
            assert!(Placed::<Thing>::release(p).is_none());
            assert_eq!(memory.live(), 1);
            assert_eq!(Placed::<Thing>::release(p).expect("the last").0, [1]);
        }
        assert_eq!(memory.live(), 0);
    }

    #[test]
    fn stranger_and_null_are_refused() {
        let stranger = [0u64; 16];
        let p: *mut c_thing = stranger.as_ptr().cast_mut().cast();
        // SAFETY: a readable object, and NULL.
        unsafe {
            assert_eq!(
                Placed::<Thing>::view(p).err().map(|e| e.code),
                Some(Code::INVALID_ARGUMENT)
            );
            assert!(!Placed::<Thing>::acquire(p));
            assert!(Placed::<Thing>::release(p).is_none());
            assert!(Placed::<Thing>::view(std::ptr::null()).is_err());
        }
    }

    #[test]
    fn failed_allocation_is_an_error() {
        let memory = Counting::new();
        memory.fail_in.store(0, Ordering::SeqCst);
        // SAFETY: live allocator, and NULL.
        unsafe {
            let made = Placed::make(memory.get(), Thing(Vec::new()));
            assert_eq!(made.err().map(|e| e.code), Some(Code::OOM));
            let made = Placed::make(std::ptr::null_mut(), Thing(Vec::new()));
            assert_eq!(made.err().map(|e| e.code), Some(Code::INVALID_ARGUMENT));
            let empty = Bytes::copy(memory.get(), &[]).expect("memory");
            assert_eq!(empty.as_slice(), b"");
            let joined = Bytes::join(memory.get(), &[b"ab", b"", b"c"]).expect("memory");
            assert_eq!(joined.as_slice(), b"abc");
        }
        assert_eq!(memory.live(), 0);
    }
}
