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

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ALLOCATOR_H */
