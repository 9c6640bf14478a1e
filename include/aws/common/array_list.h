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

#ifdef __cplusplus
}
#endif

#include <aws/common/array_list.inl>

#endif /* AWS_COMMON_ARRAY_LIST_H */
