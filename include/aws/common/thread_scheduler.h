/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/thread_scheduler.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_THREAD_SCHEDULER_H
#define AWS_COMMON_THREAD_SCHEDULER_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_task;
struct aws_thread_options;
struct aws_thread_scheduler;

/** A thread that runs tasks. */
struct aws_thread_scheduler;

/**
 * Starts a thread that runs tasks.
 *
 * `allocator`: for the handle, borrowed until it is gone. `thread_options`: borrowed for the call;
 * NULL = defaults.
 * Returns NULL with AWS_ERROR_THREAD_INSUFFICIENT_RESOURCE and the like, AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. The caller holds one reference. Any thread.
 */
struct aws_thread_scheduler *aws_thread_scheduler_new(
    struct aws_allocator *allocator,
    const struct aws_thread_options *thread_options);

/** One more reference; NULL is nothing. Any thread. */
void aws_thread_scheduler_acquire(struct aws_thread_scheduler *scheduler);

/**
 * Gives a reference back; NULL is nothing. The last one ends the thread: the task that runs is
 * waited for, those that are left are run as cancelled on this thread before this returns. A task
 * of the scheduler itself may give the last reference back; the rest is cancelled after it then.
 */
void aws_thread_scheduler_release(const struct aws_thread_scheduler *scheduler);

/**
 * Schedules a task for a time.
 *
 * `task`: given up until it has run. `time_to_run`: in nanoseconds of
 * aws_high_res_clock_get_ticks(); the past means now. The task runs on the scheduler's thread.
 * In a process forked after the scheduler was made, whose thread stayed behind, nothing is
 * scheduled and the last error is AWS_ERROR_INVALID_STATE. Any thread.
 */
void aws_thread_scheduler_schedule_future(
    struct aws_thread_scheduler *scheduler,
    struct aws_task *task,
    uint64_t time_to_run);

/**
 * Schedules a task to run as soon as possible, behind those scheduled so before; as
 * aws_thread_scheduler_schedule_future().
 */
void aws_thread_scheduler_schedule_now(
    struct aws_thread_scheduler *scheduler,
    struct aws_task *task);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_THREAD_SCHEDULER_H */
