//! Threads for code that may wait: a caller's callbacks, and reads and writes of files.
//!
//! A serial queue runs its jobs one at a time and in order, on whichever thread of the pool comes
//! to it; it is never tied to one. A pool runs as few threads as get the work done:
//!
//! ```text
//! push -> queue -> ready list -> a worker takes queue after queue
//!                       |
//!                       '-- waits while every worker is inside a job? a standby thread watches;
//!                           after 10 ms without a move it becomes a worker itself
//! ```
//!
//! A push to a queue that is being run is a lock and a push. A push while enough workers run wakes
//! nobody but (at most every 10 ms) the standby. Idle threads end after a few seconds; one stays.
//!
//! A job may end its own thread (CPython does at exit): the pool loses that thread and that job and
//! nothing else. For that no catch frame and no value of ours stands below `Work::run`, and so a
//! panic in there is nobody's to catch: code of ours goes through `job`, which catches.

#![deny(unsafe_code)]

mod pool;
mod queue;
mod worker;

pub use pool::{Pool, PoolOptions, cork, uncork};
pub use queue::SerialQueue;

use crate::base::caught;

/// One piece of work.
pub trait Work: Send {
    /// Runs once, on a thread of the pool. May wait, and may end its thread. Must not panic: steps
    /// of ours in it that could go through `base::caught` (never a caller's callback).
    fn run(&mut self);
}

/// A closure as work. For code of ours only: a panic in it is caught and logged, so it must not
/// run a caller's callback.
pub fn job(f: impl FnOnce() + Send + 'static) -> Box<dyn Work> {
    Box::new(Job(Some(f)))
}

struct Job<F>(Option<F>);

impl<F: FnOnce() + Send> Work for Job<F> {
    fn run(&mut self) {
        if let Some(f) = self.0.take() {
            caught("a job", 0, f);
        }
    }
}

#[cfg(test)]
mod tests;
