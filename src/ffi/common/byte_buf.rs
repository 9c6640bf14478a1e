//! `aws/common/byte_buf.h`: byte buffers and views.

pub use crate::ctypes::{aws_byte_buf, aws_byte_cursor};
