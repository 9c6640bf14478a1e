/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/checksums/exports.h; `make headers` writes it anew. */
#ifndef AWS_CHECKSUMS_EXPORTS_H
#define AWS_CHECKSUMS_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_CHECKSUMS_API)
#    define AWS_CHECKSUMS_API
#endif

#endif /* AWS_CHECKSUMS_EXPORTS_H */
