/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/host_resolver.rs; `make headers` writes it anew. */
#ifndef AWS_IO_HOST_RESOLVER_H
#define AWS_IO_HOST_RESOLVER_H

#include <aws/common/ref_count.h>
#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Family of a resolved address. */
enum aws_address_record_type {
    AWS_ADDRESS_RECORD_TYPE_A = 0,
    AWS_ADDRESS_RECORD_TYPE_AAAA = 1,
};

/**
 * Which record types aws_host_resolver_get_host_address_count() counts; may be joined with `|`.
 */
enum aws_get_host_address_flags {
    AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_A = 1,
    AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_AAAA = 2,
};

struct aws_allocator;
struct aws_array_list;
struct aws_event_loop_group;
struct aws_host_address;
struct aws_host_resolution_config;
struct aws_host_resolver;
struct aws_host_resolver_default_options;
struct aws_host_resolver_purge_host_options;
struct aws_host_resolver_vtable;
struct aws_shutdown_callback_options;
struct aws_string;

/**
 * A host name was resolved, or not. Runs on a resolver thread or inside the call that asked.
 * `host_addresses` holds aws_host_address and, like `host_name`, is valid during the call; NULL when
 * `err_code` is not 0.
 */
typedef void (aws_on_host_resolved_result_fn)(
    struct aws_host_resolver *resolver,
    const struct aws_string *host_name,
    int err_code,
    const struct aws_array_list *host_addresses,
    void *user_data);

/**
 * Resolves a name, blocking. Runs on a resolver thread. Appends aws_host_address values to
 * `output_addresses`; returns AWS_OP_SUCCESS, or AWS_OP_ERR with an error raised.
 */
typedef int (aws_resolve_host_implementation_fn)(
    struct aws_allocator *allocator,
    const struct aws_string *host_name,
    struct aws_array_list *output_addresses,
    void *user_data);

/** How a name is resolved. */
struct aws_host_resolution_config {
    /** Optional. NULL: the system's resolver. */
    aws_resolve_host_implementation_fn *impl;
    /** Seconds a record is kept. */
    size_t max_ttl;
    /** Given to `impl`. */
    void *impl_data;
    /** Nanoseconds between background look-ups of a name in use; 0 means one second. */
    uint64_t resolve_frequency_ns;
};

/** One resolved address of a host. */
struct aws_host_address {
    struct aws_allocator *allocator;
    /** The name that was asked for. */
    const struct aws_string *host;
    /** The address as text. */
    const struct aws_string *address;
    enum aws_address_record_type record_type;
    /** Nanoseconds of the system clock after which the record is stale. */
    uint64_t expiry;
    /** How many connections were made to it. */
    size_t use_count;
    /** How many of them failed. */
    size_t connection_failure_count;
    /** Unused; 0. */
    uint8_t weight;
};

/** Options of purging one host from the cache. */
struct aws_host_resolver_purge_host_options {
    const struct aws_string *host;
    aws_simple_completion_callback *on_host_purge_complete_callback;
    void *user_data;
};

/** What a host resolver does. Callers may implement one. */
struct aws_host_resolver_vtable {
    void (*destroy)(struct aws_host_resolver *resolver);
    int (*resolve_host)(struct aws_host_resolver *resolver, const struct aws_string *host_name, aws_on_host_resolved_result_fn *res, const struct aws_host_resolution_config *config, void *user_data);
    int (*record_connection_failure)(struct aws_host_resolver *resolver, const struct aws_host_address *address);
    int (*purge_cache)(struct aws_host_resolver *resolver);
    int (*purge_cache_with_callback)(struct aws_host_resolver *resolver, aws_simple_completion_callback *on_purge_cache_complete_callback, void *user_data);
    int (*purge_host_cache)(struct aws_host_resolver *resolver, const struct aws_host_resolver_purge_host_options *options);
    size_t (*get_host_address_count)(struct aws_host_resolver *resolver, const struct aws_string *host_name, uint32_t flags);
};

/** A host resolver. The library calls through `vtable`, so that a caller may bring its own. */
struct aws_host_resolver {
    struct aws_allocator *allocator;
    void *impl;
    struct aws_host_resolver_vtable *vtable;
    struct aws_ref_count ref_count;
    struct aws_shutdown_callback_options shutdown_options;
};

/** Options of aws_host_resolver_new_default(). */
struct aws_host_resolver_default_options {
    /** Names kept in the cache; required, not 0. */
    size_t max_entries;
    /** Required. The resolver keeps a reference. */
    struct aws_event_loop_group *el_group;
    /** Optional; copied. Called once, when the resolver and its threads are gone. */
    const struct aws_shutdown_callback_options *shutdown_options;
    /** Optional. Clock for the age of records (tests). */
    aws_io_clock_fn *system_clock_override_fn;
};

/**
 * A resolver over the system's, with a cache.
 *
 * `allocator`: required; outlives the resolver's shutdown. `options`: required, read during the call.
 * Returns a resolver with one reference, to be given back with aws_host_resolver_release(); NULL with
 * AWS_ERROR_INVALID_ARGUMENT (also for another library's event-loop group) or AWS_ERROR_OOM. Any
 * thread. The shutdown callback runs on a look-up thread or inside the last release.
 */
struct aws_host_resolver *aws_host_resolver_new_default(
    struct aws_allocator *allocator,
    const struct aws_host_resolver_default_options *options);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_host_resolver *aws_host_resolver_acquire(struct aws_host_resolver *resolver);

/**
 * Gives one reference back. The last one ends the resolver: its shutdown callback comes after the
 * look-ups under way, at once where there are none. NULL does nothing. Any thread.
 */
void aws_host_resolver_release(struct aws_host_resolver *resolver);

/**
 * How many addresses of a host are in the cache.
 *
 * `host_name`: required. `flags`: AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_A,
 * AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_AAAA or both. NULL: 0 with AWS_ERROR_INVALID_ARGUMENT. Any
 * thread; goes through the resolver's vtable.
 */
size_t aws_host_resolver_get_host_address_count(
    struct aws_host_resolver *resolver,
    const struct aws_string *host_name,
    uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_HOST_RESOLVER_H */
