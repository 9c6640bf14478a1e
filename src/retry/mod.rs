//! Whether a failed request is tried again, when, and how much retrying the whole client may do.
//!
//! Pure: time and randomness are arguments, no token waits in here. `classify_*` say what kind of
//! failure it was, `Backoff` how long to wait, `Bucket` whether the budget still allows it. The
//! numbers are those of the reference's two strategies, so that a caller's tuning keeps its meaning.

mod backoff;
mod bucket;
mod classify;

pub use backoff::{Backoff, BackoffOptions, Jitter};
pub use bucket::{Bucket, Cost};
pub use classify::{
    CERTIFICATE, Class, Kind, RETRY_AFTER_MAX, classify, classify_answer, classify_error,
    parse_retry_after, wants_new_keys,
};

#[cfg(test)]
mod tests;
