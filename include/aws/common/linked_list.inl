/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/linked_list.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_LINKED_LIST_INL
#define AWS_COMMON_LINKED_LIST_INL

#include <aws/common/common.h>
#include <aws/common/linked_list.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Takes a node out of any list: both its links are cleared. */
AWS_STATIC_IMPL void aws_linked_list_node_reset(struct aws_linked_list_node *node) {
    node->next = NULL;
    node->prev = NULL;
}

/** Makes an empty list. */
AWS_STATIC_IMPL void aws_linked_list_init(struct aws_linked_list *list) {
    list->head.prev = NULL;
    list->head.next = &list->tail;
    list->tail.prev = &list->head;
    list->tail.next = NULL;
}

/** Whether the list has no node. */
AWS_STATIC_IMPL bool aws_linked_list_empty(const struct aws_linked_list *list) {
    return list->head.next == &list->tail;
}

/** Whether the list's two ends are well linked. */
AWS_STATIC_IMPL bool aws_linked_list_is_valid(const struct aws_linked_list *list) {
    return list != NULL && list->head.next != NULL && list->head.prev == NULL && list->tail.prev != NULL &&
           list->tail.next == NULL;
}

/** Whether the node after this one links back to it. */
AWS_STATIC_IMPL bool aws_linked_list_node_next_is_valid(const struct aws_linked_list_node *node) {
    return node != NULL && node->next != NULL && node->next->prev == node;
}

/** Whether the node before this one links to it. */
AWS_STATIC_IMPL bool aws_linked_list_node_prev_is_valid(const struct aws_linked_list_node *node) {
    return node != NULL && node->prev != NULL && node->prev->next == node;
}

/** Whether every link of the list is answered by its neighbour. */
AWS_STATIC_IMPL bool aws_linked_list_is_valid_deep(const struct aws_linked_list *list) {
    if (list == NULL) {
        return false;
    }
    const struct aws_linked_list_node *at = &list->head;
    while (at != &list->tail) {
        if (!aws_linked_list_node_next_is_valid(at)) {
            return false;
        }
        at = at->next;
    }
    return true;
}

/** The first node, or the end of an empty list. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_begin(const struct aws_linked_list *list) {
    return list->head.next;
}

/** The place behind the last node. */
AWS_STATIC_IMPL const struct aws_linked_list_node *aws_linked_list_end(const struct aws_linked_list *list) {
    return &list->tail;
}

/** The last node, or the reverse end of an empty list. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_rbegin(const struct aws_linked_list *list) {
    return list->tail.prev;
}

/** The place before the first node. */
AWS_STATIC_IMPL const struct aws_linked_list_node *aws_linked_list_rend(const struct aws_linked_list *list) {
    return &list->head;
}

/** The node after this one. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_next(const struct aws_linked_list_node *node) {
    return node->next;
}

/** The node before this one. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_prev(const struct aws_linked_list_node *node) {
    return node->prev;
}

/** Whether the node stands in a list. */
AWS_STATIC_IMPL bool aws_linked_list_node_is_in_list(struct aws_linked_list_node *node) {
    return aws_linked_list_node_prev_is_valid(node) && aws_linked_list_node_next_is_valid(node);
}

/** Puts a node behind another. */
AWS_STATIC_IMPL void aws_linked_list_insert_after(
    struct aws_linked_list_node *after,
    struct aws_linked_list_node *to_add) {
    to_add->prev = after;
    to_add->next = after->next;
    after->next->prev = to_add;
    after->next = to_add;
}

/** Puts a node before another. */
AWS_STATIC_IMPL void aws_linked_list_insert_before(
    struct aws_linked_list_node *before,
    struct aws_linked_list_node *to_add) {
    aws_linked_list_insert_after(before->prev, to_add);
}

/** Takes a node out of its list. */
AWS_STATIC_IMPL void aws_linked_list_remove(struct aws_linked_list_node *node) {
    node->prev->next = node->next;
    node->next->prev = node->prev;
    aws_linked_list_node_reset(node);
}

/** Lets two nodes, of one list or of two, change places. */
AWS_STATIC_IMPL void aws_linked_list_swap_nodes(struct aws_linked_list_node *a, struct aws_linked_list_node *b) {
    if (a == b) {
        return;
    }
    struct aws_linked_list_node *before_a = a->prev;
    if (before_a == b) {
        aws_linked_list_remove(a);
        aws_linked_list_insert_before(b, a);
        return;
    }
    struct aws_linked_list_node *before_b = b->prev;
    aws_linked_list_remove(a);
    aws_linked_list_insert_after(b, a);
    if (before_b == a) {
        return;
    }
    aws_linked_list_remove(b);
    aws_linked_list_insert_after(before_a, b);
}

/** Puts a node at the end. */
AWS_STATIC_IMPL void aws_linked_list_push_back(struct aws_linked_list *list, struct aws_linked_list_node *node) {
    aws_linked_list_insert_before(&list->tail, node);
}

/** The last node of a list that has one. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_back(const struct aws_linked_list *list) {
    return list->tail.prev;
}

/** Takes out the last node of a list that has one. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_pop_back(struct aws_linked_list *list) {
    struct aws_linked_list_node *last = aws_linked_list_back(list);
    aws_linked_list_remove(last);
    return last;
}

/** Puts a node at the beginning. */
AWS_STATIC_IMPL void aws_linked_list_push_front(struct aws_linked_list *list, struct aws_linked_list_node *node) {
    aws_linked_list_insert_after(&list->head, node);
}

/** The first node of a list that has one. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_front(const struct aws_linked_list *list) {
    return list->head.next;
}

/** Takes out the first node of a list that has one. */
AWS_STATIC_IMPL struct aws_linked_list_node *aws_linked_list_pop_front(struct aws_linked_list *list) {
    struct aws_linked_list_node *first = aws_linked_list_front(list);
    aws_linked_list_remove(first);
    return first;
}

/** Moves all nodes of `src` behind those of `dst`, in order; `src` is empty afterwards. */
AWS_STATIC_IMPL void aws_linked_list_move_all_back(
    struct aws_linked_list *AWS_RESTRICT dst,
    struct aws_linked_list *AWS_RESTRICT src) {
    if (aws_linked_list_empty(src)) {
        return;
    }
    src->head.next->prev = dst->tail.prev;
    dst->tail.prev->next = src->head.next;
    src->tail.prev->next = &dst->tail;
    dst->tail.prev = src->tail.prev;
    aws_linked_list_init(src);
}

/** Moves all nodes of `src` before those of `dst`, in order; `src` is empty afterwards. */
AWS_STATIC_IMPL void aws_linked_list_move_all_front(
    struct aws_linked_list *AWS_RESTRICT dst,
    struct aws_linked_list *AWS_RESTRICT src) {
    if (aws_linked_list_empty(src)) {
        return;
    }
    src->tail.prev->next = dst->head.next;
    dst->head.next->prev = src->tail.prev;
    src->head.next->prev = &dst->head;
    dst->head.next = src->head.next;
    aws_linked_list_init(src);
}

/** Lets two lists change their nodes. */
AWS_STATIC_IMPL void aws_linked_list_swap_contents(
    struct aws_linked_list *AWS_RESTRICT a,
    struct aws_linked_list *AWS_RESTRICT b) {
    struct aws_linked_list kept;
    aws_linked_list_init(&kept);
    aws_linked_list_move_all_back(&kept, a);
    aws_linked_list_move_all_back(a, b);
    aws_linked_list_move_all_back(b, &kept);
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_LINKED_LIST_INL */
