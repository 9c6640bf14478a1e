//! Header `aws/io/socket.h`: options of sockets.

use std::ffi::c_char;
use std::mem::MaybeUninit;

/// Address family of a socket.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_socket_domain {
    AWS_SOCKET_IPV4 = 0,
    AWS_SOCKET_IPV6 = 1,
    AWS_SOCKET_LOCAL = 2,
    AWS_SOCKET_VSOCK = 3,
}

/// Stream or datagram.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_socket_type {
    AWS_SOCKET_STREAM = 0,
    AWS_SOCKET_DGRAM = 1,
}

/// Which socket interface of the system is used.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_socket_impl_type {
    AWS_SOCKET_IMPL_PLATFORM_DEFAULT = 0,
    AWS_SOCKET_IMPL_POSIX = 1,
    AWS_SOCKET_IMPL_WINSOCK = 2,
    AWS_SOCKET_IMPL_APPLE_NETWORK_FRAMEWORK = 3,
}

/// Whether small segments wait for more (Nagle's algorithm). DEFAULT sends at once.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_socket_tcp_nodelay {
    AWS_SOCKET_TCP_NODELAY_DEFAULT = 0,
    AWS_SOCKET_TCP_NODELAY_ON = 1,
    AWS_SOCKET_TCP_NODELAY_OFF = 2,
}

/// Bytes of a network interface's name, its NUL included.
pub const AWS_NETWORK_INTERFACE_NAME_MAX: usize = 16;

/// Options of a socket. All zero: an IPv4 stream socket with the system's defaults.
#[repr(C)]
pub struct aws_socket_options {
    pub r#type: MaybeUninit<aws_socket_type>,
    pub domain: MaybeUninit<aws_socket_domain>,
    pub impl_type: MaybeUninit<aws_socket_impl_type>,
    /// Milliseconds a connect may take. 0: the library's default.
    pub connect_timeout_ms: u32,
    /// Seconds between keep-alive probes. 0 with `keepalive`: the system's value.
    pub keep_alive_interval_sec: u16,
    /// Seconds of silence before the first probe. 0 with `keepalive`: the system's value.
    pub keep_alive_timeout_sec: u16,
    /// Unanswered probes after which the connection is dead. 0: the system's value.
    pub keep_alive_max_failed_probes: u16,
    /// Whether TCP keep-alive probes are sent.
    pub keepalive: bool,
    pub tcp_nodelay: MaybeUninit<aws_socket_tcp_nodelay>,
    /// Name of the network interface to bind to, ended by a NUL; empty: any.
    pub network_interface_name: [c_char; AWS_NETWORK_INTERFACE_NAME_MAX],
}
