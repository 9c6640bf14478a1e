/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/task_scheduler.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_TASK_SCHEDULER_H
#define AWS_COMMON_TASK_SCHEDULER_H

#include <aws/common/common.h>
#include <aws/common/linked_list.h>
#include <aws/common/priority_queue.h>

#endif /* AWS_COMMON_TASK_SCHEDULER_H */
