//! Header `aws/auth/credentials.h`: credentials and where they come from.
//!
//! A provider is its vtable: whoever made it, it is only ever called through that table. The
//! providers of ours stand in `ffi/providers.rs`; [`Provider`] is the Rust side's way to ask any.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_cursor};
use crate::ffi::guard::FfiFailure;
use crate::ffi::http::proxy::{aws_http_proxy_options, proxy_env_var_settings};
use crate::ffi::io::channel_bootstrap::aws_client_bootstrap;
use crate::ffi::io::io::aws_io_clock_fn;
use crate::ffi::io::tls_channel_handler::{aws_tls_connection_options, aws_tls_ctx};
use crate::ffi::place::{Bytes, Placed, Tagged, bytes_of, cursor_of};
use crate::ffi::providers::{self, Kind};
use crate::ffi::raise::{AWS_OP_SUCCESS, last_error_or, raise, raise_null};
use crate::ffi::sdkutils::aws_profile::aws_profile_collection;
use crate::sigv4::Keys;

/// Credentials arrived, or not (`credentials` is NULL and `error_code` says why). Any thread, also
/// before the call that asked has returned. Borrowed during the call; acquire them to keep them.
pub type aws_on_get_credentials_callback_fn = Option<
    unsafe extern "C" fn(
        credentials: *mut aws_credentials,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// Asks a provider for credentials. Returns AWS_OP_SUCCESS if and only if the callback was or will be
/// called, exactly once; else AWS_OP_ERR with an error raised.
pub type aws_credentials_provider_get_credentials_fn = Option<
    unsafe extern "C" fn(
        provider: *mut aws_credentials_provider,
        callback: aws_on_get_credentials_callback_fn,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// Called once, when the last reference to a provider is given up.
pub type aws_credentials_provider_destroy_fn =
    Option<unsafe extern "C" fn(provider: *mut aws_credentials_provider)>;

/// What a credentials provider does. Callers may implement one.
#[repr(C)]
pub struct aws_credentials_provider_vtable {
    pub get_credentials: aws_credentials_provider_get_credentials_fn,
    pub destroy: aws_credentials_provider_destroy_fn,
}

/// A provider is gone. Called once, from whichever thread finished the shutdown.
pub type aws_credentials_provider_shutdown_completed_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Callback for when a provider is gone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_credentials_provider_shutdown_options {
    pub shutdown_callback: aws_credentials_provider_shutdown_completed_fn,
    pub shutdown_user_data: *mut c_void,
}

/// A source of credentials. The library always calls through `vtable`.
#[repr(C)]
pub struct aws_credentials_provider {
    pub vtable: *mut aws_credentials_provider_vtable,
    pub allocator: *mut aws_allocator,
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub r#impl: *mut c_void,
    pub ref_count: aws_atomic_var,
}

/// Options of aws_credentials_provider_new_static(). Cursors are copied.
#[repr(C)]
pub struct aws_credentials_provider_static_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Required.
    pub access_key_id: aws_byte_cursor,
    /// Required.
    pub secret_access_key: aws_byte_cursor,
    /// Optional.
    pub session_token: aws_byte_cursor,
    /// Optional.
    pub account_id: aws_byte_cursor,
}

/// Options of aws_credentials_provider_new_environment().
#[repr(C)]
pub struct aws_credentials_provider_environment_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
}

/// Options of aws_credentials_provider_new_profile().
#[repr(C)]
pub struct aws_credentials_provider_profile_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Empty: AWS_PROFILE, else `default`.
    pub profile_name_override: aws_byte_cursor,
    /// Empty: AWS_CONFIG_FILE, else `~/.aws/config`.
    pub config_file_name_override: aws_byte_cursor,
    /// Empty: AWS_SHARED_CREDENTIALS_FILE, else `~/.aws/credentials`.
    pub credentials_file_name_override: aws_byte_cursor,
    pub profile_collection_cached: *mut aws_profile_collection,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub proxy_ev_settings: *mut proxy_env_var_settings,
}

/// Options of aws_credentials_provider_new_cached().
#[repr(C)]
pub struct aws_credentials_provider_cached_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Required. The provider keeps a reference.
    pub source: *mut aws_credentials_provider,
    /// Milliseconds credentials without an expiry are kept. 0: for good.
    pub refresh_time_in_milliseconds: u64,
    /// Optional. Clock for the age of credentials (tests).
    pub high_res_clock_fn: aws_io_clock_fn,
    /// Optional. Clock for the expiry of credentials (tests).
    pub system_clock_fn: aws_io_clock_fn,
}

/// Options of aws_credentials_provider_new_chain().
#[repr(C)]
pub struct aws_credentials_provider_chain_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// The providers to ask, in order. The chain keeps a reference to each.
    pub providers: *mut *mut aws_credentials_provider,
    pub provider_count: usize,
}

/// Version of the instance metadata service to talk first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_imds_protocol_version {
    IMDS_PROTOCOL_V2 = 0,
    IMDS_PROTOCOL_V1 = 1,
}

/// Address family of the instance metadata service.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_imds_endpoint_mode {
    AWS_IMDS_ENDPOINT_MODE_DEFAULT = 0,
    AWS_IMDS_ENDPOINT_MODE_IPV4 = 1,
    AWS_IMDS_ENDPOINT_MODE_IPV6 = 2,
}

/// Options of a provider that asks the instance metadata service.
#[repr(C)]
pub struct aws_credentials_provider_imds_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub bootstrap: *mut aws_client_bootstrap,
    pub imds_version: MaybeUninit<aws_imds_protocol_version>,
    pub ec2_metadata_v1_disabled: bool,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub imds_endpoint: aws_byte_cursor,
    pub imds_endpoint_mode: MaybeUninit<aws_imds_endpoint_mode>,
}

/// Options of aws_credentials_provider_new_x509().
#[repr(C)]
pub struct aws_credentials_provider_x509_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_connection_options: *const aws_tls_connection_options,
    pub thing_name: aws_byte_cursor,
    pub role_alias: aws_byte_cursor,
    pub endpoint: aws_byte_cursor,
    pub proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
}

/// Options of a provider that trades a web identity token for credentials.
#[repr(C)]
pub struct aws_credentials_provider_sts_web_identity_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub bootstrap: *mut aws_client_bootstrap,
    pub config_profile_collection_cached: *mut aws_profile_collection,
    pub tls_ctx: *mut aws_tls_ctx,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub profile_name_override: aws_byte_cursor,
    pub region: aws_byte_cursor,
    pub role_arn: aws_byte_cursor,
    pub role_session_name: aws_byte_cursor,
    pub token_file_path: aws_byte_cursor,
}

/// Options of a provider that assumes a role.
#[repr(C)]
pub struct aws_credentials_provider_sts_options {
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub creds_provider: *mut aws_credentials_provider,
    pub role_arn: aws_byte_cursor,
    pub session_name: aws_byte_cursor,
    pub external_id: aws_byte_cursor,
    pub duration_seconds: u16,
    pub http_proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub profile_collection_cached: *mut aws_profile_collection,
    pub profile_name_override: aws_byte_cursor,
    pub config_file_name_override: aws_byte_cursor,
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub system_clock_fn: aws_io_clock_fn,
}

/// Options of aws_credentials_provider_new_process().
#[repr(C)]
pub struct aws_credentials_provider_process_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub profile_to_use: aws_byte_cursor,
    pub config_profile_collection_cached: *mut aws_profile_collection,
}

/// Options of aws_credentials_provider_new_chain_default().
#[repr(C)]
pub struct aws_credentials_provider_chain_default_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// For the members that ask over the network.
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub profile_collection_cached: *mut aws_profile_collection,
    pub profile_name_override: aws_byte_cursor,
    /// Leaves the environment variables out.
    pub skip_environment_credentials_provider: bool,
    pub proxy_ev_settings: *const proxy_env_var_settings,
}

/// A caller's own source of credentials; rules as for aws_credentials_provider_get_credentials_fn.
pub type aws_credentials_provider_delegate_get_credentials_fn = Option<
    unsafe extern "C" fn(
        delegate_user_data: *mut c_void,
        callback: aws_on_get_credentials_callback_fn,
        callback_user_data: *mut c_void,
    ) -> c_int,
>;

/// Options of aws_credentials_provider_new_delegate().
#[repr(C)]
pub struct aws_credentials_provider_delegate_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    /// Required.
    pub get_credentials: aws_credentials_provider_delegate_get_credentials_fn,
    pub delegate_user_data: *mut c_void,
}

/// A login with an identity provider.
#[repr(C)]
pub struct aws_cognito_identity_provider_token_pair {
    pub identity_provider_name: aws_byte_cursor,
    pub identity_provider_token: aws_byte_cursor,
}

/// Hands logins over to the library, which copies them during the call.
pub type aws_credentials_provider_cognito_get_token_pairs_completion_fn = Option<
    unsafe extern "C" fn(
        logins: *mut aws_cognito_identity_provider_token_pair,
        login_count: usize,
        error_code: c_int,
        completion_user_data: *mut c_void,
    ),
>;

/// Asks the caller for fresh logins; calls the completion now or later.
pub type aws_credentials_provider_cognito_get_token_pairs_async_fn = Option<
    unsafe extern "C" fn(
        get_token_pairs_user_data: *mut c_void,
        completion_callback: aws_credentials_provider_cognito_get_token_pairs_completion_fn,
        completion_user_data: *mut c_void,
    ) -> c_int,
>;

/// Options of aws_credentials_provider_new_cognito().
#[repr(C)]
pub struct aws_credentials_provider_cognito_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub endpoint: aws_byte_cursor,
    pub identity: aws_byte_cursor,
    pub logins: *mut aws_cognito_identity_provider_token_pair,
    pub login_count: usize,
    pub custom_role_arn: *mut aws_byte_cursor,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub http_proxy_options: *const aws_http_proxy_options,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub get_token_pairs: aws_credentials_provider_cognito_get_token_pairs_async_fn,
    pub get_token_pairs_user_data: *mut c_void,
}

/// Options of a provider that reads a console login session.
#[repr(C)]
pub struct aws_credentials_provider_login_options {
    /// Optional callback for when the provider is gone.
    pub shutdown_options: aws_credentials_provider_shutdown_options,
    pub login_session: aws_byte_cursor,
    pub login_region: aws_byte_cursor,
    pub login_cache_directory_override: aws_byte_cursor,
    pub profile_name_override: aws_byte_cursor,
    pub config_file_name_override: aws_byte_cursor,
    pub config_file_cached: *mut aws_profile_collection,
    pub bootstrap: *mut aws_client_bootstrap,
    pub tls_ctx: *mut aws_tls_ctx,
    pub proxy_ev_settings: *const proxy_env_var_settings,
    pub function_table: *mut aws_auth_http_system_vtable,
    pub system_clock_fn: aws_io_clock_fn,
}

/// Stand-ins for HTTP functions in the reference's own tests. Opaque; ignored.
pub struct aws_auth_http_system_vtable {
    _private: [u8; 0],
}

/// Credentials. Opaque, never changed after they are made; counted with aws_credentials_acquire() and
/// aws_credentials_release().
pub struct aws_credentials {
    _private: [u8; 0],
}

impl Default for aws_credentials_provider_shutdown_options {
    fn default() -> Self {
        Self { shutdown_callback: None, shutdown_user_data: std::ptr::null_mut() }
    }
}

/// What `aws_credentials` are.
struct Identity {
    /// `None`: anonymous.
    keys: Option<IdentityKeys>,
    expires_at_seconds: u64,
}

struct IdentityKeys {
    access: Bytes,
    secret: Bytes,
    token: Option<Bytes>,
    /// Kept for the credentials' owner; nothing here signs with it.
    _account: Option<Bytes>,
}

// SAFETY: every `aws_credentials` is made by `credentials_new` or `anonymous_new` below.
unsafe impl Tagged for Identity {
    type C = aws_credentials;
    const NAME: &'static str = "aws_credentials";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.cred");
}

/// The parts of new credentials.
#[derive(Clone, Copy)]
pub struct NewCredentials<'a> {
    pub access: &'a [u8],
    pub secret: &'a [u8],
    /// Empty: none.
    pub token: &'a [u8],
    /// Empty: none.
    pub account: &'a [u8],
    /// Seconds since 1970; u64::MAX: for ever.
    pub expires_at_seconds: u64,
}

/// New credentials with one reference; an empty key is AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the credentials.
pub unsafe fn credentials_new(
    allocator: *mut aws_allocator,
    new: NewCredentials<'_>,
) -> Result<*mut aws_credentials> {
    if new.access.is_empty() || new.secret.is_empty() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: by the contract.
    unsafe {
        let some = |bytes: &[u8]| match bytes {
            [] => Ok(None),
            bytes => Bytes::secret(allocator, bytes).map(Some),
        };
        let keys = IdentityKeys {
            access: Bytes::copy(allocator, new.access)?,
            secret: Bytes::secret(allocator, new.secret)?,
            token: some(new.token)?,
            _account: some(new.account)?,
        };
        let expires_at_seconds = new.expires_at_seconds;
        Placed::make(allocator, Identity { keys: Some(keys), expires_at_seconds })
    }
}

/// Credentials that sign nothing, with one reference.
///
/// # Safety
/// As for [`credentials_new`].
pub unsafe fn anonymous_new(allocator: *mut aws_allocator) -> Result<*mut aws_credentials> {
    // SAFETY: by the contract.
    unsafe { Placed::make(allocator, Identity { keys: None, expires_at_seconds: u64::MAX }) }
}

/// One more reference; false for NULL and strangers.
///
/// # Safety
/// `credentials` is NULL or live.
pub unsafe fn credentials_acquire(credentials: *const aws_credentials) -> bool {
    // SAFETY: by the contract.
    unsafe { Placed::<Identity>::acquire(credentials) }
}

/// One reference less.
///
/// # Safety
/// `credentials` is NULL or live; the caller gives its reference up.
pub unsafe fn credentials_release(credentials: *const aws_credentials) {
    // SAFETY: by the contract.
    drop(unsafe { Placed::<Identity>::release(credentials) });
}

/// When credentials expire: seconds since 1970, u64::MAX for ever.
///
/// # Safety
/// `credentials` is NULL or live.
pub unsafe fn expiry_of(credentials: *const aws_credentials) -> Result<u64> {
    // SAFETY: by the contract.
    unsafe { Placed::<Identity>::view(credentials) }.map(|c| c.expires_at_seconds)
}

/// A copy of the keys; `None` for anonymous credentials. NULL and strangers are
/// AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `credentials` is NULL or live.
pub unsafe fn keys_of(credentials: *const aws_credentials) -> Result<Option<Arc<Keys>>> {
    // SAFETY: by the contract.
    let identity = unsafe { Placed::<Identity>::view(credentials)? };
    let copy = |keys: &IdentityKeys| {
        let token = keys.token.as_ref().map(Bytes::as_slice);
        Arc::new(Keys::new(keys.access.as_slice(), keys.secret.as_slice(), token))
    };
    Ok(identity.keys.as_ref().map(copy))
}

unsafe fn part(
    credentials: *const aws_credentials,
    part: impl FnOnce(&IdentityKeys) -> Option<&Bytes>,
) -> aws_byte_cursor {
    // SAFETY: the getters' contract; the cursor is valid as long as the credentials.
    match unsafe { Placed::<Identity>::view(credentials) } {
        Ok(identity) => {
            cursor_of(identity.keys.as_ref().and_then(part).map_or(&[], Bytes::as_slice))
        }
        Err(error) => {
            raise(error.code);
            aws_byte_cursor::failure()
        }
    }
}

/// Asks a provider through its table. An error here means that the callback is not called.
///
/// # Safety
/// `provider` is NULL or live.
pub unsafe fn provider_get(
    provider: *mut aws_credentials_provider,
    callback: aws_on_get_credentials_callback_fn,
    user_data: *mut c_void,
) -> Result<()> {
    // SAFETY: by the contract.
    unsafe {
        let table = provider.as_ref().and_then(|p| p.vtable.as_ref());
        match (table.and_then(|t| t.get_credentials), callback) {
            (Some(get), Some(_)) => match get(provider, callback, user_data) {
                AWS_OP_SUCCESS => Ok(()),
                _ => Err(last_error_or(Code::AUTH_CREDENTIALS_PROVIDER_DELEGATE_FAILURE)),
            },
            _ => Err(Error::new(Code::INVALID_ARGUMENT)),
        }
    }
}

/// One more reference. NULL does nothing.
///
/// # Safety
/// `provider` is NULL or live.
pub unsafe fn provider_acquire(provider: *const aws_credentials_provider) {
    if !provider.is_null() {
        // SAFETY: by the contract.
        let count = unsafe { aws_atomic_var::word(&raw const (*provider).ref_count) };
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

/// One reference less; the last one calls the table's destroy. NULL does nothing.
///
/// # Safety
/// `provider` is NULL or live; the caller gives its reference up.
pub unsafe fn provider_release(provider: *mut aws_credentials_provider) {
    if provider.is_null() {
        return;
    }
    // SAFETY: by the contract.
    unsafe {
        let count = aws_atomic_var::word(&raw const (*provider).ref_count);
        if count.fetch_sub(1, std::sync::atomic::Ordering::AcqRel) == 1
            && let Some(destroy) = (*provider).vtable.as_ref().and_then(|t| t.destroy)
        {
            destroy(provider);
        }
    }
}

/// A reference to somebody's provider.
pub struct Provider {
    raw: NonNull<aws_credentials_provider>,
    /// What a static or anonymous provider of ours will always answer.
    fixed: Option<Option<Arc<Keys>>>,
}

// SAFETY: the interface promises that a provider may be asked on any thread, by several at once.
unsafe impl Send for Provider {}
// SAFETY: as above.
unsafe impl Sync for Provider {}

/// Receives the keys; `None` is anonymous.
pub type KeysDone = Box<dyn FnOnce(Result<Option<Arc<Keys>>>) + Send>;

impl Provider {
    /// Takes a reference of its own; NULL is AWS_ERROR_INVALID_ARGUMENT.
    ///
    /// # Safety
    /// `provider` is NULL or live.
    pub unsafe fn share(provider: *mut aws_credentials_provider) -> Result<Provider> {
        let raw = NonNull::new(provider).ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        // SAFETY: by the contract.
        unsafe {
            provider_acquire(provider);
            let fixed = providers::fixed_of(provider).map(|c| keys_of(c));
            Ok(Provider { raw, fixed: fixed.and_then(Result::ok) })
        }
    }

    /// Asks; `done` is called once, before this returns, later, or on another thread.
    pub fn get(&self, done: KeysDone) {
        if let Some(keys) = &self.fixed {
            return done(Ok(keys.clone()));
        }
        let boxed: *mut KeysDone = Box::into_raw(Box::new(done));
        // SAFETY: we hold a reference; an error means that the callback is not called, so that the
        // box is still ours.
        unsafe {
            if let Err(error) = provider_get(self.raw.as_ptr(), Some(keys_arrived), boxed.cast()) {
                Box::from_raw(boxed)(Err(error));
            }
        }
    }

    /// What [`get`](Self::get) would answer, when it is known without asking anybody.
    pub fn now(&self) -> Option<Option<Arc<Keys>>> {
        self.fixed.clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // SAFETY: the reference taken by `share`.
        unsafe { provider_release(self.raw.as_ptr()) };
    }
}

unsafe extern "C" fn keys_arrived(
    credentials: *mut aws_credentials,
    error_code: c_int,
    user_data: *mut c_void,
) {
    // SAFETY: the box of `Provider::get`, given once; the credentials live during the call.
    unsafe {
        let done = Box::from_raw(user_data.cast::<KeysDone>());
        done(match credentials.is_null() {
            true => Err(Error::new(match error_code {
                0 => Code::UNKNOWN,
                code => Code(code),
            })),
            false => keys_of(credentials),
        });
    }
}

/// New credentials.
///
/// `allocator`: required; outlives them. Cursors are copied; both keys are required, the token may be
/// empty. `expiration_timepoint_seconds`: since 1970, UINT64_MAX for ever. Returns credentials with one
/// reference, to be given back with aws_credentials_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or
/// AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live; cursors' bytes are readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_new(
    allocator: *mut aws_allocator,
    access_key_id_cursor: aws_byte_cursor,
    secret_access_key_cursor: aws_byte_cursor,
    session_token_cursor: aws_byte_cursor,
    expiration_timepoint_seconds: u64,
) -> *mut aws_credentials {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let new = NewCredentials {
                access: ok!(bytes_of(access_key_id_cursor)),
                secret: ok!(bytes_of(secret_access_key_cursor)),
                token: ok!(bytes_of(session_token_cursor)),
                account: &[],
                expires_at_seconds: expiration_timepoint_seconds,
            };
            ok!(credentials_new(allocator, new))
        }
    })
}

/// New anonymous credentials: what is sent with them is not signed.
///
/// `allocator`: required; outlives them. Returns credentials with one reference; NULL with
/// AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_new_anonymous(
    allocator: *mut aws_allocator,
) -> *mut aws_credentials {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { anonymous_new(allocator) })
    })
}

/// Takes one more reference. NULL does nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_acquire(credentials: *const aws_credentials) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { credentials_acquire(credentials) };
    })
}

/// Gives one reference back; the last one wipes and frees the credentials. NULL does nothing. Any
/// thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_release(credentials: *const aws_credentials) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { credentials_release(credentials) };
    })
}

/// The access key id; empty where there is none.
///
/// Valid as long as the credentials. NULL: empty with AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_get_access_key_id(
    credentials: *const aws_credentials,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { part(credentials, |k| Some(&k.access)) }
    })
}

/// The secret access key; empty where there is none.
///
/// Valid as long as the credentials. NULL: empty with AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_get_secret_access_key(
    credentials: *const aws_credentials,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { part(credentials, |k| Some(&k.secret)) }
    })
}

/// The session token; empty where there is none.
///
/// Valid as long as the credentials. NULL: empty with AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_get_session_token(
    credentials: *const aws_credentials,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { part(credentials, |k| k.token.as_ref()) }
    })
}

/// When the credentials expire, in seconds since 1970; UINT64_MAX: never. NULL: 0 with
/// AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_get_expiration_timepoint_seconds(
    credentials: *const aws_credentials,
) -> u64 {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { expiry_of(credentials) })
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_acquire(
    provider: *mut aws_credentials_provider,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { provider_acquire(provider) };
        provider
    })
}

/// Gives one reference back and returns NULL; the last one ends the provider, whose shutdown callback
/// is called when it is gone. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_release(
    provider: *mut aws_credentials_provider,
) -> *mut aws_credentials_provider {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { provider_release(provider) };
        std::ptr::null_mut()
    })
}

/// Asks for credentials.
///
/// Returns AWS_OP_SUCCESS if `callback` was or will be called, exactly once, possibly before this returns
/// and on any thread; else AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or the provider's error, and it is
/// not called. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_get_credentials(
    provider: *mut aws_credentials_provider,
    callback: aws_on_get_credentials_callback_fn,
    user_data: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        match unsafe { provider_get(provider, callback, user_data) } {
            Ok(()) => AWS_OP_SUCCESS,
            Err(error) => raise(error.code),
        }
    })
}

/// A provider that always answers with the same keys, before the asking call returns.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT for an empty key, AWS_ERROR_OOM). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_static(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_static_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            let new = NewCredentials {
                access: ok!(bytes_of(options.access_key_id)),
                secret: ok!(bytes_of(options.secret_access_key)),
                token: ok!(bytes_of(options.session_token)),
                account: ok!(bytes_of(options.account_id)),
                expires_at_seconds: u64::MAX,
            };
            let kind = Kind::Fixed(ok!(credentials_new(allocator, new)));
            ok!(providers::new(allocator, kind, options.shutdown_options))
        }
    })
}

/// A provider of anonymous credentials: what is sent with them is not signed.
///
/// `allocator`: required; outlives the provider. `shutdown_options`: may be NULL; copied. Returns a
/// provider with one reference; NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_anonymous(
    allocator: *mut aws_allocator,
    shutdown_options: *const aws_credentials_provider_shutdown_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let shutdown = shutdown_options.as_ref().copied().unwrap_or_default();
            let kind = Kind::Fixed(ok!(anonymous_new(allocator)));
            ok!(providers::new(allocator, kind, shutdown))
        }
    })
}

/// A provider that reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN each time it is
/// asked; it answers before the asking call returns, with AWS_AUTH_CREDENTIALS_PROVIDER_INVALID_ENVIRONMENT
/// where a key is missing.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_OOM). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_environment(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_environment_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            ok!(providers::new(allocator, Kind::Environment, options.shutdown_options))
        }
    })
}

/// A provider that asks a function of the caller's.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT without a function, AWS_ERROR_OOM). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_delegate(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_delegate_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            if options.get_credentials.is_none() {
                return raise_null(Code::INVALID_ARGUMENT);
            }
            let kind = Kind::Delegate(options.get_credentials, options.delegate_user_data);
            ok!(providers::new(allocator, kind, options.shutdown_options))
        }
    })
}

/// A provider that keeps what another one answered: until five minutes before it expires, else for the
/// refresh time. Everybody who asks meanwhile waits for the one question.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT without a source, AWS_ERROR_OOM). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_cached(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_cached_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            let clocks = (options.high_res_clock_fn, options.system_clock_fn);
            let refresh_ms = options.refresh_time_in_milliseconds;
            let kind = ok!(providers::cached(options.source, refresh_ms, clocks));
            ok!(providers::new(allocator, kind, options.shutdown_options))
        }
    })
}

/// A provider that asks others in order, until one has credentials; the error is the last one's.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT for no or a NULL provider, AWS_ERROR_OOM). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_chain(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_chain_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            let kind = ok!(providers::chain(options.providers, options.provider_count));
            ok!(providers::new(allocator, kind, options.shutdown_options))
        }
    })
}

/// The default chain: environment variables, then profiles, web identity, container and instance
/// metadata, kept for 15 minutes. What comes after the environment is not there yet: asked without keys
/// in the environment, the provider answers with AWS_ERROR_UNIMPLEMENTED.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_OOM). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_chain_default(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_chain_default_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            let skip = options.skip_environment_credentials_provider;
            ok!(providers::default_chain(allocator, skip, options.shutdown_options))
        }
    })
}

/// A provider that reads the shared configuration files. Not there yet.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_profile(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_profile_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        if allocator.is_null() || options.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        waits!("profile credentials")
    })
}

/// A provider that runs the `credential_process` of a profile. Not there yet.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_process(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_process_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        if allocator.is_null() || options.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        waits!("process credentials")
    })
}

/// A provider that asks AWS IoT with a client certificate. Not there yet.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_x509(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_x509_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        if allocator.is_null() || options.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        waits!("X.509 credentials")
    })
}

/// A provider that asks Amazon Cognito. Not there yet.
///
/// `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
/// reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
/// (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_credentials_provider_new_cognito(
    allocator: *mut aws_allocator,
    options: *const aws_credentials_provider_cognito_options,
) -> *mut aws_credentials_provider {
    ffi_fn!({
        if allocator.is_null() || options.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        waits!("Cognito credentials")
    })
}

#[cfg(test)]
mod tests;
