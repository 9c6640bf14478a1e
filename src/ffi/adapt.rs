//! C callbacks and C tables as the engine's Rust traits: the engine never sees a C pointer.
//!
//! | file | C | trait |
//! |---|---|---|
//! | `observer` | the callbacks of a meta request | `client::Observer` |
//! | `source` | a caller's input stream | `body::InputStream` |
//! | `pool` | a caller's buffer pool and tickets | `buffer::ForeignPool`, `ForeignTicket` |
//! | `retry` | a caller's retry strategy | `client::RetryPolicy`, `RetryToken` |
//! | `retry_own` | none: the strategy of a client without one | the same |
//! | `signing` | signing options, credentials and their provider | `client::Signing`, `Credentials` |
//! | `resolver` | the cache behind a host resolver | `client::Resolver` |
//!
//! A call-out is made with no lock of ours held and with no value alive whose destructor matters:
//! what must be given back afterwards is a plain pointer or `ManuallyDrop`, so that a callback that
//! ends its thread loses that memory and nothing else.

pub(crate) mod observer;
pub(crate) mod pool;
pub(crate) mod resolver;
pub(crate) mod retry;
pub(crate) mod retry_own;
pub(crate) mod signing;
pub(crate) mod source;
