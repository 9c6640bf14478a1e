/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/io/exports.h; `make headers` writes it anew. */
#ifndef AWS_IO_EXPORTS_H
#define AWS_IO_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_IO_API)
#    define AWS_IO_API
#endif

#endif /* AWS_IO_EXPORTS_H */
