/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/thread.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_THREAD_H
#define AWS_COMMON_THREAD_H

#include <aws/common/byte_buf.h>
#include <aws/common/string.h>

#include <pthread.h>

/** Longest thread name that the system keeps whole. */
#define AWS_THREAD_NAME_RECOMMENDED_STRLEN 15
/** Initialiser of an aws_thread_once. */
#define AWS_THREAD_ONCE_STATIC_INIT PTHREAD_ONCE_INIT
/** Room for a thread id as text. */
#define AWS_THREAD_ID_T_REPR_BUFSZ (sizeof(aws_thread_id_t) * 2 + 1)

#endif /* AWS_COMMON_THREAD_H */
