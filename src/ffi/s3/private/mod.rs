//! Headers `aws/s3/private/*.h` whose functions real programs use.
