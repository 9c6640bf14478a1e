//! Header `aws/io/future.h`: one value that comes later, and who waits for it.
//!
//! What a reader of an asynchronous stream needs: futures of a bool and of nothing. Both are the
//! pointer future that the part buffers use too; a bool travels as a pointer that is NULL or not.

use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null_mut};

use crate::base::{Code, Error, Result};
use crate::ctypes::aws_allocator;
use crate::ffi::io::channel::aws_channel;
use crate::ffi::io::event_loop::{aws_event_loop, loop_of};
use crate::ffi::raise::{fail, raise};
use crate::ffi::s3::future::{Future, Place, Post};

/// A future is done. Called once, on the thread the registration asked for, else on the thread that
/// completed the future, or at once when it was done already.
pub type aws_future_callback_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A future of a bool. Opaque.
pub struct aws_future_bool {
    _private: [u8; 0],
}

/// A future of nothing but success or an error. Opaque.
pub struct aws_future_void {
    _private: [u8; 0],
}

/// A bool or nothing owns no memory.
unsafe fn keep(_result: *mut c_void) {}

unsafe fn future_new<C>(allocator: *mut aws_allocator) -> Result<*mut C> {
    if allocator.is_null() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: the exports' contract: the allocator is live and outlives the future.
    unsafe { Future::create(allocator, keep) }.map(|f| f.as_ptr().cast())
}

/// A future without a value, with one reference.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the future.
pub unsafe fn new_void(allocator: *mut aws_allocator) -> Result<NonNull<Future>> {
    // SAFETY: by the contract.
    unsafe { Future::create(allocator, keep) }
}

/// # Safety
/// `future` is NULL or a live future of this header for `'a`.
unsafe fn core<'a, C>(future: *const C) -> Result<&'a Future> {
    // SAFETY: by the contract.
    unsafe { Future::view(future.cast()) }.ok_or(Error::new(Code::INVALID_ARGUMENT))
}

unsafe fn future_release<C>(future: *mut C) {
    // SAFETY: the exports' contract.
    let ours = unsafe { Future::view(future.cast()) }.is_some();
    if let (true, Some(future)) = (ours, NonNull::new(future.cast())) {
        // SAFETY: the exports' contract: the reference is the caller's to give up.
        unsafe { Future::release(future) };
    }
}

unsafe fn register<C>(
    future: *mut C,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
    place: Place,
    even_if_done: bool,
) -> Result<bool> {
    // SAFETY: the exports' contract.
    let future = unsafe { core(future)? };
    let call = on_done.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
    Ok(future.on_done(call, user_data, place, even_if_done))
}

unsafe fn post_to(event_loop: *const aws_event_loop) -> Result<Post> {
    // SAFETY: the exports' contract.
    let handle = unsafe { loop_of(event_loop)? }.handle().clone();
    Ok(Box::new(move |job| handle.post(move |_| job())))
}

/// A future of a bool that has ended with an error.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the future.
pub unsafe fn failed_bool(
    allocator: *mut aws_allocator,
    code: Code,
) -> Result<*mut aws_future_bool> {
    // SAFETY: by the contract.
    unsafe {
        let made: *mut aws_future_bool = future_new(allocator)?;
        core(made)?.fail(code.0);
        Ok(made)
    }
}

/// Waits for somebody's future of a bool.
///
/// # Safety
/// `future` is NULL or live; its reference is the callee's from now on. `done` is called once.
pub unsafe fn bool_then(future: *mut aws_future_bool, done: Box<dyn FnOnce(Result<bool>) + Send>) {
    struct Waiting {
        future: *mut aws_future_bool,
        done: Box<dyn FnOnce(Result<bool>) + Send>,
    }
    unsafe extern "C" fn tell(user_data: *mut c_void) {
        // SAFETY: the box below, given once; its reference keeps the future.
        unsafe {
            let waiting = Box::from_raw(user_data.cast::<Waiting>());
            let outcome = core(waiting.future).and_then(|f| match f.error()? {
                0 => f.peek().map(|p| !p.is_null()),
                code => Err(Error::new(Code(code))),
            });
            future_release(waiting.future);
            (waiting.done)(outcome);
        }
    }
    if future.is_null() {
        return done(Err(Error::new(Code::INVALID_ARGUMENT)));
    }
    let waiting = Box::into_raw(Box::new(Waiting { future, done }));
    // SAFETY: by the contract; the callback is called once, whether the future is done or not.
    if let Ok(future) = unsafe { core(future) } {
        future.on_done(tell, waiting.cast(), Place::Inline, true);
    }
}

/// A new future of a bool.
///
/// `alloc`: required; outlives the future. Returns a future with one reference, to be given back with
/// aws_future_bool_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_new(alloc: *mut aws_allocator) -> *mut aws_future_bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { future_new(alloc) })
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_acquire(
    future: *mut aws_future_bool,
) -> *mut aws_future_bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        if let Ok(core) = unsafe { core(future) } {
            core.acquire();
        }
        future
    })
}

/// Gives one reference back and returns NULL. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_release(
    future: *mut aws_future_bool,
) -> *mut aws_future_bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { future_release(future) };
        null_mut()
    })
}

/// Ends the future with a result; ignored where it has ended. Callbacks may be called before this
/// returns. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_set_result(future: *mut aws_future_bool, result: bool) {
    ffi_fn!(calls_out {
        let value = if result { NonNull::dangling().as_ptr() } else { null_mut() };
        // SAFETY: the caller's promise.
        match unsafe { core(future) } {
            // SAFETY: the value owns nothing.
            Ok(core) => unsafe { core.succeed(value) },
            Err(error) => fail(error.code),
        }
    })
}

/// The result. Where the future is not done, or ended with an error: false with
/// AWS_ERROR_INVALID_STATE raised. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_get_result(future: *const aws_future_bool) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        !ok!(unsafe { core(future) }.and_then(Future::peek)).is_null()
    })
}

/// Ends the future with an error (0 is taken for AWS_ERROR_UNKNOWN); ignored where it has ended.
/// Callbacks may be called before this returns. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_set_error(
    future: *mut aws_future_bool,
    error_code: c_int,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        match unsafe { core(future) } {
            Ok(core) => core.fail(error_code),
            Err(error) => fail(error.code),
        }
    })
}

/// Whether the future has ended. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_is_done(future: *const aws_future_bool) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { core(future) }).is_done()
    })
}

/// The error the future ended with; 0 for success. AWS_ERROR_INVALID_STATE where it has not ended. Any
/// thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_get_error(future: *const aws_future_bool) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        match unsafe { core(future) }.and_then(Future::error) {
            Ok(code) => code,
            Err(error) => {
                raise(error.code);
                error.code.0
            }
        }
    })
}

/// Calls `on_done` once when the future ends: on the thread that ends it, or before this returns where it
/// has ended. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_register_callback(
    future: *mut aws_future_bool,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        ok!(unsafe { register(future, on_done, user_data, Place::Inline, true) });
    })
}

/// As the function without the condition, but where the future has ended nothing is registered and false
/// returned. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_register_callback_if_not_done(
    future: *mut aws_future_bool,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { register(future, on_done, user_data, Place::Inline, false) })
    })
}

/// Calls `on_done` once on this event loop's thread, when the future has ended. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_register_event_loop_callback(
    future: *mut aws_future_bool,
    event_loop: *mut aws_event_loop,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let post = ok!(post_to(event_loop));
            ok!(register(future, on_done, user_data, Place::Posted(post), true));
        }
    })
}

/// Refused with AWS_ERROR_UNIMPLEMENTED: this library makes no channels.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_register_channel_callback(
    future: *mut aws_future_bool,
    channel: *mut aws_channel,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!({
        let _ = (future, channel, on_done, user_data);
        waits!("channels")
    })
}

/// Blocks until the future ends or `timeout_ns` nanoseconds are over; returns whether it has ended. Not on
/// an event loop that has to end it.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_bool_wait(
    future: *mut aws_future_bool,
    timeout_ns: u64,
) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { core(future) }).wait(timeout_ns)
    })
}

/// A new future of nothing but success.
///
/// `alloc`: required; outlives the future. Returns a future with one reference, to be given back with
/// aws_future_void_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_new(alloc: *mut aws_allocator) -> *mut aws_future_void {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { future_new(alloc) })
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_acquire(
    future: *mut aws_future_void,
) -> *mut aws_future_void {
    ffi_fn!({
        // SAFETY: the caller's promise.
        if let Ok(core) = unsafe { core(future) } {
            core.acquire();
        }
        future
    })
}

/// Gives one reference back and returns NULL. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_release(
    future: *mut aws_future_void,
) -> *mut aws_future_void {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { future_release(future) };
        null_mut()
    })
}

/// Ends the future with success; ignored where it has ended. Callbacks may be called before this
/// returns. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_set_result(future: *mut aws_future_void) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        match unsafe { core(future) } {
            // SAFETY: the value owns nothing.
            Ok(core) => unsafe { core.succeed(null_mut()) },
            Err(error) => fail(error.code),
        }
    })
}

/// Ends the future with an error (0 is taken for AWS_ERROR_UNKNOWN); ignored where it has ended.
/// Callbacks may be called before this returns. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_set_error(
    future: *mut aws_future_void,
    error_code: c_int,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        match unsafe { core(future) } {
            Ok(core) => core.fail(error_code),
            Err(error) => fail(error.code),
        }
    })
}

/// Whether the future has ended. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_is_done(future: *const aws_future_void) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { core(future) }).is_done()
    })
}

/// The error the future ended with; 0 for success. AWS_ERROR_INVALID_STATE where it has not ended. Any
/// thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_get_error(future: *const aws_future_void) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        match unsafe { core(future) }.and_then(Future::error) {
            Ok(code) => code,
            Err(error) => {
                raise(error.code);
                error.code.0
            }
        }
    })
}

/// Calls `on_done` once when the future ends: on the thread that ends it, or before this returns where it
/// has ended. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_register_callback(
    future: *mut aws_future_void,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        ok!(unsafe { register(future, on_done, user_data, Place::Inline, true) });
    })
}

/// As the function without the condition, but where the future has ended nothing is registered and false
/// returned. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_register_callback_if_not_done(
    future: *mut aws_future_void,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { register(future, on_done, user_data, Place::Inline, false) })
    })
}

/// Calls `on_done` once on this event loop's thread, when the future has ended. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_register_event_loop_callback(
    future: *mut aws_future_void,
    event_loop: *mut aws_event_loop,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let post = ok!(post_to(event_loop));
            ok!(register(future, on_done, user_data, Place::Posted(post), true));
        }
    })
}

/// Refused with AWS_ERROR_UNIMPLEMENTED: this library makes no channels.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_register_channel_callback(
    future: *mut aws_future_void,
    channel: *mut aws_channel,
    on_done: aws_future_callback_fn,
    user_data: *mut c_void,
) {
    ffi_fn!({
        let _ = (future, channel, on_done, user_data);
        waits!("channels")
    })
}

/// Blocks until the future ends or `timeout_ns` nanoseconds are over; returns whether it has ended. Not on
/// an event loop that has to end it.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_future_void_wait(
    future: *mut aws_future_void,
    timeout_ns: u64,
) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { core(future) }).wait(timeout_ns)
    })
}

#[cfg(test)]
mod tests;
