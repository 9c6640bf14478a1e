//! Threads that nobody joins by name: the next one to end, or `join_managed`, joins them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Body, JoinHandle, Options, launch};
use crate::base::{Duration, Result};
use crate::log;
use crate::sys::{clock, process};

struct Managed {
    generation: u64,
    running: usize,
    /// Those whose body is done, and that can be joined without a real wait.
    ended: Vec<JoinHandle>,
}

static MANAGED: Mutex<Managed> =
    Mutex::new(Managed { generation: 0, running: 0, ended: Vec::new() });
static CHANGED: Condvar = Condvar::new();

fn locked() -> MutexGuard<'static, Managed> {
    let mut m = MANAGED.lock().unwrap_or_else(PoisonError::into_inner);
    let now = process::watch_forks();
    if m.generation != now {
        // A forked child has none of its parent's threads, and nothing to join.
        m.ended.drain(..).for_each(std::mem::forget);
        *m = Managed { generation: now, running: 0, ended: Vec::new() };
    }
    m
}

/// Starts a thread that the library joins by itself.
pub fn launch_managed(options: &Options, body: Box<dyn Body>) -> Result<()> {
    locked().running += 1;
    // The thread needs its own handle at its end: it waits there until it has been put.
    let place = std::sync::Arc::new((Mutex::new(None), Condvar::new()));
    let body = Box::new(Kept { body: Some(body), place: place.clone() });
    match launch(options, body) {
        Ok(handle) => {
            *place.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
            place.1.notify_one();
            Ok(())
        }
        Err(e) => {
            locked().running -= 1;
            CHANGED.notify_all();
            Err(e)
        }
    }
}

/// Threads that `launch_managed` started and that are not joined yet.
pub fn managed_count() -> usize {
    let m = locked();
    m.running + m.ended.len()
}

/// Waits until all managed threads are gone, at most `timeout`. Says whether they are. A managed
/// thread that calls this does not wait for itself.
pub fn join_managed(timeout: Option<Duration>) -> bool {
    let until = timeout.map(|t| clock::now().after(t));
    let mut m = locked();
    loop {
        let ended = std::mem::take(&mut m.ended);
        if !ended.is_empty() {
            drop(m);
            ended.into_iter().for_each(join);
            m = locked();
            continue;
        }
        if m.running == usize::from(IS_MANAGED.try_with(std::cell::Cell::get).unwrap_or(false)) {
            return true;
        }
        m = match until {
            None => CHANGED.wait(m).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let left = until.since(clock::now());
                if left.is_zero() {
                    return false;
                }
                CHANGED.wait_timeout(m, left).unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}

thread_local! {
    static IS_MANAGED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

type Place = std::sync::Arc<(Mutex<Option<JoinHandle>>, Condvar)>;

struct Kept {
    body: Option<Box<dyn Body>>,
    place: Place,
}

impl Body for Kept {
    fn run(&mut self) {
        IS_MANAGED.with(|m| m.set(true));
        if let Some(body) = &mut self.body {
            body.run();
        }
    }

    fn ended(mut self: Box<Self>) {
        if let Some(body) = self.body.take() {
            body.ended();
        }
        let mut own = self.place.0.lock().unwrap_or_else(PoisonError::into_inner);
        while own.is_none() {
            own = self.place.1.wait(own).unwrap_or_else(PoisonError::into_inner);
        }
        let mut m = locked();
        let earlier = std::mem::replace(&mut m.ended, own.take().into_iter().collect());
        m.running -= 1;
        CHANGED.notify_all();
        drop(m);
        // At most one ended thread is left unjoined at any time.
        earlier.into_iter().for_each(join);
    }
}

fn join(thread: JoinHandle) {
    if let Err(e) = thread.join() {
        log!(CommonThread, Error, 0, "a thread was not joined: {e}");
    }
}
