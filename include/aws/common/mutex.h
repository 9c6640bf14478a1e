/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/mutex.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_MUTEX_H
#define AWS_COMMON_MUTEX_H

#include <aws/common/common.h>

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Initialiser of a mutex. */
#define AWS_MUTEX_INIT {.mutex_handle = PTHREAD_MUTEX_INITIALIZER, .initialized = true}

struct aws_mutex;

/** A mutex in the caller's memory; AWS_MUTEX_INIT or `aws_mutex_init` makes it usable. */
struct aws_mutex {
    pthread_mutex_t mutex_handle;
    bool initialized;
};

/**
 * Makes a mutex in the caller's memory; AWS_MUTEX_INIT does the same for static ones.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_MUTEX_FAILED, AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Ended with aws_mutex_clean_up(). The struct must not move meanwhile.
 */
int aws_mutex_init(struct aws_mutex *mutex);

/** Ends a mutex that nobody holds; NULL and a zeroed one are nothing. Any thread. */
void aws_mutex_clean_up(struct aws_mutex *mutex);

/**
 * Waits until this thread holds the mutex.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with an AWS_ERROR_MUTEX code or
 * AWS_ERROR_INVALID_ARGUMENT. A thread that holds it already waits for ever.
 */
int aws_mutex_lock(struct aws_mutex *mutex);

/**
 * Lets the mutex go.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with an AWS_ERROR_MUTEX code or
 * AWS_ERROR_INVALID_ARGUMENT. Only for the thread that holds it.
 */
int aws_mutex_unlock(struct aws_mutex *mutex);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_MUTEX_H */
