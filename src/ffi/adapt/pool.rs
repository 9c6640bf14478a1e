//! A caller's buffer pool as the engine's, and the engine's bytes as tickets for callers.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use crate::base::{Code, Done, Error, Result};
use crate::buffer::{Chunk, ForeignPool, ForeignTicket, Hold};
use crate::ctypes::{aws_atomic_var, aws_byte_buf, aws_ref_count};
use crate::ffi::raise;
use crate::ffi::s3::future::{Future, Place};
use crate::ffi::s3::s3_buffer_pool::{
    aws_s3_buffer_pool, aws_s3_buffer_pool_reserve_meta, aws_s3_buffer_ticket,
    aws_s3_buffer_ticket_vtable, pool_reserve, pool_trim, ticket_acquire, ticket_claim,
    ticket_release,
};
use crate::ffi::s3::s3_client::{aws_s3_client, aws_s3_meta_request};

type Reserved = Done<Box<dyn ForeignTicket>>;

/// A pool made by a caller's factory. The client holds the reference and outlives the engine.
pub(crate) struct CallerPool {
    pub pool: *mut aws_s3_buffer_pool,
    pub client: *mut aws_s3_client,
}

// SAFETY: a pool's functions may be called on any thread; the client pointer is only passed on.
unsafe impl Send for CallerPool {}
// SAFETY: as above.
unsafe impl Sync for CallerPool {}

/// A reservation under way: the future's callback owns it.
struct Pending {
    future: NonNull<Future>,
    done: Reserved,
}

impl ForeignPool for CallerPool {
    fn reserve(&self, owner: usize, size: usize, can_block: bool, done: Reserved) {
        let meta = aws_s3_buffer_pool_reserve_meta {
            client: self.client,
            meta_request: ptr::with_exposed_provenance_mut::<aws_s3_meta_request>(owner),
            size,
            can_block,
        };
        // SAFETY: the client holds a reference to the pool.
        match unsafe { pool_reserve(self.pool, meta) } {
            Err(e) => done(Err(e)),
            Ok(future) => {
                let pending = Box::into_raw(Box::new(Pending { future, done }));
                // SAFETY: our reference keeps the future alive; the callback takes `pending`.
                unsafe {
                    future.as_ref().on_done(reserved, pending.cast(), Place::Inline, true);
                }
            }
        }
    }

    fn trim(&self) {
        // SAFETY: the client holds a reference to the pool.
        unsafe { pool_trim(self.pool) };
    }
}

/// The reservation is answered: on any thread, maybe before `reserve` returned.
unsafe extern "C" fn reserved(pending: *mut c_void) {
    // SAFETY: `reserve` gave the box to this callback, which is called once.
    let Pending { future, done } = *unsafe { Box::from_raw(pending.cast::<Pending>()) };
    // SAFETY: the future has our reference until the release below.
    let outcome = unsafe {
        let f = future.as_ref();
        match f.error() {
            Ok(0) => f.take(),
            Ok(code) => Err(Error::new(Code(code))),
            Err(e) => Err(e),
        }
    };
    // SAFETY: as above.
    unsafe { Future::release(future) };
    match outcome.and_then(CallerTicket::new) {
        Ok(ticket) => done(Ok(Box::new(ticket))),
        Err(e) => done(Err(e)),
    }
}

/// A ticket of a caller's pool, claimed; released on drop.
struct CallerTicket {
    ticket: *mut aws_s3_buffer_ticket,
    at: *mut u8,
    capacity: usize,
}

// SAFETY: tickets may be used on any thread; the memory has one writer, the engine.
unsafe impl Send for CallerTicket {}
// SAFETY: as above.
unsafe impl Sync for CallerTicket {}

impl CallerTicket {
    fn new(ticket: *mut c_void) -> Result<CallerTicket> {
        let ticket: *mut aws_s3_buffer_ticket = ticket.cast();
        if ticket.is_null() {
            return Err(Error::new(Code::S3_BUFFER_ALLOCATION_FAILED));
        }
        let mut made = CallerTicket { ticket, at: ptr::null_mut(), capacity: 0 };
        // SAFETY: the reference is ours.
        let buf = unsafe { ticket_claim(ticket) }?;
        if buf.buffer.is_null() || buf.capacity == 0 {
            return Err(Error::new(match raise::last_error() {
                0 => Code::S3_BUFFER_ALLOCATION_FAILED,
                code => Code(code),
            }));
        }
        (made.at, made.capacity) = (buf.buffer, buf.capacity);
        Ok(made)
    }
}

impl ForeignTicket for CallerTicket {
    fn memory(&mut self) -> Result<&mut [u8]> {
        // SAFETY: the claimed buffer is ours until the release, and `&mut self` makes us the only
        // user.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.at, self.capacity) })
    }
    fn bytes(&self) -> &[u8] {
        // SAFETY: as above; nobody writes while it is shared.
        unsafe { std::slice::from_raw_parts(self.at, self.capacity) }
    }
    fn raw(&self) -> usize {
        self.ticket.expose_provenance()
    }
}

impl Drop for CallerTicket {
    fn drop(&mut self) {
        // SAFETY: the reference is ours to give up.
        unsafe { ticket_release(self.ticket) };
    }
}

/// Bytes of the engine's as a ticket: for body callbacks that want to keep them.
#[repr(C)]
struct ChunkTicket {
    head: aws_s3_buffer_ticket,
    chunk: Chunk,
}

static CHUNK_TABLE: aws_s3_buffer_ticket_vtable =
    aws_s3_buffer_ticket_vtable { claim: Some(claim), acquire: None, release: None };

unsafe extern "C" fn claim(ticket: *mut aws_s3_buffer_ticket) -> aws_byte_buf {
    // SAFETY: tickets with our table are ours.
    let bytes = unsafe { &*ticket.cast::<ChunkTicket>() }.chunk.bytes();
    aws_byte_buf {
        len: 0,
        buffer: bytes.as_ptr().cast_mut(),
        capacity: bytes.len(),
        allocator: ptr::null_mut(),
    }
}

unsafe extern "C" fn end(object: *mut c_void) {
    // SAFETY: the last reference of a ticket made by `ticket_of` is gone.
    drop(unsafe { Box::from_raw(object.cast::<ChunkTicket>()) });
}

/// A ticket that keeps a chunk's bytes, with one reference of ours. Bytes of a caller's pool have
/// the caller's own ticket.
pub(crate) fn ticket_of(chunk: &Chunk) -> *mut aws_s3_buffer_ticket {
    if let Hold::Foreign(ticket) = &**chunk.hold() {
        let own = ptr::with_exposed_provenance_mut::<aws_s3_buffer_ticket>(ticket.raw());
        // SAFETY: the chunk holds a reference to the ticket.
        return unsafe { ticket_acquire(own) };
    }
    let made = Box::into_raw(Box::new(ChunkTicket {
        head: aws_s3_buffer_ticket {
            vtable: (&raw const CHUNK_TABLE).cast_mut(),
            ref_count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: ptr::null_mut(),
                on_zero_fn: Some(end),
            },
            r#impl: ptr::null_mut(),
        },
        chunk: chunk.clone(),
    }));
    // SAFETY: the ticket is ours alone so far.
    unsafe { (*made).head.ref_count.object = made.cast() };
    made.cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::s3::s3_buffer_pool::{
        aws_future_s3_buffer_ticket, aws_s3_buffer_pool_vtable, new_future,
    };
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    #[test]
    fn chunk_lives_as_long_as_its_ticket() {
        let chunk = Chunk::from_vec(b"abcdef".to_vec());
        let ticket = ticket_of(&chunk);
        drop(chunk);
        // SAFETY: one reference, given up at the end.
        unsafe {
            let buf = ticket_claim(ticket).expect("a claim");
            let bytes = std::slice::from_raw_parts(buf.buffer, buf.capacity);
            assert_eq!(bytes, b"abcdef");
            ticket_release(ticket);
        }
    }

    static RELEASED: AtomicUsize = AtomicUsize::new(0);
    static MEMORY: [u8; 4] = *b"wxyz";

    unsafe extern "C" fn test_claim(_: *mut aws_s3_buffer_ticket) -> aws_byte_buf {
        aws_byte_buf {
            len: 0,
            buffer: MEMORY.as_ptr().cast_mut(),
            capacity: MEMORY.len(),
            allocator: ptr::null_mut(),
        }
    }
    unsafe extern "C" fn test_release(_: *mut aws_s3_buffer_ticket) -> *mut aws_s3_buffer_ticket {
        RELEASED.fetch_add(1, Ordering::SeqCst);
        ptr::null_mut()
    }
    static TICKETS: aws_s3_buffer_ticket_vtable = aws_s3_buffer_ticket_vtable {
        claim: Some(test_claim),
        acquire: None,
        release: Some(test_release),
    };

    /// Answers from another thread with a ticket, or for size 1 with an error, inline.
    unsafe extern "C" fn test_reserve(
        _: *mut aws_s3_buffer_pool,
        meta: aws_s3_buffer_pool_reserve_meta,
    ) -> *mut aws_future_s3_buffer_ticket {
        // SAFETY: the default allocator lives for ever; the ticket is leaked for the test.
        unsafe {
            let future = new_future(default_allocator()).expect("memory");
            if meta.size == 1 {
                future.as_ref().fail(Code::OOM.0);
                return future.as_ptr().cast();
            }
            future.as_ref().acquire();
            let address = future.as_ptr().expose_provenance();
            std::thread::spawn(move || {
                let ticket = Box::leak(Box::new(aws_s3_buffer_ticket {
                    vtable: (&raw const TICKETS).cast_mut(),
                    ref_count: aws_ref_count {
                        ref_count: aws_atomic_var::new(1),
                        object: ptr::null_mut(),
                        on_zero_fn: None,
                    },
                    r#impl: ptr::null_mut(),
                }));
                let future: *mut Future = ptr::with_exposed_provenance_mut(address);
                let future = NonNull::new(future).expect("a live future");
                future.as_ref().succeed((&raw mut *ticket).cast());
                Future::release(future);
            });
            future.as_ptr().cast()
        }
    }

    #[test]
    fn callers_pool_answers_inline_or_from_another_thread() {
        let mut table = aws_s3_buffer_pool_vtable {
            reserve: Some(test_reserve),
            trim: None,
            add_special_size: None,
            release_special_size: None,
            derive_aligned_buffer_size: None,
            acquire: None,
            release: None,
        };
        let mut pool = aws_s3_buffer_pool {
            vtable: &mut table,
            ref_count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: ptr::null_mut(),
                on_zero_fn: None,
            },
            r#impl: ptr::null_mut(),
        };
        let caller = CallerPool { pool: &mut pool, client: ptr::null_mut() };
        let (tx, rx) = mpsc::channel();
        let tx2 = tx.clone();
        caller.reserve(0, 1, false, Box::new(move |r| tx.send(r.err()).expect("a receiver")));
        assert_eq!(rx.recv().expect("an answer"), Some(Error::new(Code::OOM)));
        caller.reserve(
            0,
            4,
            false,
            Box::new(move |r| {
                let ticket = r.expect("a ticket");
                assert_eq!(ticket.bytes(), b"wxyz");
                drop(ticket);
                tx2.send(None).expect("a receiver");
            }),
        );
        assert_eq!(rx.recv().expect("an answer"), None);
        assert_eq!(RELEASED.load(Ordering::SeqCst), 1);
        caller.trim();
    }
}
