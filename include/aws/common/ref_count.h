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

/**
 * A counter of references. `on_zero_fn` is called with `object` by the thread that gives up the
 * last one.
 */
struct aws_ref_count {
    struct aws_atomic_var ref_count;
    void *object;
    aws_simple_completion_callback *on_zero_fn;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_REF_COUNT_H */
