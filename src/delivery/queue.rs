//! A serial queue: jobs in order, one at a time, on no thread in particular.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::sync::Mutex;

use super::Work;
use super::pool::{Ready, Shared};

/// Jobs pushed here run one after another. Clones are the same queue. Jobs left when the last
/// clone goes still run.
#[derive(Clone)]
pub struct SerialQueue {
    shared: Arc<Shared>,
    queue: Arc<Queue>,
}

#[derive(Default)]
pub(super) struct Queue {
    jobs: Mutex<Jobs>,
}

#[derive(Default)]
struct Jobs {
    list: VecDeque<Box<dyn Work>>,
    /// In the ready list, or with a worker.
    scheduled: bool,
}

impl SerialQueue {
    pub(super) fn new(shared: Arc<Shared>) -> SerialQueue {
        SerialQueue { shared, queue: Arc::default() }
    }

    /// Any thread; never waits for a job. False (and the job is dropped) when the pool has ended or
    /// was left behind by a fork.
    pub fn push(&self, job: Box<dyn Work>) -> bool {
        self.push_many(std::iter::once(job))
    }

    /// As `push`, for several jobs with at most one wake-up.
    pub fn push_many(&self, new: impl Iterator<Item = Box<dyn Work>>) -> bool {
        if !self.shared.is_ours() {
            return false;
        }
        let mut jobs = self.queue.jobs.lock();
        jobs.list.extend(new);
        if jobs.list.is_empty() || std::mem::replace(&mut jobs.scheduled, true) {
            return true;
        }
        drop(jobs);
        if self.shared.put(Ready::Queue(self.queue.clone())).is_none() {
            return true;
        }
        let mut jobs = self.queue.jobs.lock();
        jobs.scheduled = false;
        let refused = std::mem::take(&mut jobs.list);
        drop(jobs);
        drop(refused);
        false
    }

    /// Jobs that no worker has taken yet.
    pub fn waiting(&self) -> usize {
        self.queue.jobs.lock().list.len()
    }
}

impl Queue {
    /// The next job, for the worker that has the queue. `None`: the queue is empty and nobody's.
    pub(super) fn pop(&self) -> Option<Box<dyn Work>> {
        let mut jobs = self.jobs.lock();
        let job = jobs.list.pop_front();
        jobs.scheduled = job.is_some();
        job
    }

    /// What is left when no worker will come any more.
    pub(super) fn clear(&self) {
        let left = std::mem::take(&mut self.jobs.lock().list);
        drop(left);
    }
}
