//! Header `aws/s3/s3_client.h`: the client, meta requests, their options, results and figures.
//!
//! The types stand here; the functions in the files of the folder beside: `client` (the client
//! handle), `meta_request` (a transfer's handle), `start` (options of a transfer checked and
//! translated), `metrics` (getters of one exchange's figures), `resume_token`.
//!
//! Threads: every callback of a meta request runs on a delivery thread, never on an I/O loop, one
//! at a time and in order: headers, body and progress, finish, shutdown. A callback may block and
//! may call every function of this library.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::{
    aws_allocator, aws_array_list, aws_byte_buf, aws_byte_cursor, aws_simple_completion_callback,
    aws_string,
};
use crate::ffi::auth::signing_config::aws_signing_config_aws;

use crate::ffi::common::uri::aws_uri;
use crate::ffi::http::connection::aws_http_connection_monitoring_options;
use crate::ffi::http::proxy::{aws_http_proxy_options, proxy_env_var_settings};
use crate::ffi::http::request_response::{aws_http_headers, aws_http_message};
use crate::ffi::io::async_stream::aws_async_input_stream;
use crate::ffi::io::channel_bootstrap::aws_client_bootstrap;
use crate::ffi::io::retry_strategy::{aws_exponential_backoff_jitter_mode, aws_retry_strategy};
use crate::ffi::io::tls_channel_handler::aws_tls_connection_options;
use crate::ffi::s3::s3_buffer_pool::{aws_s3_buffer_pool_factory_fn, aws_s3_buffer_ticket};
use crate::ffi::s3::s3express_credentials_provider::aws_s3express_credentials_provider;

pub mod client;
pub mod meta_request;
pub mod metrics;
pub mod resume_token;
pub mod start;
#[cfg(test)]
mod tests;

/// A client: connections, memory and settings shared by its transfers. Counted; created by
/// `aws_s3_client_new`.
pub struct aws_s3_client {
    _private: [u8; 0],
}

/// One transfer, which may be many HTTP requests. Counted; created by
/// `aws_s3_client_make_meta_request`.
pub struct aws_s3_meta_request {
    _private: [u8; 0],
}

/// State of a paused or failed transfer. Counted.
pub struct aws_s3_meta_request_resume_token {
    _private: [u8; 0],
}

/// Figures of one HTTP exchange. Counted; never changes after the telemetry callback got it.
pub struct aws_s3_request_metrics {
    _private: [u8; 0],
}

/// What a meta request does, and so how it may be split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_meta_request_type(pub u32);

impl aws_s3_meta_request_type {
    /// The message is sent as it is, as one request. Needs an operation name.
    pub const AWS_S3_META_REQUEST_TYPE_DEFAULT: aws_s3_meta_request_type =
        aws_s3_meta_request_type(0);
    /// A download, split into ranged requests that run in parallel.
    pub const AWS_S3_META_REQUEST_TYPE_GET_OBJECT: aws_s3_meta_request_type =
        aws_s3_meta_request_type(1);
    /// An upload. Without a Content-Length header it is always a multipart upload, and cannot be
    /// paused. With one it is a multipart upload above the threshold.
    pub const AWS_S3_META_REQUEST_TYPE_PUT_OBJECT: aws_s3_meta_request_type =
        aws_s3_meta_request_type(2);
    /// A copy on the server: one CopyObject, or UploadPartCopy requests in parallel for a large
    /// source. Metadata and tags of the source are not copied by a multipart copy; set them on the
    /// message.
    pub const AWS_S3_META_REQUEST_TYPE_COPY_OBJECT: aws_s3_meta_request_type =
        aws_s3_meta_request_type(3);
    /// Number of types.
    pub const AWS_S3_META_REQUEST_TYPE_MAX: aws_s3_meta_request_type = aws_s3_meta_request_type(4);
}

/// What a single HTTP request does, as figures report it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_request_type(pub u32);

impl aws_s3_request_type {
    /// Not one of the operations below.
    pub const AWS_S3_REQUEST_TYPE_UNKNOWN: aws_s3_request_type = aws_s3_request_type(0);
    pub const AWS_S3_REQUEST_TYPE_HEAD_OBJECT: aws_s3_request_type = aws_s3_request_type(1);
    pub const AWS_S3_REQUEST_TYPE_GET_OBJECT: aws_s3_request_type = aws_s3_request_type(2);
    pub const AWS_S3_REQUEST_TYPE_LIST_PARTS: aws_s3_request_type = aws_s3_request_type(3);
    pub const AWS_S3_REQUEST_TYPE_CREATE_MULTIPART_UPLOAD: aws_s3_request_type =
        aws_s3_request_type(4);
    pub const AWS_S3_REQUEST_TYPE_UPLOAD_PART: aws_s3_request_type = aws_s3_request_type(5);
    pub const AWS_S3_REQUEST_TYPE_ABORT_MULTIPART_UPLOAD: aws_s3_request_type =
        aws_s3_request_type(6);
    pub const AWS_S3_REQUEST_TYPE_COMPLETE_MULTIPART_UPLOAD: aws_s3_request_type =
        aws_s3_request_type(7);
    pub const AWS_S3_REQUEST_TYPE_UPLOAD_PART_COPY: aws_s3_request_type = aws_s3_request_type(8);
    pub const AWS_S3_REQUEST_TYPE_COPY_OBJECT: aws_s3_request_type = aws_s3_request_type(9);
    pub const AWS_S3_REQUEST_TYPE_PUT_OBJECT: aws_s3_request_type = aws_s3_request_type(10);
    pub const AWS_S3_REQUEST_TYPE_CREATE_SESSION: aws_s3_request_type = aws_s3_request_type(11);
    /// Number of types.
    pub const AWS_S3_REQUEST_TYPE_MAX: aws_s3_request_type = aws_s3_request_type(12);
    /// Old name of AWS_S3_REQUEST_TYPE_UNKNOWN.
    pub const AWS_S3_REQUEST_TYPE_DEFAULT: aws_s3_request_type = aws_s3_request_type(0);
}

/// Whether connections of a client are encrypted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_meta_request_tls_mode(pub u32);

impl aws_s3_meta_request_tls_mode {
    /// Encrypted, with `tls_connection_options` or default options.
    pub const AWS_MR_TLS_ENABLED: aws_s3_meta_request_tls_mode = aws_s3_meta_request_tls_mode(0);
    /// Plain, whatever `tls_connection_options` says.
    pub const AWS_MR_TLS_DISABLED: aws_s3_meta_request_tls_mode = aws_s3_meta_request_tls_mode(1);
}

/// Whether a Content-MD5 is computed for uploads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_meta_request_compute_content_md5(pub u32);

impl aws_s3_meta_request_compute_content_md5 {
    pub const AWS_MR_CONTENT_MD5_DISABLED: aws_s3_meta_request_compute_content_md5 =
        aws_s3_meta_request_compute_content_md5(0);
    pub const AWS_MR_CONTENT_MD5_ENABLED: aws_s3_meta_request_compute_content_md5 =
        aws_s3_meta_request_compute_content_md5(1);
}

/// A checksum S3 can store with an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_checksum_algorithm(pub u32);

impl aws_s3_checksum_algorithm {
    pub const AWS_SCA_NONE: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(0);
    /// The first algorithm.
    pub const AWS_SCA_INIT: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(1);
    pub const AWS_SCA_CRC32C: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(1);
    pub const AWS_SCA_CRC32: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(2);
    pub const AWS_SCA_SHA1: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(3);
    pub const AWS_SCA_SHA256: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(4);
    pub const AWS_SCA_CRC64NVME: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(5);
    pub const AWS_SCA_SHA512: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(6);
    pub const AWS_SCA_XXHASH64: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(7);
    pub const AWS_SCA_XXHASH3_64: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(8);
    pub const AWS_SCA_XXHASH3_128: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(9);
    /// The last algorithm.
    pub const AWS_SCA_END: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(9);
    /// A checksum this library does not know.
    pub const AWS_SCA_UNKNOWN: aws_s3_checksum_algorithm = aws_s3_checksum_algorithm(10);
}

/// Where an upload's checksum is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_checksum_location(pub u32);

impl aws_s3_checksum_location {
    /// No checksum is added.
    pub const AWS_SCL_NONE: aws_s3_checksum_location = aws_s3_checksum_location(0);
    /// In a header, which needs the body before the request starts.
    pub const AWS_SCL_HEADER: aws_s3_checksum_location = aws_s3_checksum_location(1);
    /// In a trailer after the body, which is sent aws-chunked. The message itself must not be
    /// aws-chunked already.
    pub const AWS_SCL_TRAILER: aws_s3_checksum_location = aws_s3_checksum_location(2);
}

/// How the file of `recv_filepath` is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_recv_file_options(pub u32);

impl aws_s3_recv_file_options {
    /// Created, or emptied where it exists.
    pub const AWS_S3_RECV_FILE_CREATE_OR_REPLACE: aws_s3_recv_file_options =
        aws_s3_recv_file_options(0);
    /// Must not exist: else AWS_ERROR_S3_RECV_FILE_ALREADY_EXISTS.
    pub const AWS_S3_RECV_FILE_CREATE_NEW: aws_s3_recv_file_options = aws_s3_recv_file_options(1);
    /// Created, or appended to.
    pub const AWS_S3_RECV_FILE_CREATE_OR_APPEND: aws_s3_recv_file_options =
        aws_s3_recv_file_options(2);
    /// Must exist (else AWS_ERROR_S3_RECV_FILE_NOT_FOUND); written from `recv_file_position` on.
    pub const AWS_S3_RECV_FILE_WRITE_TO_POSITION: aws_s3_recv_file_options =
        aws_s3_recv_file_options(3);
}

/// The status and headers of a response, error responses included.
///
/// On a delivery thread, never at the same time as another callback of this meta request.
/// `headers` is valid until the callback returns, or longer with `aws_http_headers_acquire`.
/// Return AWS_OP_SUCCESS to go on, or `aws_raise_error(E)` to cancel the meta request with `E` as
/// its result.
pub type aws_s3_meta_request_headers_callback_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        headers: *const aws_http_headers,
        response_status: c_int,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// The next bytes of the body, in order.
///
/// On a delivery thread, never at the same time as another callback of this meta request. `body`
/// is valid until the callback returns. `range_start` is the offset of its first byte in the
/// object (for a ranged request the first call has the range's start). With read back-pressure the
/// window shrinks by `body->len`. Return AWS_OP_SUCCESS to go on, or `aws_raise_error(E)` to cancel
/// the meta request with `E` as its result.
pub type aws_s3_meta_request_receive_body_callback_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        body: *const aws_byte_cursor,
        range_start: u64,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// The end of a meta request, exactly once.
///
/// On a delivery thread, after the last body callback. The result and what it points to are valid
/// until the callback returns. The meta request may be released here.
pub type aws_s3_meta_request_finish_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        meta_request_result: *const aws_s3_meta_request_result,
        user_data: *mut c_void,
    ),
>;

/// What comes with the bytes of `aws_s3_meta_request_receive_body_callback_ex_fn`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_meta_request_receive_body_extra_info {
    /// Offset of the first byte in the object.
    pub range_start: u64,
    /// Keeps the bytes alive: acquire it to use them after the callback.
    pub ticket: *mut aws_s3_buffer_ticket,
}

/// As `aws_s3_meta_request_receive_body_callback_fn`, with the ticket of the memory: who acquires
/// the ticket may use the bytes of `body` until the ticket's release.
pub type aws_s3_meta_request_receive_body_callback_ex_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        body: *const aws_byte_cursor,
        info: aws_s3_meta_request_receive_body_extra_info,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// How far a meta request has come.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_meta_request_progress {
    /// Bytes since the last report.
    pub bytes_transferred: u64,
    /// Bytes of the whole transfer; 0 while unknown.
    pub content_length: u64,
}

/// Progress: bytes uploaded, copied or downloaded; for other requests, bytes of the response body.
///
/// On a delivery thread, never at the same time as another callback of this meta request.
pub type aws_s3_meta_request_progress_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        progress: *const aws_s3_meta_request_progress,
        user_data: *mut c_void,
    ),
>;

/// Figures of one finished HTTP request, failed tries included.
///
/// On a delivery thread, never at the same time as another callback of this meta request.
/// `metrics` is valid until the callback returns, or longer with `aws_s3_request_metrics_acquire`.
pub type aws_s3_meta_request_telemetry_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        metrics: *mut aws_s3_request_metrics,
        user_data: *mut c_void,
    ),
>;

/// The last callback of a meta request: nothing of it, and nothing lent to it, is used any more.
///
/// On any thread, exactly once, after the finish callback and after the last reference is gone.
pub type aws_s3_meta_request_shutdown_fn =
    Option<unsafe extern "C-unwind" fn(user_data: *mut c_void)>;

/// The last callback of a client: its transfers have ended and its memory is given back.
///
/// Once, on a thread that belongs to none of the client's transfers, after every shutdown callback
/// of its meta requests.
pub type aws_s3_client_shutdown_complete_callback_fn =
    Option<unsafe extern "C-unwind" fn(user_data: *mut c_void)>;

/// The end of a pause, or a resume token after a failure.
///
/// On a delivery thread, before the finish callback. `resume_token` is valid until the callback
/// returns, or longer with its acquire function; NULL where nothing can be resumed. `error_code`
/// is AWS_ERROR_SUCCESS for a pause that succeeded.
pub type aws_s3_meta_request_pause_complete_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        resume_token: *mut aws_s3_meta_request_resume_token,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// Gives the checksum of the whole object, base64 as in a header, once all of it was read.
///
/// On a delivery thread, once. Returns a new string, which the library destroys, or NULL with an
/// error raised. The value is sent unchecked.
pub type aws_s3_meta_request_full_object_checksum_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        user_data: *mut c_void,
    ) -> *mut aws_string,
>;

/// How files are read and written. May change between versions.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_file_io_options {
    /// Send parts from the file without holding a whole part in memory.
    pub should_stream: bool,
    /// Expected speed of the disk in Gbit/s; 0 takes the client's throughput target. Used with
    /// `should_stream`.
    pub disk_throughput_gbps: f64,
    /// Ask the system to pass its page cache by. Where that is not possible (part size or position
    /// not on a page boundary, file system without support), normal reads and writes are used.
    pub direct_io: bool,
}

/// One part of an upload under review.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_upload_part_review {
    /// Bytes of the part.
    pub size: u64,
    /// Its checksum as sent (base64); empty where none is used.
    pub checksum: aws_byte_cursor,
}

/// A multipart upload under review.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_upload_review {
    /// The checksum in use.
    pub checksum_algorithm: aws_s3_checksum_algorithm,
    /// Parts uploaded: length of `part_array`.
    pub part_count: usize,
    pub part_array: *mut aws_s3_upload_part_review,
}

/// Looks at a multipart upload before it is completed. Not called for single-request uploads.
///
/// On a delivery thread, once. `review` is valid until the callback returns. Return AWS_OP_SUCCESS
/// to go on, or `aws_raise_error(E)` to cancel the upload with `E` as its result.
pub type aws_s3_meta_request_upload_review_fn = Option<
    unsafe extern "C-unwind" fn(
        meta_request: *mut aws_s3_meta_request,
        review: *const aws_s3_upload_review,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// Creates a provider of S3 Express session credentials, owned by `client` alone.
///
/// On the thread of the first `aws_s3_client_make_meta_request` that needs it. Neither the factory
/// nor the provider's destruction may use `client`, and the provider must not hold a reference to
/// it. `on_provider_shutdown_callback` must be called with `shutdown_user_data` when the provider
/// has ended. Returns NULL with an error raised on failure.
pub type aws_s3express_provider_factory_fn = Option<
    unsafe extern "C-unwind" fn(
        allocator: *mut aws_allocator,
        client: *mut aws_s3_client,
        on_provider_shutdown_callback: aws_simple_completion_callback,
        shutdown_user_data: *mut c_void,
        factory_user_data: *mut c_void,
    ) -> *mut aws_s3express_credentials_provider,
>;

/// TCP keep-alive of a client's connections. Zeros take the system's values.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_tcp_keep_alive_options {
    /// Seconds between probes.
    pub keep_alive_interval_sec: u16,
    /// Idle seconds before the first probe.
    pub keep_alive_timeout_sec: u16,
    /// Probes without an answer before the connection counts as lost.
    pub keep_alive_max_failed_probes: u16,
}

/// Settings of the client's own retry strategy; a zero takes the default.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct anon_aws_s3_client_config_retry_config {
    /// Retries of one request (5).
    pub max_retries: usize,
    /// First delay in milliseconds; it doubles with each try (500).
    pub backoff_scale_factor_ms: u32,
    /// Longest delay in seconds (20).
    pub max_backoff_secs: u32,
    /// How delays are spread (full jitter).
    pub jitter_mode: MaybeUninit<aws_exponential_backoff_jitter_mode>,
    /// Tokens of the retry budget (500).
    pub initial_bucket_capacity: usize,
}

/// Options of a client. Zero the struct, then set what is needed: `client_bootstrap`, `region` and
/// `signing_config` are required. Everything is copied or acquired by `aws_s3_client_new`.
#[repr(C)]
pub struct aws_s3_client_config {
    /// Most connections at a time; 0 = derived from `throughput_target_gbps`.
    pub max_active_connections_override: u32,
    /// Region of the buckets.
    pub region: aws_byte_cursor,
    /// Required. Loops and resolver to use.
    pub client_bootstrap: *mut aws_client_bootstrap,
    /// Encrypted connections or plain ones.
    pub tls_mode: aws_s3_meta_request_tls_mode,
    /// Used where `tls_mode` is enabled; NULL = default options.
    pub tls_connection_options: *const aws_tls_connection_options,
    /// NULL = defaults. How files are read for uploads.
    pub fio_opts: *mut aws_s3_file_io_options,
    /// Required, with credentials or a credentials provider. Anonymous credentials switch signing
    /// off.
    pub signing_config: *const aws_signing_config_aws,
    /// Bytes of a part; 0 = chosen by the library. Enlarged where an upload would need more than
    /// 10,000 parts, and to 5 MiB for uploads.
    pub part_size: u64,
    /// Bytes up to which the library may enlarge a part; 0 = the smaller of 5 GiB and half the
    /// memory limit.
    pub max_part_size: u64,
    /// Uploads of more bytes are multipart uploads; 0 = the part size, at least 5 MiB.
    pub multipart_upload_threshold: u64,
    /// Gbit/s to reach; 0 = 10.
    pub throughput_target_gbps: f64,
    /// Bytes the client may use for parts; 0 = derived from the throughput target. At least
    /// 16 MiB.
    pub memory_limit_in_bytes: u64,
    /// NULL = a strategy of our own with `retry_config`.
    pub retry_strategy: *mut aws_retry_strategy,
    /// Settings of our own strategy; ignored where `retry_strategy` is set.
    pub retry_config: anon_aws_s3_client_config_retry_config,
    /// Content-MD5 of uploads. A Content-MD5 header on the message of a multipart upload asks for
    /// it too.
    pub compute_content_md5: aws_s3_meta_request_compute_content_md5,
    /// Called when the client has ended. May be NULL.
    pub shutdown_callback: aws_s3_client_shutdown_complete_callback_fn,
    pub shutdown_callback_user_data: *mut c_void,
    /// NULL = no proxy of its own.
    pub proxy_options: *const aws_http_proxy_options,
    /// Proxy settings from the environment, where `proxy_options` is NULL.
    pub proxy_ev_settings: *const proxy_env_var_settings,
    /// Milliseconds for connecting; 0 = 3,000.
    pub connect_timeout_ms: u32,
    /// NULL = no keep-alive probes.
    pub tcp_keep_alive_options: *const aws_s3_tcp_keep_alive_options,
    /// When a slow connection is given up; NULL = below 1 byte/s for 30 s.
    pub monitoring_options: *const aws_http_connection_monitoring_options,
    /// Downloads deliver only as many bytes as the window allows; see
    /// `aws_s3_meta_request_increment_read_window`.
    pub enable_read_backpressure: bool,
    /// Bytes of the window at the start of a meta request. With 0 nothing is downloaded until the
    /// window grows.
    pub initial_read_window: usize,
    /// S3 Express session credentials may be used.
    pub enable_s3express: bool,
    /// NULL = a provider of our own.
    pub s3express_provider_override_factory: aws_s3express_provider_factory_fn,
    pub factory_user_data: *mut c_void,
    /// Network interfaces to spread connections over; may be NULL with a count of 0.
    pub network_interface_names_array: *const aws_byte_cursor,
    pub num_network_interface_names: usize,
    /// NULL = the library's own part memory.
    pub buffer_pool_factory_fn: aws_s3_buffer_pool_factory_fn,
    pub buffer_pool_user_data: *mut c_void,
}

/// Checksums of a meta request.
#[repr(C)]
pub struct aws_s3_checksum_config {
    /// Uploads: where the checksum goes.
    pub location: aws_s3_checksum_location,
    /// Uploads: which one; required unless `location` is AWS_SCL_NONE.
    pub checksum_algorithm: aws_s3_checksum_algorithm,
    /// Multipart uploads: gives the checksum of the whole object. Not with a checksum header on
    /// the message (AWS_ERROR_INVALID_ARGUMENT). May be NULL.
    pub full_object_checksum_callback: aws_s3_meta_request_full_object_checksum_fn,
    pub user_data: *mut c_void,
    /// Downloads: ask for checksums and compare; a difference ends the meta request with
    /// AWS_ERROR_S3_RESPONSE_CHECKSUM_MISMATCH.
    pub validate_response_checksum: bool,
    /// Downloads: list of `enum aws_s3_checksum_algorithm` to accept; NULL = all.
    pub validate_checksum_algorithms: *const aws_array_list,
}

/// Options of a transfer. Zero the struct, then set what is needed: `message` is required.
/// Everything is copied or acquired by `aws_s3_client_make_meta_request`, except `request_body`.
///
/// An upload's body comes from exactly one of: the message's body stream, `send_filepath`,
/// `send_async_stream`, `send_using_async_writes`, `request_body`.
#[repr(C)]
pub struct aws_s3_meta_request_options {
    pub r#type: aws_s3_meta_request_type,
    /// The S3 operation's name ("CreateBucket"). Required for the default type, ignored for the
    /// others. Responses of every operation but "GetObject" are looked through for errors.
    pub operation_name: aws_byte_cursor,
    /// Signing for this transfer; NULL = the client's.
    pub signing_config: *const aws_signing_config_aws,
    /// Required. Method, path and headers.
    pub message: *mut aws_http_message,
    /// Write the body to this file instead of calling the body callback.
    pub recv_filepath: aws_byte_cursor,
    /// How that file is opened.
    pub recv_file_option: aws_s3_recv_file_options,
    /// Offset of the first byte for AWS_S3_RECV_FILE_WRITE_TO_POSITION.
    pub recv_file_position: u64,
    /// Delete that file where the transfer fails.
    pub recv_file_delete_on_failure: bool,
    /// Upload this file.
    pub send_filepath: aws_byte_cursor,
    /// NULL = the client's.
    pub fio_opts: *mut aws_s3_file_io_options,
    /// Upload from this asynchronous stream.
    pub send_async_stream: *mut aws_async_input_stream,
    /// Upload what `aws_s3_meta_request_write` or `aws_s3_meta_request_poll_write` hand over. Only
    /// for AWS_S3_META_REQUEST_TYPE_PUT_OBJECT without Content-Length.
    pub send_using_async_writes: bool,
    /// Send these bytes, which must stay unchanged until the shutdown callback. Only for
    /// AWS_S3_META_REQUEST_TYPE_DEFAULT.
    pub request_body: aws_byte_cursor,
    /// NULL = no checksums.
    pub checksum_config: *const aws_s3_checksum_config,
    /// Bytes of a part; 0 = the client's.
    pub part_size: u64,
    /// Let the library choose the part size of a download whatever was set.
    pub force_dynamic_part_size: bool,
    /// Uploads of more bytes are multipart uploads; 0 = `part_size` where that is set, else the
    /// client's.
    pub multipart_upload_threshold: u64,
    /// Passed to every callback.
    pub user_data: *mut c_void,
    /// May be NULL. Not called for a resumed upload that was complete already.
    pub headers_callback: aws_s3_meta_request_headers_callback_fn,
    /// May be NULL. Not together with `body_callback_ex`.
    pub body_callback: aws_s3_meta_request_receive_body_callback_fn,
    /// May be NULL.
    pub body_callback_ex: aws_s3_meta_request_receive_body_callback_ex_fn,
    /// May be NULL.
    pub finish_callback: aws_s3_meta_request_finish_fn,
    /// May be NULL.
    pub shutdown_callback: aws_s3_meta_request_shutdown_fn,
    /// May be NULL.
    pub progress_callback: aws_s3_meta_request_progress_fn,
    /// May be NULL.
    pub telemetry_callback: aws_s3_meta_request_telemetry_fn,
    /// May be NULL.
    pub upload_review_callback: aws_s3_meta_request_upload_review_fn,
    /// Scheme, host and port to connect to; NULL = https and the Host header. A Host header must
    /// be equal to the authority of the endpoint; where it is missing it is added.
    pub endpoint: *const aws_uri,
    /// Goes on with the upload of this token; NULL = from the start.
    pub resume_token: *mut aws_s3_meta_request_resume_token,
    /// Downloads: about how many bytes the object has; NULL = unknown.
    pub object_size_hint: *const u64,
    /// Copies: URI of the source, for path-style sources or another region.
    pub copy_source_uri: aws_byte_cursor,
    /// Most connections of this transfer; 0 = the client's.
    pub max_active_connections_override: u32,
    /// Called with a resume token where the transfer fails. May be NULL.
    pub on_error_resume_token: aws_s3_meta_request_pause_complete_fn,
}

/// How a meta request ended.
///
/// With AWS_ERROR_SUCCESS the status is that of the first response. With
/// AWS_ERROR_S3_INVALID_RESPONSE_STATUS the four members about the response describe the request
/// that failed; with other codes they are NULL and 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_meta_request_result {
    /// Headers of the failed response, or NULL.
    pub error_response_headers: *mut aws_http_headers,
    /// Its body, or NULL where it had none.
    pub error_response_body: *mut aws_byte_buf,
    /// The S3 operation that failed ("UploadPart"), or NULL.
    pub error_response_operation_name: *mut aws_string,
    /// Status of the failed request or of the whole transfer.
    pub response_status: c_int,
    /// Downloads: every byte was compared with a checksum of the server.
    pub did_validate: bool,
    /// The algorithm of that checksum.
    pub validation_algorithm: aws_s3_checksum_algorithm,
    /// AWS_ERROR_SUCCESS, or why the transfer failed.
    pub error_code: c_int,
}

/// What `aws_s3_meta_request_poll_write` did.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_meta_request_poll_write_result {
    /// Nothing was taken; the waker will be called.
    pub is_pending: bool,
    /// Not 0: the write failed and the transfer ends.
    pub error_code: c_int,
    /// Bytes taken.
    pub bytes_processed: usize,
}

/// What an upload token is made of. Values of the token's getters, kept by the caller.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_upload_resume_token_options {
    /// Required.
    pub upload_id: aws_byte_cursor,
    /// Required.
    pub part_size: u64,
    /// Required.
    pub total_num_parts: usize,
    /// Parts that were uploaded. Where the upload is gone and this equals `total_num_parts`, the
    /// resumed transfer has nothing to do and succeeds.
    pub num_parts_completed: usize,
}

crate::ffi_failure!(aws_s3_meta_request_poll_write_result);
