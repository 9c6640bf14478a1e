//! The one path on which threads start.
//!
//! A thread's body is a value on the heap; the thread borrows it. Below `Body::run` stand only the
//! start routine (`extern "C-unwind"`) and the C library: no catch frame and no value of ours that
//! must be dropped. A callback that ends its own thread (CPython at exit does) therefore takes away
//! that thread and nothing else. A key's destructor, which runs however the thread ends, gets the
//! body back: `Body::ended`.
//!
//! A CPU is a hint. A pin outside of what the launching thread may use is not tried, a refused one
//! is left out, and both are counted: the launch never fails for it.

use std::cell::Cell;
use std::ffi::{CString, c_int, c_void};
use std::mem::{MaybeUninit, size_of};
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::affinity::{CpuSet, allowed_cpus};
use super::hooks::{Call, check};
use super::{Failure, process};
use crate::base::{Code, Duration, Error, Result, caught};
use crate::log;

mod managed;

pub use managed::{join_managed, launch_managed, managed_count};

/// What a thread is to be like.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Cut to 15 bytes.
    pub name: String,
    /// Bytes; 0: the system's default, at least 1 MiB.
    pub stack: usize,
    pub cpu: Option<u32>,
    /// Pins even where the launching thread itself may not run.
    pub ignore_mask: bool,
    /// Memory of this node is preferred for what the thread touches first.
    pub memory_node: Option<u16>,
    /// SIGPIPE stays blocked on this thread (its disposition is not touched).
    pub block_sigpipe: bool,
}

/// What a thread does.
pub trait Body: Send {
    /// The thread's life. While code runs in here that may end the thread (a caller's callback),
    /// nothing that must be dropped may be alive in any frame of ours.
    fn run(&mut self);
    /// The thread is about to be gone: `run` has returned, or something in it ended the thread.
    /// Runs on the thread, after its thread-locals are gone.
    fn ended(self: Box<Self>) {}
}

struct Start {
    body: Box<dyn Body>,
    name: CString,
    pinned: bool,
    memory_node: Option<u16>,
    block_sigpipe: bool,
}

/// A thread that must be joined or let go.
#[derive(Debug)]
pub struct JoinHandle {
    thread: libc::pthread_t,
    done: bool,
}

// SAFETY: a pthread_t is a plain number that any thread may join.
unsafe impl Send for JoinHandle {}
// SAFETY: as above; there is nothing to see behind a reference.
unsafe impl Sync for JoinHandle {}

/// Starts a thread.
pub fn launch(options: &Options, body: Box<dyn Body>) -> Result<JoinHandle> {
    check(Call::Thread, "pthread_create", options.name.as_ref(), 0).map_err(refused)?;
    key()?;
    let mut attr = Attributes::new(options)?;
    let pin = attr.pin(options);
    let start = Box::into_raw(Box::new(Start {
        body,
        name: short_name(&options.name),
        pinned: pin == Pin::Set,
        memory_node: options.memory_node,
        block_sigpipe: options.block_sigpipe,
    }));
    let mut r = attr.create(start);
    if r != 0 && pin == Pin::Set {
        // The CPU set shrank in between, or the CPU does not exist: as if no CPU had been named.
        note_refused_pin(options, r);
        attr = match Attributes::new(options) {
            Ok(attr) => attr,
            Err(e) => {
                // SAFETY: no thread got the packet.
                drop(unsafe { Box::from_raw(start) });
                return Err(e);
            }
        };
        // SAFETY: no thread has the packet yet.
        unsafe { (*start).pinned = false };
        r = attr.create(start);
    }
    match r {
        0 => Ok(JoinHandle { thread: attr.thread, done: false }),
        errno => {
            // SAFETY: no thread got the packet.
            drop(unsafe { Box::from_raw(start) });
            Err(refused(Failure::new("pthread_create", errno)))
        }
    }
}

/// Starts a thread that runs a closure once.
pub fn launch_fn(options: &Options, f: impl FnOnce() + Send + 'static) -> Result<JoinHandle> {
    launch(options, Box::new(Once(Some(f))))
}

struct Once<F>(Option<F>);

impl<F: FnOnce() + Send> Body for Once<F> {
    fn run(&mut self) {
        if let Some(f) = self.0.take() {
            caught("a thread", 0, f);
        }
    }
}

impl JoinHandle {
    /// Waits until the thread is gone.
    pub fn join(mut self) -> Result<()> {
        self.done = true;
        // SAFETY: `done` says that the thread was neither joined nor let go before.
        match unsafe { libc::pthread_join(self.thread, null_mut()) } {
            0 => Ok(()),
            libc::EDEADLK => {
                let code = Code::THREAD_DEADLOCK_DETECTED;
                Err(Error::os(code, "pthread_join", libc::EDEADLK))
            }
            errno => Err(Failure::new("pthread_join", errno).other()),
        }
    }

    pub fn is_current(&self) -> bool {
        // SAFETY: plain numbers.
        unsafe { libc::pthread_equal(self.thread, libc::pthread_self()) != 0 }
    }

    /// The C library's number of the thread.
    pub fn id(&self) -> u64 {
        self.thread
    }

    /// Lets the thread go without joining it (also what a drop does).
    pub fn detach(self) {}
}

impl Drop for JoinHandle {
    fn drop(&mut self) {
        if !self.done {
            // SAFETY: the thread was neither joined nor let go before.
            unsafe { libc::pthread_detach(self.thread) };
        }
    }
}

/// The C library's number of the calling thread.
pub fn current_id() -> u64 {
    // SAFETY: never fails.
    unsafe { libc::pthread_self() as u64 }
}

/// Sleeps at least so long.
pub fn sleep(d: Duration) {
    std::thread::sleep(d);
}

/// Pins that were refused or not tried, since the process began.
pub fn refused_pins() -> u64 {
    REFUSED_PINS.load(Ordering::Relaxed)
}

/// Whether the calling thread was pinned by `launch`.
pub fn is_pinned_here() -> bool {
    HERE.try_with(|here| here.get().pinned).unwrap_or(false)
}

/// Runs `f` (which may write to a closed pipe or socket) with SIGPIPE blocked on this thread, and
/// takes away the signal it raised. On threads that block it for good this costs nothing.
pub(in crate::sys) fn without_sigpipe<R>(f: impl FnOnce() -> R) -> R {
    if HERE.try_with(|here| here.get().sigpipe_blocked).unwrap_or(false) {
        return f();
    }
    let set = sigpipe();
    let mut old = MaybeUninit::<libc::sigset_t>::uninit();
    let mut waiting = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: valid sets. A SIGPIPE that was waiting before is somebody else's and stays.
    let was_waiting = unsafe {
        libc::sigpending(waiting.as_mut_ptr());
        libc::sigismember(waiting.as_ptr(), libc::SIGPIPE) == 1
    };
    // SAFETY: valid sets; only this thread's mask changes.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &set, old.as_mut_ptr()) };
    let result = f();
    // SAFETY: valid sets and places. `old` was filled by the call above.
    unsafe {
        if !was_waiting {
            let now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            libc::sigtimedwait(&set, null_mut(), &now);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, old.as_ptr(), null_mut());
    }
    result
}

fn sigpipe() -> libc::sigset_t {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the first call fills the set.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGPIPE);
        set.assume_init()
    }
}

#[derive(Clone, Copy)]
struct Here {
    pinned: bool,
    sigpipe_blocked: bool,
}

thread_local! {
    static HERE: Cell<Here> = const { Cell::new(Here { pinned: false, sigpipe_blocked: false }) };
}

static REFUSED_PINS: AtomicU64 = AtomicU64::new(0);

fn note_refused_pin(options: &Options, errno: i32) {
    REFUSED_PINS.fetch_add(1, Ordering::Relaxed);
    let (name, cpu) = (&options.name, options.cpu.unwrap_or(0));
    match errno {
        0 => log!(CommonThread, Info, 0, "thread {name} runs unpinned: CPU {cpu} is not allowed"),
        e => log!(CommonThread, Info, 0, "thread {name} runs unpinned: CPU {cpu} refused ({e})"),
    }
}

#[cold]
fn refused(f: Failure) -> Error {
    let code = match f.errno {
        libc::EINVAL => Code::THREAD_INVALID_SETTINGS,
        libc::EAGAIN => Code::THREAD_INSUFFICIENT_RESOURCE,
        libc::EPERM => Code::THREAD_NO_PERMISSIONS,
        libc::ENOMEM => Code::OOM,
        _ => Code::SYS_CALL_FAILURE,
    };
    Error::os(code, f.call, f.errno)
}

fn short_name(name: &str) -> CString {
    let mut end = name.len().min(15);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    CString::new(name[..end].replace('\0', "?")).unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pin {
    Unset,
    Set,
}

struct Attributes {
    attr: libc::pthread_attr_t,
    thread: libc::pthread_t,
}

impl Attributes {
    fn new(options: &Options) -> Result<Attributes> {
        let mut attr = MaybeUninit::<libc::pthread_attr_t>::uninit();
        // SAFETY: the call fills the attributes.
        let r = unsafe { libc::pthread_attr_init(attr.as_mut_ptr()) };
        if r != 0 {
            return Err(refused(Failure::new("pthread_attr_init", r)));
        }
        // SAFETY: filled above.
        let mut all = Attributes { attr: unsafe { attr.assume_init() }, thread: 0 };
        let mut default = 0usize;
        // SAFETY: valid attributes and place.
        unsafe { libc::pthread_attr_getstacksize(&all.attr, &mut default) };
        let wanted = match options.stack {
            0 => default.max(1 << 20),
            n => n.max(libc::PTHREAD_STACK_MIN),
        };
        let pages = wanted.next_multiple_of(super::page_size());
        // SAFETY: valid attributes.
        let r = unsafe { libc::pthread_attr_setstacksize(&mut all.attr, pages) };
        if r != 0 {
            return Err(refused(Failure::new("pthread_attr_setstacksize", r)));
        }
        if is_pinned_here() {
            // Without this the new thread would inherit our one CPU.
            all.set_mask(&allowed_cpus());
        }
        Ok(all)
    }

    fn pin(&mut self, options: &Options) -> Pin {
        let Some(cpu) = options.cpu else { return Pin::Unset };
        if !options.ignore_mask && !allowed_cpus().contains(cpu) {
            note_refused_pin(options, 0);
            return Pin::Unset;
        }
        self.set_mask(&[cpu].into_iter().collect());
        Pin::Set
    }

    fn set_mask(&mut self, cpus: &CpuSet) {
        let bytes = cpus.words().len().max(16) * size_of::<u64>();
        let mut words = cpus.words().to_vec();
        words.resize(bytes / size_of::<u64>(), 0);
        // SAFETY: the set holds `bytes` bytes; it is copied. A refusal shows at the creation.
        unsafe {
            libc::pthread_attr_setaffinity_np(&mut self.attr, bytes, words.as_ptr().cast());
        }
    }

    /// Gives the errno; the packet is the thread's when it is 0.
    fn create(&mut self, start: *mut Start) -> c_int {
        // SAFETY: looks at a packet that no thread has yet.
        let packet = unsafe { &*start };
        let name = std::path::Path::new(packet.name.to_str().unwrap_or(""));
        if packet.pinned
            && let Err(f) = check(Call::Pin, "pthread_create", name, 0)
        {
            return f.errno;
        }
        // SAFETY: valid attributes; the routine takes the packet over.
        unsafe { pthread_create(&mut self.thread, &self.attr, begin, start.cast()) }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: initialised in `new`, destroyed once.
        unsafe { libc::pthread_attr_destroy(&mut self.attr) };
    }
}

unsafe extern "C" {
    /// As in libc, but with a start routine that may be unwound: a thread that ends itself is.
    #[allow(clashing_extern_declarations, reason = "only the routine's unwinding differs")]
    fn pthread_create(
        thread: *mut libc::pthread_t,
        attr: *const libc::pthread_attr_t,
        start: extern "C-unwind" fn(*mut c_void) -> *mut c_void,
        arg: *mut c_void,
    ) -> c_int;
}

/// The key whose destructor gives every thread's body back.
fn key() -> Result<libc::pthread_key_t> {
    static KEY: OnceLock<std::result::Result<libc::pthread_key_t, c_int>> = OnceLock::new();
    let made = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is a valid place.
        match unsafe { libc::pthread_key_create(&mut key, Some(finish)) } {
            0 => Ok(key),
            errno => Err(errno),
        }
    });
    (*made).map_err(|errno| refused(Failure::new("pthread_key_create", errno)))
}

extern "C-unwind" fn begin(arg: *mut c_void) -> *mut c_void {
    let start = arg.cast::<Start>();
    prepare(start);
    // SAFETY: the packet lives until `finish` takes it. Nothing in this frame must be dropped.
    unsafe { (*start).body.run() };
    null_mut()
}

/// Apart from `begin`, so that none of its values stand below the body.
#[inline(never)]
fn prepare(start: *mut Start) {
    // SAFETY: the packet is this thread's own; nobody else has it.
    let packet = unsafe { &mut *start };
    if let Ok(key) = key() {
        // SAFETY: the key exists; its destructor expects exactly this pointer.
        unsafe { libc::pthread_setspecific(key, start.cast()) };
    }
    // SAFETY: the name is terminated and at most 15 bytes long.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), packet.name.as_ptr()) };
    if packet.block_sigpipe {
        // SAFETY: a valid set; only this thread's mask changes.
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &sigpipe(), null_mut()) };
    }
    if let Some(node) = packet.memory_node {
        prefer_node(node);
    }
    let here = Here { pinned: packet.pinned, sigpipe_blocked: packet.block_sigpipe };
    HERE.with(|h| h.set(here));
}

fn prefer_node(node: u16) {
    const MPOL_PREFERRED: c_int = 1;
    let mut mask = vec![0usize; node as usize / usize::BITS as usize + 1];
    mask[node as usize / usize::BITS as usize] = 1 << (node as u32 % usize::BITS);
    let bits = mask.len() * usize::BITS as usize + 1;
    // SAFETY: the kernel reads `bits - 1` bits of the mask.
    let r =
        unsafe { syscall!(syscall(libc::SYS_set_mempolicy, MPOL_PREFERRED, mask.as_ptr(), bits)) };
    if let Err(f) = r {
        static SAID: std::sync::Once = std::sync::Once::new();
        SAID.call_once(|| {
            log!(CommonThread, Info, 0, "no memory node for threads: {} ({})", f.call, f.errno);
        });
    }
}

unsafe extern "C" fn finish(arg: *mut c_void) {
    // SAFETY: the key's value is the packet that `begin` got, and this runs once for it.
    let start = unsafe { Box::from_raw(arg.cast::<Start>()) };
    let body = start.body;
    caught("the end of a thread", process::thread_number() as usize, move || body.ended());
}

#[cfg(test)]
mod tests;
