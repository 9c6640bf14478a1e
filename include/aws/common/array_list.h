/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/array_list.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ARRAY_LIST_H
#define AWS_COMMON_ARRAY_LIST_H

#include <aws/common/common.h>
#include <aws/common/math.h>

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /** Debug builds fill freed room with this byte. */
    AWS_ARRAY_LIST_DEBUG_FILL = 0xDD
};

#ifdef __cplusplus
}
#endif

#include <aws/common/array_list.inl>

#endif /* AWS_COMMON_ARRAY_LIST_H */
