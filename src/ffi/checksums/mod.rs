//! Headers `aws/checksums/*.h`, one file each.
