/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/socket.rs; `make headers` writes it anew. */
#ifndef AWS_IO_SOCKET_H
#define AWS_IO_SOCKET_H

#include <aws/io/channel.h>
#include <aws/io/io.h>

#include <sys/un.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Address family of a socket. */
enum aws_socket_domain {
    AWS_SOCKET_IPV4 = 0,
    AWS_SOCKET_IPV6 = 1,
    AWS_SOCKET_LOCAL = 2,
    AWS_SOCKET_VSOCK = 3,
};

/** Stream or datagram. */
enum aws_socket_type {
    AWS_SOCKET_STREAM = 0,
    AWS_SOCKET_DGRAM = 1,
};

/** Which socket interface of the system is used. */
enum aws_socket_impl_type {
    AWS_SOCKET_IMPL_PLATFORM_DEFAULT = 0,
    AWS_SOCKET_IMPL_POSIX = 1,
    AWS_SOCKET_IMPL_WINSOCK = 2,
    AWS_SOCKET_IMPL_APPLE_NETWORK_FRAMEWORK = 3,
};

/** Whether small segments wait for more (Nagle's algorithm). DEFAULT sends at once. */
enum aws_socket_tcp_nodelay {
    AWS_SOCKET_TCP_NODELAY_DEFAULT = 0,
    AWS_SOCKET_TCP_NODELAY_ON = 1,
    AWS_SOCKET_TCP_NODELAY_OFF = 2,
};

/** Bytes of a network interface's name, its NUL included. */
#define AWS_NETWORK_INTERFACE_NAME_MAX 16

/** Options of a socket. All zero: an IPv4 stream socket with the system's defaults. */
struct aws_socket_options {
    enum aws_socket_type type;
    enum aws_socket_domain domain;
    enum aws_socket_impl_type impl_type;
    /** Milliseconds a connect may take. 0: the library's default. */
    uint32_t connect_timeout_ms;
    /** Seconds between keep-alive probes. 0 with `keepalive`: the system's value. */
    uint16_t keep_alive_interval_sec;
    /** Seconds of silence before the first probe. 0 with `keepalive`: the system's value. */
    uint16_t keep_alive_timeout_sec;
    /** Unanswered probes after which the connection is dead. 0: the system's value. */
    uint16_t keep_alive_max_failed_probes;
    /** Whether TCP keep-alive probes are sent. */
    bool keepalive;
    enum aws_socket_tcp_nodelay tcp_nodelay;
    /** Name of the network interface to bind to, ended by a NUL; empty: any. */
    char network_interface_name[AWS_NETWORK_INTERFACE_NAME_MAX];
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_SOCKET_H */
