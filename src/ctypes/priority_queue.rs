//! The priority queue whose layout other structs contain.

use std::ffi::{c_int, c_void};

use super::list::aws_array_list;

/// Compares two items: above zero when `a` comes after `b`.
pub type aws_priority_queue_compare_fn =
    Option<unsafe extern "C" fn(a: *const c_void, b: *const c_void) -> c_int>;

/// A binary heap over an array list.
#[repr(C)]
pub struct aws_priority_queue {
    /// The order of the items.
    pub pred: aws_priority_queue_compare_fn,
    pub container: aws_array_list,
    /// For each item the node that follows its place, where it has one.
    pub backpointers: aws_array_list,
}

/// Knows where its item stands in a queue, so that it can be taken out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_priority_queue_node {
    /// The place, or SIZE_MAX when not in a queue.
    pub current_index: usize,
}
