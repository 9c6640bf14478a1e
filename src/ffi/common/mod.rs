//! Headers `aws/common/*.h`, one file each.
