/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/cal/exports.h; `make headers` writes it anew. */
#ifndef AWS_CAL_EXPORTS_H
#define AWS_CAL_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_CAL_API)
#    define AWS_CAL_API
#endif

#endif /* AWS_CAL_EXPORTS_H */
