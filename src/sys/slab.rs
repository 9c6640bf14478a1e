//! Anonymous page memory cut into blocks that threads own one by one.
//!
//! Every block starts on another cache-line colour (192 bytes further modulo 4096, measured for
//! parallel hashing: equal page offsets fight over one L1 set). Pages are touched first by whoever
//! receives into them and go back to the system when the last block of a slab is dropped.

use std::ptr::NonNull;
use std::sync::Arc;

use crate::base::{Code, Error, Result};

const COLOUR_STEP: usize = 192;
const PAGE: usize = 4096;

struct Pages {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping is plain memory; access goes through `Block`s, which do not overlap.
unsafe impl Send for Pages {}
// SAFETY: as above; `Pages` itself gives no access.
unsafe impl Sync for Pages {}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: mapped by `slab` with this length, and no block is left.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}

/// One block of a slab. Owns its bytes alone.
pub struct Block {
    pages: Arc<Pages>,
    at: usize,
    len: usize,
}

impl Block {
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The same for all blocks of one slab.
    pub fn slab_id(&self) -> usize {
        Arc::as_ptr(&self.pages) as usize
    }
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `at..at + len` lies in the mapping (slab) and belongs to this block alone.
        unsafe { std::slice::from_raw_parts(self.pages.base.as_ptr().add(self.at), self.len) }
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.pages.base.as_ptr().add(self.at), self.len) }
    }
}

/// Maps `count` blocks of `len` bytes.
pub fn slab(count: usize, len: usize) -> Result<Vec<Block>> {
    let stride = len
        .checked_add(PAGE)
        .and_then(|s| s.checked_next_multiple_of(PAGE))
        .ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
    let total = stride.checked_mul(count).ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
    if total == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: an anonymous mapping at an address of the kernel's choice.
    let p = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            total,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if p == libc::MAP_FAILED {
        let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
        return Err(Error::os(Code::OOM, "mmap", errno));
    }
    let base = NonNull::new(p.cast::<u8>()).ok_or(Error::new(Code::OOM))?;
    // Transparent huge pages would make a block's first byte cost two megabytes of memory.
    // SAFETY: advice on our own mapping.
    unsafe { libc::madvise(p, total, libc::MADV_NOHUGEPAGE) };
    let pages = Arc::new(Pages { base, len: total });
    Ok((0..count)
        .map(|i| Block { pages: pages.clone(), at: i * stride + i * COLOUR_STEP % PAGE, len })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_disjoint_and_coloured() {
        let mut blocks = slab(40, 10_000).unwrap();
        for (i, b) in blocks.iter_mut().enumerate() {
            b.bytes_mut().fill(i as u8 + 1);
        }
        for (i, b) in blocks.iter().enumerate() {
            assert!(b.bytes().iter().all(|&x| x == i as u8 + 1));
        }
        let colour = |b: &Block| b.bytes().as_ptr() as usize % PAGE;
        assert_ne!(colour(&blocks[0]), colour(&blocks[1]));
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert_eq!(slab(usize::MAX, 1 << 20).err().map(|e| e.code), Some(Code::OVERFLOW_DETECTED));
    }
}
