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
    /// Who waits for room for an account with such a guarantee.
    openers: VecDeque<(u64, Waker)>,
    /// Accounts that are not closed.
    open: usize,
    /// Segments given back so far.
    given: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PoolStats {
    pub limit: u64,
    pub mapped: u64,
    pub held: u64,
    pub held_peak: u64,
    pub committed: u64,
    pub accounts: usize,
    pub given: u64,
}

/// What one meta request holds. Closed by `close`; segments may outlive that.
///
/// The guarantee is for bytes that are wanted next. What is taken ahead of them comes from the
/// common room only: it must not keep those that it waits for from coming.
pub struct Account {
    pool: Arc<Pool>,
    /// All change only under the pool's lock.
    held: AtomicU64,
    /// Of `held`.
    ahead: AtomicU64,
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
            openers: VecDeque::new(),
            open: 0,
            given: 0,
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
        s.open += 1;
        Some(Arc::new(Account {
            pool: self.clone(),
            held: AtomicU64::new(0),
            ahead: AtomicU64::new(0),
            guarantee: AtomicU64::new(guarantee),
        }))
    }

    /// Calls `waker` once when `open` may succeed; false, and no call, where it may now.
    pub fn wait_for_room(&self, guarantee: u64, waker: Waker) -> bool {
        let guarantee = guarantee.next_multiple_of(SEGMENT_BYTES as u64);
        let mut s = self.state.lock();
        if s.committed + guarantee <= self.limit {
            return false;
        }
        s.openers.push_back((guarantee, waker));
        true
    }

    /// Somebody who was woken may not have wanted the memory any more: the next one's turn.
    pub fn pass_on(&self) {
        let wakers = self.state.lock().wakers_of_room(self.limit);
        wakers.into_iter().for_each(|wake| wake());
    }

    /// Somebody waits for a segment.
    pub fn is_waited_for(&self) -> bool {
        !self.state.lock().waiters.is_empty()
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
            accounts: s.open,
            given: s.given,
        }
    }
}

impl State {
    /// Who may use room that anybody may use: the first that waits for a segment, else those who
    /// wait for an account.
    fn wakers_of_room(&mut self, limit: u64) -> Vec<Waker> {
        let room = limit.saturating_sub(self.committed);
        if !self.waiters.is_empty() {
            return match room >= SEGMENT_BYTES as u64 {
                true => self.waiters.pop_front().map(|(_, w)| w).into_iter().collect(),
                false => Vec::new(),
            };
        }
        let mut wakers = Vec::new();
        while self.openers.front().is_some_and(|(g, _)| *g <= room) {
            wakers.extend(self.openers.pop_front().map(|(_, w)| w));
        }
        wakers
    }

    fn wakers_of(&mut self, account: usize) -> Vec<Waker> {
        let (own, others) = self.waiters.drain(..).partition(|(a, _)| *a == account);
        self.waiters = others;
        let own: VecDeque<(usize, Waker)> = own;
        own.into_iter().map(|(_, w)| w).collect()
    }
}

impl Account {
    /// One segment, or `None` where neither the guarantee nor the limit has room.
    pub fn take(self: &Arc<Account>) -> Result<Option<Segment>> {
        self.take_or(false, |_| {})
    }

    /// As `take`, for bytes that are `ahead` of those wanted next or not; with `None` the waker is kept and called once when there may be room.
    pub fn take_or_wait(
        self: &Arc<Account>,
        ahead: bool,
        waker: impl FnOnce() -> Waker,
    ) -> Result<Option<Segment>> {
        let at = Arc::as_ptr(self) as usize;
        self.take_or(ahead, |s| s.waiters.push_back((at, waker())))
    }

    fn take_or(
        self: &Arc<Account>,
        ahead: bool,
        otherwise: impl FnOnce(&mut State),
    ) -> Result<Option<Segment>> {
        let size = SEGMENT_BYTES as u64;
        let mut s = self.pool.state.lock();
        let held = self.held.load(Ordering::Relaxed);
        let guarantee = self.guarantee.load(Ordering::Relaxed);
        let next = held - self.ahead.load(Ordering::Relaxed);
        let grows = match ahead {
            true => size,
            false => (next + size).max(guarantee) - next.max(guarantee),
        };
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
        if ahead {
            self.ahead.fetch_add(size, Ordering::Relaxed);
        }
        drop(s);
        Ok(Some(Segment::new(block, self.clone(), ahead)))
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
        let next = self.held.load(Ordering::Relaxed) - self.ahead.load(Ordering::Relaxed);
        let guarantee = self.guarantee.swap(0, Ordering::Relaxed);
        s.committed -= next.max(guarantee) - next;
        s.open -= 1;
        let waiters = std::mem::take(&mut s.waiters);
        let openers = s.wakers_of_room(self.pool.limit);
        drop(s);
        waiters.into_iter().for_each(|(_, wake)| wake());
        openers.into_iter().for_each(|wake| wake());
    }

    /// Wakes whoever waits for a segment of this account: the reason to wait may be gone.
    pub fn wake_waiters(&self) {
        let own = std::ptr::from_ref(self) as usize;
        let wakers = self.pool.state.lock().wakers_of(own);
        wakers.into_iter().for_each(|wake| wake());
    }

    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    pub(super) fn give_back(&self, block: Block, ahead: bool) {
        let size = SEGMENT_BYTES as u64;
        let mut s = self.pool.state.lock();
        let held = self.held.load(Ordering::Relaxed);
        let guarantee = self.guarantee.load(Ordering::Relaxed);
        let next = held - self.ahead.load(Ordering::Relaxed);
        let freed = match ahead {
            true => size,
            false => next.max(guarantee) - (next - size).max(guarantee),
        };
        if ahead {
            self.ahead.fetch_sub(size, Ordering::Relaxed);
        }
        s.committed -= freed;
        s.held -= size;
        s.given += 1;
        self.held.store(held - size, Ordering::Relaxed);
        s.free.push(block);
        if s.waiters.is_empty() && s.openers.is_empty() {
            return;
        }
        // The account's own waiters may use its guarantee; anybody may use what became free.
        let own = std::ptr::from_ref(self) as usize;
        let wakers = match freed {
            0 => s.wakers_of(own),
            _ => s.wakers_of_room(self.pool.limit),
        };
        drop(s);
        wakers.into_iter().for_each(|wake| wake());
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
        let none = a.take_or_wait(false, || {
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

    #[test]
    fn bytes_ahead_leave_the_guarantee_to_those_wanted_next() {
        let pool = Pool::new(4 * SEG);
        let a = pool.open(2 * SEG).unwrap();
        let none = || -> Waker { Box::new(|| {}) };
        let one = a.take_or_wait(true, none).unwrap();
        let two = a.take_or_wait(true, none).unwrap();
        assert!(one.is_some() && two.is_some());
        assert!(a.take_or_wait(true, none).unwrap().is_none(), "the guarantee was eaten ahead");
        let three = a.take().unwrap();
        let four = a.take().unwrap();
        assert!(three.is_some() && four.is_some());
        assert!(a.take().unwrap().is_none());
        drop((one, three));
        assert_eq!(pool.stats().committed, 3 * SEG);
        drop((two, four));
        a.close();
        assert_eq!(pool.stats().committed, 0);
    }

    #[test]
    fn room_that_comes_after_the_close_wakes_who_waits_for_an_account() {
        let pool = Pool::new(4 * SEG);
        let a = pool.open(2 * SEG).unwrap();
        let kept: Vec<_> = (0..4).map(|_| a.take().unwrap().unwrap()).collect();
        assert!(pool.open(2 * SEG).is_none());
        let woken = Arc::new(AtomicU64::new(0));
        let w = woken.clone();
        assert!(pool.wait_for_room(
            2 * SEG,
            Box::new(move || {
                w.fetch_add(1, Ordering::Relaxed);
            })
        ));
        a.close();
        let mut kept = kept.into_iter();
        drop(kept.next());
        assert_eq!(woken.load(Ordering::Relaxed), 0);
        drop(kept.next());
        assert_eq!(woken.load(Ordering::Relaxed), 1);
        assert!(!pool.wait_for_room(2 * SEG, Box::new(|| {})), "there is room now");
    }

    #[test]
    fn a_wake_up_that_nobody_uses_is_passed_on() {
        let pool = Pool::new(SEG);
        let a = pool.open(0).unwrap();
        let held = a.take().unwrap();
        let woken = Arc::new(AtomicU64::new(0));
        for n in [1, 10] {
            let w = woken.clone();
            let wake: Waker = Box::new(move || {
                w.fetch_add(n, Ordering::Relaxed);
            });
            assert!(a.take_or_wait(true, || wake).unwrap().is_none());
        }
        drop(held);
        assert_eq!(woken.load(Ordering::Relaxed), 1, "the first in the queue");
        pool.pass_on();
        assert_eq!(woken.load(Ordering::Relaxed), 11);
        pool.pass_on();
    }
}
