//! `aws/common/shutdown_types.h`: who is told when something has ended.

pub use crate::ctypes::{aws_shutdown_callback_options, aws_simple_completion_callback};
