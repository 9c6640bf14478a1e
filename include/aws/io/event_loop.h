/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/event_loop.rs; `make headers` writes it anew. */
#ifndef AWS_IO_EVENT_LOOP_H
#define AWS_IO_EVENT_LOOP_H

#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which system interface an event loop waits on. */
enum aws_event_loop_type {
    AWS_EVENT_LOOP_PLATFORM_DEFAULT = 0,
    AWS_EVENT_LOOP_EPOLL = 1,
    AWS_EVENT_LOOP_IOCP = 2,
    AWS_EVENT_LOOP_KQUEUE = 3,
    AWS_EVENT_LOOP_DISPATCH_QUEUE = 4,
};

struct aws_shutdown_callback_options;

/** One event loop: a thread that waits for sockets and runs tasks. Opaque; owned by its group. */
struct aws_event_loop;

/**
 * A group of event loops. Opaque; counted with aws_event_loop_group_acquire() and
 * aws_event_loop_group_release().
 */
struct aws_event_loop_group;

/** Options of aws_event_loop_group_new(). */
struct aws_event_loop_group_options {
    /** Number of loops. 0: half the CPUs the process may use, at least one, at most 64. */
    uint16_t loop_count;
    /**
     * AWS_EVENT_LOOP_PLATFORM_DEFAULT or the type this platform has; others raise
     * AWS_ERROR_PLATFORM_NOT_SUPPORTED.
     */
    enum aws_event_loop_type type;
    /** Optional; copied. Called once, after every thread of the group has ended. */
    const struct aws_shutdown_callback_options *shutdown_options;
    /**
     * Optional; read during the call. The CPU group (NUMA node) whose CPUs the loops are pinned to.
     */
    const uint16_t *cpu_group;
    /**
     * Optional. The clock that aws_event_loop_current_clock_time() reads instead of the monotonic one.
     */
    aws_io_clock_fn *clock_override;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_EVENT_LOOP_H */
