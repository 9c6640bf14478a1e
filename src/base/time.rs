//! Monotonic time as a value, so that machines take `now` as an argument and tests invent it.

pub use std::time::Duration;

/// Nanoseconds of the monotonic clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Instant(pub u64);

impl Instant {
    pub const FAR: Instant = Instant(u64::MAX);

    pub fn since(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
    pub fn after(self, d: Duration) -> Instant {
        Instant(self.0.saturating_add(u64::try_from(d.as_nanos()).unwrap_or(u64::MAX)))
    }
    pub fn nanos(self) -> u64 {
        self.0
    }
}

/// Where a room below `sys` gets time from.
pub trait Clock: Send + Sync {
    fn now(&self) -> Instant;
    /// Seconds since 1970-01-01T00:00:00Z.
    fn unix_seconds(&self) -> u64;
}
