//! An immutable string with its length, laid out in one block with its bytes.

use super::alloc::aws_allocator;

/// `len` bytes and a zero behind them, in the block of the struct itself. `allocator` is NULL for
/// strings in static memory, which are never freed.
#[repr(C)]
pub struct aws_string {
    pub allocator: *mut aws_allocator,
    pub len: usize,
    /// The first byte; `len` of them follow one another, then a zero.
    pub bytes: [u8; 1],
}
