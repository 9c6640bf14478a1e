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
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_string;

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

/**
 * A copy of a C string.
 *
 * `allocator`: borrowed, must outlive the string. `c_str`: borrowed for the call.
 * Returns NULL with AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Freed with aws_string_destroy().
 * Any thread.
 */
struct aws_string *aws_string_new_from_c_str(struct aws_allocator *allocator, const char *c_str);

/**
 * A copy of `len` bytes, which may hold zeros.
 *
 * `bytes`: borrowed for the call; not looked at when `len` is 0. Else as
 * aws_string_new_from_c_str().
 */
struct aws_string *aws_string_new_from_array(
    struct aws_allocator *allocator,
    const uint8_t *bytes,
    size_t len);

/**
 * A copy of what a cursor shows.
 *
 * `cursor`: borrowed for the call. Else as aws_string_new_from_c_str().
 */
struct aws_string *aws_string_new_from_cursor(
    struct aws_allocator *allocator,
    const struct aws_byte_cursor *cursor);

/**
 * A copy of a buffer's bytes in use.
 *
 * `buf`: borrowed for the call. Else as aws_string_new_from_c_str().
 */
struct aws_string *aws_string_new_from_buf(
    struct aws_allocator *allocator,
    const struct aws_byte_buf *buf);

/**
 * A string that may be kept: a copy, or the string itself where it lives for ever.
 *
 * `allocator`: for the copy; may be NULL for a static string. `str`: borrowed.
 * Returns as aws_string_new_from_c_str(); the result is given to aws_string_destroy() either way.
 */
struct aws_string *aws_string_clone_or_reuse(
    struct aws_allocator *allocator,
    const struct aws_string *str);

/** Frees a string; NULL and static strings are nothing. Any thread. */
void aws_string_destroy(struct aws_string *str);

/** Like aws_string_destroy(), but overwrites the text with zeros first. */
void aws_string_destroy_secure(struct aws_string *str);

/** Whether a string and a C string have the same bytes; NULL equals NULL only. Any thread. */
bool aws_string_eq_c_str(const struct aws_string *str, const char *c_str);

/**
 * A view of a string's text.
 *
 * `src`: borrowed as long as the result lives; NULL gives an empty view. Any thread.
 */
struct aws_byte_cursor aws_byte_cursor_from_string(const struct aws_string *src);

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
