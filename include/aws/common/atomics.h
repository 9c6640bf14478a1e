/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/atomics.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ATOMICS_H
#define AWS_COMMON_ATOMICS_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AWS_ATOMIC_VAR_PTRVAL(var) ((var)->value)
#define AWS_ATOMIC_VAR_INTVAL(var) (*(aws_atomic_impl_int_t *)(var))
#define AWS_ATOMIC_INIT_INT(x) {.value = (void *)(uintptr_t)(x)}
#define AWS_ATOMIC_INIT_PTR(x) {.value = (void *)(x)}

/** The number a variable holds; it shares its place with the pointer. */
typedef size_t aws_atomic_impl_int_t;

/** Order between an atomic operation and the memory accesses around it. */
enum aws_memory_order {
    /** None; the operation itself is whole. */
    aws_memory_order_relaxed = 0,
    /** Nothing after a load moves before it. */
    aws_memory_order_acquire = 2,
    /** Nothing before a store moves behind it. */
    aws_memory_order_release = 3,
    /** Both. */
    aws_memory_order_acq_rel = 4,
    /** Both, and all threads see all such operations in one order. */
    aws_memory_order_seq_cst = 5,
};

/** An atomic integer or pointer. C reads and writes it only through `aws_atomic_*`. */
struct aws_atomic_var {
    void *value;
};

#ifdef __cplusplus
}
#endif

#include <aws/common/atomics.inl>

#endif /* AWS_COMMON_ATOMICS_H */
