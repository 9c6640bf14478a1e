//! The caller's allocator, and the two that the library brings: plain and aligned.
//!
//! A failed allocation is an error for the caller to pass on; nothing here aborts. A size of zero
//! is refused, because what `malloc(0)` gives differs between systems.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};

use crate::base::{Code, Error, Result};

/// A table of memory functions; everything that C may free or grow comes from one.
///
/// `mem_acquire` and `mem_release` are required. `mem_realloc` and `mem_calloc` may be NULL; they
/// are then made of the others. The functions may be called on any thread, by several at once.
#[repr(C)]
pub struct aws_allocator {
    /// Gives `size` bytes, or NULL.
    pub mem_acquire:
        Option<unsafe extern "C" fn(allocator: *mut aws_allocator, size: usize) -> *mut c_void>,
    /// Takes back what `mem_acquire` gave.
    pub mem_release: Option<unsafe extern "C" fn(allocator: *mut aws_allocator, ptr: *mut c_void)>,
    /// Optional: grows or shrinks a block, which may move.
    pub mem_realloc: Option<
        unsafe extern "C" fn(
            allocator: *mut aws_allocator,
            oldptr: *mut c_void,
            oldsize: usize,
            newsize: usize,
        ) -> *mut c_void,
    >,
    /// Optional: gives zeroed memory.
    pub mem_calloc: Option<
        unsafe extern "C" fn(allocator: *mut aws_allocator, num: usize, size: usize) -> *mut c_void,
    >,
    /// Whatever the allocator needs for itself.
    pub r#impl: *mut c_void,
}

impl aws_allocator {
    /// `size` bytes, not zeroed.
    ///
    /// # Safety
    /// `this` is NULL or a live allocator.
    pub unsafe fn acquire(this: *mut aws_allocator, size: usize) -> Result<NonNull<c_void>> {
        // SAFETY: by the contract.
        let get = unsafe { this.as_ref() }.and_then(|a| a.mem_acquire);
        match get {
            Some(get) if size != 0 => {
                // SAFETY: the function is the allocator's own.
                NonNull::new(unsafe { get(this, size) }).ok_or(Error::new(Code::OOM))
            }
            _ => Err(Code::INVALID_ARGUMENT.into()),
        }
    }

    /// `num * size` zeroed bytes.
    ///
    /// # Safety
    /// As for [`acquire`](Self::acquire).
    pub unsafe fn calloc(
        this: *mut aws_allocator,
        num: usize,
        size: usize,
    ) -> Result<NonNull<c_void>> {
        let total = num.checked_mul(size).ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        // SAFETY: by the contract.
        let zeroed = unsafe { this.as_ref() }.and_then(|a| a.mem_calloc);
        if total == 0 {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        if let Some(zeroed) = zeroed {
            // SAFETY: the function is the allocator's own.
            return NonNull::new(unsafe { zeroed(this, num, size) }).ok_or(Error::new(Code::OOM));
        }
        // SAFETY: by the contract; the block has `total` bytes.
        unsafe {
            let block = Self::acquire(this, total)?;
            ptr::write_bytes(block.as_ptr().cast::<u8>(), 0, total);
            Ok(block)
        }
    }

    /// Gives a block back; NULL is nothing.
    ///
    /// # Safety
    /// `block` is NULL or came from `this` and is not used any more.
    pub unsafe fn release(this: *mut aws_allocator, block: *mut c_void) {
        // SAFETY: by the contract.
        let give = unsafe { this.as_ref() }.and_then(|a| a.mem_release);
        if let (Some(give), false) = (give, block.is_null()) {
            // SAFETY: by the contract.
            unsafe { give(this, block) };
        }
    }

    /// Makes a block of `old` bytes one of `new` bytes; `block` NULL is a fresh one. The block stays
    /// as it is when this fails.
    ///
    /// # Safety
    /// `block` is NULL or came from `this` with `old` bytes.
    pub unsafe fn realloc(
        this: *mut aws_allocator,
        block: *mut c_void,
        old: usize,
        new: usize,
    ) -> Result<*mut c_void> {
        if new == 0 {
            // SAFETY: by the contract.
            unsafe { Self::release(this, block) };
            return Ok(ptr::null_mut());
        }
        // SAFETY: by the contract.
        let resize = unsafe { this.as_ref() }.and_then(|a| a.mem_realloc);
        if let Some(resize) = resize {
            // SAFETY: the function is the allocator's own, the block came from it.
            let moved = unsafe { resize(this, block, old, new) };
            return if moved.is_null() { Err(Code::OOM.into()) } else { Ok(moved) };
        }
        if !block.is_null() && old >= new {
            return Ok(block);
        }
        // SAFETY: both blocks hold the bytes copied; the old one is given up.
        unsafe {
            let fresh = Self::acquire(this, new)?.as_ptr();
            let kept = if block.is_null() { 0 } else { old };
            ptr::copy_nonoverlapping(block.cast::<u8>(), fresh.cast(), kept);
            ptr::write_bytes(fresh.cast::<u8>().add(kept), 0, new - kept);
            Self::release(this, block);
            Ok(fresh)
        }
    }

    /// Zeroed memory for one `T`, to be given back with [`release`](Self::release).
    ///
    /// # Safety
    /// As for [`acquire`](Self::acquire).
    pub unsafe fn object<T>(this: *mut aws_allocator) -> Result<NonNull<T>> {
        // SAFETY: by the contract.
        unsafe { Ok(Self::calloc(this, 1, size_of::<T>())?.cast()) }
    }
}

/// An allocator of ours, at a fixed address, writable as C may expect it to be.
struct Fixed(UnsafeCell<aws_allocator>);

// SAFETY: we never write to it; its functions may be called on any thread.
unsafe impl Sync for Fixed {}

static PLAIN: Fixed = Fixed(UnsafeCell::new(aws_allocator {
    mem_acquire: Some(plain_acquire),
    mem_release: Some(plain_release),
    mem_realloc: Some(plain_realloc),
    mem_calloc: Some(plain_calloc),
    r#impl: ptr::null_mut(),
}));

static ALIGNED: Fixed = Fixed(UnsafeCell::new(aws_allocator {
    mem_acquire: Some(aligned_acquire),
    mem_release: Some(plain_release),
    mem_realloc: Some(aligned_realloc),
    mem_calloc: Some(aligned_calloc),
    r#impl: ptr::null_mut(),
}));

/// The allocator over the system's malloc.
pub fn default_allocator() -> *mut aws_allocator {
    PLAIN.0.get()
}

/// Like the default, but blocks above a page start on a cache line.
pub fn aligned_allocator() -> *mut aws_allocator {
    ALIGNED.0.get()
}

/// An allocator whose every block starts at a multiple of `alignment`.
pub fn new_aligned_allocator(alignment: usize) -> Result<NonNull<aws_allocator>> {
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
        return Err(Code::INVALID_ARGUMENT.into());
    }
    // SAFETY: the default allocator is always live, and the fresh block holds one allocator.
    unsafe {
        let made = aws_allocator::object::<aws_allocator>(default_allocator())?;
        made.write(aws_allocator {
            mem_acquire: Some(aligned_acquire),
            mem_release: Some(plain_release),
            mem_realloc: Some(aligned_realloc),
            mem_calloc: Some(aligned_calloc),
            r#impl: ptr::without_provenance_mut(alignment),
        });
        Ok(made)
    }
}

unsafe extern "C" fn plain_acquire(_: *mut aws_allocator, size: usize) -> *mut c_void {
    // SAFETY: malloc takes any size.
    unsafe { libc::malloc(size) }
}

unsafe extern "C" fn plain_release(_: *mut aws_allocator, block: *mut c_void) {
    // SAFETY: the block came from malloc or posix_memalign.
    unsafe { libc::free(block) }
}

unsafe extern "C" fn plain_calloc(_: *mut aws_allocator, num: usize, size: usize) -> *mut c_void {
    // SAFETY: calloc takes any sizes.
    unsafe { libc::calloc(num, size) }
}

unsafe extern "C" fn plain_realloc(
    _: *mut aws_allocator,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    if !block.is_null() && new <= old {
        return block;
    }
    // SAFETY: the block came from malloc.
    unsafe { libc::realloc(block, new) }
}

unsafe extern "C" fn aligned_acquire(this: *mut aws_allocator, size: usize) -> *mut c_void {
    // SAFETY: called through a live allocator.
    let wanted = unsafe { (*this).r#impl }.addr();
    let alignment = match wanted {
        // Above a page it is a data buffer, where vector loads across cache lines cost.
        0 if size > PAGE => 64,
        0 => 16,
        _ => wanted,
    };
    let mut block = ptr::null_mut();
    // SAFETY: the alignment is a power of two and a multiple of the pointer size.
    match unsafe { libc::posix_memalign(&mut block, alignment, size) } {
        0 => block,
        _ => ptr::null_mut(),
    }
}

unsafe extern "C" fn aligned_calloc(
    this: *mut aws_allocator,
    num: usize,
    size: usize,
) -> *mut c_void {
    let Some(total) = num.checked_mul(size) else { return ptr::null_mut() };
    // SAFETY: called through a live allocator; the block holds `total` bytes.
    unsafe {
        let block = aligned_acquire(this, total);
        if !block.is_null() {
            ptr::write_bytes(block.cast::<u8>(), 0, total);
        }
        block
    }
}

unsafe extern "C" fn aligned_realloc(
    this: *mut aws_allocator,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    if !block.is_null() && new <= old {
        return block;
    }
    // SAFETY: called through a live allocator; `realloc` of libc would lose the alignment.
    unsafe {
        let fresh = aligned_acquire(this, new);
        if !fresh.is_null() && !block.is_null() {
            ptr::copy_nonoverlapping(block.cast::<u8>(), fresh.cast(), old);
            plain_release(this, block);
        }
        fresh
    }
}

const PAGE: usize = 4096;

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        /// How many blocks the counting allocator of this thread may still give.
        pub static BUDGET: Cell<usize> = const { Cell::new(usize::MAX) };
        pub static LIVE: Cell<isize> = const { Cell::new(0) };
    }

    unsafe extern "C" fn counted_acquire(_: *mut aws_allocator, size: usize) -> *mut c_void {
        let left = BUDGET.get();
        if left == 0 {
            return ptr::null_mut();
        }
        BUDGET.set(left - 1);
        LIVE.set(LIVE.get() + 1);
        // SAFETY: malloc takes any size.
        unsafe { libc::malloc(size) }
    }

    unsafe extern "C" fn counted_release(_: *mut aws_allocator, block: *mut c_void) {
        LIVE.set(LIVE.get() - 1);
        // SAFETY: the block came from malloc.
        unsafe { libc::free(block) }
    }

    static COUNTED: Fixed = Fixed(UnsafeCell::new(aws_allocator {
        mem_acquire: Some(counted_acquire),
        mem_release: Some(counted_release),
        mem_realloc: None,
        mem_calloc: None,
        r#impl: ptr::null_mut(),
    }));

    /// An allocator with the two required functions only, counting live blocks of this thread and
    /// giving at most `budget` of them.
    pub fn counting(budget: usize) -> *mut aws_allocator {
        BUDGET.set(budget);
        LIVE.set(0);
        COUNTED.0.get()
    }

    #[test]
    fn acquire_without_allocator_or_size_is_invalid() {
        // SAFETY: NULL and live allocators.
        unsafe {
            let none = aws_allocator::acquire(ptr::null_mut(), 1);
            assert_eq!(none, Err(Error::new(Code::INVALID_ARGUMENT)));
            let zero = aws_allocator::acquire(default_allocator(), 0);
            assert_eq!(zero, Err(Error::new(Code::INVALID_ARGUMENT)));
            let huge = aws_allocator::calloc(default_allocator(), usize::MAX, 2);
            assert_eq!(huge, Err(Error::new(Code::OVERFLOW_DETECTED)));
            let oom = aws_allocator::acquire(default_allocator(), isize::MAX as usize);
            assert_eq!(oom, Err(Error::new(Code::OOM)));
            aws_allocator::release(default_allocator(), ptr::null_mut());
        }
    }

    #[test]
    fn realloc_without_function_copies_and_zeroes() {
        let a = counting(2);
        // SAFETY: blocks are used within their sizes.
        unsafe {
            let block = aws_allocator::acquire(a, 4).expect("one block").as_ptr();
            ptr::copy_nonoverlapping(b"abcd".as_ptr(), block.cast(), 4);
            let same = aws_allocator::realloc(a, block, 4, 2).expect("shrinks in place");
            assert_eq!(same, block);
            let more = aws_allocator::realloc(a, block, 4, 8).expect("second block");
            assert_eq!(std::slice::from_raw_parts(more.cast::<u8>(), 8), b"abcd\0\0\0\0");
            let fail = aws_allocator::realloc(a, more, 8, 16);
            assert_eq!(fail, Err(Error::new(Code::OOM)));
            let gone = aws_allocator::realloc(a, more, 8, 0).expect("freed");
            assert!(gone.is_null());
        }
        assert_eq!(LIVE.get(), 0);
    }

    #[test]
    fn aligned_blocks_keep_their_alignment_when_grown() {
        let a = new_aligned_allocator(256).expect("a power of two").as_ptr();
        // SAFETY: blocks are released once.
        unsafe {
            let block = aws_allocator::acquire(a, 3).expect("memory").as_ptr();
            let more = aws_allocator::realloc(a, block, 3, 30_000).expect("memory");
            assert_eq!(more.addr() % 256, 0);
            aws_allocator::release(a, more);
            let zeroed = aws_allocator::calloc(a, 3, 5).expect("memory").as_ptr();
            assert_eq!(std::slice::from_raw_parts(zeroed.cast::<u8>(), 15), [0; 15]);
            aws_allocator::release(a, zeroed);
            aws_allocator::release(default_allocator(), a.cast());
            let big = aws_allocator::acquire(aligned_allocator(), 5000).expect("memory").as_ptr();
            assert_eq!(big.addr() % 64, 0);
            aws_allocator::release(aligned_allocator(), big);
        }
        assert!(new_aligned_allocator(0).is_err());
        assert!(new_aligned_allocator(12).is_err());
        assert!(new_aligned_allocator(4).is_err());
    }
}
