//! The MD5 lane servers: one thread per core around `checksum`'s lane scheduler.
//!
//! ```text
//! submit --> one queue --> server 0: lanes 0..24 --> Task::done, on the server's thread
//!                     '--> server 1: asleep until server 0 has no lane free
//! ```
//!
//! A task owns its message: a handle that keeps the blocks alive and read-only, so nothing is
//! copied and nothing can change under the hash. A server never waits for lanes to fill; it hashes
//! what is there, and batching arises by itself when work comes faster than it goes. Few lanes
//! cost as much as many, so one server is filled before the next is woken; more servers mean more
//! throughput, never a split batch.

#![deny(unsafe_code)]

mod queue;
mod server;
mod sync;

pub use server::{Options, Servers};

use crate::base::Result;
use crate::checksum::{Md5Digest, lanes::Message};

/// One message to hash.
pub trait Task: Send {
    /// The message, as pieces; the same bytes at every call until `done`.
    fn piece(&self, index: usize) -> Option<&[u8]>;
    /// Called once, on a server's thread, which waits for it: post the digest and return. An error
    /// means that the servers could not hash it (a bug of ours, caught).
    fn done(self: Box<Self>, digest: Result<Md5Digest>);
}

/// A message with a closure for its digest, as a task.
pub fn task<M, F>(message: M, then: F) -> Box<dyn Task>
where
    M: Message + Send + 'static,
    F: FnOnce(Result<Md5Digest>) + Send + 'static,
{
    Box::new(Closure { message, then })
}

struct Closure<M, F> {
    message: M,
    then: F,
}

impl<M, F> Task for Closure<M, F>
where
    M: Message + Send,
    F: FnOnce(Result<Md5Digest>) + Send,
{
    fn piece(&self, index: usize) -> Option<&[u8]> {
        self.message.piece(index)
    }
    fn done(self: Box<Self>, digest: Result<Md5Digest>) {
        // The message is released before its waiter is told.
        let Closure { message, then } = *self;
        drop(message);
        then(digest);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
