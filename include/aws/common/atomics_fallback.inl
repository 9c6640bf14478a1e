/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/atomics_fallback.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ATOMICS_FALLBACK_INL
#define AWS_COMMON_ATOMICS_FALLBACK_INL

#include <aws/common/atomics.h>

/* Nothing of its own: the functions stand in atomics.inl. */

#endif /* AWS_COMMON_ATOMICS_FALLBACK_INL */
