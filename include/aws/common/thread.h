/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/thread.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_THREAD_H
#define AWS_COMMON_THREAD_H

#include <aws/common/byte_buf.h>
#include <aws/common/string.h>

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Longest thread name that the system keeps whole. */
#define AWS_THREAD_NAME_RECOMMENDED_STRLEN 15
/** Initialiser of an aws_thread_once. */
#define AWS_THREAD_ONCE_STATIC_INIT PTHREAD_ONCE_INIT
/** Room for a thread id as text. */
#define AWS_THREAD_ID_T_REPR_BUFSZ (sizeof(aws_thread_id_t) * 2 + 1)

/** Who waits for a thread to end. */
enum aws_thread_join_strategy {
    /** Whoever launched it joins it. */
    AWS_TJS_MANUAL = 0,
    /** The library joins it; `aws_thread_join_all_managed` waits for all of these. */
    AWS_TJS_MANAGED,
};

/** The life of a thread handle. */
enum aws_thread_detach_state {
    AWS_THREAD_NOT_CREATED = 1,
    AWS_THREAD_JOINABLE,
    AWS_THREAD_JOIN_COMPLETED,
    AWS_THREAD_MANAGED,
};

struct aws_allocator;
struct aws_string;
struct aws_thread_options;

/** The system's name of a thread. */
typedef pthread_t aws_thread_id_t;

/** Runs something once, whoever comes first. */
typedef pthread_once_t aws_thread_once;

/** What a thread called at its end does. */
typedef void (aws_thread_atexit_fn)(void *user_data);

/** How a thread is to be started. */
struct aws_thread_options {
    /** Bytes of stack; 0 = the system's default. */
    size_t stack_size;
    /** The CPU to run on, or -1 for any. A wish: a refusal by the system is only logged. */
    int32_t cpu_id;
    enum aws_thread_join_strategy join_strategy;
    /** At most 15 bytes of it are used; empty = no name. */
    struct aws_byte_cursor name;
};

/** A handle of a thread in the caller's memory. */
struct aws_thread {
    struct aws_allocator *allocator;
    enum aws_thread_detach_state detach_state;
    aws_thread_id_t thread_id;
};

/**
 * Options of a thread of which nothing special is wanted.
 *
 * Never NULL, lives for ever, not to be changed. Any thread.
 */
const struct aws_thread_options *aws_default_thread_options(void);

/**
 * Limits how long aws_thread_join_all_managed() waits.
 *
 * `timeout_in_ns`: nanoseconds; 0, as at the beginning, is for ever. Any thread.
 */
void aws_thread_set_managed_join_timeout_ns(uint64_t timeout_in_ns);

/**
 * Waits until all threads are gone that the library joins by itself, such as those of an event loop
 * group that has been released.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR when the time of aws_thread_set_managed_join_timeout_ns() is
 * over. Not to be called on such a thread.
 */
int aws_thread_join_all_managed(void);

/**
 * The name of the calling thread, as the system has it.
 *
 * `allocator`: for the result, borrowed. `out_name`: written: to be freed with aws_string_destroy().
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_SYS_CALL_FAILURE, AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_thread_current_name(struct aws_allocator *allocator, struct aws_string **out_name);

/** The system's number of the calling thread. Any thread. */
aws_thread_id_t aws_thread_current_thread_id(void);

/** Sleeps at least so many nanoseconds. Any thread. */
void aws_thread_current_sleep(uint64_t nanos);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_THREAD_H */
