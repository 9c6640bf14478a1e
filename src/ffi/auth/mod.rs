//! Headers `aws/auth/*.h`, one file each.
