//! Header `aws/io/tls_channel_handler.h`: TLS settings as values and handles.
//!
//! The option structs are the caller's memory, filled in step by step; a context is a checked copy of
//! them that many connections share, and the engine reads it as [`TlsSettings`].

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

use crate::base::{Code, Error, Result};
use crate::ctypes::{
    aws_allocator, aws_atomic_var, aws_byte_buf, aws_byte_cursor, aws_ref_count, aws_string,
};
use crate::ffi::io::channel::{aws_channel_handler, aws_channel_slot};
use crate::ffi::pem;
use crate::ffi::place::{Tagged, bytes_of, enum_value, ref_acquire, ref_release, tag};
use crate::ffi::raise::{AWS_OP_SUCCESS, op, raise};
use crate::log;
use crate::sys::{File, FileMode};

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

/// What a context says, copied from its options.
#[derive(Clone, Debug, Default)]
pub struct TlsSettings {
    /// The lowest version; a value of `aws_tls_versions`.
    pub version_min: i32,
    /// A value of `aws_tls_cipher_pref`.
    pub cipher_pref: i32,
    /// Trusted certificates instead of the system's.
    pub ca_pem: Option<Vec<u8>>,
    pub ca_path: Option<PathBuf>,
    /// Protocols offered, joined by `;`.
    pub alpn: Option<Vec<u8>>,
    pub certificate_pem: Option<Vec<u8>>,
    pub key_pem: Option<Vec<u8>>,
    pub verify_peer: bool,
    pub fragment_bytes_max: usize,
}

impl Drop for TlsSettings {
    fn drop(&mut self) {
        if let Some(key) = &mut self.key_pem {
            wipe(key);
        }
    }
}

/// What one connection wants: its context's settings and what it says itself.
#[derive(Clone, Debug)]
pub struct TlsWish {
    pub settings: Arc<TlsSettings>,
    pub server_name: Option<Vec<u8>>,
    /// Its own list, else that of the context.
    pub alpn: Option<Vec<u8>>,
    /// 0: no limit.
    pub timeout_ms: u32,
}

/// What an `aws_tls_ctx` of ours stands at the head of; `impl` points to the part behind the head,
/// whose tag tells a context of ours.
#[repr(C)]
struct Own {
    base: aws_tls_ctx,
    inner: Inner,
}

#[repr(C)]
struct Inner {
    tag: u64,
    settings: Arc<TlsSettings>,
}

// SAFETY: `impl` of every `aws_tls_ctx` of ours points to an Inner, which begins with its tag.
unsafe impl Tagged for Inner {
    type C = aws_tls_ctx;
    const NAME: &'static str = "aws_tls_ctx";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.tlsx");
}

fn wipe(bytes: &mut [u8]) {
    for byte in bytes {
        // SAFETY: a live byte. Volatile, so that the wiping stays.
        unsafe { std::ptr::from_mut(byte).write_volatile(0) };
    }
}

unsafe fn ctx_new(
    allocator: *mut aws_allocator,
    options: &aws_tls_ctx_options,
) -> Result<*mut aws_tls_ctx> {
    // SAFETY: the exports' contract: the options are live and were made by the functions here.
    let settings = unsafe { settings_from(options)? };
    // SAFETY: as above; the block is fresh.
    unsafe {
        let made: NonNull<Own> = aws_allocator::acquire(allocator, size_of::<Own>())?.cast();
        let object: *mut c_void = made.as_ptr().cast();
        let count = aws_atomic_var::new(1);
        let base = aws_tls_ctx {
            alloc: allocator,
            r#impl: (&raw mut (*made.as_ptr()).inner).cast(),
            ref_count: aws_ref_count { ref_count: count, object, on_zero_fn: Some(ctx_end) },
        };
        let inner = Inner { tag: tag::<Inner>(), settings: Arc::new(settings) };
        made.write(Own { base, inner });
        Ok(made.as_ptr().cast())
    }
}

unsafe extern "C" fn ctx_end(object: *mut c_void) {
    // SAFETY: called once, with what `ctx_new` made.
    unsafe {
        let own = object.cast::<Own>().read();
        aws_allocator::release(own.base.alloc, object);
    }
}

/// Checks the options as the TLS library would and copies them.
unsafe fn settings_from(options: &aws_tls_ctx_options) -> Result<TlsSettings> {
    let cipher_pref = enum_value(options.cipher_pref);
    let version_min = enum_value(options.minimum_tls_version);
    if !is_cipher_pref_supported(cipher_pref) {
        log!(Tls, Error, 0, "cipher preference {cipher_pref} is not supported");
        return Err(Error::new(Code::IO_TLS_CIPHER_PREF_UNSUPPORTED));
    }
    if !matches!(version_min, 0..=4 | 128) {
        return Err(Error::new(Code::IO_TLS_VERSION_UNSUPPORTED));
    }
    if !options.custom_key_op_handler.is_null() {
        log!(Tls, Error, 0, "custom private-key operations are not implemented in this version");
        return Err(Error::new(Code::UNIMPLEMENTED));
    }
    let invalid = Error::new(Code::INVALID_ARGUMENT);
    // SAFETY: by the contract.
    let (ca, certificate, key, ca_path, alpn) = unsafe {
        (
            options.ca_file.bytes().ok_or(invalid)?,
            options.certificate.bytes().ok_or(invalid)?,
            options.private_key.bytes().ok_or(invalid)?,
            aws_string::text(options.ca_path),
            aws_string::text(options.alpn_list),
        )
    };
    let broken = |what: &str| {
        log!(Tls, Error, 0, "{what}");
        Error::new(Code::IO_TLS_CTX_ERROR)
    };
    if !ca.is_empty() && !pem::holds(ca, "CERTIFICATE") {
        return Err(broken("the trust store holds no certificate"));
    }
    if certificate.is_empty() != key.is_empty() {
        return Err(broken("a client certificate needs its private key, and the other way round"));
    }
    let fits = pem::holds(certificate, "CERTIFICATE") && pem::holds(key, "PRIVATE KEY");
    if !key.is_empty() && !fits {
        return Err(broken("the client certificate or its private key is something else"));
    }
    let ca_path = ca_path.map(|p| PathBuf::from(OsStr::from_bytes(p)));
    if ca_path.as_ref().is_some_and(|p| !p.is_dir()) {
        return Err(broken("the folder of trusted certificates is not there"));
    }
    let some = |bytes: &[u8]| (!bytes.is_empty()).then(|| bytes.to_vec());
    Ok(TlsSettings {
        version_min,
        cipher_pref,
        ca_pem: some(ca),
        ca_path,
        alpn: alpn.map(<[u8]>::to_vec),
        certificate_pem: some(certificate),
        key_pem: some(key),
        verify_peer: options.verify_peer,
        fragment_bytes_max: options.max_fragment_size,
    })
}

/// What a connection's options ask for; NULL, no context and another library's context are
/// AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `options` is NULL or live.
pub unsafe fn wish_of(options: *const aws_tls_connection_options) -> Result<TlsWish> {
    let invalid = Error::new(Code::INVALID_ARGUMENT);
    // SAFETY: by the contract; the context's public head can be read whoever made it, and so can the
    // first word of its inside.
    unsafe {
        let options = options.as_ref().ok_or(invalid)?;
        let inner: *const Inner = options.ctx.as_ref().ok_or(invalid)?.r#impl.cast();
        if inner.is_null() || !inner.is_aligned() || inner.cast::<u64>().read() != tag::<Inner>() {
            log!(
                Tls,
                Error,
                options.ctx.addr(),
                "this is no TLS context of libs3fast; handles of two libraries must not be mixed"
            );
            return Err(invalid);
        }
        let settings = (*inner).settings.clone();
        let own = aws_string::text(options.alpn_list).map(<[u8]>::to_vec);
        Ok(TlsWish {
            alpn: own.or_else(|| settings.alpn.clone()),
            settings,
            server_name: aws_string::text(options.server_name).map(<[u8]>::to_vec),
            timeout_ms: options.timeout_ms,
        })
    }
}

/// A deep copy of a connection's options, for whoever keeps them longer than their owner.
///
/// # Safety
/// `from` is live.
pub unsafe fn connection_options_copy(
    allocator: *mut aws_allocator,
    from: &aws_tls_connection_options,
) -> Result<aws_tls_connection_options> {
    // SAFETY: by the contract. The copy's strings are its own; on failure nothing is kept.
    unsafe {
        let copy = |string: *mut aws_string| match aws_string::text(string) {
            Some(text) => aws_string::new(allocator, text).map(NonNull::as_ptr),
            None => Ok(null_mut()),
        };
        let alpn_list = copy(from.alpn_list)?;
        let server_name = match copy(from.server_name) {
            Ok(name) => name,
            Err(error) => {
                aws_string::destroy(alpn_list);
                return Err(error);
            }
        };
        ctx_acquire(from.ctx);
        Ok(aws_tls_connection_options { alpn_list, server_name, ..std::ptr::read(from) })
    }
}

/// One more reference. NULL does nothing.
///
/// # Safety
/// `ctx` is NULL or live.
pub unsafe fn ctx_acquire(ctx: *const aws_tls_ctx) {
    if !ctx.is_null() {
        // SAFETY: by the contract.
        unsafe { ref_acquire(&raw const (*ctx).ref_count) };
    }
}

/// One reference less. NULL does nothing.
///
/// # Safety
/// `ctx` is NULL or live; the caller gives its reference up.
pub unsafe fn ctx_release(ctx: *const aws_tls_ctx) {
    if !ctx.is_null() {
        // SAFETY: by the contract.
        unsafe { ref_release(&raw const (*ctx).ref_count) };
    }
}

/// Frees what a connection's options hold and zeroes them.
///
/// # Safety
/// The options are live and were initialised.
pub unsafe fn connection_options_clean_up(options: &mut aws_tls_connection_options) {
    // SAFETY: by the contract; all-zero options are a value.
    unsafe {
        ctx_release(options.ctx);
        aws_string::destroy(options.alpn_list);
        aws_string::destroy(options.server_name);
        *options = std::mem::zeroed();
    }
}

fn is_cipher_pref_supported(cipher_pref: i32) -> bool {
    use aws_tls_cipher_pref::*;
    [
        AWS_IO_TLS_CIPHER_PREF_SYSTEM_DEFAULT,
        AWS_IO_TLS_CIPHER_PREF_PQ_TLSV1_2_2024_10,
        AWS_IO_TLS_CIPHER_PREF_PQ_DEFAULT,
        AWS_IO_TLS_CIPHER_PREF_TLSV1_2_2025_07,
        AWS_IO_TLS_CIPHER_PREF_TLSV1_0_2023_06,
        AWS_IO_TLS_CIPHER_PREF_NON_PQ_DEFAULT,
    ]
    .iter()
    .any(|p| *p as i32 == cipher_pref)
}

fn default_options(allocator: *mut aws_allocator) -> aws_tls_ctx_options {
    aws_tls_ctx_options {
        allocator,
        minimum_tls_version: MaybeUninit::new(aws_tls_versions::AWS_IO_TLS_VER_SYS_DEFAULTS),
        cipher_pref: MaybeUninit::new(aws_tls_cipher_pref::AWS_IO_TLS_CIPHER_PREF_SYSTEM_DEFAULT),
        ca_file: aws_byte_buf::EMPTY,
        ca_path: null_mut(),
        alpn_list: null_mut(),
        certificate: aws_byte_buf::EMPTY,
        private_key: aws_byte_buf::EMPTY,
        max_fragment_size: FRAGMENT_BYTES_MAX,
        verify_peer: true,
        ctx_options_extension: null_mut(),
        custom_key_op_handler: null_mut(),
        no_certificate_revocation: false,
    }
}

/// Frees what the options hold and zeroes them.
unsafe fn options_clean_up(options: &mut aws_tls_ctx_options) {
    // SAFETY: the exports' contract: the options were initialised by a function of this header;
    // all-zero options are a value.
    unsafe {
        options.ca_file.clean_up();
        options.certificate.clean_up();
        options.private_key.secure_zero();
        options.private_key.clean_up();
        aws_string::destroy(options.ca_path);
        aws_string::destroy(options.alpn_list);
        if let Some(handler) = options.custom_key_op_handler.as_ref() {
            ref_release(&raw const handler.ref_count);
        }
        *options = std::mem::zeroed();
    }
}

/// The objects of a PEM text in a buffer of the caller's allocator, with a zero behind its length.
unsafe fn pem_buf(allocator: *mut aws_allocator, text: &[u8]) -> Result<aws_byte_buf> {
    let mut kept = match pem::sanitized(text) {
        Ok(kept) => kept,
        Err(error) => {
            log!(Tls, Error, 0, "certificates and keys must be PEM: {error}");
            return Err(error);
        }
    };
    kept.push(0);
    // SAFETY: the exports' contract: the allocator is NULL or live.
    let made = unsafe { aws_byte_buf::copy_of(allocator, &kept) };
    wipe(&mut kept);
    made.map(|buf| aws_byte_buf { len: buf.len - 1, ..buf })
}

/// All bytes of a file.
fn file_bytes(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path, FileMode::Read)?;
    let mut bytes = Vec::new();
    let mut block = [0; 16 << 10];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(bytes),
            _ if bytes.len() > FILE_BYTES_MAX => return Err(Error::new(Code::INVALID_ARGUMENT)),
            n => bytes.extend_from_slice(&block[..n]),
        }
    }
}

/// Replaces a string of the caller's by a copy of another.
unsafe fn replace_string(
    place: &mut *mut aws_string,
    allocator: *mut aws_allocator,
    text: &[u8],
) -> Result<()> {
    // SAFETY: the exports' contract: the old string is NULL or live. The new one is made first, the
    // text may lie in the old one.
    unsafe {
        let new = aws_string::new(allocator, text)?.as_ptr();
        aws_string::destroy(std::mem::replace(place, new));
    }
    Ok(())
}

/// The largest TLS record.
const FRAGMENT_BYTES_MAX: usize = 16 << 10;
/// The largest file of certificates.
const FILE_BYTES_MAX: usize = 64 << 20;
/// How long a handshake may take where nobody says otherwise.
const HANDSHAKE_TIMEOUT_MS: u32 = 10_000;

/// Fills in options for a client: the system's trust store, the peer is checked.
///
/// `options`: overwritten, not cleaned up before. `allocator`: kept; what the options hold comes from it.
/// Clean up with aws_tls_ctx_options_clean_up(). One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_init_default_client(
    options: *mut aws_tls_ctx_options,
    allocator: *mut aws_allocator,
) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(mut options);
            *options = default_options(allocator);
        }
    })
}

/// Frees what the options hold and zeroes them. NULL and zeroed options are allowed. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_clean_up(options: *mut aws_tls_ctx_options) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(options) = options.as_mut() {
                options_clean_up(options);
            }
        }
    })
}

/// Fills in options for a client that shows a certificate.
///
/// `cert`, `pkey`: PEM, copied. Returns AWS_OP_SUCCESS, or AWS_OP_ERR (`options` are then zeroed) with
/// AWS_ERROR_PEM_MALFORMED, AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_init_client_mtls(
    options: *mut aws_tls_ctx_options,
    allocator: *mut aws_allocator,
    cert: *const aws_byte_cursor,
    pkey: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(mut options);
            *options = default_options(allocator);
            let mut fill = || {
                let invalid = Error::new(Code::INVALID_ARGUMENT);
                let (cert, pkey) = (cert.as_ref().ok_or(invalid)?, pkey.as_ref().ok_or(invalid)?);
                options.certificate = pem_buf(allocator, bytes_of(*cert)?)?;
                options.private_key = pem_buf(allocator, bytes_of(*pkey)?)?;
                Ok(())
            };
            let filled: Result<()> = fill();
            if filled.is_err() {
                options_clean_up(options);
            }
            op(filled)
        }
    })
}

/// Certificates of the Windows certificate store: not on this platform.
///
/// Returns AWS_OP_ERR with AWS_ERROR_PLATFORM_NOT_SUPPORTED, and zeroes `options`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_init_client_mtls_from_system_path(
    options: *mut aws_tls_ctx_options,
    allocator: *mut aws_allocator,
    cert_reg_path: *const c_char,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise; all-zero options are a value.
        unsafe {
            *arg!(mut options) = std::mem::zeroed();
        }
        let _ = (allocator, cert_reg_path);
        raise(Code::PLATFORM_NOT_SUPPORTED)
    })
}

/// Certificates in PKCS#12 files: not on this platform.
///
/// Returns AWS_OP_ERR with AWS_ERROR_PLATFORM_NOT_SUPPORTED, and zeroes `options`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_init_client_mtls_pkcs12_from_path(
    options: *mut aws_tls_ctx_options,
    allocator: *mut aws_allocator,
    pkcs12_path: *const c_char,
    pkcs_pwd: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise; all-zero options are a value.
        unsafe {
            *arg!(mut options) = std::mem::zeroed();
        }
        let _ = (allocator, pkcs12_path, pkcs_pwd);
        raise(Code::PLATFORM_NOT_SUPPORTED)
    })
}

/// Private keys in PKCS#11 tokens: refused, this library loads no PKCS#11 modules.
///
/// Returns AWS_OP_ERR with AWS_ERROR_PLATFORM_NOT_SUPPORTED, and zeroes `options`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_init_client_mtls_with_pkcs11(
    options: *mut aws_tls_ctx_options,
    allocator: *mut aws_allocator,
    pkcs11_options: *const aws_tls_ctx_pkcs11_options,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise; all-zero options are a value.
        unsafe {
            *arg!(mut options) = std::mem::zeroed();
        }
        let _ = (allocator, pkcs11_options);
        refused!("PKCS#11", Code::PLATFORM_NOT_SUPPORTED)
    })
}

/// Sets the protocols to offer.
///
/// `alpn_list`: required, ended by a NUL, protocols joined by `;`; copied. Returns AWS_OP_SUCCESS, or
/// AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_set_alpn_list(
    options: *mut aws_tls_ctx_options,
    alpn_list: *const c_char,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(mut options);
            let _ = arg!(alpn_list);
            let list = CStr::from_ptr(alpn_list).to_bytes();
            op(replace_string(&mut options.alpn_list, options.allocator, list))
        }
    })
}

/// Trusts other certificates than the system's.
///
/// `ca_path`: a folder of certificates, or NULL. `ca_file`: a PEM file, read now, or NULL. Returns
/// AWS_OP_SUCCESS, or AWS_OP_ERR (`options` are then unchanged) with AWS_ERROR_INVALID_STATE where that
/// was done before, AWS_ERROR_PEM_MALFORMED, AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_OOM or the error of
/// opening. One thread at a time may use the options. May wait for the disk.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_override_default_trust_store_from_path(
    options: *mut aws_tls_ctx_options,
    ca_path: *const c_char,
    ca_file: *const c_char,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(mut options);
            let twice = (!ca_path.is_null() && !options.ca_path.is_null())
                || (!ca_file.is_null() && !options.ca_file.buffer.is_null());
            if twice {
                log!(Tls, Error, 0, "the trust store was overridden before");
                return raise(Code::INVALID_STATE);
            }
            let mut file = None;
            if !ca_file.is_null() {
                let path = Path::new(OsStr::from_bytes(CStr::from_ptr(ca_file).to_bytes()));
                file = Some(ok!(pem_buf(options.allocator, &ok!(file_bytes(path)))));
            }
            if !ca_path.is_null() {
                let path = CStr::from_ptr(ca_path).to_bytes();
                if let Err(error) = replace_string(&mut options.ca_path, options.allocator, path) {
                    if let Some(mut file) = file {
                        file.clean_up();
                    }
                    return raise(error.code);
                }
            }
            if let Some(file) = file {
                options.ca_file = file;
            }
        }
        AWS_OP_SUCCESS
    })
}

/// Trusts the certificates of a PEM text instead of the system's.
///
/// `ca_file`: required, copied. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_STATE where
/// that was done before, AWS_ERROR_PEM_MALFORMED, AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_options_override_default_trust_store(
    options: *mut aws_tls_ctx_options,
    ca_file: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (options, text) = (arg!(mut options), ok!(bytes_of(*arg!(ca_file))));
            if !options.ca_file.buffer.is_null() {
                log!(Tls, Error, 0, "the trust store was overridden before");
                return raise(Code::INVALID_STATE);
            }
            options.ca_file = ok!(pem_buf(options.allocator, text));
        }
        AWS_OP_SUCCESS
    })
}

/// Makes the shared TLS settings of clients.
///
/// `alloc`: required; outlives the context. `options`: required; checked and copied, stays the caller's.
/// Returns a context with one reference, to be given back with aws_tls_ctx_release(); NULL with
/// AWS_ERROR_INVALID_ARGUMENT, AWS_IO_TLS_CTX_ERROR (certificates that are none),
/// AWS_IO_TLS_CIPHER_PREF_UNSUPPORTED, AWS_IO_TLS_VERSION_UNSUPPORTED, AWS_ERROR_UNIMPLEMENTED (custom
/// private-key operations) or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_client_ctx_new(
    alloc: *mut aws_allocator,
    options: *const aws_tls_ctx_options,
) -> *mut aws_tls_ctx {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            ok!(ctx_new(alloc, options))
        }
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_acquire(ctx: *mut aws_tls_ctx) -> *mut aws_tls_ctx {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { ctx_acquire(ctx) };
        ctx
    })
}

/// Gives one reference back. NULL does nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_ctx_release(ctx: *mut aws_tls_ctx) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { ctx_release(ctx) };
    })
}

/// Fills in options of a connection that uses `ctx`: a handshake may take 10 seconds, all else as the
/// context says.
///
/// `conn_options`: overwritten, not cleaned up before; keeps a reference to `ctx`. Clean up with
/// aws_tls_connection_options_clean_up(). One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_connection_options_init_from_ctx(
    conn_options: *mut aws_tls_connection_options,
    ctx: *mut aws_tls_ctx,
) {
    ffi_fn!({
        // SAFETY: the caller's promise; all-zero options are a value.
        unsafe {
            let options = arg!(mut conn_options);
            ctx_acquire(ctx);
            *options = std::mem::zeroed();
            options.ctx = ctx;
            options.timeout_ms = HANDSHAKE_TIMEOUT_MS;
        }
    })
}

/// Frees what the options hold, gives their reference to the context back and zeroes them. NULL and
/// zeroed options are allowed. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_connection_options_clean_up(
    connection_options: *mut aws_tls_connection_options,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(options) = connection_options.as_mut() {
                connection_options_clean_up(options);
            }
        }
    })
}

/// Sets the name for SNI and for checking the peer's certificate.
///
/// `server_name`: required; copied with `allocator`. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
/// AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_connection_options_set_server_name(
    conn_options: *mut aws_tls_connection_options,
    allocator: *mut aws_allocator,
    server_name: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (options, name) = (arg!(mut conn_options), ok!(bytes_of(*arg!(server_name))));
            op(replace_string(&mut options.server_name, allocator, name))
        }
    })
}

/// Sets the protocols this connection offers.
///
/// `alpn_list`: required, ended by a NUL, protocols joined by `;`; copied with `allocator`. Returns
/// AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_connection_options_set_alpn_list(
    conn_options: *mut aws_tls_connection_options,
    allocator: *mut aws_allocator,
    alpn_list: *const c_char,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(mut conn_options);
            let _ = arg!(alpn_list);
            let list = CStr::from_ptr(alpn_list).to_bytes();
            op(replace_string(&mut options.alpn_list, allocator, list))
        }
    })
}

/// Whether protocols can be negotiated: always true.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_is_alpn_available() -> bool {
    ffi_fn!({ true })
}

/// Whether a context can be made with this cipher preference; false for numbers outside the enum. Any
/// thread.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_tls_is_cipher_pref_supported(
    cipher_pref: MaybeUninit<aws_tls_cipher_pref>,
) -> bool {
    ffi_fn!({ is_cipher_pref_supported(enum_value(cipher_pref)) })
}

#[cfg(test)]
mod tests;
