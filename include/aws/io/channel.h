/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/channel.rs; `make headers` writes it anew. */
#ifndef AWS_IO_CHANNEL_H
#define AWS_IO_CHANNEL_H

#include <aws/io/io.h>
#include <aws/common/statistics.h>
#include <aws/common/task_scheduler.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which way a shutdown or a message travels through a channel. */
enum aws_channel_direction {
    AWS_CHANNEL_DIR_READ = 0,
    AWS_CHANNEL_DIR_WRITE = 1,
};

struct aws_allocator;
struct aws_array_list;
struct aws_channel;
struct aws_channel_handler;
struct aws_channel_handler_vtable;
struct aws_channel_slot;
struct aws_channel_task;
struct aws_io_message;

/**
 * A channel task. Runs on the channel's event-loop thread; `status` tells whether it runs or was
 * cancelled because the channel goes away.
 */
typedef void (aws_channel_task_fn)(
    struct aws_channel_task *channel_task,
    void *arg,
    enum aws_task_status status);

/** A channel. Opaque. */
struct aws_channel;

/** One place in a channel's row of handlers. Slots are made by channels only. */
struct aws_channel_slot {
    struct aws_allocator *alloc;
    struct aws_channel *channel;
    struct aws_channel_slot *adj_left;
    struct aws_channel_slot *adj_right;
    struct aws_channel_handler *handler;
    size_t window_size;
    size_t upstream_message_overhead;
    size_t current_window_update_batch_size;
};

/** What a channel handler does. All members are called on the channel's event-loop thread. */
struct aws_channel_handler_vtable {
    int (*process_read_message)(struct aws_channel_handler *handler, struct aws_channel_slot *slot, struct aws_io_message *message);
    int (*process_write_message)(struct aws_channel_handler *handler, struct aws_channel_slot *slot, struct aws_io_message *message);
    int (*increment_read_window)(struct aws_channel_handler *handler, struct aws_channel_slot *slot, size_t size);
    int (*shutdown)(struct aws_channel_handler *handler, struct aws_channel_slot *slot, enum aws_channel_direction dir, int error_code, bool free_scarce_resources_immediately);
    size_t (*initial_window_size)(struct aws_channel_handler *handler);
    size_t (*message_overhead)(struct aws_channel_handler *handler);
    void (*destroy)(struct aws_channel_handler *handler);
    void (*reset_statistics)(struct aws_channel_handler *handler);
    void (*gather_statistics)(struct aws_channel_handler *handler, struct aws_array_list *stats_list);
    void (*trigger_read)(struct aws_channel_handler *handler);
};

/** One handler of a channel. */
struct aws_channel_handler {
    struct aws_channel_handler_vtable *vtable;
    struct aws_allocator *alloc;
    struct aws_channel_slot *slot;
    void *impl;
};

/** A task that runs on a channel's thread. Owned by the caller until it has run. */
struct aws_channel_task {
    struct aws_task wrapper_task;
    aws_channel_task_fn *task_fn;
    void *arg;
    const char *type_tag;
    struct aws_linked_list_node node;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_CHANNEL_H */
