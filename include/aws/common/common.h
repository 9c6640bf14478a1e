/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_COMMON_COMMON_H
#define AWS_COMMON_COMMON_H

#include <aws/common/config.h>
#include <aws/common/exports.h>
#include <aws/common/allocator.h>
#include <aws/common/assert.h>
#include <aws/common/error.h>
#include <aws/common/macros.h>
#include <aws/common/platform.h>
#include <aws/common/predicates.h>
#include <aws/common/stdbool.h>
#include <aws/common/stdint.h>
#include <aws/common/zero.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#endif /* AWS_COMMON_COMMON_H */
