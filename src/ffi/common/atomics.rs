//! `aws/common/atomics.h`: atomic words; inline in C.

pub use crate::ctypes::aws_atomic_var;
