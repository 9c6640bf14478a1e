//! Header `aws/io/stream.h`: sources of bytes, ours and the caller's.

use std::ffi::{c_int, c_void};

use crate::ctypes::{aws_byte_buf, aws_ref_count};

/// What a seek offset counts from: the begin, or (with offsets of 0 or less) the end.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_stream_seek_basis {
    AWS_SSB_BEGIN = 0,
    AWS_SSB_END = 2,
}

/// State of an input stream.
#[repr(C)]
pub struct aws_stream_status {
    /// No further byte will come.
    pub is_end_of_stream: bool,
    /// The stream still works.
    pub is_valid: bool,
}

/// What an input stream does. Callers implement it; the library calls one member at a time for one
/// stream, never from an event-loop thread.
#[repr(C)]
pub struct aws_input_stream_vtable {
    /// Moves the position. AWS_IO_STREAM_INVALID_SEEK_POSITION outside the stream,
    /// AWS_IO_STREAM_SEEK_UNSUPPORTED where there is no seeking.
    pub seek: Option<
        unsafe extern "C" fn(
            stream: *mut aws_input_stream,
            offset: i64,
            basis: aws_stream_seek_basis,
        ) -> c_int,
    >,
    /// Appends at least one byte to `dest`, up to its capacity, or none when none is there now. Must not
    /// grow `dest`. May block.
    pub read: Option<
        unsafe extern "C" fn(stream: *mut aws_input_stream, dest: *mut aws_byte_buf) -> c_int,
    >,
    /// Tells whether the end is reached.
    pub get_status: Option<
        unsafe extern "C" fn(
            stream: *mut aws_input_stream,
            status: *mut aws_stream_status,
        ) -> c_int,
    >,
    /// The whole length in bytes, whatever the position;
    /// AWS_IO_STREAM_GET_LENGTH_UNSUPPORTED where it is not known.
    pub get_length:
        Option<unsafe extern "C" fn(stream: *mut aws_input_stream, out_length: *mut i64) -> c_int>,
    /// Optional. NULL: `ref_count` counts.
    pub acquire: Option<unsafe extern "C" fn(stream: *mut aws_input_stream)>,
    /// Optional. NULL: `ref_count` counts.
    pub release: Option<unsafe extern "C" fn(stream: *mut aws_input_stream)>,
}

/// A source of bytes. Callers implement it by filling in `vtable` and either `ref_count` or the
/// vtable's acquire and release.
#[repr(C)]
pub struct aws_input_stream {
    /// The implementation's own state.
    pub r#impl: *mut c_void,
    pub vtable: *const aws_input_stream_vtable,
    /// Counts references where the vtable does not.
    pub ref_count: aws_ref_count,
}
