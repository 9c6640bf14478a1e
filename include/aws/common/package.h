/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/package.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_PACKAGE_H
#define AWS_COMMON_PACKAGE_H

/** Libraries that share one numbering of errors and log subjects. */
#define AWS_PACKAGE_SLOTS 32
#define AWS_C_COMMON_PACKAGE_ID 0

#endif /* AWS_COMMON_PACKAGE_H */
