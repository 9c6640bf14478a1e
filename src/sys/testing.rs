//! What the tests of several rooms need from the system: children, counts of descriptors and threads.

use std::time::{Duration, Instant};

/// Runs `f` in a forked child and gives its exit status; `None` when it does not end within 10 s
/// (it is killed) or dies of a signal.
pub fn in_child(f: impl FnOnce() -> i32) -> Option<i32> {
    // SAFETY: the child runs `f` and leaves by _exit, without the parent's exit handlers.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "fork failed");
    if pid == 0 {
        let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_or(99);
        // SAFETY: ends the child.
        unsafe { libc::_exit(code) };
    }
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let mut status = 0;
        // SAFETY: waits for our own child; `status` is a valid place.
        let r = unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) };
        if r == pid {
            if libc::WIFSIGNALED(status) {
                eprintln!("the child died of signal {}", libc::WTERMSIG(status));
            }
            return libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status));
        }
        if Instant::now() > until {
            // SAFETY: ends and reaps our own child.
            unsafe {
                libc::kill(pid, libc::SIGKILL);
                libc::waitpid(pid, &mut status, 0);
            }
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Ends the calling thread as CPython does to a thread that comes back while it is ending.
pub fn end_this_thread() -> ! {
    unsafe extern "C-unwind" {
        fn pthread_exit(value: *mut std::ffi::c_void) -> !;
    }
    // SAFETY: the caller's frames own nothing that must be dropped.
    unsafe { pthread_exit(std::ptr::null_mut()) }
}

/// Threads of this process whose name begins with `prefix` (tests run side by side, so that plain
/// counts say nothing).
pub fn threads_named(prefix: &str) -> usize {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return 0 };
    tasks
        .flatten()
        .filter_map(|t| std::fs::read_to_string(t.path().join("comm")).ok())
        .filter(|name| name.starts_with(prefix))
        .count()
}

/// Waits until `f` says yes, at most `seconds`.
pub fn eventually(seconds: u64, mut f: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(seconds);
    while !f() {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}
