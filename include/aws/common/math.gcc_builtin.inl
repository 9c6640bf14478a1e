/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/math.gcc_builtin.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_MATH_GCC_BUILTIN_INL
#define AWS_COMMON_MATH_GCC_BUILTIN_INL

#include <aws/common/math.h>

/* Nothing of its own: the functions stand in math.inl. */

#endif /* AWS_COMMON_MATH_GCC_BUILTIN_INL */
