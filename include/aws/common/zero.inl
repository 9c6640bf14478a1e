/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/zero.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ZERO_INL
#define AWS_COMMON_ZERO_INL

#include <aws/common/stdbool.h>
#include <aws/common/stdint.h>
#include <aws/common/zero.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether `bufsize` bytes are all zero. */
AWS_STATIC_IMPL bool aws_is_mem_zeroed(const void *buf, size_t bufsize) {
    const uint8_t *at = (const uint8_t *)buf;
    const uint8_t *end = at + bufsize;
    while (at != end && *at == 0) {
        ++at;
    }
    return at == end;
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ZERO_INL */
