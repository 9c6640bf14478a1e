//! Headers `aws/s3/*.h`, one file each.
//!
//! Beside them: `future` (the core of C futures), `mem` (values in a caller's allocator),
//! `platform` (EC2 instance families).

pub mod future;
pub mod mem;
pub mod platform;
pub mod private;
pub mod s3;
pub mod s3_buffer_pool;
pub mod s3_client;
pub mod s3_endpoint_resolver;
pub mod s3express_credentials_provider;
