/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3fast.rs; `make headers` writes it anew. */
#ifndef S3FAST_S3FAST_H
#define S3FAST_S3FAST_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of an MD5 digest. */
#define S3FAST_MD5_LEN 16

/** The version's first number; a change of it may break callers. */
#define S3FAST_VERSION_MAJOR 0

/** The version's second number. */
#define S3FAST_VERSION_MINOR 1

/** The version's third number. */
#define S3FAST_VERSION_PATCH 0

struct aws_allocator;
struct aws_byte_cursor;
struct s3fast_md5;

/** An MD5 in progress. Used by one thread at a time. */
struct s3fast_md5;

/**
 * Computes the MD5 of each of several messages, up to 32 at once, on the calling thread.
 *
 * `messages`: `count` cursors, borrowed for the call, as are the bytes behind them; an empty cursor
 * is the empty message. `count`: may be 0, then both pointers are ignored.
 * `digests`: room for `count` times S3FAST_MD5_LEN bytes; written on success only, in the order of
 * the messages.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int s3fast_md5_batch(const struct aws_byte_cursor *messages, size_t count, uint8_t *digests);

/**
 * Makes an MD5 of a message whose bytes come in pieces.
 *
 * `allocator`: borrowed, must outlive the MD5.
 * Returns the MD5, freed with s3fast_md5_destroy(), or NULL with AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
struct s3fast_md5 *s3fast_md5_new(struct aws_allocator *allocator);

/** The version of the library that is loaded, such as "0.1.0". Static text. Any thread. */
const char *s3fast_version(void);

/**
 * Frees an MD5.
 *
 * `md5`: given up; may be NULL. Any thread, while no other uses it.
 */
void s3fast_md5_destroy(struct s3fast_md5 *md5);

/**
 * Takes the next bytes of a message.
 *
 * `md5`: borrowed. `data`: borrowed for the call; may be empty.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread, one at a time.
 */
int s3fast_md5_update(struct s3fast_md5 *md5, struct aws_byte_cursor data);

/**
 * Takes the next bytes of each of several messages, computed side by side on the calling thread:
 * about as fast for all of them as s3fast_md5_update() is for one.
 *
 * `md5s`: `count` different MD5s, borrowed. `data`: `count` cursors, one for each MD5, borrowed for
 * the call as are the bytes behind them; they may be empty and of different lengths.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT, also when an MD5 is named
 * twice; then none has taken anything. Any thread, one at a time for each MD5.
 */
int s3fast_md5_update_many(
    struct s3fast_md5 *const *md5s,
    const struct aws_byte_cursor *data,
    size_t count);

/**
 * Ends a message and starts the next one: the MD5 can be used again.
 *
 * `md5`: borrowed. `digest`: room for S3FAST_MD5_LEN bytes.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread, one at a time.
 */
int s3fast_md5_finish(struct s3fast_md5 *md5, uint8_t *digest);

#ifdef __cplusplus
}
#endif

#endif /* S3FAST_S3FAST_H */
