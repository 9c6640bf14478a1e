/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/statistics.h; `make headers` writes it anew. */
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

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_STATISTICS_H */
