/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_COMMON_XML_PARSER_H
#define AWS_COMMON_XML_PARSER_H

#include <aws/common/array_list.h>
#include <aws/common/byte_buf.h>
#include <aws/common/exports.h>

#endif /* AWS_COMMON_XML_PARSER_H */
