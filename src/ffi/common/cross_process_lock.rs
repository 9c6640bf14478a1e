//! `aws/common/cross_process_lock.h`: one holder among all processes of this machine.
//!
//! The lock is an advisory one on a file named after it, so that it ends with its process.

use std::ffi::CString;

use crate::base::{Code, Error};
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::ffi::place::{Placed, Tagged};
use crate::ffi::raise::{raise_error, raise_null};
use crate::log;

/// A lock that is held.
#[repr(C)]
pub struct aws_cross_process_lock {
    _private: [u8; 0],
}

/// What stands behind the handle: the open file.
struct Held(i32);

// SAFETY: every pointer of this C type comes from `Placed::make` of this type.
unsafe impl Tagged for Held {
    type C = aws_cross_process_lock;
    const NAME: &'static str = "aws_cross_process_lock";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.lock");
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: our descriptor, closed once.
        unsafe { libc::close(self.0) };
    }
}

const FOLDER: &str = "/tmp/aws_crt_cross_process_lock/";

/// Tries to take the lock called `instance_nonce`; does not wait.
///
/// `allocator`: borrowed, must outlive the lock. `instance_nonce`: a name without slashes, borrowed
/// for the call.
/// Returns NULL with AWS_ERROR_MUTEX_CALLER_NOT_OWNER where somebody holds it,
/// AWS_ERROR_INVALID_ARGUMENT for a bad name, or what opening the file raised. Given back with
/// aws_cross_process_lock_release(), or by the end of the process. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_cross_process_lock_try_acquire(
    allocator: *mut aws_allocator,
    instance_nonce: aws_byte_cursor,
) -> *mut aws_cross_process_lock {
    ffi_fn!({
        // SAFETY: by the argument rules.
        let name = match unsafe { instance_nonce.bytes() } {
            Some(name) if !name.contains(&b'/') && !allocator.is_null() => name,
            _ => return raise_null(Code::INVALID_ARGUMENT),
        };
        let path = [FOLDER.as_bytes(), name, b".lock"].concat();
        let Ok(path) = CString::new(path) else { return raise_null(Code::INVALID_ARGUMENT) };
        let fd = match open_locked(&path) {
            Ok(fd) => fd,
            Err(error) => {
                raise_error(error);
                return std::ptr::null_mut();
            }
        };
        // SAFETY: by the argument rules.
        ok!(unsafe { Placed::make(allocator, Held(fd)) })
    })
}

fn open_locked(path: &CString) -> Result<i32, Error> {
    // Another user's process may have made the folder; then this fails, and that is fine.
    if std::fs::create_dir(FOLDER).is_ok() {
        use std::os::unix::fs::PermissionsExt;
        let _ = std::fs::set_permissions(FOLDER, std::fs::Permissions::from_mode(0o777));
    }
    let flags = libc::O_CREAT | libc::O_RDWR | libc::O_CLOEXEC;
    // SAFETY: a C string.
    let mut fd = unsafe { libc::open(path.as_ptr(), flags, 0o666) };
    if fd < 0 && matches!(errno(), libc::EACCES | libc::EPERM) {
        // Another user's file: a lock needs no right to write.
        // SAFETY: a C string.
        fd = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    }
    if fd < 0 {
        return Err(super::file::io_error("open", errno(), Code::MUTEX_FAILED));
    }
    // SAFETY: an open descriptor.
    if unsafe { libc::flock(fd, libc::LOCK_EX | libc::LOCK_NB) } != 0 {
        let errno = errno();
        // SAFETY: our descriptor, closed once.
        unsafe { libc::close(fd) };
        log!(CommonGeneral, Trace, 0, "lock file {path:?} is held by somebody else");
        return Err(Error::os(Code::MUTEX_CALLER_NOT_OWNER, "flock", errno));
    }
    Ok(fd)
}

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Gives a lock back; NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_cross_process_lock_release(
    instance_lock: *mut aws_cross_process_lock,
) {
    ffi_fn!({
        // SAFETY: NULL, or a lock of the caller's, given back once.
        drop(unsafe { Placed::<Held>::release(instance_lock) });
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::raise::last_error;
    use std::ptr::null_mut;

    #[test]
    fn lock_is_held_by_one_at_a_time() {
        let name = format!("s3fast-test-{}", std::process::id());
        let name = aws_byte_cursor::of(name.as_bytes());
        let a = default_allocator();
        // SAFETY: locks are released once.
        unsafe {
            let first = aws_cross_process_lock_try_acquire(a, name);
            assert!(!first.is_null());
            assert!(aws_cross_process_lock_try_acquire(a, name).is_null());
            assert_eq!(last_error(), Code::MUTEX_CALLER_NOT_OWNER.0);
            aws_cross_process_lock_release(first);
            let again = aws_cross_process_lock_try_acquire(a, name);
            assert!(!again.is_null());
            aws_cross_process_lock_release(again);
            aws_cross_process_lock_release(null_mut());
        }
        let _ = std::fs::remove_file(format!("{FOLDER}s3fast-test-{}.lock", std::process::id()));
    }

    #[test]
    fn bad_names_are_invalid() {
        let a = default_allocator();
        // SAFETY: nothing is taken.
        unsafe {
            for name in [&b"a/b"[..], b"a\0b"] {
                let name = aws_byte_cursor::of(name);
                assert!(aws_cross_process_lock_try_acquire(a, name).is_null());
                assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
            }
            let null = aws_byte_cursor { len: 1, ptr: null_mut() };
            assert!(aws_cross_process_lock_try_acquire(a, null).is_null());
            let good = aws_byte_cursor::of(b"x");
            assert!(aws_cross_process_lock_try_acquire(null_mut(), good).is_null());
        }
    }
}
