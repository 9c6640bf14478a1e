/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/macros.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_MACROS_H
#define AWS_COMMON_MACROS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kept as names: no warning needs to be switched off in these headers. */
#define AWS_PUSH_SANE_WARNING_LEVEL
#define AWS_POP_SANE_WARNING_LEVEL

#if defined(__cplusplus)
#    define AWS_EXTERN_C_BEGIN extern "C" {
#    define AWS_EXTERN_C_END }
#    define AWS_RESTRICT
#else
#    define AWS_EXTERN_C_BEGIN
#    define AWS_EXTERN_C_END
#    if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#        define AWS_RESTRICT restrict
#    else
#        define AWS_RESTRICT
#    endif
#endif

#define AWS_CONCAT(A, B) A##B
#define AWS_STATIC_ASSERT0(cond, msg) typedef char AWS_CONCAT(static_assertion_, msg)[(cond) ? 1 : -1]
#define AWS_STATIC_ASSERT1(cond, line) AWS_STATIC_ASSERT0(cond, AWS_CONCAT(at_line_, line))
/** Fails to compile where `cond` is false. */
#define AWS_STATIC_ASSERT(cond) AWS_STATIC_ASSERT1(cond, __LINE__)

/* Macros with one to five arguments: CALL_OVERLOAD(f, a, b) is f2(a, b). */
#define GLUE(x, y) x y
#define RETURN_ARG_COUNT(_1_, _2_, _3_, _4_, _5_, count, ...) count
#define EXPAND_ARGS(args) RETURN_ARG_COUNT args
#define COUNT_ARGS_MAX5(...) EXPAND_ARGS((__VA_ARGS__, 5, 4, 3, 2, 1, 0))
#define OVERLOAD_MACRO2(name, count) name##count
#define OVERLOAD_MACRO1(name, count) OVERLOAD_MACRO2(name, count)
#define OVERLOAD_MACRO(name, count) OVERLOAD_MACRO1(name, count)
#define CALL_OVERLOAD(name, ...) \
    GLUE(OVERLOAD_MACRO(name, COUNT_ARGS_MAX5(__VA_ARGS__)), (__VA_ARGS__))

enum {
    /** Bytes of a cache line. */
    AWS_CACHE_LINE = 64
};

/** printf format of a string with a length; give it AWS_BYTE_CURSOR_PRI or AWS_BYTE_BUF_PRI. */
#define PRInSTR "%.*s"

#if defined(__GNUC__) || defined(__clang__)
#    define AWS_ALIGNED_TYPEDEF(from, to, alignment) typedef from to __attribute__((aligned(alignment)))
#    define AWS_TYPE_OF(a) __typeof__(a)
#    define AWS_LIKELY(x) __builtin_expect(!!(x), 1)
#    define AWS_UNLIKELY(x) __builtin_expect(!!(x), 0)
#    define AWS_FORCE_INLINE __attribute__((always_inline))
#    define AWS_NO_INLINE __attribute__((noinline))
#    define AWS_ATTRIBUTE_NORETURN __attribute__((noreturn))
#    define AWS_ATTRIBUTE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#    define AWS_LIKELY(x) (x)
#    define AWS_UNLIKELY(x) (x)
#    define AWS_FORCE_INLINE
#    define AWS_NO_INLINE
#    define AWS_ATTRIBUTE_NORETURN
#    define AWS_ATTRIBUTE_PRINTF(text, first)
#endif
#define AWS_DECLSPEC_NORETURN
#if defined(__cplusplus)
#    define AWS_VARIABLE_LENGTH_ARRAY(type, name, length) \
        type *name = (type *)__builtin_alloca(sizeof(type) * (length))
#else
#    define AWS_VARIABLE_LENGTH_ARRAY(type, name, length) type name[length]
#endif
#define AWS_THREAD_LOCAL __thread

/* Functions that a sanitizer is to leave alone. */
#if defined(__clang__) && defined(__has_feature)
#    define AWS_SUPPRESS_ASAN __attribute__((no_sanitize("address")))
#    define AWS_SUPPRESS_HWASAN __attribute__((no_sanitize("hwaddress")))
#    define AWS_SUPPRESS_TSAN __attribute__((no_sanitize("thread")))
#    define AWS_SUPPRESS_UBSAN __attribute__((no_sanitize("undefined")))
#    define AWS_SUPPRESS_MSAN __attribute__((no_sanitize("memory")))
#elif defined(__GNUC__)
#    define AWS_SUPPRESS_ASAN __attribute__((no_sanitize_address))
#    define AWS_SUPPRESS_HWASAN
#    define AWS_SUPPRESS_TSAN __attribute__((no_sanitize_thread))
#    define AWS_SUPPRESS_UBSAN __attribute__((no_sanitize_undefined))
#    define AWS_SUPPRESS_MSAN
#else
#    define AWS_SUPPRESS_ASAN
#    define AWS_SUPPRESS_HWASAN
#    define AWS_SUPPRESS_TSAN
#    define AWS_SUPPRESS_UBSAN
#    define AWS_SUPPRESS_MSAN
#endif

/** Number of elements of an array. */
#define AWS_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
/** The struct around a member, from a pointer to the member. */
#define AWS_CONTAINER_OF(ptr, type, member) ((type *)((uint8_t *)(ptr) - offsetof(type, member)))

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_MACROS_H */
