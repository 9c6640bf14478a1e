//! The only room that talks to the system: sockets, files, memory maps, threads, clocks, CPU sets.
//!
//! Everything here is a thin, safe value over system calls. One macro makes every call: it retries
//! EINTR and keeps the call's name and errno, so that every error can say what failed. No policy
//! lives here (no retries, no pools, no limits), and no signal disposition is ever touched: sends
//! carry MSG_NOSIGNAL, and the one call that cannot (sendfile) blocks SIGPIPE for its thread only.
//!
//! ```text
//! syscall!(read(fd, ptr, len)) -> Result<n, Failure{call, errno}> -> .socket() / .file(code)
//! ```
//!
//! `hooks` lets tests slow down or fail any of these calls without a special build.

#[macro_use]
mod call;

pub mod affinity;
pub mod cgroup;
pub mod clock;
mod file;
pub mod hooks;
mod memory;
pub mod process;
mod resolve;
mod sched;
mod selector;
mod slab;
mod socket;
pub mod thread;
pub mod topology;
mod waker;

#[cfg(any(target_os = "linux", target_os = "android"))]
#[path = "epoll.rs"]
mod poller;

pub use call::Failure;
pub use file::{File, FileKind, FileMode, FileStat};
pub use memory::{Mapping, PageMemory, page_size};
pub use poller::Poller;
pub use resolve::resolve;
pub use sched::{run_delay_nanos, runnable_threads};
pub use selector::{PollEvent, Selector};
pub use slab::{Block, slab};
pub use socket::{ConnectState, Socket};
pub use std::os::fd::{AsRawFd, RawFd};
pub use waker::Waker;

#[cfg(test)]
pub(crate) mod testing;
