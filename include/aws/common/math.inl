/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/math.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_MATH_INL
#define AWS_COMMON_MATH_INL

#include <aws/common/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero bits at either end of a number; all its bits where the number is zero. */

/** Number of leading zero bits. */
AWS_STATIC_IMPL size_t aws_clz_u32(uint32_t n) {
    return n == 0 ? 32 : (size_t)__builtin_clz((uint32_t)n);
}

/** Number of leading zero bits. */
AWS_STATIC_IMPL size_t aws_clz_i32(int32_t n) {
    return n == 0 ? 32 : (size_t)__builtin_clz((uint32_t)n);
}

/** Number of leading zero bits. */
AWS_STATIC_IMPL size_t aws_clz_u64(uint64_t n) {
    return n == 0 ? 64 : (size_t)__builtin_clzll((uint64_t)n);
}

/** Number of leading zero bits. */
AWS_STATIC_IMPL size_t aws_clz_i64(int64_t n) {
    return n == 0 ? 64 : (size_t)__builtin_clzll((uint64_t)n);
}

/** Number of leading zero bits. */
AWS_STATIC_IMPL size_t aws_clz_size(size_t n) {
    return n == 0 ? 64 : (size_t)__builtin_clzll((uint64_t)n);
}

/** Number of trailing zero bits. */
AWS_STATIC_IMPL size_t aws_ctz_u32(uint32_t n) {
    return n == 0 ? 32 : (size_t)__builtin_ctz((uint32_t)n);
}

/** Number of trailing zero bits. */
AWS_STATIC_IMPL size_t aws_ctz_i32(int32_t n) {
    return n == 0 ? 32 : (size_t)__builtin_ctz((uint32_t)n);
}

/** Number of trailing zero bits. */
AWS_STATIC_IMPL size_t aws_ctz_u64(uint64_t n) {
    return n == 0 ? 64 : (size_t)__builtin_ctzll((uint64_t)n);
}

/** Number of trailing zero bits. */
AWS_STATIC_IMPL size_t aws_ctz_i64(int64_t n) {
    return n == 0 ? 64 : (size_t)__builtin_ctzll((uint64_t)n);
}

/** Number of trailing zero bits. */
AWS_STATIC_IMPL size_t aws_ctz_size(size_t n) {
    return n == 0 ? 64 : (size_t)__builtin_ctzll((uint64_t)n);
}
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
/** The difference of `a` and `b`, or 0 where `b` is the larger. */
AWS_STATIC_IMPL uint64_t aws_sub_u64_saturating(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

/** The difference of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_sub_u64_checked(uint64_t a, uint64_t b, uint64_t *r) {
    if (b > a) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = a - b;
    return AWS_OP_SUCCESS;
}

/** The difference of `a` and `b`, or 0 where `b` is the larger. */
AWS_STATIC_IMPL uint32_t aws_sub_u32_saturating(uint32_t a, uint32_t b) {
    return a > b ? a - b : 0;
}

/** The difference of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_sub_u32_checked(uint32_t a, uint32_t b, uint32_t *r) {
    if (b > a) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = a - b;
    return AWS_OP_SUCCESS;
}

/** The difference of `a` and `b`, or 0 where `b` is the larger. */
AWS_STATIC_IMPL size_t aws_sub_size_saturating(size_t a, size_t b) {
    return a > b ? a - b : 0;
}

/** The difference of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_sub_size_checked(size_t a, size_t b, size_t *r) {
    if (b > a) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = a - b;
    return AWS_OP_SUCCESS;
}

/** The product of `a` and `b`, or SIZE_MAX. */
AWS_STATIC_IMPL size_t aws_mul_size_saturating(size_t a, size_t b) {
    size_t r;
    return __builtin_mul_overflow(a, b, &r) ? SIZE_MAX : r;
}

/** The product of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_mul_size_checked(size_t a, size_t b, size_t *r) {
    size_t value;
    if (__builtin_mul_overflow(a, b, &value)) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = value;
    return AWS_OP_SUCCESS;
}

/** The sum of `a` and `b`, or SIZE_MAX. */
AWS_STATIC_IMPL size_t aws_add_size_saturating(size_t a, size_t b) {
    size_t r;
    return __builtin_add_overflow(a, b, &r) ? SIZE_MAX : r;
}

/** The sum of `a` and `b` in `*r`, or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_add_size_checked(size_t a, size_t b, size_t *r) {
    size_t value;
    if (__builtin_add_overflow(a, b, &value)) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *r = value;
    return AWS_OP_SUCCESS;
}

/** Whether exactly one bit is set. */
AWS_STATIC_IMPL bool aws_is_power_of_two(const size_t x) {
    return x != 0 && (x & (x - 1)) == 0;
}

/** The smallest power of two not below `n` (1 for 0), or AWS_ERROR_OVERFLOW_DETECTED. */
AWS_STATIC_IMPL int aws_round_up_to_power_of_two(size_t n, size_t *result) {
    if (n > SIZE_MAX_POWER_OF_TWO) {
        return aws_raise_error(AWS_ERROR_OVERFLOW_DETECTED);
    }
    *result = n < 2 ? 1 : (size_t)1 << (SIZE_BITS - aws_clz_size(n - 1));
    return AWS_OP_SUCCESS;
}

/** The smaller of the two. */
AWS_STATIC_IMPL uint8_t aws_min_u8(uint8_t a, uint8_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL uint8_t aws_max_u8(uint8_t a, uint8_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL int8_t aws_min_i8(int8_t a, int8_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL int8_t aws_max_i8(int8_t a, int8_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL uint16_t aws_min_u16(uint16_t a, uint16_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL uint16_t aws_max_u16(uint16_t a, uint16_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL int16_t aws_min_i16(int16_t a, int16_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL int16_t aws_max_i16(int16_t a, int16_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL uint32_t aws_min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL uint32_t aws_max_u32(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL int32_t aws_min_i32(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL int32_t aws_max_i32(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL uint64_t aws_min_u64(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL uint64_t aws_max_u64(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL int64_t aws_min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL int64_t aws_max_i64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL size_t aws_min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL size_t aws_max_size(size_t a, size_t b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL int aws_min_int(int a, int b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL int aws_max_int(int a, int b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL float aws_min_float(float a, float b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL float aws_max_float(float a, float b) {
    return a > b ? a : b;
}

/** The smaller of the two. */
AWS_STATIC_IMPL double aws_min_double(double a, double b) {
    return a < b ? a : b;
}

/** The larger of the two. */
AWS_STATIC_IMPL double aws_max_double(double a, double b) {
    return a > b ? a : b;
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_MATH_INL */
