/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/math.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_MATH_H
#define AWS_COMMON_MATH_H

#include <aws/common/common.h>
#include <aws/common/config.h>

#include <limits.h>
#include <stdlib.h>

#define SIZE_BITS 64
#define SIZE_MAX_POWER_OF_TWO (((size_t)1) << (SIZE_BITS - 1))

#include <aws/common/math.inl>

#endif /* AWS_COMMON_MATH_H */
