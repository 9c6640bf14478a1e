//! Header `aws/auth/signing_result.h`: what signing added.

use crate::ctypes::{aws_allocator, aws_hash_table, aws_string};

/// A name and value of a signing result's list.
#[repr(C)]
pub struct aws_signing_result_property {
    pub name: *mut aws_string,
    pub value: *mut aws_string,
}

/// What signing added: properties and lists of headers and query parameters.
#[repr(C)]
pub struct aws_signing_result {
    pub allocator: *mut aws_allocator,
    pub properties: aws_hash_table,
    pub property_lists: aws_hash_table,
}
