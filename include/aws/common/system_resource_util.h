/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/system_resource_util.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_SYSTEM_RESOURCE_UTIL_H
#define AWS_COMMON_SYSTEM_RESOURCE_UTIL_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_memory_usage_stats;

/** Memory use of a process. */
struct aws_memory_usage_stats {
    /** The most memory it ever had resident, in KiB. */
    size_t maxrss;
    /** Page faults that needed the disk. */
    size_t page_faults;
    size_t _reserved[8];
};

/**
 * Reads the memory use of this process.
 *
 * `memory_usage`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_SYS_CALL_FAILURE or
 * AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_init_memory_usage_for_current_process(struct aws_memory_usage_stats *memory_usage);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_SYSTEM_RESOURCE_UTIL_H */
