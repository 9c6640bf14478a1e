/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/s3.rs; `make headers` writes it anew. */
#ifndef AWS_S3_S3_H
#define AWS_S3_S3_H

#include <aws/common/common.h>
#include <aws/io/logging.h>
#include <aws/s3/exports.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Errors of the S3 library. */
enum aws_s3_errors {
    /** A response to a ranged request had no Content-Range header. */
    AWS_ERROR_S3_MISSING_CONTENT_RANGE_HEADER = 14336,
    /** The Content-Range header of a response could not be understood. */
    AWS_ERROR_S3_INVALID_CONTENT_RANGE_HEADER = 14337,
    /** A response had no Content-Length header where one is needed. */
    AWS_ERROR_S3_MISSING_CONTENT_LENGTH_HEADER = 14338,
    /** A Content-Length header could not be understood. */
    AWS_ERROR_S3_INVALID_CONTENT_LENGTH_HEADER = 14339,
    /** A response had no ETag header where one is needed. */
    AWS_ERROR_S3_MISSING_ETAG = 14340,
    /** The server answered with an internal error. */
    AWS_ERROR_S3_INTERNAL_ERROR = 14341,
    /** The server asked for fewer requests. */
    AWS_ERROR_S3_SLOW_DOWN = 14342,
    /** The server answered with an error status. */
    AWS_ERROR_S3_INVALID_RESPONSE_STATUS = 14343,
    /** The answer to CreateMultipartUpload had no upload id. */
    AWS_ERROR_S3_MISSING_UPLOAD_ID = 14344,
    /** The URI of the proxy could not be understood. */
    AWS_ERROR_S3_PROXY_PARSE_FAILED = 14345,
    /** The scheme of the proxy is not supported. */
    AWS_ERROR_S3_UNSUPPORTED_PROXY_SCHEME = 14346,
    /** The meta request was canceled. */
    AWS_ERROR_S3_CANCELED = 14347,
    /** The Range header of the message could not be understood. */
    AWS_ERROR_S3_INVALID_RANGE_HEADER = 14348,
    /** A Range header with several ranges is not supported. */
    AWS_ERROR_S3_MULTIRANGE_HEADER_UNSUPPORTED = 14349,
    /** The bytes received do not have the checksum the server reported. */
    AWS_ERROR_S3_RESPONSE_CHECKSUM_MISMATCH = 14350,
    /** A checksum could not be computed. */
    AWS_ERROR_S3_CHECKSUM_CALCULATION_FAILED = 14351,
    /** The meta request was paused. */
    AWS_ERROR_S3_PAUSED = 14352,
    /** The answer to ListParts could not be understood. */
    AWS_ERROR_S3_LIST_PARTS_PARSE_FAILED = 14353,
    /** A part uploaded before the pause has another checksum than the bytes read now. */
    AWS_ERROR_S3_RESUMED_PART_CHECKSUM_MISMATCH = 14354,
    /** The upload could not be resumed. */
    AWS_ERROR_S3_RESUME_FAILED = 14355,
    /** The object changed during the transfer. */
    AWS_ERROR_S3_OBJECT_MODIFIED = 14356,
    /** A response with status 200 carried an error that another try cannot help. */
    AWS_ERROR_S3_NON_RECOVERABLE_ASYNC_ERROR = 14357,
    /** The request did not get so far that this figure exists. */
    AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE = 14358,
    /** The body does not have as many bytes as Content-Length says. */
    AWS_ERROR_S3_INCORRECT_CONTENT_LENGTH = 14359,
    /** The clock of this machine is too far from the server's. */
    AWS_ERROR_S3_REQUEST_TIME_TOO_SKEWED = 14360,
    /** The file changed during the transfer. */
    AWS_ERROR_S3_FILE_MODIFIED = 14361,
    /** The request does not fit into the memory limit. */
    AWS_ERROR_S3_EXCEEDS_MEMORY_LIMIT = 14362,
    /** The memory limit is too small, or smaller than the largest part. */
    AWS_ERROR_S3_INVALID_MEMORY_LIMIT_CONFIG = 14363,
    /** CreateSession failed. */
    AWS_ERROR_S3EXPRESS_CREATE_SESSION_FAILED = 14364,
    /** A response did not fit its buffer; the request is repeated with ranges. */
    AWS_ERROR_S3_INTERNAL_BUFFER_SIZE_MISMATCH_RETRYING_WITH_RANGE = 14365,
    /** The meta request has ended already. */
    AWS_ERROR_S3_REQUEST_HAS_COMPLETED = 14366,
    /** The file to receive into exists already. */
    AWS_ERROR_S3_RECV_FILE_ALREADY_EXISTS = 14367,
    /** The file to receive into does not exist. */
    AWS_ERROR_S3_RECV_FILE_NOT_FOUND = 14368,
    /** A request took too long and was given up. */
    AWS_ERROR_S3_REQUEST_TIMEOUT = 14369,
    /** The buffer pool gave no memory. */
    AWS_ERROR_S3_BUFFER_ALLOCATION_FAILED = 14370,
    /** A part does not fit into the memory limit. */
    AWS_ERROR_S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT = 14371,
    /** Old name of the error with the same number. */
    AWS_ERROR_S3_INTERNAL_PART_SIZE_MISMATCH_RETRYING_WITH_RANGE = 14365,
    /** The last number of this library. */
    AWS_ERROR_S3_END_RANGE = 15359,
};

/** Log subjects of the S3 library. */
enum aws_s3_subject {
    AWS_LS_S3_GENERAL = 14336,
    AWS_LS_S3_CLIENT = 14337,
    AWS_LS_S3_CLIENT_STATS = 14338,
    AWS_LS_S3_REQUEST = 14339,
    AWS_LS_S3_META_REQUEST = 14340,
    AWS_LS_S3_ENDPOINT = 14341,
    AWS_LS_S3_LAST = 15359,
};

struct aws_allocator;
struct aws_array_list;
struct aws_byte_cursor;
struct aws_s3_platform_info;

/** What is known about a machine's network. */
struct aws_s3_platform_info {
    /** The EC2 instance type, such as c5n.18xlarge; empty elsewhere. */
    struct aws_byte_cursor instance_type;
    /** Gbit/s of its network; 0 where unknown. */
    double max_throughput_gbps;
    /** Bindings may use this client on such a machine without being asked to. */
    bool has_recommended_configuration;
};

/**
 * Initialises this library and those it stands on. Calls after the first do nothing: error names
 * and log subjects are known from the start. `allocator` must live until the clean-up; NULL = the
 * default allocator. Not concurrently with other functions.
 */
void aws_s3_library_init(struct aws_allocator *allocator);

/**
 * Undoes `aws_s3_library_init`, whatever number of times that was called. Waits for the threads of
 * event-loop groups that were released. Does nothing where the library is not initialised. Not
 * concurrently with other functions, and not on a thread of the library.
 */
void aws_s3_library_clean_up(void);

/**
 * What this machine is. Never NULL; valid until the process ends. Any thread. Reads the firmware's
 * strings once; may block for that.
 */
const struct aws_s3_platform_info *aws_s3_get_current_platform_info(void);

/**
 * The EC2 instance type of this machine; empty elsewhere. Valid until the process ends. With
 * `cached_only` nothing is read: empty where nobody asked before. Any thread.
 */
struct aws_byte_cursor aws_s3_get_current_platform_ec2_intance_type(bool cached_only);

/**
 * Bytes a client uses for parts where its options name no limit: by the throughput target in
 * Gbit/s, or with 0 by what this machine is. Any thread.
 */
size_t aws_s3_default_memory_limit_for_throughput(double throughput_target_gbps);

/**
 * The EC2 instance types with recommended settings: a list of `struct aws_byte_cursor` over static
 * text. The caller cleans the list up. Any thread.
 */
struct aws_array_list aws_s3_get_platforms_with_recommended_config(void);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_S3_H */
