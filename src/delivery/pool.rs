//! The pool: what is ready, who runs, who sleeps, who watches; how it grows and how it ends.
//!
//! All of it stands under one lock that is held for a few instructions (and while a thread is
//! started, which is rare). No job runs and nothing of a caller is dropped under it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::sync::Mutex;

use super::Work;
use super::queue::{Queue, SerialQueue};
use super::worker::{Role, Slot, Worker};
use crate::base::{Code, Duration, Error, Result};
use crate::log;
use crate::sys::process;
use crate::sys::thread::{self, Body, JoinHandle, Options};

pub struct PoolOptions {
    /// Of the threads, which also get a number.
    pub name: String,
    /// So many may run without any of them being stuck: 1 for callbacks, more for files.
    pub threads_base: usize,
    /// So many threads at most, whatever happens.
    pub threads_max: usize,
    /// A job that runs so long counts as stuck.
    pub stuck_after: Duration,
    /// A thread without work ends after this.
    pub idle_after: Duration,
}

impl Default for PoolOptions {
    fn default() -> PoolOptions {
        PoolOptions {
            name: "s3fast-pool".to_owned(),
            threads_base: 1,
            threads_max: 64,
            stuck_after: Duration::from_millis(10),
            idle_after: Duration::from_secs(5),
        }
    }
}

/// An elastic pool. Clones are the same pool; the last clone's drop is a `shut_down`.
#[derive(Clone)]
pub struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) options: PoolOptions,
    /// Of the process that started the threads.
    generation: u64,
    pub(super) state: Mutex<State>,
}

pub(super) enum Ready {
    Queue(Arc<Queue>),
    Job(Box<dyn Work>),
}

type Then = Box<dyn FnOnce() + Send>;

#[derive(Default)]
pub(super) struct State {
    pub(super) ready: VecDeque<Ready>,
    /// Every worker that lives.
    pub(super) slots: Vec<Arc<Slot>>,
    /// Those that sleep; the last one sleeps shortest.
    pub(super) idle: Vec<Arc<Slot>>,
    /// Those that look for work or are inside a job.
    pub(super) running: usize,
    /// Those of them that were called and are still on their way to the ready list.
    pub(super) coming: usize,
    pub(super) watcher: Option<Arc<Slot>>,
    pub(super) closing: bool,
    /// No worker is left and none will come.
    pub(super) dead: bool,
    warned: bool,
    numbers: u64,
    threads: Vec<(u64, JoinHandle)>,
    /// Threads that have ended and wait for somebody to join them.
    gone: Vec<JoinHandle>,
    thens: Vec<Then>,
    /// No thread could be had to join the others: the last of them runs `thens`.
    by_the_last: bool,
    finished: bool,
}

thread_local! {
    /// Pools whose wake-ups this thread owes; `None` = it wakes at once.
    static CORKED: RefCell<Option<Vec<Arc<Shared>>>> = const { RefCell::new(None) };
}

/// Until `uncork`, what this thread pushes to any pool wakes nobody: one wake-up for a whole batch.
/// False when that was so already.
pub fn cork() -> bool {
    CORKED.with_borrow_mut(|c| {
        let free = c.is_none();
        c.get_or_insert_default();
        free
    })
}

/// Wakes whom the pushes since `cork` need.
pub fn uncork() {
    let owed = CORKED.with_borrow_mut(Option::take);
    for shared in owed.into_iter().flatten() {
        let mut state = shared.state.lock();
        let bell = shared.call(&mut state);
        drop(state);
        if let Some(slot) = bell {
            slot.ring();
        }
    }
}

impl Pool {
    /// Starts the one thread that stays.
    pub fn new(options: PoolOptions) -> Result<Pool> {
        if options.threads_base == 0 || options.threads_max < options.threads_base {
            return Err(Error::new(Code::INVALID_ARGUMENT));
        }
        let generation = process::watch_forks();
        let shared = Arc::new(Shared { options, generation, state: Mutex::default() });
        shared.start(&mut shared.state.lock(), Role::Idle)?;
        Ok(Pool { inner: Arc::new(Inner { shared }) })
    }

    pub fn queue(&self) -> SerialQueue {
        SerialQueue::new(self.inner.shared.clone())
    }

    /// Runs a job in no order. False (and the job is dropped) when the pool has ended or was left
    /// behind by a fork.
    pub fn spawn(&self, job: Box<dyn Work>) -> bool {
        let shared = &self.inner.shared;
        shared.is_ours() && shared.put(Ready::Job(job)).is_none()
    }

    #[cfg(test)]
    pub(super) fn lock_for_tests(&self) -> crate::base::sync::MutexGuard<'_, State> {
        self.inner.shared.state.lock()
    }

    /// Threads that live now.
    pub fn threads(&self) -> usize {
        self.inner.shared.state.lock().slots.len()
    }

    /// Ends the pool when all work that was pushed has run, joins its threads and runs `then`: on a
    /// thread of its own, never on one of the pool. Never waits.
    pub fn shut_down(&self, then: Then) {
        self.inner.shared.shut_down(Some(then));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.shut_down(None);
    }
}

impl Shared {
    /// Whether this process started the threads (and is not a forked child of the one that did).
    #[inline]
    pub(super) fn is_ours(&self) -> bool {
        let ours = self.generation == process::generation();
        if !ours {
            let name = &self.options.name;
            log!(CommonThread, Error, self.id(), "pool {name} was left behind by a fork");
        }
        ours
    }

    pub(super) fn id(&self) -> usize {
        &raw const *self as usize
    }

    /// Gives the work back when nobody will take it.
    pub(super) fn put(self: &Arc<Shared>, ready: Ready) -> Option<Ready> {
        let mut state = self.state.lock();
        if state.dead {
            return Some(ready);
        }
        state.ready.push_back(ready);
        let owed = CORKED.with_borrow_mut(|c| {
            let Some(owed) = c else { return false };
            if !owed.iter().any(|o| Arc::ptr_eq(o, self)) {
                owed.push(self.clone());
            }
            true
        });
        if owed {
            return None;
        }
        let bell = self.call(&mut state);
        drop(state);
        if let Some(slot) = bell {
            slot.ring();
        }
        None
    }

    /// Sees to it that somebody comes to the work that waits; gives whom to wake.
    pub(super) fn call(self: &Arc<Shared>, state: &mut State) -> Option<Arc<Slot>> {
        if state.ready.len() <= state.coming {
            return None;
        }
        let role = if state.running < self.options.threads_base {
            Role::Come
        } else if state.watcher.is_none() && state.running < self.options.threads_max {
            Role::Watch
        } else {
            return None;
        };
        if let Some(slot) = state.idle.pop() {
            slot.take_role(state, role);
            return Some(slot);
        }
        if role == Role::Come
            && let Some(slot) = state.watcher.take()
        {
            slot.take_role(state, role);
            return Some(slot);
        }
        if state.slots.len() < self.options.threads_max {
            // On failure those that run have to do; the next push tries again.
            let _ = self.start(state, role);
        }
        None
    }

    /// The thread waits for the lock before it does anything: its handle is in place then.
    pub(super) fn start(self: &Arc<Shared>, state: &mut State, role: Role) -> Result<()> {
        state.numbers += 1;
        let number = state.numbers;
        let slot = Arc::new(Slot::new(number));
        let name = format!("{}{number}", self.options.name);
        let body = Box::new(Worker::new(self.clone(), slot.clone()));
        match thread::launch(&Options { name, ..Options::default() }, body) {
            Ok(handle) => {
                state.threads.push((number, handle));
                state.slots.push(slot.clone());
                match role {
                    Role::Idle => state.idle.push(slot),
                    role => slot.take_role(state, role),
                }
                Ok(())
            }
            Err(e) => {
                let name = &self.options.name;
                log!(CommonThread, Error, self.id(), "pool {name} could not grow: {e}");
                Err(e)
            }
        }
    }

    /// All threads that may be are inside jobs, and work waits.
    pub(super) fn warn_at_bound(&self, state: &mut State) {
        if state.slots.len() >= self.options.threads_max && !state.warned {
            state.warned = true;
            let (name, max) = (&self.options.name, self.options.threads_max);
            log!(
                CommonThread,
                Warn,
                self.id(),
                "pool {name} has reached its bound: all {max} threads are inside callbacks or reads"
            );
        }
    }

    fn shut_down(self: &Arc<Shared>, then: Option<Then>) {
        let ours = self.is_ours();
        let mut state = match ours {
            true => self.state.lock(),
            // In a forked child the lock may stay locked for ever; what it guards is the parent's.
            false => match self.state.try_lock() {
                Some(state) => state,
                None => return tell(then.into_iter().collect()),
            },
        };
        if then.is_none() && state.closing {
            return;
        }
        state.thens.extend(then);
        if !ours {
            state.threads.drain(..).for_each(|(_, thread)| std::mem::forget(thread));
            state.gone.drain(..).for_each(std::mem::forget);
            state.slots.clear();
            (state.dead, state.finished) = (true, true);
        }
        let first = !std::mem::replace(&mut state.closing, true);
        if state.finished {
            let thens = std::mem::take(&mut state.thens);
            drop(state);
            return tell(thens);
        }
        if !first {
            return;
        }
        let idle: Vec<Arc<Slot>> = state.idle.clone();
        drop(state);
        idle.iter().for_each(|slot| slot.ring());
        let reaper = Box::new(Reaper { shared: self.clone() });
        let options = Options { name: "s3fast-reaper".to_owned(), ..Options::default() };
        if thread::launch_managed(&options, reaper).is_ok() {
            return;
        }
        let mut state = self.state.lock();
        if !state.dead && state.threads.iter().any(|(_, thread)| thread.is_current()) {
            state.by_the_last = true;
        } else {
            drop(state);
            self.join_all();
        }
    }

    /// The end of one worker's thread, on that thread, after its slot has been given up.
    pub(super) fn thread_ended(self: &Arc<Shared>, number: u64) {
        let mut state = self.state.lock();
        if state.by_the_last && state.dead && !state.finished {
            state.finished = true;
            let thens = std::mem::take(&mut state.thens);
            // Nobody is left to join them.
            let threads = std::mem::take(&mut state.threads);
            drop(state);
            drop(threads);
            thens.into_iter().for_each(|then| then());
            return;
        }
        if state.closing {
            return;
        }
        let own = state.threads.iter().position(|(n, _)| *n == number);
        let own = own.map(|at| state.threads.swap_remove(at).1);
        let earlier = std::mem::replace(&mut state.gone, own.into_iter().collect());
        drop(state);
        earlier.into_iter().for_each(join);
    }

    /// Joins until nobody is left, then tells.
    fn join_all(&self) {
        loop {
            let mut state = self.state.lock();
            let mut threads = std::mem::take(&mut state.gone);
            threads.extend(state.threads.drain(..).map(|(_, thread)| thread));
            if threads.is_empty() {
                // Work is left only when the last thread was lost and none could be started.
                state.dead = true;
                state.finished = true;
                let left = std::mem::take(&mut state.ready);
                let thens = std::mem::take(&mut state.thens);
                drop(state);
                drop_all(left);
                thens.into_iter().for_each(|then| then());
                return;
            }
            drop(state);
            threads.into_iter().for_each(join);
        }
    }
}

fn drop_all(left: VecDeque<Ready>) {
    for ready in left {
        if let Ready::Queue(queue) = ready {
            queue.clear();
        }
    }
}

fn join(thread: JoinHandle) {
    if let Err(e) = thread.join() {
        log!(CommonThread, Error, 0, "a pool's thread was not joined: {e}");
    }
}

/// Runs what was to be run after an end that is long past.
fn tell(thens: Vec<Then>) {
    if thens.is_empty() {
        return;
    }
    let place = Arc::new(Mutex::new(thens));
    let options = Options { name: "s3fast-reaper".to_owned(), ..Options::default() };
    if thread::launch_managed(&options, Box::new(Teller { place: place.clone() })).is_err() {
        run_all(&place);
    }
}

fn run_all(place: &Mutex<Vec<Then>>) {
    let thens = std::mem::take(&mut *place.lock());
    thens.into_iter().for_each(|then| then());
}

struct Teller {
    place: Arc<Mutex<Vec<Then>>>,
}

impl Body for Teller {
    fn run(&mut self) {
        run_all(&self.place);
    }
}

struct Reaper {
    shared: Arc<Shared>,
}

impl Body for Reaper {
    fn run(&mut self) {
        self.shared.join_all();
    }
}
