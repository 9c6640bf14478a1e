/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/date_time.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_DATE_TIME_H
#define AWS_COMMON_DATE_TIME_H

#include <aws/common/common.h>

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /** Room that every format needs, its NUL included. */
    AWS_DATE_TIME_STR_MAX_LEN = 100,
    /** Room that the short ISO form needs. */
    AWS_DATE_TIME_STR_MAX_BASIC_LEN = 20
};

/** A point in time. Filled in by the `aws_date_time_init_*` functions. */
struct aws_date_time {
    /** Seconds since 1970-01-01T00:00:00Z. */
    time_t timestamp;
    uint16_t milliseconds;
    char tz[6];
    struct tm gmt_time;
    struct tm local_time;
    bool utc_assumed;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_DATE_TIME_H */
