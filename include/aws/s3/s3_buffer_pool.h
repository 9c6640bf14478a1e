/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/s3_buffer_pool.rs; `make headers` writes it anew. */
#ifndef AWS_S3_S3_BUFFER_POOL_H
#define AWS_S3_S3_BUFFER_POOL_H

#include <aws/common/ref_count.h>
#include <aws/io/future.h>
#include <aws/s3/s3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_byte_buf;
struct aws_channel;
struct aws_event_loop;
struct aws_future_s3_buffer_ticket;
struct aws_s3_buffer_pool;
struct aws_s3_buffer_pool_config;
struct aws_s3_buffer_pool_reserve_meta;
struct aws_s3_buffer_pool_vtable;
struct aws_s3_buffer_ticket;
struct aws_s3_buffer_ticket_vtable;
struct aws_s3_client;
struct aws_s3_meta_request;

/**
 * Creates a pool for a client, which releases it when it ends. Called inside `aws_s3_client_new`,
 * on its thread. Returns NULL with an error raised on failure.
 */
typedef struct aws_s3_buffer_pool *(aws_s3_buffer_pool_factory_fn)(
    struct aws_allocator *allocator,
    struct aws_s3_buffer_pool_config config,
    void *user_data);

/** A ticket that may come later. Counted. */
struct aws_future_s3_buffer_ticket;

/** What a reservation is for. */
struct aws_s3_buffer_pool_reserve_meta {
    /** The client that asks; one pool may serve several. */
    struct aws_s3_client *client;
    /** The meta request it asks for. May be NULL. */
    struct aws_s3_meta_request *meta_request;
    /** Bytes of the buffer. */
    size_t size;
    /**
     * The transfer cannot go on without this ticket, and no other ticket of it will come back
     * before: do not wait for memory of the same transfer.
     */
    bool can_block;
};

/** Functions of a pool. They are called on any thread, by several at once. */
struct aws_s3_buffer_pool_vtable {
    /**
     * Starts a reservation. The future is the caller's to release; it may be done already, or be
     * completed later on any thread. Reservations should be answered in the order they came. A
     * future that was given an error by the library (after cancel) may be completed all the same.
     */
    struct aws_future_s3_buffer_ticket *(*reserve)(struct aws_s3_buffer_pool *pool, struct aws_s3_buffer_pool_reserve_meta meta);
    /** The client is idle: memory may be given back. */
    void (*trim)(struct aws_s3_buffer_pool *pool);
    /** May be NULL. Many buffers of this size will be asked for. */
    int (*add_special_size)(struct aws_s3_buffer_pool *pool, size_t buffer_size);
    /** May be NULL. Takes `add_special_size` back. */
    void (*release_special_size)(struct aws_s3_buffer_pool *pool, size_t buffer_size);
    /** May be NULL. The size, at least `size`, that wastes no memory of the pool. */
    uint64_t (*derive_aligned_buffer_size)(struct aws_s3_buffer_pool *pool, uint64_t size);
    /** NULL = `ref_count` is used. */
    struct aws_s3_buffer_pool *(*acquire)(struct aws_s3_buffer_pool *pool);
    /** NULL = `ref_count` is used. */
    struct aws_s3_buffer_pool *(*release)(struct aws_s3_buffer_pool *pool);
};

/** A source of part memory. */
struct aws_s3_buffer_pool {
    struct aws_s3_buffer_pool_vtable *vtable;
    /** Used where the table has no acquire and release. */
    struct aws_ref_count ref_count;
    /** The pool's own. */
    void *impl;
};

/** Functions of a ticket. */
struct aws_s3_buffer_ticket_vtable {
    /**
     * The ticket's buffer, the same at each call: length 0, capacity at least the size reserved.
     * Any thread.
     */
    struct aws_byte_buf (*claim)(struct aws_s3_buffer_ticket *ticket);
    /** NULL = `ref_count` is used. */
    struct aws_s3_buffer_ticket *(*acquire)(struct aws_s3_buffer_ticket *ticket);
    /** NULL = `ref_count` is used. Any thread. */
    struct aws_s3_buffer_ticket *(*release)(struct aws_s3_buffer_ticket *ticket);
};

/** The right to a buffer. */
struct aws_s3_buffer_ticket {
    struct aws_s3_buffer_ticket_vtable *vtable;
    /** Used where the table has no acquire and release. */
    struct aws_ref_count ref_count;
    /** The pool's own. */
    void *impl;
};

/** What a client tells a pool's factory. */
struct aws_s3_buffer_pool_config {
    /** The client that will use the pool. Not yet usable. */
    struct aws_s3_client *client;
    /** Bytes of a part. */
    size_t part_size;
    /** Most bytes of a part. */
    size_t max_part_size;
    /** Bytes the client may use. */
    size_t memory_limit;
};

/**
 * Creates a future with one reference.
 *
 * `alloc` must outlive it; NULL raises AWS_ERROR_INVALID_ARGUMENT. Returns NULL on failure. Any
 * thread. Pools of callers make these.
 */
struct aws_future_s3_buffer_ticket *aws_future_s3_buffer_ticket_new(struct aws_allocator *alloc);

/** Adds a reference and returns `future`; NULL stays NULL. Any thread. */
struct aws_future_s3_buffer_ticket *aws_future_s3_buffer_ticket_acquire(
    struct aws_future_s3_buffer_ticket *future);

/**
 * Gives up a reference; the last one releases a ticket nobody took. NULL is nothing. Returns NULL.
 * Any thread.
 */
struct aws_future_s3_buffer_ticket *aws_future_s3_buffer_ticket_release(
    struct aws_future_s3_buffer_ticket *future);

/**
 * Completes the future with a ticket, which it owns from now on; `*pointer_address` becomes NULL.
 * A future that is done releases the ticket at once. Any thread; callbacks may run before it
 * returns.
 */
void aws_future_s3_buffer_ticket_set_result_by_move(
    struct aws_future_s3_buffer_ticket *future,
    struct aws_s3_buffer_ticket **pointer_address);

/**
 * Completes the future with an error (0 counts as AWS_ERROR_UNKNOWN). A future that is done stays
 * as it is. Any thread; callbacks may run before it returns.
 */
void aws_future_s3_buffer_ticket_set_error(
    struct aws_future_s3_buffer_ticket *future,
    int error_code);

/** Whether the future is done. Any thread. */
bool aws_future_s3_buffer_ticket_is_done(const struct aws_future_s3_buffer_ticket *future);

/**
 * The error the future ended with, or 0 for a ticket. AWS_ERROR_INVALID_STATE while it is not
 * done. Any thread.
 */
int aws_future_s3_buffer_ticket_get_error(const struct aws_future_s3_buffer_ticket *future);

/**
 * Takes the ticket out of a future that is done without an error; its reference is the caller's.
 * Only once. Else NULL with AWS_ERROR_INVALID_STATE. Any thread.
 */
struct aws_s3_buffer_ticket *aws_future_s3_buffer_ticket_get_result_by_move(
    struct aws_future_s3_buffer_ticket *future);

/**
 * The ticket of a future that is done without an error; it stays the future's. Else NULL with
 * AWS_ERROR_INVALID_STATE. Any thread.
 */
struct aws_s3_buffer_ticket *aws_future_s3_buffer_ticket_peek_result(
    const struct aws_future_s3_buffer_ticket *future);

/**
 * Calls `on_done` when the future is done: on the thread that completes it, or before this returns
 * where it is done already. Any thread.
 */
void aws_future_s3_buffer_ticket_register_callback(
    struct aws_future_s3_buffer_ticket *future,
    aws_future_callback_fn *on_done,
    void *user_data);

/**
 * As `aws_future_s3_buffer_ticket_register_callback`, but a future that is done calls nothing:
 * returns false then, true where the callback will come.
 */
bool aws_future_s3_buffer_ticket_register_callback_if_not_done(
    struct aws_future_s3_buffer_ticket *future,
    aws_future_callback_fn *on_done,
    void *user_data);

/** Calls `on_done` as a task of `event_loop` when the future is done. Any thread. */
void aws_future_s3_buffer_ticket_register_event_loop_callback(
    struct aws_future_s3_buffer_ticket *future,
    struct aws_event_loop *event_loop,
    aws_future_callback_fn *on_done,
    void *user_data);

/** Refused with AWS_ERROR_UNIMPLEMENTED: this library makes no channels. */
void aws_future_s3_buffer_ticket_register_channel_callback(
    struct aws_future_s3_buffer_ticket *future,
    struct aws_channel *channel,
    aws_future_callback_fn *on_done,
    void *user_data);

/**
 * Blocks until the future is done or `timeout_ns` nanoseconds are over. Returns whether it is
 * done. Not on an event loop that has to complete it.
 */
bool aws_future_s3_buffer_ticket_wait(
    struct aws_future_s3_buffer_ticket *future,
    uint64_t timeout_ns);

/**
 * The buffer of a ticket, the same at each call: length 0, capacity at least the size reserved.
 * Valid until the ticket's last release. An empty buffer on failure. Any thread.
 */
struct aws_byte_buf aws_s3_buffer_ticket_claim(struct aws_s3_buffer_ticket *ticket);

/** Adds a reference and returns `ticket`; NULL stays NULL. Any thread. */
struct aws_s3_buffer_ticket *aws_s3_buffer_ticket_acquire(struct aws_s3_buffer_ticket *ticket);

/**
 * Gives up a reference; the last one gives the memory back. NULL is nothing. Returns NULL. Any
 * thread.
 */
struct aws_s3_buffer_ticket *aws_s3_buffer_ticket_release(struct aws_s3_buffer_ticket *ticket);

/** Starts a reservation. The future is the caller's to release. NULL on failure. Any thread. */
struct aws_future_s3_buffer_ticket *aws_s3_buffer_pool_reserve(
    struct aws_s3_buffer_pool *buffer_pool,
    struct aws_s3_buffer_pool_reserve_meta meta);

/** Asks a pool to give unused memory back to the system. Any thread. */
void aws_s3_buffer_pool_trim(struct aws_s3_buffer_pool *buffer_pool);

/** Adds a reference and returns `buffer_pool`; NULL stays NULL. Any thread. */
struct aws_s3_buffer_pool *aws_s3_buffer_pool_acquire(struct aws_s3_buffer_pool *buffer_pool);

/** Gives up a reference; NULL is nothing. Returns NULL. Any thread. */
struct aws_s3_buffer_pool *aws_s3_buffer_pool_release(struct aws_s3_buffer_pool *buffer_pool);

/**
 * Tells a pool that many buffers of exactly `buffer_size` bytes will be asked for. A pool without
 * such an optimisation succeeds. AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT for NULL or 0. Any
 * thread.
 */
int aws_s3_buffer_pool_add_special_size(struct aws_s3_buffer_pool *buffer_pool, size_t buffer_size);

/** Takes `aws_s3_buffer_pool_add_special_size` back. Any thread. */
void aws_s3_buffer_pool_release_special_size(
    struct aws_s3_buffer_pool *buffer_pool,
    size_t buffer_size);

/**
 * The size, at least `size` bytes, that wastes no memory of the pool; `size` itself where the pool
 * is NULL or does not care. Any thread.
 */
uint64_t aws_s3_buffer_pool_derive_aligned_buffer_size(
    struct aws_s3_buffer_pool *buffer_pool,
    uint64_t size);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_S3_BUFFER_POOL_H */
