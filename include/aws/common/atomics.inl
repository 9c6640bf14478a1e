/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/atomics.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ATOMICS_INL
#define AWS_COMMON_ATOMICS_INL

#include <aws/common/atomics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Gives a new variable its number; no other thread may see it yet. */
AWS_STATIC_IMPL void aws_atomic_init_int(volatile struct aws_atomic_var *var, size_t n) {
    AWS_ATOMIC_VAR_INTVAL(var) = n;
}

/** Gives a new variable its pointer; no other thread may see it yet. */
AWS_STATIC_IMPL void aws_atomic_init_ptr(volatile struct aws_atomic_var *var, void *p) {
    AWS_ATOMIC_VAR_PTRVAL(var) = p;
}

/** The compiler's number of an order. */
AWS_STATIC_IMPL int aws_atomic_priv_xlate_order(enum aws_memory_order order) {
    switch (order) {
        case aws_memory_order_relaxed:
            return __ATOMIC_RELAXED;
        case aws_memory_order_acquire:
            return __ATOMIC_ACQUIRE;
        case aws_memory_order_release:
            return __ATOMIC_RELEASE;
        case aws_memory_order_acq_rel:
            return __ATOMIC_ACQ_REL;
        default:
            return __ATOMIC_SEQ_CST;
    }
}

/** Reads the variable. */
AWS_STATIC_IMPL size_t aws_atomic_load_int_explicit(
    volatile const struct aws_atomic_var *var,
    enum aws_memory_order memory_order) {
    return __atomic_load_n(&AWS_ATOMIC_VAR_INTVAL(var), aws_atomic_priv_xlate_order(memory_order));
}

/** Writes the variable. */
AWS_STATIC_IMPL void aws_atomic_store_int_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order memory_order) {
    __atomic_store_n(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(memory_order));
}

/** Writes the variable and returns what it held. */
AWS_STATIC_IMPL size_t aws_atomic_exchange_int_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order memory_order) {
    return __atomic_exchange_n(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(memory_order));
}

/** Writes `desired` where the variable holds `*expected`; otherwise `*expected` is what it held. */
AWS_STATIC_IMPL bool aws_atomic_compare_exchange_int_explicit(
    volatile struct aws_atomic_var *var,
    size_t *expected,
    size_t desired,
    enum aws_memory_order order_success,
    enum aws_memory_order order_failure) {
    return __atomic_compare_exchange_n(
        &AWS_ATOMIC_VAR_INTVAL(var),
        expected,
        desired,
        false,
        aws_atomic_priv_xlate_order(order_success),
        aws_atomic_priv_xlate_order(order_failure));
}

/** Reads the variable. */
AWS_STATIC_IMPL void *aws_atomic_load_ptr_explicit(
    volatile const struct aws_atomic_var *var,
    enum aws_memory_order memory_order) {
    return __atomic_load_n(&AWS_ATOMIC_VAR_PTRVAL(var), aws_atomic_priv_xlate_order(memory_order));
}

/** Writes the variable. */
AWS_STATIC_IMPL void aws_atomic_store_ptr_explicit(
    volatile struct aws_atomic_var *var,
    void *p,
    enum aws_memory_order memory_order) {
    __atomic_store_n(&AWS_ATOMIC_VAR_PTRVAL(var), p, aws_atomic_priv_xlate_order(memory_order));
}

/** Writes the variable and returns what it held. */
AWS_STATIC_IMPL void *aws_atomic_exchange_ptr_explicit(
    volatile struct aws_atomic_var *var,
    void *p,
    enum aws_memory_order memory_order) {
    return __atomic_exchange_n(&AWS_ATOMIC_VAR_PTRVAL(var), p, aws_atomic_priv_xlate_order(memory_order));
}

/** Writes `desired` where the variable holds `*expected`; otherwise `*expected` is what it held. */
AWS_STATIC_IMPL bool aws_atomic_compare_exchange_ptr_explicit(
    volatile struct aws_atomic_var *var,
    void **expected,
    void *desired,
    enum aws_memory_order order_success,
    enum aws_memory_order order_failure) {
    return __atomic_compare_exchange_n(
        &AWS_ATOMIC_VAR_PTRVAL(var),
        expected,
        desired,
        false,
        aws_atomic_priv_xlate_order(order_success),
        aws_atomic_priv_xlate_order(order_failure));
}

/** `add` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_add_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order order) {
    return __atomic_fetch_add(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(order));
}

/** `sub` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_sub_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order order) {
    return __atomic_fetch_sub(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(order));
}

/** `or` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_or_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order order) {
    return __atomic_fetch_or(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(order));
}

/** `and` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_and_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order order) {
    return __atomic_fetch_and(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(order));
}

/** `xor` on the variable; returns what it held before. */
AWS_STATIC_IMPL size_t aws_atomic_fetch_xor_explicit(
    volatile struct aws_atomic_var *var,
    size_t n,
    enum aws_memory_order order) {
    return __atomic_fetch_xor(&AWS_ATOMIC_VAR_INTVAL(var), n, aws_atomic_priv_xlate_order(order));
}

/** A fence of the given order. */
AWS_STATIC_IMPL void aws_atomic_thread_fence(enum aws_memory_order order) {
    __atomic_thread_fence(aws_atomic_priv_xlate_order(order));
}

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

#endif /* AWS_COMMON_ATOMICS_INL */
