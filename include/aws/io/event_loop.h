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

struct aws_allocator;
struct aws_event_loop;
struct aws_event_loop_group;
struct aws_event_loop_group_options;
struct aws_shutdown_callback_options;
struct aws_task;

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

/**
 * Starts a group of event loops, each a thread of its own.
 *
 * `allocator`: required; outlives the group's shutdown. `options`: required, read during the call.
 * Returns a group with one reference, to be given back with aws_event_loop_group_release(); NULL with
 * AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_PLATFORM_NOT_SUPPORTED, AWS_ERROR_OOM or the error of starting
 * a thread. Any thread. The shutdown callback runs on a thread of its own.
 */
struct aws_event_loop_group *aws_event_loop_group_new(
    struct aws_allocator *allocator,
    const struct aws_event_loop_group_options *options);

/**
 * Starts a group of `max_threads` event loops; 0: half the CPUs the process may use, at least one.
 *
 * `alloc`: required; outlives the group's shutdown. `shutdown_options`: may be NULL; copied. Else as
 * aws_event_loop_group_new().
 */
struct aws_event_loop_group *aws_event_loop_group_new_default(
    struct aws_allocator *alloc,
    uint16_t max_threads,
    const struct aws_shutdown_callback_options *shutdown_options);

/**
 * As aws_event_loop_group_new_default(), with the loops on the CPUs of one group (NUMA node).
 *
 * Raises AWS_ERROR_INVALID_ARGUMENT where there is no such group.
 */
struct aws_event_loop_group *aws_event_loop_group_new_default_pinned_to_cpu_group(
    struct aws_allocator *alloc,
    uint16_t max_threads,
    uint16_t cpu_group,
    const struct aws_shutdown_callback_options *shutdown_options);

/**
 * Takes one more reference and returns its argument. NULL is allowed; another library's group is not
 * counted (logged). Any thread.
 */
struct aws_event_loop_group *aws_event_loop_group_acquire(struct aws_event_loop_group *el_group);

/**
 * Gives one reference back. The last one ends the loops after what was scheduled before, cancels
 * tasks whose time has not come, joins the threads on a thread of its own and calls the shutdown
 * callback there. Never waits; any thread, the group's own included. NULL does nothing.
 */
void aws_event_loop_group_release(struct aws_event_loop_group *el_group);

/**
 * How many loops the group has. NULL and another library's group: 0 with AWS_ERROR_INVALID_ARGUMENT.
 * Any thread.
 */
size_t aws_event_loop_group_get_loop_count(const struct aws_event_loop_group *el_group);

/**
 * The less loaded of two of the group's loops, taken at random.
 *
 * Returns a borrowed pointer, valid until the group's shutdown; NULL with AWS_ERROR_INVALID_ARGUMENT.
 * Any thread.
 */
struct aws_event_loop *aws_event_loop_group_get_next_loop(struct aws_event_loop_group *el_group);

/**
 * Runs `task` on this loop, in its next turn, after what was scheduled before.
 *
 * `task`: the caller's memory; initialised, not scheduled already, alive until it has run. It runs
 * exactly once: with AWS_TASK_STATUS_RUN_READY, or with AWS_TASK_STATUS_CANCELED when the loop ends
 * (before this returns if it has ended). NULL and another library's loop raise
 * AWS_ERROR_INVALID_ARGUMENT and run nothing. Any thread.
 */
void aws_event_loop_schedule_task_now(struct aws_event_loop *event_loop, struct aws_task *task);

/**
 * Runs `task` on this loop, not before `run_at_nanos` of aws_event_loop_current_clock_time().
 *
 * Else as aws_event_loop_schedule_task_now().
 */
void aws_event_loop_schedule_task_future(
    struct aws_event_loop *event_loop,
    struct aws_task *task,
    uint64_t run_at_nanos);

/**
 * Reads the clock that the loop's tasks are scheduled by, in nanoseconds.
 *
 * `time_nanos`: written on success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
 * AWS_ERROR_INVALID_ARGUMENT or the clock's error. Any thread.
 */
int aws_event_loop_current_clock_time(
    const struct aws_event_loop *event_loop,
    uint64_t *time_nanos);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_EVENT_LOOP_H */
