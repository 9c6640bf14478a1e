/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/condition_variable.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_CONDITION_VARIABLE_H
#define AWS_COMMON_CONDITION_VARIABLE_H

#include <aws/common/common.h>

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Initialiser of a condition variable. */
#define AWS_CONDITION_VARIABLE_INIT {.condition_handle = PTHREAD_COND_INITIALIZER, .initialized = true}

struct aws_condition_variable;
struct aws_mutex;

/** Whether what the caller waits for has come; called with the mutex held. */
typedef bool (aws_condition_predicate_fn)(void *pred_ctx);

/** A condition variable in the caller's memory. */
struct aws_condition_variable {
    pthread_cond_t condition_handle;
    bool initialized;
};

/**
 * Makes a condition variable in the caller's memory; AWS_CONDITION_VARIABLE_INIT does the same.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_COND_VARIABLE_INIT_FAILED. Ended with
 * aws_condition_variable_clean_up(). The struct must not move meanwhile. Any thread.
 */
int aws_condition_variable_init(struct aws_condition_variable *condition_variable);

/**
 * Ends a condition variable that nobody waits on; NULL and a zeroed one are nothing. Any thread.
 */
void aws_condition_variable_clean_up(struct aws_condition_variable *condition_variable);

/**
 * Wakes one of the threads that wait, if there are any.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread, with or without the mutex.
 */
int aws_condition_variable_notify_one(struct aws_condition_variable *condition_variable);

/** Wakes all threads that wait; as aws_condition_variable_notify_one(). */
int aws_condition_variable_notify_all(struct aws_condition_variable *condition_variable);

/**
 * Waits until a predicate holds.
 *
 * `mutex`: held by this thread; let go while it sleeps, held again on return. `pred`: called with
 * `pred_ctx` on this thread with the mutex held, first before any sleep.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_condition_variable_wait_pred(
    struct aws_condition_variable *condition_variable,
    struct aws_mutex *mutex,
    aws_condition_predicate_fn *pred,
    void *pred_ctx);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_CONDITION_VARIABLE_H */
