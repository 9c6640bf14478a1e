//! What the scheduler says of the calling thread.

use std::cell::RefCell;
use std::path::Path;

use super::{File, FileMode};

thread_local! {
    static STAT: RefCell<Option<Option<File>>> = const { RefCell::new(None) };
}

/// Nanoseconds that the calling thread was ready to run and did not (proc(5), schedstat). `None`
/// where the kernel does not tell.
pub fn run_delay_nanos() -> Option<u64> {
    let mut text = [0u8; 96];
    let len = STAT.with_borrow_mut(|stat| {
        let file = stat.get_or_insert_with(|| {
            File::open(Path::new("/proc/thread-self/schedstat"), FileMode::Read).ok()
        });
        file.as_ref().and_then(|f| f.pread(&mut text, 0).ok())
    })?;
    let text = std::str::from_utf8(&text[..len]).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

thread_local! {
    static LOAD: RefCell<Option<Option<File>>> = const { RefCell::new(None) };
}

/// Threads of the whole machine that run or want to run now (proc(5), loadavg). `None` where the
/// kernel does not tell.
pub fn runnable_threads() -> Option<usize> {
    let mut text = [0u8; 96];
    let len = LOAD.with_borrow_mut(|load| {
        let file =
            load.get_or_insert_with(|| File::open(Path::new("/proc/loadavg"), FileMode::Read).ok());
        file.as_ref().and_then(|f| f.pread(&mut text, 0).ok())
    })?;
    let text = std::str::from_utf8(&text[..len]).ok()?;
    let (running, _all) = text.split_ascii_whitespace().nth(3)?.split_once('/')?;
    running.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_delay_never_goes_back() {
        if let Some(first) = run_delay_nanos() {
            std::thread::yield_now();
            assert!(run_delay_nanos().is_some_and(|later| later >= first));
        }
    }

    #[test]
    fn runnable_threads_count_at_least_the_caller() {
        assert!(runnable_threads().is_none_or(|n| n >= 1));
    }
}
