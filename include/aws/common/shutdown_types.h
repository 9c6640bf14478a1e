/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/shutdown_types.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_SHUTDOWN_TYPES_H
#define AWS_COMMON_SHUTDOWN_TYPES_H

#include <aws/common/common.h>

#endif /* AWS_COMMON_SHUTDOWN_TYPES_H */
