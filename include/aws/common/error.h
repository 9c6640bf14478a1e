/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/error.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_ERROR_H
#define AWS_COMMON_ERROR_H

#include <aws/common/assert.h>
#include <aws/common/exports.h>
#include <aws/common/macros.h>
#include <aws/common/package.h>
#include <aws/common/stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A function that returns `int` did its work. */
#define AWS_OP_SUCCESS (0)
/** A function that returns `int` failed; aws_last_error() says why. */
#define AWS_OP_ERR (-1)

/* Every library has 1024 error codes. */
#define AWS_ERROR_ENUM_STRIDE_BITS 10
#define AWS_ERROR_ENUM_STRIDE (1U << AWS_ERROR_ENUM_STRIDE_BITS)
#define AWS_ERROR_ENUM_BEGIN_RANGE(x) ((x) * AWS_ERROR_ENUM_STRIDE)
#define AWS_ERROR_ENUM_END_RANGE(x) (((x) + 1) * AWS_ERROR_ENUM_STRIDE - 1)

/** One entry of an aws_error_info table: constant, text, library name. */
#define AWS_DEFINE_ERROR_INFO(C, ES, LN)            \
    {                                               \
        .literal_name = #C, .error_code = (C),      \
        .error_str = (ES), .lib_name = (LN),        \
        .formatted_name = LN ": " #C ", " ES,       \
    }

/** Error codes that all libraries share. */
enum aws_common_error {
    /** The call succeeded. */
    AWS_ERROR_SUCCESS = 0,
    /** Memory could not be allocated. */
    AWS_ERROR_OOM = 1,
    /** The device has no space left. */
    AWS_ERROR_NO_SPACE = 2,
    /** The cause is not known. */
    AWS_ERROR_UNKNOWN = 3,
    /** The buffer is shorter than what it should hold. */
    AWS_ERROR_SHORT_BUFFER = 4,
    /** A number went beyond what its type can hold. */
    AWS_ERROR_OVERFLOW_DETECTED = 5,
    /** This operation is not supported here. */
    AWS_ERROR_UNSUPPORTED_OPERATION = 6,
    /** The buffer's size does not fit the operation. */
    AWS_ERROR_INVALID_BUFFER_SIZE = 7,
    /** The text is not valid hexadecimal. */
    AWS_ERROR_INVALID_HEX_STR = 8,
    /** The text is not valid base64. */
    AWS_ERROR_INVALID_BASE64_STR = 9,
    /** The index is outside of the list. */
    AWS_ERROR_INVALID_INDEX = 10,
    /** The system refused the settings of the new thread. */
    AWS_ERROR_THREAD_INVALID_SETTINGS = 11,
    /** The system has no resources for another thread. */
    AWS_ERROR_THREAD_INSUFFICIENT_RESOURCE = 12,
    /** The settings of the thread need a permission that is missing. */
    AWS_ERROR_THREAD_NO_PERMISSIONS = 13,
    /** The thread cannot be joined. */
    AWS_ERROR_THREAD_NOT_JOINABLE = 14,
    /** There is no such thread. */
    AWS_ERROR_THREAD_NO_SUCH_THREAD_ID = 15,
    /** Waiting would have blocked the thread for ever. */
    AWS_ERROR_THREAD_DEADLOCK_DETECTED = 16,
    /** The mutex was not initialised. */
    AWS_ERROR_MUTEX_NOT_INIT = 17,
    /** The mutex is held by somebody else. */
    AWS_ERROR_MUTEX_TIMEOUT = 18,
    /** The caller does not hold the mutex. */
    AWS_ERROR_MUTEX_CALLER_NOT_OWNER = 19,
    /** The mutex operation failed. */
    AWS_ERROR_MUTEX_FAILED = 20,
    /** The condition variable could not be made. */
    AWS_ERROR_COND_VARIABLE_INIT_FAILED = 21,
    /** Waiting on the condition variable took too long. */
    AWS_ERROR_COND_VARIABLE_TIMED_OUT = 22,
    /** Waiting on the condition variable failed. */
    AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN = 23,
    /** The clock could not be read. */
    AWS_ERROR_CLOCK_FAILURE = 24,
    /** The list has no items. */
    AWS_ERROR_LIST_EMPTY = 25,
    /** The destination has no room for the data. */
    AWS_ERROR_DEST_COPY_TOO_SMALL = 26,
    /** The list has reached its largest size. */
    AWS_ERROR_LIST_EXCEEDS_MAX_SIZE = 27,
    /** A list over foreign memory cannot shrink. */
    AWS_ERROR_LIST_STATIC_MODE_CANT_SHRINK = 28,
    /** The priority queue is full. */
    AWS_ERROR_PRIORITY_QUEUE_FULL = 29,
    /** The priority queue is empty. */
    AWS_ERROR_PRIORITY_QUEUE_EMPTY = 30,
    /** The node is not in the priority queue. */
    AWS_ERROR_PRIORITY_QUEUE_BAD_NODE = 31,
    /** The hash table has no such item. */
    AWS_ERROR_HASHTBL_ITEM_NOT_FOUND = 32,
    /** The text is not a date of the expected form. */
    AWS_ERROR_INVALID_DATE_STR = 33,
    /** An argument is not valid. */
    AWS_ERROR_INVALID_ARGUMENT = 34,
    /** Random numbers could not be generated. */
    AWS_ERROR_RANDOM_GEN_FAILED = 35,
    /** The input text is malformed. */
    AWS_ERROR_MALFORMED_INPUT_STRING = 36,
    /** This capability is not available. */
    AWS_ERROR_UNIMPLEMENTED = 37,
    /** The object's state does not allow this call. */
    AWS_ERROR_INVALID_STATE = 38,
    /** The environment variable could not be read. */
    AWS_ERROR_ENVIRONMENT_GET = 39,
    /** The environment variable could not be set. */
    AWS_ERROR_ENVIRONMENT_SET = 40,
    /** The environment variable could not be removed. */
    AWS_ERROR_ENVIRONMENT_UNSET = 41,
    /** The stream has no positions to go to. */
    AWS_ERROR_STREAM_UNSEEKABLE = 42,
    /** The permission for this is missing. */
    AWS_ERROR_NO_PERMISSION = 43,
    /** The path names nothing usable. */
    AWS_ERROR_FILE_INVALID_PATH = 44,
    /** The process has no free file descriptors. */
    AWS_ERROR_MAX_FDS_EXCEEDED = 45,
    /** A system call failed. */
    AWS_ERROR_SYS_CALL_FAILURE = 46,
    /** The C string has no zero at its end. */
    AWS_ERROR_C_STRING_BUFFER_NOT_NULL_TERMINATED = 47,
    /** The text searched for was not found. */
    AWS_ERROR_STRING_MATCH_NOT_FOUND = 48,
    /** The divisor is zero. */
    AWS_ERROR_DIVIDE_BY_ZERO = 49,
    /** The file handle is not valid. */
    AWS_ERROR_INVALID_FILE_HANDLE = 50,
    /** The operation was interrupted. */
    AWS_ERROR_OPERATION_INTERUPTED = 51,
    /** The directory is not empty. */
    AWS_ERROR_DIRECTORY_NOT_EMPTY = 52,
    /** This platform does not support it. */
    AWS_ERROR_PLATFORM_NOT_SUPPORTED = 53,
    /** The bytes are not valid UTF-8. */
    AWS_ERROR_INVALID_UTF8 = 54,
    /** The home directory could not be found. */
    AWS_ERROR_GET_HOME_DIRECTORY_FAILED = 55,
    /** The XML document is malformed. */
    AWS_ERROR_INVALID_XML = 56,
    /** The file could not be opened. */
    AWS_ERROR_FILE_OPEN_FAILURE = 57,
    /** The file could not be read. */
    AWS_ERROR_FILE_READ_FAILURE = 58,
    /** The file could not be written. */
    AWS_ERROR_FILE_WRITE_FAILURE = 59,
    /** The CBOR data is malformed. */
    AWS_ERROR_INVALID_CBOR = 60,
    /** The CBOR item is not of the expected type. */
    AWS_ERROR_CBOR_UNEXPECTED_TYPE = 61,
    /** The CBOR data goes beyond a limit. */
    AWS_ERROR_CBOR_RESOURCE_LIMIT_EXCEEDED = 62,
    /** Something outside of the library asked for the shutdown. */
    AWS_ERROR_EXTERNAL_REQUEST_SHUTDOWN = 63,
    /** The last number kept for these. */
    AWS_ERROR_END_COMMON_RANGE = 1023,
};

struct aws_error_info;
struct aws_error_info_list;

/** Told of every error raised, on the thread that raises it. It must not raise errors itself. */
typedef void (aws_error_handler_fn)(int err, void *ctx);

/** What a number means. All texts live as long as the program. */
struct aws_error_info {
    int error_code;
    /** The name of the constant. */
    const char *literal_name;
    /** A sentence. */
    const char *error_str;
    const char *lib_name;
    /** All of it in one line. */
    const char *formatted_name;
};

/** The errors of one library: entry n stands for the library's first number plus n. */
struct aws_error_info_list {
    const struct aws_error_info *error_list;
    uint16_t count;
};

/**
 * The error that last happened on this thread; AWS_ERROR_SUCCESS if none did. A call that succeeds
 * does not change it.
 */
int aws_last_error(void);

/**
 * A sentence about an error.
 *
 * Never NULL; lives as long as the program. Any thread.
 */
const char *aws_error_str(int err);

/** The name of an error's constant; as aws_error_str(). */
const char *aws_error_name(int err);

/** The name of the library that an error belongs to; as aws_error_str(). */
const char *aws_error_lib_name(int err);

/** Library, name and sentence of an error in one line; as aws_error_str(). */
const char *aws_error_debug_str(int err);

/** Makes an error the last one of this thread and tells the error handler, if one is installed. */
void aws_raise_error_private(int err);

/** Sets the last error of this thread to AWS_ERROR_SUCCESS. */
void aws_reset_error(void);

/** Sets the last error of this thread without telling the error handler. */
void aws_restore_error(int err);

/**
 * Installs the error handler for all threads that have none of their own, and returns the one
 * before.
 *
 * `handler`: may be NULL. `ctx`: given to it each time. Any thread.
 */
aws_error_handler_fn *aws_set_global_error_handler_fn(aws_error_handler_fn *handler, void *ctx);

/** Installs the error handler of this thread; as aws_set_global_error_handler_fn(). */
aws_error_handler_fn *aws_set_thread_local_error_handler_fn(
    aws_error_handler_fn *handler,
    void *ctx);

/**
 * Makes a program's own errors known.
 *
 * `error_info`: kept, must live as long as the program, entries in order of their numbers without
 * gaps. A list whose numbers lie outside of what libraries can have is left out. Any thread.
 */
void aws_register_error_info(const struct aws_error_info_list *error_info);

/** Takes back what aws_register_error_info() made known. Any thread. */
void aws_unregister_error_info(const struct aws_error_info_list *error_info);

#ifdef __cplusplus
}
#endif

#include <aws/common/error.inl>

#endif /* AWS_COMMON_ERROR_H */
