//! One question about the process: are we still the one that started our threads?
//!
//! After a fork only the calling thread lives in the child, and a lock that another thread held
//! stays locked for ever. What owns threads or locks remembers the generation it was made in and
//! refuses, before it touches a lock, when the generation has changed.

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

static GENERATION: AtomicU64 = AtomicU64::new(1);

/// How often this process has been forked off, as a number that differs between parent and child.
/// Costs one load.
#[inline]
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Relaxed)
}

/// Starts watching for forks; called by whatever remembers a generation. Gives the present one.
pub fn watch_forks() -> u64 {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: the handler only adds to an atomic. It can fail for want of memory only; then a
        // child is not told apart from its parent, as without this call.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
    generation()
}

unsafe extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// The kernel's number of the calling thread.
pub fn thread_number() -> i32 {
    // SAFETY: no arguments; never fails.
    unsafe { libc::gettid() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::testing::in_child;

    #[test]
    fn generation_in_a_child_differs_from_the_parents() {
        let before = watch_forks();
        assert_eq!(in_child(move || i32::from(generation() == before)), Some(0));
        assert_eq!(generation(), before);
    }
}
