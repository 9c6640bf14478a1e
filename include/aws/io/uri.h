/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_IO_URI_H
#define AWS_IO_URI_H

#include <aws/io/io.h>
#include <aws/common/uri.h>

#endif /* AWS_IO_URI_H */
