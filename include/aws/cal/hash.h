/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_CAL_HASH_H
#define AWS_CAL_HASH_H

#include <aws/cal/exports.h>
#include <aws/common/byte_buf.h>
#include <aws/common/common.h>

#endif /* AWS_CAL_HASH_H */
