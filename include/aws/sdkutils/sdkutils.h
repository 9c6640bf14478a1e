/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/sdkutils/sdkutils.rs; `make headers` writes it anew. */
#ifndef AWS_SDKUTILS_SDKUTILS_H
#define AWS_SDKUTILS_SDKUTILS_H

#include <aws/common/common.h>
#include <aws/common/logging.h>
#include <aws/sdkutils/exports.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Number of this library's errors and log subjects. */
#define AWS_C_SDKUTILS_PACKAGE_ID 15

/** Errors of profile files, endpoint rules and partitions. */
enum aws_sdkutils_errors {
    AWS_ERROR_SDKUTILS_GENERAL = 15360,
    AWS_ERROR_SDKUTILS_PARSE_FATAL = 15361,
    AWS_ERROR_SDKUTILS_PARSE_RECOVERABLE = 15362,
    AWS_ERROR_SDKUTILS_ENDPOINTS_UNSUPPORTED_RULESET = 15363,
    AWS_ERROR_SDKUTILS_ENDPOINTS_PARSE_FAILED = 15364,
    AWS_ERROR_SDKUTILS_ENDPOINTS_RESOLVE_INIT_FAILED = 15365,
    AWS_ERROR_SDKUTILS_ENDPOINTS_RESOLVE_FAILED = 15366,
    AWS_ERROR_SDKUTILS_ENDPOINTS_EMPTY_RULESET = 15367,
    AWS_ERROR_SDKUTILS_ENDPOINTS_RULESET_EXHAUSTED = 15368,
    AWS_ERROR_SDKUTILS_PARTITIONS_UNSUPPORTED = 15369,
    AWS_ERROR_SDKUTILS_PARTITIONS_PARSE_FAILED = 15370,
    AWS_ERROR_SDKUTILS_ENDPOINTS_UNSUPPORTED_REGEX = 15371,
    AWS_ERROR_SDKUTILS_ENDPOINTS_REGEX_NO_MATCH = 15372,
    AWS_ERROR_SDKUTILS_END_RANGE = 16383,
};

/** Log subjects of profile files, endpoint rules and partitions. */
enum aws_sdkutils_log_subject {
    AWS_LS_SDKUTILS_GENERAL = 15360,
    AWS_LS_SDKUTILS_PROFILE = 15361,
    AWS_LS_SDKUTILS_ENDPOINTS_PARSING = 15362,
    AWS_LS_SDKUTILS_ENDPOINTS_RESOLVE = 15363,
    AWS_LS_SDKUTILS_ENDPOINTS_GENERAL = 15364,
    AWS_LS_SDKUTILS_PARTITIONS_PARSING = 15365,
    AWS_LS_SDKUTILS_ENDPOINTS_REGEX = 15366,
    AWS_LS_SDKUTILS_LAST = 16383,
};

struct aws_allocator;

/**
 * Kept for programs that call it: errors and subjects of this library are always known.
 *
 * `allocator`: not used; may be NULL. Any thread, any number of times.
 */
void aws_sdkutils_library_init(struct aws_allocator *allocator);

/** Kept for programs that call it; does nothing. Any thread, any number of times. */
void aws_sdkutils_library_clean_up(void);

#ifdef __cplusplus
}
#endif

#endif /* AWS_SDKUTILS_SDKUTILS_H */
