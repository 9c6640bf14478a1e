//! A growable buffer and a view into bytes.

use std::{ptr, slice};

use super::alloc::aws_allocator;
use crate::base::{Code, Error, Result};

/// Bytes `buffer[..len]` of a block of `capacity` bytes. `allocator` is NULL where the block is not
/// the buffer's own, which then can neither grow nor be freed through it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_byte_buf {
    /// Bytes in use.
    pub len: usize,
    pub buffer: *mut u8,
    /// Bytes the block holds.
    pub capacity: usize,
    /// Where the block came from, or NULL.
    pub allocator: *mut aws_allocator,
}

/// A view of `len` bytes at `ptr`, owned by somebody else. Not ended by a zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_byte_cursor {
    pub len: usize,
    pub ptr: *mut u8,
}

impl aws_byte_cursor {
    pub const EMPTY: aws_byte_cursor = aws_byte_cursor { len: 0, ptr: ptr::null_mut() };

    /// A view of `bytes`, which must outlive it.
    pub const fn of(bytes: &[u8]) -> aws_byte_cursor {
        aws_byte_cursor { len: bytes.len(), ptr: bytes.as_ptr().cast_mut() }
    }

    /// Whether the length can be that of something at the pointer.
    pub const fn is_valid(self) -> bool {
        self.len == 0 || (!self.ptr.is_null() && self.len <= isize::MAX as usize)
    }

    /// The bytes; `None` for NULL with a length, or a length that no object has.
    ///
    /// # Safety
    /// What the cursor shows stays alive and unchanged for `'a`.
    pub unsafe fn bytes<'a>(self) -> Option<&'a [u8]> {
        match self.len {
            0 => Some(&[]),
            // SAFETY: by the contract; pointer and length were checked.
            len if self.is_valid() => Some(unsafe { slice::from_raw_parts(self.ptr, len) }),
            _ => None,
        }
    }

    /// Splits the first `len` bytes off; an empty cursor when there are not so many.
    pub fn advance(&mut self, len: usize) -> aws_byte_cursor {
        if len > self.len || self.len > isize::MAX as usize {
            return aws_byte_cursor::EMPTY;
        }
        let front = aws_byte_cursor { len, ptr: self.ptr };
        if !self.ptr.is_null() {
            self.ptr = self.ptr.wrapping_add(len);
        }
        self.len -= len;
        front
    }
}

impl aws_byte_buf {
    pub const EMPTY: aws_byte_buf =
        aws_byte_buf { len: 0, buffer: ptr::null_mut(), capacity: 0, allocator: ptr::null_mut() };

    /// Whether the fields fit together.
    pub fn is_valid(&self) -> bool {
        if self.capacity == 0 {
            self.len == 0 && self.buffer.is_null()
        } else {
            self.len <= self.capacity
                && self.capacity <= isize::MAX as usize
                && !self.buffer.is_null()
        }
    }

    /// An empty buffer of its own with room for `capacity` bytes.
    ///
    /// # Safety
    /// `allocator` is NULL or live, and outlives the buffer.
    pub unsafe fn with_capacity(
        allocator: *mut aws_allocator,
        capacity: usize,
    ) -> Result<aws_byte_buf> {
        if allocator.is_null() {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        let mut buf = aws_byte_buf { allocator, ..aws_byte_buf::EMPTY };
        if capacity > 0 {
            // SAFETY: by the contract.
            buf.buffer = unsafe { aws_allocator::acquire(allocator, capacity)?.as_ptr().cast() };
            buf.capacity = capacity;
        }
        Ok(buf)
    }

    /// A buffer of its own with a copy of `bytes`.
    ///
    /// # Safety
    /// As for [`with_capacity`](Self::with_capacity).
    pub unsafe fn copy_of(allocator: *mut aws_allocator, bytes: &[u8]) -> Result<aws_byte_buf> {
        // SAFETY: by the contract; the block holds as many bytes as are copied.
        unsafe {
            let mut buf = Self::with_capacity(allocator, bytes.len())?;
            if !bytes.is_empty() {
                ptr::copy_nonoverlapping(bytes.as_ptr(), buf.buffer, bytes.len());
            }
            buf.len = bytes.len();
            Ok(buf)
        }
    }

    /// The bytes in use; `None` where the fields do not fit together.
    ///
    /// # Safety
    /// The block stays alive and unchanged for `'a`.
    pub unsafe fn bytes<'a>(&self) -> Option<&'a [u8]> {
        match self.len {
            0 => Some(&[]),
            // SAFETY: by the contract; the length lies within the block.
            len if self.is_valid() => Some(unsafe { slice::from_raw_parts(self.buffer, len) }),
            _ => None,
        }
    }

    /// Copies `bytes` behind what is there, if the block has room.
    ///
    /// # Safety
    /// The block is writable and does not overlap `bytes`.
    pub unsafe fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if !self.is_valid() {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        if self.capacity - self.len < bytes.len() {
            return Err(Code::DEST_COPY_TOO_SMALL.into());
        }
        if !bytes.is_empty() {
            // SAFETY: the room was checked.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), self.buffer.add(self.len), bytes.len());
            }
        }
        self.len += bytes.len();
        Ok(())
    }

    /// Copies `bytes` behind what is there and grows the block where needed: to twice its size at
    /// least, so that many small appends stay cheap. `bytes` may lie within the buffer itself.
    ///
    /// # Safety
    /// The allocator is live.
    pub unsafe fn append_dynamic(&mut self, bytes: &[u8]) -> Result<()> {
        if !self.is_valid() || self.allocator.is_null() {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        if self.capacity - self.len >= bytes.len() {
            if !bytes.is_empty() {
                // SAFETY: the room was checked; a source in the same block lies before its end.
                unsafe { ptr::copy(bytes.as_ptr(), self.buffer.add(self.len), bytes.len()) };
            }
            self.len += bytes.len();
            return Ok(());
        }
        let needed =
            self.len.checked_add(bytes.len()).ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        let wanted = needed.max(self.capacity.saturating_mul(2));
        // SAFETY: the new block holds both; the old one goes only after both were copied.
        unsafe {
            let (block, capacity) = match aws_allocator::acquire(self.allocator, wanted) {
                Ok(block) => (block, wanted),
                Err(_) if needed < wanted => {
                    (aws_allocator::acquire(self.allocator, needed)?, needed)
                }
                Err(error) => return Err(error),
            };
            let block = block.as_ptr().cast::<u8>();
            if self.len > 0 {
                ptr::copy_nonoverlapping(self.buffer, block, self.len);
            }
            ptr::copy_nonoverlapping(bytes.as_ptr(), block.add(self.len), bytes.len());
            aws_allocator::release(self.allocator, self.buffer.cast());
            self.buffer = block;
            self.capacity = capacity;
        }
        self.len = needed;
        Ok(())
    }

    /// Frees the block if it is the buffer's own, and empties the struct.
    ///
    /// # Safety
    /// Nobody uses the block any more.
    pub unsafe fn clean_up(&mut self) {
        if !self.allocator.is_null() {
            // SAFETY: the block came from the allocator.
            unsafe { aws_allocator::release(self.allocator, self.buffer.cast()) };
        }
        *self = aws_byte_buf::EMPTY;
    }

    /// Overwrites the whole block with zeros that no optimiser may leave out.
    ///
    /// # Safety
    /// The block is writable.
    pub unsafe fn secure_zero(&mut self) {
        if !self.buffer.is_null() {
            // SAFETY: the block has `capacity` bytes.
            unsafe { secure_zero(self.buffer, self.capacity) };
        }
        self.len = 0;
    }
}

/// Zeros that stay: for keys and the like.
///
/// # Safety
/// `len` bytes at `at` are writable.
pub unsafe fn secure_zero(at: *mut u8, len: usize) {
    // SAFETY: by the contract.
    unsafe { ptr::write_bytes(at, 0, len) };
    // SAFETY: an empty instruction that claims to read the memory keeps the writes alive.
    unsafe { std::arch::asm!("/* {0} */", in(reg) at, options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::super::alloc::{default_allocator, tests as counted};
    use super::*;

    #[test]
    fn cursor_advance_past_the_end_gives_nothing() {
        let mut c = aws_byte_cursor::of(b"abc");
        assert_eq!(c.advance(4).len, 0);
        assert_eq!(c.len, 3);
        assert_eq!(c.advance(2).len, 2);
        assert_eq!(c.len, 1);
        let mut hostile = aws_byte_cursor { len: usize::MAX, ptr: ptr::dangling_mut() };
        assert!(hostile.advance(1).ptr.is_null());
        // SAFETY: a length that no object has is refused before any access.
        assert!(unsafe { hostile.bytes() }.is_none());
        assert!(!hostile.is_valid());
    }

    #[test]
    fn append_dynamic_doubles_and_survives_its_own_bytes() {
        // SAFETY: the buffer is used by this test alone.
        unsafe {
            let mut buf = aws_byte_buf::copy_of(default_allocator(), b"0123456789").expect("fits");
            let own = buf.bytes().expect("valid");
            buf.append_dynamic(own).expect("grows");
            assert_eq!(buf.bytes(), Some(&b"01234567890123456789"[..]));
            assert_eq!(buf.capacity, 20);
            buf.append_dynamic(b"x").expect("grows");
            assert_eq!(buf.capacity, 40);
            buf.append_dynamic(b"").expect("nothing to do");
            buf.clean_up();
            assert!(buf.buffer.is_null() && buf.allocator.is_null());
        }
    }

    #[test]
    fn append_dynamic_without_memory_leaves_the_buffer() {
        let a = counted::counting(1);
        // SAFETY: as above.
        unsafe {
            let mut buf = aws_byte_buf::copy_of(a, b"ab").expect("first block");
            assert_eq!(buf.append_dynamic(b"cd"), Err(Error::new(Code::OOM)));
            assert_eq!(buf.bytes(), Some(&b"ab"[..]));
            buf.clean_up();
        }
        assert_eq!(counted::LIVE.get(), 0);
    }

    #[test]
    fn append_to_foreign_memory_never_grows() {
        let mut room = [0u8; 3];
        let mut buf =
            aws_byte_buf { capacity: 3, buffer: room.as_mut_ptr(), ..aws_byte_buf::EMPTY };
        // SAFETY: the block is the array above.
        unsafe {
            buf.append(b"ab").expect("fits");
            assert_eq!(buf.append(b"cd"), Err(Error::new(Code::DEST_COPY_TOO_SMALL)));
            assert_eq!(buf.append_dynamic(b"c"), Err(Error::new(Code::INVALID_ARGUMENT)));
            buf.secure_zero();
        }
        assert_eq!(room, [0; 3]);
        assert_eq!(buf.len, 0);
    }
}
