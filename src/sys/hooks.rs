//! Hooks for tests: any call of this room can be delayed, failed or cut short, and the machine can
//! be replaced (CPU set, cgroup files, sysfs). One atomic pointer; a null check when nothing is set.
//!
//! The hooks are process-wide, as the calls are. A test filters by path or by kind of call, and
//! holds `Installed` as long as it needs them; two tests that install hooks run one after another.

use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Failure;
use super::affinity::CpuSet;

/// Kinds of calls a hook sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    Open,
    Stat,
    Read,
    /// A read that must not wait (`preadv2` with RWF_NOWAIT).
    ReadNoWait,
    Write,
    Truncate,
    Sync,
    Close,
    Map,
    /// The question whether bytes of a file are in memory; a `Short` verdict answers no.
    Resident,
    Connect,
    Recv,
    Send,
    Resolve,
    Thread,
    Pin,
    Bind,
}

/// One call about to be made. `path` is a file, a host or a thread's name, empty for what has
/// none; `len` is 0 where it says nothing.
#[derive(Debug)]
pub struct Site<'a> {
    pub call: Call,
    pub path: &'a Path,
    pub len: usize,
}

/// What the hook wants (it may have slept before it answers).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Go,
    /// The call is not made and fails with this errno.
    Fail(i32),
    /// The call is made for at most so many bytes.
    Short(usize),
}

type OnCall = Box<dyn Fn(&Site<'_>) -> Verdict + Send + Sync>;

#[derive(Default)]
pub struct Hooks {
    pub on_call: Option<OnCall>,
    /// Stands for what the process may use.
    pub allowed_cpus: Option<CpuSet>,
    /// Stands for `/sys/fs/cgroup`, with `self` in it in place of `/proc/self/cgroup`.
    pub cgroup_root: Option<PathBuf>,
    /// Stands for `/sys/devices/system`.
    pub sysfs_root: Option<PathBuf>,
}

static HOOKS: AtomicPtr<Hooks> = AtomicPtr::new(null_mut());
static TURN: Mutex<()> = Mutex::new(());

/// The hooks are gone when this is dropped.
pub struct Installed {
    _turn: MutexGuard<'static, ()>,
}

/// Sets the hooks for the whole process; waits while another test has its own.
pub fn install(hooks: Hooks) -> Installed {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // Never freed: another thread may be inside a hook when it is taken away.
    HOOKS.store(Box::leak(Box::new(hooks)), Ordering::Release);
    Installed { _turn: turn }
}

impl Drop for Installed {
    fn drop(&mut self) {
        HOOKS.store(null_mut(), Ordering::Release);
    }
}

#[inline]
pub(in crate::sys) fn current() -> Option<&'static Hooks> {
    let p = HOOKS.load(Ordering::Acquire);
    // SAFETY: a non-null value points to hooks that were leaked by `install`.
    unsafe { p.as_ref() }
}

/// Asks the hook; gives the length that the call may be made for.
#[inline]
pub(in crate::sys) fn check(
    call: Call,
    name: &'static str,
    path: &Path,
    len: usize,
) -> Result<usize, Failure> {
    match current() {
        None => Ok(len),
        Some(hooks) => ask(hooks, call, name, path, len),
    }
}

#[cold]
fn ask(
    hooks: &Hooks,
    call: Call,
    name: &'static str,
    path: &Path,
    len: usize,
) -> Result<usize, Failure> {
    let Some(on_call) = &hooks.on_call else { return Ok(len) };
    match on_call(&Site { call, path, len }) {
        Verdict::Go => Ok(len),
        Verdict::Fail(errno) => Err(Failure::new(name, errno)),
        Verdict::Short(n) => Ok(n.min(len)),
    }
}

/// For calls without a path.
#[inline]
pub(in crate::sys) fn check_bare(
    call: Call,
    name: &'static str,
    len: usize,
) -> Result<usize, Failure> {
    match current() {
        None => Ok(len),
        Some(hooks) => ask(hooks, call, name, Path::new(""), len),
    }
}
