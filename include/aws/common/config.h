/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/config.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_CONFIG_H
#define AWS_COMMON_CONFIG_H

/* What the compiler and the platform have. */
#define AWS_HAVE_GCC_OVERFLOW_MATH_EXTENSIONS
#define AWS_HAVE_POSIX_LARGE_FILE_SUPPORT
#if defined(__linux__)
#    define AWS_HAVE_EXECINFO
#    define AWS_HAVE_LINUX_IF_LINK_H
#endif
#if defined(__aarch64__)
#    define AWS_ARCH_ARM64
#endif
#if defined(__x86_64__) || defined(__i386__)
#    define AWS_ARCH_INTEL
#    define AWS_HAVE_GCC_INLINE_ASM
#endif
#if defined(__x86_64__)
#    define AWS_ARCH_INTEL_X64
#endif
#define AWS_USE_CPU_EXTENSIONS

#endif /* AWS_COMMON_CONFIG_H */
