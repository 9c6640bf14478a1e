/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/allocator.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ALLOCATOR_H
#define AWS_COMMON_ALLOCATOR_H

#include <aws/common/macros.h>
#include <aws/common/stdbool.h>
#include <aws/common/stdint.h>

#endif /* AWS_COMMON_ALLOCATOR_H */
