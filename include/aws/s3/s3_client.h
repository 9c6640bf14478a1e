/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/s3_client.rs; `make headers` writes it anew. */
#ifndef AWS_S3_S3_CLIENT_H
#define AWS_S3_S3_CLIENT_H

#include <aws/auth/signing_config.h>
#include <aws/common/ref_count.h>
#include <aws/http/connection_manager.h>
#include <aws/io/retry_strategy.h>
#include <aws/s3/s3.h>
#include <aws/s3/s3_buffer_pool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a meta request does, and so how it may be split. */
enum aws_s3_meta_request_type {
    /** The message is sent as it is, as one request. Needs an operation name. */
    AWS_S3_META_REQUEST_TYPE_DEFAULT = 0,
    /** A download, split into ranged requests that run in parallel. */
    AWS_S3_META_REQUEST_TYPE_GET_OBJECT = 1,
    /**
     * An upload. Without a Content-Length header it is always a multipart upload, and cannot be
     * paused. With one it is a multipart upload above the threshold.
     */
    AWS_S3_META_REQUEST_TYPE_PUT_OBJECT = 2,
    /**
     * A copy on the server: one CopyObject, or UploadPartCopy requests in parallel for a large
     * source. Metadata and tags of the source are not copied by a multipart copy; set them on the
     * message.
     */
    AWS_S3_META_REQUEST_TYPE_COPY_OBJECT = 3,
    /** Number of types. */
    AWS_S3_META_REQUEST_TYPE_MAX = 4,
};

/** What a single HTTP request does, as figures report it. */
enum aws_s3_request_type {
    /** Not one of the operations below. */
    AWS_S3_REQUEST_TYPE_UNKNOWN = 0,
    AWS_S3_REQUEST_TYPE_HEAD_OBJECT = 1,
    AWS_S3_REQUEST_TYPE_GET_OBJECT = 2,
    AWS_S3_REQUEST_TYPE_LIST_PARTS = 3,
    AWS_S3_REQUEST_TYPE_CREATE_MULTIPART_UPLOAD = 4,
    AWS_S3_REQUEST_TYPE_UPLOAD_PART = 5,
    AWS_S3_REQUEST_TYPE_ABORT_MULTIPART_UPLOAD = 6,
    AWS_S3_REQUEST_TYPE_COMPLETE_MULTIPART_UPLOAD = 7,
    AWS_S3_REQUEST_TYPE_UPLOAD_PART_COPY = 8,
    AWS_S3_REQUEST_TYPE_COPY_OBJECT = 9,
    AWS_S3_REQUEST_TYPE_PUT_OBJECT = 10,
    AWS_S3_REQUEST_TYPE_CREATE_SESSION = 11,
    /** Number of types. */
    AWS_S3_REQUEST_TYPE_MAX = 12,
    /** Old name of AWS_S3_REQUEST_TYPE_UNKNOWN. */
    AWS_S3_REQUEST_TYPE_DEFAULT = 0,
};

/** Whether connections of a client are encrypted. */
enum aws_s3_meta_request_tls_mode {
    /** Encrypted, with `tls_connection_options` or default options. */
    AWS_MR_TLS_ENABLED = 0,
    /** Plain, whatever `tls_connection_options` says. */
    AWS_MR_TLS_DISABLED = 1,
};

/** Whether a Content-MD5 is computed for uploads. */
enum aws_s3_meta_request_compute_content_md5 {
    AWS_MR_CONTENT_MD5_DISABLED = 0,
    AWS_MR_CONTENT_MD5_ENABLED = 1,
};

/** A checksum S3 can store with an object. */
enum aws_s3_checksum_algorithm {
    AWS_SCA_NONE = 0,
    /** The first algorithm. */
    AWS_SCA_INIT = 1,
    AWS_SCA_CRC32C = 1,
    AWS_SCA_CRC32 = 2,
    AWS_SCA_SHA1 = 3,
    AWS_SCA_SHA256 = 4,
    AWS_SCA_CRC64NVME = 5,
    AWS_SCA_SHA512 = 6,
    AWS_SCA_XXHASH64 = 7,
    AWS_SCA_XXHASH3_64 = 8,
    AWS_SCA_XXHASH3_128 = 9,
    /** The last algorithm. */
    AWS_SCA_END = 9,
    /** A checksum this library does not know. */
    AWS_SCA_UNKNOWN = 10,
};

/** Where an upload's checksum is sent. */
enum aws_s3_checksum_location {
    /** No checksum is added. */
    AWS_SCL_NONE = 0,
    /** In a header, which needs the body before the request starts. */
    AWS_SCL_HEADER = 1,
    /**
     * In a trailer after the body, which is sent aws-chunked. The message itself must not be
     * aws-chunked already.
     */
    AWS_SCL_TRAILER = 2,
};

/** How the file of `recv_filepath` is opened. */
enum aws_s3_recv_file_options {
    /** Created, or emptied where it exists. */
    AWS_S3_RECV_FILE_CREATE_OR_REPLACE = 0,
    /** Must not exist: else AWS_ERROR_S3_RECV_FILE_ALREADY_EXISTS. */
    AWS_S3_RECV_FILE_CREATE_NEW = 1,
    /** Created, or appended to. */
    AWS_S3_RECV_FILE_CREATE_OR_APPEND = 2,
    /**
     * Must exist (else AWS_ERROR_S3_RECV_FILE_NOT_FOUND); written from `recv_file_position` on.
     */
    AWS_S3_RECV_FILE_WRITE_TO_POSITION = 3,
};

struct aws_allocator;
struct aws_array_list;
struct aws_async_input_stream;
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_client_bootstrap;
struct aws_credentials_provider;
struct aws_future_void;
struct aws_http_connection_monitoring_options;
struct aws_http_headers;
struct aws_http_manager_metrics;
struct aws_http_message;
struct aws_http_proxy_options;
struct aws_retry_strategy;
struct aws_s3_buffer_ticket;
struct aws_s3_checksum_config;
struct aws_s3_client;
struct aws_s3_client_config;
struct aws_s3_file_io_options;
struct aws_s3_meta_request;
struct aws_s3_meta_request_options;
struct aws_s3_meta_request_poll_write_result;
struct aws_s3_meta_request_progress;
struct aws_s3_meta_request_receive_body_extra_info;
struct aws_s3_meta_request_result;
struct aws_s3_meta_request_resume_token;
struct aws_s3_request_metrics;
struct aws_s3_tcp_keep_alive_options;
struct aws_s3_upload_part_review;
struct aws_s3_upload_resume_token_options;
struct aws_s3_upload_review;
struct aws_s3express_credentials_provider;
struct aws_signing_config_aws;
struct aws_string;
struct aws_tls_connection_options;
struct aws_uri;
struct proxy_env_var_settings;

/**
 * The last callback of a client: its transfers have ended and its memory is given back.
 *
 * Once, on a thread that belongs to none of the client's transfers, after every shutdown callback
 * of its meta requests.
 */
typedef void (aws_s3_client_shutdown_complete_callback_fn)(void *user_data);

/**
 * Creates a provider of S3 Express session credentials, owned by `client` alone.
 *
 * On the thread of the first `aws_s3_client_make_meta_request` that needs it. Neither the factory
 * nor the provider's destruction may use `client`, and the provider must not hold a reference to
 * it. `on_provider_shutdown_callback` must be called with `shutdown_user_data` when the provider
 * has ended. Returns NULL with an error raised on failure.
 */
typedef struct aws_s3express_credentials_provider *(aws_s3express_provider_factory_fn)(
    struct aws_allocator *allocator,
    struct aws_s3_client *client,
    aws_simple_completion_callback *on_provider_shutdown_callback,
    void *shutdown_user_data,
    void *factory_user_data);

/**
 * The end of a pause, or a resume token after a failure.
 *
 * On a delivery thread, before the finish callback. `resume_token` is valid until the callback
 * returns, or longer with its acquire function; NULL where nothing can be resumed. `error_code`
 * is AWS_ERROR_SUCCESS for a pause that succeeded.
 */
typedef void (aws_s3_meta_request_pause_complete_fn)(
    struct aws_s3_meta_request *meta_request,
    struct aws_s3_meta_request_resume_token *resume_token,
    int error_code,
    void *user_data);

/**
 * Gives the checksum of the whole object, base64 as in a header, once all of it was read.
 *
 * On a delivery thread, once. Returns a new string, which the library destroys, or NULL with an
 * error raised. The value is sent unchecked.
 */
typedef struct aws_string *(aws_s3_meta_request_full_object_checksum_fn)(
    struct aws_s3_meta_request *meta_request,
    void *user_data);

/**
 * The status and headers of a response, error responses included.
 *
 * On a delivery thread, never at the same time as another callback of this meta request.
 * `headers` is valid until the callback returns, or longer with `aws_http_headers_acquire`.
 * Return AWS_OP_SUCCESS to go on, or `aws_raise_error(E)` to cancel the meta request with `E` as
 * its result.
 */
typedef int (aws_s3_meta_request_headers_callback_fn)(
    struct aws_s3_meta_request *meta_request,
    const struct aws_http_headers *headers,
    int response_status,
    void *user_data);

/**
 * The next bytes of the body, in order.
 *
 * On a delivery thread, never at the same time as another callback of this meta request. `body`
 * is valid until the callback returns. `range_start` is the offset of its first byte in the
 * object (for a ranged request the first call has the range's start). With read back-pressure the
 * window shrinks by `body->len`. Return AWS_OP_SUCCESS to go on, or `aws_raise_error(E)` to cancel
 * the meta request with `E` as its result.
 */
typedef int (aws_s3_meta_request_receive_body_callback_fn)(
    struct aws_s3_meta_request *meta_request,
    const struct aws_byte_cursor *body,
    uint64_t range_start,
    void *user_data);

/**
 * As `aws_s3_meta_request_receive_body_callback_fn`, with the ticket of the memory: who acquires
 * the ticket may use the bytes of `body` until the ticket's release.
 */
typedef int (aws_s3_meta_request_receive_body_callback_ex_fn)(
    struct aws_s3_meta_request *meta_request,
    const struct aws_byte_cursor *body,
    struct aws_s3_meta_request_receive_body_extra_info info,
    void *user_data);

/**
 * The end of a meta request, exactly once.
 *
 * On a delivery thread, after the last body callback. The result and what it points to are valid
 * until the callback returns. The meta request may be released here.
 */
typedef void (aws_s3_meta_request_finish_fn)(
    struct aws_s3_meta_request *meta_request,
    const struct aws_s3_meta_request_result *meta_request_result,
    void *user_data);

/**
 * The last callback of a meta request: nothing of it, and nothing lent to it, is used any more.
 *
 * On any thread, exactly once, after the finish callback and after the last reference is gone.
 */
typedef void (aws_s3_meta_request_shutdown_fn)(void *user_data);

/**
 * Progress: bytes uploaded, copied or downloaded; for other requests, bytes of the response body.
 *
 * On a delivery thread, never at the same time as another callback of this meta request.
 */
typedef void (aws_s3_meta_request_progress_fn)(
    struct aws_s3_meta_request *meta_request,
    const struct aws_s3_meta_request_progress *progress,
    void *user_data);

/**
 * Figures of one finished HTTP request, failed tries included.
 *
 * On a delivery thread, never at the same time as another callback of this meta request.
 * `metrics` is valid until the callback returns, or longer with `aws_s3_request_metrics_acquire`.
 */
typedef void (aws_s3_meta_request_telemetry_fn)(
    struct aws_s3_meta_request *meta_request,
    struct aws_s3_request_metrics *metrics,
    void *user_data);

/**
 * Looks at a multipart upload before it is completed. Not called for single-request uploads.
 *
 * On a delivery thread, once. `review` is valid until the callback returns. Return AWS_OP_SUCCESS
 * to go on, or `aws_raise_error(E)` to cancel the upload with `E` as its result.
 */
typedef int (aws_s3_meta_request_upload_review_fn)(
    struct aws_s3_meta_request *meta_request,
    const struct aws_s3_upload_review *review,
    void *user_data);

/**
 * A client: connections, memory and settings shared by its transfers. Counted; created by
 * `aws_s3_client_new`.
 */
struct aws_s3_client;

/**
 * One transfer, which may be many HTTP requests. Counted; created by
 * `aws_s3_client_make_meta_request`.
 */
struct aws_s3_meta_request;

/** State of a paused or failed transfer. Counted. */
struct aws_s3_meta_request_resume_token;

/** Figures of one HTTP exchange. Counted; never changes after the telemetry callback got it. */
struct aws_s3_request_metrics;

/** How files are read and written. May change between versions. */
struct aws_s3_file_io_options {
    /** Send parts from the file without holding a whole part in memory. */
    bool should_stream;
    /**
     * Expected speed of the disk in Gbit/s; 0 takes the client's throughput target. Used with
     * `should_stream`.
     */
    double disk_throughput_gbps;
    /**
     * Ask the system to pass its page cache by. Where that is not possible (part size or position
     * not on a page boundary, file system without support), normal reads and writes are used.
     */
    bool direct_io;
};

/** TCP keep-alive of a client's connections. Zeros take the system's values. */
struct aws_s3_tcp_keep_alive_options {
    /** Seconds between probes. */
    uint16_t keep_alive_interval_sec;
    /** Idle seconds before the first probe. */
    uint16_t keep_alive_timeout_sec;
    /** Probes without an answer before the connection counts as lost. */
    uint16_t keep_alive_max_failed_probes;
};

/**
 * Options of a client. Zero the struct, then set what is needed: `client_bootstrap`, `region` and
 * `signing_config` are required. Everything is copied or acquired by `aws_s3_client_new`.
 */
struct aws_s3_client_config {
    /** Most connections at a time; 0 = derived from `throughput_target_gbps`. */
    uint32_t max_active_connections_override;
    /** Region of the buckets. */
    struct aws_byte_cursor region;
    /** Required. Loops and resolver to use. */
    struct aws_client_bootstrap *client_bootstrap;
    /** Encrypted connections or plain ones. */
    enum aws_s3_meta_request_tls_mode tls_mode;
    /** Used where `tls_mode` is enabled; NULL = default options. */
    const struct aws_tls_connection_options *tls_connection_options;
    /** NULL = defaults. How files are read for uploads. */
    struct aws_s3_file_io_options *fio_opts;
    /**
     * Required, with credentials or a credentials provider. Anonymous credentials switch signing
     * off.
     */
    const struct aws_signing_config_aws *signing_config;
    /**
     * Bytes of a part; 0 = chosen by the library. Enlarged where an upload would need more than
     * 10,000 parts, and to 5 MiB for uploads.
     */
    uint64_t part_size;
    /**
     * Bytes up to which the library may enlarge a part; 0 = the smaller of 5 GiB and half the
     * memory limit.
     */
    uint64_t max_part_size;
    /** Uploads of more bytes are multipart uploads; 0 = the part size, at least 5 MiB. */
    uint64_t multipart_upload_threshold;
    /** Gbit/s to reach; 0 = 10. */
    double throughput_target_gbps;
    /**
     * Bytes the client may use for parts; 0 = derived from the throughput target. At least
     * 16 MiB.
     */
    uint64_t memory_limit_in_bytes;
    /** NULL = a strategy of our own with `retry_config`. */
    struct aws_retry_strategy *retry_strategy;
    /** Settings of our own strategy; ignored where `retry_strategy` is set. */
    struct {
        /** Retries of one request (5). */
        size_t max_retries;
        /** First delay in milliseconds; it doubles with each try (500). */
        uint32_t backoff_scale_factor_ms;
        /** Longest delay in seconds (20). */
        uint32_t max_backoff_secs;
        /** How delays are spread (full jitter). */
        enum aws_exponential_backoff_jitter_mode jitter_mode;
        /** Tokens of the retry budget (500). */
        size_t initial_bucket_capacity;
    } retry_config;
    /**
     * Content-MD5 of uploads. A Content-MD5 header on the message of a multipart upload asks for
     * it too.
     */
    enum aws_s3_meta_request_compute_content_md5 compute_content_md5;
    /** Called when the client has ended. May be NULL. */
    aws_s3_client_shutdown_complete_callback_fn *shutdown_callback;
    void *shutdown_callback_user_data;
    /** NULL = no proxy of its own. */
    const struct aws_http_proxy_options *proxy_options;
    /** Proxy settings from the environment, where `proxy_options` is NULL. */
    const struct proxy_env_var_settings *proxy_ev_settings;
    /** Milliseconds for connecting; 0 = 3,000. */
    uint32_t connect_timeout_ms;
    /** NULL = no keep-alive probes. */
    const struct aws_s3_tcp_keep_alive_options *tcp_keep_alive_options;
    /** When a slow connection is given up; NULL = below 1 byte/s for 30 s. */
    const struct aws_http_connection_monitoring_options *monitoring_options;
    /**
     * Downloads deliver only as many bytes as the window allows; see
     * `aws_s3_meta_request_increment_read_window`.
     */
    bool enable_read_backpressure;
    /**
     * Bytes of the window at the start of a meta request. With 0 nothing is downloaded until the
     * window grows.
     */
    size_t initial_read_window;
    /** S3 Express session credentials may be used. */
    bool enable_s3express;
    /** NULL = a provider of our own. */
    aws_s3express_provider_factory_fn *s3express_provider_override_factory;
    void *factory_user_data;
    /** Network interfaces to spread connections over; may be NULL with a count of 0. */
    const struct aws_byte_cursor *network_interface_names_array;
    size_t num_network_interface_names;
    /** NULL = the library's own part memory. */
    aws_s3_buffer_pool_factory_fn *buffer_pool_factory_fn;
    void *buffer_pool_user_data;
};

/** What `aws_s3_meta_request_poll_write` did. */
struct aws_s3_meta_request_poll_write_result {
    /** Nothing was taken; the waker will be called. */
    bool is_pending;
    /** Not 0: the write failed and the transfer ends. */
    int error_code;
    /** Bytes taken. */
    size_t bytes_processed;
};

/** What an upload token is made of. Values of the token's getters, kept by the caller. */
struct aws_s3_upload_resume_token_options {
    /** Required. */
    struct aws_byte_cursor upload_id;
    /** Required. */
    uint64_t part_size;
    /** Required. */
    size_t total_num_parts;
    /**
     * Parts that were uploaded. Where the upload is gone and this equals `total_num_parts`, the
     * resumed transfer has nothing to do and succeeds.
     */
    size_t num_parts_completed;
};

/** Checksums of a meta request. */
struct aws_s3_checksum_config {
    /** Uploads: where the checksum goes. */
    enum aws_s3_checksum_location location;
    /** Uploads: which one; required unless `location` is AWS_SCL_NONE. */
    enum aws_s3_checksum_algorithm checksum_algorithm;
    /**
     * Multipart uploads: gives the checksum of the whole object. Not with a checksum header on
     * the message (AWS_ERROR_INVALID_ARGUMENT). May be NULL.
     */
    aws_s3_meta_request_full_object_checksum_fn *full_object_checksum_callback;
    void *user_data;
    /**
     * Downloads: ask for checksums and compare; a difference ends the meta request with
     * AWS_ERROR_S3_RESPONSE_CHECKSUM_MISMATCH.
     */
    bool validate_response_checksum;
    /** Downloads: list of `enum aws_s3_checksum_algorithm` to accept; NULL = all. */
    const struct aws_array_list *validate_checksum_algorithms;
};

/** What comes with the bytes of `aws_s3_meta_request_receive_body_callback_ex_fn`. */
struct aws_s3_meta_request_receive_body_extra_info {
    /** Offset of the first byte in the object. */
    uint64_t range_start;
    /** Keeps the bytes alive: acquire it to use them after the callback. */
    struct aws_s3_buffer_ticket *ticket;
};

/**
 * How a meta request ended.
 *
 * With AWS_ERROR_SUCCESS the status is that of the first response. With
 * AWS_ERROR_S3_INVALID_RESPONSE_STATUS the four members about the response describe the request
 * that failed; with other codes they are NULL and 0.
 */
struct aws_s3_meta_request_result {
    /** Headers of the failed response, or NULL. */
    struct aws_http_headers *error_response_headers;
    /** Its body, or NULL where it had none. */
    struct aws_byte_buf *error_response_body;
    /** The S3 operation that failed ("UploadPart"), or NULL. */
    struct aws_string *error_response_operation_name;
    /** Status of the failed request or of the whole transfer. */
    int response_status;
    /** Downloads: every byte was compared with a checksum of the server. */
    bool did_validate;
    /** The algorithm of that checksum. */
    enum aws_s3_checksum_algorithm validation_algorithm;
    /** AWS_ERROR_SUCCESS, or why the transfer failed. */
    int error_code;
};

/** How far a meta request has come. */
struct aws_s3_meta_request_progress {
    /** Bytes since the last report. */
    uint64_t bytes_transferred;
    /** Bytes of the whole transfer; 0 while unknown. */
    uint64_t content_length;
};

/** One part of an upload under review. */
struct aws_s3_upload_part_review {
    /** Bytes of the part. */
    uint64_t size;
    /** Its checksum as sent (base64); empty where none is used. */
    struct aws_byte_cursor checksum;
};

/** A multipart upload under review. */
struct aws_s3_upload_review {
    /** The checksum in use. */
    enum aws_s3_checksum_algorithm checksum_algorithm;
    /** Parts uploaded: length of `part_array`. */
    size_t part_count;
    struct aws_s3_upload_part_review *part_array;
};

/**
 * Options of a transfer. Zero the struct, then set what is needed: `message` is required.
 * Everything is copied or acquired by `aws_s3_client_make_meta_request`, except `request_body`.
 *
 * An upload's body comes from exactly one of: the message's body stream, `send_filepath`,
 * `send_async_stream`, `send_using_async_writes`, `request_body`.
 */
struct aws_s3_meta_request_options {
    enum aws_s3_meta_request_type type;
    /**
     * The S3 operation's name ("CreateBucket"). Required for the default type, ignored for the
     * others. Responses of every operation but "GetObject" are looked through for errors.
     */
    struct aws_byte_cursor operation_name;
    /** Signing for this transfer; NULL = the client's. */
    const struct aws_signing_config_aws *signing_config;
    /** Required. Method, path and headers. */
    struct aws_http_message *message;
    /** Write the body to this file instead of calling the body callback. */
    struct aws_byte_cursor recv_filepath;
    /** How that file is opened. */
    enum aws_s3_recv_file_options recv_file_option;
    /** Offset of the first byte for AWS_S3_RECV_FILE_WRITE_TO_POSITION. */
    uint64_t recv_file_position;
    /** Delete that file where the transfer fails. */
    bool recv_file_delete_on_failure;
    /** Upload this file. */
    struct aws_byte_cursor send_filepath;
    /** NULL = the client's. */
    struct aws_s3_file_io_options *fio_opts;
    /** Upload from this asynchronous stream. */
    struct aws_async_input_stream *send_async_stream;
    /**
     * Upload what `aws_s3_meta_request_write` or `aws_s3_meta_request_poll_write` hand over. Only
     * for AWS_S3_META_REQUEST_TYPE_PUT_OBJECT without Content-Length.
     */
    bool send_using_async_writes;
    /**
     * Send these bytes, which must stay unchanged until the shutdown callback. Only for
     * AWS_S3_META_REQUEST_TYPE_DEFAULT.
     */
    struct aws_byte_cursor request_body;
    /** NULL = no checksums. */
    const struct aws_s3_checksum_config *checksum_config;
    /** Bytes of a part; 0 = the client's. */
    uint64_t part_size;
    /** Let the library choose the part size of a download whatever was set. */
    bool force_dynamic_part_size;
    /**
     * Uploads of more bytes are multipart uploads; 0 = `part_size` where that is set, else the
     * client's.
     */
    uint64_t multipart_upload_threshold;
    /** Passed to every callback. */
    void *user_data;
    /** May be NULL. Not called for a resumed upload that was complete already. */
    aws_s3_meta_request_headers_callback_fn *headers_callback;
    /** May be NULL. Not together with `body_callback_ex`. */
    aws_s3_meta_request_receive_body_callback_fn *body_callback;
    /** May be NULL. */
    aws_s3_meta_request_receive_body_callback_ex_fn *body_callback_ex;
    /** May be NULL. */
    aws_s3_meta_request_finish_fn *finish_callback;
    /** May be NULL. */
    aws_s3_meta_request_shutdown_fn *shutdown_callback;
    /** May be NULL. */
    aws_s3_meta_request_progress_fn *progress_callback;
    /** May be NULL. */
    aws_s3_meta_request_telemetry_fn *telemetry_callback;
    /** May be NULL. */
    aws_s3_meta_request_upload_review_fn *upload_review_callback;
    /**
     * Scheme, host and port to connect to; NULL = https and the Host header. A Host header must
     * be equal to the authority of the endpoint; where it is missing it is added.
     */
    const struct aws_uri *endpoint;
    /** Goes on with the upload of this token; NULL = from the start. */
    struct aws_s3_meta_request_resume_token *resume_token;
    /** Downloads: about how many bytes the object has; NULL = unknown. */
    const uint64_t *object_size_hint;
    /** Copies: URI of the source, for path-style sources or another region. */
    struct aws_byte_cursor copy_source_uri;
    /** Most connections of this transfer; 0 = the client's. */
    uint32_t max_active_connections_override;
    /** Called with a resume token where the transfer fails. May be NULL. */
    aws_s3_meta_request_pause_complete_fn *on_error_resume_token;
};

/**
 * Creates a client.
 *
 * `allocator`: required, outlives the client. `client_config`: required, copied; what it names is
 * acquired. Returns a client with one reference. NULL with AWS_ERROR_INVALID_ARGUMENT (bootstrap,
 * signing config or credentials missing, handles of another AWS library, a bad environment
 * variable), AWS_ERROR_S3_INVALID_MEMORY_LIMIT_CONFIG,
 * AWS_ERROR_S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT, AWS_ERROR_OOM, or the error of the pool's factory;
 * no shutdown callback comes then. Any thread.
 */
struct aws_s3_client *aws_s3_client_new(
    struct aws_allocator *allocator,
    const struct aws_s3_client_config *client_config);

/** Adds a reference and returns `meta_request`. Any thread. */
struct aws_s3_meta_request *aws_s3_meta_request_acquire(struct aws_s3_meta_request *meta_request);

/** Adds a reference and returns `metrics`; NULL stays NULL. Any thread. */
struct aws_s3_request_metrics *aws_s3_request_metrics_acquire(
    struct aws_s3_request_metrics *metrics);

/**
 * Makes an upload's token of values that the getters gave before.
 *
 * `allocator` must outlive the token; `options` is copied. One reference is the caller's. NULL
 * with AWS_ERROR_INVALID_ARGUMENT for missing arguments. Any thread.
 */
struct aws_s3_meta_request_resume_token *aws_s3_meta_request_resume_token_new_upload(
    struct aws_allocator *allocator,
    const struct aws_s3_upload_resume_token_options *options);

/**
 * Starts a transfer.
 *
 * `options`: required, read during the call; what it names is copied or acquired, but for
 * `request_body`. Returns a meta request with one reference. Callbacks may come before this
 * returns. NULL with an error raised where the options do not fit together or name files that
 * cannot be used: AWS_ERROR_INVALID_ARGUMENT and the errors named with the options; no callback
 * comes then. A message without Host header gets the endpoint's. Any thread.
 */
struct aws_s3_meta_request *aws_s3_client_make_meta_request(
    struct aws_s3_client *client,
    const struct aws_s3_meta_request_options *options);

/** Adds a reference and returns `client`. Any thread. */
struct aws_s3_client *aws_s3_client_acquire(struct aws_s3_client *client);

/**
 * Gives up a reference. A transfer under way goes on; its shutdown callback comes when it has
 * ended and the last reference is gone, maybe before this returns. NULL is nothing. Returns NULL.
 * Any thread.
 */
struct aws_s3_meta_request *aws_s3_meta_request_release(struct aws_s3_meta_request *meta_request);

/** Gives up a reference. NULL is nothing. Returns NULL. Any thread. */
struct aws_s3_request_metrics *aws_s3_request_metrics_release(
    struct aws_s3_request_metrics *metrics);

/** Adds a reference and returns `resume_token`; NULL stays NULL. Any thread. */
struct aws_s3_meta_request_resume_token *aws_s3_meta_request_resume_token_acquire(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * Gives up a reference. With the last one, and when every transfer has ended and been released,
 * the client ends by itself and calls its shutdown callback. NULL is nothing. Returns NULL at once.
 * Any thread, callbacks included.
 */
struct aws_s3_client *aws_s3_client_release(struct aws_s3_client *client);

/**
 * Ends a transfer with AWS_ERROR_S3_CANCELED, unless it has ended. Returns at once; the finish
 * callback comes. Any thread, callbacks included.
 */
void aws_s3_meta_request_cancel(struct aws_s3_meta_request *meta_request);

/**
 * The server's x-amz-request-id. Valid as long as `metrics`. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_request_id(
    const struct aws_s3_request_metrics *metrics,
    const struct aws_string **out_request_id);

/** Gives up a reference. NULL is nothing. Returns NULL. Any thread. */
struct aws_s3_meta_request_resume_token *aws_s3_meta_request_resume_token_release(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * Most connections that the client uses at a time, or with a meta request, that this transfer uses.
 * 0 with AWS_ERROR_INVALID_ARGUMENT for no client. Any thread.
 */
uint32_t aws_s3_client_get_max_active_connections(
    struct aws_s3_client *client,
    struct aws_s3_meta_request *meta_request);

/**
 * Lets a download deliver `bytes` more. Without effect where the client has no read back-pressure.
 * Any thread, callbacks included.
 */
void aws_s3_meta_request_increment_read_window(
    struct aws_s3_meta_request *meta_request,
    uint64_t bytes);

/**
 * The server's x-amz-id-2. Valid as long as `metrics`. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_extended_request_id(
    const struct aws_s3_request_metrics *metrics,
    const struct aws_string **out_extended_request_id);

/**
 * AWS_S3_META_REQUEST_TYPE_PUT_OBJECT for an upload's token, AWS_S3_META_REQUEST_TYPE_GET_OBJECT
 * for a download's. Any thread.
 */
enum aws_s3_meta_request_type aws_s3_meta_request_resume_token_type(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * Sets signing options for S3: AWS Signature Version 4, unsigned payload, the given region and
 * provider. `region` and `credentials_provider` are borrowed: they must live as long as the options
 * are used. Any thread.
 */
void aws_s3_init_default_signing_config(
    struct aws_signing_config_aws *signing_config,
    struct aws_byte_cursor region,
    struct aws_credentials_provider *credentials_provider);

/**
 * Pauses an upload: it ends with AWS_ERROR_S3_PAUSED and what was uploaded stays on the server.
 * `*out_resume_token` is what a later upload goes on with, the caller's to release; NULL where
 * nothing was begun, which means to start again. AWS_OP_ERR with AWS_ERROR_UNSUPPORTED_OPERATION
 * for transfers that are no multipart upload of known length. Requests under way may still end.
 * Any thread.
 */
int aws_s3_meta_request_pause(
    struct aws_s3_meta_request *meta_request,
    struct aws_s3_meta_request_resume_token **out_resume_token);

/** When this try began, in nanoseconds of the monotonic clock. Any thread. */
void aws_s3_request_metrics_get_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_start_time);

/** Bytes of a part. Any thread. */
uint64_t aws_s3_meta_request_resume_token_part_size(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * Pauses a transfer: `on_complete` is called before the finish callback, with the token where the
 * pause succeeded. Where a pause is under way already it is called at once with
 * AWS_ERROR_INVALID_STATE. AWS_OP_ERR with AWS_ERROR_UNSUPPORTED_OPERATION where the transfer
 * cannot be paused. Any thread.
 */
int aws_s3_meta_request_pause_async(
    struct aws_s3_meta_request *meta_request,
    aws_s3_meta_request_pause_complete_fn *on_complete,
    void *user_data);

/** When this try ended, in nanoseconds of the monotonic clock. Any thread. */
void aws_s3_request_metrics_get_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_end_time);

/** Parts of the whole transfer. Any thread. */
size_t aws_s3_meta_request_resume_token_total_num_parts(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * Hands bytes of an upload over, made with `send_using_async_writes`.
 *
 * Takes what fits, at least one byte of a non-empty `data` unless it is pending; `bytes_processed`
 * says how much. `eof` counts only where all of `data` was taken. Where nothing fits, `is_pending`
 * is set and `waker` is called once, on any thread, when another call may succeed; do not call
 * before. `error_code` not 0: the transfer ends by itself (AWS_ERROR_S3_REQUEST_HAS_COMPLETED where
 * it has ended). Never blocks. One thread at a time.
 */
struct aws_s3_meta_request_poll_write_result aws_s3_meta_request_poll_write(
    struct aws_s3_meta_request *meta_request,
    struct aws_byte_cursor data,
    bool eof,
    aws_simple_completion_callback *waker,
    void *user_data);

/** Nanoseconds from the beginning to the end of this try. Any thread. */
void aws_s3_request_metrics_get_total_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_total_duration);

/** Parts that were done. Any thread. */
size_t aws_s3_meta_request_resume_token_num_parts_completed(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * Hands bytes of an upload over, made with `send_using_async_writes`. `data` must stay valid until
 * the future is done; the future is the caller's to release. One call at a time. `eof` ends the
 * body. An error in the future means that the transfer ends by itself
 * (AWS_ERROR_S3_REQUEST_HAS_COMPLETED where it has ended). Any thread.
 */
struct aws_future_void *aws_s3_meta_request_write(
    struct aws_s3_meta_request *meta_request,
    struct aws_byte_cursor data,
    bool eof);

/**
 * When sending of the request began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_send_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_send_start_time);

/** Upload id; empty for a download's token. Valid as long as the token. Any thread. */
struct aws_byte_cursor aws_s3_meta_request_resume_token_upload_id(
    struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When sending of the request ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_send_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_send_end_time);

/**
 * ETag of the object; empty for an upload's token or where it is not known. Valid as long as
 * the token. Any thread.
 */
struct aws_byte_cursor aws_s3_meta_request_resume_token_etag(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When receiving of the response began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_receive_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_receive_start_time);

/**
 * Version of the object; empty for an upload's token or where it is not known. Valid as long as
 * the token. Any thread.
 */
struct aws_byte_cursor aws_s3_meta_request_resume_token_version_id(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When receiving of the response ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_receive_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_receive_end_time);

/**
 * Last-Modified of the object, as in the response; empty for an upload's token or where it is not known. Valid as long as
 * the token. Any thread.
 */
struct aws_byte_cursor aws_s3_meta_request_resume_token_s3_object_last_modified(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When signing began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_sign_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_signing_start_time);

/**
 * Bytes of the whole object; 0 for an upload's token or where it is not
 * known. Any thread.
 */
uint64_t aws_s3_meta_request_resume_token_object_size(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When signing ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_sign_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_signing_end_time);

/**
 * Offset of the first byte of the download; 0 for an upload's token or where it is not
 * known. Any thread.
 */
uint64_t aws_s3_meta_request_resume_token_object_range_start(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When waiting for part memory began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_mem_acquire_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_mem_acquire_start_time);

/**
 * Offset of the last byte of the download; 0 for an upload's token or where it is not
 * known. Any thread.
 */
uint64_t aws_s3_meta_request_resume_token_object_range_end(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When waiting for part memory ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_mem_acquire_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_mem_acquire_end_time);

/**
 * Bytes received without a gap from the start of the range; 0 for an upload's token or where it is not
 * known. Any thread.
 */
uint64_t aws_s3_meta_request_resume_token_continuous_downloaded_bytes(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When delivery to the caller began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_delivery_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_delivery_start_time);

/**
 * Bytes received, also behind gaps; 0 for an upload's token or where it is not
 * known. Any thread.
 */
uint64_t aws_s3_meta_request_resume_token_total_downloaded_bytes(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When delivery to the caller ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_delivery_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_delivery_end_time);

/**
 * When the file written to was last changed, in nanoseconds since 1970; 0 for an upload's token or where it is not
 * known. Any thread.
 */
uint64_t aws_s3_meta_request_resume_token_file_last_modified_epoch_ns(
    const struct aws_s3_meta_request_resume_token *resume_token);

/**
 * When waiting for a connection began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_conn_acquire_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_conn_acquire_start_time);

/**
 * When waiting for a connection ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_conn_acquire_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_conn_acquire_end_time);

/**
 * When the pause before this try began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_retry_delay_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_retry_delay_start_time);

/**
 * When the pause before this try ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_retry_delay_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_retry_delay_end_time);

/**
 * Nanoseconds of sending of the request. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_sending_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_sending_duration);

/**
 * Nanoseconds of receiving of the response. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_receiving_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_receiving_duration);

/**
 * Nanoseconds of signing. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_signing_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_signing_duration);

/**
 * Nanoseconds of waiting for part memory. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_mem_acquire_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_mem_acquire_duration);

/**
 * Nanoseconds of delivery to the caller. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_delivery_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_delivery_duration);

/**
 * Nanoseconds of waiting for a connection. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_conn_acquire_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_conn_acquire_duration);

/**
 * Nanoseconds of the pause before this try. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_retry_delay_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_retry_delay_duration);

/**
 * Nanoseconds from asking for a connection to the first byte of the response. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_service_call_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_service_call_duration);

/** When the first try of this request began, in nanoseconds of the monotonic clock. Any thread. */
void aws_s3_request_metrics_get_s3_request_first_attempt_start_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_s3_request_first_attempt_start_time);

/**
 * When the last try of this request ended, in nanoseconds of the monotonic clock.
 * Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_s3_request_last_attempt_end_timestamp_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_s3_request_last_attempt_end_time);

/**
 * Nanoseconds from the beginning of the first try to the end of the last. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_s3_request_total_duration_ns(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_request_duration);

/**
 * The HTTP status. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_response_status_code(
    const struct aws_s3_request_metrics *metrics,
    int *out_response_status);

/**
 * The headers of the response. Valid as long as `metrics`. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_response_headers(
    const struct aws_s3_request_metrics *metrics,
    struct aws_http_headers **out_response_headers);

/** Path and query of the request. Valid as long as `metrics`. Any thread. */
void aws_s3_request_metrics_get_request_path_query(
    const struct aws_s3_request_metrics *metrics,
    const struct aws_string **out_request_path_query);

/** The host the request was for. Valid as long as `metrics`. Any thread. */
void aws_s3_request_metrics_get_host_address(
    const struct aws_s3_request_metrics *metrics,
    const struct aws_string **out_host_address);

/**
 * The address of the server. Valid as long as `metrics`. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_ip_address(
    const struct aws_s3_request_metrics *metrics,
    const struct aws_string **out_ip_address);

/** Whether the connection was encrypted. Any thread. */
bool aws_s3_request_metrics_get_is_https(const struct aws_s3_request_metrics *metrics);

/** How many connections of the endpoint were in use when this request got its own. Any thread. */
void aws_s3_request_metrics_get_http_manager_metrics(
    const struct aws_s3_request_metrics *metrics,
    struct aws_http_manager_metrics *out_metrics);

/**
 * A number that is the same for all requests of one connection. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_connection_id(
    const struct aws_s3_request_metrics *metrics,
    size_t *out_connection_ptr);

/**
 * A number that is the same for all tries of one request and for no other request of the
 * client at the time. Any thread.
 */
int aws_s3_request_metrics_get_request_ptr(
    const struct aws_s3_request_metrics *metrics,
    size_t *out_request_ptr);

/**
 * The thread the request ran on. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_thread_id(
    const struct aws_s3_request_metrics *metrics,
    aws_thread_id_t *out_thread_id);

/**
 * The number of the request on its connection. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_request_stream_id(
    const struct aws_s3_request_metrics *metrics,
    uint32_t *out_stream_id);

/**
 * The S3 operation ("UploadPart"). Valid as long as `metrics`. Else AWS_OP_ERR with
 * AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
 */
int aws_s3_request_metrics_get_operation_name(
    const struct aws_s3_request_metrics *metrics,
    const struct aws_string **out_operation_name);

/** The kind of request. Any thread. */
void aws_s3_request_metrics_get_request_type(
    const struct aws_s3_request_metrics *metrics,
    enum aws_s3_request_type *out_request_type);

/** AWS_ERROR_SUCCESS, or why this try failed. Any thread. */
int aws_s3_request_metrics_get_error_code(const struct aws_s3_request_metrics *metrics);

/** 0 for the first try, then counting up. Any thread. */
uint32_t aws_s3_request_metrics_get_retry_attempt(const struct aws_s3_request_metrics *metrics);

/** Offset of the first byte of the part; 0 where the request is for no part. Any thread. */
void aws_s3_request_metrics_get_part_range_start(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_part_range_start);

/** Offset of the last byte of the part; 0 where the request is for no part. Any thread. */
void aws_s3_request_metrics_get_part_range_end(
    const struct aws_s3_request_metrics *metrics,
    uint64_t *out_part_range_end);

/** Number of the part, counted from 1; 0 where the request is for no part. Any thread. */
void aws_s3_request_metrics_get_part_number(
    const struct aws_s3_request_metrics *metrics,
    uint32_t *out_part_number);

/** Whether the request used part memory. Any thread. */
bool aws_s3_request_metrics_get_memory_allocated_from_pool(
    const struct aws_s3_request_metrics *metrics);

/** The S3 name of a request type ("UploadPart"); empty where it has none. Static. Any thread. */
const char *aws_s3_request_type_operation_name(enum aws_s3_request_type type);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_S3_CLIENT_H */
