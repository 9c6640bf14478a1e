/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/log_formatter.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_LOG_FORMATTER_H
#define AWS_COMMON_LOG_FORMATTER_H

#include <aws/common/common.h>
#include <aws/common/date_time.h>
#include <aws/common/logging.h>

#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Formats a line; the result is the caller's to free. */
typedef int(aws_log_formatter_format_fn)(
    struct aws_log_formatter *formatter,
    struct aws_string **formatted_output,
    enum aws_log_level level,
    aws_log_subject_t subject,
    const char *format,
    va_list args);

struct aws_allocator;
struct aws_log_formatter;
struct aws_log_formatter_vtable;

/** Frees what the formatter holds. */
typedef void (aws_log_formatter_clean_up_fn)(struct aws_log_formatter *logger);

/** What a formatter can do. The first function takes a `va_list`, which Rust has no type for. */
struct aws_log_formatter_vtable {
    aws_log_formatter_format_fn *format;
    aws_log_formatter_clean_up_fn *clean_up;
};

/** A formatter in the caller's memory. */
struct aws_log_formatter {
    struct aws_log_formatter_vtable *vtable;
    struct aws_allocator *allocator;
    void *impl;
};

/** How the standard format writes the time. */
struct aws_log_formatter_standard_options {
    enum aws_date_format date_format;
};

/** One line on its way through the standard format. */
struct aws_logging_standard_formatting_data {
    /** Receives the line. */
    char *log_line_buffer;
    /** Room in it. */
    size_t total_length;
    enum aws_log_level level;
    const char *subject_name;
    const char *format;
    enum aws_date_format date_format;
    struct aws_allocator *allocator;
    /** Bytes of it used. */
    size_t amount_written;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_LOG_FORMATTER_H */
