/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/priority_queue.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_PRIORITY_QUEUE_H
#define AWS_COMMON_PRIORITY_QUEUE_H

#include <aws/common/array_list.h>
#include <aws/common/common.h>

#endif /* AWS_COMMON_PRIORITY_QUEUE_H */
