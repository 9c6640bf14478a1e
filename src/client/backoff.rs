//! The retry policy of a client that was given none: exponential back-off with full jitter.

use std::sync::Arc;

use super::options::{RetryKind, RetryPolicy, RetryToken};
use crate::base::{Code, Done, Duration, Error};
use crate::reactor::Group;

/// Tries after the first, as many as the reference makes by default.
const RETRIES_MAX: u32 = 5;
const STEP: Duration = Duration::from_millis(25);
const DELAY_MAX: Duration = Duration::from_secs(20);

pub struct Backoff {
    group: Group,
    retries_max: u32,
}

impl Backoff {
    pub fn new(group: Group) -> Arc<Backoff> {
        Arc::new(Backoff { group, retries_max: RETRIES_MAX })
    }
}

impl RetryPolicy for Backoff {
    fn acquire(&self, _partition: &str, done: Done<Box<dyn RetryToken>>) {
        let token = Token { group: self.group.clone(), left: self.retries_max, tries: 0 };
        done(Ok(Box::new(token)));
    }
    fn is_lazy(&self) -> bool {
        true
    }
}

struct Token {
    group: Group,
    left: u32,
    tries: u32,
}

impl RetryToken for Token {
    fn schedule(&mut self, kind: RetryKind, go: Done<()>) {
        if self.left == 0 {
            return go(Err(Error::new(Code::IO_MAX_RETRIES_EXCEEDED)));
        }
        self.left -= 1;
        let scale = if kind == RetryKind::Throttling { 8 } else { 1 };
        let ceiling = (STEP * scale * (1 << self.tries.min(16))).min(DELAY_MAX);
        self.tries += 1;
        let delay = ceiling.mul_f64(jitter());
        self.group.next().post(move |lp| {
            lp.timer(lp.now().after(delay), move |_| go(Ok(())));
        });
    }
}

/// Between 0.5 and 1: a delay that is spread, and never none.
fn jitter() -> f64 {
    use ring::rand::{SecureRandom, SystemRandom};
    let mut bytes = [0u8; 4];
    let _ = SystemRandom::new().fill(&mut bytes);
    0.5 + f64::from(u32::from_ne_bytes(bytes)) / f64::from(u32::MAX) / 2.0
}
