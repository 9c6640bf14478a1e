//! `aws/common/thread.h`: what C programs ask about threads. All threads start in `sys::thread`.

use std::ffi::{CStr, c_char, c_int};
use std::sync::atomic::{AtomicU64, Ordering};

use super::string;
use crate::base::{Code, Duration};
use crate::ctypes::{aws_allocator, aws_byte_cursor, aws_string};
pub use crate::ctypes::{
    aws_thread, aws_thread_detach_state, aws_thread_id_t, aws_thread_join_strategy,
    aws_thread_once, aws_thread_options,
};
use crate::ffi::raise::{AWS_OP_ERR, AWS_OP_SUCCESS, raise};
use crate::log;
use crate::sys::thread;

struct Shared(aws_thread_options);

// SAFETY: never written, and its cursor is empty.
unsafe impl Sync for Shared {}

static DEFAULT: Shared = Shared(aws_thread_options {
    stack_size: 0,
    cpu_id: -1,
    join_strategy: aws_thread_join_strategy::AWS_TJS_MANUAL,
    name: aws_byte_cursor::EMPTY,
});

/// What a thread called at its end does.
pub type aws_thread_atexit_fn = Option<unsafe extern "C" fn(user_data: *mut std::ffi::c_void)>;

/// Options of a thread of which nothing special is wanted.
///
/// Never NULL, lives for ever, not to be changed. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_default_thread_options() -> *const aws_thread_options {
    ffi_fn!({ &raw const DEFAULT.0 })
}

/// The options of C as those of the thread launcher.
///
/// # Safety
/// `options` is NULL or live, its name readable.
pub(crate) unsafe fn options_of(
    options: *const aws_thread_options,
) -> Result<thread::Options, Code> {
    // SAFETY: by the contract.
    let options = unsafe { options.as_ref() }.unwrap_or(&DEFAULT.0);
    // SAFETY: by the contract.
    let name = unsafe { options.name.bytes() }.ok_or(Code::INVALID_ARGUMENT)?;
    Ok(thread::Options {
        name: String::from_utf8_lossy(name).into_owned(),
        stack: options.stack_size,
        cpu: u32::try_from(options.cpu_id).ok(),
        ..thread::Options::default()
    })
}

/// How long aws_thread_join_all_managed() waits, in nanoseconds; 0 = for ever.
static TIMEOUT: AtomicU64 = AtomicU64::new(0);

/// Limits how long aws_thread_join_all_managed() waits.
///
/// `timeout_in_ns`: nanoseconds; 0, as at the beginning, is for ever. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_set_managed_join_timeout_ns(timeout_in_ns: u64) {
    ffi_fn!({ TIMEOUT.store(timeout_in_ns, Ordering::Relaxed) })
}

/// Waits until all threads are gone that the library joins by itself, such as those of an event loop
/// group that has been released.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR when the time of aws_thread_set_managed_join_timeout_ns() is
/// over. Not to be called on such a thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_join_all_managed() -> c_int {
    ffi_fn!({ if join_managed() { AWS_OP_SUCCESS } else { AWS_OP_ERR } })
}

pub(crate) fn join_managed() -> bool {
    let timeout = match TIMEOUT.load(Ordering::Relaxed) {
        0 => None,
        ns => Some(Duration::from_nanos(ns)),
    };
    let done = thread::join_managed(timeout);
    if !done {
        let left = thread::managed_count();
        log!(CommonThread, Error, 0, "{left} managed threads have not ended in time");
    }
    done
}

/// The name of the calling thread, as the system has it.
///
/// `allocator`: for the result, borrowed. `out_name`: written: to be freed with aws_string_destroy().
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_SYS_CALL_FAILURE, AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_current_name(
    allocator: *mut aws_allocator,
    out_name: *mut *mut aws_string,
) -> c_int {
    ffi_fn!({
        let mut name: [c_char; 64] = [0; 64];
        // SAFETY: the array has the size given; the result ends with a zero.
        unsafe {
            let out = arg!(mut out_name);
            let size = name.len();
            if libc::pthread_getname_np(libc::pthread_self(), name.as_mut_ptr(), size) != 0 {
                return raise(Code::SYS_CALL_FAILURE);
            }
            let made = string::give(allocator, CStr::from_ptr(name.as_ptr()).to_bytes());
            if made.is_null() {
                return AWS_OP_ERR;
            }
            *out = made;
        }
        AWS_OP_SUCCESS
    })
}

/// The system's number of the calling thread. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_current_thread_id() -> aws_thread_id_t {
    // SAFETY: no requirement.
    ffi_fn!({ unsafe { libc::pthread_self() } })
}

/// Sleeps at least so many nanoseconds. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_thread_current_sleep(nanos: u64) {
    ffi_fn!({ thread::sleep(Duration::from_nanos(nanos)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::alloc::tests::counting;
    use crate::ctypes::default_allocator;
    use std::ptr::{null, null_mut};

    #[test]
    fn current_name_is_that_of_the_system() {
        let options =
            thread::Options { name: "a name too long for it".into(), ..Default::default() };
        let body = || {
            let mut name = null_mut();
            // SAFETY: the string is destroyed once.
            unsafe {
                assert_eq!(aws_thread_current_name(default_allocator(), &mut name), 0);
                assert_eq!(aws_string::text(name), Some(&b"a name too long"[..]));
                aws_string::destroy(name);
                assert_eq!(aws_thread_current_name(counting(0), &mut name), -1);
                assert_eq!(aws_thread_current_name(default_allocator(), null_mut()), -1);
            }
        };
        thread::launch_fn(&options, body).expect("a thread").join().expect("no panic");
    }

    #[test]
    fn options_of_c_keep_name_stack_and_cpu() {
        let options = aws_thread_options {
            stack_size: 1 << 20,
            cpu_id: 3,
            join_strategy: aws_thread_join_strategy::AWS_TJS_MANUAL,
            name: aws_byte_cursor::of(b"x"),
        };
        let bad =
            aws_thread_options { name: aws_byte_cursor { len: 1, ptr: null_mut() }, ..options };
        // SAFETY: live options, or NULL.
        unsafe {
            let kept = options_of(&options).expect("valid");
            assert_eq!((kept.name.as_str(), kept.stack, kept.cpu), ("x", 1 << 20, Some(3)));
            assert_eq!(options_of(null()).expect("valid").cpu, None);
            assert_eq!(options_of(&bad).err(), Some(Code::INVALID_ARGUMENT));
            assert_eq!((*aws_default_thread_options()).cpu_id, -1);
        }
    }
}
