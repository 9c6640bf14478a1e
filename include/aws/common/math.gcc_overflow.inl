/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/math.gcc_overflow.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_MATH_GCC_OVERFLOW_INL
#define AWS_COMMON_MATH_GCC_OVERFLOW_INL

#include <aws/common/common.h>
#include <aws/common/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sums and products that cannot wrap unseen. `checked`: AWS_OP_ERR with
   AWS_ERROR_OVERFLOW_DETECTED, `*r` written only on success. `saturating`: the largest value. */

/** The product of `a` and `b`, or the largest value. */
AWS_STATIC_IMPL uint64_t aws_mul_u64_saturating(uint64_t a, uint64_t b) {
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? (uint64_t)-1 : r;
}

/** The product of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_mul_u64_checked(uint64_t a, uint64_t b, uint64_t *r) {
    uint64_t value;
    if (__builtin_mul_overflow(a, b, &value)) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = value;
    return AWS_OP_SUCCESS;
}

/** The sum of `a` and `b`, or the largest value. */
AWS_STATIC_IMPL uint64_t aws_add_u64_saturating(uint64_t a, uint64_t b) {
    uint64_t r;
    return __builtin_add_overflow(a, b, &r) ? (uint64_t)-1 : r;
}

/** The sum of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_add_u64_checked(uint64_t a, uint64_t b, uint64_t *r) {
    uint64_t value;
    if (__builtin_add_overflow(a, b, &value)) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = value;
    return AWS_OP_SUCCESS;
}

/** The product of `a` and `b`, or the largest value. */
AWS_STATIC_IMPL uint32_t aws_mul_u32_saturating(uint32_t a, uint32_t b) {
    uint32_t r;
    return __builtin_mul_overflow(a, b, &r) ? (uint32_t)-1 : r;
}

/** The product of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_mul_u32_checked(uint32_t a, uint32_t b, uint32_t *r) {
    uint32_t value;
    if (__builtin_mul_overflow(a, b, &value)) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = value;
    return AWS_OP_SUCCESS;
}

/** The sum of `a` and `b`, or the largest value. */
AWS_STATIC_IMPL uint32_t aws_add_u32_saturating(uint32_t a, uint32_t b) {
    uint32_t r;
    return __builtin_add_overflow(a, b, &r) ? (uint32_t)-1 : r;
}

/** The sum of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_add_u32_checked(uint32_t a, uint32_t b, uint32_t *r) {
    uint32_t value;
    if (__builtin_add_overflow(a, b, &value)) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = value;
    return AWS_OP_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_MATH_GCC_OVERFLOW_INL */
