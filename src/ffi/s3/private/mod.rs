//! Headers `aws/s3/private/*.h` whose functions real programs use.

pub mod s3_default_buffer_pool;
