/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/atomics_fallback.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ATOMICS_FALLBACK_INL
#define AWS_COMMON_ATOMICS_FALLBACK_INL

/* Every supported compiler has the builtins that atomics_gnu.inl stands on. */

#endif /* AWS_COMMON_ATOMICS_FALLBACK_INL */
