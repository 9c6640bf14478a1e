/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/exports.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_EXPORTS_H
#define AWS_COMMON_EXPORTS_H

/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_COMMON_API)
#    define AWS_COMMON_API
#endif

/* How the functions of the .inl files are linked. Define it empty to see them as plain functions. */
#if !defined(AWS_STATIC_IMPL)
#    if defined(AWS_NO_STATIC_IMPL)
#        define AWS_STATIC_IMPL AWS_COMMON_API
#    else
#        define AWS_STATIC_IMPL static inline
#    endif
#endif

#endif /* AWS_COMMON_EXPORTS_H */
