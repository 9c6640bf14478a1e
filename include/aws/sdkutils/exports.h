/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/sdkutils/exports.h; `make headers` writes it anew. */
#ifndef AWS_SDKUTILS_EXPORTS_H
#define AWS_SDKUTILS_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_SDKUTILS_API)
#    define AWS_SDKUTILS_API
#endif

#endif /* AWS_SDKUTILS_EXPORTS_H */
