//! Headers `aws/s3/private/*.h` whose functions real programs use.

pub mod s3_default_buffer_pool;
pub mod s3_list_objects;
pub mod s3_paginator;
