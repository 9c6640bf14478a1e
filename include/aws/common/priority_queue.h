/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/priority_queue.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_PRIORITY_QUEUE_H
#define AWS_COMMON_PRIORITY_QUEUE_H

#include <aws/common/array_list.h>
#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Compares two items: above zero when `a` comes after `b`. */
typedef int (aws_priority_queue_compare_fn)(const void *a, const void *b);

/** Knows where its item stands in a queue, so that it can be taken out. */
struct aws_priority_queue_node {
    /** The place, or SIZE_MAX when not in a queue. */
    size_t current_index;
};

/** A binary heap over an array list. */
struct aws_priority_queue {
    /** The order of the items. */
    aws_priority_queue_compare_fn *pred;
    struct aws_array_list container;
    /** For each item the node that follows its place, where it has one. */
    struct aws_array_list backpointers;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_PRIORITY_QUEUE_H */
