//! The allocator that remembers: what is allocated through it, since when and by which call stack.
//!
//! Its own records live on Rust's heap, so that it never counts itself. Nothing is called while its
//! lock is held: the dump works on a copy.

use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ptr;

use crate::base::sync::Mutex;

use super::logging;
use crate::base::Code;
use crate::ctypes::aws_allocator;
use crate::ffi::raise;
use crate::sys::clock;

const BYTES: u32 = 1;
const STACKS: u32 = 2;
const FRAMES_DEFAULT: usize = 8;
const FRAMES_MAX: usize = 128;
/// Our own frames at the top of each stack: the capture and the allocator's function.
const FRAMES_OURS: usize = 2;

/// The allocator C sees stands first, so that its address is the tracer's.
#[repr(C)]
struct Tracer {
    allocator: aws_allocator,
    parent: *mut aws_allocator,
    level: u32,
    frames: usize,
    live: Mutex<Live>,
}

#[derive(Default)]
struct Live {
    bytes: usize,
    blocks: HashMap<usize, Block>,
    stacks: HashMap<u64, Vec<usize>>,
}

#[derive(Clone, Copy)]
struct Block {
    size: usize,
    since: u64,
    /// Names an entry of `stacks`; 0 = none taken.
    stack: u64,
}

pub fn create(parent: *mut aws_allocator, level: u32, frames: usize) -> *mut aws_allocator {
    let frames = if frames == 0 { FRAMES_DEFAULT } else { frames.min(FRAMES_MAX) };
    let tracer = Box::into_raw(Box::new(Tracer {
        allocator: aws_allocator {
            mem_acquire: Some(acquire),
            mem_release: Some(release),
            mem_realloc: Some(realloc),
            mem_calloc: Some(calloc),
            r#impl: ptr::null_mut(),
        },
        parent,
        level: level.min(STACKS),
        frames,
        live: Mutex::default(),
    }));
    // SAFETY: fresh, and not shared yet.
    unsafe { (*tracer).allocator.r#impl = tracer.cast() };
    tracer.cast()
}

/// A tracer of ours behind an allocator; `None` for NULL and for allocators of another kind.
unsafe fn tracer<'a>(allocator: *mut aws_allocator) -> Option<&'a Tracer> {
    // SAFETY: by the caller's contract; the first function tells our allocators from others.
    unsafe {
        let acquire_fn = allocator.as_ref()?.mem_acquire?;
        let ours: unsafe extern "C" fn(*mut aws_allocator, usize) -> *mut c_void = acquire;
        if !ptr::fn_addr_eq(acquire_fn, ours) {
            raise::raise(Code::INVALID_ARGUMENT);
            return None;
        }
        Some(&*allocator.cast::<Tracer>())
    }
}

/// # Safety
/// `allocator` is NULL or live, and not used any more.
pub unsafe fn destroy(allocator: *mut aws_allocator) -> *mut aws_allocator {
    // SAFETY: by the contract; the Box was made by `create`.
    unsafe {
        match tracer(allocator) {
            Some(found) => {
                let parent = found.parent;
                drop(Box::from_raw(allocator.cast::<Tracer>()));
                parent
            }
            None => ptr::null_mut(),
        }
    }
}

/// # Safety
/// `allocator` is NULL or live.
pub unsafe fn bytes(allocator: *mut aws_allocator) -> usize {
    // SAFETY: by the contract.
    unsafe { tracer(allocator) }.map_or(0, |t| t.live.lock().bytes)
}

/// # Safety
/// `allocator` is NULL or live.
pub unsafe fn count(allocator: *mut aws_allocator) -> usize {
    // SAFETY: by the contract.
    unsafe { tracer(allocator) }.map_or(0, |t| t.live.lock().blocks.len())
}

/// # Safety
/// `allocator` is NULL or live.
pub unsafe fn dump(allocator: *mut aws_allocator) {
    // SAFETY: by the contract.
    let Some(tracer) = (unsafe { tracer(allocator) }) else { return };
    let (bytes, mut blocks, stacks) = {
        let live = tracer.live.lock();
        let blocks: Vec<Block> = live.blocks.values().copied().collect();
        (live.bytes, blocks, live.stacks.clone())
    };
    if blocks.is_empty() {
        return;
    }
    let rule = "#".repeat(80);
    let thin = "~".repeat(50);
    let title = |text: &str| {
        line(&thin);
        line(text);
        line(&thin);
    };
    line(&rule);
    line("#  BEGIN MEMTRACE DUMP");
    line(&rule);
    line(&format!("tracer: {bytes} bytes still allocated in {} allocations", blocks.len()));
    let mut named: HashMap<u64, Leak> = HashMap::new();
    for block in blocks.iter().filter(|b| b.stack != 0) {
        let leak = named.entry(block.stack).or_insert_with(|| Leak {
            trace: stacks.get(&block.stack).map(|s| symbols(s)).unwrap_or_default(),
            count: 0,
            size: 0,
        });
        leak.count += 1;
        leak.size += block.size;
    }
    title("Leaks in order of allocation:");
    blocks.sort_by_key(|b| b.since);
    for block in &blocks {
        match named.get(&block.stack) {
            Some(leak) => {
                line(&format!("ALLOC {} bytes, stacktrace:\n{}\n", block.size, leak.trace));
            }
            None => line(&format!("ALLOC {} bytes", block.size)),
        }
    }
    if tracer.level == STACKS {
        let mut leaks: Vec<&Leak> = named.values().collect();
        title("Stacks by bytes leaked:");
        leaks.sort_by_key(|l| std::cmp::Reverse(l.size));
        for l in &leaks {
            line(&format!("{} bytes in {} allocations:\n{}\n", l.size, l.count, l.trace));
        }
        title("Stacks by number of leaks:");
        leaks.sort_by_key(|l| std::cmp::Reverse(l.count));
        for l in &leaks {
            line(&format!("{} allocations leaking {} bytes:\n{}\n", l.count, l.size, l.trace));
        }
    }
    line(&rule);
    line("#  END MEMTRACE DUMP");
    line(&rule);
}

struct Leak {
    trace: String,
    count: usize,
    size: usize,
}

fn line(text: &str) {
    logging::write(logging::TRACE, logging::SUBJECT_MEMTRACE, text.as_bytes());
}

impl Tracer {
    fn track(&self, block: *mut c_void, size: usize) {
        if self.level < BYTES || block.is_null() {
            return;
        }
        let (stack, frames) = match self.level {
            STACKS => capture(self.frames),
            _ => (0, Vec::new()),
        };
        let since = clock::now().nanos();
        let mut live = self.live.lock();
        if stack != 0 {
            live.stacks.entry(stack).or_insert(frames);
        }
        live.bytes += size;
        if let Some(lost) = live.blocks.insert(block.addr(), Block { size, since, stack }) {
            live.bytes -= lost.size;
        }
    }

    /// Forgets a block; one that was allocated before the tracer is unknown, and that is fine.
    fn untrack(&self, block: *mut c_void) -> Option<Block> {
        if self.level < BYTES {
            return None;
        }
        let mut live = self.live.lock();
        let known = live.blocks.remove(&block.addr())?;
        live.bytes -= known.size;
        Some(known)
    }
}

unsafe extern "C" fn acquire(this: *mut aws_allocator, size: usize) -> *mut c_void {
    // SAFETY: called through a tracer.
    unsafe {
        let tracer = &*this.cast::<Tracer>();
        match aws_allocator::acquire(tracer.parent, size) {
            Ok(block) => {
                tracer.track(block.as_ptr(), size);
                block.as_ptr()
            }
            Err(_) => ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn calloc(this: *mut aws_allocator, num: usize, size: usize) -> *mut c_void {
    // SAFETY: called through a tracer.
    unsafe {
        let tracer = &*this.cast::<Tracer>();
        match aws_allocator::calloc(tracer.parent, num, size) {
            Ok(block) => {
                tracer.track(block.as_ptr(), num * size);
                block.as_ptr()
            }
            Err(_) => ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn release(this: *mut aws_allocator, block: *mut c_void) {
    // SAFETY: called through a tracer. The record goes first: once the block is free, another
    // thread may get the same address.
    unsafe {
        let tracer = &*this.cast::<Tracer>();
        tracer.untrack(block);
        aws_allocator::release(tracer.parent, block);
    }
}

unsafe extern "C" fn realloc(
    this: *mut aws_allocator,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: called through a tracer.
    unsafe {
        let tracer = &*this.cast::<Tracer>();
        let known = tracer.untrack(block);
        match aws_allocator::realloc(tracer.parent, block, old, new) {
            Ok(moved) => {
                tracer.track(moved, new);
                moved
            }
            Err(_) => {
                if let Some(known) = known {
                    let mut live = tracer.live.lock();
                    live.bytes += known.size;
                    live.blocks.insert(block.addr(), known);
                }
                ptr::null_mut()
            }
        }
    }
}

/// The call stack above the allocator, and a number that stands for it (never 0 where there is one).
#[cfg(target_env = "gnu")]
fn capture(frames: usize) -> (u64, Vec<usize>) {
    let mut found = [ptr::null_mut::<c_void>(); FRAMES_MAX + FRAMES_OURS];
    let room = frames + FRAMES_OURS;
    // SAFETY: the array has at least `room` entries.
    let depth = unsafe { libc::backtrace(found.as_mut_ptr(), room as i32) }.max(0) as usize;
    // An optimised build may show fewer frames than we expect of ourselves; then all are kept.
    let skip = if depth > FRAMES_OURS { FRAMES_OURS } else { 0 };
    let kept: Vec<usize> = found[skip..depth].iter().map(|p| p.expose_provenance()).collect();
    let mut hasher = DefaultHasher::new();
    kept.hash(&mut hasher);
    (if kept.is_empty() { 0 } else { hasher.finish().max(1) }, kept)
}

#[cfg(not(target_env = "gnu"))]
fn capture(_: usize) -> (u64, Vec<usize>) {
    (0, Vec::new())
}

/// One line a frame: object file, offset and address, as the system names them.
#[cfg(target_env = "gnu")]
pub fn symbols(frames: &[usize]) -> String {
    let frames: Vec<*mut c_void> =
        frames.iter().map(|&a| ptr::with_exposed_provenance_mut(a)).collect();
    let mut text = String::new();
    // SAFETY: the list has as many entries as frames, in one block of malloc.
    unsafe {
        let list = libc::backtrace_symbols(frames.as_ptr(), frames.len() as i32);
        if list.is_null() {
            return text;
        }
        for i in 0..frames.len() {
            if i > 0 {
                text.push('\n');
            }
            text.push_str(&CStr::from_ptr(*list.add(i)).to_string_lossy());
        }
        libc::free(list.cast());
    }
    text
}

#[cfg(not(target_env = "gnu"))]
pub fn symbols(_: &[usize]) -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;

    #[test]
    fn tracer_counts_what_is_alive() {
        let t = create(default_allocator(), BYTES, 0);
        // SAFETY: blocks are released once, the tracer last.
        unsafe {
            let a = aws_allocator::acquire(t, 10).expect("memory").as_ptr();
            let b = aws_allocator::calloc(t, 3, 4).expect("memory").as_ptr();
            assert_eq!((bytes(t), count(t)), (22, 2));
            let a = aws_allocator::realloc(t, a, 10, 1000).expect("memory");
            assert_eq!((bytes(t), count(t)), (1012, 2));
            let failed = aws_allocator::realloc(t, a, 1000, isize::MAX as usize);
            assert!(failed.is_err());
            assert_eq!((bytes(t), count(t)), (1012, 2));
            aws_allocator::release(t, a);
            aws_allocator::release(t, b);
            assert_eq!((bytes(t), count(t)), (0, 0));
            assert_eq!(destroy(t), default_allocator());
        }
    }

    #[test]
    fn tracer_functions_refuse_other_allocators() {
        // SAFETY: NULL and a live allocator of another kind.
        unsafe {
            assert_eq!(bytes(ptr::null_mut()), 0);
            assert_eq!(count(default_allocator()), 0);
            dump(default_allocator());
            assert!(destroy(default_allocator()).is_null());
        }
    }

    #[test]
    fn tracer_at_level_stacks_names_frames() {
        let t = create(default_allocator(), STACKS, 4);
        // SAFETY: the block is released once.
        unsafe {
            let a = aws_allocator::acquire(t, 1).expect("memory").as_ptr();
            let stacks = tracer(t).expect("ours").live.lock().stacks.clone();
            assert_eq!(stacks.len(), 1);
            let frames = stacks.values().next().expect("one");
            assert!(!frames.is_empty() && frames.len() <= 4);
            assert_eq!(symbols(frames).lines().count(), frames.len());
            aws_allocator::release(t, a);
            destroy(t);
        }
    }
}
