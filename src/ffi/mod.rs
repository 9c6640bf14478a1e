//! The C surface. The only exports; nobody imports this room.
//!
//! One Rust file per C header, same stem: `aws/s3/s3_client.h` is `ffi/s3/s3_client.rs`. The headers
//! are generated from these files, docs included. A function here translates its arguments, hands
//! over to an inner function and returns; it never calls through an exported name, because another
//! library in the process may have bound that name first.
//!
//! | file | job |
//! |---|---|
//! | `guard` | `ffi_fn!`: no panic crosses into C |
//! | `raise` | the thread-local last error |
//! | `pem` | certificates and keys as text |
//! | `place` | handles in the caller's memory, told from a stranger's |
//! | `handle` | which C pointer is a Box, an Arc or borrowed |
//! | `providers` | the credential providers behind `auth/credentials.rs` |
//! | `c_call` | how the C shims call back |
//! | `layout` | the pinned sizes and offsets, asserted |

#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    reason = "the names are those of the C interface"
)]
#![allow(
    clippy::missing_safety_doc,
    reason = "the argument rules of every export stand in its doc, which is the C doc"
)]
#![allow(clippy::module_inception, reason = "a file is named as its header: aws/s3/s3.h")]

#[macro_use]
pub mod guard;
#[macro_use]
pub mod raise;
pub mod adapt;
mod c_call;
pub mod handle;
mod layout;
pub mod pem;
pub mod place;
pub mod providers;

pub mod auth;
pub mod cal;
pub mod checksums;
pub mod common;
pub mod http;
pub mod io;
pub mod s3;
pub mod s3fast;
pub mod sdkutils;
