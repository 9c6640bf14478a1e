/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/logging.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_LOGGING_H
#define AWS_COMMON_LOGGING_H

#include <aws/common/atomics.h>
#include <aws/common/common.h>
#include <aws/common/thread.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AWS_LOG_LEVEL_NONE 0
#define AWS_LOG_LEVEL_FATAL 1
#define AWS_LOG_LEVEL_ERROR 2
#define AWS_LOG_LEVEL_WARN 3
#define AWS_LOG_LEVEL_INFO 4
#define AWS_LOG_LEVEL_DEBUG 5
#define AWS_LOG_LEVEL_TRACE 6

enum {
    /** Every library has 1024 log subjects. */
    AWS_LOG_SUBJECT_STRIDE_BITS = 10
};
#define AWS_LOG_SUBJECT_STRIDE (1U << AWS_LOG_SUBJECT_STRIDE_BITS)
#define AWS_LOG_SUBJECT_BEGIN_RANGE(x) ((x) * AWS_LOG_SUBJECT_STRIDE)
#define AWS_LOG_SUBJECT_END_RANGE(x) (((x) + 1) * AWS_LOG_SUBJECT_STRIDE - 1)

/** One entry of an aws_log_subject_info table. */
#define DEFINE_LOG_SUBJECT_INFO(id, name, desc) \
    {.subject_id = (id), .subject_name = (name), .subject_description = (desc)}

/** Hands a line to the installed logger where its level allows. */
#define AWS_LOGF(log_level, subject, ...)                                                             \
    do {                                                                                              \
        AWS_ASSERT(log_level > 0);                                                                    \
        struct aws_logger *logger = aws_logger_get();                                                 \
        if (logger != NULL && logger->vtable->get_log_level(logger, (subject)) >= (log_level)) {      \
            logger->vtable->log(logger, log_level, subject, __VA_ARGS__);                             \
        }                                                                                             \
    } while (0)
/** Hands a line to a logger without asking for its level. */
#define AWS_LOGUF(logger, log_level, subject, ...)                    \
    {                                                                 \
        logger->vtable->log(logger, log_level, subject, __VA_ARGS__); \
    }

/* Levels above AWS_STATIC_LOG_LEVEL compile to nothing. */
#if !defined(AWS_STATIC_LOG_LEVEL)
#    define AWS_STATIC_LOG_LEVEL AWS_LOG_LEVEL_TRACE
#endif
#if AWS_STATIC_LOG_LEVEL >= AWS_LOG_LEVEL_FATAL
#    define AWS_LOGF_FATAL(subject, ...) AWS_LOGF(AWS_LL_FATAL, subject, __VA_ARGS__)
#else
#    define AWS_LOGF_FATAL(subject, ...)
#endif
#if AWS_STATIC_LOG_LEVEL >= AWS_LOG_LEVEL_ERROR
#    define AWS_LOGF_ERROR(subject, ...) AWS_LOGF(AWS_LL_ERROR, subject, __VA_ARGS__)
#else
#    define AWS_LOGF_ERROR(subject, ...)
#endif
#if AWS_STATIC_LOG_LEVEL >= AWS_LOG_LEVEL_WARN
#    define AWS_LOGF_WARN(subject, ...) AWS_LOGF(AWS_LL_WARN, subject, __VA_ARGS__)
#else
#    define AWS_LOGF_WARN(subject, ...)
#endif
#if AWS_STATIC_LOG_LEVEL >= AWS_LOG_LEVEL_INFO
#    define AWS_LOGF_INFO(subject, ...) AWS_LOGF(AWS_LL_INFO, subject, __VA_ARGS__)
#else
#    define AWS_LOGF_INFO(subject, ...)
#endif
#if AWS_STATIC_LOG_LEVEL >= AWS_LOG_LEVEL_DEBUG
#    define AWS_LOGF_DEBUG(subject, ...) AWS_LOGF(AWS_LL_DEBUG, subject, __VA_ARGS__)
#else
#    define AWS_LOGF_DEBUG(subject, ...)
#endif
#if AWS_STATIC_LOG_LEVEL >= AWS_LOG_LEVEL_TRACE
#    define AWS_LOGF_TRACE(subject, ...) AWS_LOGF(AWS_LL_TRACE, subject, __VA_ARGS__)
#else
#    define AWS_LOGF_TRACE(subject, ...)
#endif

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_LOGGING_H */
