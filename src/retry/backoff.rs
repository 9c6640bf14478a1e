//! Exponential back-off: `scale * 2^n`, bounded, spread by one of three kinds of jitter.

use super::classify::Kind;
use crate::base::{Code, Duration, Result};

/// With the numbers of `enum aws_exponential_backoff_jitter_mode`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u32)]
pub enum Jitter {
    /// As `Full`.
    #[default]
    Default = 0,
    None = 1,
    /// Anything from nothing to the full delay.
    Full = 2,
    /// From the scale to three times the delay before.
    Decorrelated = 3,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackoffOptions {
    /// At most 63; 0 takes 5.
    pub retries_max: u32,
    /// The first delay; none takes 500 ms.
    pub scale: Duration,
    /// The longest delay; none takes 20 s.
    pub delay_max: Duration,
    pub jitter: Jitter,
}

impl Default for BackoffOptions {
    fn default() -> BackoffOptions {
        BackoffOptions {
            retries_max: 0,
            scale: Duration::ZERO,
            delay_max: Duration::ZERO,
            jitter: Jitter::Default,
        }
    }
}

/// The delays of one request.
#[derive(Clone, Debug)]
pub struct Backoff {
    scale_ns: u64,
    delay_max_ns: u64,
    retries_max: u32,
    jitter: Jitter,
    retries: u32,
    delay_last_ns: u64,
}

impl Backoff {
    pub fn new(options: &BackoffOptions) -> Result<Backoff> {
        if options.retries_max > RETRIES_MAX {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        let or = |value: Duration, default: Duration| {
            let value = if value.is_zero() { default } else { value };
            u64::try_from(value.as_nanos()).unwrap_or(u64::MAX)
        };
        Ok(Backoff {
            scale_ns: or(options.scale, SCALE_DEFAULT),
            delay_max_ns: or(options.delay_max, DELAY_MAX_DEFAULT),
            retries_max: match options.retries_max {
                0 => RETRIES_DEFAULT,
                n => n,
            },
            jitter: options.jitter,
            retries: 0,
            delay_last_ns: 0,
        })
    }

    /// How long to wait before the next try. A mistake in the request costs neither time nor a
    /// try: the caller has mended it.
    pub fn next(&mut self, kind: Kind, random: &mut dyn FnMut() -> u64) -> Result<Duration> {
        if kind == Kind::Client {
            return Ok(Duration::ZERO);
        }
        if self.retries >= self.retries_max {
            return Err(Code::IO_MAX_RETRIES_EXCEEDED.into());
        }
        let plain = self
            .scale_ns
            .saturating_mul(1u64 << self.retries.min(RETRIES_MAX))
            .min(self.delay_max_ns);
        let delay = match self.jitter {
            Jitter::None => plain,
            Jitter::Decorrelated if self.delay_last_ns > 0 => {
                let most = self.delay_last_ns.saturating_mul(3).min(self.delay_max_ns);
                in_range(self.scale_ns, most, random)
            }
            _ => in_range(0, plain, random),
        };
        self.delay_last_ns = delay;
        self.retries += 1;
        Ok(Duration::from_nanos(delay))
    }

    /// Tries made after the first.
    pub fn retries(&self) -> u32 {
        self.retries
    }
}

/// At least the smaller one, less than the larger; 0 where they are equal.
fn in_range(a: u64, b: u64, random: &mut dyn FnMut() -> u64) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    if low == high { 0 } else { low + random() % (high - low) }
}

const RETRIES_MAX: u32 = 63;
const RETRIES_DEFAULT: u32 = 5;
const SCALE_DEFAULT: Duration = Duration::from_millis(500);
const DELAY_MAX_DEFAULT: Duration = Duration::from_secs(20);
