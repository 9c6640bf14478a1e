/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/includes.txt; `make headers` writes it anew. */
#ifndef AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H
#define AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H

#include <aws/common/byte_buf.h>
#include <aws/sdkutils/sdkutils.h>

#endif /* AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H */
