//! Values every room shares: errors, time, ranges, identifiers, the log macro. Imports only std.

mod cpus;
mod error;
mod log;
mod panics;
mod range;
mod sink;
pub mod sync;
mod time;
mod topology;

pub use cpus::CpuSet;
pub use error::{Code, Error, Result};
pub use log::{
    Level, LevelHook, LogHook, Subject, log_enabled, log_wanted, log_write, set_level_hook,
    set_log_hook,
};
pub use panics::caught;
pub use range::ByteRange;
pub use sink::{SendStep, SinkWindow};
pub use time::{Clock, Duration, Instant};
pub use topology::{Node, Pu, Topology};

/// Told once how something ended, on whatever thread it ended.
pub type Done<T> = Box<dyn FnOnce(Result<T>) + Send>;
