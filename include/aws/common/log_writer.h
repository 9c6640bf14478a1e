/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/log_writer.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_LOG_WRITER_H
#define AWS_COMMON_LOG_WRITER_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_log_writer;
struct aws_log_writer_vtable;
struct aws_string;

/** Writes a line, which it does not keep. */
typedef int (aws_log_writer_write_fn)(
    struct aws_log_writer *writer,
    const struct aws_string *output);

/** Frees what the writer holds. */
typedef void (aws_log_writer_clean_up_fn)(struct aws_log_writer *writer);

/** What a writer can do. */
struct aws_log_writer_vtable {
    aws_log_writer_write_fn *write;
    aws_log_writer_clean_up_fn *clean_up;
};

/** A writer in the caller's memory. */
struct aws_log_writer {
    struct aws_log_writer_vtable *vtable;
    struct aws_allocator *allocator;
    void *impl;
};

/** Where a file writer writes; exactly one of the two is set. */
struct aws_log_writer_file_options {
    const char *filename;
    FILE *file;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_LOG_WRITER_H */
