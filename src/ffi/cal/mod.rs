//! Headers `aws/cal/*.h`, one file each.

pub mod hash;
