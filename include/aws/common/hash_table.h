/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/hash_table.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_HASH_TABLE_H
#define AWS_COMMON_HASH_TABLE_H

#include <aws/common/common.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a visitor of aws_hash_table_foreach returns, or-ed together. */
enum {
    /** Go on with the next element. */
    AWS_COMMON_HASH_TABLE_ITER_CONTINUE = 1,
    /** Remove the element just seen. */
    AWS_COMMON_HASH_TABLE_ITER_DELETE = 2,
    /** Stop, and let the whole call fail with the error raised. */
    AWS_COMMON_HASH_TABLE_ITER_ERROR = 4
};

/** Where an iterator stands. */
enum aws_hash_iter_status {
    AWS_HASH_ITER_STATUS_DONE,
    AWS_HASH_ITER_STATUS_DELETE_CALLED,
    AWS_HASH_ITER_STATUS_READY_FOR_USE,
};

struct aws_hash_table;
struct hash_table_state;

/** Hashes a key. */
typedef uint64_t (aws_hash_fn)(const void *key);

/** Whether two keys are the same. */
typedef bool (aws_hash_callback_eq_fn)(const void *a, const void *b);

/** Called with a key or a value that leaves the table. */
typedef void (aws_hash_callback_destroy_fn)(void *key_or_value);

/** The table's inside. */
struct hash_table_state;

/** A hash table; all of it lives behind the pointer. */
struct aws_hash_table {
    struct hash_table_state *p_impl;
};

/** A key and its value. */
struct aws_hash_element {
    const void *key;
    void *value;
};

/** A walk over all elements of a table, which must not change meanwhile. */
struct aws_hash_iter {
    const struct aws_hash_table *map;
    /** The element it stands on. */
    struct aws_hash_element element;
    size_t slot;
    size_t limit;
    enum aws_hash_iter_status status;
    int unused_0;
    void *unused_1;
    void *unused_2;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_HASH_TABLE_H */
