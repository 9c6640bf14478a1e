/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/array_list.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ARRAY_LIST_H
#define AWS_COMMON_ARRAY_LIST_H

#include <aws/common/common.h>
#include <aws/common/math.h>

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /** Debug builds fill freed room with this byte. */
    AWS_ARRAY_LIST_DEBUG_FILL = 0xDD
};

struct aws_allocator;
struct aws_array_list;

/** Compares two items: below zero, zero or above zero as `a` stands before, with or after `b`. */
typedef int (aws_array_list_comparator_fn)(const void *a, const void *b);

/**
 * `length` items of `item_size` bytes, one after another. `alloc` is NULL for a list over memory
 * of the caller's, which cannot grow.
 */
struct aws_array_list {
    struct aws_allocator *alloc;
    /** Bytes the block holds. */
    size_t current_size;
    /** Items in use. */
    size_t length;
    size_t item_size;
    void *data;
};

/**
 * Makes room for an item at `index`; the block grows to twice its size at least and may move.
 *
 * `list`: initialised. Returns AWS_OP_SUCCESS, or AWS_OP_ERR, the list being unchanged, with
 * AWS_ERROR_INVALID_INDEX (a list over the caller's own memory), AWS_ERROR_OVERFLOW_DETECTED,
 * AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Any thread, one at a time.
 */
int aws_array_list_ensure_capacity(struct aws_array_list *list, size_t index);

#ifdef __cplusplus
}
#endif

#include <aws/common/array_list.inl>

#endif /* AWS_COMMON_ARRAY_LIST_H */
