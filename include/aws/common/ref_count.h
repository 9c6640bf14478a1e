/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/ref_count.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_REF_COUNT_H
#define AWS_COMMON_REF_COUNT_H

#include <aws/common/common.h>
#include <aws/common/atomics.h>
#include <aws/common/shutdown_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_ref_count;

/**
 * A counter of references. `on_zero_fn` is called with `object` by the thread that gives up the
 * last one.
 */
struct aws_ref_count {
    struct aws_atomic_var ref_count;
    void *object;
    aws_simple_completion_callback *on_zero_fn;
};

/**
 * Sets a counter to one reference.
 *
 * `ref_count`: written. `object`: what is counted, kept. `on_zero_fn`: called with `object` by the
 * thread that gives up the last reference.
 */
void aws_ref_count_init(
    struct aws_ref_count *ref_count,
    void *object,
    aws_simple_completion_callback *on_zero_fn);

/** One more reference; returns the object counted. Only while a reference is held. Any thread. */
void *aws_ref_count_acquire(struct aws_ref_count *ref_count);

/**
 * Gives a reference back and returns how many are left. The last one calls the function given to
 * aws_ref_count_init() before this returns. Any thread.
 */
size_t aws_ref_count_release(struct aws_ref_count *ref_count);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_REF_COUNT_H */
