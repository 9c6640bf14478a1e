//! Header `aws/s3/private/s3_default_buffer_pool.h`: the library's own pool behind the public pool
//! interface, and its figures.
//!
//! The engine takes part memory from `buffer` directly, in segments. This face serves C code that
//! holds the client's pool: it gives buffers in one piece, with a limit of its own that is as large
//! as the engine's, and reports the memory of both. Reservations are answered in the order they
//! came; those that do not fit wait until tickets come back. A reservation that cannot wait is
//! *forced* and may pass the limit.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::{Arc, OnceLock};

use crate::base::sync::Mutex;

use crate::base::{Code, Error, Result};
use crate::buffer;
use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_buf, aws_ref_count};
use crate::ffi::raise::{self, AWS_OP_SUCCESS};
use crate::ffi::s3::future::Future;
use crate::ffi::s3::s3_buffer_pool::{
    aws_future_s3_buffer_ticket, aws_s3_buffer_pool, aws_s3_buffer_pool_config,
    aws_s3_buffer_pool_reserve_meta, aws_s3_buffer_pool_vtable, aws_s3_buffer_ticket,
    aws_s3_buffer_ticket_vtable, new_future,
};
use crate::log;

/// Figures of the library's own pool, in bytes unless said otherwise.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct aws_s3_default_buffer_pool_usage_stats {
    /// What may be used at all.
    pub mem_limit: usize,
    /// Largest size served from the segments.
    pub primary_cutoff: usize,
    /// Smallest size served from the segments.
    pub primary_min_cutoff: usize,
    /// Mapped for segments.
    pub primary_allocated: usize,
    /// Number of mapped pieces.
    pub primary_num_blocks: usize,
    /// Segments in use.
    pub primary_used: usize,
    /// Promised to transfers and not yet in use.
    pub primary_reserved: usize,
    /// Buffers in one piece, in use.
    pub secondary_used: usize,
    /// Tickets not yet claimed.
    pub secondary_reserved: usize,
    /// Held for special sizes, in use or not.
    pub special_blocks_allocated: usize,
    /// Number of special sizes.
    pub special_blocks_num: usize,
    /// Tickets of special sizes not yet claimed.
    pub special_blocks_reserved: usize,
    /// Buffers of special sizes in use.
    pub special_blocks_used: usize,
    /// In use by reservations that could not wait. Part of the figures above.
    pub forced_used: usize,
}

crate::ffi_failure!(aws_s3_default_buffer_pool_usage_stats);

const MIB: usize = 1 << 20;
/// Least memory limit of a client.
const LIMIT_BYTES_MIN: usize = 16 * MIB;
/// Kept back from the limit for memory that no pool counts; of small limits, half.
const RESERVED_BYTES: usize = 128 * MIB;
/// Parts above this size are never served from reused memory.
const REUSED_BYTES_MAX: usize = 64 * MIB;
const PRIMARY_MIN_CUTOFF: usize = 512 << 10;
const PAGE_BYTES: usize = 4096;

/// The pool behind the C handle.
#[repr(C)]
struct Handle {
    head: aws_s3_buffer_pool,
    core: Arc<Core>,
}

/// What tickets keep alive.
pub(crate) struct Core {
    allocator: *mut aws_allocator,
    /// Bytes that may be used.
    limit: usize,
    /// Part size that memory is aligned to; 0 where parts are too large for that.
    chunk: usize,
    engine: OnceLock<Arc<buffer::Pool>>,
    state: Mutex<State>,
}

// SAFETY: the allocator may be used on any thread by its own contract.
unsafe impl Send for Core {}
// SAFETY: as above; all else is locked.
unsafe impl Sync for Core {}

#[derive(Default)]
struct State {
    plain: Usage,
    special: Usage,
    forced_used: usize,
    /// Special sizes and their free buffers.
    sizes: BTreeMap<usize, Vec<Buffer>>,
    waiting: VecDeque<Waiting>,
}

#[derive(Default)]
struct Usage {
    used: usize,
    reserved: usize,
}

struct Waiting {
    size: usize,
    /// A reference of ours.
    future: NonNull<Future>,
}

// SAFETY: futures are counted and may be used on any thread.
unsafe impl Send for Waiting {}

/// A block of our own memory.
struct Buffer {
    at: NonNull<u8>,
    layout: Layout,
}

// SAFETY: plain memory with one owner.
unsafe impl Send for Buffer {}

impl Buffer {
    fn new(size: usize) -> Result<Buffer> {
        let layout = Layout::from_size_align(size, PAGE_BYTES)
            .map_err(|_| Error::new(Code::INVALID_ARGUMENT))?;
        if size == 0 {
            return Err(Error::new(Code::INVALID_ARGUMENT));
        }
        // SAFETY: the size is not 0.
        let at = unsafe { alloc(layout) };
        NonNull::new(at).map(|at| Buffer { at, layout }).ok_or(Error::new(Code::OOM))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the block came from `alloc` with this layout.
        unsafe { dealloc(self.at.as_ptr(), self.layout) };
    }
}

/// One ticket behind the C handle.
#[repr(C)]
struct Ticket {
    head: aws_s3_buffer_ticket,
    core: Arc<Core>,
    size: usize,
    special: bool,
    forced: bool,
    buffer: Mutex<Option<Buffer>>,
}

static POOL_TABLE: aws_s3_buffer_pool_vtable = aws_s3_buffer_pool_vtable {
    reserve: Some(reserve),
    trim: Some(trim),
    add_special_size: Some(add_special_size),
    release_special_size: Some(release_special_size),
    derive_aligned_buffer_size: Some(derive_aligned_buffer_size),
    acquire: None,
    release: None,
};

static TICKET_TABLE: aws_s3_buffer_ticket_vtable =
    aws_s3_buffer_ticket_vtable { claim: Some(claim), acquire: None, release: None };

/// What a client's limits allow, checked as `aws_s3_client_new` promises: the bytes parts may use.
pub(crate) fn check_limits(config: &aws_s3_buffer_pool_config) -> Result<usize> {
    if config.memory_limit < LIMIT_BYTES_MIN {
        log!(S3Client, Error, config.client, "the memory limit must be at least 16 MiB");
        return Err(Error::new(Code::S3_INVALID_MEMORY_LIMIT_CONFIG));
    }
    if config.max_part_size > 0 && config.part_size > config.max_part_size {
        log!(
            S3Client,
            Error,
            config.client,
            "the part size ({}) is above the largest part size ({})",
            config.part_size,
            config.max_part_size
        );
        return Err(Error::new(Code::S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT));
    }
    let limit = config.memory_limit - RESERVED_BYTES.min(config.memory_limit / 2);
    if config.max_part_size > limit {
        log!(S3Client, Error, config.client, "the largest part size is above the memory limit");
        return Err(Error::new(Code::S3_INVALID_MEMORY_LIMIT_CONFIG));
    }
    Ok(limit)
}

/// Creates the pool of a client: the C handle with one reference, and what stands behind it.
pub(crate) fn create(
    allocator: *mut aws_allocator,
    config: &aws_s3_buffer_pool_config,
) -> Result<(*mut aws_s3_buffer_pool, Arc<Core>)> {
    let limit = check_limits(config)?;
    let mut chunk = config.part_size;
    if chunk > REUSED_BYTES_MAX || chunk.saturating_mul(16) > limit {
        chunk = 0;
    }
    let core = Arc::new(Core {
        allocator,
        limit,
        chunk,
        engine: OnceLock::new(),
        state: Mutex::new(State::default()),
    });
    let handle = Box::into_raw(Box::new(Handle {
        head: aws_s3_buffer_pool {
            vtable: (&raw const POOL_TABLE).cast_mut(),
            ref_count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: ptr::null_mut(),
                on_zero_fn: Some(end_pool),
            },
            r#impl: ptr::null_mut(),
        },
        core: core.clone(),
    }));
    // SAFETY: the handle is ours alone so far.
    unsafe {
        (*handle).head.ref_count.object = handle.cast();
        (*handle).head.r#impl = Arc::as_ptr(&core).cast_mut().cast();
    }
    Ok((handle.cast(), core))
}

unsafe extern "C" fn end_pool(object: *mut c_void) {
    // SAFETY: the last reference of a handle made by `create` is gone.
    drop(unsafe { Box::from_raw(object.cast::<Handle>()) });
}

/// The pool behind a handle of ours; `None` for NULL and for callers' pools.
unsafe fn core<'a>(pool: *mut aws_s3_buffer_pool) -> Option<&'a Arc<Core>> {
    // SAFETY: by the contract of the callers `pool` is NULL or live; ours have our table.
    unsafe {
        let ours = ptr::eq((*NonNull::new(pool)?.as_ptr()).vtable, &raw const POOL_TABLE);
        ours.then(|| &(*pool.cast::<Handle>()).core)
    }
}

impl Core {
    /// Tells the pool which memory the engine uses.
    pub(crate) fn set_engine(&self, pool: Arc<buffer::Pool>) {
        let _ = self.engine.set(pool);
    }

    fn engine_stats(&self) -> buffer::PoolStats {
        self.engine.get().map(|p| p.stats()).unwrap_or_default()
    }

    /// Bytes counted against the limit. Forced buffers count for at most four fifths of it, so that
    /// something is left for the others.
    fn taken(&self, s: &State) -> usize {
        let own = s.plain.used + s.plain.reserved + s.special.used + s.special.reserved;
        let forced_max = self.limit / 5 * 4;
        own - s.forced_used.saturating_sub(forced_max)
    }

    /// A ticket, where it fits now.
    fn try_reserve(self: &Arc<Core>, s: &mut State, size: usize) -> Option<*mut Ticket> {
        if self.taken(s).saturating_add(size) > self.limit {
            return None;
        }
        let special = s.sizes.contains_key(&size);
        if special {
            s.special.reserved += size;
        } else {
            s.plain.reserved += size;
        }
        Some(self.new_ticket(size, special, false))
    }

    fn new_ticket(self: &Arc<Core>, size: usize, special: bool, forced: bool) -> *mut Ticket {
        let ticket = Box::into_raw(Box::new(Ticket {
            head: aws_s3_buffer_ticket {
                vtable: (&raw const TICKET_TABLE).cast_mut(),
                ref_count: aws_ref_count {
                    ref_count: aws_atomic_var::new(1),
                    object: ptr::null_mut(),
                    on_zero_fn: Some(end_ticket),
                },
                r#impl: ptr::null_mut(),
            },
            core: self.clone(),
            size,
            special,
            forced,
            buffer: Mutex::new(None),
        }));
        // SAFETY: the ticket is ours alone so far.
        unsafe {
            (*ticket).head.ref_count.object = ticket.cast();
            (*ticket).head.r#impl = ticket.cast();
        }
        ticket
    }

    /// Starts a reservation; the future's reference is the caller's.
    fn reserve(self: &Arc<Core>, size: usize, can_block: bool) -> Result<NonNull<Future>> {
        // SAFETY: the client's allocator outlives its pool.
        let future = unsafe { new_future(self.allocator)? };
        // SAFETY: the future has our reference.
        let done = unsafe { future.as_ref() };
        if size == 0 || size > self.limit {
            log!(S3Client, Error, 0, "a buffer of {size} bytes is above the limit {}", self.limit);
            let code = match size {
                0 => Code::INVALID_ARGUMENT,
                _ => Code::S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT,
            };
            done.fail(code.0);
            return Ok(future);
        }
        let mut s = self.state.lock();
        let ticket = if can_block {
            Some(self.new_ticket(size, false, true))
        } else if s.waiting.is_empty() {
            self.try_reserve(&mut s, size)
        } else {
            None
        };
        if let Some(ticket) = ticket {
            drop(s);
            // SAFETY: the ticket's first reference goes to the future.
            unsafe { done.succeed(ticket.cast()) };
            return Ok(future);
        }
        done.acquire();
        s.waiting.push_back(Waiting { size, future });
        Ok(future)
    }

    /// Answers the reservations that fit now, outside the lock.
    fn serve_waiting(self: &Arc<Core>) {
        loop {
            let mut s = self.state.lock();
            let Some(first) = s.waiting.front() else { return };
            // SAFETY: we hold a reference.
            let given_up = unsafe { first.future.as_ref() }.is_done();
            let size = first.size;
            let ticket = if given_up { None } else { self.try_reserve(&mut s, size) };
            if ticket.is_none() && !given_up {
                return;
            }
            let Some(first) = s.waiting.pop_front() else { return };
            drop(s);
            // SAFETY: the ticket's first reference goes to the future; then ours to the future ends.
            unsafe {
                if let Some(ticket) = ticket {
                    first.future.as_ref().succeed(ticket.cast());
                }
                Future::release(first.future);
            }
        }
    }

    fn claim(&self, ticket: &Ticket) -> Result<aws_byte_buf> {
        let mut held = ticket.buffer.lock();
        if held.is_none() {
            let mut s = self.state.lock();
            let spare = match ticket.special {
                true => s.sizes.get_mut(&ticket.size).and_then(Vec::pop),
                false => None,
            };
            let buffer = match spare {
                Some(buffer) => buffer,
                None => Buffer::new(ticket.size)?,
            };
            let usage = if ticket.special { &mut s.special } else { &mut s.plain };
            usage.used += ticket.size;
            if ticket.forced {
                s.forced_used += ticket.size;
            } else {
                usage.reserved -= ticket.size;
            }
            *held = Some(buffer);
        }
        let at = held.as_ref().map_or(ptr::null_mut(), |b| b.at.as_ptr());
        Ok(aws_byte_buf { len: 0, buffer: at, capacity: ticket.size, allocator: ptr::null_mut() })
    }

    fn give_back(self: &Arc<Core>, ticket: Ticket) {
        let Ticket { size, special, forced, buffer, .. } = ticket;
        let buffer = buffer.into_inner();
        let mut s = self.state.lock();
        let usage = if special { &mut s.special } else { &mut s.plain };
        let mut gone = None;
        match buffer {
            None if forced => {}
            None => usage.reserved -= size,
            Some(buffer) => {
                usage.used -= size;
                if forced {
                    s.forced_used -= size;
                }
                match s.sizes.get_mut(&size).filter(|_| special) {
                    Some(spare) => spare.push(buffer),
                    None => gone = Some(buffer),
                }
            }
        }
        drop(s);
        drop(gone);
        self.serve_waiting();
    }

    /// Gives free buffers of special sizes back, and forgets sizes nobody uses.
    fn trim_special(&self) {
        let mut s = self.state.lock();
        let unused = s.special.used == 0 && s.special.reserved == 0;
        let mut gone: Vec<Buffer> = Vec::new();
        for spare in s.sizes.values_mut() {
            gone.append(spare);
        }
        if unused {
            s.sizes.clear();
        }
        drop(s);
        drop(gone);
    }

    fn usage(&self) -> aws_s3_default_buffer_pool_usage_stats {
        let engine = self.engine_stats();
        let s = self.state.lock();
        let spare: usize = s.sizes.iter().map(|(size, free)| size * free.len()).sum();
        let primary_cutoff = self.chunk * 4;
        aws_s3_default_buffer_pool_usage_stats {
            mem_limit: self.limit,
            primary_cutoff,
            primary_min_cutoff: if primary_cutoff >= PRIMARY_MIN_CUTOFF {
                PRIMARY_MIN_CUTOFF
            } else {
                0
            },
            primary_allocated: engine.mapped as usize,
            primary_num_blocks: engine.mapped as usize / buffer::SEGMENT_BYTES,
            primary_used: engine.held as usize,
            primary_reserved: engine.committed.saturating_sub(engine.held) as usize,
            secondary_used: s.plain.used,
            secondary_reserved: s.plain.reserved,
            special_blocks_allocated: s.special.used + spare,
            special_blocks_num: s.sizes.len(),
            special_blocks_reserved: s.special.reserved,
            special_blocks_used: s.special.used,
            forced_used: s.forced_used,
        }
    }
}

unsafe extern "C" fn end_ticket(object: *mut c_void) {
    // SAFETY: the last reference of a ticket made by `new_ticket` is gone.
    let ticket = *unsafe { Box::from_raw(object.cast::<Ticket>()) };
    let core = ticket.core.clone();
    core.give_back(ticket);
}

unsafe extern "C" fn claim(ticket: *mut aws_s3_buffer_ticket) -> aws_byte_buf {
    // SAFETY: tickets with our table are ours.
    let ticket = unsafe { &*ticket.cast::<Ticket>() };
    match ticket.core.claim(ticket) {
        Ok(buf) => buf,
        Err(e) => raise::fail(e.code),
    }
}

unsafe extern "C" fn reserve(
    pool: *mut aws_s3_buffer_pool,
    meta: aws_s3_buffer_pool_reserve_meta,
) -> *mut aws_future_s3_buffer_ticket {
    // SAFETY: the table is called with its own pool.
    let Some(core) = (unsafe { core(pool) }) else {
        return raise::raise_null(Code::INVALID_ARGUMENT);
    };
    match core.reserve(meta.size, meta.can_block) {
        Ok(future) => future.as_ptr().cast(),
        Err(e) => raise::raise_null(e.code),
    }
}

unsafe extern "C" fn trim(pool: *mut aws_s3_buffer_pool) {
    // SAFETY: the table is called with its own pool.
    if let Some(core) = unsafe { core(pool) } {
        core.trim_special();
        if let Some(engine) = core.engine.get() {
            engine.trim();
        }
    }
}

unsafe extern "C" fn add_special_size(pool: *mut aws_s3_buffer_pool, size: usize) -> c_int {
    // SAFETY: the table is called with its own pool.
    let Some(core) = (unsafe { core(pool) }) else { return raise::raise(Code::INVALID_ARGUMENT) };
    if size > core.chunk * 4 {
        core.state.lock().sizes.entry(size).or_default();
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn release_special_size(pool: *mut aws_s3_buffer_pool, _size: usize) {
    // SAFETY: the table is called with its own pool.
    if let Some(core) = unsafe { core(pool) } {
        core.trim_special();
    }
}

unsafe extern "C" fn derive_aligned_buffer_size(pool: *mut aws_s3_buffer_pool, size: u64) -> u64 {
    // SAFETY: the table is called with its own pool.
    match unsafe { core(pool) }.map(|c| c.chunk as u64) {
        None | Some(0) => size,
        Some(chunk) => size.div_ceil(chunk).saturating_mul(chunk),
    }
}

/// Figures of the library's own pool: what is used of its limit, and how. Zeros with
/// AWS_ERROR_INVALID_ARGUMENT for NULL and for a caller's pool. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_default_buffer_pool_get_usage(
    buffer_pool: *mut aws_s3_buffer_pool,
) -> aws_s3_default_buffer_pool_usage_stats {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { core(buffer_pool) } {
            Some(core) => core.usage(),
            None => raise::fail(Code::INVALID_ARGUMENT),
        }
    })
}

impl Drop for Core {
    fn drop(&mut self) {
        // Futures that still wait will never be answered by anybody else.
        for waiting in self.state.get_mut().waiting.drain(..) {
            let future = ManuallyDrop::new(waiting).future;
            // SAFETY: the reference is ours to give up.
            unsafe {
                future.as_ref().fail(Code::S3_BUFFER_ALLOCATION_FAILED.0);
                Future::release(future);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::s3::s3_buffer_pool as api;

    fn config(part_size: usize, memory_limit: usize) -> aws_s3_buffer_pool_config {
        aws_s3_buffer_pool_config {
            client: ptr::null_mut(),
            part_size,
            max_part_size: 0,
            memory_limit,
        }
    }

    fn meta(size: usize, can_block: bool) -> aws_s3_buffer_pool_reserve_meta {
        aws_s3_buffer_pool_reserve_meta {
            client: ptr::null_mut(),
            meta_request: ptr::null_mut(),
            size,
            can_block,
        }
    }

    fn pool() -> *mut aws_s3_buffer_pool {
        create(default_allocator(), &config(8 * MIB, 256 * MIB)).expect("valid limits").0
    }

    /// A ticket that is there at once, and its future's end.
    unsafe fn ticket_now(
        pool: *mut aws_s3_buffer_pool,
        size: usize,
        can_block: bool,
    ) -> *mut aws_s3_buffer_ticket {
        // SAFETY: the pool is live.
        unsafe {
            let future = api::aws_s3_buffer_pool_reserve(pool, meta(size, can_block));
            assert!(api::aws_future_s3_buffer_ticket_is_done(future));
            let ticket = api::aws_future_s3_buffer_ticket_get_result_by_move(future);
            api::aws_future_s3_buffer_ticket_release(future);
            ticket
        }
    }

    #[test]
    fn limits_are_checked() {
        let code = |c: aws_s3_buffer_pool_config| check_limits(&c).err().map(|e| e.code);
        assert_eq!(code(config(8 * MIB, 256 * MIB)), None);
        let small = Some(Code::S3_INVALID_MEMORY_LIMIT_CONFIG);
        assert_eq!(code(config(8 * MIB, 16 * MIB)), None);
        assert_eq!(code(config(8 * MIB, 16 * MIB - 1)), small);
        let mut c = config(8 * MIB, 256 * MIB);
        c.max_part_size = 4 * MIB;
        assert_eq!(code(c), Some(Code::S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT));
        c.max_part_size = 200 * MIB;
        assert_eq!(code(c), small);
    }

    #[test]
    fn claim_gives_the_same_page_aligned_buffer_and_release_frees_it() {
        let p = pool();
        // SAFETY: the pool and the ticket are live until their releases.
        unsafe {
            let t = ticket_now(p, 5 * MIB, false);
            assert_eq!(aws_s3_default_buffer_pool_get_usage(p).secondary_reserved, 5 * MIB);
            let a = api::aws_s3_buffer_ticket_claim(t);
            let b = api::aws_s3_buffer_ticket_claim(t);
            assert_eq!((a.buffer, a.len, a.capacity), (b.buffer, 0, 5 * MIB));
            assert_eq!(a.buffer.addr() % PAGE_BYTES, 0);
            let u = aws_s3_default_buffer_pool_get_usage(p);
            assert_eq!((u.secondary_used, u.secondary_reserved), (5 * MIB, 0));
            assert_eq!(u.mem_limit, 128 * MIB);
            api::aws_s3_buffer_ticket_release(t);
            assert_eq!(aws_s3_default_buffer_pool_get_usage(p).secondary_used, 0);
            api::aws_s3_buffer_pool_release(p);
        }
    }

    #[test]
    fn reservations_wait_in_order_and_forced_ones_do_not() {
        let p = pool();
        // SAFETY: all handles are live until their releases.
        unsafe {
            let big = ticket_now(p, 120 * MIB, false);
            let first = api::aws_s3_buffer_pool_reserve(p, meta(20 * MIB, false));
            let second = api::aws_s3_buffer_pool_reserve(p, meta(MIB, false));
            assert!(!api::aws_future_s3_buffer_ticket_is_done(first));
            assert!(!api::aws_future_s3_buffer_ticket_is_done(second), "no overtaking");
            let forced = ticket_now(p, 30 * MIB, true);
            api::aws_s3_buffer_ticket_claim(forced);
            assert_eq!(aws_s3_default_buffer_pool_get_usage(p).forced_used, 30 * MIB);
            api::aws_s3_buffer_ticket_release(big);
            assert!(api::aws_future_s3_buffer_ticket_is_done(first));
            assert!(api::aws_future_s3_buffer_ticket_is_done(second));
            api::aws_future_s3_buffer_ticket_release(first);
            api::aws_future_s3_buffer_ticket_release(second);
            api::aws_s3_buffer_ticket_release(forced);
            let u = aws_s3_default_buffer_pool_get_usage(p);
            assert_eq!((u.secondary_used, u.secondary_reserved, u.forced_used), (0, 0, 0));
            api::aws_s3_buffer_pool_release(p);
        }
    }

    #[test]
    fn reservation_above_the_limit_and_a_cancelled_one_end_with_errors() {
        let p = pool();
        // SAFETY: all handles are live until their releases.
        unsafe {
            let never = api::aws_s3_buffer_pool_reserve(p, meta(129 * MIB, false));
            let code = api::aws_future_s3_buffer_ticket_get_error(never);
            assert_eq!(code, Code::S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT.0);
            api::aws_future_s3_buffer_ticket_release(never);
            let big = ticket_now(p, 128 * MIB, false);
            let waiting = api::aws_s3_buffer_pool_reserve(p, meta(MIB, false));
            api::aws_future_s3_buffer_ticket_set_error(waiting, Code::S3_CANCELED.0);
            api::aws_s3_buffer_ticket_release(big);
            let code = api::aws_future_s3_buffer_ticket_get_error(waiting);
            assert_eq!(code, Code::S3_CANCELED.0);
            api::aws_future_s3_buffer_ticket_release(waiting);
            assert_eq!(aws_s3_default_buffer_pool_get_usage(p).secondary_reserved, 0);
            api::aws_s3_buffer_pool_release(p);
        }
    }

    #[test]
    fn special_sizes_are_reused_and_given_back_by_trim() {
        let p = pool();
        // SAFETY: all handles are live until their releases.
        unsafe {
            assert_eq!(api::aws_s3_buffer_pool_add_special_size(p, 40 * MIB), AWS_OP_SUCCESS);
            let t = ticket_now(p, 40 * MIB, false);
            let buffer = api::aws_s3_buffer_ticket_claim(t).buffer;
            api::aws_s3_buffer_ticket_release(t);
            let u = aws_s3_default_buffer_pool_get_usage(p);
            assert_eq!((u.special_blocks_num, u.special_blocks_allocated), (1, 40 * MIB));
            let t = ticket_now(p, 40 * MIB, false);
            assert_eq!(api::aws_s3_buffer_ticket_claim(t).buffer, buffer);
            api::aws_s3_buffer_ticket_release(t);
            api::aws_s3_buffer_pool_trim(p);
            let u = aws_s3_default_buffer_pool_get_usage(p);
            assert_eq!((u.special_blocks_num, u.special_blocks_allocated), (0, 0));
            assert_eq!(api::aws_s3_buffer_pool_derive_aligned_buffer_size(p, 9 << 20), 16 << 20);
            api::aws_s3_buffer_pool_release(p);
        }
    }
}
