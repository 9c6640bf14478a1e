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

struct aws_allocator;
struct aws_hash_element;
struct aws_hash_iter;
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

/**
 * Makes a hash table.
 *
 * `map`: written. `alloc`: borrowed, must outlive the table. `size`: how many entries are expected;
 * it grows as needed. `hash_fn`, `equals_fn`: required. `destroy_key_fn`, `destroy_value_fn`: may
 * be NULL; called with each key and value that leaves the table.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
 * AWS_ERROR_INVALID_ARGUMENT. Ended with aws_hash_table_clean_up().
 */
int aws_hash_table_init(
    struct aws_hash_table *map,
    struct aws_allocator *alloc,
    size_t size,
    aws_hash_fn *hash_fn,
    aws_hash_callback_eq_fn *equals_fn,
    aws_hash_callback_destroy_fn *destroy_key_fn,
    aws_hash_callback_destroy_fn *destroy_value_fn);

/** Destroys all entries and the table; NULL, a zeroed table and a second call are nothing. */
void aws_hash_table_clean_up(struct aws_hash_table *map);

/**
 * Finds an entry.
 *
 * `p_elem`: written: the entry, or NULL if there is none with this key. It is valid until the table
 * changes; its value may be overwritten.
 * Returns AWS_OP_SUCCESS in both cases, AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT for NULL.
 */
int aws_hash_table_find(
    const struct aws_hash_table *map,
    const void *key,
    struct aws_hash_element **p_elem);

/**
 * Sets the value of a key.
 *
 * `was_created`: written, may be NULL: 1 for a new entry, 0 where one was replaced. The old value,
 * and the old key if it is another pointer, are destroyed then.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
 * AWS_ERROR_INVALID_ARGUMENT, the table being unchanged.
 */
int aws_hash_table_put(struct aws_hash_table *map, const void *key, void *value, int *was_created);

/**
 * Takes an entry out.
 *
 * `p_value`: written, may be NULL: receives key and value, which are not destroyed then; with NULL
 * they are. `was_present`: written, may be NULL.
 * Returns AWS_OP_SUCCESS, whether or not there was one; AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT
 * for NULL.
 */
int aws_hash_table_remove(
    struct aws_hash_table *map,
    const void *key,
    struct aws_hash_element *p_value,
    int *was_present);

/** Entries in the table; 0 for NULL. */
size_t aws_hash_table_get_entry_count(const struct aws_hash_table *map);

/**
 * A walk over all entries, in no order that means anything. The table must not change meanwhile.
 *
 * `map`: borrowed as long as the walk lasts.
 */
struct aws_hash_iter aws_hash_iter_begin(const struct aws_hash_table *map);

/** Whether a walk is past the last entry; true for NULL. */
bool aws_hash_iter_done(const struct aws_hash_iter *iter);

/** Steps to the next entry; `iter->element` shows it. */
void aws_hash_iter_next(struct aws_hash_iter *iter);

/** Hashes a C string; an aws_hash_fn. NULL hashes like the empty string. */
uint64_t aws_hash_c_string(const void *item);

/** Hashes a pointer itself, not what it points to; an aws_hash_fn. */
uint64_t aws_hash_ptr(const void *item);

/** Whether two pointers are the same; an aws_hash_callback_eq_fn. */
bool aws_ptr_eq(const void *a, const void *b);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_HASH_TABLE_H */
