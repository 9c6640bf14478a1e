/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/statistics.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_STATISTICS_H
#define AWS_COMMON_STATISTICS_H

#include <aws/common/common.h>
#include <aws/common/package.h>
#include <aws/common/stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /** Every library has 256 kinds of statistics. */
    AWS_CRT_STATISTICS_CATEGORY_STRIDE_BITS = 8
};
#define AWS_CRT_STATISTICS_CATEGORY_STRIDE (1U << AWS_CRT_STATISTICS_CATEGORY_STRIDE_BITS)
#define AWS_CRT_STATISTICS_CATEGORY_BEGIN_RANGE(x) ((x) * AWS_CRT_STATISTICS_CATEGORY_STRIDE)
#define AWS_CRT_STATISTICS_CATEGORY_END_RANGE(x) (((x) + 1) * AWS_CRT_STATISTICS_CATEGORY_STRIDE - 1)

/** The kinds of the common headers. */
enum aws_crt_common_statistics_category {
    AWSCRT_STAT_CAT_INVALID = 0,
};

struct aws_allocator;
struct aws_array_list;
struct aws_crt_statistics_handler;
struct aws_crt_statistics_handler_vtable;
struct aws_crt_statistics_sample_interval;

/** A kind of statistics; each library has 256 of them. */
typedef uint32_t aws_crt_statistics_category_t;

/** Frees a handler. */
typedef void (aws_crt_statistics_handler_destroy_fn)(struct aws_crt_statistics_handler *handler);

/** How often a handler wants statistics, in milliseconds. */
typedef uint64_t (aws_crt_statistics_handler_get_report_interval_ms_fn)(
    struct aws_crt_statistics_handler *handler);

/**
 * Takes the statistics of an interval; `stats` is a list of pointers to aws_crt_statistics_base.
 */
typedef void (aws_crt_statistics_handler_process_statistics_fn)(
    struct aws_crt_statistics_handler *handler,
    struct aws_crt_statistics_sample_interval *interval,
    struct aws_array_list *stats,
    void *context);

/** What every kind of statistics begins with. */
struct aws_crt_statistics_base {
    aws_crt_statistics_category_t category;
};

/** The time that statistics are about, in milliseconds. */
struct aws_crt_statistics_sample_interval {
    uint64_t begin_time_ms;
    uint64_t end_time_ms;
};

/** What a handler can do. */
struct aws_crt_statistics_handler_vtable {
    aws_crt_statistics_handler_process_statistics_fn *process_statistics;
    aws_crt_statistics_handler_destroy_fn *destroy;
    aws_crt_statistics_handler_get_report_interval_ms_fn *get_report_interval_ms;
};

/** A handler of statistics. */
struct aws_crt_statistics_handler {
    struct aws_crt_statistics_handler_vtable *vtable;
    struct aws_allocator *allocator;
    void *impl;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_STATISTICS_H */
