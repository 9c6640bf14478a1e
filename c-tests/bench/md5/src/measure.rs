//! Rates per second of CPU time, and ratios between two contenders.
//!
//! A sample alternates short bursts of both contenders and keeps the best burst of each; its ratio
//! is that of the bests. A row is sampled once a round, and all rows take part in every round, so
//! that the samples of a row are spread over the whole run; the result is the median over the
//! rounds. All this because the machine may be shared: whoever runs on the other half of a core
//! slows down full-throughput code much more than code that waits for its own results, so an
//! average would measure the neighbour.

use crate::quiet;
use std::time::Duration;

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    pub bursts: usize,
    /// Bytes of a burst at least.
    pub burst_bytes: usize,
}

/// Something that hashes `bytes` bytes each time it is called.
pub struct Contender<'a> {
    pub bytes: usize,
    pub run: Box<dyn FnMut() + 'a>,
}

/// Best bursts of both in one round, MB/s (10^6 bytes).
#[derive(Clone, Copy)]
pub struct Sample {
    pub old: f64,
    pub new: f64,
}

/// What is measured of one row, once a round.
pub struct Row {
    pub name: String,
    pub size: usize,
    measure: Box<dyn FnMut() -> Sample>,
    samples: Vec<Sample>,
}

impl Row {
    pub fn new(name: String, size: usize, measure: impl FnMut() -> Sample + 'static) -> Row {
        Row { name, size, measure: Box::new(measure), samples: Vec::new() }
    }
    pub fn sample(&mut self) {
        let sample = (self.measure)();
        self.samples.push(sample);
    }
    pub fn old(&self) -> f64 {
        median(self.samples.iter().map(|s| s.old))
    }
    pub fn new_rate(&self) -> f64 {
        median(self.samples.iter().map(|s| s.new))
    }
    pub fn ratios(&self) -> impl Iterator<Item = f64> + '_ {
        self.samples.iter().map(|s| s.new / s.old)
    }
    pub fn ratio(&self) -> f64 {
        median(self.ratios())
    }
}

/// Alternates bursts of contenders that measure themselves.
pub fn alternate(
    bursts: usize,
    mut old: impl FnMut() -> f64,
    mut new: impl FnMut() -> f64,
) -> Sample {
    // The first of each finds cold caches.
    let mut best = Sample { old: old(), new: new() };
    for _ in 0..bursts {
        quiet::wait();
        best.old = best.old.max(old());
        best.new = best.new.max(new());
    }
    best
}

/// One burst, in MB per second of this thread's CPU time.
pub fn burst(least: usize, contender: &mut Contender<'_>) -> f64 {
    let calls = least.div_ceil(contender.bytes).max(1);
    let start = thread_cpu();
    for _ in 0..calls {
        (contender.run)();
    }
    (calls * contender.bytes) as f64 / (thread_cpu() - start).as_secs_f64() / 1e6
}

pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

pub fn thread_cpu() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place, the clock exists on every Linux.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "no clock of the thread");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// CPUs that this thread may use.
pub fn allowed_cpus() -> Vec<usize> {
    // SAFETY: a set of bits, all zeros is the empty one.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    let size = std::mem::size_of_val(&set);
    // SAFETY: `set` is as large as said.
    if unsafe { libc::sched_getaffinity(0, size, &mut set) } != 0 {
        return vec![0];
    }
    // SAFETY: every index is below the size of the set.
    (0..libc::CPU_SETSIZE as usize).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).collect()
}

/// Lets this thread, and those it starts from now on, run on `cpus` only.
pub fn pin(cpus: &[usize]) {
    // SAFETY: a set of bits, all zeros is the empty one.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    for cpu in cpus {
        // SAFETY: the numbers come from a set of the same size.
        unsafe { libc::CPU_SET(*cpu, &mut set) };
    }
    // SAFETY: `set` is as large as said. A refusal leaves the thread where it was.
    unsafe { libc::sched_setaffinity(0, std::mem::size_of_val(&set), &set) };
}
