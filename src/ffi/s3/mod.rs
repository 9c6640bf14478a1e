//! Headers `aws/s3/*.h`, one file each.
