//! Header `aws/auth/signing_config.h`: how to sign.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use crate::ctypes::aws_byte_cursor;
use crate::ffi::auth::credentials::{aws_credentials, aws_credentials_provider};
use crate::ffi::common::date_time::aws_date_time;

/// Whether to sign this header. Called during signing for headers that are not forbidden; `name` is
/// valid during the call.
pub type aws_should_sign_header_fn =
    Option<unsafe extern "C" fn(name: *const aws_byte_cursor, userdata: *mut c_void) -> bool>;

/// Which struct a signing config is.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_signing_config_type {
    AWS_SIGNING_CONFIG_AWS = 1,
}

/// Head of every signing config.
#[repr(C)]
pub struct aws_signing_config_base {
    pub config_type: MaybeUninit<aws_signing_config_type>,
}

/// How to sign.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_signing_algorithm {
    AWS_SIGNING_ALGORITHM_V4 = 0,
    AWS_SIGNING_ALGORITHM_V4_ASYMMETRIC = 1,
    AWS_SIGNING_ALGORITHM_V4_S3EXPRESS = 2,
}

/// What to sign and where the signature goes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_signature_type {
    AWS_ST_HTTP_REQUEST_HEADERS = 0,
    AWS_ST_HTTP_REQUEST_QUERY_PARAMS = 1,
    AWS_ST_HTTP_REQUEST_CHUNK = 2,
    AWS_ST_HTTP_REQUEST_EVENT = 3,
    AWS_ST_CANONICAL_REQUEST_HEADERS = 4,
    AWS_ST_CANONICAL_REQUEST_QUERY_PARAMS = 5,
    AWS_ST_HTTP_REQUEST_TRAILING_HEADERS = 6,
}

/// Whether the payload hash is added as a header.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_signed_body_header_type {
    AWS_SBHT_NONE = 0,
    AWS_SBHT_X_AMZ_CONTENT_SHA256 = 1,
}

/// Switches of the path and token rules, as C sees them: three bit-fields in one word.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct anon_signing_config_flags {
    /// Bit 0 `use_double_uri_encode`, bit 1 `should_normalize_uri_path`, bit 2 `omit_session_token`.
    pub bits: u32,
}

/// How to sign one thing. All zero but for the required fields is a valid start.
#[repr(C)]
pub struct aws_signing_config_aws {
    /// AWS_SIGNING_CONFIG_AWS.
    pub config_type: MaybeUninit<aws_signing_config_type>,
    pub algorithm: MaybeUninit<aws_signing_algorithm>,
    pub signature_type: MaybeUninit<aws_signature_type>,
    /// Region, or region set. Required.
    pub region: aws_byte_cursor,
    /// Service name, such as `s3`. Required.
    pub service: aws_byte_cursor,
    /// The time the signature is made for.
    pub date: aws_date_time,
    /// Optional. Decides for each header whether it is signed.
    pub should_sign_header: aws_should_sign_header_fn,
    pub should_sign_header_ud: *mut c_void,
    pub flags: anon_signing_config_flags,
    /// Text that stands for the payload's hash; empty: the hash of the payload is computed.
    pub signed_body_value: aws_byte_cursor,
    pub signed_body_header: MaybeUninit<aws_signed_body_header_type>,
    /// Credentials to sign with; win over `credentials_provider`.
    pub credentials: *const aws_credentials,
    /// Asked for credentials where `credentials` is NULL.
    pub credentials_provider: *mut aws_credentials_provider,
    /// Lifetime in seconds of a signature in query parameters; 0: not stated.
    pub expiration_in_seconds: u64,
}
