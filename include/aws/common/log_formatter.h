/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_COMMON_LOG_FORMATTER_H
#define AWS_COMMON_LOG_FORMATTER_H

#include <aws/common/common.h>
#include <aws/common/date_time.h>
#include <aws/common/logging.h>

#include <stdarg.h>
#include <stdio.h>

#endif /* AWS_COMMON_LOG_FORMATTER_H */
