//! The hash table handed to C: open addressing, keys and values as pointers.

use std::ffi::{c_int, c_void};

/// Hashes a key.
pub type aws_hash_fn = Option<unsafe extern "C" fn(key: *const c_void) -> u64>;

/// Whether two keys are the same.
pub type aws_hash_callback_eq_fn =
    Option<unsafe extern "C" fn(a: *const c_void, b: *const c_void) -> bool>;

/// Called with a key or a value that leaves the table.
pub type aws_hash_callback_destroy_fn = Option<unsafe extern "C" fn(key_or_value: *mut c_void)>;

/// The table's inside.
#[repr(C)]
pub struct hash_table_state {
    _private: [u8; 0],
}

/// A hash table; all of it lives behind the pointer.
#[repr(C)]
pub struct aws_hash_table {
    pub p_impl: *mut hash_table_state,
}

/// A key and its value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_hash_element {
    pub key: *const c_void,
    pub value: *mut c_void,
}

/// Where an iterator stands.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_hash_iter_status {
    AWS_HASH_ITER_STATUS_DONE,
    AWS_HASH_ITER_STATUS_DELETE_CALLED,
    AWS_HASH_ITER_STATUS_READY_FOR_USE,
}

/// A walk over all elements of a table, which must not change meanwhile.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_hash_iter {
    pub map: *const aws_hash_table,
    /// The element it stands on.
    pub element: aws_hash_element,
    pub slot: usize,
    pub limit: usize,
    pub status: aws_hash_iter_status,
    pub unused_0: c_int,
    pub unused_1: *mut c_void,
    pub unused_2: *mut c_void,
}
