//! The handle of a transfer.
//!
//! It lives in memory of the client's allocator. The caller's last release tells the engine, which
//! makes its last call when the transfer has ended too: then the handle's memory goes back, the
//! shutdown callback comes, and the reference to the client ends; so a client's shutdown callback
//! comes after those of its transfers.

use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use std::ptr::{self, NonNull};
use std::sync::{Arc, OnceLock};

use crate::base::sync::Mutex;

use super::{
    aws_s3_client, aws_s3_file_io_options, aws_s3_meta_request, aws_s3_meta_request_finish_fn,
    aws_s3_meta_request_headers_callback_fn, aws_s3_meta_request_pause_complete_fn,
    aws_s3_meta_request_poll_write_result, aws_s3_meta_request_progress_fn,
    aws_s3_meta_request_receive_body_callback_ex_fn, aws_s3_meta_request_receive_body_callback_fn,
    aws_s3_meta_request_resume_token, aws_s3_meta_request_shutdown_fn,
    aws_s3_meta_request_telemetry_fn, aws_s3_meta_request_type,
    aws_s3_meta_request_upload_review_fn, client, resume_token,
};
use crate::base::{Code, Error, Result};
use crate::body::WriteOutcome;
use crate::client::{MetaRequest, ResumeToken};
use crate::ctypes::{
    aws_allocator, aws_atomic_var, aws_byte_cursor, aws_ref_count, aws_simple_completion_callback,
};
use crate::ffi::adapt::source::StreamSlot;
use crate::ffi::handle::UserData;
use crate::ffi::io::future::aws_future_void;
use crate::ffi::place::{self, bytes_of, ref_acquire, ref_release};
use crate::ffi::raise::{self, AWS_OP_SUCCESS};
use crate::ffi::s3::mem;
use crate::log;

/// What stands behind `struct aws_s3_meta_request`. Buffer pools of real callers read the type of a
/// meta request at the place it has in the reference's private struct; the gaps keep it there.
#[repr(C)]
pub(crate) struct Handle {
    pub(crate) allocator: *mut aws_allocator,
    count: aws_ref_count,
    /// Tells a handle of ours from that of a genuine AWS library, whose own is longer than this.
    tag: u64,
    gap_before_client: [usize; 8],
    /// A reference.
    client: *mut aws_s3_client,
    gap_before_kind: [usize; 13],
    kind: aws_s3_meta_request_type,
    /// Set right after the engine started the transfer; callbacks may come a moment earlier.
    engine: OnceLock<Arc<MetaRequest>>,
    pub(crate) callbacks: Callbacks,
    pub(crate) connections_max: u32,
    pub(crate) file_io: Option<aws_s3_file_io_options>,
    writes: bool,
    stream: Option<StreamSlot>,
    pause: Mutex<Pausing>,
}

const _: () = assert!(offset_of!(Handle, client) == 104 && offset_of!(Handle, kind) == 216);

const TAG: u64 = u64::from_le_bytes(*b"s3f.mreq");

/// The caller's functions and data.
pub(crate) struct Callbacks {
    pub user_data: *mut c_void,
    pub headers: aws_s3_meta_request_headers_callback_fn,
    pub body: aws_s3_meta_request_receive_body_callback_fn,
    pub body_ex: aws_s3_meta_request_receive_body_callback_ex_fn,
    pub finish: aws_s3_meta_request_finish_fn,
    pub shutdown: aws_s3_meta_request_shutdown_fn,
    pub progress: aws_s3_meta_request_progress_fn,
    pub telemetry: aws_s3_meta_request_telemetry_fn,
    pub review: aws_s3_meta_request_upload_review_fn,
    pub on_error_token: aws_s3_meta_request_pause_complete_fn,
}

/// An asynchronous pause, until the finish reports it.
enum Pausing {
    No,
    Asked {
        call: aws_s3_meta_request_pause_complete_fn,
        user_data: UserData,
        token: Option<ResumeToken>,
    },
    Finished,
}

/// What a new handle is made of.
pub(crate) struct New {
    pub allocator: *mut aws_allocator,
    pub client: *mut aws_s3_client,
    pub kind: aws_s3_meta_request_type,
    pub callbacks: Callbacks,
    pub connections_max: u32,
    pub file_io: Option<aws_s3_file_io_options>,
    pub writes: bool,
    pub stream: Option<StreamSlot>,
}

impl Handle {
    /// A handle with the caller's reference. Takes a reference to the client.
    ///
    /// # Safety
    /// Allocator and client are live.
    pub(crate) unsafe fn create(new: New) -> Result<NonNull<Handle>> {
        let handle = Handle {
            allocator: new.allocator,
            count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: ptr::null_mut(),
                on_zero_fn: Some(let_go),
            },
            tag: place::mark(TAG),
            gap_before_client: [0; 8],
            client: new.client,
            gap_before_kind: [0; 13],
            kind: new.kind,
            engine: OnceLock::new(),
            callbacks: new.callbacks,
            connections_max: new.connections_max,
            file_io: new.file_io,
            writes: new.writes,
            stream: new.stream,
            pause: Mutex::new(Pausing::No),
        };
        // SAFETY: by the contract.
        unsafe {
            let mut place = mem::put(new.allocator, handle)?;
            place.as_mut().count.object = place.as_ptr().cast();
            client::acquire(new.client);
            Ok(place)
        }
    }

    /// Takes a handle apart whose transfer never started; no callback comes.
    ///
    /// # Safety
    /// Nobody else has the handle.
    pub(crate) unsafe fn discard(this: NonNull<Handle>) {
        // SAFETY: by the contract.
        unsafe {
            let handle = mem::take(this.as_ref().allocator, this);
            client::release(handle.client);
        }
    }

    /// The engine's side of the handle.
    pub(crate) fn set_engine(&self, engine: Arc<MetaRequest>) {
        let _ = self.engine.set(engine);
    }

    /// Waits the moment until the starting thread has stored the engine's side.
    fn engine(&self) -> &Arc<MetaRequest> {
        self.engine.wait()
    }

    pub(crate) fn refresh_client_figures(&self) {
        // SAFETY: the handle holds a reference to the client.
        unsafe { client::refresh_figures(self.client) };
    }

    /// Reports a pause, or a failure to who wants a token; before the finish callback.
    pub(crate) fn finish(&self, error: Option<Error>) {
        let before = std::mem::replace(&mut *self.pause.lock(), Pausing::Finished);
        let this = ptr::from_ref(self).cast_mut().cast::<aws_s3_meta_request>();
        if let Pausing::Asked { call: Some(call), user_data, token } = before {
            let paused = error.is_some_and(|e| e.code == Code::S3_PAUSED);
            let token = token.filter(|_| paused).map(resume_token::State::Upload);
            // SAFETY: the allocator outlives the handle.
            let made = token.map(|t| unsafe { resume_token::create(self.allocator, t) });
            let c_token = match made {
                Some(Ok(token)) => token,
                _ => ptr::null_mut(),
            };
            let code = if paused { 0 } else { error.map_or(0, |e| e.code.0) };
            // SAFETY: the caller's function with its own data; our reference ends after it.
            unsafe {
                call(this, c_token, code, user_data.0);
                resume_token::release(c_token);
            }
            return;
        }
        if let (Some(call), Some(error)) = (self.callbacks.on_error_token, error) {
            // No state is kept for a transfer that failed: NULL says so.
            // SAFETY: the caller's function with its own data.
            unsafe { call(this, ptr::null_mut(), error.code.0, self.callbacks.user_data) };
        }
    }

    /// The engine's last call: the transfer has ended and the caller has let go.
    ///
    /// # Safety
    /// Nobody uses the handle any more.
    pub(crate) unsafe fn end(this: NonNull<Handle>) {
        // SAFETY: by the contract. The client's reference keeps the allocator's owner until after
        // the callback.
        unsafe {
            let handle = mem::take(this.as_ref().allocator, this);
            if let Some(slot) = &handle.stream {
                drop(slot.lock().take());
            }
            let (client, shutdown) = (handle.client, handle.callbacks.shutdown);
            let user_data = handle.callbacks.user_data;
            drop(handle);
            if let Some(call) = shutdown {
                call(user_data);
            }
            client::release(client);
        }
    }
}

/// The caller's last reference is gone.
unsafe extern "C" fn let_go(object: *mut c_void) {
    // SAFETY: the engine's last call, which frees the handle, comes after its `release`.
    let engine = unsafe { &*object.cast::<Handle>() }.engine().clone();
    engine.release();
}

/// The handle behind a caller's pointer.
unsafe fn view<'a>(meta_request: *const aws_s3_meta_request) -> Option<&'a Handle> {
    let handle = meta_request.cast::<Handle>();
    if handle.is_null() {
        return None;
    }
    // SAFETY: a meta request of any AWS library is longer than what is read here.
    if !handle.is_aligned() || unsafe { (&raw const (*handle).tag).read() } != place::mark(TAG) {
        place::refuse("aws_s3_meta_request", meta_request.addr());
        return None;
    }
    // SAFETY: the tag says that `Handle::create` made it.
    Some(unsafe { &*handle })
}

/// Gives up a reference.
///
/// # Safety
/// `meta_request` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn release(meta_request: *mut aws_s3_meta_request) {
    // SAFETY: by the contract.
    if unsafe { view(meta_request) }.is_some() {
        // SAFETY: the reference is the caller's to give up.
        unsafe { ref_release(&raw const (*meta_request.cast::<Handle>()).count) };
    }
}

/// Connections a transfer was limited to, and its file options.
///
/// # Safety
/// `meta_request` is NULL or live.
pub(crate) unsafe fn limits(
    meta_request: *const aws_s3_meta_request,
) -> Option<(u32, Option<aws_s3_file_io_options>)> {
    // SAFETY: by the contract.
    unsafe { view(meta_request) }.map(|h| (h.connections_max, h.file_io))
}

/// Adds a reference and returns `meta_request`. Any thread.
///
/// # Safety
/// `meta_request` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_acquire(
    meta_request: *mut aws_s3_meta_request,
) -> *mut aws_s3_meta_request {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { view(meta_request) } {
            // SAFETY: the caller's reference keeps the count above zero.
            Some(h) => unsafe { ref_acquire(&raw const h.count) },
            None => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
        meta_request
    })
}

/// Gives up a reference. A transfer under way goes on; its shutdown callback comes when it has
/// ended and the last reference is gone, maybe before this returns. NULL is nothing. Returns NULL.
/// Any thread.
///
/// # Safety
/// `meta_request` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_release(
    meta_request: *mut aws_s3_meta_request,
) -> *mut aws_s3_meta_request {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { release(meta_request) };
        ptr::null_mut()
    })
}

/// Ends a transfer with AWS_ERROR_S3_CANCELED, unless it has ended. Returns at once; the finish
/// callback comes. Any thread, callbacks included.
///
/// # Safety
/// `meta_request` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_cancel(meta_request: *mut aws_s3_meta_request) {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { view(meta_request) } {
            Some(h) => h.engine().cancel(),
            None => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
    })
}

/// Lets a download deliver `bytes` more. Without effect where the client has no read back-pressure.
/// Any thread, callbacks included.
///
/// # Safety
/// `meta_request` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_increment_read_window(
    meta_request: *mut aws_s3_meta_request,
    bytes: u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { view(meta_request) } {
            Some(h) if bytes > 0 => h.engine().grow_read_window(bytes),
            Some(_) => {}
            None => {
                raise::raise(Code::INVALID_ARGUMENT);
            }
        }
    })
}

/// Pauses an upload: it ends with AWS_ERROR_S3_PAUSED and what was uploaded stays on the server.
/// `*out_resume_token` is what a later upload goes on with, the caller's to release; NULL where
/// nothing was begun, which means to start again. AWS_OP_ERR with AWS_ERROR_UNSUPPORTED_OPERATION
/// for transfers that are no multipart upload of known length. Requests under way may still end.
/// Any thread.
///
/// # Safety
/// `meta_request` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_pause(
    meta_request: *mut aws_s3_meta_request,
    out_resume_token: *mut *mut aws_s3_meta_request_resume_token,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        let (Some(h), Some(out)) = (unsafe { (view(meta_request), out_resume_token.as_mut()) })
        else {
            return raise::raise(Code::INVALID_ARGUMENT);
        };
        *out = ptr::null_mut();
        if h.kind != aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT {
            return raise::raise(Code::UNSUPPORTED_OPERATION);
        }
        if let Some(token) = ok!(h.engine().pause()) {
            let state = resume_token::State::Upload(token);
            // SAFETY: the allocator outlives the handle.
            *out = ok!(unsafe { resume_token::create(h.allocator, state) });
        }
        AWS_OP_SUCCESS
    })
}

/// Pauses a transfer: `on_complete` is called before the finish callback, with the token where the
/// pause succeeded. Where a pause is under way already it is called at once with
/// AWS_ERROR_INVALID_STATE. AWS_OP_ERR with AWS_ERROR_UNSUPPORTED_OPERATION where the transfer
/// cannot be paused. Any thread.
///
/// # Safety
/// `meta_request` is NULL or live; `user_data` is valid for the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_pause_async(
    meta_request: *mut aws_s3_meta_request,
    on_complete: aws_s3_meta_request_pause_complete_fn,
    user_data: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        let (Some(h), Some(call)) = (unsafe { view(meta_request) }, on_complete) else {
            return raise::raise(Code::INVALID_ARGUMENT);
        };
        let mut pause = h.pause.lock();
        if !matches!(*pause, Pausing::No) {
            drop(pause);
            // SAFETY: the caller's function with its own data.
            unsafe { call(meta_request, ptr::null_mut(), Code::INVALID_STATE.0, user_data) };
            return AWS_OP_SUCCESS;
        }
        // The finish cannot come in between: it waits for this lock.
        let token = match h.engine().pause() {
            Ok(token) => token,
            Err(e) => {
                drop(pause);
                return raise::raise(e.code);
            }
        };
        *pause = Pausing::Asked { call: on_complete, user_data: UserData(user_data), token };
        AWS_OP_SUCCESS
    })
}

/// Hands bytes of an upload over, made with `send_using_async_writes`.
///
/// Takes what fits, at least one byte of a non-empty `data` unless it is pending; `bytes_processed`
/// says how much. `eof` counts only where all of `data` was taken. Where nothing fits, `is_pending`
/// is set and `waker` is called once, on any thread, when another call may succeed; do not call
/// before. `error_code` not 0: the transfer ends by itself (AWS_ERROR_S3_REQUEST_HAS_COMPLETED where
/// it has ended). Never blocks. One thread at a time.
///
/// # Safety
/// `meta_request` is NULL or live; `data` is readable; `user_data` is valid for the waker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_poll_write(
    meta_request: *mut aws_s3_meta_request,
    data: aws_byte_cursor,
    eof: bool,
    waker: aws_simple_completion_callback,
    user_data: *mut c_void,
) -> aws_s3_meta_request_poll_write_result {
    ffi_fn!({
        let failed = |code: Code| aws_s3_meta_request_poll_write_result {
            is_pending: false,
            error_code: code.0,
            bytes_processed: 0,
        };
        // SAFETY: by the contract.
        let (Some(h), Some(wake)) = (unsafe { view(meta_request) }, waker) else {
            return failed(Code::INVALID_ARGUMENT);
        };
        if !h.writes {
            log!(S3MetaRequest, Error, meta_request, "not made with send_using_async_writes");
            return failed(Code::INVALID_STATE);
        }
        // SAFETY: by the contract.
        let bytes = match unsafe { bytes_of(data) } {
            Ok(bytes) => bytes,
            Err(e) => return failed(e.code),
        };
        let user_data = UserData(user_data);
        let wake = Box::new(move || {
            let user_data = user_data;
            // SAFETY: the caller's function with its own data.
            unsafe { wake(user_data.0) };
        });
        match h.engine().poll_write(bytes, eof, wake) {
            WriteOutcome::Taken(n) => aws_s3_meta_request_poll_write_result {
                is_pending: false,
                error_code: 0,
                bytes_processed: n,
            },
            WriteOutcome::Pending => aws_s3_meta_request_poll_write_result {
                is_pending: true,
                error_code: 0,
                bytes_processed: 0,
            },
            WriteOutcome::Failed(e) => failed(e.code),
        }
    })
}

/// Hands bytes of an upload over, made with `send_using_async_writes`. `data` must stay valid until
/// the future is done; the future is the caller's to release. One call at a time. `eof` ends the
/// body. An error in the future means that the transfer ends by itself
/// (AWS_ERROR_S3_REQUEST_HAS_COMPLETED where it has ended). Any thread.
///
/// # Safety
/// `meta_request` is live; `data` is readable until the future is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_write(
    meta_request: *mut aws_s3_meta_request,
    data: aws_byte_cursor,
    eof: bool,
) -> *mut aws_future_void {
    ffi_fn!({
        // SAFETY: by the contract.
        let Some(h) = (unsafe { view(meta_request) }) else {
            return raise::raise_null(Code::INVALID_ARGUMENT);
        };
        // SAFETY: the allocator outlives the handle.
        let future = ok!(unsafe { crate::ffi::io::future::new_void(h.allocator) });
        // SAFETY: the future has our reference and one for the engine's answer.
        unsafe {
            let core = future.as_ref();
            if !h.writes {
                core.fail(Code::INVALID_STATE.0);
                return future.as_ptr().cast();
            }
            let bytes = match bytes_of(data) {
                Ok(bytes) => bytes,
                Err(e) => {
                    core.fail(e.code.0);
                    return future.as_ptr().cast();
                }
            };
            core.acquire();
            let answer = Answer(future);
            h.engine().write(
                bytes,
                eof,
                Box::new(move |outcome| {
                    let answer = answer;
                    answer.give(outcome);
                }),
            );
        }
        future.as_ptr().cast()
    })
}

/// A reference to the future of a write.
struct Answer(NonNull<crate::ffi::s3::future::Future>);

// SAFETY: futures may be used on any thread.
unsafe impl Send for Answer {}

impl Answer {
    fn give(self, outcome: Result<()>) {
        // SAFETY: the reference is ours to give up.
        unsafe {
            match outcome {
                Ok(()) => self.0.as_ref().succeed(ptr::null_mut()),
                Err(e) => self.0.as_ref().fail(e.code.0),
            }
            crate::ffi::s3::future::Future::release(self.0);
        }
    }
}
