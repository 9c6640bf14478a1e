/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/private/s3_list_objects.rs; `make headers` writes it anew. */
#ifndef AWS_S3_PRIVATE_S3_LIST_OBJECTS_H
#define AWS_S3_PRIVATE_S3_LIST_OBJECTS_H

#include <aws/common/date_time.h>
#include <aws/common/string.h>
#include <aws/s3/private/s3_paginator.h>
#include <aws/s3/s3_client.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_s3_client;
struct aws_s3_list_objects_params;
struct aws_s3_object_info;
struct aws_s3_paginator;

/**
 * The next object or prefix. On a delivery thread; `info` is valid until the callback returns.
 * Return AWS_OP_SUCCESS to go on; anything else ends the list without an error.
 */
typedef int (aws_s3_on_object_fn)(const struct aws_s3_object_info *info, void *user_data);

/**
 * The end of a page. On a delivery thread. `error_code` is AWS_ERROR_SUCCESS or why the page
 * failed. Where `aws_s3_paginator_has_more_results` says so, `aws_s3_paginator_continue` may be
 * called here.
 */
typedef void (aws_s3_on_object_list_finished_fn)(
    struct aws_s3_paginator *paginator,
    int error_code,
    void *user_data);

/** One object of a list, or one prefix that stands for objects below it. */
struct aws_s3_object_info {
    /** For an object the prefix that was asked for; else the prefix found, with `key` empty. */
    struct aws_byte_cursor prefix;
    /** The object's whole key. */
    struct aws_byte_cursor key;
    /** Bytes of the object. */
    uint64_t size;
    struct aws_date_time last_modified;
    /** With its quotes. */
    struct aws_byte_cursor e_tag;
};

/** What to list. Everything is copied or acquired. */
struct aws_s3_list_objects_params {
    /** Required. */
    struct aws_s3_client *client;
    /** Required. */
    struct aws_byte_cursor bucket_name;
    /** Keys that begin with this; empty = all. */
    struct aws_byte_cursor prefix;
    /** Keys are grouped up to this after the prefix; empty = not. */
    struct aws_byte_cursor delimiter;
    /** Begin at this page; empty = the first. */
    struct aws_byte_cursor continuation_token;
    /** Required. Host that the bucket's name is put before, with a dot. */
    struct aws_byte_cursor endpoint;
    /** May be NULL. */
    aws_s3_on_object_fn *on_object;
    /** May be NULL. */
    aws_s3_on_object_list_finished_fn *on_list_finished;
    void *user_data;
};

/**
 * Creates a list of a bucket's objects, without asking for a page: `aws_s3_paginator_continue` does.
 *
 * `allocator` must outlive it. One reference is the caller's. NULL with
 * AWS_ERROR_INVALID_ARGUMENT where something required is missing. Any thread.
 */
struct aws_s3_paginator *aws_s3_initiate_list_objects(
    struct aws_allocator *allocator,
    const struct aws_s3_list_objects_params *params);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_PRIVATE_S3_LIST_OBJECTS_H */
