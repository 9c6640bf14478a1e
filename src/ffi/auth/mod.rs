//! Headers `aws/auth/*.h`, one file each.

#[allow(clippy::module_inception, reason = "one file per header, same stem")]
pub mod auth;
pub mod aws_imds_client;
pub mod credentials;
pub mod signable;
pub mod signing;
pub mod signing_config;
pub mod signing_result;
