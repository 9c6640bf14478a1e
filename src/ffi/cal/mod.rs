//! Headers `aws/cal/*.h`, one file each.
