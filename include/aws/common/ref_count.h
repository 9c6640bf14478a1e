/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/ref_count.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_REF_COUNT_H
#define AWS_COMMON_REF_COUNT_H

#include <aws/common/common.h>
#include <aws/common/atomics.h>
#include <aws/common/shutdown_types.h>

#endif /* AWS_COMMON_REF_COUNT_H */
