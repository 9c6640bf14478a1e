/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/stdbool.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_STDBOOL_H
#define AWS_COMMON_STDBOOL_H

#include <stdbool.h>

/* The names of <stdbool.h>, which is included. */

#endif /* AWS_COMMON_STDBOOL_H */
