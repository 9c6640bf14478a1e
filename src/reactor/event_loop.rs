//! One loop: what its thread owns, and its turn.
//!
//! The turn is a small machine that can stop between any two steps, so that a C task is run by the
//! thread's outermost frame (`group.rs`) with nothing of ours below it.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::VecDeque;
use std::os::fd::RawFd;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::handle::{Handle, Item};
use super::task::{RawTask, TaskStatus};
use super::timers::{TimerId, Timers, Work};
use crate::base::{Duration, Instant, Result, caught};
use crate::log;
use crate::sys::{AsRawFd, PollEvent, Poller, Selector, clock, thread};

/// Something that waits for a descriptor.
pub trait Source {
    /// The descriptor may be ready. Edges are told once: read and write until it would wait, or
    /// `requeue`.
    fn on_ready(self: Rc<Self>, lp: &Loop, ready: Ready);
    /// `on_ready` panicked; the loop has stopped watching the descriptor.
    fn on_panic(self: Rc<Self>, _lp: &Loop) {}
}

/// What a descriptor is ready for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ready {
    pub readable: bool,
    pub writable: bool,
    /// The peer has ended its direction, or both.
    pub hangup: bool,
    pub error: bool,
}

impl Ready {
    pub const READABLE: Ready = Ready { readable: true, ..Ready::NOTHING };
    pub const NOTHING: Ready =
        Ready { readable: false, writable: false, hangup: false, error: false };

    pub fn or(self, other: Ready) -> Ready {
        Ready {
            readable: self.readable | other.readable,
            writable: self.writable | other.writable,
            hangup: self.hangup | other.hangup,
            error: self.error | other.error,
        }
    }
}

/// Names a registration of one loop; stale ones name nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Token {
    place: u32,
    generation: u32,
}

/// The loop, as code on its thread sees it. Everything is `&self`; any of it may be called from
/// inside any callback.
pub struct Loop {
    handle: Handle,
    /// Before the next wait, sleep so long.
    linger: Cell<Duration>,
    poller: Poller,
    events: RefCell<<Poller as Selector>::Events>,
    now: Cell<Instant>,
    phase: Cell<Phase>,
    items: RefCell<VecDeque<Item>>,
    timers: RefCell<Timers>,
    /// Timers set after this belong to the next turn.
    timers_order: Cell<u64>,
    sources: RefCell<Sources>,
    /// The sources of this turn, and how many of them have been called.
    ready: RefCell<Vec<Token>>,
    ready_at: Cell<usize>,
    requeued: RefCell<Vec<Token>>,
    hooks: RefCell<VecDeque<Hook>>,
    hooks_left: Cell<usize>,
    locals: RefCell<Vec<(usize, Rc<dyn Any>)>>,
    /// A stop was asked for; turns since.
    stopping: Cell<Option<u32>>,
    panics: Cell<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Wait,
    Items,
    Timers,
    Sources,
    Hooks,
    Ending,
    Ended,
}

/// What the thread does next.
pub(super) enum Step {
    Task(RawTask, TaskStatus),
    Ended,
}

#[derive(Default)]
struct Sources {
    places: Vec<Place>,
    free: Vec<u32>,
}

struct Place {
    generation: u32,
    fd: RawFd,
    source: Option<Rc<dyn Source>>,
    ready: Ready,
    /// In `ready` or `requeued` already.
    queued: bool,
}

impl Sources {
    fn get(&mut self, token: Token) -> Option<&mut Place> {
        let place = self.places.get_mut(token.place as usize)?;
        (place.generation == token.generation && place.source.is_some()).then_some(place)
    }
}

type Hook = Box<dyn FnOnce(&Loop)>;

/// The waker's token in the selector.
const WAKER: u64 = u64::MAX;
/// Events a turn takes from the selector.
const EVENTS_MAX: usize = 256;
/// A stopping loop goes on while posts come, but not for ever.
const TURNS_AFTER_STOP_MAX: u32 = 1000;
/// A loop whose own code panics again and again is given up.
const PANICS_MAX: u32 = 3;

thread_local! {
    static CURRENT: OnceCell<Rc<Loop>> = const { OnceCell::new() };
}

impl Loop {
    /// Makes the calling thread the loop's.
    pub(super) fn start(handle: Handle, poller: Poller) -> Result<()> {
        poller.add(handle.shared.waker.as_raw_fd(), WAKER)?;
        handle.shared.thread.store(thread::current_id(), Ordering::Relaxed);
        let lp = Rc::new(Loop {
            handle,
            linger: Cell::new(Duration::ZERO),
            poller,
            events: RefCell::new(Poller::events(EVENTS_MAX)),
            now: Cell::new(clock::now()),
            phase: Cell::new(Phase::Wait),
            items: RefCell::default(),
            timers: RefCell::default(),
            timers_order: Cell::new(0),
            sources: RefCell::default(),
            ready: RefCell::default(),
            ready_at: Cell::new(0),
            requeued: RefCell::default(),
            hooks: RefCell::default(),
            hooks_left: Cell::new(0),
            locals: RefCell::default(),
            stopping: Cell::new(None),
            panics: Cell::new(0),
        });
        CURRENT.with(|current| {
            let _ = current.set(lp);
        });
        Ok(())
    }

    /// The loop of the calling thread, if it is one.
    pub fn with_current<R>(f: impl FnOnce(&Loop) -> R) -> Option<R> {
        CURRENT.try_with(|current| current.get().map(|lp| f(lp))).ok().flatten()
    }

    /// The time at the top of this turn.
    pub fn now(&self) -> Instant {
        self.now.get()
    }

    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Watches both directions of `fd`, edge-triggered, until `deregister`.
    pub fn register(&self, fd: RawFd, source: Rc<dyn Source>) -> Result<Token> {
        let mut sources = self.sources.borrow_mut();
        let place = sources.free.pop().unwrap_or_else(|| {
            sources.places.push(Place {
                generation: 0,
                fd: -1,
                source: None,
                ready: Ready::NOTHING,
                queued: false,
            });
            (sources.places.len() - 1) as u32
        });
        let slot = &mut sources.places[place as usize];
        let token = Token { place, generation: slot.generation };
        if let Err(e) = self.poller.add(fd, token.number()) {
            sources.free.push(place);
            return Err(e);
        }
        (slot.fd, slot.source) = (fd, Some(source));
        (slot.ready, slot.queued) = (Ready::NOTHING, false);
        self.handle.shared.load.fetch_add(1, Ordering::Relaxed);
        Ok(token)
    }

    /// Before the descriptor is closed. The source is not called any more.
    pub fn deregister(&self, token: Token) {
        let mut sources = self.sources.borrow_mut();
        let Some(slot) = sources.get(token) else { return };
        let (source, fd) = (slot.source.take(), slot.fd);
        slot.generation = slot.generation.wrapping_add(1);
        sources.free.push(token.place);
        drop(sources);
        self.handle.shared.load.fetch_sub(1, Ordering::Relaxed);
        if let Err(e) = self.poller.remove(fd) {
            log!(EventLoop, Warn, self.handle.id(), "descriptor {fd} was not watched: {e}");
        }
        drop(source);
    }

    /// "Still ready": the source is called again in the next turn, which does not wait. For those
    /// who stop before the descriptor is empty, so that others get their turn.
    pub fn requeue(&self, token: Token, ready: Ready) {
        let mut sources = self.sources.borrow_mut();
        let Some(slot) = sources.get(token) else { return };
        slot.ready = slot.ready.or(ready);
        if !slot.queued {
            slot.queued = true;
            self.requeued.borrow_mut().push(token);
        }
    }

    /// Runs `f` once, not before `at`.
    pub fn timer(&self, at: Instant, f: impl FnOnce(&Loop) + 'static) -> TimerId {
        self.timers.borrow_mut().set(at, Work::Call(Box::new(f)))
    }

    /// Says whether the timer was still to come. Its closure is dropped here.
    pub fn cancel_timer(&self, id: TimerId) -> bool {
        let work = self.timers.borrow_mut().cancel(id);
        work.is_some()
    }

    /// Runs `f` once at the end of this turn, after all its events (of the next turn, when asked
    /// for from inside such a hook).
    pub fn at_turn_end(&self, f: impl FnOnce(&Loop) + 'static) {
        self.hooks.borrow_mut().push_back(Box::new(f));
    }

    /// Lets events gather: the loop sleeps so long before it waits for the next ones. Many small
    /// exchanges then cost one turn, and not one each. Holds for one turn.
    pub fn linger(&self, so_long: Duration) {
        self.linger.set(so_long);
    }

    /// A value that lives on this loop under `key`.
    pub fn local<T: 'static>(&self, key: usize) -> Option<Rc<T>> {
        let locals = self.locals.borrow();
        let (_, value) = locals.iter().find(|(k, _)| *k == key)?;
        value.clone().downcast().ok()
    }

    pub fn set_local<T: 'static>(&self, key: usize, value: Rc<T>) {
        self.drop_local(key);
        self.locals.borrow_mut().push((key, value));
    }

    pub fn drop_local(&self, key: usize) {
        let mut locals = self.locals.borrow_mut();
        let value = locals.iter().position(|(k, _)| *k == key).map(|at| locals.swap_remove(at));
        drop(locals);
        drop(value);
    }

    /// Takes a task out of wherever it waits.
    pub(super) fn forget_task(&self, key: usize) -> Option<RawTask> {
        fn find(items: &mut VecDeque<Item>, key: usize) -> Option<RawTask> {
            for item in items {
                match *item {
                    Item::Task(task) | Item::TaskAt(task, _) if task.key == key => {
                        *item = Item::Gone;
                        return Some(task);
                    }
                    _ => {}
                }
            }
            None
        }
        self.timers
            .borrow_mut()
            .cancel_task(key)
            .or_else(|| find(&mut self.items.borrow_mut(), key))
            .or_else(|| find(&mut self.handle.shared.inbox.lock().items, key))
    }

    /// Goes on with the turn, and with the next ones, up to something the thread must do itself.
    pub(super) fn step(&self) -> Step {
        loop {
            match self.phase.get() {
                Phase::Wait => {
                    self.wait();
                    self.phase.set(Phase::Items);
                }
                Phase::Items => match self.next_item() {
                    Some(step) => return step,
                    None => self.phase.set(Phase::Timers),
                },
                Phase::Timers => {
                    let (now, order) = (self.now.get(), self.timers_order.get());
                    let work = self.timers.borrow_mut().pop_due(now, order);
                    match work {
                        Some(Work::Call(f)) => self.call("a timer", f),
                        Some(Work::Task(task)) => return Step::Task(task, TaskStatus::Run),
                        None => self.phase.set(Phase::Sources),
                    }
                }
                Phase::Sources => {
                    while self.next_source() {}
                    self.hooks_left.set(self.hooks.borrow().len());
                    self.phase.set(Phase::Hooks);
                }
                Phase::Hooks => {
                    while self.next_hook() {}
                    self.phase.set(if self.is_last_turn() { Phase::Ending } else { Phase::Wait });
                }
                Phase::Ending => {
                    if let Some(step) = self.next_item() {
                        return step;
                    }
                    let task = self.timers.borrow_mut().pop_task();
                    if let Some(task) = task {
                        return Step::Task(task, TaskStatus::Canceled);
                    }
                    if self.close_inbox() {
                        self.phase.set(Phase::Ended);
                        self.clear();
                    }
                }
                Phase::Ended => return Step::Ended,
            }
        }
    }

    /// The loop's own code panicked in `step`: it ends, and everything on it is dropped.
    pub(super) fn give_up(&self) {
        self.panics.set(self.panics.get() + 1);
        self.stopping.set(Some(TURNS_AFTER_STOP_MAX));
        self.phase.set(Phase::Ending);
        if self.panics.get() > PANICS_MAX {
            self.handle.shared.inbox.lock().ended = true;
            self.phase.set(Phase::Ended);
        }
    }

    fn wait(&self) {
        let busy = !self.requeued.borrow().is_empty()
            || !self.hooks.borrow().is_empty()
            || self.stopping.get().is_some();
        let mut timeout = match busy {
            true => Some(Duration::ZERO),
            false => self.timers.borrow_mut().next().map(|at| at.since(clock::now())),
        };
        let linger = self.linger.replace(Duration::ZERO);
        if !busy && linger > Duration::ZERO && timeout.is_none_or(|t| t > linger) {
            // Awake in the eyes of others: what they post meanwhile costs them no wake-up.
            thread::sleep(linger);
            timeout = timeout.map(|t| t.saturating_sub(linger));
        }
        if timeout != Some(Duration::ZERO) {
            let mut inbox = self.handle.shared.inbox.lock();
            match inbox.items.is_empty() {
                // From here on a post writes the eventfd.
                true => inbox.sleeping = true,
                false => timeout = Some(Duration::ZERO),
            }
        }
        let mut events = self.events.borrow_mut();
        if let Err(e) = self.poller.wait(&mut events, timeout) {
            // Nothing a selector of ours can be made to say; do not spin on it.
            log!(EventLoop, Error, self.handle.id(), "waiting for events failed: {e}");
            thread::sleep(Duration::from_millis(1));
        }
        self.now.set(clock::now());
        self.timers_order.set(self.timers.borrow().order());
        {
            let mut ready = self.ready.borrow_mut();
            ready.clear();
            self.ready_at.set(0);
            std::mem::swap(&mut *ready, &mut *self.requeued.borrow_mut());
            let mut sources = self.sources.borrow_mut();
            Poller::each(&events, |event| note(&mut sources, &mut ready, event));
        }
        self.take_posts();
    }

    fn take_posts(&self) {
        let mut items = self.items.borrow_mut();
        let mut inbox = self.handle.shared.inbox.lock();
        inbox.sleeping = false;
        match items.is_empty() {
            true => std::mem::swap(&mut *items, &mut inbox.items),
            false => items.append(&mut inbox.items),
        }
    }

    /// Runs posts up to the next task.
    fn next_item(&self) -> Option<Step> {
        loop {
            let item = self.items.borrow_mut().pop_front()?;
            let stopping = self.stopping.get().is_some();
            match item {
                Item::Call(f) => self.call("a post", f),
                Item::Task(task) | Item::TaskAt(task, _) if stopping => {
                    return Some(Step::Task(task, TaskStatus::Canceled));
                }
                Item::Task(task) => return Some(Step::Task(task, TaskStatus::Run)),
                Item::TaskAt(task, at) => {
                    self.timers.borrow_mut().set(at, Work::Task(task));
                }
                Item::Cancel(key) => {
                    if let Some(task) = self.forget_task(key) {
                        return Some(Step::Task(task, TaskStatus::Canceled));
                    }
                }
                Item::Stop => {
                    if !stopping {
                        self.stopping.set(Some(0));
                    }
                }
                Item::Gone => {}
            }
        }
    }

    fn next_source(&self) -> bool {
        let at = self.ready_at.get();
        let Some(token) = self.ready.borrow().get(at).copied() else { return false };
        self.ready_at.set(at + 1);
        let (source, ready) = {
            let mut sources = self.sources.borrow_mut();
            // Deregistered by another source of this turn.
            let Some(slot) = sources.get(token) else { return true };
            slot.queued = false;
            let Some(source) = slot.source.clone() else { return true };
            (source, std::mem::take(&mut slot.ready))
        };
        let again = source.clone();
        let id = self.handle.id();
        if caught("a source", id, || source.on_ready(self, ready)).is_none() {
            self.deregister(token);
            caught("a source's end", id, || again.on_panic(self));
        }
        true
    }

    fn next_hook(&self) -> bool {
        let left = self.hooks_left.get();
        if left == 0 {
            return false;
        }
        self.hooks_left.set(left - 1);
        let hook = self.hooks.borrow_mut().pop_front();
        if let Some(hook) = hook {
            self.call("a turn's end", hook);
        }
        true
    }

    fn call(&self, what: &str, f: impl FnOnce(&Loop)) {
        caught(what, self.handle.id(), || f(self));
    }

    /// A stopping loop ends when a turn found nothing new to do.
    fn is_last_turn(&self) -> bool {
        let Some(turns) = self.stopping.get() else { return false };
        self.stopping.set(Some(turns + 1));
        let idle =
            self.hooks.borrow().is_empty() && self.handle.shared.inbox.lock().items.is_empty();
        idle || turns >= TURNS_AFTER_STOP_MAX
    }

    /// No more posts; false when some came in meanwhile, which `items` has then.
    fn close_inbox(&self) -> bool {
        let turns = self.stopping.get().unwrap_or(0);
        self.stopping.set(Some(turns + 1));
        let mut inbox = self.handle.shared.inbox.lock();
        if turns >= TURNS_AFTER_STOP_MAX {
            inbox.ended = true;
        }
        if inbox.items.is_empty() {
            inbox.ended = true;
            return true;
        }
        std::mem::swap(&mut *self.items.borrow_mut(), &mut inbox.items);
        false
    }

    /// Drops everything the loop holds. What is dropped may call the loop: it is never inside a
    /// borrow, and what comes anew is dropped in the next round.
    fn clear(&self) {
        for _ in 0..8 {
            let held = (
                std::mem::take(&mut *self.hooks.borrow_mut()),
                std::mem::take(&mut *self.timers.borrow_mut()),
                std::mem::take(&mut *self.locals.borrow_mut()),
                std::mem::take(&mut *self.items.borrow_mut()),
            );
            caught("the end of a loop", self.handle.id(), move || drop(held));
            let tokens: Vec<Token> = {
                let sources = self.sources.borrow();
                let all = sources.places.iter().enumerate();
                all.filter(|(_, p)| p.source.is_some())
                    .map(|(place, p)| Token { place: place as u32, generation: p.generation })
                    .collect()
            };
            for token in tokens {
                caught("the end of a source", self.handle.id(), || self.deregister(token));
            }
        }
        self.handle.shared.thread.store(0, Ordering::Relaxed);
    }
}

/// A thread that ended itself inside a task leaves its loop with tasks that wait: they are run as
/// canceled here, when the thread's locals go.
impl Drop for Loop {
    fn drop(&mut self) {
        if self.phase.get() == Phase::Ended {
            return;
        }
        self.stopping.set(Some(0));
        self.phase.set(Phase::Ending);
        while let Step::Task(task, _) = self.step() {
            (task.run)(task.key, TaskStatus::Canceled);
        }
    }
}

fn note(sources: &mut Sources, ready: &mut Vec<Token>, event: PollEvent) {
    if event.token == WAKER {
        return;
    }
    let token = Token { place: event.token as u32, generation: (event.token >> 32) as u32 };
    let Some(slot) = sources.get(token) else { return };
    slot.ready = slot.ready.or(Ready {
        readable: event.readable,
        writable: event.writable,
        hangup: event.hangup,
        error: event.error,
    });
    if !slot.queued {
        slot.queued = true;
        ready.push(token);
    }
}

impl Token {
    fn number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.place)
    }
}

/// What the thread of the calling loop does next.
#[inline(never)]
pub(super) fn next_step() -> Step {
    CURRENT.with(|current| {
        let Some(lp) = current.get() else { return Step::Ended };
        loop {
            match caught("an event loop", lp.handle.id(), || lp.step()) {
                Some(step) => return step,
                None => lp.give_up(),
            }
        }
    })
}
