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

/** A mutex in the caller's memory; AWS_MUTEX_INIT or `aws_mutex_init` makes it usable. */
struct aws_mutex {
    pthread_mutex_t mutex_handle;
    bool initialized;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_MUTEX_H */
