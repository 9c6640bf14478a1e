/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_IO_FILE_UTILS_H
#define AWS_IO_FILE_UTILS_H

#include <aws/common/file.h>

#endif /* AWS_IO_FILE_UTILS_H */
