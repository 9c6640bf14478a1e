/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/file.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_FILE_H
#define AWS_COMMON_FILE_H

#include <aws/common/byte_buf.h>
#include <aws/common/common.h>
#include <aws/common/platform.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What stands between the parts of a path. */
#define AWS_PATH_DELIM '/'
#define AWS_PATH_DELIM_STR "/"

enum {
    /** No open file. */
    AWS_FILE_INVALID_FD = -1
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_FILE_H */
