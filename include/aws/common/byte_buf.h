/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/byte_buf.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_BYTE_BUF_H
#define AWS_COMMON_BYTE_BUF_H

#include <aws/common/array_list.h>
#include <aws/common/byte_order.h>
#include <aws/common/common.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The two printf arguments of PRInSTR for a cursor. */
#define AWS_BYTE_CURSOR_PRI(C) ((int)(C).len < 0 ? 0 : (int)(C).len), (const char *)(C).ptr
/** The two printf arguments of PRInSTR for a buffer. */
#define AWS_BYTE_BUF_PRI(B) ((int)(B).len < 0 ? 0 : (int)(B).len), (const char *)(B).buffer
/** Initialiser of a cursor over a string literal. */
#define AWS_BYTE_CUR_INIT_FROM_STRING_LITERAL(literal) \
    {.len = sizeof(literal) - 1, .ptr = (uint8_t *)(const char *)(literal)}

struct aws_allocator;

/** A view of `len` bytes at `ptr`, owned by somebody else. Not ended by a zero. */
struct aws_byte_cursor {
    size_t len;
    uint8_t *ptr;
};

/**
 * Bytes `buffer[..len]` of a block of `capacity` bytes. `allocator` is NULL where the block is not
 * the buffer's own, which then can neither grow nor be freed through it.
 */
struct aws_byte_buf {
    /** Bytes in use. */
    size_t len;
    uint8_t *buffer;
    /** Bytes the block holds. */
    size_t capacity;
    /** Where the block came from, or NULL. */
    struct aws_allocator *allocator;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_BYTE_BUF_H */
