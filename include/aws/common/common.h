/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/common.rs; `make headers` writes it anew. */
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

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;

/**
 * Prepares the library. May be called any number of times, and need not be called at all: error
 * names and log subjects are known from the start.
 *
 * `allocator`: not kept; may be NULL. Any thread.
 */
void aws_common_library_init(struct aws_allocator *allocator);

/**
 * Ends what aws_common_library_init() began. Waits for the threads that the library joins by
 * itself, as aws_thread_join_all_managed().
 *
 * Not to be called on such a thread.
 */
void aws_common_library_clean_up(void);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_COMMON_H */
