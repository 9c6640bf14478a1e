/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/predicates.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_PREDICATES_H
#define AWS_COMMON_PREDICATES_H

/** Whether two runs of bytes are equal; looked at only in programs that ask for deep checks. */
#if defined(AWS_DEEP_CHECKS) && (AWS_DEEP_CHECKS == 1)
#    define AWS_BYTES_EQ(arr1, arr2, len) (memcmp(arr1, arr2, len) == 0)
#else
#    define AWS_BYTES_EQ(arr1, arr2, len) (1)
#endif

#endif /* AWS_COMMON_PREDICATES_H */
