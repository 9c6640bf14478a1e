//! Header `aws/auth/signable.h`: what can be signed.

use std::ffi::{c_int, c_void};

use crate::ctypes::{aws_allocator, aws_array_list, aws_byte_cursor, aws_string};
use crate::ffi::io::stream::aws_input_stream;

/// A name and value of a signable's property list.
#[repr(C)]
pub struct aws_signable_property_list_pair {
    pub name: aws_byte_cursor,
    pub value: aws_byte_cursor,
}

/// A named property of what is to be signed. Valid as long as the signable.
pub type aws_signable_get_property_fn = Option<
    unsafe extern "C" fn(
        signable: *const aws_signable,
        name: *const aws_string,
        out_value: *mut aws_byte_cursor,
    ) -> c_int,
>;

/// A named list of aws_signable_property_list_pair. Valid as long as the signable.
pub type aws_signable_get_property_list_fn = Option<
    unsafe extern "C" fn(
        signable: *const aws_signable,
        name: *const aws_string,
        out_list: *mut *mut aws_array_list,
    ) -> c_int,
>;

/// The body, or NULL. Borrowed.
pub type aws_signable_get_payload_stream_fn = Option<
    unsafe extern "C" fn(
        signable: *const aws_signable,
        out_input_stream: *mut *mut aws_input_stream,
    ) -> c_int,
>;

/// Frees a signable.
pub type aws_signable_destroy_fn = Option<unsafe extern "C" fn(signable: *mut aws_signable)>;

/// What a signable does. Callers may implement one.
#[repr(C)]
pub struct aws_signable_vtable {
    pub get_property: aws_signable_get_property_fn,
    pub get_property_list: aws_signable_get_property_list_fn,
    pub get_payload_stream: aws_signable_get_payload_stream_fn,
    pub destroy: aws_signable_destroy_fn,
}

/// Something that can be signed.
#[repr(C)]
pub struct aws_signable {
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
    pub vtable: *mut aws_signable_vtable,
}
