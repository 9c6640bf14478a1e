/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/environment.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ENVIRONMENT_H
#define AWS_COMMON_ENVIRONMENT_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_string;

/**
 * Reads an environment variable.
 *
 * `allocator`: for the result, borrowed. `variable_name`: borrowed for the call. `value_out`:
 * written: a string to be freed with aws_string_destroy(), or NULL if there is no such variable.
 * Returns AWS_OP_SUCCESS in both cases; AWS_OP_ERR with AWS_ERROR_ENVIRONMENT_GET or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread, while no thread changes the environment.
 */
int aws_get_environment_value(
    struct aws_allocator *allocator,
    const struct aws_string *variable_name,
    struct aws_string **value_out);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_ENVIRONMENT_H */
