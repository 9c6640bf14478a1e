//! Page memory straight from the kernel, and read-only maps of files, as safe slices.

use std::ops::{Deref, DerefMut, Range};
use std::os::fd::AsRawFd;
use std::ptr::{NonNull, null_mut};

use super::File;
use super::hooks::{Call, check, check_bare};
use crate::base::{Code, Error, Result};

/// The size of a page.
/// Pages asked about in one call.
const RESIDENT_PAGES: usize = 256;

pub fn page_size() -> usize {
    // SAFETY: no pointers. Every system answers this name.
    let n = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(n).unwrap_or(4096)
}

/// An anonymous private block: zero at first, given back as whole pages when dropped.
pub struct PageMemory {
    start: NonNull<u8>,
    len: usize,
    /// What was mapped: `start` may stand behind its beginning, for alignment.
    map: NonNull<u8>,
    map_len: usize,
}

// SAFETY: the block is owned memory, reached through `&` and `&mut` only.
unsafe impl Send for PageMemory {}
// SAFETY: `&PageMemory` gives read access only.
unsafe impl Sync for PageMemory {}

impl PageMemory {
    /// `len` bytes (not 0), page-aligned.
    pub fn new(len: usize) -> Result<PageMemory> {
        PageMemory::aligned(len, 1)
    }

    /// `align` is a power of two; above the page size it costs address space, not memory.
    pub fn aligned(len: usize, align: usize) -> Result<PageMemory> {
        assert!(align.is_power_of_two() && len > 0, "a block has bytes and a power of two");
        let page = page_size();
        let map_len = len
            .checked_add(if align > page { align } else { 0 })
            .and_then(|n| n.checked_next_multiple_of(page))
            .ok_or(Error::new(Code::OOM))?;
        let map = map(map_len)?;
        let skip = map.as_ptr().align_offset(align.max(page));
        // SAFETY: the map is longer than `len` by at least the alignment.
        let start = unsafe { map.add(skip) };
        Ok(PageMemory { start, len, map, map_len })
    }

    /// Gives the pages back to the kernel; the block stays, and reads as zeros.
    pub fn discard(&mut self) {
        self.advise(libc::MADV_DONTNEED);
    }

    fn advise(&mut self, advice: i32) {
        // SAFETY: the whole map is ours; `&mut` says that nobody looks at it meanwhile.
        unsafe { libc::madvise(self.map.as_ptr().cast(), self.map_len, advice) };
    }

    /// Asks that the block's pages come from a memory node where it has room (MPOL_PREFERRED).
    pub fn prefer_node(&mut self, node: u16) -> Result<()> {
        const MPOL_PREFERRED: libc::c_int = 1;
        check_bare(Call::Bind, "mbind", 0).map_err(|f| f.other())?;
        let mut mask = vec![0usize; node as usize / usize::BITS as usize + 1];
        mask[node as usize / usize::BITS as usize] = 1 << (node as u32 % usize::BITS);
        // One bit more than the mask has: the kernel reads `maxnode - 1` bits.
        let bits = mask.len() * usize::BITS as usize + 1;
        let (at, len, from) = (self.map.as_ptr(), self.map_len, mask.as_ptr());
        // SAFETY: the range is our map; the mask holds `bits - 1` bits.
        unsafe { syscall!(syscall(libc::SYS_mbind, at, len, MPOL_PREFERRED, from, bits, 0)) }
            .map_err(|f| f.other())?;
        Ok(())
    }
}

fn map(len: usize) -> Result<NonNull<u8>> {
    let oom = |errno| Error::os(Code::OOM, "mmap", errno);
    check_bare(Call::Map, "mmap", len).map_err(|f| oom(f.errno))?;
    let (prot, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new anonymous map touches no memory that anybody has.
    let p = unsafe { libc::mmap(null_mut(), len, prot, flags, -1, 0) };
    match NonNull::new(p.cast::<u8>()) {
        Some(p) if p.as_ptr().cast() != libc::MAP_FAILED => Ok(p),
        _ => Err(oom(super::call::errno())),
    }
}

impl Deref for PageMemory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: `len` bytes from `start` are inside our map and were zeroed by the kernel.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for PageMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; `&mut self` makes this the only view.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for PageMemory {
    fn drop(&mut self) {
        // SAFETY: the map is ours and no view of it is left.
        unsafe { libc::munmap(self.map.as_ptr().cast(), self.map_len) };
    }
}

/// A read-only map of a part of a file.
///
/// A file that shrinks under its map kills the reader (SIGBUS), so a caller uses maps only where
/// the user has promised that it does not, asks for the pages with `populate` first (which fails
/// where they are gone), and compares `File::fstat` before and after. What only hands the bytes to
/// the kernel (a send) is safe: it gets EFAULT.
pub struct Mapping {
    map: NonNull<u8>,
    map_len: usize,
    /// Where the wanted bytes begin in the map (offsets of maps are whole pages).
    skip: usize,
    len: usize,
}

// SAFETY: the map is read-only and lives as long as the value.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `len` bytes (not 0) from `offset`.
    pub fn new(file: &File, offset: u64, len: usize) -> Result<Mapping> {
        check(Call::Map, "mmap", file.path(), len).map_err(|f| f.other())?;
        Mapping::map(file, offset, len)
    }

    fn map(file: &File, offset: u64, len: usize) -> Result<Mapping> {
        assert!(len > 0, "an empty map");
        let skip = (offset % page_size() as u64) as usize;
        let map_len = len.checked_add(skip).ok_or(Error::new(Code::OOM))?;
        let at = libc::off64_t::try_from(offset - skip as u64)
            .map_err(|_| Error::new(Code::INVALID_ARGUMENT))?;
        let (prot, flags) = (libc::PROT_READ, libc::MAP_SHARED);
        // SAFETY: a new map touches no memory that anybody has.
        let p = unsafe { libc::mmap64(null_mut(), map_len, prot, flags, file.as_raw_fd(), at) };
        match NonNull::new(p.cast::<u8>()) {
            Some(map) if p != libc::MAP_FAILED => Ok(Mapping { map, map_len, skip, len }),
            _ => Err(super::Failure::new("mmap", super::call::errno()).other()),
        }
    }

    /// Whether the page cache holds all of these bytes: what is told may be over in a moment, so
    /// this decides where to read, never whether to.
    pub fn is_resident(file: &File, offset: u64, len: usize) -> Result<bool> {
        if len == 0 {
            return Ok(true);
        }
        let seen = check(Call::Resident, "mincore", file.path(), len);
        if seen.map_err(|f| f.file(Code::FILE_READ_FAILURE))? < len {
            return Ok(false);
        }
        let map = Mapping::map(file, offset, len)?;
        let mut pages = [0u8; RESIDENT_PAGES];
        let (page, mut at) = (page_size(), 0);
        while at < map.map_len {
            let n = (map.map_len - at).min(RESIDENT_PAGES * page);
            // SAFETY: the range is inside our map, `pages` has a byte for each of its pages.
            let r = unsafe {
                syscall!(mincore(map.map.add(at).as_ptr().cast(), n, pages.as_mut_ptr().cast()))
            };
            r.map_err(|f| f.file(Code::FILE_READ_FAILURE))?;
            if pages[..n.div_ceil(page)].iter().any(|p| p & 1 == 0) {
                return Ok(false);
            }
            at += n;
        }
        Ok(true)
    }

    /// Brings a range into memory; an error where the file no longer reaches so far.
    pub fn populate(&self, range: Range<usize>) -> Result<()> {
        self.advise(range, libc::MADV_POPULATE_READ)
    }

    /// Lets the kernel take a range's pages away again.
    pub fn release(&self, range: Range<usize>) -> Result<()> {
        self.advise(range, libc::MADV_DONTNEED)
    }

    fn advise(&self, range: Range<usize>, advice: i32) -> Result<()> {
        assert!(range.start <= range.end && range.end <= self.len, "a range outside of the map");
        let page = page_size();
        let from = (self.skip + range.start) / page * page;
        let to = (self.skip + range.end).min(self.map_len);
        // SAFETY: the range is inside our map; neither advice changes what its bytes read as.
        let r = unsafe {
            syscall!(madvise(self.map.add(from).as_ptr().cast(), to.saturating_sub(from), advice))
        };
        r.map_err(|f| f.file(Code::FILE_READ_FAILURE)).map(drop)
    }
}

impl Deref for Mapping {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: the bytes are inside the map. That the file does not shrink is the promise this
        // type is used under.
        unsafe { std::slice::from_raw_parts(self.map.add(self.skip).as_ptr(), self.len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the map is ours and no view of it is left.
        unsafe { libc::munmap(self.map.as_ptr().cast(), self.map_len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::FileMode;

    #[test]
    fn block_is_zero_aligned_and_writable() {
        let mut block = PageMemory::aligned(3 << 20, 2 << 20).unwrap();
        assert_eq!(block.as_ptr() as usize % (2 << 20), 0);
        assert_eq!(block.len(), 3 << 20);
        assert!(block.iter().all(|&b| b == 0));
        block.fill(9);
        assert_eq!(block[(3 << 20) - 1], 9);
        block.discard();
        assert_eq!((block[0], block[(3 << 20) - 1]), (0, 0));
    }

    #[test]
    fn block_too_large_for_the_machine_is_out_of_memory() {
        let e = PageMemory::new(usize::MAX / 2).err().unwrap();
        assert_eq!((e.code, e.call), (Code::OOM, "mmap"));
        assert_eq!(PageMemory::new(usize::MAX).err().unwrap().code, Code::OOM);
    }

    #[test]
    fn map_starts_at_any_offset_and_tells_a_lost_tail() {
        let path = std::env::temp_dir().join(format!("s3fast-map-{}", std::process::id()));
        let file = File::open(&path, FileMode::CreateOrReplace).unwrap();
        let bytes: Vec<u8> = (0..64 * 1024u32).map(|i| (i % 251) as u8).collect();
        file.pwrite_all(&bytes, 0).unwrap();
        let read = File::open(&path, FileMode::Read).unwrap();
        let map = Mapping::new(&read, 5000, 50_000).unwrap();
        map.populate(0..50_000).unwrap();
        assert_eq!(&map[..], &bytes[5000..55_000]);
        file.truncate(4096).unwrap();
        let e = map.populate(0..50_000).unwrap_err();
        assert_eq!((e.code, e.errno), (Code::FILE_READ_FAILURE, libc::EFAULT));
        File::remove(&path).unwrap();
    }
}
