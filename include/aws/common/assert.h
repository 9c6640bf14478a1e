/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/assert.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ASSERT_H
#define AWS_COMMON_ASSERT_H

#include <aws/common/exports.h>
#include <aws/common/macros.h>

#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Ends the program: prints the condition, where it stood and the call stack to stderr, and aborts.
 *
 * Called by AWS_FATAL_ASSERT in the program's code; the library itself never calls it.
 * `cond_str`, `file`: C strings or NULL. Does not return. Any thread.
 */
void aws_fatal_assert(const char *cond_str, const char *file, int line);

#if defined(__GNUC__) || defined(__clang__)
#    define AWS_UNREACHABLE() __builtin_unreachable()
#else
#    define AWS_UNREACHABLE() abort()
#endif
#define AWS_ASSUME(cond) ((cond) ? (void)0 : AWS_UNREACHABLE())

/** Ends the program with a message where `cond` is false. */
#define AWS_FATAL_ASSERT(cond)                           \
    do {                                                 \
        if (!(cond)) {                                   \
            aws_fatal_assert(#cond, __FILE__, __LINE__); \
        }                                                \
    } while (0)

/** AWS_FATAL_ASSERT in a program built with DEBUG_BUILD, nothing otherwise. */
#if defined(DEBUG_BUILD)
#    define AWS_ASSERT(cond) AWS_FATAL_ASSERT(cond)
#else
#    define AWS_ASSERT(cond)
#endif

#define AWS_PANIC_OOM(mem, msg)        \
    do {                               \
        if (!(mem)) {                  \
            fprintf(stderr, "%s", msg); \
            abort();                   \
        }                              \
    } while (0)

/* Conditions before and after a function: the plain ones follow AWS_ASSERT, the fatal ones always
 * hold, the error ones leave the function with an error raised. */
#define AWS_PRECONDITION1(cond) AWS_ASSERT(cond)
#define AWS_PRECONDITION2(cond, explanation) AWS_ASSERT(cond)
#define AWS_FATAL_PRECONDITION1(cond) AWS_FATAL_ASSERT(cond)
#define AWS_FATAL_PRECONDITION2(cond, explanation) AWS_FATAL_ASSERT(cond)
#define AWS_POSTCONDITION1(cond) AWS_ASSERT(cond)
#define AWS_POSTCONDITION2(cond, explanation) AWS_ASSERT(cond)
#define AWS_FATAL_POSTCONDITION1(cond) AWS_FATAL_ASSERT(cond)
#define AWS_FATAL_POSTCONDITION2(cond, explanation) AWS_FATAL_ASSERT(cond)
#define AWS_RETURN_ERROR_IF3(cond, err, explanation) \
    do {                                             \
        if (!(cond)) {                               \
            return aws_raise_error(err);             \
        }                                            \
    } while (0)
#define AWS_RETURN_ERROR_IF2(cond, err) AWS_RETURN_ERROR_IF3(cond, err, "")
#define AWS_ERROR_PRECONDITION3(cond, err, explanation) AWS_RETURN_ERROR_IF3(cond, err, explanation)
#define AWS_ERROR_PRECONDITION2(cond, err) AWS_RETURN_ERROR_IF3(cond, err, "")
#define AWS_ERROR_PRECONDITION1(cond) AWS_RETURN_ERROR_IF3(cond, AWS_ERROR_INVALID_ARGUMENT, "")
#define AWS_ERROR_POSTCONDITION3(cond, err, explanation) AWS_RETURN_ERROR_IF3(cond, err, explanation)
#define AWS_ERROR_POSTCONDITION2(cond, err) AWS_RETURN_ERROR_IF3(cond, err, "")
#define AWS_ERROR_POSTCONDITION1(cond) AWS_RETURN_ERROR_IF3(cond, AWS_ERROR_INVALID_ARGUMENT, "")
#define AWS_PRECONDITION(...) CALL_OVERLOAD(AWS_PRECONDITION, __VA_ARGS__)
#define AWS_FATAL_PRECONDITION(...) CALL_OVERLOAD(AWS_FATAL_PRECONDITION, __VA_ARGS__)
#define AWS_POSTCONDITION(...) CALL_OVERLOAD(AWS_POSTCONDITION, __VA_ARGS__)
#define AWS_FATAL_POSTCONDITION(...) CALL_OVERLOAD(AWS_FATAL_POSTCONDITION, __VA_ARGS__)
#define AWS_RETURN_ERROR_IF(...) CALL_OVERLOAD(AWS_RETURN_ERROR_IF, __VA_ARGS__)
#define AWS_ERROR_PRECONDITION(...) CALL_OVERLOAD(AWS_ERROR_PRECONDITION, __VA_ARGS__)
#define AWS_ERROR_POSTCONDITION(...) CALL_OVERLOAD(AWS_ERROR_POSTCONDITION, __VA_ARGS__)
#define AWS_RETURN_WITH_POSTCONDITION(value, ...) \
    do {                                          \
        AWS_POSTCONDITION(__VA_ARGS__);           \
        return value;                             \
    } while (0)
#define AWS_SUCCEED_WITH_POSTCONDITION(...) AWS_RETURN_WITH_POSTCONDITION(AWS_OP_SUCCESS, __VA_ARGS__)

#define AWS_MEM_IS_READABLE_CHECK(base, len) (((len) == 0) || (base))
#define AWS_MEM_IS_WRITABLE_CHECK(base, len) (((len) == 0) || (base))
#define AWS_MEM_IS_READABLE(base, len) (((len) == 0) || (base))
#define AWS_MEM_IS_WRITABLE(base, len) (((len) == 0) || (base))
#define AWS_OBJECT_PTR_IS_READABLE(ptr) ((ptr) != NULL)
#define AWS_OBJECT_PTR_IS_WRITABLE(ptr) ((ptr) != NULL)
#define AWS_IMPLIES(a, b) (!(a) || (b))
#define AWS_IFF(a, b) (!(a) == !(b))

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ASSERT_H */
