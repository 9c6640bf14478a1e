//! `aws/common/hash_table.h`.

pub use crate::ctypes::{
    aws_hash_callback_destroy_fn, aws_hash_callback_eq_fn, aws_hash_element, aws_hash_fn,
    aws_hash_iter, aws_hash_iter_status, aws_hash_table, hash_table_state,
};
