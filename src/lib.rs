//! libs3fast: an S3 client library behind the C ABI of aws-c-s3.
//!
//! The map of the house. Imports go down only; `tidy` (in `tests/tidy.rs`) enforces the table.
//!
//! | floor | rooms |
//! |---|---|
//! | 4 | `ffi`: the C surface, the only exports. Translate, delegate, return. |
//! | 3 | `client`: the conductor: endpoints, work tick, retry, limits, statistics, shutdown order. |
//! | 2 | `conn` a connection and the pool; `reactor` event loops; `buffer` part memory; `body` where bytes come from and go to; `delivery` serial queues for caller code; `hashing` the MD5 lane servers; `identity` credential providers. |
//! | 1 | `meta` meta request machines; `s3msg` S3 on the wire; `http1` the codec; `sigv4`; `retry`; `endpoint`; `text`; `checksum`; `placement`. All sans-io. |
//! | 0 | `ctypes` containers whose C layout is ABI; `simd` kernels; `sys` system calls; `base` shared values. |

#![deny(unsafe_op_in_unsafe_fn)]
#![warn(rust_2018_idioms)]

pub mod base;
pub mod body;
pub mod buffer;
pub mod checksum;
pub mod client;
pub mod conn;
pub mod ctypes;
pub mod delivery;
pub mod endpoint;
pub mod ffi;
pub mod hashing;
pub mod http1;
pub mod identity;
pub mod meta;
pub mod placement;
pub mod reactor;
pub mod retry;
pub mod s3msg;
pub mod sigv4;
pub mod simd;
pub mod sys;
pub mod text;
