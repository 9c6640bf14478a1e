//! How many large requests are in flight. Grows while each connection is slow and the loop idle
//! (the network is the limit: more connections bring more), shrinks where few connections saturate
//! us already. The numbers come from measured rates; the throughput target only bounds them.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::base::sync::Mutex;
use crate::base::{Duration, Instant};

/// A request for at least so many bytes counts as large.
pub(super) const LARGE_BYTES: u64 = 1 << 20;
/// How often rates are looked at.
pub(super) const SAMPLE: Duration = Duration::from_millis(5);

const TARGET_MIN: usize = 2;
const TARGET_START: usize = 3;
/// What a crossing of a network asks for at once.
const TARGET_FAR: usize = 16;
/// How long the rate is looked at before a growth, how long a growth has to show in it, and how
/// long none is tried after one that did not.
const BASE: Duration = Duration::from_millis(15);
const PROOF: Duration = Duration::from_millis(25);
const HOLD: Duration = Duration::from_millis(200);
/// S3 gives one connection some 50 to 100 MB/s. Below this a connection counts as limited.
const SLOW_BYTES_PER_S: u64 = 150_000_000;
/// Above this one it is our own machine that limits.
const FAST_BYTES_PER_S: u64 = 400_000_000;
/// When the socket runs dry after less than this, the peer sends slower than we take.
const BURST_BYTES: u64 = 400 << 10;
/// A first byte that takes so long crosses a network, or a server that thinks.
const FAR: Duration = Duration::from_millis(20);
/// What one connection brings in the reference's own rule: 100 Gb/s by 250 connections.
const GBPS_PER_CONNECTION: f64 = 0.4;
const CONNECTIONS_MIN: usize = 10;
const CONNECTIONS_MAX: usize = 10_000;

/// Connections that a throughput target asks for.
pub(super) fn connections_for(gbps: f64) -> usize {
    ((gbps / GBPS_PER_CONNECTION).ceil() as usize).clamp(CONNECTIONS_MIN, CONNECTIONS_MAX)
}

pub(super) struct Flow {
    target: AtomicUsize,
    max: usize,
    trial: Mutex<Trial>,
}

/// A growth that has to prove itself.
#[derive(Default)]
struct Trial {
    /// The target before it; 0 = no trial.
    before: usize,
    rate_before: u64,
    bytes: u64,
    since: Instant,
    hold_until: Instant,
}

/// What one loop saw since its last sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    pub bytes: u64,
    /// How often that emptied a receiving socket, or filled a sending one.
    pub stops: u64,
    pub elapsed_ns: u64,
    /// The loop's thread ran so long, and waited so long for a processor.
    pub cpu_ns: u64,
    pub run_delay_ns: u64,
    /// Large requests that were moving bytes or waiting for them.
    pub large: usize,
    /// More large requests were waiting to be sent.
    pub wanted: bool,
    /// Other threads wait for the machine's processors.
    pub crowded: bool,
    pub now: Instant,
}

impl Flow {
    pub(super) fn new(connections_max: usize) -> Flow {
        let max = connections_max.max(1);
        Flow { target: AtomicUsize::new(TARGET_START.min(max)), max, trial: Mutex::default() }
    }

    pub(super) fn target(&self) -> usize {
        self.target.load(Ordering::Relaxed)
    }

    pub(super) fn max(&self) -> usize {
        self.max
    }

    /// A request waited so long for its first byte after it was sent.
    pub(super) fn first_byte(&self, latency: Duration) {
        if latency >= FAR {
            self.target.fetch_max(TARGET_FAR.min(self.max), Ordering::Relaxed);
        }
    }

    pub(super) fn sample(&self, s: Sample) {
        if s.large == 0 || s.elapsed_ns == 0 {
            return;
        }
        let share = |ns: u64| ns as f64 / s.elapsed_ns as f64;
        let rate = per_second(s.bytes, s.elapsed_ns) / s.large as u64;
        // A machine without processor time to spare gains nothing from more connections.
        let spare = share(s.cpu_ns) < 0.3 && share(s.run_delay_ns) < 0.1 && !s.crowded;
        let trickles = s.stops > 0 && s.bytes / s.stops < BURST_BYTES;
        let target = self.target();
        let mut trial = self.trial.lock();
        trial.bytes += s.bytes;
        let took = s.now.since(trial.since);
        if trial.before == 0 && took > 4 * PROOF {
            // What was long ago says nothing of now.
            (trial.bytes, trial.since) = (0, s.now);
            return;
        }
        let next = if trial.before > 0 {
            if took < PROOF {
                return;
            }
            let rate_now = per_second(trial.bytes, took.as_nanos() as u64);
            // Half as many requests again that do not bring a quarter more bytes bring only memory.
            let proven = rate_now >= trial.rate_before + trial.rate_before / 4;
            let before = std::mem::take(&mut trial.before);
            (trial.bytes, trial.since) = (0, s.now);
            if proven {
                return;
            }
            trial.hold_until = s.now.after(HOLD);
            before
        } else if rate < SLOW_BYTES_PER_S
            && spare
            && trickles
            && s.wanted
            && s.large >= target
            && target < self.max
            && s.now >= trial.hold_until
            && took >= BASE
        {
            *trial = Trial {
                before: target,
                rate_before: per_second(trial.bytes, took.as_nanos() as u64),
                bytes: 0,
                since: s.now,
                hold_until: trial.hold_until,
            };
            (target + target.div_ceil(2)).min(self.max)
        } else if rate > FAST_BYTES_PER_S && target > TARGET_MIN {
            (target - 1).max(TARGET_MIN.min(self.max))
        } else {
            return;
        };
        self.target.store(next, Ordering::Relaxed);
    }
}

fn per_second(bytes: u64, nanos: u64) -> u64 {
    (u128::from(bytes) * 1_000_000_000 / u128::from(nanos.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(rate_per_connection: u64, large: usize, at_ms: u64) -> Sample {
        let bytes = rate_per_connection * large as u64 / 200;
        Sample {
            bytes,
            stops: bytes / 16384 + 1,
            elapsed_ns: 5_000_000,
            cpu_ns: 100_000,
            large,
            wanted: true,
            now: Instant(at_ms * 1_000_000),
            ..Sample::default()
        }
    }

    #[test]
    fn slow_connections_bring_more_up_to_the_bound() {
        let flow = Flow::new(25);
        for i in 1..200 {
            flow.sample(sample(50_000_000, flow.target(), i * 5));
        }
        assert_eq!(flow.target(), 25);
    }

    #[test]
    fn a_growth_that_brings_no_bytes_is_taken_back() {
        let flow = Flow::new(25);
        let mut most = 0;
        for i in 1..100 {
            // The whole brings the same, however many share it.
            let n = flow.target();
            flow.sample(sample(200_000_000 / n as u64, n, i * 5));
            most = most.max(flow.target());
        }
        assert_eq!((flow.target(), most), (TARGET_START, 5));
    }

    #[test]
    fn fast_connections_bring_fewer() {
        let flow = Flow::new(25);
        for i in 1..6 {
            flow.sample(sample(900_000_000, flow.target(), i * 5));
        }
        assert_eq!(flow.target(), TARGET_MIN);
    }

    #[test]
    fn a_busy_loop_does_not_grow() {
        let flow = Flow::new(25);
        for i in 1..6 {
            flow.sample(Sample { crowded: true, ..sample(50_000_000, TARGET_START, i * 5) });
        }
        flow.sample(Sample { cpu_ns: 4_000_000, ..sample(50_000_000, TARGET_START, 35) });
        assert_eq!(flow.target(), TARGET_START);
        flow.sample(Sample { crowded: true, ..sample(50_000_000, TARGET_START, 35) });
        flow.sample(Sample { run_delay_ns: 2_000_000, ..sample(50_000_000, TARGET_START, 35) });
        assert_eq!(flow.target(), TARGET_START);
    }

    #[test]
    fn full_sockets_are_our_own_slowness() {
        let flow = Flow::new(25);
        for i in 1..6 {
            flow.sample(Sample { stops: 2, ..sample(100_000_000, TARGET_START, i * 5) });
        }
        flow.sample(Sample { stops: 2, ..sample(100_000_000, TARGET_START, 35) });
        assert_eq!(flow.target(), TARGET_START);
    }

    #[test]
    fn the_target_rule_of_connections_matches_its_examples() {
        assert_eq!(connections_for(10.0), 25);
        assert_eq!(connections_for(100.0), 250);
        assert_eq!(connections_for(1.0), 10);
    }
}
