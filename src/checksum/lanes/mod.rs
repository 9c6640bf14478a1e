//! Many MD5s at once: jobs in, digests out. Sans-io, no thread, no lock.
//!
//! ```text
//! push --> waiting --> lane 0..n, side by side --turn: one kernel run--> outcomes
//!              refill when a lane ends   shortest lane, at most 64 KiB
//! ```
//!
//! A lane keeps its job until it is out of bytes; when the shortest lane ends, only that one is
//! refilled. Lanes in use are always the lowest ones, so the number in use decides the kernel,
//! for each run anew. The end of a message (less than a block, and the padding) is hashed from a
//! scratch of the lane's own, never from behind the message.
//!
//! A job owns its block: whatever keeps the bytes alive and unchanged. That is what makes the
//! asynchronous use in `hashing` free of copies and of races.

use super::md5::{Chain, Md5Digest, Tail, to_digest};
use crate::simd::md5::{BLOCK, Engine, LANES_MAX, PREFETCH_FROM, States};
use std::collections::VecDeque;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The most bytes of a lane in one run, so that new jobs join soon.
pub const QUANTUM_BYTES: usize = 64 << 10;

/// One message, or the next whole blocks of one.
pub struct Job<B, T> {
    /// What keeps the bytes alive; it comes back with the outcome.
    pub block: B,
    /// The bytes within the block.
    pub range: Range<usize>,
    /// Where the message stands before these bytes.
    pub from: Chain,
    /// Whether the message ends here. If not, the range is a whole number of 64-byte blocks.
    pub last: bool,
    /// Tells the caller which job an outcome belongs to.
    pub tag: T,
}

impl<B: AsRef<[u8]>, T> Job<B, T> {
    /// All of `block` as one message.
    pub fn whole(block: B, tag: T) -> Job<B, T> {
        let range = 0..block.as_ref().len();
        Job { block, range, from: Chain::START, last: true, tag }
    }
}

/// What a job came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Of a job that was the last of its message.
    Digest(Md5Digest),
    /// Of any other: where the next one starts.
    Chain(Chain),
}

/// Hashes up to as many jobs at once as its engine has lanes; more wait their turn.
pub struct Scheduler<B, T> {
    engine: &'static Engine,
    waiting: VecDeque<Job<B, T>>,
    /// Lane `i` of `states` belongs to `lanes[i]`.
    lanes: Vec<Lane<B, T>>,
    states: States,
    /// How many lanes have a message that is worth prefetching.
    large: usize,
}

struct Lane<B, T> {
    block: B,
    /// Next byte in the block.
    at: usize,
    /// Whole blocks left, of the block or of the tail.
    left: usize,
    /// Bytes of the message after this job.
    total: u64,
    tail: Option<Tail>,
    /// `at` and `left` count in the tail.
    in_tail: bool,
    large: bool,
    tag: T,
}

impl<B: AsRef<[u8]>, T> Scheduler<B, T> {
    pub fn new(engine: &'static Engine) -> Scheduler<B, T> {
        Scheduler {
            engine,
            waiting: VecDeque::new(),
            lanes: Vec::with_capacity(engine.lanes_max()),
            states: States::new(),
            large: 0,
        }
    }

    /// Jobs waiting or in a lane.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.lanes.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many more jobs would get a lane at once.
    pub fn room(&self) -> usize {
        self.engine.lanes_max().saturating_sub(self.len())
    }

    /// Takes a job; nothing is computed yet.
    ///
    /// Panics if the range is not within the block, or cuts a 64-byte block although more of the
    /// message is to come: a digest of other bytes than meant must not go out.
    pub fn push(&mut self, job: Job<B, T>) {
        let bytes = job.block.as_ref().get(job.range.clone());
        let bytes = bytes.expect("the range of a job lies in its block");
        assert!(job.last || bytes.len().is_multiple_of(BLOCK), "a job cuts a block of its message");
        self.waiting.push_back(job);
    }

    /// One run of one kernel over the lanes in use. `done` gets tag, block and outcome of every
    /// job that ended. Returns false when there was nothing to do.
    pub fn turn(&mut self, mut done: impl FnMut(T, B, Outcome)) -> bool {
        self.refill(&mut done);
        if self.lanes.is_empty() {
            return false;
        }
        let shortest = self.lanes.iter().map(|l| l.left).min().unwrap_or(0);
        let blocks = shortest.min(QUANTUM_BYTES / BLOCK);
        let n = self.lanes.len();

        let mut messages = [[].as_slice(); LANES_MAX];
        for (message, lane) in messages.iter_mut().zip(&self.lanes) {
            *message = lane.rest();
        }
        let prefetch = 2 * self.large >= n && blocks >= 8;
        let kernel = self.engine.kernel_for(n);
        kernel.run(&mut self.states, &messages[..n], blocks, prefetch);

        // From the top, so that a lane moved into a gap has been seen already.
        for i in (0..n).rev() {
            let lane = &mut self.lanes[i];
            lane.at += blocks * BLOCK;
            lane.left -= blocks;
            if lane.left == 0 && !lane.begin_tail() {
                self.finish(i, &mut done);
            }
        }
        true
    }

    fn refill(&mut self, done: &mut impl FnMut(T, B, Outcome)) {
        while self.lanes.len() < self.engine.lanes_max() {
            let Some(job) = self.waiting.pop_front() else { break };
            let bytes = &job.block.as_ref()[job.range.clone()];
            let rest = &bytes[bytes.len() - bytes.len() % BLOCK..];
            let total = job.from.bytes.wrapping_add(bytes.len() as u64);
            let large = bytes.len() >= PREFETCH_FROM;
            let mut lane = Lane {
                at: job.range.start,
                left: bytes.len() / BLOCK,
                total,
                tail: job.last.then(|| Tail::new(rest, total)),
                in_tail: false,
                large,
                block: job.block,
                tag: job.tag,
            };
            if lane.left == 0 && !lane.begin_tail() {
                // No bytes and no end: the message stands where it stood.
                done(lane.tag, lane.block, Outcome::Chain(job.from));
                continue;
            }
            self.large += usize::from(large);
            self.states.set(self.lanes.len(), job.from.state);
            self.lanes.push(lane);
        }
    }

    /// Gives the outcome of lane `i` away and moves the highest lane into its place.
    fn finish(&mut self, i: usize, done: &mut impl FnMut(T, B, Outcome)) {
        let state = self.states.get(i);
        let highest = self.lanes.len() - 1;
        self.states.set(i, self.states.get(highest));
        let lane = self.lanes.swap_remove(i);
        self.large -= usize::from(lane.large);
        let outcome = if lane.in_tail {
            Outcome::Digest(to_digest(state))
        } else {
            Outcome::Chain(Chain { state, bytes: lane.total })
        };
        done(lane.tag, lane.block, outcome);
    }
}

impl<B: AsRef<[u8]>, T> Lane<B, T> {
    /// The bytes still to be hashed in whole blocks.
    fn rest(&self) -> &[u8] {
        let bytes = match &self.tail {
            Some(tail) if self.in_tail => tail.blocks(),
            _ => self.block.as_ref(),
        };
        &bytes[self.at..self.at + self.left * BLOCK]
    }

    /// Goes on with the tail; false if there is none or it is done.
    fn begin_tail(&mut self) -> bool {
        match &self.tail {
            Some(tail) if !self.in_tail => {
                self.in_tail = true;
                self.at = 0;
                self.left = tail.blocks().len() / BLOCK;
                true
            }
            _ => false,
        }
    }
}
