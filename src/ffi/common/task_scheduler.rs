//! `aws/common/task_scheduler.h`: tasks.

pub use crate::ctypes::{aws_task, aws_task_fn, aws_task_status};
