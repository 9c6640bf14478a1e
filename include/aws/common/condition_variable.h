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

/** A condition variable in the caller's memory. */
struct aws_condition_variable {
    pthread_cond_t condition_handle;
    bool initialized;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_CONDITION_VARIABLE_H */
