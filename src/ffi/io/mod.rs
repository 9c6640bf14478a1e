//! Headers `aws/io/*.h`, one file each.

pub mod async_stream;
pub mod channel;
pub mod channel_bootstrap;
pub mod event_loop;
pub mod future;
pub mod host_resolver;
#[allow(clippy::module_inception, reason = "one file per header, same stem")]
pub mod io;
pub mod logging;
pub mod retry_strategy;
pub mod socket;
pub mod stream;
pub mod tls_channel_handler;
