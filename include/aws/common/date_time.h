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

/** How a date is written. */
enum aws_date_format {
    /** As in HTTP: `Wed, 02 Oct 2002 08:05:09 GMT`. */
    AWS_DATE_FORMAT_RFC822,
    /** `2002-10-02T08:05:09Z`. */
    AWS_DATE_FORMAT_ISO_8601,
    /** `20021002T080509Z`. */
    AWS_DATE_FORMAT_ISO_8601_BASIC,
    /** Any of them, when reading. */
    AWS_DATE_FORMAT_AUTO_DETECT,
};

/** Months of the year. */
enum aws_date_month {
    AWS_DATE_MONTH_JANUARY = 0,
    AWS_DATE_MONTH_FEBRUARY,
    AWS_DATE_MONTH_MARCH,
    AWS_DATE_MONTH_APRIL,
    AWS_DATE_MONTH_MAY,
    AWS_DATE_MONTH_JUNE,
    AWS_DATE_MONTH_JULY,
    AWS_DATE_MONTH_AUGUST,
    AWS_DATE_MONTH_SEPTEMBER,
    AWS_DATE_MONTH_OCTOBER,
    AWS_DATE_MONTH_NOVEMBER,
    AWS_DATE_MONTH_DECEMBER,
};

/** Days of the week. */
enum aws_date_day_of_week {
    AWS_DATE_DAY_OF_WEEK_SUNDAY = 0,
    AWS_DATE_DAY_OF_WEEK_MONDAY,
    AWS_DATE_DAY_OF_WEEK_TUESDAY,
    AWS_DATE_DAY_OF_WEEK_WEDNESDAY,
    AWS_DATE_DAY_OF_WEEK_THURSDAY,
    AWS_DATE_DAY_OF_WEEK_FRIDAY,
    AWS_DATE_DAY_OF_WEEK_SATURDAY,
};

struct aws_date_time;

/** A point in time. Filled in by the `aws_date_time_init_*` functions. */
struct aws_date_time {
    /** Seconds since 1970-01-01T00:00:00Z. */
    time_t timestamp;
    uint16_t milliseconds;
    /** Name of the time zone that was read. */
    char tz[6];
    /** The same in UTC. */
    struct tm gmt_time;
    /** The same in the time zone of this machine. */
    struct tm local_time;
    /** Whether the text named no other zone than UTC. */
    bool utc_assumed;
};

/**
 * Sets a point in time from seconds since 1970-01-01T00:00:00Z.
 *
 * `dt`: written; NULL is nothing. `sec_ms`: the fraction is kept as milliseconds. Any thread.
 */
void aws_date_time_init_epoch_secs(struct aws_date_time *dt, double sec_ms);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_DATE_TIME_H */
