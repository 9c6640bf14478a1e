//! What other threads hold of a loop, and the box they put their posts in.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::base::sync::Mutex;

use super::event_loop::Loop;
use super::task::{RawTask, TaskStatus};
use crate::base::{Instant, Result};
use crate::log;
use crate::sys::{Waker, clock, process, thread};

/// One loop of a group, from any thread.
#[derive(Clone)]
pub struct Handle {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) index: usize,
    /// Of the process that started the loop: a forked child has no loop behind this handle.
    generation: u64,
    pub(super) inbox: Mutex<Inbox>,
    pub(super) waker: Waker,
    /// The loop's thread; 0 before it runs and after it has ended.
    pub(super) thread: AtomicU64,
    /// Descriptors that the loop watches.
    pub(super) load: AtomicUsize,
}

#[derive(Default)]
pub(super) struct Inbox {
    pub(super) items: VecDeque<Item>,
    /// The loop is in the selector, or will be before it looks here again.
    pub(super) sleeping: bool,
    /// Nothing will be taken out any more.
    pub(super) ended: bool,
}

pub(super) enum Item {
    Call(Box<dyn FnOnce(&Loop) + Send>),
    Task(RawTask),
    TaskAt(RawTask, Instant),
    Cancel(usize),
    /// What comes after this is there when the loop ends.
    Stop,
    /// A task that was canceled while it waited here.
    Gone,
}

impl Handle {
    pub(super) fn new(index: usize) -> Result<Handle> {
        let shared = Shared {
            index,
            generation: process::watch_forks(),
            inbox: Mutex::new(Inbox::default()),
            waker: Waker::new()?,
            thread: AtomicU64::new(0),
            load: AtomicUsize::new(0),
        };
        Ok(Handle { shared: Arc::new(shared) })
    }

    /// Runs `f` on the loop at the top of its next turn, after everything posted before it. When
    /// the loop has ended (or lives in the parent of this forked process), `f` is dropped and the
    /// answer is false.
    pub fn post(&self, f: impl FnOnce(&Loop) + Send + 'static) -> bool {
        self.put(Item::Call(Box::new(f))).is_none()
    }

    /// Runs a C caller's task on the loop, in order with the posts.
    pub fn schedule(&self, task: RawTask) {
        if self.put(Item::Task(task)).is_some() {
            (task.run)(task.key, TaskStatus::Canceled);
        }
    }

    /// As `schedule`, not before `at`.
    pub fn schedule_at(&self, task: RawTask, at: Instant) {
        if self.put(Item::TaskAt(task, at)).is_some() {
            (task.run)(task.key, TaskStatus::Canceled);
        }
    }

    /// Runs a scheduled task now, as canceled; nothing happens when it has run already. On the
    /// loop's own thread the task runs before this returns, from elsewhere a little later.
    pub fn cancel(&self, key: usize) {
        if self.is_current() {
            if let Some(task) = Loop::with_current(|lp| lp.forget_task(key)).flatten() {
                (task.run)(task.key, TaskStatus::Canceled);
            }
        } else {
            self.put(Item::Cancel(key));
        }
    }

    /// Whether the calling thread is this loop's.
    pub fn is_current(&self) -> bool {
        self.shared.thread.load(Ordering::Relaxed) == thread::current_id()
    }

    /// The loop's place in its group.
    pub fn index(&self) -> usize {
        self.shared.index
    }

    /// How many descriptors the loop watches.
    pub fn load(&self) -> usize {
        self.shared.load.load(Ordering::Relaxed)
    }

    /// The clock that the loop's timers go by.
    pub fn now(&self) -> Instant {
        clock::now()
    }

    /// A number that names the loop in logs.
    pub fn id(&self) -> usize {
        Arc::as_ptr(&self.shared) as usize
    }

    pub(super) fn stop(&self) {
        self.put(Item::Stop);
    }

    /// Whether this process started the loop (and is not a forked child of the one that did).
    pub(super) fn is_ours(&self) -> bool {
        self.shared.generation == process::generation()
    }

    /// Gives the item back when nobody will take it.
    fn put(&self, item: Item) -> Option<Item> {
        if !self.is_ours() {
            // The lock may be held for ever by a thread that exists in the parent only.
            log!(EventLoop, Error, self.id(), "this event loop was left behind by a fork");
            return Some(item);
        }
        let mut inbox = self.shared.inbox.lock();
        if inbox.ended {
            drop(inbox);
            return Some(item);
        }
        inbox.items.push_back(item);
        let wake = std::mem::take(&mut inbox.sleeping);
        drop(inbox);
        if wake {
            self.shared.waker.wake();
        }
        None
    }
}
