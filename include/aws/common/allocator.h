/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/allocator.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ALLOCATOR_H
#define AWS_COMMON_ALLOCATOR_H

#include <aws/common/macros.h>
#include <aws/common/stdbool.h>
#include <aws/common/stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How much a tracing allocator remembers. */
enum aws_mem_trace_level {
    /** Nothing. */
    AWS_MEMTRACE_NONE = 0,
    /** Sizes and the sum of what is allocated. */
    AWS_MEMTRACE_BYTES = 1,
    /** The call stack of each allocation as well. */
    AWS_MEMTRACE_STACKS = 2,
};

struct aws_allocator;

/**
 * A table of memory functions; everything that C may free or grow comes from one.
 *
 * `mem_acquire` and `mem_release` are required. `mem_realloc` and `mem_calloc` may be NULL; they
 * are then made of the others. The functions may be called on any thread, by several at once.
 */
struct aws_allocator {
    /** Gives `size` bytes, or NULL. */
    void *(*mem_acquire)(struct aws_allocator *allocator, size_t size);
    /** Takes back what `mem_acquire` gave. */
    void (*mem_release)(struct aws_allocator *allocator, void *ptr);
    /** Optional: grows or shrinks a block, which may move. */
    void *(*mem_realloc)(struct aws_allocator *allocator, void *oldptr, size_t oldsize, size_t newsize);
    /** Optional: gives zeroed memory. */
    void *(*mem_calloc)(struct aws_allocator *allocator, size_t num, size_t size);
    /** Whatever the allocator needs for itself. */
    void *impl;
};

/**
 * The allocator over the system's malloc.
 *
 * Never NULL, lives for ever, may be used on any thread. Not to be freed.
 */
struct aws_allocator *aws_default_allocator(void);

/**
 * Like aws_default_allocator(), but blocks above a page start on a cache line.
 *
 * Never NULL, lives for ever, may be used on any thread. Not to be freed.
 */
struct aws_allocator *aws_aligned_allocator(void);

/**
 * Makes an allocator whose every block starts at a multiple of `customized_alignment` bytes.
 *
 * `customized_alignment`: a power of two and a multiple of the size of a pointer.
 * Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. The caller frees the result with
 * aws_explicit_aligned_allocator_destroy(), after everything that came from it. Any thread.
 */
struct aws_allocator *aws_explicit_aligned_allocator_new(size_t customized_alignment);

/** Frees what aws_explicit_aligned_allocator_new() gave; NULL is nothing. Any thread. */
void aws_explicit_aligned_allocator_destroy(struct aws_allocator *aligned_alloc);

/**
 * `size` bytes from an allocator, not zeroed.
 *
 * `allocator`: borrowed, must outlive the block. `size`: above zero.
 * Returns NULL with AWS_ERROR_OOM, or with AWS_ERROR_INVALID_ARGUMENT for a NULL allocator or no
 * size. The caller gives the block back with aws_mem_release(). Any thread.
 */
void *aws_mem_acquire(struct aws_allocator *allocator, size_t size);

/**
 * `num` times `size` zeroed bytes from an allocator.
 *
 * As aws_mem_acquire(); AWS_ERROR_OVERFLOW_DETECTED where the product is too large.
 */
void *aws_mem_calloc(struct aws_allocator *allocator, size_t num, size_t size);

/**
 * Gives a block back.
 *
 * `allocator`: where the block came from. `ptr`: the block; NULL is nothing. Any thread.
 */
void aws_mem_release(struct aws_allocator *allocator, void *ptr);

/**
 * Makes a block of `oldsize` bytes one of `newsize` bytes; it may move.
 *
 * `ptr`: in: the block, or NULL for a new one; out: the block as it is now. A `newsize` of zero
 * frees it and stores NULL.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, the block then being untouched. Any
 * thread.
 */
int aws_mem_realloc(struct aws_allocator *allocator, void **ptr, size_t oldsize, size_t newsize);

/**
 * Wraps an allocator in one that knows what is still allocated.
 *
 * `allocator`: where the memory comes from; borrowed, must outlive the tracer. `deprecated`: not
 * used, pass NULL. `level`: how much to remember. `frames_per_stack`: call stack entries kept for
 * each allocation at AWS_MEMTRACE_STACKS; 0 = 8, at most 128.
 * Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Freed with
 * aws_mem_tracer_destroy(). The tracer's own records come from elsewhere and are not counted. Any
 * thread.
 */
struct aws_allocator *aws_mem_tracer_new(
    struct aws_allocator *allocator,
    struct aws_allocator *deprecated,
    enum aws_mem_trace_level level,
    size_t frames_per_stack);

/**
 * Ends a tracer and returns the allocator it stood in front of; what is still allocated stays so.
 *
 * `trace_allocator`: from aws_mem_tracer_new(), not used any more; NULL gives NULL. Any thread.
 */
struct aws_allocator *aws_mem_tracer_destroy(struct aws_allocator *trace_allocator);

/**
 * Writes what is still allocated to the log, at level trace: in order of time, and at
 * AWS_MEMTRACE_STACKS also by call stack, the largest sums and the highest counts first.
 *
 * `trace_allocator`: from aws_mem_tracer_new(). Calls the installed logger on this thread; other
 * threads may go on allocating meanwhile.
 */
void aws_mem_tracer_dump(struct aws_allocator *trace_allocator);

/** Bytes still allocated through a tracer; 0 for NULL or at AWS_MEMTRACE_NONE. Any thread. */
size_t aws_mem_tracer_bytes(struct aws_allocator *trace_allocator);

/** Allocations still alive through a tracer; 0 for NULL or at AWS_MEMTRACE_NONE. Any thread. */
size_t aws_mem_tracer_count(struct aws_allocator *trace_allocator);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ALLOCATOR_H */
