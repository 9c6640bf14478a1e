/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/atomics_gnu.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_ATOMICS_GNU_INL
#define AWS_COMMON_ATOMICS_GNU_INL

#include <aws/common/atomics.h>

/* Nothing of its own: the functions stand in atomics.inl. */

#endif /* AWS_COMMON_ATOMICS_GNU_INL */
