/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/system_info.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_SYSTEM_INFO_H
#define AWS_COMMON_SYSTEM_INFO_H

#include <aws/common/byte_buf.h>
#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Systems a library can be built for. */
enum aws_platform_os {
    AWS_PLATFORM_OS_WINDOWS,
    AWS_PLATFORM_OS_MAC,
    AWS_PLATFORM_OS_IOS,
    AWS_PLATFORM_OS_ANDROID,
    AWS_PLATFORM_OS_UNIX,
};

/** One CPU of a group. */
struct aws_cpu_info {
    /** The system's number of it; -1 = none. */
    int32_t cpu_id;
    /** Whether it shares a core with an earlier one. */
    bool suspected_hyper_thread;
};

/** Groups of CPUs that share memory of their own (NUMA nodes); at least 1. Any thread. */
uint16_t aws_get_cpu_group_count(void);

/**
 * CPUs in a group; all CPUs of the process where the system has no groups, 0 for a group that does
 * not exist. Any thread.
 */
size_t aws_get_cpu_count_for_group(uint16_t group_idx);

/**
 * Writes the call stack of this thread to a stream.
 *
 * `fp`: an open stream. `call_site_data`: the `siginfo_t` of a signal handler, or NULL. Any thread;
 * in a signal handler it may allocate, as a last resort of a dying program.
 */
void aws_backtrace_print(FILE *fp, void *call_site_data);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_SYSTEM_INFO_H */
