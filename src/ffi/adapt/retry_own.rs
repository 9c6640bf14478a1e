//! The retry strategy of a client that was given none: exponential back-off, and a budget for each
//! host so that an outage is not made worse by its victims. No call is made before a failure.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::sync::Mutex;

use crate::base::{Done, Duration, Result};
use crate::client::{RetryKind, RetryPolicy, RetryToken};
use crate::ffi::place::enum_value;
use crate::ffi::s3::s3_client::anon_aws_s3_client_config_retry_config;
use crate::reactor::Group;
use crate::retry::{Backoff, BackoffOptions, Bucket, Cost, Jitter, Kind};

pub(crate) struct OwnStrategy {
    group: Group,
    options: BackoffOptions,
    capacity: u64,
    buckets: Mutex<HashMap<String, Arc<Mutex<Bucket>>>>,
}

/// Budgets that are kept; when there are more hosts, the full ones are forgotten first.
const BUCKETS_MAX: usize = 1024;

impl OwnStrategy {
    pub(crate) fn new(
        group: Group,
        config: &anon_aws_s3_client_config_retry_config,
    ) -> Result<Arc<OwnStrategy>> {
        let options = BackoffOptions {
            retries_max: u32::try_from(config.max_retries).unwrap_or(u32::MAX),
            scale: Duration::from_millis(u64::from(config.backoff_scale_factor_ms)),
            delay_max: Duration::from_secs(u64::from(config.max_backoff_secs)),
            jitter: match enum_value(config.jitter_mode) {
                1 => Jitter::None,
                2 => Jitter::Full,
                3 => Jitter::Decorrelated,
                _ => Jitter::Default,
            },
        };
        // A number of retries that is not possible is refused here, not at the first failure.
        Backoff::new(&options)?;
        Ok(Arc::new(OwnStrategy {
            group,
            options,
            capacity: config.initial_bucket_capacity as u64,
            buckets: Mutex::default(),
        }))
    }

    fn bucket(&self, partition: &str) -> Arc<Mutex<Bucket>> {
        let mut buckets = self.buckets.lock();
        if let Some(bucket) = buckets.get(partition) {
            return bucket.clone();
        }
        if buckets.len() >= BUCKETS_MAX {
            buckets.retain(|_, b| Arc::strong_count(b) > 1);
        }
        let fresh = Arc::new(Mutex::new(Bucket::new(self.capacity)));
        buckets.insert(partition.to_owned(), fresh.clone());
        fresh
    }
}

impl RetryPolicy for OwnStrategy {
    fn acquire(&self, partition: &str, done: Done<Box<dyn RetryToken>>) {
        let backoff = Backoff::new(&self.options);
        done(backoff.map(|backoff| {
            Box::new(Token {
                group: self.group.clone(),
                backoff,
                bucket: self.bucket(partition),
                cost: Cost::default(),
            }) as Box<dyn RetryToken>
        }));
    }
    fn is_lazy(&self) -> bool {
        true
    }
}

struct Token {
    group: Group,
    backoff: Backoff,
    bucket: Arc<Mutex<Bucket>>,
    cost: Cost,
}

fn random() -> u64 {
    use ring::rand::{SecureRandom, SystemRandom};
    let mut bytes = [0; 8];
    // Without randomness the delays are merely not spread.
    let _ = SystemRandom::new().fill(&mut bytes);
    u64::from_ne_bytes(bytes)
}

impl RetryToken for Token {
    fn schedule(&mut self, kind: RetryKind, go: Done<()>) {
        let kind = match kind {
            RetryKind::Transient => Kind::Transient,
            RetryKind::Throttling => Kind::Throttling,
            RetryKind::Server => Kind::Server,
            RetryKind::Client => Kind::Client,
        };
        let before = self.cost;
        let paid = self.bucket.lock().take(kind, &mut self.cost);
        let delay = match paid.and_then(|()| self.backoff.next(kind, &mut random)) {
            Ok(delay) => delay,
            Err(e) => {
                if paid.is_ok() {
                    self.bucket.lock().take_back(&mut self.cost, before);
                }
                return go(Err(e));
            }
        };
        self.group.next().post(move |lp| {
            lp.timer(lp.now().after(delay), move |_| go(Ok(())));
        });
    }

    fn succeeded(&mut self) {
        self.bucket.lock().succeeded(&mut self.cost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Code, Error};
    use crate::reactor::GroupOptions;
    use std::sync::mpsc;

    fn config(max_retries: usize, capacity: usize) -> anon_aws_s3_client_config_retry_config {
        anon_aws_s3_client_config_retry_config {
            max_retries,
            backoff_scale_factor_ms: 1,
            max_backoff_secs: 0,
            jitter_mode: std::mem::MaybeUninit::zeroed(),
            initial_bucket_capacity: capacity,
        }
    }

    #[test]
    fn retries_end_and_the_budget_of_a_host_is_shared() {
        let group = Group::new(GroupOptions { loops: 1, ..Default::default() }).expect("a loop");
        let policy = OwnStrategy::new(group.clone(), &config(2, 0)).expect("options");
        let (tx, rx) = mpsc::channel();
        let token = |p: &OwnStrategy, host: &str| {
            let (tx, rx) = mpsc::channel();
            p.acquire(host, Box::new(move |t| tx.send(t).expect("a receiver")));
            rx.recv().expect("inline").expect("a token")
        };
        let try_again = |t: &mut Box<dyn RetryToken>| {
            let tx = tx.clone();
            t.schedule(RetryKind::Server, Box::new(move |r| tx.send(r).expect("a receiver")));
            rx.recv().expect("an answer")
        };
        let mut t = token(&policy, "a");
        assert_eq!(try_again(&mut t), Ok(()));
        assert_eq!(try_again(&mut t), Ok(()));
        assert_eq!(try_again(&mut t), Err(Error::new(Code::IO_MAX_RETRIES_EXCEEDED)));
        let poor = OwnStrategy::new(group.clone(), &config(5, 1)).expect("options");
        let mut first = token(&poor, "a");
        assert_eq!(try_again(&mut first), Ok(()));
        let mut second = token(&poor, "a");
        let denied = Err(Error::new(Code::IO_RETRY_PERMISSION_DENIED));
        assert_eq!(try_again(&mut second), denied);
        assert_eq!(try_again(&mut token(&poor, "b")), Ok(()));
        group.shut_down();
    }
}
