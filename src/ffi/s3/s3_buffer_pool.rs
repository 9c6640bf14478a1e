//! Header `aws/s3/s3_buffer_pool.h`: memory for parts, the library's own or a caller's.
//!
//! A pool gives *tickets*: the right to a buffer of a size. A ticket may come later, so it comes
//! through a future. A ticket is claimed when the buffer is needed and gives the memory back with
//! its last reference. Pools and tickets of a caller are used through their public layout only.

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use super::future::{Done, Future, Place, Post};
use super::mem;
use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_byte_buf, aws_ref_count};
use crate::ffi::io::channel::aws_channel;
use crate::ffi::io::event_loop::{aws_event_loop, loop_of};
use crate::ffi::io::future::aws_future_callback_fn;
use crate::ffi::raise::{self, AWS_OP_SUCCESS};
use crate::ffi::s3::s3_client::{aws_s3_client, aws_s3_meta_request};

/// A ticket that may come later. Counted.
pub struct aws_future_s3_buffer_ticket {
    _private: [u8; 0],
}

/// What a reservation is for.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_buffer_pool_reserve_meta {
    /// The client that asks; one pool may serve several.
    pub client: *mut aws_s3_client,
    /// The meta request it asks for. May be NULL.
    pub meta_request: *mut aws_s3_meta_request,
    /// Bytes of the buffer.
    pub size: usize,
    /// The transfer cannot go on without this ticket, and no other ticket of it will come back
    /// before: do not wait for memory of the same transfer.
    pub can_block: bool,
}

/// Functions of a ticket.
#[repr(C)]
pub struct aws_s3_buffer_ticket_vtable {
    /// The ticket's buffer, the same at each call: length 0, capacity at least the size reserved.
    /// Any thread.
    pub claim: Option<unsafe extern "C" fn(ticket: *mut aws_s3_buffer_ticket) -> aws_byte_buf>,
    /// NULL = `ref_count` is used.
    pub acquire: Option<
        unsafe extern "C" fn(ticket: *mut aws_s3_buffer_ticket) -> *mut aws_s3_buffer_ticket,
    >,
    /// NULL = `ref_count` is used. Any thread.
    pub release: Option<
        unsafe extern "C" fn(ticket: *mut aws_s3_buffer_ticket) -> *mut aws_s3_buffer_ticket,
    >,
}

/// The right to a buffer.
#[repr(C)]
pub struct aws_s3_buffer_ticket {
    pub vtable: *mut aws_s3_buffer_ticket_vtable,
    /// Used where the table has no acquire and release.
    pub ref_count: aws_ref_count,
    /// The pool's own.
    pub r#impl: *mut c_void,
}

/// Functions of a pool. They are called on any thread, by several at once.
#[repr(C)]
pub struct aws_s3_buffer_pool_vtable {
    /// Starts a reservation. The future is the caller's to release; it may be done already, or be
    /// completed later on any thread. Reservations should be answered in the order they came. A
    /// future that was given an error by the library (after cancel) may be completed all the same.
    pub reserve: Option<
        unsafe extern "C" fn(
            pool: *mut aws_s3_buffer_pool,
            meta: aws_s3_buffer_pool_reserve_meta,
        ) -> *mut aws_future_s3_buffer_ticket,
    >,
    /// The client is idle: memory may be given back.
    pub trim: Option<unsafe extern "C" fn(pool: *mut aws_s3_buffer_pool)>,
    /// May be NULL. Many buffers of this size will be asked for.
    pub add_special_size:
        Option<unsafe extern "C" fn(pool: *mut aws_s3_buffer_pool, buffer_size: usize) -> c_int>,
    /// May be NULL. Takes `add_special_size` back.
    pub release_special_size:
        Option<unsafe extern "C" fn(pool: *mut aws_s3_buffer_pool, buffer_size: usize)>,
    /// May be NULL. The size, at least `size`, that wastes no memory of the pool.
    pub derive_aligned_buffer_size:
        Option<unsafe extern "C" fn(pool: *mut aws_s3_buffer_pool, size: u64) -> u64>,
    /// NULL = `ref_count` is used.
    pub acquire:
        Option<unsafe extern "C" fn(pool: *mut aws_s3_buffer_pool) -> *mut aws_s3_buffer_pool>,
    /// NULL = `ref_count` is used.
    pub release:
        Option<unsafe extern "C" fn(pool: *mut aws_s3_buffer_pool) -> *mut aws_s3_buffer_pool>,
}

/// A source of part memory.
#[repr(C)]
pub struct aws_s3_buffer_pool {
    pub vtable: *mut aws_s3_buffer_pool_vtable,
    /// Used where the table has no acquire and release.
    pub ref_count: aws_ref_count,
    /// The pool's own.
    pub r#impl: *mut c_void,
}

/// What a client tells a pool's factory.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_buffer_pool_config {
    /// The client that will use the pool. Not yet usable.
    pub client: *mut aws_s3_client,
    /// Bytes of a part.
    pub part_size: usize,
    /// Most bytes of a part.
    pub max_part_size: usize,
    /// Bytes the client may use.
    pub memory_limit: usize,
}

/// Creates a pool for a client, which releases it when it ends. Called inside `aws_s3_client_new`,
/// on its thread. Returns NULL with an error raised on failure.
pub type aws_s3_buffer_pool_factory_fn = Option<
    unsafe extern "C" fn(
        allocator: *mut aws_allocator,
        config: aws_s3_buffer_pool_config,
        user_data: *mut c_void,
    ) -> *mut aws_s3_buffer_pool,
>;

// ---- tickets and pools through their tables -------------------------------------------------

/// The ticket's buffer.
///
/// # Safety
/// `ticket` is a live ticket.
pub(crate) unsafe fn ticket_claim(ticket: *mut aws_s3_buffer_ticket) -> Result<aws_byte_buf> {
    // SAFETY: by the contract; a table outlives its tickets.
    let claim = unsafe { (*ticket).vtable.as_ref() }.and_then(|t| t.claim);
    let claim = claim.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
    // SAFETY: the function is the ticket's own.
    Ok(unsafe { claim(ticket) })
}

/// One more reference to a ticket.
///
/// # Safety
/// `ticket` is NULL or live.
pub(crate) unsafe fn ticket_acquire(
    ticket: *mut aws_s3_buffer_ticket,
) -> *mut aws_s3_buffer_ticket {
    if !ticket.is_null() {
        // SAFETY: by the contract.
        unsafe {
            match (*ticket).vtable.as_ref().and_then(|t| t.acquire) {
                Some(acquire) => {
                    acquire(ticket);
                }
                None => mem::acquire_ref(&raw const (*ticket).ref_count),
            }
        }
    }
    ticket
}

/// Gives up a reference to a ticket.
///
/// # Safety
/// `ticket` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn ticket_release(ticket: *mut aws_s3_buffer_ticket) {
    if !ticket.is_null() {
        // SAFETY: by the contract.
        unsafe {
            match (*ticket).vtable.as_ref().and_then(|t| t.release) {
                Some(release) => {
                    release(ticket);
                }
                None => mem::release_ref(&raw mut (*ticket).ref_count),
            }
        }
    }
}

/// Starts a reservation; the future's reference is the caller's.
///
/// # Safety
/// `pool` is a live pool.
pub(crate) unsafe fn pool_reserve(
    pool: *mut aws_s3_buffer_pool,
    meta: aws_s3_buffer_pool_reserve_meta,
) -> Result<NonNull<Future>> {
    // SAFETY: by the contract; a table outlives its pool.
    let reserve = unsafe { (*pool).vtable.as_ref() }.and_then(|t| t.reserve);
    let reserve = reserve.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
    // SAFETY: the function is the pool's own. Futures of tickets come from this library.
    let future = unsafe { reserve(pool, meta) };
    NonNull::new(future.cast()).ok_or_else(|| {
        Error::new(Code(match raise::last_error() {
            0 => Code::S3_BUFFER_ALLOCATION_FAILED.0,
            code => code,
        }))
    })
}

/// # Safety
/// `pool` is a live pool.
pub(crate) unsafe fn pool_trim(pool: *mut aws_s3_buffer_pool) {
    // SAFETY: by the contract.
    unsafe {
        if let Some(trim) = (*pool).vtable.as_ref().and_then(|t| t.trim) {
            trim(pool);
        }
    }
}

/// # Safety
/// `pool` is NULL or live.
pub(crate) unsafe fn pool_acquire(pool: *mut aws_s3_buffer_pool) -> *mut aws_s3_buffer_pool {
    if !pool.is_null() {
        // SAFETY: by the contract.
        unsafe {
            match (*pool).vtable.as_ref().and_then(|t| t.acquire) {
                Some(acquire) => {
                    acquire(pool);
                }
                None => mem::acquire_ref(&raw const (*pool).ref_count),
            }
        }
    }
    pool
}

/// # Safety
/// `pool` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn pool_release(pool: *mut aws_s3_buffer_pool) {
    if !pool.is_null() {
        // SAFETY: by the contract.
        unsafe {
            match (*pool).vtable.as_ref().and_then(|t| t.release) {
                Some(release) => {
                    release(pool);
                }
                None => mem::release_ref(&raw mut (*pool).ref_count),
            }
        }
    }
}

/// # Safety
/// `pool` is NULL or live.
pub(crate) unsafe fn pool_aligned_size(pool: *mut aws_s3_buffer_pool, size: u64) -> u64 {
    // SAFETY: by the contract.
    let align = unsafe { pool.as_ref().and_then(|p| p.vtable.as_ref()) }
        .and_then(|t| t.derive_aligned_buffer_size);
    match align {
        // SAFETY: the function is the pool's own.
        Some(align) => unsafe { align(pool, size) },
        None => size,
    }
}

// ---- futures of tickets ---------------------------------------------------------------------

unsafe fn discard_ticket(ticket: *mut c_void) {
    // SAFETY: results of these futures are tickets, owned by the future.
    unsafe { ticket_release(ticket.cast()) };
}

/// A new future with one reference.
///
/// # Safety
/// `allocator` is NULL or a live allocator that outlives the future.
pub(crate) unsafe fn new_future(allocator: *mut aws_allocator) -> Result<NonNull<Future>> {
    // SAFETY: by the contract.
    unsafe { Future::create(allocator, discard_ticket) }
}

/// The core behind a caller's future.
unsafe fn core<'a>(future: *const aws_future_s3_buffer_ticket) -> Option<&'a Future> {
    // SAFETY: every future of this type was made by `new_future`.
    unsafe { Future::view(future.cast()) }
}

/// Creates a future with one reference.
///
/// `alloc` must outlive it; NULL raises AWS_ERROR_INVALID_ARGUMENT. Returns NULL on failure. Any
/// thread. Pools of callers make these.
///
/// # Safety
/// `alloc` is NULL or a live allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_new(
    alloc: *mut aws_allocator,
) -> *mut aws_future_s3_buffer_ticket {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { new_future(alloc) } {
            Ok(future) => future.as_ptr().cast(),
            Err(e) => raise::raise_null(e.code),
        }
    })
}

/// Adds a reference and returns `future`; NULL stays NULL. Any thread.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_acquire(
    future: *mut aws_future_s3_buffer_ticket,
) -> *mut aws_future_s3_buffer_ticket {
    ffi_fn!({
        // SAFETY: by the contract.
        if let Some(f) = unsafe { core(future) } {
            f.acquire();
        }
        future
    })
}

/// Gives up a reference; the last one releases a ticket nobody took. NULL is nothing. Returns NULL.
/// Any thread.
///
/// # Safety
/// `future` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_release(
    future: *mut aws_future_s3_buffer_ticket,
) -> *mut aws_future_s3_buffer_ticket {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        if let (Some(_), Some(f)) = (unsafe { core(future) }, NonNull::new(future.cast())) {
            // SAFETY: by the contract the reference is the caller's.
            unsafe { Future::release(f) };
        }
        ptr::null_mut()
    })
}

/// Completes the future with a ticket, which it owns from now on; `*pointer_address` becomes NULL.
/// A future that is done releases the ticket at once. Any thread; callbacks may run before it
/// returns.
///
/// # Safety
/// `future` is live; `pointer_address` points to a ticket of the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_set_result_by_move(
    future: *mut aws_future_s3_buffer_ticket,
    pointer_address: *mut *mut aws_s3_buffer_ticket,
) {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        match unsafe { (core(future), pointer_address.as_mut()) } {
            (Some(f), Some(place)) => {
                let ticket = std::mem::replace(place, ptr::null_mut());
                // SAFETY: the ticket's reference is the caller's to give.
                unsafe { f.succeed(ticket.cast()) };
            }
            _ => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
    })
}

/// Completes the future with an error (0 counts as AWS_ERROR_UNKNOWN). A future that is done stays
/// as it is. Any thread; callbacks may run before it returns.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_set_error(
    future: *mut aws_future_s3_buffer_ticket,
    error_code: c_int,
) {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        match unsafe { core(future) } {
            Some(f) => f.fail(error_code),
            None => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
    })
}

/// Whether the future is done. Any thread.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_is_done(
    future: *const aws_future_s3_buffer_ticket,
) -> bool {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { core(future) }.is_some_and(Future::is_done)
    })
}

/// The error the future ended with, or 0 for a ticket. AWS_ERROR_INVALID_STATE while it is not
/// done. Any thread.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_get_error(
    future: *const aws_future_s3_buffer_ticket,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { core(future) }.map(Future::error) {
            Some(Ok(code)) => code,
            Some(Err(e)) => e.code.0,
            None => Code::INVALID_ARGUMENT.0,
        }
    })
}

/// Takes the ticket out of a future that is done without an error; its reference is the caller's.
/// Only once. Else NULL with AWS_ERROR_INVALID_STATE. Any thread.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_get_result_by_move(
    future: *mut aws_future_s3_buffer_ticket,
) -> *mut aws_s3_buffer_ticket {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { core(future) }.map(Future::take) {
            Some(Ok(ticket)) => ticket.cast(),
            Some(Err(e)) => raise::raise_null(e.code),
            None => raise::raise_null(Code::INVALID_ARGUMENT),
        }
    })
}

/// The ticket of a future that is done without an error; it stays the future's. Else NULL with
/// AWS_ERROR_INVALID_STATE. Any thread.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_peek_result(
    future: *const aws_future_s3_buffer_ticket,
) -> *mut aws_s3_buffer_ticket {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { core(future) }.map(Future::peek) {
            Some(Ok(ticket)) => ticket.cast(),
            Some(Err(e)) => raise::raise_null(e.code),
            None => raise::raise_null(Code::INVALID_ARGUMENT),
        }
    })
}

/// Registers a callback; raises for missing arguments.
unsafe fn register(
    future: *mut aws_future_s3_buffer_ticket,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
    place: Place,
    even_if_done: bool,
) -> bool {
    // SAFETY: by the contract of the exports below.
    let f = unsafe { core(future) };
    let call: Option<Done> = on_done;
    match (f, call) {
        (Some(f), Some(call)) => f.on_done(call, user_data, place, even_if_done),
        _ => {
            raise::raise(Code::INVALID_ARGUMENT);
            false
        }
    }
}

/// Calls `on_done` when the future is done: on the thread that completes it, or before this returns
/// where it is done already. Any thread.
///
/// # Safety
/// `future` is live; `user_data` is valid for the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_register_callback(
    future: *mut aws_future_s3_buffer_ticket,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { register(future, on_done, user_data, Place::Inline, true) };
    })
}

/// As `aws_future_s3_buffer_ticket_register_callback`, but a future that is done calls nothing:
/// returns false then, true where the callback will come.
///
/// # Safety
/// `future` is live; `user_data` is valid for the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_register_callback_if_not_done(
    future: *mut aws_future_s3_buffer_ticket,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) -> bool {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { register(future, on_done, user_data, Place::Inline, false) }
    })
}

/// Calls `on_done` as a task of `event_loop` when the future is done. Any thread.
///
/// # Safety
/// `future` and `event_loop` are live; `user_data` is valid for the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_register_event_loop_callback(
    future: *mut aws_future_s3_buffer_ticket,
    event_loop: *mut aws_event_loop,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        match unsafe { post_to(event_loop) } {
            Some(post) => {
                // SAFETY: by the contract.
                unsafe { register(future, on_done, user_data, Place::Posted(post), true) };
            }
            None => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
    })
}

/// Refused with AWS_ERROR_UNIMPLEMENTED: this library makes no channels.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_register_channel_callback(
    future: *mut aws_future_s3_buffer_ticket,
    channel: *mut aws_channel,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!({
        let _ = (future, channel, on_done, user_data);
        waits!("channels")
    })
}

/// Blocks until the future is done or `timeout_ns` nanoseconds are over. Returns whether it is
/// done. Not on an event loop that has to complete it.
///
/// # Safety
/// `future` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_s3_buffer_ticket_wait(
    future: *mut aws_future_s3_buffer_ticket,
    timeout_ns: u64,
) -> bool {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { core(future) } {
            Some(f) => f.wait(timeout_ns),
            None => raise::fail(Code::INVALID_ARGUMENT),
        }
    })
}

// ---- exports over the tables ----------------------------------------------------------------

/// The buffer of a ticket, the same at each call: length 0, capacity at least the size reserved.
/// Valid until the ticket's last release. An empty buffer on failure. Any thread.
///
/// # Safety
/// `ticket` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_ticket_claim(
    ticket: *mut aws_s3_buffer_ticket,
) -> aws_byte_buf {
    ffi_fn!(calls_out {
        if ticket.is_null() {
            return raise::fail(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the contract.
        match unsafe { ticket_claim(ticket) } {
            Ok(buf) => buf,
            Err(e) => raise::fail(e.code),
        }
    })
}

/// Adds a reference and returns `ticket`; NULL stays NULL. Any thread.
///
/// # Safety
/// `ticket` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_ticket_acquire(
    ticket: *mut aws_s3_buffer_ticket,
) -> *mut aws_s3_buffer_ticket {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { ticket_acquire(ticket) }
    })
}

/// Gives up a reference; the last one gives the memory back. NULL is nothing. Returns NULL. Any
/// thread.
///
/// # Safety
/// `ticket` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_ticket_release(
    ticket: *mut aws_s3_buffer_ticket,
) -> *mut aws_s3_buffer_ticket {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { ticket_release(ticket) };
        ptr::null_mut()
    })
}

/// Starts a reservation. The future is the caller's to release. NULL on failure. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_reserve(
    buffer_pool: *mut aws_s3_buffer_pool,
    meta: aws_s3_buffer_pool_reserve_meta,
) -> *mut aws_future_s3_buffer_ticket {
    ffi_fn!(calls_out {
        if buffer_pool.is_null() {
            return raise::raise_null(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the contract.
        match unsafe { pool_reserve(buffer_pool, meta) } {
            Ok(future) => future.as_ptr().cast(),
            Err(e) => raise::raise_null(e.code),
        }
    })
}

/// Asks a pool to give unused memory back to the system. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_trim(buffer_pool: *mut aws_s3_buffer_pool) {
    ffi_fn!(calls_out {
        if buffer_pool.is_null() {
            raise::raise(Code::INVALID_ARGUMENT);
            return;
        }
        // SAFETY: by the contract.
        unsafe { pool_trim(buffer_pool) };
    })
}

/// Adds a reference and returns `buffer_pool`; NULL stays NULL. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_acquire(
    buffer_pool: *mut aws_s3_buffer_pool,
) -> *mut aws_s3_buffer_pool {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { pool_acquire(buffer_pool) }
    })
}

/// Gives up a reference; NULL is nothing. Returns NULL. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_release(
    buffer_pool: *mut aws_s3_buffer_pool,
) -> *mut aws_s3_buffer_pool {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { pool_release(buffer_pool) };
        ptr::null_mut()
    })
}

/// Tells a pool that many buffers of exactly `buffer_size` bytes will be asked for. A pool without
/// such an optimisation succeeds. AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT for NULL or 0. Any
/// thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_add_special_size(
    buffer_pool: *mut aws_s3_buffer_pool,
    buffer_size: usize,
) -> c_int {
    ffi_fn!(calls_out {
        if buffer_pool.is_null() || buffer_size == 0 {
            return raise::raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the contract.
        let add = unsafe { (*buffer_pool).vtable.as_ref() }.and_then(|t| t.add_special_size);
        match add {
            // SAFETY: the function is the pool's own.
            Some(add) => unsafe { add(buffer_pool, buffer_size) },
            None => AWS_OP_SUCCESS,
        }
    })
}

/// Takes `aws_s3_buffer_pool_add_special_size` back. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_release_special_size(
    buffer_pool: *mut aws_s3_buffer_pool,
    buffer_size: usize,
) {
    ffi_fn!(calls_out {
        if buffer_pool.is_null() {
            raise::raise(Code::INVALID_ARGUMENT);
            return;
        }
        // SAFETY: by the contract.
        let give = unsafe { (*buffer_pool).vtable.as_ref() }.and_then(|t| t.release_special_size);
        if let Some(give) = give {
            // SAFETY: the function is the pool's own.
            unsafe { give(buffer_pool, buffer_size) };
        }
    })
}

/// The size, at least `size` bytes, that wastes no memory of the pool; `size` itself where the pool
/// is NULL or does not care. Any thread.
///
/// # Safety
/// `buffer_pool` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_buffer_pool_derive_aligned_buffer_size(
    buffer_pool: *mut aws_s3_buffer_pool,
    size: u64,
) -> u64 {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { pool_aligned_size(buffer_pool, size) }
    })
}

/// How jobs get onto an event loop.
///
/// # Safety
/// `event_loop` is NULL or live.
unsafe fn post_to(event_loop: *mut aws_event_loop) -> Option<Post> {
    // SAFETY: by the contract.
    let handle = unsafe { loop_of(event_loop) }.ok()?.handle().clone();
    Some(Box::new(move |job| handle.post(move |_| job())))
}
