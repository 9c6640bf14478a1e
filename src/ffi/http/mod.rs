//! Headers `aws/http/*.h`, one file each.

pub mod connection;
pub mod connection_manager;
#[allow(clippy::module_inception, reason = "one file per header, same stem")]
pub mod http;
pub mod proxy;
pub mod request_response;
pub mod status_code;
