//! Headers `aws/checksums/*.h`, one file each.

pub mod crc;
