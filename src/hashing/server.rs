//! The threads around the schedulers, and their owner.

use super::Task;
use super::queue::{Queue, Share};
use crate::base::{Code, Error, Result, caught};
use crate::checksum::lanes::{Job, Message, Outcome, Scheduler};
use crate::checksum::{Md5Digest, Md5Engine};
use crate::sys::{affinity, process, thread};
use std::sync::Arc;

/// How to run the servers.
#[derive(Clone)]
pub struct Options {
    /// 0: one per CPU that this process may use.
    pub threads: usize,
    /// Of the threads; a number is added.
    pub name: String,
    /// The kernels to use; `None`: the best ones.
    pub engine: Option<&'static Md5Engine>,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 0, name: "S3Hash".to_owned(), engine: None }
    }
}

/// Owns the servers; dropping it finishes what was submitted and joins them.
pub struct Servers {
    queue: Arc<Queue<Held>>,
    threads: Vec<thread::JoinHandle>,
    lanes: usize,
    /// The threads live in this generation of the process only, and so does the queue's lock.
    generation: u64,
}

impl Servers {
    /// Starts the threads; fails only if not even one can be started.
    pub fn new(options: &Options) -> Result<Servers> {
        let engine = options.engine.unwrap_or_else(Md5Engine::here);
        let lanes = engine.lanes_max();
        let count = match options.threads {
            0 => affinity::allowed_count().max(1),
            n => n,
        };
        let generation = process::watch_forks();
        let queue = Arc::new(Queue::new(lanes));
        let mut servers = Servers { queue, threads: Vec::new(), lanes, generation };
        for i in 0..count {
            let queue = Arc::clone(&servers.queue);
            let name = format!("{}{i}", options.name);
            let options = thread::Options { name, ..thread::Options::default() };
            match thread::launch_fn(&options, move || serve(&queue, engine)) {
                Ok(handle) => servers.threads.push(handle),
                Err(error) if servers.threads.is_empty() => return Err(error),
                Err(error) => {
                    crate::log!(CommonThread, Warn, 0, "hashing with {i} threads: {error}");
                    break;
                }
            }
        }
        Ok(servers)
    }

    /// Hands a message over; its `done` comes from a server's thread.
    pub fn submit(&self, task: Box<dyn Task>) {
        self.submit_many([task]);
    }

    /// As `submit` for several messages, with one look at the queue.
    pub fn submit_many(&self, tasks: impl IntoIterator<Item = Box<dyn Task>>) {
        let held = tasks.into_iter().map(|task| Held(Some(task)));
        if self.is_left_behind() {
            // In a forked child there are no servers, and the lock may be held for ever. Dropping
            // a task tells its receiver.
            held.for_each(drop);
            return;
        }
        let refused = self.queue.submit(held).err();
        // The queue closes in `drop` only, when nobody can submit any more.
        debug_assert!(refused.is_none(), "submit to servers that are being dropped");
    }

    fn is_left_behind(&self) -> bool {
        self.generation != process::generation()
    }

    pub fn threads(&self) -> usize {
        self.threads.len()
    }
    /// Messages that one thread hashes at once.
    pub fn lanes(&self) -> usize {
        self.lanes
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        if self.is_left_behind() {
            // The threads are the parent's.
            self.threads.drain(..).for_each(std::mem::forget);
            return;
        }
        self.queue.close();
        for handle in self.threads.drain(..) {
            if handle.is_current() {
                // The last owner let go in a `done`: this thread ends by itself afterwards.
                handle.detach();
            } else if let Err(error) = handle.join() {
                crate::log!(CommonThread, Error, 0, "a hashing thread was not joined: {error}");
            }
        }
    }
}

/// A task as the scheduler wants it. However it goes away, its receiver is told.
struct Held(Option<Box<dyn Task>>);

impl Held {
    fn tell(mut self, digest: Md5Digest) {
        tell(self.0.take(), Ok(digest));
    }
}

impl Message for Held {
    fn piece(&self, index: usize) -> Option<&[u8]> {
        self.0.as_ref()?.piece(index)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        tell(self.0.take(), Err(Error::new(Code::S3_INTERNAL_ERROR)));
    }
}

fn tell(task: Option<Box<dyn Task>>, digest: Result<Md5Digest>) {
    if let Some(task) = task {
        caught("the receiver of an MD5", 0, || task.done(digest));
    }
}

/// The life of a server.
fn serve(queue: &Queue<Held>, engine: &'static Md5Engine) {
    let mut lanes: Scheduler<Held, ()> = Scheduler::new(engine);
    let mut share = Share::default();
    let mut taken: Vec<Held> = Vec::with_capacity(lanes.lanes_max());
    let mut ended: Vec<(Held, Md5Digest)> = Vec::with_capacity(lanes.lanes_max());
    while queue.next(&mut share, lanes.room(), |held| taken.push(held)) {
        let turned = caught("an MD5 lane run", 0, || {
            taken.drain(..).for_each(|held| lanes.push(Job::whole(held, ())));
            lanes.turn(|(), held, outcome| {
                if let Outcome::Digest(digest) = outcome {
                    ended.push((held, digest));
                }
            })
        });
        for (held, digest) in ended.drain(..) {
            held.tell(digest);
        }
        if turned.is_none() {
            // The states are in doubt: dropping the messages tells their receivers.
            drop(lanes.abandon());
        }
    }
}
