/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/string.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_STRING_H
#define AWS_COMMON_STRING_H

#include <aws/common/byte_buf.h>
#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;

/**
 * `len` bytes and a zero behind them, in the block of the struct itself. `allocator` is NULL for
 * strings in static memory, which are never freed.
 */
struct aws_string {
    struct aws_allocator *allocator;
    size_t len;
    /** The first byte; `len` of them follow one another, then a zero. */
    uint8_t bytes[1];
};

#define AWS_STRING_PRIV_LITERAL(name, literal)       \
    static const struct {                            \
        struct aws_allocator *const allocator;       \
        const size_t len;                            \
        const uint8_t bytes[sizeof(literal)];        \
    } name##_s = {NULL, sizeof(literal) - 1, literal}

/** A string over a literal, for this file; it has no allocator and is never freed. */
#define AWS_STATIC_STRING_FROM_LITERAL(name, literal) \
    AWS_STRING_PRIV_LITERAL(name, literal);           \
    static const struct aws_string *name = (const struct aws_string *)(&name##_s)

/** The same, visible to other files. */
#define AWS_STRING_FROM_LITERAL(name, literal) \
    AWS_STRING_PRIV_LITERAL(name, literal);    \
    const struct aws_string *name = (const struct aws_string *)(&name##_s)

#ifdef __cplusplus
}
#endif

#include <aws/common/string.inl>

#endif /* AWS_COMMON_STRING_H */
