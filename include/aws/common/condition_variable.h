/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/condition_variable.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_CONDITION_VARIABLE_H
#define AWS_COMMON_CONDITION_VARIABLE_H

#include <aws/common/common.h>

#include <pthread.h>

/** Initialiser of a condition variable. */
#define AWS_CONDITION_VARIABLE_INIT {.condition_handle = PTHREAD_COND_INITIALIZER, .initialized = true}

#endif /* AWS_COMMON_CONDITION_VARIABLE_H */
