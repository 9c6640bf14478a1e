/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/clock.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_CLOCK_INL
#define AWS_COMMON_CLOCK_INL

#include <aws/common/clock.h>
#include <aws/common/common.h>
#include <aws/common/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Ticks of one frequency as ticks of another, the rest in `*remainder` (may be NULL; 0 where the new
 * frequency is not the lower). A result past 64 bits is UINT64_MAX. */
AWS_STATIC_IMPL uint64_t aws_timestamp_convert_u64(
    uint64_t ticks,
    uint64_t old_frequency,
    uint64_t new_frequency,
    uint64_t *remainder) {
    AWS_FATAL_ASSERT(old_frequency > 0 && new_frequency > 0);
    const uint64_t whole = ticks / old_frequency;
    const uint64_t rest = ticks % old_frequency;
    if (remainder != NULL) {
        *remainder = 0;
        if (new_frequency < old_frequency) {
            const uint64_t ratio = old_frequency / new_frequency;
            if (old_frequency % new_frequency == 0) {
                *remainder = ticks % ratio;
            }
        }
    }
    const uint64_t high = aws_mul_u64_saturating(whole, new_frequency);
    const uint64_t low = aws_mul_u64_saturating(rest, new_frequency) / old_frequency;
    return aws_add_u64_saturating(high, low);
}

/** A time in one unit as a time in another, the rest in `*remainder` (may be NULL). */
AWS_STATIC_IMPL uint64_t aws_timestamp_convert(
    uint64_t timestamp,
    enum aws_timestamp_unit convert_from,
    enum aws_timestamp_unit convert_to,
    uint64_t *remainder) {
    return aws_timestamp_convert_u64(timestamp, (uint64_t)convert_from, (uint64_t)convert_to, remainder);
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_CLOCK_INL */
