//! Waiting for a moment in which nobody else uses the core.
//!
//! On a shared machine a neighbour on the other half of the core takes up to half of the rate of
//! full-throughput vector code, for seconds on end, and next to nothing of code that waits for
//! itself: a ratio between the two says more about the neighbour than about the code. So before a
//! burst the widest kernel is run for a few microseconds on data in the cache, and if it is far from
//! the best it ever did here, we look again a little later. The waiting is bounded; when there is
//! no quiet moment, what is measured is what there is.

use crate::measure::thread_cpu;
use s3fast::simd::md5::{BLOCK, Engine, States};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// A probe within this part of the calibrated rate is quiet.
const QUIET: f64 = 0.95;
const WAIT_ONCE: Duration = Duration::from_millis(400);
const PROBE_BYTES: usize = 1 << 10;

struct Quiet {
    /// The rate that nine of ten probes stayed below during calibration; single better ones are
    /// quirks of the clock.
    best: f64,
    /// What is left of all waiting.
    budget: Duration,
    probes: usize,
    quiet: usize,
}

thread_local! {
    static QUIET_HERE: RefCell<Option<Quiet>> = const { RefCell::new(None) };
}

/// Finds out how fast the core can be, and allows `budget` of waiting on this thread.
pub fn calibrate(budget: Duration) {
    let end = Instant::now() + Duration::from_secs(3);
    let mut rates = Vec::new();
    while Instant::now() < end {
        rates.push(probe());
    }
    rates.sort_by(f64::total_cmp);
    let quiet = Quiet { best: rates[rates.len() * 9 / 10], budget, probes: 0, quiet: 0 };
    QUIET_HERE.with(|here| *here.borrow_mut() = Some(quiet));
}

/// Returns in a quiet moment, or when waiting longer is not allowed.
pub fn wait() {
    QUIET_HERE.with(|here| {
        if let Some(quiet) = &mut *here.borrow_mut() {
            quiet.wait();
        }
    });
}

/// How many of the probes were quiet, for the reader of the tables.
pub fn share() -> f64 {
    QUIET_HERE.with(|here| {
        here.borrow().as_ref().map_or(f64::NAN, |q| q.quiet as f64 / q.probes.max(1) as f64)
    })
}

impl Quiet {
    fn wait(&mut self) {
        let start = Instant::now();
        loop {
            let rate = probe();
            self.probes += 1;
            if rate >= QUIET * self.best {
                self.quiet += 1;
                return;
            }
            if start.elapsed() >= WAIT_ONCE.min(self.budget) {
                self.budget = self.budget.saturating_sub(start.elapsed());
                return;
            }
            std::thread::sleep(Duration::from_micros(300));
        }
    }
}

/// Bytes per second of the widest kernel over data in the first cache.
fn probe() -> f64 {
    thread_local! {
        static DATA: Vec<u8> = vec![0x5a; 32 * PROBE_BYTES];
    }
    let engine = Engine::here();
    let kernel = engine.kernel_for(engine.lanes_max());
    DATA.with(|data| {
        let slices: Vec<&[u8]> = data.chunks_exact(PROBE_BYTES).take(kernel.lanes()).collect();
        let mut states = States::new();
        let mut run = || kernel.run(&mut states, &slices, PROBE_BYTES / BLOCK, false);
        // Warm up after a sleep, then look.
        (0..8).for_each(|_| run());
        let start = thread_cpu();
        (0..8).for_each(|_| run());
        let bytes = 8 * kernel.lanes() * PROBE_BYTES;
        bytes as f64 / (thread_cpu() - start).as_secs_f64()
    })
}
