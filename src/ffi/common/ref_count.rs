//! `aws/common/ref_count.h`.

pub use crate::ctypes::aws_ref_count;
