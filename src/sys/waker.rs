//! Wakes a selector from another thread.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use crate::base::Result;

/// An eventfd, watched edge-triggered: every wake is a new edge, so that nobody has to read it.
pub struct Waker {
    fd: OwnedFd,
}

impl Waker {
    pub fn new() -> Result<Waker> {
        let flags = libc::EFD_CLOEXEC | libc::EFD_NONBLOCK;
        // SAFETY: no pointers; the new descriptor is ours alone.
        let fd = unsafe {
            let fd = syscall!(eventfd(0, flags)).map_err(|f| f.other())?;
            OwnedFd::from_raw_fd(fd)
        };
        Ok(Waker { fd })
    }

    /// Any thread. The counter cannot overflow in the life of a machine (2^64 wakes).
    pub fn wake(&self) {
        let one = 1u64;
        // SAFETY: eight bytes are read from `one`.
        let _ = unsafe { syscall!(write(self.fd.as_raw_fd(), (&raw const one).cast(), 8)) };
    }
}

impl AsRawFd for Waker {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}
