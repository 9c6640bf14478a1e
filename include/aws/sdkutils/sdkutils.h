/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_SDKUTILS_SDKUTILS_H
#define AWS_SDKUTILS_SDKUTILS_H

#include <aws/common/common.h>
#include <aws/common/logging.h>
#include <aws/sdkutils/exports.h>

#endif /* AWS_SDKUTILS_SDKUTILS_H */
