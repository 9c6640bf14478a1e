//! The hand-over from whoever submits to the servers.
//!
//! One lock holds the waiting items and the count of lanes that running servers have free. A
//! server that goes to sleep says so; a submitter that finds more items than free lanes takes one
//! sleeper off the list, hands it a wake token and counts its lanes as free at once, so that a
//! burst of submits wakes one server per filled server, not one per submit.

use super::sync::{Condvar, Mutex};
use std::collections::VecDeque;

pub(crate) struct Queue<T> {
    inner: Mutex<Inner<T>>,
    wake: Condvar,
    /// Lanes of a server.
    lanes: usize,
}

struct Inner<T> {
    waiting: VecDeque<T>,
    /// Servers asleep without a wake token.
    asleep: usize,
    /// Wake tokens that no server has taken yet.
    tokens: usize,
    /// Free lanes of all servers that are awake or about to be.
    free: usize,
    closed: bool,
}

/// What a server holds between two visits: how many of the free lanes are its own.
#[derive(Default)]
pub(crate) struct Share {
    free: usize,
}

impl<T> Queue<T> {
    pub(crate) fn new(lanes: usize) -> Queue<T> {
        let inner =
            Inner { waiting: VecDeque::new(), asleep: 0, tokens: 0, free: 0, closed: false };
        Queue { inner: Mutex::new(inner), wake: Condvar::new(), lanes }
    }

    /// Adds items; gives them back if the queue is closed.
    pub(crate) fn submit(&self, items: impl IntoIterator<Item = T>) -> Result<(), Vec<T>> {
        let mut guard = self.inner.lock();
        let inner = &mut *guard;
        if inner.closed {
            drop(guard);
            return Err(items.into_iter().collect());
        }
        inner.waiting.extend(items);
        let mut woken = 0;
        while inner.waiting.len() > inner.free && inner.asleep > 0 {
            inner.asleep -= 1;
            inner.tokens += 1;
            inner.free += self.lanes;
            woken += 1;
        }
        drop(guard);
        #[cfg(not(planted_fault = "hashing_wake"))]
        for _ in 0..woken {
            self.wake.notify_one();
        }
        #[cfg(planted_fault = "hashing_wake")]
        let _ = woken;
        Ok(())
    }

    /// Hands up to `room` items to `take`. A server that holds nothing (`room` is all its lanes)
    /// sleeps until there is something. False when the queue is closed, empty, and the server
    /// holds nothing.
    pub(crate) fn next(&self, share: &mut Share, room: usize, mut take: impl FnMut(T)) -> bool {
        let mut guard = self.inner.lock();
        loop {
            let inner = &mut *guard;
            let n = inner.waiting.len().min(room);
            if n > 0 || room < self.lanes {
                inner.waiting.drain(..n).for_each(&mut take);
                inner.free = inner.free - share.free + (room - n);
                share.free = room - n;
                return true;
            }
            inner.free -= share.free;
            share.free = 0;
            if inner.closed {
                return false;
            }
            inner.asleep += 1;
            while guard.tokens == 0 && !guard.closed {
                self.wake.wait(&mut guard);
            }
            if guard.tokens > 0 {
                guard.tokens -= 1;
                share.free = self.lanes;
            } else {
                guard.asleep -= 1;
            }
        }
    }

    /// Refuses further items. Servers finish what is waiting and then end.
    pub(crate) fn close(&self) {
        self.inner.lock().closed = true;
        self.wake.notify_all();
    }
}

/// `RUSTFLAGS="--cfg loom" cargo test --profile quick --lib hashing`. With
/// `--cfg planted_fault=\"hashing_wake\"` too, the last test must fail.
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicUsize, Ordering};
    use loom::thread;

    /// A server of one lane: whatever it takes is done at once.
    fn serve(queue: &Queue<usize>, sum: &AtomicUsize) {
        let mut share = Share::default();
        while queue.next(&mut share, 1, |item| {
            sum.fetch_add(item, Ordering::Relaxed);
        }) {}
    }

    #[test]
    fn one_server_two_submitters_every_item_is_served_once() {
        loom::model(|| {
            let queue = Arc::new(Queue::new(1));
            let sum = Arc::new(AtomicUsize::new(0));
            let server = {
                let (queue, sum) = (Arc::clone(&queue), Arc::clone(&sum));
                thread::spawn(move || serve(&queue, &sum))
            };
            let submitter = {
                let queue = Arc::clone(&queue);
                thread::spawn(move || assert!(queue.submit([1]).is_ok()))
            };
            assert!(queue.submit([10]).is_ok());
            submitter.join().unwrap();
            // The server must end by itself once both are served: no item left behind.
            queue.close();
            server.join().unwrap();
            assert_eq!(sum.load(Ordering::Relaxed), 11);
        });
    }

    /// Each server takes one item and keeps it, as one does whose lanes are all long: the other
    /// item must wake the other server. Nobody closes; a lost wake-up is a deadlock, which loom
    /// reports.
    #[test]
    fn every_item_beyond_the_free_lanes_wakes_a_server() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let queue = Arc::new(Queue::new(1));
            let sum = Arc::new(AtomicUsize::new(0));
            let server = || {
                let (queue, sum) = (Arc::clone(&queue), Arc::clone(&sum));
                thread::spawn(move || {
                    let take = |item| {
                        sum.fetch_add(item, Ordering::Relaxed);
                    };
                    assert!(queue.next(&mut Share::default(), 1, take));
                })
            };
            let (one, two) = (server(), server());
            assert!(queue.submit([1]).is_ok());
            assert!(queue.submit([10]).is_ok());
            one.join().unwrap();
            two.join().unwrap();
            assert_eq!(sum.load(Ordering::Relaxed), 11);
        });
    }
}
