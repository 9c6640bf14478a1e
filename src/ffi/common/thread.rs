//! `aws/common/thread.h`.

pub use crate::ctypes::{
    aws_thread, aws_thread_detach_state, aws_thread_id_t, aws_thread_join_strategy,
    aws_thread_once, aws_thread_options,
};
