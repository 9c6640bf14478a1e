//! Headers `aws/common/*.h`, one file each.
//!
//! Types whose layout C code shares are defined in `ctypes` and re-exported by the file of their
//! header.

pub mod allocator;
pub mod array_list;
pub mod atomics;
pub mod byte_buf;
pub mod condition_variable;
pub mod date_time;
pub mod hash_table;
pub mod linked_list;
pub mod mutex;
pub mod priority_queue;
pub mod ref_count;
pub mod shutdown_types;
pub mod string;
pub mod task_scheduler;
pub mod thread;
pub mod uri;
