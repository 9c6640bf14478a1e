//! Header `aws/io/tls_channel_handler.h`: TLS settings as values and handles.

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;

use crate::ctypes::{aws_allocator, aws_byte_buf, aws_byte_cursor, aws_ref_count, aws_string};
use crate::ffi::io::channel::{aws_channel_handler, aws_channel_slot};

/// Lowest TLS version a connection may use.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_tls_versions {
    AWS_IO_SSLv3 = 0,
    AWS_IO_TLSv1 = 1,
    AWS_IO_TLSv1_1 = 2,
    AWS_IO_TLSv1_2 = 3,
    AWS_IO_TLSv1_3 = 4,
    AWS_IO_TLS_VER_SYS_DEFAULTS = 128,
}

/// Which ciphers a connection offers. Values stay reserved when they are no longer offered.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_tls_cipher_pref {
    AWS_IO_TLS_CIPHER_PREF_SYSTEM_DEFAULT = 0,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_TLSv1_0_2019_06 = 1,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_SIKE_TLSv1_0_2019_11 = 2,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_TLSv1_0_2020_02 = 3,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_SIKE_TLSv1_0_2020_02 = 4,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_TLSv1_0_2020_07 = 5,
    AWS_IO_TLS_CIPHER_PREF_PQ_TLSv1_0_2021_05 = 6,
    AWS_IO_TLS_CIPHER_PREF_PQ_TLSV1_2_2024_10 = 7,
    AWS_IO_TLS_CIPHER_PREF_PQ_DEFAULT = 8,
    AWS_IO_TLS_CIPHER_PREF_TLSV1_2_2025_07 = 9,
    AWS_IO_TLS_CIPHER_PREF_TLSV1_0_2023_06 = 10,
    AWS_IO_TLS_CIPHER_PREF_NON_PQ_DEFAULT = 11,
    AWS_IO_TLS_CIPHER_PREF_END_RANGE = 65535,
}

/// Digest of a private-key operation.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_tls_hash_algorithm {
    AWS_TLS_HASH_UNKNOWN = 0,
    AWS_TLS_HASH_SHA1 = 1,
    AWS_TLS_HASH_SHA224 = 2,
    AWS_TLS_HASH_SHA256 = 3,
    AWS_TLS_HASH_SHA384 = 4,
    AWS_TLS_HASH_SHA512 = 5,
}

/// Signature of a private-key operation.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_tls_signature_algorithm {
    AWS_TLS_SIGNATURE_UNKNOWN = 0,
    AWS_TLS_SIGNATURE_RSA = 1,
    AWS_TLS_SIGNATURE_ECDSA = 2,
}

/// Kind of a private-key operation.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_tls_key_operation_type {
    AWS_TLS_KEY_OPERATION_UNKNOWN = 0,
    AWS_TLS_KEY_OPERATION_SIGN = 1,
    AWS_TLS_KEY_OPERATION_DECRYPT = 2,
}

/// TLS settings that many connections share. Made by aws_tls_client_ctx_new().
#[repr(C)]
pub struct aws_tls_ctx {
    pub alloc: *mut aws_allocator,
    pub r#impl: *mut c_void,
    pub ref_count: aws_ref_count,
}

/// A handshake ended. Event-loop thread.
pub type aws_tls_on_negotiation_result_fn = Option<
    unsafe extern "C" fn(
        handler: *mut aws_channel_handler,
        slot: *mut aws_channel_slot,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// Decrypted bytes arrived. Event-loop thread; `buffer` is valid during the call.
pub type aws_tls_on_data_read_fn = Option<
    unsafe extern "C" fn(
        handler: *mut aws_channel_handler,
        slot: *mut aws_channel_slot,
        buffer: *mut aws_byte_buf,
        user_data: *mut c_void,
    ),
>;

/// A TLS error. Event-loop thread.
pub type aws_tls_on_error_fn = Option<
    unsafe extern "C" fn(
        handler: *mut aws_channel_handler,
        slot: *mut aws_channel_slot,
        err: c_int,
        message: *const c_char,
        user_data: *mut c_void,
    ),
>;

/// TLS settings of one connection. Clean up with aws_tls_connection_options_clean_up().
#[repr(C)]
pub struct aws_tls_connection_options {
    /// Protocols offered, joined by `;`. NULL: those of `ctx`.
    pub alpn_list: *mut aws_string,
    /// Name for SNI and for checking the certificate.
    pub server_name: *mut aws_string,
    pub on_negotiation_result: aws_tls_on_negotiation_result_fn,
    pub on_data_read: aws_tls_on_data_read_fn,
    pub on_error: aws_tls_on_error_fn,
    pub user_data: *mut c_void,
    /// The shared settings; holds a reference.
    pub ctx: *mut aws_tls_ctx,
    pub advertise_alpn_message: bool,
    /// Milliseconds a handshake may take. 0: no limit.
    pub timeout_ms: u32,
}

/// Settings to make an aws_tls_ctx of. Start with an init function, end with
/// aws_tls_ctx_options_clean_up(); a context made of them keeps its own copies.
#[repr(C)]
pub struct aws_tls_ctx_options {
    pub allocator: *mut aws_allocator,
    pub minimum_tls_version: MaybeUninit<aws_tls_versions>,
    pub cipher_pref: MaybeUninit<aws_tls_cipher_pref>,
    /// Trusted certificates (PEM, ended by a NUL outside its length); empty: the system's.
    pub ca_file: aws_byte_buf,
    /// Folder of trusted certificates.
    pub ca_path: *mut aws_string,
    /// Protocols offered, joined by `;`.
    pub alpn_list: *mut aws_string,
    /// Own certificate chain (PEM).
    pub certificate: aws_byte_buf,
    /// Own private key (PEM).
    pub private_key: aws_byte_buf,
    /// Largest record in bytes.
    pub max_fragment_size: usize,
    /// Whether the peer's certificate is checked. Default: true.
    pub verify_peer: bool,
    /// Passed through to the caller's own TLS code; unused here.
    pub ctx_options_extension: *mut c_void,
    /// Does the private-key operations; holds a reference.
    pub custom_key_op_handler: *mut aws_custom_key_op_handler,
    /// Switches revocation checks off.
    pub no_certificate_revocation: bool,
}

/// How far a TLS handshake is.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_tls_negotiation_status {
    AWS_TLS_NEGOTIATION_STATUS_NONE = 0,
    AWS_TLS_NEGOTIATION_STATUS_ONGOING = 1,
    AWS_TLS_NEGOTIATION_STATUS_SUCCESS = 2,
    AWS_TLS_NEGOTIATION_STATUS_FAILURE = 3,
}

/// What a handler of private-key operations does.
#[repr(C)]
pub struct aws_custom_key_op_handler_vtable {
    pub on_key_operation: Option<
        unsafe extern "C" fn(
            key_op_handler: *mut aws_custom_key_op_handler,
            operation: *mut aws_tls_key_operation,
        ),
    >,
}

/// Does private-key operations outside the library. Callers implement it.
#[repr(C)]
pub struct aws_custom_key_op_handler {
    pub r#impl: *mut c_void,
    pub vtable: *const aws_custom_key_op_handler_vtable,
    pub ref_count: aws_ref_count,
}

/// A client certificate whose private key lives in a PKCS#11 token.
#[repr(C)]
pub struct aws_tls_ctx_pkcs11_options {
    pub pkcs11_lib: *mut aws_pkcs11_lib,
    pub user_pin: aws_byte_cursor,
    pub slot_id: *const u64,
    pub token_label: aws_byte_cursor,
    pub private_key_object_label: aws_byte_cursor,
    pub cert_file_path: aws_byte_cursor,
    pub cert_file_contents: aws_byte_cursor,
}

/// One private-key operation. Opaque.
pub struct aws_tls_key_operation {
    _private: [u8; 0],
}

/// A loaded PKCS#11 library. Opaque.
pub struct aws_pkcs11_lib {
    _private: [u8; 0],
}
