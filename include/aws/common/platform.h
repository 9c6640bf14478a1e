/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/platform.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_PLATFORM_H
#define AWS_COMMON_PLATFORM_H

#include <aws/common/config.h>

#if defined(__APPLE__)
#    define AWS_OS_APPLE
#    define AWS_OS_MACOS
#elif defined(__linux__)
#    define AWS_OS_LINUX
#endif
#if defined(__ANDROID__)
#    define AWS_OS_ANDROID
#endif

#endif /* AWS_COMMON_PLATFORM_H */
