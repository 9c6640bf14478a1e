//! `aws/common/array_list.h`: contiguous lists of items of any size.

pub use crate::ctypes::aws_array_list;
