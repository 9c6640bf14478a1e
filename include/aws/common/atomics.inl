/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/atomics.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ATOMICS_INL
#define AWS_COMMON_ATOMICS_INL

#include <aws/common/atomics.h>
#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The same with sequential consistency. */

/** Reads the variable. */
AWS_STATIC_IMPL size_t aws_atomic_load_int(volatile const struct aws_atomic_var *var) {
    return aws_atomic_load_int_explicit(var, aws_memory_order_seq_cst);
}

/** Writes the variable. */
AWS_STATIC_IMPL void aws_atomic_store_int(volatile struct aws_atomic_var *var, size_t n) {
    aws_atomic_store_int_explicit(var, n, aws_memory_order_seq_cst);
}

/** Writes the variable and returns what it held. */
AWS_STATIC_IMPL size_t aws_atomic_exchange_int(volatile struct aws_atomic_var *var, size_t n) {
    return aws_atomic_exchange_int_explicit(var, n, aws_memory_order_seq_cst);
}

/** Writes `desired` where the variable holds `*expected`; otherwise `*expected` is what it held. */
AWS_STATIC_IMPL bool aws_atomic_compare_exchange_int(
    volatile struct aws_atomic_var *var,
    size_t *expected,
    size_t desired) {
    return aws_atomic_compare_exchange_int_explicit(var, expected, desired, aws_memory_order_seq_cst, aws_memory_order_seq_cst);
}

/** Reads the variable. */
AWS_STATIC_IMPL void *aws_atomic_load_ptr(volatile const struct aws_atomic_var *var) {
    return aws_atomic_load_ptr_explicit(var, aws_memory_order_seq_cst);
}

/** Writes the variable. */
AWS_STATIC_IMPL void aws_atomic_store_ptr(volatile struct aws_atomic_var *var, void *p) {
    aws_atomic_store_ptr_explicit(var, p, aws_memory_order_seq_cst);
}

/** Writes the variable and returns what it held. */
AWS_STATIC_IMPL void *aws_atomic_exchange_ptr(volatile struct aws_atomic_var *var, void *p) {
    return aws_atomic_exchange_ptr_explicit(var, p, aws_memory_order_seq_cst);
}

/** Writes `desired` where the variable holds `*expected`; otherwise `*expected` is what it held. */
AWS_STATIC_IMPL bool aws_atomic_compare_exchange_ptr(
    volatile struct aws_atomic_var *var,
    void **expected,
    void *desired) {
    return aws_atomic_compare_exchange_ptr_explicit(var, expected, desired, aws_memory_order_seq_cst, aws_memory_order_seq_cst);
}

/** `add` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_add(volatile struct aws_atomic_var *var, size_t n) {
    return aws_atomic_fetch_add_explicit(var, n, aws_memory_order_seq_cst);
}

/** `sub` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_sub(volatile struct aws_atomic_var *var, size_t n) {
    return aws_atomic_fetch_sub_explicit(var, n, aws_memory_order_seq_cst);
}

/** `and` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_and(volatile struct aws_atomic_var *var, size_t n) {
    return aws_atomic_fetch_and_explicit(var, n, aws_memory_order_seq_cst);
}

/** `or` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_or(volatile struct aws_atomic_var *var, size_t n) {
    return aws_atomic_fetch_or_explicit(var, n, aws_memory_order_seq_cst);
}

/** `xor` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_xor(volatile struct aws_atomic_var *var, size_t n) {
    return aws_atomic_fetch_xor_explicit(var, n, aws_memory_order_seq_cst);
}

#ifdef __cplusplus
}
#endif

#include <aws/common/atomics_gnu.inl>

#endif /* AWS_COMMON_ATOMICS_INL */
