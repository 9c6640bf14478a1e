/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/linked_list.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_LINKED_LIST_H
#define AWS_COMMON_LINKED_LIST_H

#include <aws/common/common.h>

#include <stddef.h>

#include <aws/common/linked_list.inl>

#endif /* AWS_COMMON_LINKED_LIST_H */
