//! The lock and the condition of the hand-over: the real ones, or loom's when it explores every
//! interleaving of them.

#[cfg(loom)]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
