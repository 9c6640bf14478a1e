//! Headers `aws/auth/*.h`, one file each.

pub mod auth;
pub mod aws_imds_client;
pub mod credentials;
pub mod signable;
pub mod signing;
pub mod signing_config;
pub mod signing_result;
