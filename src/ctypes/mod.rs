//! Containers whose C layout is ABI: C code compiled elsewhere reads and writes their fields.
//!
//! Each file holds the `#[repr(C)]` type and the operations on it that both the C surface and our
//! own code use. An operation reports failure as `base::Error`; raising it in the thread's last
//! error is the business of `ffi`. Memory that C may free or grow comes from the caller's
//! `aws_allocator`, and a failed allocation is an error, never an abort.
//!
//! Nothing here is exported and nothing here knows of a C function's name.

#![allow(non_camel_case_types, reason = "the names are those of the C interface")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the rule is the same everywhere: pointers are NULL or point to live values of their \
              type that nobody else changes meanwhile"
)]

pub mod alloc;
pub mod atomic;
pub mod byte_buf;
pub mod hash_table;
pub mod list;
pub mod lock;
pub mod priority_queue;
pub mod ref_count;
pub mod string;
pub mod task;
pub mod thread;

pub use alloc::*;
pub use atomic::*;
pub use byte_buf::*;
pub use hash_table::*;
pub use list::*;
pub use lock::*;
pub use priority_queue::*;
pub use ref_count::*;
pub use string::*;
pub use task::*;
pub use thread::*;
