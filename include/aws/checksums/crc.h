/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_CHECKSUMS_CRC_H
#define AWS_CHECKSUMS_CRC_H

#include <aws/checksums/exports.h>
#include <aws/common/macros.h>
#include <aws/common/stdint.h>

#endif /* AWS_CHECKSUMS_CRC_H */
