//! The two clocks. Rooms that must not read a clock get time as an argument instead.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::base::{Clock, Instant};

/// CLOCK_MONOTONIC.
#[inline]
pub fn now() -> Instant {
    Instant(read(libc::CLOCK_MONOTONIC))
}

/// Seconds since 1970-01-01T00:00:00Z; 0 where the system's clock stands before that.
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// CPU time that the calling thread has used.
pub fn thread_cpu_nanos() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a valid place; these clocks exist on every supported system.
    unsafe { libc::clock_gettime(clock, &mut t) };
    (t.tv_sec as u64) * 1_000_000_000 + t.tv_nsec as u64
}

/// The system's clocks as `base::Clock`.
#[derive(Clone, Copy, Default, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        now()
    }
    fn unix_seconds(&self) -> u64 {
        unix_seconds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn monotonic_clock_never_goes_back() {
        let a = now();
        let b = now();
        assert!(b >= a && a.nanos() > 0);
        assert!(unix_seconds() > 1_600_000_000);
    }
}
