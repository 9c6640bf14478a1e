/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3fast.rs; `make headers` writes it anew. */
#ifndef S3FAST_S3FAST_H
#define S3FAST_S3FAST_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version's first number; a change of it may break callers. */
#define S3FAST_VERSION_MAJOR 0

/** The version's second number. */
#define S3FAST_VERSION_MINOR 1

/** The version's third number. */
#define S3FAST_VERSION_PATCH 0

/** The version of the library that is loaded, such as "0.1.0". Static text. Any thread. */
const char *s3fast_version(void);

#ifdef __cplusplus
}
#endif

#endif /* S3FAST_S3FAST_H */
