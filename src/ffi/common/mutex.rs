//! `aws/common/mutex.h`.

pub use crate::ctypes::aws_mutex;
