//! The lock and the condition of the hand-over: the real ones, or loom's when it explores every
//! interleaving of them.

#[cfg(not(loom))]
pub(super) use crate::base::sync::{Condvar, Mutex};

#[cfg(loom)]
pub(super) use explored::{Condvar, Mutex};

/// Loom's, in the shape of ours.
#[cfg(loom)]
mod explored {
    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);
    pub(crate) struct Condvar(loom::sync::Condvar);
    /// Away only inside a wait.
    pub(crate) struct MutexGuard<'a, T>(Option<loom::sync::MutexGuard<'a, T>>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Mutex<T> {
            Mutex(loom::sync::Mutex::new(value))
        }
        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            MutexGuard(self.0.lock().ok())
        }
    }

    impl<T> std::ops::Deref for MutexGuard<'_, T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.0.as_ref().expect("the guard is away only inside a wait")
        }
    }

    impl<T> std::ops::DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.0.as_mut().expect("the guard is away only inside a wait")
        }
    }

    impl Condvar {
        pub(crate) fn new() -> Condvar {
            Condvar(loom::sync::Condvar::new())
        }
        pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
            if let Some(inner) = guard.0.take() {
                guard.0 = self.0.wait(inner).ok();
            }
        }
        pub(crate) fn notify_one(&self) {
            self.0.notify_one();
        }
        pub(crate) fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}
