//! Headers `aws/io/*.h`, one file each.
