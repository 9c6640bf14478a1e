//! Header `aws/io/async_stream.h`: sources of bytes that complete their reads later.

use std::ffi::c_void;

use crate::ctypes::{aws_allocator, aws_byte_buf, aws_ref_count};
use crate::ffi::io::future::aws_future_bool;

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
