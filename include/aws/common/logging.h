/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/logging.rs; `make headers` writes it anew. */
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

/** How important a line is, the most important first. */
enum aws_log_level {
    /** Nothing is logged. */
    AWS_LL_NONE = 0,
    /** The program cannot go on. */
    AWS_LL_FATAL = 1,
    /** Something failed. */
    AWS_LL_ERROR = 2,
    /** Something is odd and may fail. */
    AWS_LL_WARN = 3,
    /** What happens, roughly. */
    AWS_LL_INFO = 4,
    /** What happens, in detail. */
    AWS_LL_DEBUG = 5,
    /** Everything. */
    AWS_LL_TRACE = 6,
    /** How many levels there are. */
    AWS_LL_COUNT = 7,
};

/** What the common headers' lines are about. */
enum aws_common_log_subject {
    AWS_LS_COMMON_GENERAL = 0,
    AWS_LS_COMMON_TASK_SCHEDULER = 1,
    AWS_LS_COMMON_THREAD = 2,
    AWS_LS_COMMON_MEMTRACE = 3,
    AWS_LS_COMMON_XML_PARSER = 4,
    AWS_LS_COMMON_IO = 5,
    AWS_LS_COMMON_BUS = 6,
    AWS_LS_COMMON_TEST = 7,
    AWS_LS_COMMON_JSON_PARSER = 8,
    AWS_LS_COMMON_CBOR = 9,
    /** The last number kept for these. */
    AWS_LS_COMMON_LAST = 1023,
};

struct aws_allocator;
struct aws_log_channel;
struct aws_log_formatter;
struct aws_log_subject_info;
struct aws_log_subject_info_list;
struct aws_log_writer;
struct aws_logger;
struct aws_logger_standard_options;
struct aws_logger_vtable;

/** What a line is about; each library has 1024 of them. */
typedef uint32_t aws_log_subject_t;

/** What a logger can do. A program may fill it in for a logger of its own. */
struct aws_logger_vtable {
    /** Writes one line; called only when get_log_level() allows it. Any thread, several at once. */
    int (*const log)(
        struct aws_logger *logger,
        enum aws_log_level log_level,
        aws_log_subject_t subject,
        const char *format,
        ...) AWS_ATTRIBUTE_PRINTF(4, 5);
    /** The most verbose level that this subject wants. Any thread, several at once. */
    enum aws_log_level (*const get_log_level)(struct aws_logger *logger, aws_log_subject_t subject);
    /** Frees what the logger holds. */
    void (*const clean_up)(struct aws_logger *logger);
    /** Changes the level; may be NULL. */
    int (*set_log_level)(struct aws_logger *logger, enum aws_log_level level);
};

/** A logger in the caller's memory. It must live as long as it is installed. */
struct aws_logger {
    struct aws_logger_vtable *vtable;
    struct aws_allocator *allocator;
    /** The logger's own. */
    void *p_impl;
};

/** What the standard logger writes, and where. Exactly one of `filename` and `file` is set. */
struct aws_logger_standard_options {
    /** The most verbose level that is written. */
    enum aws_log_level level;
    /** A file to append to, opened and closed by the logger. Copied. */
    const char *filename;
    /** An open stream, which must stay open until the logger is cleaned up. */
    FILE *file;
};

/** A subject and its name. */
struct aws_log_subject_info {
    aws_log_subject_t subject_id;
    const char *subject_name;
    const char *subject_description;
};

/** The subjects of one library, in order of their numbers. */
struct aws_log_subject_info_list {
    struct aws_log_subject_info *subject_list;
    size_t count;
};

/** A logger made of parts: what formats a line, what carries it, what writes it. */
struct aws_logger_pipeline {
    struct aws_log_formatter *formatter;
    struct aws_log_channel *channel;
    struct aws_log_writer *writer;
    struct aws_allocator *allocator;
    struct aws_atomic_var level;
};

/**
 * Installs a logger for the whole process.
 *
 * `logger`: borrowed until another one is installed; NULL installs one that wants no line. Lines
 * may be on their way to the old logger while this runs. Any thread.
 */
void aws_logger_set(struct aws_logger *logger);

/** The installed logger; never NULL. Any thread. */
struct aws_logger *aws_logger_get(void);

/**
 * Makes the standard logger: lines with level, time, thread and subject, written to a file by a
 * thread of their own.
 *
 * `logger`: written. `allocator`: borrowed, must outlive the logger. `options`: copied.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or what opening the file
 * raised. Ended with aws_logger_clean_up(). Any thread.
 */
int aws_logger_init_standard(
    struct aws_logger *logger,
    struct aws_allocator *allocator,
    struct aws_logger_standard_options *options);

/**
 * Ends a logger; every line given to it before has been written when this returns. If it is the
 * installed one, none is installed afterwards.
 *
 * `logger`: NULL and a second call are nothing. No other thread may use it any more.
 */
void aws_logger_clean_up(struct aws_logger *logger);

/**
 * Changes the level of a logger.
 *
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT, with
 * AWS_ERROR_UNIMPLEMENTED where the logger cannot, or with what the logger raises. Any thread.
 */
int aws_logger_set_log_level(struct aws_logger *logger, enum aws_log_level level);

/**
 * The name of a log subject; "Unknown" for one that no library has. Lives as long as the program.
 */
const char *aws_log_subject_name(aws_log_subject_t subject);

/**
 * Makes a program's own log subjects known.
 *
 * `log_subject_list`: kept, must live as long as the program, entries in order of their numbers
 * without gaps. A list whose numbers lie outside of what libraries can have is left out. Any thread.
 */
void aws_register_log_subject_info_list(struct aws_log_subject_info_list *log_subject_list);

/**
 * The name of a level, for log lines of other files.
 *
 * `level_string`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT
 * for a level that does not exist. Any thread.
 */
int aws_log_level_to_string(enum aws_log_level log_level, const char **level_string);

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
