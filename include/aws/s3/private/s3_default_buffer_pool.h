/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/private/s3_default_buffer_pool.rs; `make headers` writes it anew. */
#ifndef AWS_S3_PRIVATE_S3_DEFAULT_BUFFER_POOL_H
#define AWS_S3_PRIVATE_S3_DEFAULT_BUFFER_POOL_H

#include <aws/s3/s3_buffer_pool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_s3_buffer_pool;
struct aws_s3_default_buffer_pool_usage_stats;

/** Figures of the library's own pool, in bytes unless said otherwise. */
struct aws_s3_default_buffer_pool_usage_stats {
    /** What may be used at all. */
    size_t mem_limit;
    /** Largest size served from the segments. */
    size_t primary_cutoff;
    /** Smallest size served from the segments. */
    size_t primary_min_cutoff;
    /** Mapped for segments. */
    size_t primary_allocated;
    /** Number of mapped pieces. */
    size_t primary_num_blocks;
    /** Segments in use. */
    size_t primary_used;
    /** Promised to transfers and not yet in use. */
    size_t primary_reserved;
    /** Buffers in one piece, in use. */
    size_t secondary_used;
    /** Tickets not yet claimed. */
    size_t secondary_reserved;
    /** Held for special sizes, in use or not. */
    size_t special_blocks_allocated;
    /** Number of special sizes. */
    size_t special_blocks_num;
    /** Tickets of special sizes not yet claimed. */
    size_t special_blocks_reserved;
    /** Buffers of special sizes in use. */
    size_t special_blocks_used;
    /** In use by reservations that could not wait. Part of the figures above. */
    size_t forced_used;
};

/**
 * Figures of the library's own pool: what is used of its limit, and how. Zeros with
 * AWS_ERROR_INVALID_ARGUMENT for NULL and for a caller's pool. Any thread.
 */
struct aws_s3_default_buffer_pool_usage_stats aws_s3_default_buffer_pool_get_usage(
    struct aws_s3_buffer_pool *buffer_pool);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_PRIVATE_S3_DEFAULT_BUFFER_POOL_H */
