//! The array list (contiguous, any item size) and the intrusive, doubly linked list.

use std::ffi::c_void;

use super::alloc::aws_allocator;

/// `length` items of `item_size` bytes, one after another. `alloc` is NULL for a list over memory
/// of the caller's, which cannot grow.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_array_list {
    pub alloc: *mut aws_allocator,
    /// Bytes the block holds.
    pub current_size: usize,
    /// Items in use.
    pub length: usize,
    pub item_size: usize,
    pub data: *mut c_void,
}

/// A link inside an item of a linked list.
#[repr(C)]
pub struct aws_linked_list_node {
    pub next: *mut aws_linked_list_node,
    pub prev: *mut aws_linked_list_node,
}

/// A doubly linked list between two sentinels. It must not move while it has nodes.
#[repr(C)]
pub struct aws_linked_list {
    pub head: aws_linked_list_node,
    pub tail: aws_linked_list_node,
}
