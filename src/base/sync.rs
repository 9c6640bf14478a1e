//! Locks that survive a fork. They are the standard library's, which are a word in memory each.
//! (Locks that keep their waiters in a table of the process are not safe here: in a forked child
//! that table still holds the parent's threads, and a lock made anew at one of their addresses
//! meets them.)
//!
//! No poison: a panic is caught at the top of its loop or job, and what it leaves behind must be
//! able to stand half a change anyway.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::sync::TryLockError;

use super::Duration;

#[derive(Default)]
pub struct Mutex<T: ?Sized> {
    inner: std::sync::Mutex<T>,
}

/// Locked until it is dropped.
pub struct MutexGuard<'a, T: ?Sized> {
    /// Away only inside a wait.
    inner: Option<std::sync::MutexGuard<'a, T>>,
}

#[derive(Default)]
pub struct Condvar {
    inner: std::sync::Condvar,
}

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex { inner: std::sync::Mutex::new(value) }
    }

    pub fn into_inner(self) -> T {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Mutex<T> {
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        MutexGuard { inner: Some(inner) }
    }

    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.inner.try_lock() {
            Ok(inner) => Some(MutexGuard { inner: Some(inner) }),
            Err(TryLockError::Poisoned(p)) => Some(MutexGuard { inner: Some(p.into_inner()) }),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        self.inner.as_ref().expect("the guard is away only inside a wait")
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.inner.as_mut().expect("the guard is away only inside a wait")
    }
}

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar { inner: std::sync::Condvar::new() }
    }

    /// May end without a reason: look again at what is waited for.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        if let Some(inner) = guard.inner.take() {
            guard.inner = Some(self.inner.wait(inner).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Says whether the time is over.
    pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, most: Duration) -> bool {
        let Some(inner) = guard.inner.take() else { return false };
        let waited = self.inner.wait_timeout(inner, most).unwrap_or_else(PoisonError::into_inner);
        guard.inner = Some(waited.0);
        waited.1.timed_out()
    }

    pub fn notify_one(&self) {
        self.inner.notify_one();
    }

    pub fn notify_all(&self) {
        self.inner.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn lock_is_usable_after_a_panic_under_it() {
        let lock = Arc::new(Mutex::new(1));
        let inner = lock.clone();
        let panicked = std::thread::spawn(move || {
            let _held = inner.lock();
            panic!("planted");
        });
        assert!(panicked.join().is_err());
        *lock.lock() += 1;
        assert_eq!(*lock.try_lock().unwrap(), 2);
        let _held = lock.lock();
        assert!(lock.try_lock().is_none());
    }

    #[test]
    fn wait_ends_with_its_time_or_with_a_call() {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let mut guard = pair.0.lock();
        assert!(pair.1.wait_for(&mut guard, Duration::from_millis(1)));
        let inner = pair.clone();
        let caller = std::thread::spawn(move || {
            *inner.0.lock() = true;
            inner.1.notify_all();
        });
        while !*guard {
            pair.1.wait(&mut guard);
        }
        drop(guard);
        caller.join().unwrap();
    }
}
