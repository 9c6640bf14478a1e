//! A group of loops: how it starts, which loop the next connection gets, how it ends.
//!
//! The end never waits: whoever asks for it may stand on one of the loops, or hold a lock that a
//! loop needs. A thread of its own joins the loops and then tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::base::sync::Mutex;

use super::event_loop::{Loop, Step, next_step};
use super::handle::Handle;
use crate::base::{Code, Error, Result, Topology};
use crate::log;
use crate::placement::{self, Plan, Request, Spot};
use crate::sys::thread::{self, Body, JoinHandle, Options};
use crate::sys::{Poller, Selector, affinity, cgroup, topology};

#[derive(Default)]
pub struct GroupOptions {
    /// 0: as many as the machine and its container make sensible.
    pub loops: usize,
    /// Loops run on CPUs of this group where they may; `loops` is then the most that are wanted.
    pub cpu_group: Option<u16>,
    /// Loops are pinned to CPUs of the group even where the calling thread may not run.
    pub ignore_mask: bool,
    /// Of each thread; 0: the system's default.
    pub stack: usize,
    /// Of the threads, which also get a number; empty: a name of ours.
    pub name: String,
    /// Runs when all threads of the group are gone. Never on one of its loops.
    pub on_shutdown: Option<Box<dyn FnOnce() + Send>>,
}

/// Loops that end together. The last clone's drop is a `shut_down`.
#[derive(Clone)]
pub struct Group {
    inner: Arc<Inner>,
}

struct Inner {
    loops: Vec<Handle>,
    plan: Plan,
    end: Arc<End>,
    dice: AtomicU64,
}

/// What is left to do when the group ends; shared with its threads.
struct End {
    rest: Mutex<Option<Rest>>,
    /// Threads that have not ended.
    alive: AtomicUsize,
}

struct Rest {
    threads: Vec<JoinHandle>,
    on_shutdown: Option<Box<dyn FnOnce() + Send>>,
    /// No thread could be had to join the others: the last of them tells.
    by_the_last: bool,
}

impl Group {
    pub fn new(options: GroupOptions) -> Result<Group> {
        let plan = plan(&options)?;
        let count = plan.spots.len();
        let name = if options.name.is_empty() { "AwsEventLoop" } else { &options.name };
        let mut loops = Vec::with_capacity(count);
        let mut bodies = Vec::with_capacity(count);
        let end = Arc::new(End { rest: Mutex::new(None), alive: AtomicUsize::new(0) });
        for index in 0..count {
            let handle = Handle::new(index)?;
            let poller = Poller::new()?;
            bodies.push(LoopThread {
                handle: handle.clone(),
                poller: Some(poller),
                end: end.clone(),
            });
            loops.push(handle);
        }
        let mut threads = Vec::with_capacity(count);
        for (index, body) in bodies.into_iter().enumerate() {
            let options = Options {
                name: format!("{name}{}", index + 1),
                stack: options.stack,
                cpu: plan.spots[index].cpu(),
                ignore_mask: options.ignore_mask,
                block_sigpipe: true,
                ..Options::default()
            };
            end.alive.fetch_add(1, Ordering::Relaxed);
            match thread::launch(&options, Box::new(body)) {
                Ok(thread) => threads.push(thread),
                Err(e) => {
                    log!(EventLoop, Error, 0, "event loop {index} of {count} did not start: {e}");
                    // Those that run have nothing on them yet and end at once.
                    loops.iter().for_each(Handle::stop);
                    Rest { threads, on_shutdown: None, by_the_last: false }.finish();
                    return Err(e);
                }
            }
        }
        let on_shutdown = options.on_shutdown;
        *end.rest.lock() = Some(Rest { threads, on_shutdown, by_the_last: false });
        let dice = AtomicU64::new(thread::current_id());
        Ok(Group { inner: Arc::new(Inner { loops, plan, end, dice }) })
    }

    /// Where the loops were meant to run. A pin that the system refused is counted by
    /// `sys::thread::refused_pins`.
    pub fn plan(&self) -> &Plan {
        &self.inner.plan
    }

    pub fn loops(&self) -> &[Handle] {
        &self.inner.loops
    }

    /// The less loaded of two loops taken at random.
    pub fn next(&self) -> &Handle {
        let loops = &self.inner.loops;
        if loops.len() == 1 {
            return &loops[0];
        }
        // SplitMix64 over a counter: no lock, and good enough to spread.
        let mut x = self.inner.dice.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let a = (x as u32) as usize % loops.len();
        let b = ((x >> 32) as usize % (loops.len() - 1) + a + 1) % loops.len();
        if loops[b].load() < loops[a].load() { &loops[b] } else { &loops[a] }
    }

    /// Whether the calling thread is one of the group's loops.
    pub fn is_current(&self) -> bool {
        self.inner.loops.iter().any(Handle::is_current)
    }

    /// Ends the loops after what was posted before. Any thread, any number of times; never waits.
    pub fn shut_down(&self) {
        self.inner.shut_down();
    }
}

fn plan(options: &GroupOptions) -> Result<Plan> {
    let allowed = affinity::allowed_cpus();
    let group = options.cpu_group.map(usize::from);
    let topology = match group {
        Some(_) => topology::read(),
        None => Topology::default(),
    };
    let request = Request {
        group,
        loops: options.loops,
        ignore_mask: options.ignore_mask,
        quota_milli: cgroup::cpu_quota_milli(),
    };
    let Some(plan) = placement::plan(&topology, &allowed, request) else {
        log!(EventLoop, Error, 0, "CPU group {} does not exist", group.unwrap_or(0));
        return Err(Error::new(Code::INVALID_ARGUMENT));
    };
    if let Some((group, cpus)) = group.and_then(|g| Some((g, topology.group_cpus(g)?)))
        && plan.spots.contains(&Spot::Refused)
    {
        log!(
            EventLoop,
            Warn,
            0,
            "event loops run unpinned: of CPU group {group} ({cpus}) none is allowed ({allowed})"
        );
    }
    Ok(plan)
}

impl Inner {
    fn shut_down(&self) {
        let ours = self.loops.iter().all(Handle::is_ours);
        let mut rest = match ours {
            true => self.end.rest.lock(),
            // In a forked child the lock may stay locked for ever; then nobody can be told.
            false => match self.end.rest.try_lock() {
                Some(rest) => rest,
                None => return,
            },
        };
        let Some(all) = rest.as_mut().filter(|all| !all.by_the_last) else { return };
        if !ours {
            // The threads are the parent's.
            all.threads.drain(..).for_each(std::mem::forget);
        }
        self.loops.iter().filter(|_| ours).for_each(Handle::stop);
        let last = rest.take();
        drop(rest);
        reap(self, last);
    }
}

/// Joins the threads and tells, on a thread of its own.
fn reap(group: &Inner, rest: Option<Rest>) {
    let Some(rest) = rest else { return };
    let place = Arc::new(Mutex::new(Some(rest)));
    let options = Options { name: "AwsEventLoopEnd".to_owned(), ..Options::default() };
    let reaper = Box::new(Reaper { place: place.clone() });
    if thread::launch_managed(&options, reaper).is_ok() {
        return;
    }
    let Some(mut rest) = place.lock().take() else { return };
    if group.loops.iter().any(Handle::is_current) {
        rest.threads.clear();
        rest.by_the_last = true;
        *group.end.rest.lock() = Some(rest);
    } else {
        rest.finish();
    }
}

impl Rest {
    fn finish(&mut self) {
        for thread in self.threads.drain(..) {
            if let Err(e) = thread.join() {
                log!(EventLoop, Error, 0, "an event loop's thread was not joined: {e}");
            }
        }
        if let Some(f) = self.on_shutdown.take() {
            f();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shut_down();
    }
}

struct Reaper {
    place: Arc<Mutex<Option<Rest>>>,
}

impl Body for Reaper {
    fn run(&mut self) {
        let rest = self.place.lock().take();
        if let Some(mut rest) = rest {
            rest.finish();
        }
    }
}

/// The body of a loop's thread: it runs the loop's steps, and C tasks with nothing below them.
struct LoopThread {
    handle: Handle,
    poller: Option<Poller>,
    end: Arc<End>,
}

impl Body for LoopThread {
    fn run(&mut self) {
        if !self.start() {
            return;
        }
        loop {
            match next_step() {
                Step::Task(task, status) => (task.run)(task.key, status),
                Step::Ended => return,
            }
        }
    }

    fn ended(self: Box<Self>) {
        if self.end.alive.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let mut rest = self.end.rest.lock();
        let last = if rest.as_ref().is_some_and(|r| r.by_the_last) { rest.take() } else { None };
        drop(rest);
        if let Some(mut last) = last {
            last.finish();
        }
    }
}

impl LoopThread {
    fn start(&mut self) -> bool {
        let Some(poller) = self.poller.take() else { return false };
        match Loop::start(self.handle.clone(), poller) {
            Ok(()) => true,
            Err(e) => {
                log!(EventLoop, Error, self.handle.id(), "an event loop did not start: {e}");
                self.handle.shared.inbox.lock().ended = true;
                false
            }
        }
    }
}
