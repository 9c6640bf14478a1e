/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_COMMON_CLOCK_H
#define AWS_COMMON_CLOCK_H

#include <aws/common/common.h>
#include <aws/common/math.h>

#include <aws/common/clock.inl>

#endif /* AWS_COMMON_CLOCK_H */
