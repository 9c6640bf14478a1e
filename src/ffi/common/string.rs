//! `aws/common/string.h`: immutable strings.

pub use crate::ctypes::aws_string;
