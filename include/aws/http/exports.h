/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/http/exports.h; `make headers` writes it anew. */
#ifndef AWS_HTTP_EXPORTS_H
#define AWS_HTTP_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_HTTP_API)
#    define AWS_HTTP_API
#endif

#endif /* AWS_HTTP_EXPORTS_H */
