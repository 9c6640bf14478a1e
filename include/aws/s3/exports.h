/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/s3/exports.h; `make headers` writes it anew. */
#ifndef AWS_S3_EXPORTS_H
#define AWS_S3_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_S3_API)
#    define AWS_S3_API
#endif

#endif /* AWS_S3_EXPORTS_H */
