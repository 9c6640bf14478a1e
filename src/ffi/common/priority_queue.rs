//! `aws/common/priority_queue.h`: types only.

pub use crate::ctypes::{
    aws_priority_queue, aws_priority_queue_compare_fn, aws_priority_queue_node,
};
