//! The pool and its accounts.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::sync::Mutex;

use super::chunk::Segment;
use crate::base::{Code, Error, Result};
use crate::sys::{Block, slab};

/// Called with no lock held; may try again and wait again.
pub type Waker = Box<dyn FnOnce() + Send>;

/// Bytes of one segment: one large receive that stays in the second-level cache.
pub const SEGMENT_BYTES: usize = 256 << 10;
/// Segments mapped at a time.
const SLAB_SEGMENTS: usize = 8;

/// The pool of one client.
pub struct Pool {
    state: Mutex<State>,
    limit: u64,
}

struct State {
    free: Vec<Block>,
    /// Bytes of all segments that exist, free or held.
    mapped: u64,
    /// Sum over accounts of max(held, guarantee).
    committed: u64,
    held: u64,
    held_peak: u64,
    /// Who waits for room, by the address of its account, first come first.
    waiters: VecDeque<(usize, Waker)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PoolStats {
    pub limit: u64,
    pub mapped: u64,
    pub held: u64,
    pub held_peak: u64,
    pub committed: u64,
}

/// What one meta request holds. Closed by `close`; segments may outlive that.
pub struct Account {
    pool: Arc<Pool>,
    /// Both change only under the pool's lock.
    held: AtomicU64,
    guarantee: AtomicU64,
}

impl Pool {
    pub fn new(limit_bytes: u64) -> Arc<Pool> {
        let state = State {
            free: Vec::new(),
            mapped: 0,
            committed: 0,
            held: 0,
            held_peak: 0,
            waiters: VecDeque::new(),
        };
        Arc::new(Pool { state: Mutex::new(state), limit: limit_bytes.max(SEGMENT_BYTES as u64) })
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// An account that can always hold `guarantee` bytes (rounded up to segments); `None` while
    /// the limit has no room for that. A guarantee above the limit is never granted.
    pub fn open(self: &Arc<Pool>, guarantee: u64) -> Option<Arc<Account>> {
        let guarantee = guarantee.next_multiple_of(SEGMENT_BYTES as u64);
        let mut s = self.state.lock();
        if s.committed + guarantee > self.limit {
            return None;
        }
        s.committed += guarantee;
        Some(Arc::new(Account {
            pool: self.clone(),
            held: AtomicU64::new(0),
            guarantee: AtomicU64::new(guarantee),
        }))
    }

    /// Gives slabs without a held segment back to the system.
    pub fn trim(&self) {
        let mut s = self.state.lock();
        let mut ids: Vec<usize> = s.free.iter().map(Block::slab_id).collect();
        ids.sort_unstable();
        let whole = |id: usize| {
            let from = ids.partition_point(|&x| x < id);
            let to = ids.partition_point(|&x| x <= id);
            to - from == SLAB_SEGMENTS
        };
        let (gone, kept): (Vec<Block>, Vec<Block>) =
            s.free.drain(..).partition(|b| whole(b.slab_id()));
        s.mapped -= (gone.len() * SEGMENT_BYTES) as u64;
        s.free = kept;
        drop(s);
        drop(gone);
    }

    pub fn stats(&self) -> PoolStats {
        let s = self.state.lock();
        PoolStats {
            limit: self.limit,
            mapped: s.mapped,
            held: s.held,
            held_peak: s.held_peak,
            committed: s.committed,
        }
    }
}

impl Account {
    /// One segment, or `None` where neither the guarantee nor the limit has room.
    pub fn take(self: &Arc<Account>) -> Result<Option<Segment>> {
        self.take_or(|_| {})
    }

    /// As `take`; with `None` the waker is kept and called once when there may be room.
    pub fn take_or_wait(
        self: &Arc<Account>,
        waker: impl FnOnce() -> Waker,
    ) -> Result<Option<Segment>> {
        let at = Arc::as_ptr(self) as usize;
        self.take_or(|s| s.waiters.push_back((at, waker())))
    }

    fn take_or(self: &Arc<Account>, otherwise: impl FnOnce(&mut State)) -> Result<Option<Segment>> {
        let size = SEGMENT_BYTES as u64;
        let mut s = self.pool.state.lock();
        let held = self.held.load(Ordering::Relaxed);
        let guarantee = self.guarantee.load(Ordering::Relaxed);
        let grows = (held + size).max(guarantee) - held.max(guarantee);
        if s.committed + grows > self.pool.limit {
            otherwise(&mut s);
            return Ok(None);
        }
        let block = match s.free.pop() {
            Some(b) => b,
            None => {
                let mut blocks = slab(SLAB_SEGMENTS, SEGMENT_BYTES)?;
                s.mapped += (SLAB_SEGMENTS * SEGMENT_BYTES) as u64;
                // The lowest block first: a small transfer touches the start of the slab only.
                blocks.reverse();
                let Some(b) = blocks.pop() else { return Err(Error::new(Code::OOM)) };
                s.free.append(&mut blocks);
                b
            }
        };
        s.committed += grows;
        s.held += size;
        s.held_peak = s.held_peak.max(s.held);
        self.held.store(held + size, Ordering::Relaxed);
        drop(s);
        Ok(Some(Segment::new(block, self.clone())))
    }

    /// Bytes held now.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    pub fn guarantee(&self) -> u64 {
        self.guarantee.load(Ordering::Relaxed)
    }

    /// Gives the guarantee up. Segments still held stay charged until they come back.
    pub fn close(&self) {
        let mut s = self.pool.state.lock();
        let held = self.held.load(Ordering::Relaxed);
        let guarantee = self.guarantee.swap(0, Ordering::Relaxed);
        s.committed -= held.max(guarantee) - held;
        let waiters = std::mem::take(&mut s.waiters);
        drop(s);
        waiters.into_iter().for_each(|(_, wake)| wake());
    }

    pub(super) fn give_back(&self, block: Block) {
        let size = SEGMENT_BYTES as u64;
        let mut s = self.pool.state.lock();
        let held = self.held.load(Ordering::Relaxed);
        let guarantee = self.guarantee.load(Ordering::Relaxed);
        let freed = held.max(guarantee) - (held - size).max(guarantee);
        s.committed -= freed;
        s.held -= size;
        self.held.store(held - size, Ordering::Relaxed);
        s.free.push(block);
        // The account's own waiters may use its guarantee; anybody may use what became free.
        let own = std::ptr::from_ref(self) as usize;
        let at = match freed {
            0 => s.waiters.iter().position(|(a, _)| *a == own),
            _ => (!s.waiters.is_empty()).then_some(0),
        };
        let waiter = at.and_then(|at| s.waiters.remove(at));
        drop(s);
        if let Some((_, wake)) = waiter {
            wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEG: u64 = SEGMENT_BYTES as u64;

    #[test]
    fn guarantee_is_always_granted_and_limit_holds() {
        let pool = Pool::new(10 * SEG);
        let a = pool.open(2 * SEG).unwrap();
        let b = pool.open(2 * SEG).unwrap();
        let mut taken = Vec::new();
        while let Some(s) = a.take().unwrap() {
            taken.push(s);
        }
        assert_eq!(taken.len(), 8, "the other account's guarantee is not touched");
        let one = b.take().unwrap();
        let two = b.take().unwrap();
        assert!(one.is_some() && two.is_some());
        assert!(b.take().unwrap().is_none());
        assert_eq!(pool.stats().held, pool.limit());
    }

    #[test]
    fn open_waits_for_room_and_close_gives_it_back() {
        let pool = Pool::new(4 * SEG);
        let a = pool.open(3 * SEG).unwrap();
        assert!(pool.open(2 * SEG).is_none());
        let kept = a.take().unwrap();
        a.close();
        assert_eq!(pool.stats().committed, SEG);
        assert!(pool.open(3 * SEG).is_some());
        drop(kept);
    }

    #[test]
    fn trim_returns_whole_slabs_only() {
        let pool = Pool::new(100 * SEG);
        let a = pool.open(SEG).unwrap();
        let s: Vec<_> = (0..SLAB_SEGMENTS + 1).map(|_| a.take().unwrap().unwrap()).collect();
        assert_eq!(pool.stats().mapped, 2 * SLAB_SEGMENTS as u64 * SEG);
        let mut s = s.into_iter();
        let first = s.next();
        s.for_each(drop);
        pool.trim();
        assert_eq!(pool.stats().mapped, SLAB_SEGMENTS as u64 * SEG);
        drop(first);
        pool.trim();
        assert_eq!(pool.stats().mapped, 0);
    }

    #[test]
    fn waiters_are_woken_once_by_a_give_back() {
        let pool = Pool::new(SEG);
        let a = pool.open(SEG).unwrap();
        let s = a.take().unwrap();
        let woken = Arc::new(AtomicU64::new(0));
        let w = woken.clone();
        let none = a.take_or_wait(|| {
            Box::new(move || {
                w.fetch_add(1, Ordering::Relaxed);
            })
        });
        assert!(none.unwrap().is_none());
        drop(s);
        assert_eq!(woken.load(Ordering::Relaxed), 1);
        drop(a.take().unwrap());
        assert_eq!(woken.load(Ordering::Relaxed), 1);
    }
}
