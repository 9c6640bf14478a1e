//! A growable buffer and a view into bytes.

use super::alloc::aws_allocator;

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

// SAFETY: a cursor is two numbers; what it points to is the business of whoever reads there.
unsafe impl Sync for aws_byte_cursor {}
