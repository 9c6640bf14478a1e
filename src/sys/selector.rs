//! The one shape of a readiness selector, so that kqueue can stand beside epoll.

use std::os::fd::RawFd;

use crate::base::{Duration, Result};

/// What happened to one descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PollEvent {
    pub token: u64,
    pub readable: bool,
    pub writable: bool,
    /// The other side has ended its direction, or both.
    pub hangup: bool,
    pub error: bool,
}

/// Edge-triggered readiness: an event is told once, and again only after something new happened.
pub trait Selector: Sized {
    type Events;
    fn new() -> Result<Self>;
    /// Room for as many events a turn.
    fn events(capacity: usize) -> Self::Events;
    /// Watches both directions of `fd` for its whole life.
    fn add(&self, fd: RawFd, token: u64) -> Result<()>;
    fn remove(&self, fd: RawFd) -> Result<()>;
    /// Waits for events, at most `timeout` (`None`: for ever); rounds up, never wakes early.
    fn wait(&self, events: &mut Self::Events, timeout: Option<Duration>) -> Result<()>;
    fn each(events: &Self::Events, f: impl FnMut(PollEvent));
}
