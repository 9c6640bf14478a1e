/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/retry_strategy.rs; `make headers` writes it anew. */
#ifndef AWS_IO_RETRY_STRATEGY_H
#define AWS_IO_RETRY_STRATEGY_H

#include <aws/io/exports.h>
#include <aws/common/atomics.h>
#include <aws/common/byte_buf.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why something has to be tried again; decides how much of the retry budget it costs. */
enum aws_retry_error_type {
    /** Connection trouble, timeouts, a short read. */
    AWS_RETRY_ERROR_TYPE_TRANSIENT = 0,
    /** The server asked us to slow down. */
    AWS_RETRY_ERROR_TYPE_THROTTLING = 1,
    /** The server failed by itself. */
    AWS_RETRY_ERROR_TYPE_SERVER_ERROR = 2,
    /** The request was at fault. */
    AWS_RETRY_ERROR_TYPE_CLIENT_ERROR = 3,
};

/** How a back-off time is made random. DEFAULT is FULL. */
enum aws_exponential_backoff_jitter_mode {
    AWS_EXPONENTIAL_BACKOFF_JITTER_DEFAULT = 0,
    AWS_EXPONENTIAL_BACKOFF_JITTER_NONE = 1,
    AWS_EXPONENTIAL_BACKOFF_JITTER_FULL = 2,
    AWS_EXPONENTIAL_BACKOFF_JITTER_DECORRELATED = 3,
};

struct aws_allocator;
struct aws_byte_cursor;
struct aws_event_loop_group;
struct aws_exponential_backoff_retry_options;
struct aws_no_retry_options;
struct aws_retry_strategy;
struct aws_retry_strategy_vtable;
struct aws_retry_token;
struct aws_shutdown_callback_options;
struct aws_standard_retry_options;

/**
 * A retry token was acquired, or not. Runs on an event-loop thread of the strategy, or on any thread
 * for a caller's strategy, also before the call that asked has returned. On success the callee owns
 * one reference to `token`; on failure `token` is NULL.
 */
typedef void (aws_retry_strategy_on_retry_token_acquired_fn)(
    struct aws_retry_strategy *retry_strategy,
    int error_code,
    struct aws_retry_token *token,
    void *user_data);

/**
 * It is time to try again, or (`error_code`) no more. Thread as for the token. `token` stays owned by
 * whoever held it.
 */
typedef void (aws_retry_strategy_on_retry_ready_fn)(
    struct aws_retry_token *token,
    int error_code,
    void *user_data);

/** A random number for jitter. Any thread. */
typedef uint64_t (aws_generate_random_fn)(void *user_data);

/** One use of a retry strategy: the tries of one piece of work. */
struct aws_retry_token {
    struct aws_allocator *allocator;
    struct aws_retry_strategy *retry_strategy;
    struct aws_atomic_var ref_count;
    void *impl;
};

/** What a retry strategy does. Callers may implement one; every member is called through here. */
struct aws_retry_strategy_vtable {
    /** Called once, when the last reference is given up. */
    void (*destroy)(struct aws_retry_strategy *retry_strategy);
    /**
     * Asks for a token for `partition_id` (borrowed during the call; may be NULL or empty). The callback
     * is called once if and only if this returns AWS_OP_SUCCESS.
     */
    int (*acquire_token)(struct aws_retry_strategy *retry_strategy, const struct aws_byte_cursor *partition_id, aws_retry_strategy_on_retry_token_acquired_fn *on_acquired, void *user_data, uint64_t timeout_ms);
    /**
     * Asks for one more try with a token the caller holds. The callback is called once if and only if
     * this returns AWS_OP_SUCCESS; refused with AWS_IO_MAX_RETRIES_EXCEEDED or
     * AWS_IO_RETRY_PERMISSION_DENIED.
     */
    int (*schedule_retry)(struct aws_retry_token *token, enum aws_retry_error_type error_type, aws_retry_strategy_on_retry_ready_fn *retry_ready, void *user_data);
    /** The work behind the token succeeded; gives budget back. */
    int (*record_success)(struct aws_retry_token *token);
    /** Called once, when a token's last reference is given up; frees it. */
    void (*release_token)(struct aws_retry_token *token);
};

/** A retry strategy. Callers may implement one. */
struct aws_retry_strategy {
    struct aws_allocator *allocator;
    struct aws_retry_strategy_vtable *vtable;
    struct aws_atomic_var ref_count;
    void *impl;
};

/** Options of aws_retry_strategy_new_exponential_backoff(). */
struct aws_exponential_backoff_retry_options {
    /** Required. Waits run on its loops; the strategy keeps a reference. */
    struct aws_event_loop_group *el_group;
    /** At most 63. 0: 5 (3 for the standard strategy). */
    size_t max_retries;
    /** Milliseconds of the first wait. 0: 500. */
    uint32_t backoff_scale_factor_ms;
    /** Longest wait in seconds. 0: 20. */
    uint32_t max_backoff_secs;
    enum aws_exponential_backoff_jitter_mode jitter_mode;
    /** Optional, old form of `generate_random_impl`. */
    uint64_t (*generate_random)(void);
    /** Optional. NULL: a generator of the library's. */
    aws_generate_random_fn *generate_random_impl;
    void *generate_random_user_data;
    /** Optional; copied. Called once, when the strategy is gone. */
    const struct aws_shutdown_callback_options *shutdown_options;
};

/** Options of aws_retry_strategy_new_standard(). */
struct aws_standard_retry_options {
    struct aws_exponential_backoff_retry_options backoff_retry_options;
    /** Tokens each partition starts with, and its most. 0: 500. */
    size_t initial_bucket_capacity;
};

/** Options of aws_retry_strategy_new_no_retry(). */
struct aws_no_retry_options {
    const struct aws_shutdown_callback_options *shutdown_options;
};

/**
 * A strategy that waits longer after each failure.
 *
 * `allocator`: required; outlives the strategy. `config`: required, copied. Returns a strategy with one
 * reference, to be given back with aws_retry_strategy_release(); NULL with AWS_ERROR_INVALID_ARGUMENT (more than 63 retries, no or
 * another library's event-loop group, an unknown jitter mode) or AWS_ERROR_OOM. Any thread.
 */
struct aws_retry_strategy *aws_retry_strategy_new_exponential_backoff(
    struct aws_allocator *allocator,
    const struct aws_exponential_backoff_retry_options *config);

/**
 * A strategy that waits longer after each failure and gives each partition a budget of failures, which
 * successes refill. Three retries where the options name no number.
 *
 * `allocator`: required; outlives the strategy. `config`: required, copied. Returns a strategy with one
 * reference, to be given back with aws_retry_strategy_release(); NULL with AWS_ERROR_INVALID_ARGUMENT (more than 63 retries, no or
 * another library's event-loop group, an unknown jitter mode) or AWS_ERROR_OOM. Any thread.
 */
struct aws_retry_strategy *aws_retry_strategy_new_standard(
    struct aws_allocator *allocator,
    const struct aws_standard_retry_options *config);

/**
 * A strategy that gives no tokens: AWS_IO_RETRY_PERMISSION_DENIED, so that nothing is tried again.
 *
 * `allocator`: required; outlives the strategy. `config`: may be NULL; copied. Returns a strategy with
 * one reference; NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
 */
struct aws_retry_strategy *aws_retry_strategy_new_no_retry(
    struct aws_allocator *allocator,
    const struct aws_no_retry_options *config);

/**
 * Gives one reference back; the last one ends the strategy through its vtable. NULL does nothing. Any
 * thread.
 */
void aws_retry_strategy_release(struct aws_retry_strategy *retry_strategy);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_RETRY_STRATEGY_H */
