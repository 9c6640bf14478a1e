//! Non-blocking TCP sockets. `Ok(None)` means "would wait"; a socket never waits and never raises
//! SIGPIPE.

use std::io::IoSlice;
use std::mem::size_of;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::File;
use super::hooks::{Call, check_bare};
use super::{Failure, thread};
use crate::base::{Error, Result};

/// How far a connect has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConnectState {
    /// The socket tells readiness to write when it is decided; then ask `finish_connect`.
    Pending,
    Connected,
}

pub struct Socket {
    fd: OwnedFd,
}

impl Socket {
    /// A new non-blocking TCP socket for addresses of this family, with TCP_NODELAY.
    pub fn open(address: &SocketAddr) -> Result<Socket> {
        let family = if address.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
        let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        // SAFETY: no pointers; the new descriptor is ours alone.
        let fd = unsafe {
            let fd = syscall!(socket(family, kind, 0)).map_err(|f| f.socket())?;
            OwnedFd::from_raw_fd(fd)
        };
        let socket = Socket { fd };
        socket.set(libc::IPPROTO_TCP, libc::TCP_NODELAY, &1i32)?;
        Ok(socket)
    }

    /// Starts to connect (options that must come before, such as buffer sizes, have been set).
    pub fn start_connect(&self, address: &SocketAddr) -> Result<ConnectState> {
        check_bare(Call::Connect, "connect", 0).map_err(|f| f.socket())?;
        let fd = self.fd.as_raw_fd();
        let r = match address {
            SocketAddr::V4(a) => {
                // SAFETY: plain old data; zero is valid.
                let mut s: libc::sockaddr_in = unsafe { std::mem::zeroed() };
                s.sin_family = libc::AF_INET as libc::sa_family_t;
                s.sin_port = a.port().to_be();
                s.sin_addr.s_addr = u32::from(*a.ip()).to_be();
                // SAFETY: `s` is a socket address of the length given.
                unsafe { syscall!(once connect(fd, (&raw const s).cast(), size_of_val(&s) as u32)) }
            }
            SocketAddr::V6(a) => {
                // SAFETY: plain old data; zero is valid.
                let mut s: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
                s.sin6_family = libc::AF_INET6 as libc::sa_family_t;
                s.sin6_port = a.port().to_be();
                s.sin6_addr.s6_addr = a.ip().octets();
                s.sin6_flowinfo = a.flowinfo();
                s.sin6_scope_id = a.scope_id();
                // SAFETY: as above.
                unsafe { syscall!(once connect(fd, (&raw const s).cast(), size_of_val(&s) as u32)) }
            }
        };
        match r {
            Ok(_) => Ok(ConnectState::Connected),
            // An interrupted connect goes on by itself: asking again would say EALREADY.
            Err(f) if matches!(f.errno, libc::EINPROGRESS | libc::EINTR) => {
                Ok(ConnectState::Pending)
            }
            Err(f) => Err(f.socket()),
        }
    }

    /// The result of a pending connect.
    pub fn finish_connect(&self) -> Result<ConnectState> {
        let errno: i32 = self.get(libc::SOL_SOCKET, libc::SO_ERROR)?;
        if errno != 0 {
            return Err(Failure::new("connect", errno).socket());
        }
        // No error may also mean "not decided yet": a peer's address exists only when connected.
        match self.address("getpeername", libc::getpeername) {
            Ok(_) => Ok(ConnectState::Connected),
            Err(f) if f.errno == libc::ENOTCONN => Ok(ConnectState::Pending),
            Err(f) => Err(f.socket()),
        }
    }

    /// `Some(0)`: the peer has ended its direction.
    #[inline]
    pub fn recv(&self, into: &mut [u8]) -> Result<Option<usize>> {
        let r = check_bare(Call::Recv, "recv", into.len()).and_then(|len| {
            // SAFETY: `into` has room for `len` bytes.
            unsafe { syscall!(recv(self.fd.as_raw_fd(), into.as_mut_ptr().cast(), len, 0)) }
        });
        transferred(r)
    }

    #[inline]
    pub fn send(&self, bytes: &[u8]) -> Result<Option<usize>> {
        self.send_flags(bytes, 0)
    }

    /// As `send`, with more to come at once: the kernel may wait to fill a segment.
    pub fn send_more(&self, bytes: &[u8]) -> Result<Option<usize>> {
        self.send_flags(bytes, libc::MSG_MORE)
    }

    fn send_flags(&self, bytes: &[u8], flags: i32) -> Result<Option<usize>> {
        let r = check_bare(Call::Send, "send", bytes.len()).and_then(|len| {
            let (fd, flags) = (self.fd.as_raw_fd(), flags | libc::MSG_NOSIGNAL);
            // SAFETY: `bytes` holds `len` bytes.
            unsafe { syscall!(send(fd, bytes.as_ptr().cast(), len, flags)) }
        });
        transferred(r)
    }

    /// Sends several slices, in order, in one call.
    pub fn sendmsg(&self, slices: &[IoSlice<'_>]) -> Result<Option<usize>> {
        let len = slices.iter().map(|s| s.len()).sum();
        let short = check_bare(Call::Send, "sendmsg", len);
        if let Ok(n) = short
            && n < len
        {
            // A hook wants a short send: the first slice alone is one.
            let first = slices.first().map_or(&[][..], |s| &s[..]);
            return self.send_flags(&first[..n.min(first.len())], 0);
        }
        let r = short.and_then(|_| {
            // SAFETY: plain old data; zero is an empty message.
            let mut m: libc::msghdr = unsafe { std::mem::zeroed() };
            m.msg_iov = slices.as_ptr().cast_mut().cast();
            m.msg_iovlen = slices.len().min(IOV_MAX) as _;
            // SAFETY: IoSlice has the layout of iovec; the kernel only reads it and the slices.
            unsafe { syscall!(sendmsg(self.fd.as_raw_fd(), &m, libc::MSG_NOSIGNAL)) }
        });
        transferred(r)
    }

    /// Sends a part of a file without a copy in user space; `Some(0)` at the file's end. Waits for
    /// the disk where the bytes are not in memory.
    pub fn sendfile(&self, file: &File, offset: u64, len: usize) -> Result<Option<usize>> {
        let r = check_bare(Call::Send, "sendfile", len).and_then(|len| {
            let mut at = offset as libc::off64_t;
            let (to, from) = (self.fd.as_raw_fd(), file.as_raw_fd());
            // The one way to send that has no MSG_NOSIGNAL.
            thread::without_sigpipe(|| {
                // SAFETY: `at` is a valid place for the offset.
                unsafe { syscall!(sendfile64(to, from, &mut at, len)) }
            })
        });
        transferred(r)
    }

    /// Ends both directions.
    pub fn shutdown(&self) -> Result<()> {
        // SAFETY: no pointers.
        let r = unsafe { syscall!(shutdown(self.fd.as_raw_fd(), libc::SHUT_RDWR)) };
        r.map_err(|f| f.socket()).map(drop)
    }

    /// TCP keep-alive in seconds and probes; 0 leaves a value as the system has it.
    pub fn set_keep_alive(&self, idle_s: u32, interval_s: u32, probes: u32) -> Result<()> {
        self.set(libc::SOL_SOCKET, libc::SO_KEEPALIVE, &1i32)?;
        let options = [
            (libc::TCP_KEEPIDLE, idle_s),
            (libc::TCP_KEEPINTVL, interval_s),
            (libc::TCP_KEEPCNT, probes),
        ];
        for (name, value) in options {
            if value > 0 {
                self.set(libc::IPPROTO_TCP, name, &i32::try_from(value).unwrap_or(i32::MAX))?;
            }
        }
        Ok(())
    }

    /// SO_RCVBUF; the kernel doubles the number and no longer grows the buffer by itself.
    pub fn set_receive_buffer(&self, bytes: usize) -> Result<()> {
        self.set(libc::SOL_SOCKET, libc::SO_RCVBUF, &i32::try_from(bytes).unwrap_or(i32::MAX))
    }

    pub fn receive_buffer(&self) -> Result<usize> {
        self.get::<i32>(libc::SOL_SOCKET, libc::SO_RCVBUF).map(|n| n.max(0) as usize)
    }

    /// Uses one network interface only (SO_BINDTODEVICE); before the connect.
    pub fn bind_to_interface(&self, name: &str) -> Result<()> {
        let (fd, len) = (self.fd.as_raw_fd(), name.len() as u32);
        let (level, option) = (libc::SOL_SOCKET, libc::SO_BINDTODEVICE);
        // SAFETY: the kernel reads `len` bytes of the name.
        let r = unsafe { syscall!(setsockopt(fd, level, option, name.as_ptr().cast(), len)) };
        r.map_err(|f| f.socket()).map(drop)
    }

    /// An error that the kernel has noted for the socket; reading it clears it.
    pub fn take_error(&self) -> Result<Option<Error>> {
        let errno: i32 = self.get(libc::SOL_SOCKET, libc::SO_ERROR)?;
        Ok((errno != 0).then(|| Failure::new("recv", errno).socket()))
    }

    pub fn peer(&self) -> Option<SocketAddr> {
        self.address("getpeername", libc::getpeername).ok().flatten()
    }

    pub fn local(&self) -> Option<SocketAddr> {
        self.address("getsockname", libc::getsockname).ok().flatten()
    }

    fn address(&self, call: &'static str, ask: AskAddress) -> Result2<Option<SocketAddr>> {
        // SAFETY: plain old data; zero is valid.
        let mut s: libc::sockaddr_storage = unsafe { std::mem::zeroed() };
        let mut len = size_of::<libc::sockaddr_storage>() as libc::socklen_t;
        // SAFETY: `s` has room for `len` bytes.
        let r = unsafe { ask(self.fd.as_raw_fd(), (&raw mut s).cast(), &mut len) };
        if r != 0 {
            return Err(Failure::new(call, super::call::errno()));
        }
        Ok(match i32::from(s.ss_family) {
            libc::AF_INET => {
                // SAFETY: the family says what the storage holds, and it is large enough.
                let a = unsafe { (&raw const s).cast::<libc::sockaddr_in>().read() };
                let ip = std::net::Ipv4Addr::from(u32::from_be(a.sin_addr.s_addr));
                Some(SocketAddr::new(ip.into(), u16::from_be(a.sin_port)))
            }
            libc::AF_INET6 => {
                // SAFETY: as above.
                let a = unsafe { (&raw const s).cast::<libc::sockaddr_in6>().read() };
                let ip = std::net::Ipv6Addr::from(a.sin6_addr.s6_addr);
                Some(SocketAddr::new(ip.into(), u16::from_be(a.sin6_port)))
            }
            _ => None,
        })
    }

    fn set<T>(&self, level: i32, name: i32, value: &T) -> Result<()> {
        let (fd, at, len) =
            (self.fd.as_raw_fd(), (&raw const *value).cast(), size_of::<T>() as u32);
        // SAFETY: the kernel reads `len` bytes of `value`.
        let r = unsafe { syscall!(setsockopt(fd, level, name, at, len)) };
        r.map_err(|f| f.socket()).map(drop)
    }

    fn get<T: Default>(&self, level: i32, name: i32) -> Result<T> {
        let mut value = T::default();
        let mut len = size_of::<T>() as u32;
        let (fd, at) = (self.fd.as_raw_fd(), (&raw mut value).cast());
        // SAFETY: `value` has room for `len` bytes; every option read here is a plain integer.
        let r = unsafe { syscall!(getsockopt(fd, level, name, at, &mut len)) };
        r.map_err(|f| f.socket()).map(|_| value)
    }
}

type Result2<T> = std::result::Result<T, Failure>;
type AskAddress =
    unsafe extern "C" fn(libc::c_int, *mut libc::sockaddr, *mut libc::socklen_t) -> libc::c_int;

/// The kernel refuses more vectors in one call.
const IOV_MAX: usize = 1024;

#[inline]
fn transferred(r: Result2<isize>) -> Result<Option<usize>> {
    match r {
        Ok(n) => Ok(Some(n as usize)),
        Err(f) if f.would_block() => Ok(None),
        Err(f) => Err(f.socket()),
    }
}

impl AsRawFd for Socket {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Code;
    use crate::sys::FileMode;
    use crate::sys::testing::{eventually, in_child};
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    fn pair() -> (Socket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let socket = Socket::open(&address).unwrap();
        let state = socket.start_connect(&address).unwrap();
        let (peer, _) = listener.accept().unwrap();
        if state == ConnectState::Pending {
            assert!(eventually(5, || socket.finish_connect().unwrap() == ConnectState::Connected));
        }
        assert_eq!(socket.peer(), Some(address));
        assert_eq!(socket.local(), Some(peer.peer_addr().unwrap()));
        (socket, peer)
    }

    #[test]
    fn bytes_go_both_ways_and_an_end_is_seen() {
        let (socket, mut peer) = pair();
        let mut buf = [0; 64];
        assert_eq!(socket.recv(&mut buf).unwrap(), None);
        let slices = [IoSlice::new(b"hello "), IoSlice::new(b"world")];
        assert_eq!(socket.sendmsg(&slices).unwrap(), Some(11));
        peer.read_exact(&mut buf[..11]).unwrap();
        assert_eq!(&buf[..11], b"hello world");
        peer.write_all(b"back").unwrap();
        assert!(eventually(5, || socket.recv(&mut buf).unwrap() == Some(4)));
        drop(peer);
        assert!(eventually(5, || socket.recv(&mut buf).unwrap() == Some(0)));
    }

    #[test]
    fn refused_connect_names_the_call() {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let socket = Socket::open(&address).unwrap();
        let mut error = socket.start_connect(&address).err();
        assert!(eventually(5, || {
            error = error.or_else(|| socket.finish_connect().err());
            error.is_some()
        }));
        let error = error.unwrap();
        assert_eq!((error.code, error.call), (Code::IO_SOCKET_CONNECTION_REFUSED, "connect"));
    }

    #[test]
    fn sending_to_a_closed_peer_is_an_error_and_no_signal() {
        // In a child with the default disposition, as a C program has it (Rust's start ignores it).
        let status = in_child(|| {
            // SAFETY: the child's own disposition.
            unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
            let path = std::env::temp_dir().join(format!("s3fast-pipe-{}", std::process::id()));
            let out = File::open(&path, FileMode::CreateOrReplace).unwrap();
            out.pwrite_all(&[1; 4096], 0).unwrap();
            let file = File::open(&path, FileMode::Read).unwrap();
            File::remove(&path).unwrap();
            let (socket, peer) = pair();
            drop(peer);
            let closed =
                |r: Result<Option<usize>>| r.is_err_and(|e| e.code == Code::IO_SOCKET_CLOSED);
            let all = eventually(5, || closed(socket.send(b"x")))
                && closed(socket.sendmsg(&[IoSlice::new(b"x")]))
                && closed(socket.sendfile(&file, 0, 100));
            if all { 0 } else { 1 }
        });
        assert_eq!(status, Some(0));
    }

    #[test]
    fn file_part_is_sent_without_a_copy() {
        let path = std::env::temp_dir().join(format!("s3fast-sendfile-{}", std::process::id()));
        let out = File::open(&path, FileMode::CreateOrReplace).unwrap();
        out.pwrite_all(b"0123456789", 0).unwrap();
        let file = File::open(&path, FileMode::Read).unwrap();
        let (socket, mut peer) = pair();
        assert_eq!(socket.sendfile(&file, 3, 4).unwrap(), Some(4));
        assert_eq!(socket.sendfile(&file, 10, 4).unwrap(), Some(0));
        let mut buf = [0; 4];
        peer.read_exact(&mut buf).unwrap();
        assert_eq!(&buf, b"3456");
        File::remove(&path).unwrap();
    }

    #[test]
    fn options_reach_the_kernel() {
        let (socket, _peer) = pair();
        socket.set_keep_alive(10, 5, 3).unwrap();
        socket.set_receive_buffer(65536).unwrap();
        assert!(socket.receive_buffer().unwrap() >= 65536);
        assert_eq!(socket.get::<i32>(libc::IPPROTO_TCP, libc::TCP_NODELAY).unwrap(), 1);
        assert_eq!(socket.get::<i32>(libc::IPPROTO_TCP, libc::TCP_KEEPIDLE).unwrap(), 10);
        assert_eq!(socket.take_error().unwrap(), None);
        assert!(socket.bind_to_interface("no-such-device").is_err());
    }
}
