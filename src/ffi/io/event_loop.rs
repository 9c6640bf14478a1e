//! Header `aws/io/event_loop.h`: event loops and groups of them.
//!
//! An `aws_event_loop_group` is a reactor group and its place in the caller's memory. The memory
//! lives until every thread of the group is joined, because a task that is cancelled at the end may
//! still name its loop; then it goes back, and after it comes the shutdown callback, the last thing
//! the group does.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::base::sync::Mutex;
use crate::base::{Code, Error, Instant, Result};
use crate::client::Host;
use crate::ctypes::{aws_allocator, aws_shutdown_callback_options, aws_task, aws_task_status};
use crate::delivery::{Pool, PoolOptions};
use crate::ffi::io::io::aws_io_clock_fn;
use crate::ffi::place::{Placed, Tagged, enum_value, tag};
use crate::ffi::raise::{AWS_OP_SUCCESS, fail, last_error_or, raise};
use crate::log;
use crate::reactor::{Group, GroupOptions, Handle, RawTask, TaskStatus};
use crate::sys::{affinity, clock};

/// Which system interface an event loop waits on.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_event_loop_type {
    AWS_EVENT_LOOP_PLATFORM_DEFAULT = 0,
    AWS_EVENT_LOOP_EPOLL = 1,
    AWS_EVENT_LOOP_IOCP = 2,
    AWS_EVENT_LOOP_KQUEUE = 3,
    AWS_EVENT_LOOP_DISPATCH_QUEUE = 4,
}

/// Options of aws_event_loop_group_new().
#[repr(C)]
pub struct aws_event_loop_group_options {
    /// Number of loops. 0: half the CPUs the process may use, at least one, at most 64.
    pub loop_count: u16,
    /// AWS_EVENT_LOOP_PLATFORM_DEFAULT or the type this platform has; others raise
    /// AWS_ERROR_PLATFORM_NOT_SUPPORTED.
    pub r#type: MaybeUninit<aws_event_loop_type>,
    /// Optional; copied. Called once, after every thread of the group has ended.
    pub shutdown_options: *const aws_shutdown_callback_options,
    /// Optional; read during the call. The CPU group (NUMA node) whose CPUs the loops are pinned to.
    pub cpu_group: *const u16,
    /// Optional. The clock that aws_event_loop_current_clock_time() reads instead of the monotonic one.
    pub clock_override: aws_io_clock_fn,
}

/// One event loop: a thread that waits for sockets and runs tasks. Opaque; owned by its group.
pub struct aws_event_loop {
    _private: [u8; 0],
}

/// A group of event loops. Opaque; counted with aws_event_loop_group_acquire() and
/// aws_event_loop_group_release().
pub struct aws_event_loop_group {
    _private: [u8; 0],
}

/// What an `aws_event_loop_group` is.
pub struct LoopGroup {
    group: Group,
    loops: Box<[EventLoop]>,
    /// Made when the first client needs it.
    host: Mutex<Option<Arc<Host>>>,
    shutdown: aws_shutdown_callback_options,
}

// SAFETY: every `aws_event_loop_group` is made by `group_new` below.
unsafe impl Tagged for LoopGroup {
    type C = aws_event_loop_group;
    const NAME: &'static str = "aws_event_loop_group";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.elgr");
}

/// What an `aws_event_loop` is.
#[repr(C)]
pub struct EventLoop {
    tag: u64,
    handle: Handle,
    clock: aws_io_clock_fn,
}

// SAFETY: every `aws_event_loop` is an element of a group's `loops`, and begins with its tag.
unsafe impl Tagged for EventLoop {
    type C = aws_event_loop;
    const NAME: &'static str = "aws_event_loop";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.loop");
}

impl EventLoop {
    /// Nanoseconds of the clock that the group's creator chose.
    fn now(&self) -> Result<u64> {
        let Some(read) = self.clock else { return Ok(clock::now().nanos()) };
        let mut now = 0;
        // SAFETY: the creator's function; `now` is writable.
        match unsafe { read(&mut now) } {
            AWS_OP_SUCCESS => Ok(now),
            _ => Err(last_error_or(Code::CLOCK_FAILURE)),
        }
    }

    /// The moment on the reactor's clock that `run_at` means on the group's.
    fn moment(&self, run_at: u64) -> Instant {
        match self.clock {
            None => Instant(run_at),
            Some(_) => {
                let left = run_at.saturating_sub(self.now().unwrap_or(run_at));
                Instant(clock::now().nanos().saturating_add(left))
            }
        }
    }

    pub fn handle(&self) -> &Handle {
        &self.handle
    }
}

struct NewGroup {
    loops: u16,
    cpu_group: Option<u16>,
    shutdown: Option<aws_shutdown_callback_options>,
    clock: aws_io_clock_fn,
}

unsafe fn group_new(
    allocator: *mut aws_allocator,
    new: NewGroup,
) -> Result<*mut aws_event_loop_group> {
    if allocator.is_null() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // Filled when the handle exists; empty at the end means that it never did.
    let place = Arc::new(AtomicPtr::<aws_event_loop_group>::new(std::ptr::null_mut()));
    let at_end = place.clone();
    let group = Group::new(GroupOptions {
        loops: usize::from(new.loops),
        cpu_group: new.cpu_group,
        on_shutdown: Some(Box::new(move || group_end(at_end.load(Ordering::Acquire)))),
        ..GroupOptions::default()
    })?;
    let none = aws_shutdown_callback_options {
        shutdown_callback_fn: None,
        shutdown_callback_user_data: std::ptr::null_mut(),
    };
    let one = |handle: &Handle| EventLoop {
        tag: tag::<EventLoop>(),
        handle: handle.clone(),
        clock: new.clock,
    };
    let loops = group.loops().iter().map(one).collect();
    let shutdown = new.shutdown.unwrap_or(none);
    let value = LoopGroup { group, loops, host: Mutex::new(None), shutdown };
    // SAFETY: the allocator was checked for NULL and outlives the group, by the caller's promise.
    let made = unsafe { Placed::make(allocator, value)? };
    place.store(made, Ordering::Release);
    Ok(made)
}

/// All threads are joined: the memory goes back, then the creator is told.
fn group_end(group: *mut aws_event_loop_group) {
    if group.is_null() {
        return;
    }
    // SAFETY: runs once, after `group_release` gave the last reference up.
    let value = unsafe { Placed::<LoopGroup>::free(group) };
    let told = value.shutdown;
    drop(value);
    if let Some(tell) = told.shutdown_callback_fn {
        // SAFETY: the creator's callback with its own data, called once.
        unsafe { tell(told.shutdown_callback_user_data) };
    }
}

/// One more reference; false for NULL and strangers.
///
/// # Safety
/// `group` is NULL or live.
pub unsafe fn group_acquire(group: *const aws_event_loop_group) -> bool {
    // SAFETY: by the contract.
    unsafe { Placed::<LoopGroup>::acquire(group) }
}

/// One reference less; the last one starts the end: first the pools, then the loops.
///
/// # Safety
/// `group` is NULL or live; the caller gives its reference up.
pub unsafe fn group_release(group: *const aws_event_loop_group) {
    // SAFETY: by the contract. The clone keeps the reactor's group while its end begins: the handle
    // may be freed by another thread before `shut_down` returns.
    let (reactor, host) = unsafe {
        let Ok(reactor) = Placed::<LoopGroup>::view(group).map(|g| g.group.clone()) else { return };
        if !Placed::<LoopGroup>::forgo(group) {
            return;
        }
        let host = Placed::<LoopGroup>::view(group).ok().and_then(|g| g.host.lock().take());
        (reactor, host)
    };
    let Some(host) = host else { return reactor.shut_down() };
    let (delivery, readers) = (host.delivery.clone(), host.readers.clone());
    delivery.shut_down(Box::new(move || {
        readers.shut_down(Box::new(move || reactor.shut_down()));
    }));
}

/// The reactor behind a C group; NULL and strangers are AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `group` is NULL or live.
pub unsafe fn reactor_of(group: *const aws_event_loop_group) -> Result<Group> {
    // SAFETY: by the contract.
    unsafe { Placed::<LoopGroup>::view(group) }.map(|g| g.group.clone())
}

/// What the clients of a group share; made for the first of them. Whoever keeps it keeps a reference
/// to the C group too, because the pools end with the group's last one.
///
/// # Safety
/// `group` is NULL or live.
pub unsafe fn host_of(group: *const aws_event_loop_group) -> Result<Arc<Host>> {
    // SAFETY: by the contract.
    let group = unsafe { Placed::<LoopGroup>::view(group)? };
    let mut host = group.host.lock();
    if let Some(host) = &*host {
        return Ok(host.clone());
    }
    let delivery =
        Pool::new(PoolOptions { name: "s3fast-deliver".to_owned(), ..Default::default() })?;
    let readers = Pool::new(PoolOptions {
        name: "s3fast-read".to_owned(),
        threads_base: affinity::allowed_count().clamp(1, 8),
        ..Default::default()
    })?;
    let made = Arc::new(Host { group: group.group.clone(), delivery, readers });
    *host = Some(made.clone());
    Ok(made)
}

/// The less loaded of two loops taken at random.
///
/// # Safety
/// `group` is NULL or live.
pub unsafe fn next_loop(group: *const aws_event_loop_group) -> Result<*mut aws_event_loop> {
    // SAFETY: by the contract.
    let group = unsafe { Placed::<LoopGroup>::view(group)? };
    let at = &group.loops[group.group.next().index()];
    Ok((&raw const *at).cast_mut().cast())
}

/// The loop behind a C pointer; NULL and strangers are AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `event_loop` is NULL or live for `'a`.
pub unsafe fn loop_of<'a>(event_loop: *const aws_event_loop) -> Result<&'a EventLoop> {
    let at: *const EventLoop = event_loop.cast();
    // SAFETY: by the contract at least the first word can be read; the tag says whether it is ours.
    unsafe {
        if at.is_null() || !at.is_aligned() || at.cast::<u64>().read() != tag::<EventLoop>() {
            log!(
                EventLoop,
                Error,
                event_loop.addr(),
                "this is no event loop of libs3fast; handles of two libraries must not be mixed"
            );
            return Err(Error::new(Code::INVALID_ARGUMENT));
        }
        Ok(&*at)
    }
}

/// Schedules a C task on exactly this loop; `None` is as soon as possible.
unsafe fn schedule(event_loop: *const aws_event_loop, task: *mut aws_task, run_at: Option<u64>) {
    // SAFETY: the exports' contract; the task is the caller's until it is scheduled.
    unsafe {
        if task.is_null() || (*task).r#fn.is_none() {
            raise(Code::INVALID_ARGUMENT);
            return;
        }
        let at = match loop_of(event_loop) {
            Ok(at) => at,
            Err(error) => {
                raise(error.code);
                return;
            }
        };
        (*task).timestamp = run_at.unwrap_or(0);
        (*task).abi_extension.scheduled = true;
        let raw = RawTask { key: task.expose_provenance(), run: run_task };
        match run_at {
            None => at.handle.schedule(raw),
            Some(run_at) => at.handle.schedule_at(raw, at.moment(run_at)),
        }
    }
}

fn run_task(key: usize, status: TaskStatus) {
    let task: *mut aws_task = std::ptr::with_exposed_provenance_mut(key);
    let status = match status {
        TaskStatus::Run => aws_task_status::AWS_TASK_STATUS_RUN_READY,
        TaskStatus::Canceled => aws_task_status::AWS_TASK_STATUS_CANCELED,
    };
    // SAFETY: the caller keeps a scheduled task alive until it has run; the flag goes first because
    // the task may free or schedule itself.
    unsafe {
        (*task).abi_extension.scheduled = false;
        if let Some(run) = (*task).r#fn {
            run(task, (*task).arg, MaybeUninit::new(status));
        }
    }
}

/// Starts a group of event loops, each a thread of its own.
///
/// `allocator`: required; outlives the group's shutdown. `options`: required, read during the call.
/// Returns a group with one reference, to be given back with aws_event_loop_group_release(); NULL with
/// AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_PLATFORM_NOT_SUPPORTED, AWS_ERROR_OOM or the error of starting
/// a thread. Any thread. The shutdown callback runs on a thread of its own.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_new(
    allocator: *mut aws_allocator,
    options: *const aws_event_loop_group_options,
) -> *mut aws_event_loop_group {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            match enum_value(options.r#type) {
                t if t == aws_event_loop_type::AWS_EVENT_LOOP_PLATFORM_DEFAULT as i32 => {}
                t if t == aws_event_loop_type::AWS_EVENT_LOOP_EPOLL as i32 => {}
                t if (0..=4).contains(&t) => return fail(Code::PLATFORM_NOT_SUPPORTED),
                _ => return fail(Code::UNSUPPORTED_OPERATION),
            }
            let new = NewGroup {
                loops: options.loop_count,
                cpu_group: options.cpu_group.as_ref().copied(),
                shutdown: options.shutdown_options.as_ref().copied(),
                clock: options.clock_override,
            };
            ok!(group_new(allocator, new))
        }
    })
}

/// Starts a group of `max_threads` event loops; 0: half the CPUs the process may use, at least one.
///
/// `alloc`: required; outlives the group's shutdown. `shutdown_options`: may be NULL; copied. Else as
/// aws_event_loop_group_new().
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_new_default(
    alloc: *mut aws_allocator,
    max_threads: u16,
    shutdown_options: *const aws_shutdown_callback_options,
) -> *mut aws_event_loop_group {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let shutdown = shutdown_options.as_ref().copied();
            let new = NewGroup { loops: max_threads, cpu_group: None, shutdown, clock: None };
            ok!(group_new(alloc, new))
        }
    })
}

/// As aws_event_loop_group_new_default(), with the loops on the CPUs of one group (NUMA node).
///
/// Raises AWS_ERROR_INVALID_ARGUMENT where there is no such group.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_new_default_pinned_to_cpu_group(
    alloc: *mut aws_allocator,
    max_threads: u16,
    cpu_group: u16,
    shutdown_options: *const aws_shutdown_callback_options,
) -> *mut aws_event_loop_group {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let shutdown = shutdown_options.as_ref().copied();
            let cpu_group = Some(cpu_group);
            let new = NewGroup { loops: max_threads, cpu_group, shutdown, clock: None };
            ok!(group_new(alloc, new))
        }
    })
}

/// Takes one more reference and returns its argument. NULL is allowed; another library's group is not
/// counted (logged). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_acquire(
    el_group: *mut aws_event_loop_group,
) -> *mut aws_event_loop_group {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { group_acquire(el_group) };
        el_group
    })
}

/// Gives one reference back. The last one ends the loops after what was scheduled before, cancels
/// tasks whose time has not come, joins the threads on a thread of its own and calls the shutdown
/// callback there. Never waits; any thread, the group's own included. NULL does nothing.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_release(el_group: *mut aws_event_loop_group) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { group_release(el_group) };
    })
}

/// How many loops the group has. NULL and another library's group: 0 with AWS_ERROR_INVALID_ARGUMENT.
/// Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_get_loop_count(
    el_group: *const aws_event_loop_group,
) -> usize {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { Placed::<LoopGroup>::view(el_group) }).loops.len()
    })
}

/// The less loaded of two of the group's loops, taken at random.
///
/// Returns a borrowed pointer, valid until the group's shutdown; NULL with AWS_ERROR_INVALID_ARGUMENT.
/// Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_group_get_next_loop(
    el_group: *mut aws_event_loop_group,
) -> *mut aws_event_loop {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { next_loop(el_group) })
    })
}

/// Runs `task` on this loop, in its next turn, after what was scheduled before.
///
/// `task`: the caller's memory; initialised, not scheduled already, alive until it has run. It runs
/// exactly once: with AWS_TASK_STATUS_RUN_READY, or with AWS_TASK_STATUS_CANCELED when the loop ends
/// (before this returns if it has ended). NULL and another library's loop raise
/// AWS_ERROR_INVALID_ARGUMENT and run nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live; the task lives until it has run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_schedule_task_now(
    event_loop: *mut aws_event_loop,
    task: *mut aws_task,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { schedule(event_loop, task, None) };
    })
}

/// Runs `task` on this loop, not before `run_at_nanos` of aws_event_loop_current_clock_time().
///
/// Else as aws_event_loop_schedule_task_now().
///
/// # Safety
/// Pointers are NULL or live; the task lives until it has run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_schedule_task_future(
    event_loop: *mut aws_event_loop,
    task: *mut aws_task,
    run_at_nanos: u64,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { schedule(event_loop, task, Some(run_at_nanos)) };
    })
}

/// Reads the clock that the loop's tasks are scheduled by, in nanoseconds.
///
/// `time_nanos`: written on success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
/// AWS_ERROR_INVALID_ARGUMENT or the clock's error. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_event_loop_current_clock_time(
    event_loop: *const aws_event_loop,
    time_nanos: *mut u64,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        let (at, out) = unsafe { (ok!(loop_of(event_loop)), arg!(mut time_nanos)) };
        *out = ok!(at.now());
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests;
