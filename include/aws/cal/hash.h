/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/cal/hash.rs; `make headers` writes it anew. */
#ifndef AWS_CAL_HASH_H
#define AWS_CAL_HASH_H

#include <aws/cal/exports.h>
#include <aws/common/byte_buf.h>
#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a SHA-512 digest. */
#define AWS_SHA512_LEN 64

/** Bytes of a SHA-256 digest. */
#define AWS_SHA256_LEN 32

/** Bytes of a SHA-1 digest. */
#define AWS_SHA1_LEN 20

/** Bytes of an MD5 digest. */
#define AWS_MD5_LEN 16

struct aws_allocator;
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_hash;
struct aws_hash_vtable;

/** Makes a hash. */
typedef struct aws_hash *(aws_hash_new_fn)(struct aws_allocator *allocator);

/** What a hash does. Called by one thread at a time for one hash. */
struct aws_hash_vtable {
    /** Name of the algorithm, such as `SHA256`. */
    const char *alg_name;
    /** Who made the code. */
    const char *provider;
    /** Frees the hash. */
    void (*destroy)(struct aws_hash *hash);
    /** Takes more bytes in. */
    int (*update)(struct aws_hash *hash, const struct aws_byte_cursor *buf);
    /**
     * Appends the digest to `out`, which is not grown; the hash takes no more bytes afterwards.
     */
    int (*finalize)(struct aws_hash *hash, struct aws_byte_buf *out);
};

/** A digest in progress. */
struct aws_hash {
    /** Where the hash came from. */
    struct aws_allocator *allocator;
    struct aws_hash_vtable *vtable;
    /** Bytes of the digest. */
    size_t digest_size;
    /** Whether the hash still takes bytes: until finalize, or an error. */
    bool good;
    /** The implementation's own state. */
    void *impl;
};

/**
 * Makes a SHA-256 hash.
 *
 * `allocator`: borrowed, must outlive the hash.
 * Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
struct aws_hash *aws_sha256_new(struct aws_allocator *allocator);

/**
 * Makes a SHA-1 hash; otherwise as aws_sha256_new().
 *
 * `allocator`: borrowed, must outlive the hash.
 * Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
struct aws_hash *aws_sha1_new(struct aws_allocator *allocator);

/**
 * Makes a SHA-512 hash; otherwise as aws_sha256_new().
 *
 * `allocator`: borrowed, must outlive the hash.
 * Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
struct aws_hash *aws_sha512_new(struct aws_allocator *allocator);

/**
 * Makes an MD5 hash; otherwise as aws_sha256_new(). Good for checking, not for security.
 *
 * `allocator`: borrowed, must outlive the hash.
 * Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
struct aws_hash *aws_md5_new(struct aws_allocator *allocator);

/**
 * Frees a hash, whether it was finalized or not.
 *
 * `hash`: given up; may be NULL. One thread at a time.
 */
void aws_hash_destroy(struct aws_hash *hash);

/**
 * Takes more bytes in; may be called any number of times.
 *
 * `hash`: borrowed. `to_hash`: borrowed for the call.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_STATE after finalize or an error,
 * or AWS_ERROR_INVALID_ARGUMENT. One thread at a time.
 */
int aws_hash_update(struct aws_hash *hash, const struct aws_byte_cursor *to_hash);

/**
 * Appends the digest to `output` and ends the hash.
 *
 * `hash`: borrowed; still to be destroyed. `output`: must have room, it is not grown.
 * `truncate_to`: only so many bytes of the digest; 0 or more than the digest: all of it.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_SHORT_BUFFER (nothing is lost, call again
 * with more room), AWS_ERROR_INVALID_STATE where it was finalized before, or
 * AWS_ERROR_INVALID_ARGUMENT. One thread at a time.
 */
int aws_hash_finalize(struct aws_hash *hash, struct aws_byte_buf *output, size_t truncate_to);

#ifdef __cplusplus
}
#endif

#endif /* AWS_CAL_HASH_H */
