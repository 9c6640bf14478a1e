//! Part memory: segments of one size, taken and given back, counted against a limit.
//!
//! A meta request opens an [`Account`] with a *guarantee*: memory it can always take, so that the
//! part at its delivery point always moves. What it takes beyond is granted only while
//! `sum over accounts of max(held, guarantee)` stays below the limit; therefore no set of accounts
//! can lock the others out, and the limit holds. Segments are reused last in, first out, so that a
//! small working set stays in the cache; idle slabs go back to the system by `trim`.

mod chunk;
mod pool;

pub use chunk::{Chunk, Hold, Segment};
pub use pool::{Account, Pool, PoolStats, SEGMENT_BYTES, Waker};

use crate::base::{Done, Result};

/// A caller's pool behind the public vtable; tickets may complete inline, later, on any thread.
pub trait ForeignPool: Send + Sync {
    /// `owner` is the `log_id` of the transfer that asks.
    fn reserve(
        &self,
        owner: usize,
        size: usize,
        can_block: bool,
        done: Done<Box<dyn ForeignTicket>>,
    );
    fn trim(&self);
}

/// A right to memory of a caller's pool; dropped = released.
pub trait ForeignTicket: Send + Sync {
    /// The claimed memory, the same at each call.
    fn memory(&mut self) -> Result<&mut [u8]>;
    fn bytes(&self) -> &[u8];
    /// The caller's own handle, for handing it back to the caller.
    fn raw(&self) -> usize;
}
