//! The selector over epoll (Linux).

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::selector::{PollEvent, Selector};
use crate::base::{Duration, Result};

pub struct Poller {
    fd: OwnedFd,
}

/// The kernel's records, reused by every wait.
pub struct Events {
    list: Vec<libc::epoll_event>,
}

impl Selector for Poller {
    type Events = Events;

    fn new() -> Result<Poller> {
        // SAFETY: no pointers; the new descriptor is ours alone.
        let fd = unsafe {
            let fd = syscall!(epoll_create1(libc::EPOLL_CLOEXEC)).map_err(|f| f.other())?;
            OwnedFd::from_raw_fd(fd)
        };
        Ok(Poller { fd })
    }

    fn events(capacity: usize) -> Events {
        Events { list: Vec::with_capacity(capacity) }
    }

    fn add(&self, fd: RawFd, token: u64) -> Result<()> {
        let flags = libc::EPOLLIN | libc::EPOLLOUT | libc::EPOLLRDHUP | libc::EPOLLET;
        let mut event = libc::epoll_event { events: flags as u32, u64: token };
        let (own, add) = (self.fd.as_raw_fd(), libc::EPOLL_CTL_ADD);
        // SAFETY: `event` lives during the call; the kernel copies it.
        unsafe { syscall!(epoll_ctl(own, add, fd, &mut event)) }.map_err(|f| f.other())?;
        Ok(())
    }

    fn remove(&self, fd: RawFd) -> Result<()> {
        // Kernels before 2.6.9 wanted an event here; none is needed since.
        let (own, del) = (self.fd.as_raw_fd(), libc::EPOLL_CTL_DEL);
        // SAFETY: a null event is allowed for EPOLL_CTL_DEL.
        unsafe { syscall!(epoll_ctl(own, del, fd, std::ptr::null_mut())) }
            .map_err(|f| f.other())?;
        Ok(())
    }

    fn wait(&self, events: &mut Events, timeout: Option<Duration>) -> Result<()> {
        // Milliseconds, rounded up: a timer may come a little late, but never before its time.
        let ms = match timeout {
            None => -1,
            Some(d) => i32::try_from(d.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX),
        };
        events.list.clear();
        let room = events.list.capacity().min(i32::MAX as usize) as i32;
        let own = self.fd.as_raw_fd();
        // SAFETY: the list has room for `room` records; the kernel wrote the first `n`.
        unsafe {
            // An interrupted wait is a turn without events: the caller looks at its clock anyway.
            match syscall!(once epoll_wait(own, events.list.as_mut_ptr(), room, ms)) {
                Ok(n) => events.list.set_len(n as usize),
                Err(f) if f.errno == libc::EINTR => {}
                Err(f) => return Err(f.other()),
            }
        }
        Ok(())
    }

    fn each(events: &Events, mut f: impl FnMut(PollEvent)) {
        for event in &events.list {
            // The record is packed on x86-64: take its fields by value.
            let (bits, token) = ({ event.events } as i32, { event.u64 });
            f(PollEvent {
                token,
                readable: bits & libc::EPOLLIN != 0,
                writable: bits & libc::EPOLLOUT != 0,
                hangup: bits & (libc::EPOLLRDHUP | libc::EPOLLHUP) != 0,
                error: bits & libc::EPOLLERR != 0,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::Waker;

    fn tokens(events: &Events) -> Vec<u64> {
        let mut all = Vec::new();
        Poller::each(events, |e| all.push(e.token));
        all
    }

    #[test]
    fn every_wake_is_a_new_edge_without_reading() {
        let poller = Poller::new().unwrap();
        let waker = Waker::new().unwrap();
        poller.add(waker.as_raw_fd(), 7).unwrap();
        let mut events = Poller::events(8);
        // A fresh eventfd is writable: the first wait may tell that.
        poller.wait(&mut events, Some(Duration::ZERO)).unwrap();
        for _ in 0..3 {
            waker.wake();
            poller.wait(&mut events, Some(Duration::from_secs(5))).unwrap();
            assert_eq!(tokens(&events), [7]);
            poller.wait(&mut events, Some(Duration::ZERO)).unwrap();
            assert!(tokens(&events).is_empty());
        }
        poller.remove(waker.as_raw_fd()).unwrap();
        waker.wake();
        poller.wait(&mut events, Some(Duration::ZERO)).unwrap();
        assert!(tokens(&events).is_empty());
    }

    #[test]
    fn wait_never_ends_before_its_time() {
        let poller = Poller::new().unwrap();
        let mut events = Poller::events(1);
        let from = crate::sys::clock::now();
        poller.wait(&mut events, Some(Duration::from_micros(1500))).unwrap();
        assert!(crate::sys::clock::now().since(from) >= Duration::from_micros(1500));
    }
}
