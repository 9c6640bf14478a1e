//! Headers `aws/sdkutils/*.h`, one file each.
