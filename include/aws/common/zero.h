/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/zero.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_ZERO_H
#define AWS_COMMON_ZERO_H

#include <aws/common/stdbool.h>
#include <aws/common/stdint.h>

#include <string.h>

/** Sets all bytes of a struct to zero. */
#define AWS_ZERO_STRUCT(object) \
    do {                        \
        memset(&(object), 0, sizeof(object)); \
    } while (0)
/** Sets all bytes of an array to zero. */
#define AWS_ZERO_ARRAY(array) memset((void *)(array), 0, sizeof(array))
/** Whether all bytes of a struct are zero. */
#define AWS_IS_ZEROED(object) aws_is_mem_zeroed(&(object), sizeof(object))

#include <aws/common/zero.inl>

#endif /* AWS_COMMON_ZERO_H */
