//! `aws/common/linked_list.h`: intrusive lists; all inline in C.

pub use crate::ctypes::{aws_linked_list, aws_linked_list_node};
