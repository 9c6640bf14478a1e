/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_COMMON_BYTE_ORDER_H
#define AWS_COMMON_BYTE_ORDER_H

#include <aws/common/common.h>

#include <aws/common/byte_order.inl>

#endif /* AWS_COMMON_BYTE_ORDER_H */
