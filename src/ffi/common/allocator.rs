//! `aws/common/allocator.h`: where memory that C may touch comes from.

pub use crate::ctypes::aws_allocator;
