//! `aws/common/condition_variable.h`.

pub use crate::ctypes::aws_condition_variable;
