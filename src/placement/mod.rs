//! Where loops run: pure rules over values that others have read. No system call, no clock.
//!
//! A CPU group is a wish. A plan never names a CPU outside of what the process may use, never puts
//! two loops on one PU, and where nothing fits it lets the loops run free: it has no error but a
//! group that does not exist.

#![deny(unsafe_code)]

mod plan;
mod synthetic;

pub use plan::{Plan, Request, Spot, plan};
pub use synthetic::parse as parse_synthetic;

/// More loops than this bring nothing and cost memory for their connections.
pub const LOOPS_MAX: usize = 64;

/// How many loops a group gets when the caller names no number: half of what the process may use,
/// where a container's CPU quota (thousandths of a CPU) counts as so many whole CPUs.
pub fn loop_count(allowed_cpus: usize, quota_milli: Option<u64>) -> usize {
    let quota = quota_milli
        .map_or(usize::MAX, |milli| usize::try_from(milli.div_ceil(1000)).unwrap_or(usize::MAX));
    (allowed_cpus.min(quota) / 2).clamp(1, LOOPS_MAX)
}

#[cfg(test)]
mod tests;
