/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/cross_process_lock.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_CROSS_PROCESS_LOCK_H
#define AWS_COMMON_CROSS_PROCESS_LOCK_H

#include <aws/common/byte_buf.h>
#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_byte_cursor;
struct aws_cross_process_lock;

/** A lock that is held. */
struct aws_cross_process_lock;

/**
 * Tries to take the lock called `instance_nonce`; does not wait.
 *
 * `allocator`: borrowed, must outlive the lock. `instance_nonce`: a name without slashes, borrowed
 * for the call.
 * Returns NULL with AWS_ERROR_MUTEX_CALLER_NOT_OWNER where somebody holds it,
 * AWS_ERROR_INVALID_ARGUMENT for a bad name, or what opening the file raised. Given back with
 * aws_cross_process_lock_release(), or by the end of the process. Any thread.
 */
struct aws_cross_process_lock *aws_cross_process_lock_try_acquire(
    struct aws_allocator *allocator,
    struct aws_byte_cursor instance_nonce);

/** Gives a lock back; NULL is nothing. Any thread. */
void aws_cross_process_lock_release(struct aws_cross_process_lock *instance_lock);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_CROSS_PROCESS_LOCK_H */
