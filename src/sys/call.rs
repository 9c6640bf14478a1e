//! The one macro that makes system calls, and the failure it gives.

use crate::base::{Code, Error};

/// A failed system call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    pub call: &'static str,
    pub errno: i32,
}

/// Makes a libc call that says -1 on failure, again and again while it is interrupted. `once`
/// leaves EINTR to the caller (close, connect). The caller writes the `unsafe` block and says why.
macro_rules! syscall {
    (once $name:ident($($arg:expr),* $(,)?)) => {{
        let r = libc::$name($($arg),*);
        if r == -1 {
            Err($crate::sys::Failure { call: stringify!($name), errno: $crate::sys::call::errno() })
        } else {
            Ok(r)
        }
    }};
    ($name:ident($($arg:expr),* $(,)?)) => {
        loop {
            match syscall!(once $name($($arg),*)) {
                Err(f) if f.errno == libc::EINTR => continue,
                other => break other,
            }
        }
    };
}

#[inline]
pub(in crate::sys) fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

impl Failure {
    pub const fn new(call: &'static str, errno: i32) -> Failure {
        Failure { call, errno }
    }

    pub fn would_block(self) -> bool {
        self.errno == libc::EAGAIN || self.errno == libc::EWOULDBLOCK
    }

    /// As an error of a socket. The numbers are those a caller of aws-c-io sees for the same errno.
    #[cold]
    pub fn socket(self) -> Error {
        let code = match self.errno {
            libc::ECONNREFUSED => Code::IO_SOCKET_CONNECTION_REFUSED,
            libc::ECONNRESET | libc::EPIPE | libc::ESHUTDOWN => Code::IO_SOCKET_CLOSED,
            libc::ETIMEDOUT => Code::IO_SOCKET_TIMEOUT,
            libc::EHOSTUNREACH | libc::ENETUNREACH => Code::IO_SOCKET_NO_ROUTE_TO_HOST,
            libc::EADDRNOTAVAIL => Code::IO_SOCKET_INVALID_ADDRESS,
            libc::ENETDOWN => Code::IO_SOCKET_NETWORK_DOWN,
            libc::ECONNABORTED => Code::IO_SOCKET_CONNECT_ABORTED,
            libc::EADDRINUSE => Code::IO_SOCKET_ADDRESS_IN_USE,
            libc::ENOBUFS | libc::ENOMEM => Code::OOM,
            libc::EAGAIN => Code::IO_READ_WOULD_BLOCK,
            libc::EMFILE | libc::ENFILE => Code::MAX_FDS_EXCEEDED,
            libc::EAFNOSUPPORT => Code::IO_SOCKET_UNSUPPORTED_ADDRESS_FAMILY,
            libc::EACCES | libc::EPERM => Code::NO_PERMISSION,
            _ => Code::IO_SOCKET_NOT_CONNECTED,
        };
        Error::os(code, self.call, self.errno)
    }

    /// As an error of a file; `otherwise` where the errno has no code of its own.
    #[cold]
    pub fn file(self, otherwise: Code) -> Error {
        let code = match self.errno {
            libc::EPERM | libc::EACCES => Code::NO_PERMISSION,
            libc::EISDIR | libc::ENAMETOOLONG | libc::ENOENT | libc::ENOTDIR => {
                Code::FILE_INVALID_PATH
            }
            libc::EMFILE | libc::ENFILE => Code::MAX_FDS_EXCEEDED,
            libc::ENOMEM => Code::OOM,
            libc::ENOSPC | libc::EDQUOT => Code::NO_SPACE,
            libc::ENOTEMPTY => Code::DIRECTORY_NOT_EMPTY,
            _ => otherwise,
        };
        Error::os(code, self.call, self.errno)
    }

    /// As an error of anything else.
    #[cold]
    pub fn other(self) -> Error {
        self.file(Code::SYS_CALL_FAILURE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_keeps_call_and_errno_in_the_error() {
        let e = Failure::new("recv", libc::ECONNRESET).socket();
        assert_eq!(e, Error::os(Code::IO_SOCKET_CLOSED, "recv", libc::ECONNRESET));
        let e = Failure::new("pwrite", libc::EIO).file(Code::FILE_WRITE_FAILURE);
        assert_eq!(e, Error::os(Code::FILE_WRITE_FAILURE, "pwrite", libc::EIO));
        assert_eq!(Failure::new("openat", libc::EMFILE).other().code, Code::MAX_FDS_EXCEEDED);
    }

    #[test]
    fn syscall_failure_names_the_call() {
        // SAFETY: an invalid descriptor is answered with EBADF.
        let r = unsafe { syscall!(fsync(-1)) };
        assert_eq!(r, Err(Failure::new("fsync", libc::EBADF)));
    }
}
