/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/task_scheduler.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_TASK_SCHEDULER_H
#define AWS_COMMON_TASK_SCHEDULER_H

#include <aws/common/common.h>
#include <aws/common/linked_list.h>
#include <aws/common/priority_queue.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why a task is called. */
enum aws_task_status {
    /** Its time has come. */
    AWS_TASK_STATUS_RUN_READY,
    /** It was cancelled, or its scheduler ends: free what belongs to it, do no work. */
    AWS_TASK_STATUS_CANCELED,
};

struct aws_allocator;
struct aws_task;

/**
 * The work of a task. Called exactly once for each time the task was scheduled; the task's memory
 * may be freed or scheduled again inside.
 */
typedef void (aws_task_fn)(struct aws_task *task, void *arg, enum aws_task_status status);

/** A task. The memory is the caller's and must live until the task has run. */
struct aws_task {
    aws_task_fn *fn;
    void *arg;
    /** When to run, in nanoseconds of the scheduler's clock; 0 = as soon as possible. */
    uint64_t timestamp;
    struct aws_linked_list_node node;
    struct aws_priority_queue_node priority_queue_node;
    /** A name for log lines. */
    const char *type_tag;
    union {
        bool scheduled;
        size_t reserved;
    } abi_extension;
};

/** Tasks in order of their time. Kept for structs of other headers that contain it. */
struct aws_task_scheduler {
    struct aws_allocator *alloc;
    struct aws_priority_queue timed_queue;
    struct aws_linked_list timed_list;
    struct aws_linked_list asap_list;
};

/**
 * Prepares a task.
 *
 * `task`: written; must live until it has run. `fn`: what it does. `arg`: given to it. `type_tag`:
 * a name for log lines that lives as long as the task. Any thread.
 */
void aws_task_init(struct aws_task *task, aws_task_fn *fn, void *arg, const char *type_tag);

/**
 * Runs a task now, on this thread, before this returns; it may free itself.
 *
 * `task`: not scheduled anywhere. `status`: given to it.
 */
void aws_task_run(struct aws_task *task, enum aws_task_status status);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_TASK_SCHEDULER_H */
