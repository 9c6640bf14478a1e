//! A C caller's task as the loop sees it: who it is and how it runs.

/// How a task is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskStatus {
    Run,
    /// Canceled by its owner, or the loop ended before its time came.
    Canceled,
}

/// A task that somebody else owns. It runs exactly once for each time it was scheduled, and always
/// on its loop, except when the loop has ended already: then at once, as canceled, on the thread
/// that schedules it.
#[derive(Clone, Copy)]
pub struct RawTask {
    /// The task's address: what `Handle::cancel` names it by.
    pub key: usize,
    pub run: fn(key: usize, status: TaskStatus),
}
