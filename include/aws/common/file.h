/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/file.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_FILE_H
#define AWS_COMMON_FILE_H

#include <aws/common/byte_buf.h>
#include <aws/common/common.h>
#include <aws/common/platform.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What stands between the parts of a path. */
#define AWS_PATH_DELIM '/'
#define AWS_PATH_DELIM_STR "/"

enum {
    /** No open file. */
    AWS_FILE_INVALID_FD = -1
};

/** What kind of thing a path names; flags. */
enum aws_file_type {
    AWS_FILE_TYPE_FILE = 1,
    AWS_FILE_TYPE_SYM_LINK = 2,
    AWS_FILE_TYPE_DIRECTORY = 4,
};

struct aws_allocator;
struct aws_directory_entry;
struct aws_string;

/**
 * Called for each entry, on the thread that walks; false ends the walk. The entry and what it
 * points to live until this returns.
 */
typedef bool (aws_on_directory_entry)(const struct aws_directory_entry *entry, void *user_data);

/** One thing found in a directory. The cursors live as long as the callback runs. */
struct aws_directory_entry {
    /** The absolute path, links resolved; empty where that failed. */
    struct aws_byte_cursor path;
    /** The path as begun by the caller. */
    struct aws_byte_cursor relative_path;
    /** Of enum aws_file_type; 0 for other things. */
    int file_type;
    /** Bytes in it, for a file. */
    int64_t file_size;
};

/**
 * Opens a file.
 *
 * `file_path`, `mode`: as for fopen(), borrowed for the call.
 * Returns the stream, closed with fclose(), or NULL with AWS_ERROR_FILE_INVALID_PATH,
 * AWS_ERROR_NO_PERMISSION, AWS_ERROR_MAX_FDS_EXCEEDED, AWS_ERROR_FILE_OPEN_FAILURE or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
FILE *aws_fopen_safe(const struct aws_string *file_path, const struct aws_string *mode);

/**
 * Makes a directory; one that exists already is fine.
 *
 * `dir_path`: borrowed for the call; the directory around it must exist.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_FILE_INVALID_PATH, AWS_ERROR_NO_PERMISSION
 * and the like. Any thread.
 */
int aws_directory_create(const struct aws_string *dir_path);

/**
 * Whether a path names a directory; a link to one does not count.
 *
 * `dir_path`: borrowed for the call; NULL gives false. Any thread.
 */
bool aws_directory_exists(const struct aws_string *dir_path);

/**
 * Walks over everything in a directory, in no order; `.` and `..` are passed over.
 *
 * `allocator`: not kept. `path`: borrowed for the call. `recursive`: walks into each directory
 * before reporting the directory itself; links are not followed. `on_entry`: called with
 * `user_data` on this thread, before this returns; it may remove the entry; false ends the walk.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OPERATION_INTERUPTED (ended by the
 * callback), AWS_ERROR_FILE_INVALID_PATH, AWS_ERROR_NO_PERMISSION or AWS_ERROR_INVALID_ARGUMENT.
 * Any thread.
 */
int aws_directory_traverse(
    struct aws_allocator *allocator,
    const struct aws_string *path,
    bool recursive,
    aws_on_directory_entry *on_entry,
    void *user_data);

/**
 * The length of an open file in bytes.
 *
 * `length`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_FILE_HANDLE,
 * AWS_ERROR_SYS_CALL_FAILURE or AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_file_get_length(FILE *file, int64_t *length);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_FILE_H */
