/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/clock.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_CLOCK_H
#define AWS_COMMON_CLOCK_H

#include <aws/common/common.h>
#include <aws/common/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Units of time, as how many of them make a second. */
enum aws_timestamp_unit {
    AWS_TIMESTAMP_SECS = 1,
    AWS_TIMESTAMP_MILLIS = 1000,
    AWS_TIMESTAMP_MICROS = 1000000,
    AWS_TIMESTAMP_NANOS = 1000000000,
};

/**
 * Nanoseconds of a clock that never goes back; its zero means nothing.
 *
 * `timestamp`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any
 * thread.
 */
int aws_high_res_clock_get_ticks(uint64_t *timestamp);

#ifdef __cplusplus
}
#endif

#include <aws/common/clock.inl>

#endif /* AWS_COMMON_CLOCK_H */
