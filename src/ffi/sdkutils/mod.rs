//! Headers `aws/sdkutils/*.h`, one file each.

pub mod aws_profile;
