//! Event loops: readiness of sockets, timers, posts from other threads, tasks of C callers.
//!
//! A loop is one thread over one selector. What it owns (sources, timers, locals) never leaves the
//! thread; everybody else holds a `Handle` and posts. Nothing here knows what a connection is, and
//! nothing here may wait for anything but the selector.
//!
//! ```text
//! one turn:  wait -> posts and tasks -> due timers -> ready sources -> turn-end hooks
//! ```
//!
//! A post to a loop that is awake (or that has been woken and has not looked yet) costs a lock and
//! a push; only the first post to a sleeping loop writes the eventfd. A panic in a post, a timer, a
//! source or a hook is caught there and logged; the loop goes on. C tasks run below no catch frame.

#![deny(unsafe_code)]

mod event_loop;
mod group;
mod handle;
mod task;
mod timers;

pub use event_loop::{Loop, Ready, Source, Token};
pub use group::{Group, GroupOptions};
pub use handle::Handle;
pub use task::{RawTask, TaskStatus};
pub use timers::TimerId;

#[cfg(test)]
mod tests;
