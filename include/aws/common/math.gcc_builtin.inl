/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/math.gcc_builtin.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_MATH_GCC_BUILTIN_INL
#define AWS_COMMON_MATH_GCC_BUILTIN_INL

#include <aws/common/common.h>
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

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_MATH_GCC_BUILTIN_INL */
