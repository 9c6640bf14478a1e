/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/hash_table.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_HASH_TABLE_H
#define AWS_COMMON_HASH_TABLE_H

#include <aws/common/common.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a visitor of aws_hash_table_foreach returns, or-ed together. */
enum {
    /** Go on with the next element. */
    AWS_COMMON_HASH_TABLE_ITER_CONTINUE = 1,
    /** Remove the element just seen. */
    AWS_COMMON_HASH_TABLE_ITER_DELETE = 2,
    /** Stop, and let the whole call fail with the error raised. */
    AWS_COMMON_HASH_TABLE_ITER_ERROR = 4
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_HASH_TABLE_H */
