//! Many MD5s at once: jobs in, digests out. Sans-io, no thread, no lock.
//!
//! ```text
//! push --> waiting --> lane 0..n, side by side --turn: one kernel run--> outcomes
//!              refill when a lane ends   shortest lane, at most 64 KiB
//! ```
//!
//! A lane keeps its job until it is out of bytes; when the shortest lane ends, only that one is
//! refilled. Lanes in use are always the lowest ones, so the number in use decides the kernel,
//! for each run anew. When a few more jobs wait than there are lanes, all take turns, so that no
//! few are left for the end (32 messages in 24 lanes: 4 rounds of 24 instead of 24 and then 8).
//!
//! A job owns its message: whatever keeps the bytes alive and unchanged. That is what makes the
//! asynchronous use in `hashing` free of copies and of races.

mod lane;

use super::md5::{Chain, Md5Digest};
use crate::simd::md5::{BLOCK, Engine, LANES_MAX, States};
use lane::Lane;
use std::collections::VecDeque;

#[cfg(test)]
mod tests;

/// The most bytes of a lane in one run, so that new jobs join soon.
pub const QUANTUM_BYTES: usize = 64 << 10;

/// Blocks of a run while jobs take turns: the least that hides the change, and the most.
const TURN_BLOCKS: (usize, usize) = (128, 512);

/// A message in memory, in one or more pieces.
pub trait Message {
    /// The piece with this number; `None` behind the last one. The same bytes at every call.
    fn piece(&self, index: usize) -> Option<&[u8]>;
}

impl<B: AsRef<[u8]>> Message for B {
    fn piece(&self, index: usize) -> Option<&[u8]> {
        (index == 0).then(|| self.as_ref())
    }
}

/// One message, or the next whole blocks of one.
pub struct Job<M, T> {
    /// The bytes and what keeps them alive; it comes back with the outcome.
    pub message: M,
    /// Where the message stands before these bytes.
    pub from: Chain,
    /// Whether the message ends here. If not, the bytes are a whole number of 64-byte blocks.
    pub last: bool,
    /// Tells the caller which job an outcome belongs to.
    pub tag: T,
}

impl<M: Message, T> Job<M, T> {
    /// A message from its first byte to its last.
    pub fn whole(message: M, tag: T) -> Job<M, T> {
        Job { message, from: Chain::START, last: true, tag }
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
pub struct Scheduler<M, T> {
    engine: &'static Engine,
    /// New ones, and ones that were taken out of their lane.
    waiting: VecDeque<Lane<M, T>>,
    /// Lane `i` of `states` belongs to `lanes[i]`.
    lanes: Vec<Lane<M, T>>,
    states: States,
    /// The lane that leaves next when jobs take turns.
    next_out: usize,
    /// Blocks hashed, of all lanes.
    #[cfg(test)]
    spent: usize,
}

impl<M: Message, T> Scheduler<M, T> {
    pub fn new(engine: &'static Engine) -> Scheduler<M, T> {
        Scheduler::with_capacity(engine, 0)
    }

    /// As `new`, with room for `jobs` waiting ones.
    pub fn with_capacity(engine: &'static Engine, jobs: usize) -> Scheduler<M, T> {
        Scheduler {
            engine,
            waiting: VecDeque::with_capacity(jobs),
            lanes: Vec::with_capacity(engine.lanes_max()),
            states: States::new(),
            next_out: 0,
            #[cfg(test)]
            spent: 0,
        }
    }

    /// How many jobs are hashed at once at most.
    pub fn lanes_max(&self) -> usize {
        self.engine.lanes_max()
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
    /// Panics if the bytes end inside a 64-byte block although more of the message is to come: a
    /// digest of other bytes than meant must not go out.
    pub fn push(&mut self, job: Job<M, T>) {
        let lane = Lane::new(job);
        if self.waiting.is_empty() && self.lanes.len() < self.lanes_max() {
            self.occupy(lane);
        } else {
            self.waiting.push_back(lane);
        }
    }

    /// One run of one kernel over the lanes in use. `done` gets tag, message and outcome of every
    /// job that ended. Returns false when there was nothing to do.
    pub fn turn(&mut self, mut done: impl FnMut(T, M, Outcome)) -> bool {
        self.refill(&mut done);
        if self.lanes.is_empty() {
            return false;
        }
        let n = self.lanes.len();
        let mut messages = [[].as_slice(); LANES_MAX];
        let mut blocks = usize::MAX;
        let mut large = 0;
        for (message, lane) in messages.iter_mut().zip(&self.lanes) {
            *message = lane.rest();
            blocks = blocks.min(lane.left());
            large += usize::from(lane.is_large());
        }
        let taking_turns = n == self.lanes_max() && (1..n).contains(&self.waiting.len());
        blocks = if taking_turns {
            blocks.min((blocks / 4).clamp(TURN_BLOCKS.0, TURN_BLOCKS.1))
        } else {
            blocks.min(QUANTUM_BYTES / BLOCK)
        };
        // A run of few blocks is over before a prefetch has come.
        let prefetch = 2 * large >= n && blocks >= 8;
        let kernel = self.engine.kernel_for(n);
        kernel.run(&mut self.states, &messages[..n], blocks, prefetch);

        #[cfg(test)]
        {
            self.spent += n * blocks;
        }
        let change = taking_turns && blocks >= TURN_BLOCKS.0;
        // From the top, so that a lane moved into a gap has been seen already.
        for i in (0..n).rev() {
            if !self.lanes[i].advance(blocks) {
                self.finish(i, &mut done);
            }
        }
        if change {
            self.take_turns();
        }
        true
    }

    /// Gives up all jobs, e.g. after a panic inside a turn; their states are lost.
    pub fn abandon(&mut self) -> Vec<(T, M)> {
        let lanes = self.lanes.drain(..).map(Lane::into_parts);
        lanes.chain(self.waiting.drain(..).map(Lane::into_parts)).collect()
    }

    /// Fills free lanes, and finds the first bytes of jobs that are new in theirs. A job that has
    /// none and does not end is done: its message stands where it stood.
    fn refill(&mut self, done: &mut impl FnMut(T, M, Outcome)) {
        let mut i = 0;
        loop {
            if i == self.lanes.len() {
                if i == self.lanes_max() {
                    return;
                }
                let Some(lane) = self.waiting.pop_front() else { return };
                self.occupy(lane);
            }
            if self.lanes[i].left() > 0 || self.lanes[i].advance(0) {
                i += 1;
            } else {
                self.finish(i, done);
            }
        }
    }

    fn occupy(&mut self, lane: Lane<M, T>) {
        self.states.set(self.lanes.len(), lane.state);
        self.lanes.push(lane);
    }

    /// Takes as many jobs out of their lanes as wait for one; they go to the back of the queue.
    fn take_turns(&mut self) {
        for _ in 0..self.waiting.len().min(self.lanes.len()) {
            let i = self.next_out % self.lanes.len();
            self.next_out = i + 1;
            let Some(next) = self.waiting.front_mut() else { return };
            if next.left() == 0 && !next.advance(0) {
                // Nothing to hash: `refill` knows what to do with it.
                return;
            }
            let Some(mut lane) = self.waiting.pop_front() else { return };
            let state = lane.state;
            std::mem::swap(&mut self.lanes[i], &mut lane);
            lane.state = self.states.get(i);
            self.states.set(i, state);
            self.waiting.push_back(lane);
        }
    }

    /// Gives the outcome of lane `i` away and moves the highest lane into its place.
    fn finish(&mut self, i: usize, done: &mut impl FnMut(T, M, Outcome)) {
        let state = self.states.get(i);
        self.states.set(i, self.states.get(self.lanes.len() - 1));
        let lane = self.lanes.swap_remove(i);
        let outcome = lane.outcome(state);
        let (tag, message) = lane.into_parts();
        done(tag, message, outcome);
    }
}
