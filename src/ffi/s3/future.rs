//! The core of a C future: a result that comes later, from any thread, once.
//!
//! Callbacks are called with no lock held. Asking a future that is not done for its result is a
//! mistake of the caller; the reference ends the process there, this one raises
//! AWS_ERROR_INVALID_STATE.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering, fence};
use std::time::Duration;

use crate::base::sync::{Condvar, Mutex};
use crate::sys::clock;

use super::mem;
use crate::base::{Code, Error, Result};
use crate::ctypes::aws_allocator;
use crate::ffi::handle::UserData;
use crate::ffi::place;

/// What is called when a future is done.
pub type Done = unsafe extern "C" fn(user_data: *mut c_void);

/// Where it is called.
pub enum Place {
    /// On the thread that completes the future, or at once where it is done already.
    Inline,
    /// On another thread: hands a job over, and says whether somebody will run it.
    Posted(Post),
}

/// Takes a job to another thread; false where that thread has ended.
pub type Post = Box<dyn FnOnce(Box<dyn FnOnce() + Send>) -> bool + Send>;

const TAG: u64 = u64::from_le_bytes(*b"s3f.futr");

/// A future whose result is one pointer.
#[repr(C)]
pub struct Future {
    tag: u64,
    refs: AtomicUsize,
    allocator: *mut aws_allocator,
    /// Gives back a result nobody took.
    discard: unsafe fn(*mut c_void),
    state: Mutex<State>,
    done: Condvar,
}

struct State {
    outcome: Outcome,
    callbacks: Vec<Callback>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Pending,
    Failed(i32),
    Ready(*mut c_void),
    Moved,
}

struct Callback {
    call: Done,
    user_data: UserData,
    place: Place,
}

// SAFETY: results move from the completing thread to the taking one; the allocator may be used on
// any thread by its own contract.
unsafe impl Send for Future {}
// SAFETY: all changes happen under the lock.
unsafe impl Sync for Future {}

impl Future {
    /// A future with one reference, in memory of `allocator`.
    ///
    /// # Safety
    /// `allocator` is NULL or a live allocator that outlives the future.
    pub unsafe fn create(
        allocator: *mut aws_allocator,
        discard: unsafe fn(*mut c_void),
    ) -> Result<NonNull<Future>> {
        let future = Future {
            tag: place::mark(TAG),
            refs: AtomicUsize::new(1),
            allocator,
            discard,
            state: Mutex::new(State { outcome: Outcome::Pending, callbacks: Vec::new() }),
            done: Condvar::new(),
        };
        // SAFETY: by the contract.
        unsafe { mem::put(allocator, future) }
    }

    /// The future behind a C handle; NULL and strangers give `None`.
    ///
    /// # Safety
    /// `handle` is NULL, a live future for `'a`, or a stranger's live object.
    pub unsafe fn view<'a>(handle: *const c_void) -> Option<&'a Future> {
        let future = handle.cast::<Future>();
        if future.is_null() {
            return None;
        }
        // SAFETY: by the contract the first word can be read.
        if !future.is_aligned() || unsafe { future.cast::<u64>().read() } != place::mark(TAG) {
            place::refuse("future", handle.addr());
            return None;
        }
        // SAFETY: the tag says that it is ours.
        Some(unsafe { &*future })
    }

    pub fn acquire(&self) {
        self.refs.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives up one reference; the last one gives back a result nobody took.
    ///
    /// # Safety
    /// `this` came from [`create`](Self::create) and the caller owns the reference.
    pub unsafe fn release(this: NonNull<Future>) {
        // SAFETY: the reference keeps it alive up to the decrement.
        if unsafe { this.as_ref() }.refs.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        // SAFETY: nobody else has a reference any more.
        let future = unsafe { mem::take(this.as_ref().allocator, this) };
        let discard = future.discard;
        let left = future.state.into_inner();
        if let Outcome::Ready(result) = left.outcome {
            // SAFETY: the result is ours to give back.
            unsafe { discard(result) };
        }
    }

    pub fn is_done(&self) -> bool {
        self.state.lock().outcome != Outcome::Pending
    }

    /// The error it ended with, 0 for a result.
    pub fn error(&self) -> Result<i32> {
        match self.state.lock().outcome {
            Outcome::Pending => Err(Error::new(Code::INVALID_STATE)),
            Outcome::Failed(code) => Ok(code),
            Outcome::Ready(_) | Outcome::Moved => Ok(0),
        }
    }

    /// The result, which stays the future's.
    pub fn peek(&self) -> Result<*mut c_void> {
        match self.state.lock().outcome {
            Outcome::Ready(result) => Ok(result),
            _ => Err(Error::new(Code::INVALID_STATE)),
        }
    }

    /// The result, which is the caller's from now on.
    pub fn take(&self) -> Result<*mut c_void> {
        let mut state = self.state.lock();
        match state.outcome {
            Outcome::Ready(result) => {
                state.outcome = Outcome::Moved;
                Ok(result)
            }
            _ => Err(Error::new(Code::INVALID_STATE)),
        }
    }

    /// Ends it with a result; a second one is given back.
    ///
    /// # Safety
    /// `result` is owned by the caller, and now by the future.
    pub unsafe fn succeed(&self, result: *mut c_void) {
        if !self.finish(Outcome::Ready(result)) {
            // SAFETY: by the contract nobody else owns it.
            unsafe { (self.discard)(result) };
        }
    }

    /// Ends it with an error; ignored where it has ended.
    pub fn fail(&self, code: i32) {
        let code = if code == 0 { Code::UNKNOWN.0 } else { code };
        self.finish(Outcome::Failed(code));
    }

    fn finish(&self, outcome: Outcome) -> bool {
        let mut state = self.state.lock();
        if state.outcome != Outcome::Pending {
            return false;
        }
        state.outcome = outcome;
        let callbacks = std::mem::take(&mut state.callbacks);
        self.done.notify_all();
        drop(state);
        callbacks.into_iter().for_each(Callback::run);
        true
    }

    /// Calls `call` when done; at once where it is done already and `even_if_done`. Returns whether
    /// it was or will be called.
    pub fn on_done(
        &self,
        call: Done,
        user_data: *mut c_void,
        place: Place,
        even_if_done: bool,
    ) -> bool {
        let callback = Callback { call, user_data: UserData(user_data), place };
        let mut state = self.state.lock();
        if state.outcome == Outcome::Pending {
            state.callbacks.push(callback);
            return true;
        }
        drop(state);
        if even_if_done {
            callback.run();
        }
        even_if_done
    }

    /// Blocks until it is done or the time is over; returns whether it is done.
    pub fn wait(&self, timeout_ns: u64) -> bool {
        // Far enough in the future for every clock.
        let longest = Duration::from_secs(10 * 365 * 24 * 3600);
        let until = clock::now().after(Duration::from_nanos(timeout_ns).min(longest));
        let mut state = self.state.lock();
        while state.outcome == Outcome::Pending {
            let left = until.since(clock::now());
            if left.is_zero() {
                break;
            }
            self.done.wait_for(&mut state, left);
        }
        state.outcome != Outcome::Pending
    }
}

impl Callback {
    fn run(self) {
        let Callback { call, user_data, place } = self;
        match place {
            // SAFETY: whoever registered the pair keeps it valid until the call.
            Place::Inline => unsafe { call(user_data.0) },
            Place::Posted(post) => {
                let posted = post(Box::new(move || {
                    let user_data = user_data;
                    // SAFETY: as above.
                    unsafe { call(user_data.0) };
                }));
                if !posted {
                    // The thread has ended; the callback is owed all the same.
                    // SAFETY: as above.
                    unsafe { call(user_data.0) };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use std::sync::atomic::AtomicU32;

    unsafe fn discard(result: *mut c_void) {
        // SAFETY: results of these tests are counters.
        unsafe { (*result.cast::<AtomicU32>()).fetch_add(1, Ordering::SeqCst) };
    }

    unsafe extern "C" fn count(user_data: *mut c_void) {
        // SAFETY: user data of these tests are counters.
        unsafe { (*user_data.cast::<AtomicU32>()).fetch_add(1, Ordering::SeqCst) };
    }

    fn new() -> NonNull<Future> {
        // SAFETY: the default allocator lives for ever.
        unsafe { Future::create(default_allocator(), discard) }.expect("memory")
    }

    fn raw(n: &AtomicU32) -> *mut c_void {
        (n as *const AtomicU32).cast_mut().cast()
    }

    #[test]
    fn result_nobody_took_is_given_back_with_the_last_reference() {
        let gone = AtomicU32::new(0);
        let f = new();
        // SAFETY: two references, given up below.
        unsafe {
            f.as_ref().acquire();
            f.as_ref().succeed(raw(&gone));
            Future::release(f);
            assert_eq!(gone.load(Ordering::SeqCst), 0);
            assert_eq!(f.as_ref().peek(), Ok(raw(&gone)));
            Future::release(f);
        }
        assert_eq!(gone.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn second_completion_is_ignored_and_its_result_given_back() {
        let (first, second) = (AtomicU32::new(0), AtomicU32::new(0));
        let f = new();
        // SAFETY: one reference, given up below.
        unsafe {
            f.as_ref().succeed(raw(&first));
            f.as_ref().succeed(raw(&second));
            f.as_ref().fail(7);
            assert_eq!(f.as_ref().error(), Ok(0));
            assert_eq!(f.as_ref().take(), Ok(raw(&first)));
            assert_eq!(f.as_ref().take(), Err(Error::new(Code::INVALID_STATE)));
            Future::release(f);
        }
        assert_eq!((first.into_inner(), second.into_inner()), (0, 1));
    }

    #[test]
    fn callback_comes_once_before_or_after_completion() {
        let calls = AtomicU32::new(0);
        let f = new();
        // SAFETY: one reference, given up below.
        unsafe {
            let future = f.as_ref();
            assert!(future.on_done(count, raw(&calls), Place::Inline, false));
            assert_eq!(calls.load(Ordering::SeqCst), 0);
            future.fail(0);
            assert_eq!(calls.load(Ordering::SeqCst), 1);
            assert_eq!(future.error(), Ok(Code::UNKNOWN.0));
            assert!(!future.on_done(count, raw(&calls), Place::Inline, false));
            assert!(future.on_done(count, raw(&calls), Place::Inline, true));
            Future::release(f);
        }
        assert_eq!(calls.into_inner(), 2);
    }

    #[test]
    fn wait_ends_with_the_completion_or_the_time() {
        let f = new();
        // SAFETY: two references, one for each thread.
        unsafe {
            assert!(!f.as_ref().wait(1_000_000));
            f.as_ref().acquire();
            let address = f.as_ptr() as usize;
            let t = std::thread::spawn(move || {
                let f = NonNull::new(address as *mut Future).expect("a live future");
                f.as_ref().fail(3);
                Future::release(f);
            });
            assert!(f.as_ref().wait(u64::MAX));
            assert_eq!(f.as_ref().error(), Ok(3));
            t.join().expect("the thread ends");
            Future::release(f);
        }
    }
}
