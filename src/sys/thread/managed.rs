//! Threads that nobody joins by name: the next one to end, or `join_managed`, joins them.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::{Body, JoinHandle, Options, launch};
use crate::base::sync::{Condvar, Mutex};
use crate::base::{Duration, Result};
use crate::log;
use crate::sys::{clock, process};

/// One for each process: a forked child has none of its parent's threads and nothing to join, and
/// the parent's lock may be held in it for ever.
struct Managed {
    generation: u64,
    threads: Mutex<Threads>,
    changed: Condvar,
}

#[derive(Default)]
struct Threads {
    running: usize,
    /// Those whose body is done, and that can be joined without a real wait.
    ended: Vec<JoinHandle>,
}

static MANAGED: AtomicPtr<Managed> = AtomicPtr::new(null_mut());

fn managed() -> &'static Managed {
    let generation = process::watch_forks();
    loop {
        let known = MANAGED.load(Ordering::Acquire);
        // SAFETY: a value that was put there is never freed.
        match unsafe { known.as_ref() } {
            Some(managed) if managed.generation == generation => return managed,
            _ => {}
        }
        let (threads, changed) = (Mutex::default(), Condvar::new());
        let new = Box::into_raw(Box::new(Managed { generation, threads, changed }));
        if MANAGED.compare_exchange(known, new, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: nobody else has seen it.
            drop(unsafe { Box::from_raw(new) });
        }
    }
}

/// Starts a thread that the library joins by itself.
pub fn launch_managed(options: &Options, body: Box<dyn Body>) -> Result<()> {
    let managed = managed();
    managed.threads.lock().running += 1;
    // The thread needs its own handle at its end: it waits there until it has been put.
    let place = std::sync::Arc::new((Mutex::new(None), Condvar::new()));
    let body = Box::new(Kept { body: Some(body), place: place.clone() });
    match launch(options, body) {
        Ok(handle) => {
            *place.0.lock() = Some(handle);
            place.1.notify_one();
            Ok(())
        }
        Err(e) => {
            managed.threads.lock().running -= 1;
            managed.changed.notify_all();
            Err(e)
        }
    }
}

/// Threads that `launch_managed` started and that are not joined yet.
pub fn managed_count() -> usize {
    let threads = managed().threads.lock();
    threads.running + threads.ended.len()
}

/// Waits until all managed threads are gone, at most `timeout`. Says whether they are. A managed
/// thread that calls this does not wait for itself.
pub fn join_managed(timeout: Option<Duration>) -> bool {
    let until = timeout.map(|t| clock::now().after(t));
    let managed = managed();
    let own = usize::from(IS_MANAGED.try_with(std::cell::Cell::get).unwrap_or(false));
    let mut threads = managed.threads.lock();
    loop {
        let ended = std::mem::take(&mut threads.ended);
        if !ended.is_empty() {
            drop(threads);
            ended.into_iter().for_each(join);
            threads = managed.threads.lock();
            continue;
        }
        if threads.running == own {
            return true;
        }
        match until {
            None => managed.changed.wait(&mut threads),
            Some(until) => {
                let left = until.since(clock::now());
                if left.is_zero() {
                    return false;
                }
                managed.changed.wait_for(&mut threads, left);
            }
        }
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
        let mut own = self.place.0.lock();
        while own.is_none() {
            self.place.1.wait(&mut own);
        }
        let managed = managed();
        let mut threads = managed.threads.lock();
        let earlier = std::mem::replace(&mut threads.ended, own.take().into_iter().collect());
        threads.running -= 1;
        managed.changed.notify_all();
        drop(threads);
        // At most one ended thread is left unjoined at any time.
        earlier.into_iter().for_each(join);
    }
}

fn join(thread: JoinHandle) {
    if let Err(e) = thread.join() {
        log!(CommonThread, Error, 0, "a thread was not joined: {e}");
    }
}
