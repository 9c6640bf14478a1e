/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/channel_bootstrap.rs; `make headers` writes it anew. */
#ifndef AWS_IO_CHANNEL_BOOTSTRAP_H
#define AWS_IO_CHANNEL_BOOTSTRAP_H

#include <aws/common/ref_count.h>
#include <aws/io/channel.h>
#include <aws/io/host_resolver.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_byte_buf;
struct aws_channel_handler;
struct aws_channel_slot;
struct aws_client_bootstrap;
struct aws_client_bootstrap_options;
struct aws_event_loop_group;
struct aws_host_resolution_config;
struct aws_host_resolver;

/**
 * Picks the handler for a negotiated ALPN protocol. Event-loop thread; `protocol` is valid during the
 * call; returns a handler or NULL.
 */
typedef struct aws_channel_handler *(aws_channel_on_protocol_negotiated_fn)(
    struct aws_channel_slot *new_slot,
    struct aws_byte_buf *protocol,
    void *user_data);

/** A bootstrap is gone. Called once, from whichever thread gave up the last reference. */
typedef void (aws_client_bootstrap_shutdown_complete_fn)(void *user_data);

/**
 * What a client needs to make connections: an event-loop group and a host resolver. Callers read
 * `event_loop_group`; everything else is the library's.
 */
struct aws_client_bootstrap {
    struct aws_allocator *allocator;
    struct aws_event_loop_group *event_loop_group;
    struct aws_host_resolver *host_resolver;
    struct aws_host_resolution_config host_resolver_config;
    aws_channel_on_protocol_negotiated_fn *on_protocol_negotiated;
    struct aws_ref_count ref_count;
    aws_client_bootstrap_shutdown_complete_fn *on_shutdown_complete;
    void *user_data;
};

/** Options of aws_client_bootstrap_new(). */
struct aws_client_bootstrap_options {
    /** Required. The bootstrap keeps a reference. */
    struct aws_event_loop_group *event_loop_group;
    /**
     * The bootstrap keeps a reference. May be NULL: names are then looked up without a cache of the
     * caller's.
     */
    struct aws_host_resolver *host_resolver;
    /** Optional; copied. NULL: the resolver's defaults (30 s time to live). */
    const struct aws_host_resolution_config *host_resolution_config;
    /** Optional. Called when the bootstrap is gone. */
    aws_client_bootstrap_shutdown_complete_fn *on_shutdown_complete;
    void *user_data;
};

/**
 * A bootstrap over an event-loop group and a host resolver.
 *
 * `allocator`: required; outlives the bootstrap's shutdown. `options`: required, read during the call.
 * Returns a bootstrap with one reference, to be given back with aws_client_bootstrap_release(); NULL
 * with AWS_ERROR_INVALID_ARGUMENT (also for handles of another library) or AWS_ERROR_OOM. Any thread.
 */
struct aws_client_bootstrap *aws_client_bootstrap_new(
    struct aws_allocator *allocator,
    const struct aws_client_bootstrap_options *options);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_client_bootstrap *aws_client_bootstrap_acquire(struct aws_client_bootstrap *bootstrap);

/**
 * Gives one reference back. The last one gives the references to the event-loop group and the
 * resolver back and calls `on_shutdown_complete` before this returns. NULL does nothing. Any thread.
 */
void aws_client_bootstrap_release(struct aws_client_bootstrap *bootstrap);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_CHANNEL_BOOTSTRAP_H */
