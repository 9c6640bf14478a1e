/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/linked_list.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_LINKED_LIST_H
#define AWS_COMMON_LINKED_LIST_H

#include <aws/common/common.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A link inside an item of a linked list. */
struct aws_linked_list_node {
    struct aws_linked_list_node *next;
    struct aws_linked_list_node *prev;
};

/** A doubly linked list between two sentinels. It must not move while it has nodes. */
struct aws_linked_list {
    struct aws_linked_list_node head;
    struct aws_linked_list_node tail;
};

#ifdef __cplusplus
}
#endif

#include <aws/common/linked_list.inl>

#endif /* AWS_COMMON_LINKED_LIST_H */
