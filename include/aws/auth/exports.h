/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/auth/exports.h; `make headers` writes it anew. */
#ifndef AWS_AUTH_EXPORTS_H
#define AWS_AUTH_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_AUTH_API)
#    define AWS_AUTH_API
#endif

#endif /* AWS_AUTH_EXPORTS_H */
