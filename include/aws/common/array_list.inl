/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/array_list.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ARRAY_LIST_INL
#define AWS_COMMON_ARRAY_LIST_INL

#include <aws/common/array_list.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list that grows through `alloc`, with room for `initial_item_allocation` items. */
AWS_STATIC_IMPL int aws_array_list_init_dynamic(
    struct aws_array_list *AWS_RESTRICT list,
    struct aws_allocator *alloc,
    size_t initial_item_allocation,
    size_t item_size) {
    size_t bytes = 0;
    AWS_ZERO_STRUCT(*list);
    if (aws_mul_size_checked(initial_item_allocation, item_size, &bytes)) {
        return AWS_OP_ERR;
    }
    if (bytes > 0) {
        list->data = aws_mem_acquire(alloc, bytes);
        if (list->data == NULL) {
            return AWS_OP_ERR;
        }
        list->current_size = bytes;
    }
    list->alloc = alloc;
    list->item_size = item_size;
    return AWS_OP_SUCCESS;
}

/** An empty list over the caller's array; it cannot grow. */
AWS_STATIC_IMPL void aws_array_list_init_static(
    struct aws_array_list *AWS_RESTRICT list,
    void *raw_array,
    size_t item_count,
    size_t item_size) {
    AWS_ZERO_STRUCT(*list);
    list->data = raw_array;
    list->item_size = item_size;
    list->current_size = aws_mul_size_saturating(item_count, item_size);
}

/** A full list over the caller's array of `item_count` items. */
AWS_STATIC_IMPL void aws_array_list_init_static_from_initialized(
    struct aws_array_list *AWS_RESTRICT list,
    void *raw_array,
    size_t item_count,
    size_t item_size) {
    aws_array_list_init_static(list, raw_array, item_count, item_size);
    list->length = item_count;
}

/** Whether size, length and memory fit each other. */
AWS_STATIC_IMPL bool aws_array_list_is_valid(const struct aws_array_list *AWS_RESTRICT list) {
    size_t used = 0;
    return list != NULL && list->item_size > 0 && !__builtin_mul_overflow(list->length, list->item_size, &used) &&
           used <= list->current_size && (list->current_size == 0) == (list->data == NULL);
}

/** Gives the memory back; the list is all zeros afterwards. */
AWS_STATIC_IMPL void aws_array_list_clean_up(struct aws_array_list *AWS_RESTRICT list) {
    if (list->alloc != NULL && list->data != NULL) {
        aws_mem_release(list->alloc, list->data);
    }
    AWS_ZERO_STRUCT(*list);
}

/** The same, with the memory overwritten first. */
AWS_STATIC_IMPL void aws_array_list_clean_up_secure(struct aws_array_list *AWS_RESTRICT list) {
    if (list->alloc != NULL && list->data != NULL) {
        volatile uint8_t *at = (volatile uint8_t *)list->data;
        for (size_t i = 0; i < list->current_size; ++i) {
            at[i] = 0;
        }
    }
    aws_array_list_clean_up(list);
}

/** Number of items. */
AWS_STATIC_IMPL size_t aws_array_list_length(const struct aws_array_list *AWS_RESTRICT list) {
    return list->length;
}

/** Number of items there is room for. */
AWS_STATIC_IMPL size_t aws_array_list_capacity(const struct aws_array_list *AWS_RESTRICT list) {
    return list->item_size == 0 ? 0 : list->current_size / list->item_size;
}

/** A pointer to the item at `index`, or AWS_ERROR_INVALID_INDEX. It is good until the list grows. */
AWS_STATIC_IMPL int aws_array_list_get_at_ptr(
    const struct aws_array_list *AWS_RESTRICT list,
    void **val,
    size_t index) {
    if (index >= list->length) {
        return aws_raise_error(AWS_ERROR_INVALID_INDEX);
    }
    *val = (uint8_t *)list->data + list->item_size * index;
    return AWS_OP_SUCCESS;
}

/** Copies the item at `index` to `val`, or AWS_ERROR_INVALID_INDEX. */
AWS_STATIC_IMPL int aws_array_list_get_at(
    const struct aws_array_list *AWS_RESTRICT list,
    void *val,
    size_t index) {
    void *item = NULL;
    if (aws_array_list_get_at_ptr(list, &item, index)) {
        return AWS_OP_ERR;
    }
    memcpy(val, item, list->item_size);
    return AWS_OP_SUCCESS;
}

/** Copies `val` to `index`; the list grows where it must. */
AWS_STATIC_IMPL int aws_array_list_set_at(
    struct aws_array_list *AWS_RESTRICT list,
    const void *val,
    size_t index) {
    if (aws_array_list_ensure_capacity(list, index)) {
        return AWS_OP_ERR;
    }
    memcpy((uint8_t *)list->data + list->item_size * index, val, list->item_size);
    if (index >= list->length) {
        list->length = index + 1;
    }
    return AWS_OP_SUCCESS;
}

/** Adds a copy of `val` at the end. A list that cannot grow fails with
 * AWS_ERROR_LIST_EXCEEDS_MAX_SIZE. */
AWS_STATIC_IMPL int aws_array_list_push_back(struct aws_array_list *AWS_RESTRICT list, const void *val) {
    if (aws_array_list_set_at(list, val, list->length) == AWS_OP_SUCCESS) {
        return AWS_OP_SUCCESS;
    }
    if (list->alloc == NULL && aws_last_error() == AWS_ERROR_INVALID_INDEX) {
        return aws_raise_error(AWS_ERROR_LIST_EXCEEDS_MAX_SIZE);
    }
    return AWS_OP_ERR;
}

/** Copies the first item, or AWS_ERROR_LIST_EMPTY. */
AWS_STATIC_IMPL int aws_array_list_front(const struct aws_array_list *AWS_RESTRICT list, void *val) {
    return list->length == 0 ? aws_raise_error(AWS_ERROR_LIST_EMPTY) : aws_array_list_get_at(list, val, 0);
}

/** Copies the last item, or AWS_ERROR_LIST_EMPTY. */
AWS_STATIC_IMPL int aws_array_list_back(const struct aws_array_list *AWS_RESTRICT list, void *val) {
    return list->length == 0 ? aws_raise_error(AWS_ERROR_LIST_EMPTY)
                             : aws_array_list_get_at(list, val, list->length - 1);
}

/** Adds a copy of `val` at the beginning; the others move up. */
AWS_STATIC_IMPL int aws_array_list_push_front(struct aws_array_list *AWS_RESTRICT list, const void *val) {
    const size_t length = list->length;
    if (aws_array_list_ensure_capacity(list, length)) {
        if (list->alloc == NULL && aws_last_error() == AWS_ERROR_INVALID_INDEX) {
            return aws_raise_error(AWS_ERROR_LIST_EXCEEDS_MAX_SIZE);
        }
        return AWS_OP_ERR;
    }
    if (length > 0) {
        memmove((uint8_t *)list->data + list->item_size, list->data, list->item_size * length);
    }
    memcpy(list->data, val, list->item_size);
    list->length = length + 1;
    return AWS_OP_SUCCESS;
}

/** Removes all items; the memory stays. */
AWS_STATIC_IMPL void aws_array_list_clear(struct aws_array_list *AWS_RESTRICT list) {
    list->length = 0;
}

/** Removes the first `n` items, or all there are. */
AWS_STATIC_IMPL void aws_array_list_pop_front_n(struct aws_array_list *AWS_RESTRICT list, size_t n) {
    if (n >= list->length) {
        aws_array_list_clear(list);
        return;
    }
    if (n > 0) {
        const size_t left = list->length - n;
        memmove(list->data, (uint8_t *)list->data + list->item_size * n, list->item_size * left);
        list->length = left;
    }
}

/** Removes the first item, or AWS_ERROR_LIST_EMPTY. */
AWS_STATIC_IMPL int aws_array_list_pop_front(struct aws_array_list *AWS_RESTRICT list) {
    if (list->length == 0) {
        return aws_raise_error(AWS_ERROR_LIST_EMPTY);
    }
    aws_array_list_pop_front_n(list, 1);
    return AWS_OP_SUCCESS;
}

/** Removes the last item, or AWS_ERROR_LIST_EMPTY. */
AWS_STATIC_IMPL int aws_array_list_pop_back(struct aws_array_list *AWS_RESTRICT list) {
    if (list->length == 0) {
        return aws_raise_error(AWS_ERROR_LIST_EMPTY);
    }
    list->length -= 1;
    return AWS_OP_SUCCESS;
}

/** Removes the item at `index`, or AWS_ERROR_INVALID_INDEX; those behind it move down. */
AWS_STATIC_IMPL int aws_array_list_erase(struct aws_array_list *AWS_RESTRICT list, size_t index) {
    void *item = NULL;
    if (aws_array_list_get_at_ptr(list, &item, index)) {
        return AWS_OP_ERR;
    }
    const size_t behind = list->length - index - 1;
    memmove(item, (uint8_t *)item + list->item_size, list->item_size * behind);
    list->length -= 1;
    return AWS_OP_SUCCESS;
}

/** Lets two lists of the same allocator and item size change their contents. */
AWS_STATIC_IMPL void aws_array_list_swap_contents(
    struct aws_array_list *AWS_RESTRICT list_a,
    struct aws_array_list *AWS_RESTRICT list_b) {
    AWS_FATAL_ASSERT(list_a->alloc == list_b->alloc && list_a->item_size == list_b->item_size);
    struct aws_array_list kept = *list_a;
    *list_a = *list_b;
    *list_b = kept;
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ARRAY_LIST_INL */
