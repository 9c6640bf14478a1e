//! `aws/common/thread_scheduler.h`: a thread that runs the caller's tasks at their times.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use crate::base::sync::{Condvar, Mutex};

use super::thread::options_of;
use crate::base::{Code, Duration, Instant};
use crate::ctypes::{aws_allocator, aws_task, aws_task_status, aws_thread_options};
use crate::ffi::place::{Placed, Tagged};
use crate::ffi::raise::raise_null;
use crate::sys::thread::{Body, JoinHandle, launch};
use crate::sys::{clock, process};

/// A thread that runs tasks.
#[repr(C)]
pub struct aws_thread_scheduler {
    _private: [u8; 0],
}

/// What stands behind the handle; its end stops the thread.
pub(crate) struct Scheduler {
    shared: Arc<Shared>,
    thread: Option<JoinHandle>,
    /// The process whose thread it is; a forked child has none.
    born: u64,
}

// SAFETY: handles of this type come from `aws_thread_scheduler_new` alone.
unsafe impl Tagged for Scheduler {
    type C = aws_thread_scheduler;
    const NAME: &'static str = "thread scheduler";
    const TAG: u64 = u64::from_le_bytes(*b"thrsched");
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

#[derive(Default)]
struct Queue {
    soon: VecDeque<Task>,
    /// By time, then in the order in which they came.
    timed: BinaryHeap<Reverse<(u64, u64, Task)>>,
    count: u64,
    ended: bool,
}

/// A caller's task on its way to the thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Task(*mut aws_task);

// SAFETY: who schedules a task gives it up until it has run.
unsafe impl Send for Task {}

impl Queue {
    fn push(&mut self, task: Task, time: u64) {
        match time {
            0 => self.soon.push_back(task),
            _ => self.timed.push(Reverse((time, self.count, task))),
        }
        self.count += 1;
    }

    /// A task whose time has come.
    fn due(&mut self, now: Instant) -> Option<Task> {
        if let Some(task) = self.soon.pop_front() {
            return Some(task);
        }
        match self.timed.peek() {
            Some(Reverse((time, _, _))) if *time <= now.nanos() => {
                self.timed.pop().map(|Reverse((_, _, task))| task)
            }
            _ => None,
        }
    }
}

impl Shared {
    /// The next task to run, waited for; `None` at the end.
    fn next(&self) -> Option<Task> {
        let mut queue = self.queue.lock();
        loop {
            if queue.ended {
                return None;
            }
            let now = clock::now();
            if let Some(task) = queue.due(now) {
                return Some(task);
            }
            match queue.timed.peek() {
                Some(Reverse((time, _, _))) => {
                    let wait = Duration::from_nanos(time.saturating_sub(now.nanos()));
                    self.news.wait_for(&mut queue, wait.min(LONGEST));
                }
                None => self.news.wait(&mut queue),
            }
        }
    }

    /// Runs all that is left as cancelled, one by one: each may schedule another.
    fn cancel_all(&self) {
        loop {
            let task = self.queue.lock().due(Instant::FAR);
            let Some(Task(task)) = task else { return };
            // SAFETY: the task was given up by who scheduled it.
            unsafe { aws_task::run(task, aws_task_status::AWS_TASK_STATUS_CANCELED) };
        }
    }
}

const LONGEST: Duration = Duration::from_secs(3600);

struct Run(Arc<Shared>);

impl Body for Run {
    fn run(&mut self) {
        while let Some(Task(task)) = self.0.next() {
            // SAFETY: as above. Nothing that must be dropped is alive in this frame.
            unsafe { aws_task::run(task, aws_task_status::AWS_TASK_STATUS_RUN_READY) };
        }
    }

    /// However the thread ended, no task may wait for ever: after the scheduler's own end they are
    /// cancelled here too, in case that end was on this thread.
    fn ended(self: Box<Self>) {
        if self.0.queue.lock().ended {
            self.0.cancel_all();
        }
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        if process::generation() != self.born {
            // The tasks are the parent's; a lock that another thread held will never open here.
            std::mem::forget(self.thread.take());
            std::mem::forget(self.shared.clone());
            return;
        }
        self.shared.queue.lock().ended = true;
        self.shared.news.notify_all();
        let Some(thread) = self.thread.take() else { return };
        if thread.is_current() {
            // Released by a task of its own: the thread cancels the rest when it leaves the task.
            thread.detach();
            return;
        }
        let _ = thread.join();
        self.shared.cancel_all();
    }
}

/// Starts a thread that runs tasks.
///
/// `allocator`: for the handle, borrowed until it is gone. `thread_options`: borrowed for the call;
/// NULL = defaults.
/// Returns NULL with AWS_ERROR_THREAD_INSUFFICIENT_RESOURCE and the like, AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. The caller holds one reference. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_scheduler_new(
    allocator: *mut aws_allocator,
    thread_options: *const aws_thread_options,
) -> *mut aws_thread_scheduler {
    ffi_fn!({
        if allocator.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        unsafe {
            let options = ok!(options_of(thread_options));
            let shared = Arc::new(Shared::default());
            let born = process::watch_forks();
            let scheduler = Scheduler { shared: shared.clone(), thread: None, born };
            let handle = ok!(Placed::make(allocator, scheduler));
            match launch(&options, Box::new(Run(shared))) {
                Ok(thread) => {
                    ok!(Placed::<Scheduler>::view_mut(handle)).thread = Some(thread);
                    handle
                }
                Err(error) => {
                    drop(Placed::<Scheduler>::release(handle));
                    raise_null(error.code)
                }
            }
        }
    })
}

/// One more reference; NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_scheduler_acquire(scheduler: *mut aws_thread_scheduler) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe { Placed::<Scheduler>::acquire(scheduler) };
    })
}

/// Gives a reference back; NULL is nothing. The last one ends the thread: the task that runs is
/// waited for, those that are left are run as cancelled on this thread before this returns. A task
/// of the scheduler itself may give the last reference back; the rest is cancelled after it then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_scheduler_release(scheduler: *const aws_thread_scheduler) {
    ffi_fn!(calls_out {
        if !scheduler.is_null() {
            // SAFETY: by the argument rules.
            drop(unsafe { Placed::<Scheduler>::release(scheduler) });
        }
    })
}

/// Schedules a task for a time.
///
/// `task`: given up until it has run. `time_to_run`: in nanoseconds of
/// aws_high_res_clock_get_ticks(); the past means now. The task runs on the scheduler's thread.
/// In a process forked after the scheduler was made, whose thread stayed behind, nothing is
/// scheduled and the last error is AWS_ERROR_INVALID_STATE. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_scheduler_schedule_future(
    scheduler: *mut aws_thread_scheduler,
    task: *mut aws_task,
    time_to_run: u64,
) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { schedule(scheduler, task, time_to_run) } })
}

/// Schedules a task to run as soon as possible, behind those scheduled so before; as
/// aws_thread_scheduler_schedule_future().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_scheduler_schedule_now(
    scheduler: *mut aws_thread_scheduler,
    task: *mut aws_task,
) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { schedule(scheduler, task, 0) } })
}

unsafe fn schedule(scheduler: *mut aws_thread_scheduler, task: *mut aws_task, time: u64) {
    // SAFETY: by the caller's contract.
    unsafe {
        let scheduler = ok!(Placed::<Scheduler>::view(scheduler));
        if task.is_null() {
            return crate::ffi::raise::fail(Code::INVALID_ARGUMENT);
        }
        if process::generation() != scheduler.born {
            return crate::ffi::raise::fail(Code::INVALID_STATE);
        }
        (*task).timestamp = time;
        (*task).abi_extension.scheduled = true;
        scheduler.shared.queue.lock().push(Task(task), time);
        scheduler.shared.news.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::common::enum_number;
    use std::ffi::c_void;
    use std::mem::MaybeUninit;
    use std::ptr::{null, null_mut};
    use std::sync::Mutex as StdMutex;
    use std::sync::mpsc::{Receiver, Sender, channel};

    struct Note {
        task: aws_task,
        name: u32,
        to: StdMutex<Sender<(u32, u32)>>,
    }

    unsafe extern "C" fn tell(
        _: *mut aws_task,
        arg: *mut c_void,
        status: MaybeUninit<aws_task_status>,
    ) {
        // SAFETY: the argument is the note, given up by the test.
        let note = unsafe { Box::from_raw(arg.cast::<Note>()) };
        let _ = note.to.lock().expect("no panic").send((note.name, enum_number(status)));
    }

    fn note(name: u32, to: &Sender<(u32, u32)>) -> *mut aws_task {
        let task = aws_task::new(Some(tell), null_mut(), null());
        let p = Box::into_raw(Box::new(Note { task, name, to: StdMutex::new(to.clone()) }));
        // SAFETY: fresh.
        unsafe {
            (*p).task.arg = p.cast();
            &raw mut (*p).task
        }
    }

    fn next(from: &Receiver<(u32, u32)>) -> (u32, u32) {
        from.recv_timeout(Duration::from_secs(10)).expect("a task ran")
    }

    #[test]
    fn tasks_run_in_order_of_their_times_and_the_rest_is_cancelled() {
        let (to, from) = channel();
        // SAFETY: tasks live until they have run.
        unsafe {
            let s = aws_thread_scheduler_new(default_allocator(), null());
            assert!(!s.is_null());
            let now = clock::now().nanos();
            let hour = 3_600_000_000_000;
            aws_thread_scheduler_schedule_future(s, note(4, &to), now + hour);
            aws_thread_scheduler_schedule_future(s, note(3, &to), now + 40_000_000);
            aws_thread_scheduler_schedule_future(s, note(2, &to), now + 20_000_000);
            aws_thread_scheduler_schedule_now(s, note(1, &to));
            assert_eq!([next(&from), next(&from), next(&from)], [(1, 0), (2, 0), (3, 0)]);
            assert!(clock::now().nanos() >= now + 40_000_000);
            aws_thread_scheduler_acquire(s);
            aws_thread_scheduler_release(s);
            aws_thread_scheduler_release(s);
            assert_eq!(from.try_recv(), Ok((4, 1)));
        }
    }

    struct Last {
        task: aws_task,
        scheduler: *mut aws_thread_scheduler,
    }

    unsafe extern "C" fn release_own(
        _: *mut aws_task,
        arg: *mut c_void,
        _: MaybeUninit<aws_task_status>,
    ) {
        // SAFETY: the argument is the struct of the test, given up.
        unsafe {
            let last = Box::from_raw(arg.cast::<Last>());
            aws_thread_scheduler_release(last.scheduler);
        }
    }

    #[test]
    fn task_may_release_its_own_scheduler() {
        let (to, from) = channel();
        // SAFETY: tasks live until they have run.
        unsafe {
            let s = aws_thread_scheduler_new(default_allocator(), null());
            aws_thread_scheduler_schedule_future(s, note(7, &to), u64::MAX);
            let task = aws_task::new(Some(release_own), null_mut(), null());
            let last = Box::into_raw(Box::new(Last { task, scheduler: s }));
            (*last).task.arg = last.cast();
            aws_thread_scheduler_schedule_now(s, &raw mut (*last).task);
        }
        assert_eq!(next(&from), (7, 1));
    }

    #[test]
    fn hostile_arguments_are_refused() {
        // SAFETY: NULL is refused.
        unsafe {
            assert!(aws_thread_scheduler_new(null_mut(), null()).is_null());
            aws_thread_scheduler_release(null());
            aws_thread_scheduler_acquire(null_mut());
            aws_thread_scheduler_schedule_now(null_mut(), null_mut());
            let s = aws_thread_scheduler_new(default_allocator(), null());
            aws_thread_scheduler_schedule_now(s, null_mut());
            aws_thread_scheduler_release(s);
        }
    }
}
