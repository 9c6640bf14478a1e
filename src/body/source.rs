//! Sources of upload bytes as the engine sees them; `ffi::adapt` implements them over C streams.

use std::sync::Arc;

use crate::base::{Error, Result};

/// A caller's blocking stream. Called on the transfer's reading queue only, one call at a time.
pub trait InputStream: Send {
    /// Reads up to `into.len()` bytes; 0 is no end by itself, `status` says that.
    fn read(&mut self, into: &mut [u8]) -> Result<usize>;
    fn status(&mut self) -> Result<StreamStatus>;
    fn seek_to(&mut self, offset: u64) -> Result<()>;
    fn length(&mut self) -> Result<u64>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamStatus {
    pub is_end: bool,
    pub is_valid: bool,
}

/// A caller's asynchronous stream: fills up to `want` bytes of `into`, then calls `done` on any
/// thread, maybe inline, with the bytes and whether the end is reached.
pub trait AsyncInput: Send {
    fn read(
        &mut self,
        into: Vec<u8>,
        want: usize,
        done: Box<dyn FnOnce(Vec<u8>, Result<bool>) + Send>,
    );
}

/// Bytes handed over by `write` and `poll_write`, until a part takes them.
#[derive(Default)]
pub struct WriteQueue {
    _private: Arc<()>,
}

pub enum WriteOutcome {
    /// So many bytes were taken.
    Taken(usize),
    /// Nothing fits now; the waker will be called.
    Pending,
    Failed(Error),
}
