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
struct aws_array_list;
struct aws_byte_buf;
struct aws_byte_cursor;

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

/** A view of `len` bytes at `ptr`, owned by somebody else. Not ended by a zero. */
struct aws_byte_cursor {
    size_t len;
    uint8_t *ptr;
};

/**
 * Makes an empty buffer with room for `capacity` bytes.
 *
 * `buf`: written, whatever it held. `allocator`: borrowed, must outlive the buffer. `capacity`: may
 * be 0; nothing is allocated then.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT, `buf`
 * being zeroed. Freed with aws_byte_buf_clean_up(). Any thread.
 */
int aws_byte_buf_init(struct aws_byte_buf *buf, struct aws_allocator *allocator, size_t capacity);

/**
 * Makes a buffer that is a copy of another, with the same capacity.
 *
 * `dest`: written. `allocator`: borrowed, must outlive `dest`. `src`: borrowed for the call.
 * Returns as aws_byte_buf_init(). Any thread.
 */
int aws_byte_buf_init_copy(
    struct aws_byte_buf *dest,
    struct aws_allocator *allocator,
    const struct aws_byte_buf *src);

/**
 * Makes a buffer with a copy of a cursor's bytes, and no room beyond them.
 *
 * `dest`: written. `allocator`: borrowed, must outlive `dest`. `src`: borrowed for the call.
 * Returns as aws_byte_buf_init(). Any thread.
 */
int aws_byte_buf_init_copy_from_cursor(
    struct aws_byte_buf *dest,
    struct aws_allocator *allocator,
    struct aws_byte_cursor src);

/**
 * Copies the bytes of several cursors into one new buffer and lets the cursors show the copies.
 *
 * `dest`: written. `allocator`: borrowed, must outlive `dest`. Then pointers to cursors, each
 * updated, and a NULL at the end. A cursor without bytes stays without bytes.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
 * AWS_ERROR_INVALID_ARGUMENT; no cursor is changed then. The buffer is freed with
 * aws_byte_buf_clean_up(), which ends the life of the cursors' bytes. Any thread.
 */
int aws_byte_buf_init_cache_and_update_cursors(
    struct aws_byte_buf *dest,
    struct aws_allocator *allocator,
    ...);

/**
 * Frees a buffer's block, if it is its own, and zeroes the struct. A second call does nothing.
 *
 * `buf`: NULL is nothing. Any thread.
 */
void aws_byte_buf_clean_up(struct aws_byte_buf *buf);

/**
 * Like aws_byte_buf_clean_up(), but overwrites the whole block with zeros first.
 *
 * `buf`: NULL is nothing. Any thread.
 */
void aws_byte_buf_clean_up_secure(struct aws_byte_buf *buf);

/**
 * Appends a cursor's bytes and lets the block grow where needed.
 *
 * `to`: a buffer with an allocator. `from`: borrowed for the call; its bytes may lie in `to`.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
 * AWS_ERROR_INVALID_ARGUMENT (a buffer that cannot grow), `to` being unchanged. Pointers into the
 * old block are dead after success. Any thread, one at a time.
 */
int aws_byte_buf_append_dynamic(struct aws_byte_buf *to, const struct aws_byte_cursor *from);

/** Appends one byte and lets the block grow where needed; as aws_byte_buf_append_dynamic(). */
int aws_byte_buf_append_byte_dynamic(struct aws_byte_buf *buffer, uint8_t value);

/**
 * A buffer over a C string, which it does not own and cannot grow.
 *
 * `c_str`: borrowed as long as the result lives; NULL gives an empty buffer. Any thread.
 */
struct aws_byte_buf aws_byte_buf_from_c_str(const char *c_str);

/**
 * A buffer over `len` bytes in use, which it does not own and cannot grow.
 *
 * `bytes`: borrowed as long as the result lives; not looked at when `len` is 0. Any thread.
 */
struct aws_byte_buf aws_byte_buf_from_array(const void *bytes, size_t len);

/**
 * An empty buffer over `capacity` bytes of room, which it does not own and cannot grow.
 *
 * `bytes`: borrowed as long as the result lives; not looked at when `capacity` is 0. Any thread.
 */
struct aws_byte_buf aws_byte_buf_from_empty_array(const void *bytes, size_t capacity);

/**
 * A view of a buffer's bytes in use.
 *
 * `buf`: borrowed as long as the result lives; NULL gives an empty view. Any thread.
 */
struct aws_byte_cursor aws_byte_cursor_from_buf(const struct aws_byte_buf *buf);

/**
 * A view of a C string without its zero.
 *
 * `c_str`: borrowed as long as the result lives; NULL gives an empty view. Any thread.
 */
struct aws_byte_cursor aws_byte_cursor_from_c_str(const char *c_str);

/**
 * A view of `len` bytes.
 *
 * `bytes`: borrowed as long as the result lives; may be NULL when `len` is 0. Any thread.
 */
struct aws_byte_cursor aws_byte_cursor_from_array(const void *bytes, size_t len);

/**
 * Splits the first `len` bytes off a cursor.
 *
 * `cursor`: moved behind them. Returns the view of what was split off; an empty one with a NULL
 * pointer, the cursor being unchanged, when it has not so many. Any thread.
 */
struct aws_byte_cursor aws_byte_cursor_advance(struct aws_byte_cursor *cursor, size_t len);

/** Whether a cursor is not NULL and its pointer goes with its length. Any thread. */
bool aws_byte_cursor_is_valid(const struct aws_byte_cursor *cursor);

/**
 * Whether two cursors show the same bytes, ASCII letters counting alike in either case.
 *
 * `a`, `b`: borrowed for the call; NULL equals NULL only. Any thread.
 */
bool aws_byte_cursor_eq_ignore_case(
    const struct aws_byte_cursor *a,
    const struct aws_byte_cursor *b);

/**
 * Splits a view at each `split_on` and appends the pieces to a list.
 *
 * `input_str`: borrowed; the pieces are views of its bytes. An empty input is one empty piece, and
 * two separators in a row have an empty piece between them. `output`: a list of aws_byte_cursor;
 * what it holds already stays.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_LIST_EXCEEDS_MAX_SIZE or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_byte_cursor_split_on_char(
    const struct aws_byte_cursor *input_str,
    char split_on,
    struct aws_array_list *output);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_BYTE_BUF_H */
