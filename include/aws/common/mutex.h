/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/mutex.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_MUTEX_H
#define AWS_COMMON_MUTEX_H

#include <aws/common/common.h>

#include <pthread.h>

/** Initialiser of a mutex. */
#define AWS_MUTEX_INIT {.mutex_handle = PTHREAD_MUTEX_INITIALIZER, .initialized = true}

#endif /* AWS_COMMON_MUTEX_H */
