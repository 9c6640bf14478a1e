//! One thread of a pool: takes work, runs it, sleeps, watches.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::base::sync::{Condvar, MutexGuard};

use super::Work;
use super::pool::{Ready, Shared, State};
use super::queue::Queue;
use crate::base::caught;
use crate::sys::thread::Body;

/// What a worker is for at the moment; changed under the pool's lock only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Role {
    Idle = 0,
    /// Called to run, and not at the ready list yet.
    Come = 1,
    Run = 2,
    Watch = 3,
}

/// What others see of a worker.
pub(super) struct Slot {
    number: u64,
    role: AtomicU8,
    /// Jobs begun and jobs ended, added: odd inside a job. The watcher compares two looks at it, so
    /// that no job costs a look at the clock.
    moves: AtomicU64,
    bell: Condvar,
}

/// After so many jobs of one queue the next queue has its turn.
const JOBS_OF_ONE_QUEUE: u32 = 32;

impl Slot {
    pub(super) fn new(number: u64) -> Slot {
        let role = AtomicU8::new(Role::Idle as u8);
        Slot { number, role, moves: AtomicU64::new(0), bell: Condvar::new() }
    }

    pub(super) fn ring(&self) {
        self.bell.notify_one();
    }

    pub(super) fn take_role(self: &Arc<Slot>, state: &mut State, role: Role) {
        match role {
            Role::Come => {
                state.running += 1;
                state.coming += 1;
            }
            Role::Run => state.running += 1,
            Role::Watch => state.watcher = Some(self.clone()),
            Role::Idle => {}
        }
        self.role.store(role as u8, Ordering::Relaxed);
    }

    fn role(&self) -> Role {
        match self.role.load(Ordering::Relaxed) {
            1 => Role::Come,
            2 => Role::Run,
            3 => Role::Watch,
            _ => Role::Idle,
        }
    }

    /// Only this worker writes: no read-modify-write needed.
    #[inline]
    fn moved(&self) {
        self.moves.store(self.moves.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

pub(super) struct Worker {
    shared: Arc<Shared>,
    slot: Arc<Slot>,
    queue: Option<Arc<Queue>>,
    queue_jobs: u32,
    /// The job that runs. It lives here and not on the stack: the thread may end inside it.
    job: Option<Box<dyn Work>>,
    /// The watcher's last look: numbers of workers, and their moves.
    look: Vec<(u64, u64)>,
    left: bool,
}

impl Body for Worker {
    fn run(&mut self) {
        while self.take() {
            // Nothing that must be dropped is alive in this frame.
            if let Some(job) = &mut self.job {
                job.run();
            }
            self.finish();
        }
    }

    fn ended(mut self: Box<Self>) {
        if !self.left {
            self.lost();
        }
        self.shared.thread_ended(self.slot.number);
    }
}

impl Worker {
    pub(super) fn new(shared: Arc<Shared>, slot: Arc<Slot>) -> Worker {
        let (queue, job, look) = (None, None, Vec::new());
        Worker { shared, slot, queue, queue_jobs: 0, job, look, left: false }
    }

    /// Gets the next job into `self.job`; false when the thread is to end.
    #[inline(never)]
    fn take(&mut self) -> bool {
        loop {
            if self.next_of_queue() || self.next_of_pool() {
                self.slot.moved();
                return true;
            }
            if self.left {
                return false;
            }
        }
    }

    #[inline(never)]
    fn finish(&mut self) {
        self.slot.moved();
        // What a job owns is dropped after it has run; a panic in there is a bug of ours.
        let job = self.job.take();
        caught("the end of a job", self.shared.id(), move || drop(job));
    }

    fn next_of_queue(&mut self) -> bool {
        let Some(queue) = &self.queue else { return false };
        if self.queue_jobs == JOBS_OF_ONE_QUEUE {
            let queue = self.queue.take();
            let mut state = self.shared.state.lock();
            state.ready.extend(queue.map(Ready::Queue));
            return false;
        }
        self.job = queue.pop();
        self.queue_jobs += 1;
        if self.job.is_none() {
            self.queue = None;
        }
        self.job.is_some()
    }

    /// Gets a queue or a job from the ready list, or sleeps; true when there is a job.
    fn next_of_pool(&mut self) -> bool {
        let shared = self.shared.clone();
        let mut state = shared.state.lock();
        loop {
            match self.slot.role() {
                Role::Come => {
                    state.running -= 1;
                    state.coming -= 1;
                    self.slot.take_role(&mut state, Role::Run);
                }
                Role::Run => {
                    if let Some(ready) = state.ready.pop_front() {
                        let bell = shared.call(&mut state);
                        drop(state);
                        if let Some(slot) = bell {
                            slot.ring();
                        }
                        match ready {
                            Ready::Job(job) => self.job = Some(job),
                            Ready::Queue(queue) => {
                                (self.queue, self.queue_jobs) = (Some(queue), 0);
                            }
                        }
                        return self.job.is_some();
                    }
                    state.running -= 1;
                    self.slot.take_role(&mut state, Role::Idle);
                    state.idle.push(self.slot.clone());
                }
                Role::Idle => {
                    if state.closing && state.ready.is_empty() {
                        self.leave(&mut state);
                        return false;
                    }
                    if self.sleep(&mut state) {
                        self.leave(&mut state);
                        return false;
                    }
                }
                Role::Watch => self.watch(&mut state),
            }
        }
    }

    /// Says whether the thread has slept long enough to end. The last one sleeps without a bound.
    fn sleep(&self, state: &mut MutexGuard<'_, State>) -> bool {
        if state.slots.len() == 1 {
            self.slot.bell.wait(state);
            return false;
        }
        let idle_after = self.shared.options.idle_after;
        let slept = self.slot.bell.wait_for(state, idle_after);
        slept && self.slot.role() == Role::Idle && state.slots.len() > 1
    }

    /// Looks, waits, looks again: where no running worker has moved and work waits, this thread
    /// becomes a worker.
    fn watch(&mut self, state: &mut MutexGuard<'_, State>) {
        self.look.clear();
        let looks = state.slots.iter().map(|s| (s.number, s.moves.load(Ordering::Relaxed)));
        self.look.extend(looks);
        let waited = self.slot.bell.wait_for(state, self.shared.options.stuck_after);
        if self.slot.role() != Role::Watch {
            return;
        }
        if state.ready.is_empty() {
            state.watcher = None;
            self.slot.take_role(state, Role::Idle);
            // Below the workers, whose caches are warmer.
            state.idle.insert(0, self.slot.clone());
            return;
        }
        let stuck = waited
            && state.coming == 0
            && state.slots.iter().filter(|slot| slot.role() == Role::Run).all(|slot| {
                let moves = slot.moves.load(Ordering::Relaxed);
                moves % 2 == 1 && self.look.contains(&(slot.number, moves))
            });
        if stuck || state.running < self.shared.options.threads_base {
            state.watcher = None;
            self.slot.take_role(state, Role::Run);
            if stuck {
                self.shared.warn_at_bound(state);
            }
        }
    }

    /// Gives the slot up; the thread ends.
    fn leave(&mut self, state: &mut State) {
        self.left = true;
        let number = self.slot.number;
        state.idle.retain(|slot| slot.number != number);
        state.slots.retain(|slot| slot.number != number);
        if state.closing {
            state.dead = state.slots.is_empty();
            // Who slept while work waited for others has nothing to sleep for any more.
            state.idle.iter().for_each(|slot| slot.ring());
        }
    }

    /// The thread ended inside a job: that job is lost, its queue goes on elsewhere.
    fn lost(&mut self) {
        let job = self.job.take();
        caught("the end of a job", self.shared.id(), move || drop(job));
        let shared = self.shared.clone();
        let mut state = shared.state.lock();
        state.running -= 1;
        if let Some(queue) = self.queue.take() {
            state.ready.push_front(Ready::Queue(queue));
        }
        let number = self.slot.number;
        state.slots.retain(|slot| slot.number != number);
        let mut bell = shared.call(&mut state);
        if state.slots.is_empty() && (!state.closing || !state.ready.is_empty()) {
            let _ = shared.start(&mut state, Role::Idle);
            bell = shared.call(&mut state);
        }
        if state.closing {
            state.dead = state.slots.is_empty();
            state.idle.iter().for_each(|slot| slot.ring());
        }
        drop(state);
        if let Some(slot) = bell {
            slot.ring();
        }
    }
}
