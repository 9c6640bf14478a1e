//! Where loops run: pure rules over values that others have read. No system call, no clock.

#![deny(unsafe_code)]

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
mod tests {
    use super::*;

    #[test]
    fn loop_count_is_half_of_what_is_allowed() {
        for (cpus, quota, loops) in [
            (0, None, 1),
            (1, None, 1),
            (2, None, 1),
            (3, None, 1),
            (4, None, 2),
            (96, None, 48),
            (448, None, 64),
            (96, Some(4000), 2),
            (96, Some(500), 1),
            (96, Some(6500), 3),
            (2, Some(64_000), 1),
        ] {
            assert_eq!(loop_count(cpus, quota), loops, "{cpus} {quota:?}");
        }
    }
}
