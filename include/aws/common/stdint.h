/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/stdint.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_STDINT_H
#define AWS_COMMON_STDINT_H

#include <aws/common/assert.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file offset; new code uses int64_t. */
typedef int64_t aws_off_t;

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_STDINT_H */
