//! Header `aws/io/async_stream.h`: sources of bytes that complete their reads later.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_buf, aws_ref_count};
use crate::ffi::io::future::{aws_future_bool, bool_then, failed_bool};
use crate::ffi::place::{ref_acquire, ref_release};
use crate::ffi::raise::{fail, last_error_or};
use crate::log;

/// A source of bytes that may have to wait for them. Callers may implement it: the library only calls
/// through `vtable`. One read at a time is outstanding.
#[repr(C)]
pub struct aws_async_input_stream {
    pub vtable: *const aws_async_input_stream_vtable,
    pub alloc: *mut aws_allocator,
    pub ref_count: aws_ref_count,
    /// The implementation's own state.
    pub r#impl: *mut c_void,
}

/// What an asynchronous input stream does.
#[repr(C)]
pub struct aws_async_input_stream_vtable {
    /// Called once, when the last reference is given up. Any thread.
    pub destroy: Option<unsafe extern "C" fn(stream: *mut aws_async_input_stream)>,
    /// Starts one read into the free part of `dest` (never full, stays valid until the future is done).
    /// The future completes with true at the end of the stream; the caller of `read` owns a reference to it.
    /// May complete before it returns, or later on any thread.
    pub read: Option<
        unsafe extern "C" fn(
            stream: *mut aws_async_input_stream,
            dest: *mut aws_byte_buf,
        ) -> *mut aws_future_bool,
    >,
}

/// A reference to somebody's asynchronous stream, read one piece at a time.
pub struct AsyncStream {
    raw: NonNull<aws_async_input_stream>,
    reading: Arc<AtomicBool>,
}

// SAFETY: the interface promises that a stream may be read on any thread, one read at a time, which
// `reading` holds.
unsafe impl Send for AsyncStream {}

/// Receives the buffer with what was read, and whether the end is reached.
pub type ReadDone = Box<dyn FnOnce(Vec<u8>, Result<bool>) + Send>;

/// One read on its way; the stream writes to `buf` until its future is done.
struct Read {
    /// A reference.
    stream: NonNull<aws_async_input_stream>,
    reading: Arc<AtomicBool>,
    bytes: Vec<u8>,
    buf: aws_byte_buf,
    done: ReadDone,
}

/// A read, carried to the thread that ends it.
struct Carried(*mut Read);

// SAFETY: the read has one owner at a time, and all its parts may change threads.
unsafe impl Send for Carried {}

impl AsyncStream {
    /// Takes a reference of its own; NULL and streams that cannot be read are
    /// AWS_ERROR_INVALID_ARGUMENT.
    ///
    /// # Safety
    /// `stream` is NULL or live.
    pub unsafe fn share(stream: *mut aws_async_input_stream) -> Result<AsyncStream> {
        // SAFETY: by the contract.
        unsafe {
            let raw = NonNull::new(stream).ok_or(Error::new(Code::INVALID_ARGUMENT))?;
            if (*stream).vtable.as_ref().is_none_or(|t| t.read.is_none()) {
                return Err(Error::new(Code::INVALID_ARGUMENT));
            }
            ref_acquire(&raw const (*stream).ref_count);
            Ok(AsyncStream { raw, reading: Arc::default() })
        }
    }

    /// Appends at most `want` bytes to `into`, within its capacity, and gives it back with whether
    /// the end is reached: before this returns, later, or on another thread. A second read before
    /// that is AWS_ERROR_INVALID_STATE.
    pub fn read(&mut self, mut into: Vec<u8>, want: usize, done: ReadDone) {
        let room = want.min(into.capacity() - into.len());
        if room == 0 {
            return done(into, Ok(false));
        }
        if self.reading.swap(true, Ordering::AcqRel) {
            return done(into, Err(Error::new(Code::INVALID_STATE)));
        }
        let buffer = into.spare_capacity_mut().as_mut_ptr().cast();
        let buf = aws_byte_buf { len: 0, buffer, capacity: room, allocator: null_mut() };
        let (stream, reading) = (self.raw, self.reading.clone());
        // SAFETY: we hold a reference, and the read takes one more; its buffer lives until the
        // future is done, as the stream's contract wants it.
        unsafe {
            ref_acquire(&raw const (*stream.as_ptr()).ref_count);
            let read = Box::into_raw(Box::new(Read { stream, reading, bytes: into, buf, done }));
            let carried = Carried(read);
            let start = (*stream.as_ptr()).vtable.as_ref().and_then(|t| t.read);
            let future = start.map_or(null_mut(), |f| f(stream.as_ptr(), &raw mut (*read).buf));
            if future.is_null() {
                log!(IoGeneral, Error, stream.as_ptr(), "an async stream's read gave no future");
                return carried.end(Err(last_error_or(Code::IO_STREAM_READ_FAILED)));
            }
            bool_then(
                future,
                Box::new(move |ended| {
                    let carried = carried;
                    // SAFETY: the one end of this read.
                    carried.end(ended)
                }),
            );
        }
    }
}

impl Carried {
    /// Takes over what the stream wrote, and tells.
    ///
    /// # Safety
    /// Called once, when the stream writes no more.
    unsafe fn end(self, ended: Result<bool>) {
        // SAFETY: by the contract; the box was made by `read`. The stream promised the bytes up to
        // `len`, which lies within the room that it was lent.
        unsafe {
            let Read { stream, reading, mut bytes, buf, done } = *Box::from_raw(self.0);
            let spare = bytes.spare_capacity_mut();
            let kept = std::ptr::eq(buf.buffer, spare.as_ptr().cast())
                && buf.len <= buf.capacity
                && buf.capacity <= spare.len();
            let outcome = match (kept, ended) {
                (true, Ok(at_end)) => {
                    bytes.set_len(bytes.len() + buf.len);
                    Ok(at_end)
                }
                (true, Err(error)) => Err(error),
                (false, _) => {
                    log!(IoGeneral, Error, stream.as_ptr(), "an async stream changed its buffer");
                    Err(Error::new(Code::IO_STREAM_READ_FAILED))
                }
            };
            ref_release(&raw const (*stream.as_ptr()).ref_count);
            reading.store(false, Ordering::Release);
            done(bytes, outcome);
        }
    }
}

impl Drop for AsyncStream {
    fn drop(&mut self) {
        // SAFETY: the reference taken by `share`.
        unsafe { ref_release(&raw const (*self.raw.as_ptr()).ref_count) };
    }
}

impl crate::body::AsyncInput for AsyncStream {
    fn read(&mut self, into: Vec<u8>, want: usize, done: ReadDone) {
        AsyncStream::read(self, into, want, done);
    }
}

unsafe extern "C" fn destroy(object: *mut c_void) {
    let stream: *mut aws_async_input_stream = object.cast();
    // SAFETY: called once, with the stream that `init_base` filled in.
    unsafe {
        if let Some(destroy) = (*stream).vtable.as_ref().and_then(|t| t.destroy) {
            destroy(stream);
        }
    }
}

/// Fills in the public head of a caller's own stream, with one reference. The vtable's destroy is called
/// when the last one is given back.
///
/// `stream`: overwritten. `alloc`, `impl`: kept for the implementation. `vtable`: required, with both
/// members; kept. NULL raises AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_async_input_stream_init_base(
    stream: *mut aws_async_input_stream,
    alloc: *mut aws_allocator,
    vtable: *const aws_async_input_stream_vtable,
    r#impl: *mut c_void,
) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (table, stream_ref) = (arg!(vtable), arg!(mut stream));
            if table.read.is_none() || table.destroy.is_none() {
                return fail(Code::INVALID_ARGUMENT);
            }
            let count = aws_atomic_var::new(1);
            *stream_ref = aws_async_input_stream {
                vtable,
                alloc,
                ref_count: aws_ref_count {
                    ref_count: count,
                    object: stream.cast(),
                    on_zero_fn: Some(destroy),
                },
                r#impl,
            };
        }
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_async_input_stream_acquire(
    stream: *mut aws_async_input_stream,
) -> *mut aws_async_input_stream {
    ffi_fn!({
        if !stream.is_null() {
            // SAFETY: the caller's promise.
            unsafe { ref_acquire(&raw const (*stream).ref_count) };
        }
        stream
    })
}

/// Gives one reference back and returns NULL; the last one calls the vtable's destroy. NULL is allowed.
/// Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_async_input_stream_release(
    stream: *mut aws_async_input_stream,
) -> *mut aws_async_input_stream {
    ffi_fn!(calls_out {
        if !stream.is_null() {
            // SAFETY: the caller's promise.
            unsafe { ref_release(&raw const (*stream).ref_count) };
        }
        null_mut()
    })
}

/// Starts one read into the free part of `dest`, which must live until the future has ended.
///
/// Returns a future whose reference is the caller's: true at the end of the stream. A full `dest` ends it
/// with AWS_ERROR_SHORT_BUFFER. NULL with AWS_ERROR_INVALID_ARGUMENT for NULL arguments. One read at a
/// time.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_async_input_stream_read(
    stream: *mut aws_async_input_stream,
    dest: *mut aws_byte_buf,
) -> *mut aws_future_bool {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            let (stream_ref, dest_ref) = (arg!(stream), arg!(dest));
            let Some(read) = stream_ref.vtable.as_ref().and_then(|t| t.read) else {
                return fail(Code::INVALID_ARGUMENT);
            };
            if dest_ref.len >= dest_ref.capacity {
                return ok!(failed_bool(stream_ref.alloc, Code::SHORT_BUFFER));
            }
            read(stream, dest)
        }
    })
}

#[cfg(test)]
mod tests;
