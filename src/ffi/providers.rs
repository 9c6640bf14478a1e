//! The credential providers that the library brings. To C each is an `aws_credentials_provider`:
//! public head, then what is ours. All of them answer through the head's vtable only, and hold no
//! lock while they call anybody.

use std::ffi::{OsString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::ptr::NonNull;

use crate::base::sync::Mutex;

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_atomic_var};
use crate::ffi::auth::credentials::{
    NewCredentials, aws_credentials, aws_credentials_provider,
    aws_credentials_provider_delegate_get_credentials_fn,
    aws_credentials_provider_shutdown_options, aws_credentials_provider_vtable,
    aws_on_get_credentials_callback_fn, credentials_acquire, credentials_new, credentials_release,
    expiry_of, provider_acquire, provider_get, provider_release,
};
use crate::ffi::handle::UserData;
use crate::ffi::io::io::aws_io_clock_fn;
use crate::ffi::raise::{AWS_OP_SUCCESS, last_error_or, raise};
use crate::log;
use crate::sys::clock;

/// What a provider of ours does.
pub enum Kind {
    /// Always these credentials; a reference.
    Fixed(*mut aws_credentials),
    Environment,
    Delegate(aws_credentials_provider_delegate_get_credentials_fn, *mut c_void),
    /// References, never empty.
    Chain(Box<[*mut aws_credentials_provider]>),
    Cached(Box<Cached>),
    /// The end of the default chain.
    NotYet,
}

impl Drop for Kind {
    fn drop(&mut self) {
        // SAFETY: the references that the kind holds are given back.
        unsafe {
            match self {
                Kind::Fixed(credentials) => credentials_release(*credentials),
                Kind::Chain(members) => members.iter().for_each(|m| provider_release(*m)),
                Kind::Cached(cached) => {
                    provider_release(cached.source);
                    credentials_release(cached.state.get_mut().credentials);
                }
                Kind::Environment | Kind::Delegate(..) | Kind::NotYet => {}
            }
        }
    }
}

#[repr(C)]
struct Own {
    base: aws_credentials_provider,
    kind: Kind,
}

/// The table of our providers; its address tells them from others.
static OWN_VTABLE: aws_credentials_provider_vtable =
    aws_credentials_provider_vtable { get_credentials: Some(own_get), destroy: Some(own_end) };

/// A provider with one reference.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the provider.
pub unsafe fn new(
    allocator: *mut aws_allocator,
    kind: Kind,
    shutdown_options: aws_credentials_provider_shutdown_options,
) -> Result<*mut aws_credentials_provider> {
    // SAFETY: by the contract; the block is fresh.
    unsafe {
        let made: NonNull<Own> = aws_allocator::acquire(allocator, size_of::<Own>())?.cast();
        let base = aws_credentials_provider {
            vtable: (&raw const OWN_VTABLE).cast_mut(),
            allocator,
            shutdown_options,
            r#impl: made.as_ptr().cast(),
            ref_count: aws_atomic_var::new(1),
        };
        made.write(Own { base, kind });
        Ok(made.as_ptr().cast())
    }
}

/// The end: what it holds goes, then its block, then its creator is told.
unsafe extern "C" fn own_end(provider: *mut aws_credentials_provider) {
    // SAFETY: called once, through the table, with a provider of ours.
    unsafe {
        let own = provider.cast::<Own>().read();
        let told = own.base.shutdown_options;
        let allocator = own.base.allocator;
        drop(own);
        aws_allocator::release(allocator, provider.cast());
        if let Some(tell) = told.shutdown_callback {
            tell(told.shutdown_user_data);
        }
    }
}

/// The credentials that a provider of ours will always answer with.
///
/// # Safety
/// `provider` is NULL or live.
pub unsafe fn fixed_of(
    provider: *const aws_credentials_provider,
) -> Option<*const aws_credentials> {
    // SAFETY: by the contract; the table's address says that the provider is ours.
    unsafe {
        if !std::ptr::eq(provider.as_ref()?.vtable, &raw const OWN_VTABLE) {
            return None;
        }
        match &(*provider.cast::<Own>()).kind {
            Kind::Fixed(credentials) => Some(credentials.cast_const()),
            _ => None,
        }
    }
}

/// Who asked.
#[derive(Clone, Copy)]
struct Query {
    callback: aws_on_get_credentials_callback_fn,
    user_data: UserData,
}

impl Query {
    /// # Safety
    /// Called once; `credentials` are NULL or live during the call.
    unsafe fn answer(self, credentials: *mut aws_credentials, error: c_int) {
        if let Some(callback) = self.callback {
            // SAFETY: the asker's callback with its own data.
            unsafe { callback(credentials, error, self.user_data.0) };
        }
    }
}

unsafe extern "C" fn own_get(
    provider: *mut aws_credentials_provider,
    callback: aws_on_get_credentials_callback_fn,
    user_data: *mut c_void,
) -> c_int {
    let query = Query { callback, user_data: UserData(user_data) };
    if callback.is_none() {
        return raise(Code::INVALID_ARGUMENT);
    }
    // SAFETY: called through the table, with a provider of ours that the asker keeps alive.
    unsafe {
        let own = &*provider.cast::<Own>();
        match &own.kind {
            Kind::Fixed(credentials) => query.answer(*credentials, 0),
            Kind::Environment => match from_environment(own.base.allocator) {
                Ok(credentials) => {
                    query.answer(credentials, 0);
                    credentials_release(credentials);
                }
                Err(error) => {
                    log!(
                        CredentialsProvider,
                        Info,
                        provider,
                        "no keys in the environment: {error}"
                    );
                    query.answer(std::ptr::null_mut(), error.code.0);
                }
            },
            Kind::Delegate(get, delegate_user_data) => match get {
                Some(get) => return get(*delegate_user_data, callback, user_data),
                None => return raise(Code::INVALID_ARGUMENT),
            },
            Kind::Chain(_) => {
                provider_acquire(provider);
                ask_member(Box::new(Round { chain: provider, next: 0, query }));
            }
            Kind::Cached(cached) => cached.get(provider, query),
            Kind::NotYet => {
                log!(
                    CredentialsProvider,
                    Error,
                    provider,
                    "credentials are looked for in the environment only in this version: set \
                     AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give keys to the client"
                );
                query.answer(std::ptr::null_mut(), Code::UNIMPLEMENTED.0);
            }
        }
    }
    AWS_OP_SUCCESS
}

unsafe fn from_environment(allocator: *mut aws_allocator) -> Result<*mut aws_credentials> {
    let [access, secret, token, account] =
        ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCOUNT_ID"]
            .map(|name| std::env::var_os(name).unwrap_or_else(OsString::new));
    if access.is_empty() || secret.is_empty() {
        return Err(Error::new(Code::AUTH_CREDENTIALS_PROVIDER_INVALID_ENVIRONMENT));
    }
    let new = NewCredentials {
        access: access.as_bytes(),
        secret: secret.as_bytes(),
        token: token.as_bytes(),
        account: account.as_bytes(),
        expires_at_seconds: u64::MAX,
    };
    // SAFETY: the allocator outlives the provider, and so the credentials it lends.
    unsafe { credentials_new(allocator, new) }
}

/// The kind of a chain over `count` providers.
///
/// # Safety
/// `providers` points to `count` providers, each NULL or live.
pub unsafe fn chain(providers: *const *mut aws_credentials_provider, count: usize) -> Result<Kind> {
    if providers.is_null() || count == 0 || count > isize::MAX as usize / 8 {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: by the contract.
    unsafe {
        let members = std::slice::from_raw_parts(providers, count);
        if members.iter().any(|m| m.is_null()) {
            return Err(Error::new(Code::INVALID_ARGUMENT));
        }
        members.iter().for_each(|m| provider_acquire(*m));
        Ok(Kind::Chain(members.into()))
    }
}

/// One question on its way through a chain. Holds a reference to the chain.
struct Round {
    chain: *mut aws_credentials_provider,
    next: usize,
    query: Query,
}

/// Asks the next member, and the one after it where a member refuses to be asked.
unsafe fn ask_member(mut round: Box<Round>) {
    // SAFETY: the round's reference keeps the chain; each round is answered once.
    unsafe {
        let Kind::Chain(members) = &(*round.chain.cast::<Own>()).kind else { return };
        let mut failed = Code::AUTH_CREDENTIALS_PROVIDER_INVALID_DELEGATE;
        while let Some(member) = members.get(round.next) {
            round.next += 1;
            let raw = Box::into_raw(round);
            match provider_get(*member, Some(member_answered), raw.cast()) {
                Ok(()) => return,
                Err(error) => {
                    failed = error.code;
                    round = Box::from_raw(raw);
                }
            }
        }
        end_round(*round, std::ptr::null_mut(), failed.0);
    }
}

unsafe extern "C" fn member_answered(
    credentials: *mut aws_credentials,
    error_code: c_int,
    user_data: *mut c_void,
) {
    // SAFETY: the round that `ask_member` handed over.
    unsafe {
        let round = Box::from_raw(user_data.cast::<Round>());
        let Kind::Chain(members) = &(*round.chain.cast::<Own>()).kind else { return };
        if credentials.is_null() && round.next < members.len() {
            ask_member(round);
        } else {
            end_round(*round, credentials, error_code);
        }
    }
}

unsafe fn end_round(round: Round, credentials: *mut aws_credentials, error_code: c_int) {
    // SAFETY: the asker is answered once; the round's reference to the chain goes.
    unsafe {
        round.query.answer(credentials, error_code);
        provider_release(round.chain);
    }
}

/// A provider that keeps another one's answer.
pub struct Cached {
    /// A reference.
    source: *mut aws_credentials_provider,
    /// 0: for good.
    refresh_ns: u64,
    high_res_clock: aws_io_clock_fn,
    system_clock: aws_io_clock_fn,
    state: Mutex<CachedState>,
}

struct CachedState {
    /// A reference, or NULL.
    credentials: *mut aws_credentials,
    fresh_until_ns: u64,
    /// Who waits for the question under way.
    waiting: Vec<Query>,
}

/// Seconds before their expiry at which credentials are asked for anew.
const EARLY_SECS: u64 = 300;

/// The kind of a caching provider.
///
/// # Safety
/// `source` is NULL or live.
pub unsafe fn cached(
    source: *mut aws_credentials_provider,
    refresh_ms: u64,
    (high_res_clock, system_clock): (aws_io_clock_fn, aws_io_clock_fn),
) -> Result<Kind> {
    if source.is_null() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: by the contract.
    unsafe { provider_acquire(source) };
    let credentials = std::ptr::null_mut();
    Ok(Kind::Cached(Box::new(Cached {
        source,
        refresh_ns: refresh_ms.saturating_mul(1_000_000),
        high_res_clock,
        system_clock,
        state: Mutex::new(CachedState { credentials, fresh_until_ns: 0, waiting: Vec::new() }),
    })))
}

fn read_clock(read: aws_io_clock_fn, ours: impl FnOnce() -> u64) -> Result<u64> {
    let Some(read) = read else { return Ok(ours()) };
    let mut now = 0;
    // SAFETY: the creator's function; `now` is writable.
    match unsafe { read(&mut now) } {
        AWS_OP_SUCCESS => Ok(now),
        _ => Err(last_error_or(Code::CLOCK_FAILURE)),
    }
}

impl Cached {
    fn now_ns(&self) -> Result<u64> {
        read_clock(self.high_res_clock, || clock::now().nanos())
    }

    fn unix_seconds(&self) -> Result<u64> {
        read_clock(self.system_clock, || clock::unix_seconds().saturating_mul(1_000_000_000))
            .map(|ns| ns / 1_000_000_000)
    }

    /// # Safety
    /// `provider` is the live provider that this is the kind of.
    unsafe fn get(&self, provider: *mut aws_credentials_provider, query: Query) {
        let now = self.now_ns().unwrap_or(u64::MAX);
        let mut state = self.state.lock();
        if !state.credentials.is_null() && now < state.fresh_until_ns {
            let credentials = state.credentials;
            // SAFETY: the state holds a reference; ours keeps them while the asker looks.
            unsafe {
                credentials_acquire(credentials);
                drop(state);
                query.answer(credentials, 0);
                credentials_release(credentials);
            }
            return;
        }
        state.waiting.push(query);
        let first = state.waiting.len() == 1;
        drop(state);
        if first {
            // SAFETY: the question keeps a reference to the provider until it is answered.
            unsafe {
                provider_acquire(provider);
                if let Err(error) =
                    provider_get(self.source, Some(source_answered), provider.cast())
                {
                    source_answered(std::ptr::null_mut(), error.code.0, provider.cast());
                }
            }
        }
    }

    /// Until when an answer of now is fresh.
    fn fresh_until(&self, expires_at_seconds: u64) -> u64 {
        let Ok(now) = self.now_ns() else { return u64::MAX };
        if expires_at_seconds < u64::MAX
            && let Ok(unix) = self.unix_seconds()
        {
            let left = expires_at_seconds.saturating_sub(unix.saturating_add(EARLY_SECS));
            return now.saturating_add(left.saturating_mul(1_000_000_000));
        }
        match self.refresh_ns {
            0 => u64::MAX,
            refresh => now.saturating_add(refresh),
        }
    }
}

unsafe extern "C" fn source_answered(
    credentials: *mut aws_credentials,
    error_code: c_int,
    user_data: *mut c_void,
) {
    let provider: *mut aws_credentials_provider = user_data.cast();
    // SAFETY: the question's reference keeps the provider; the credentials live during the call.
    unsafe {
        let Kind::Cached(cached) = &(*provider.cast::<Own>()).kind else { return };
        let fresh_until_ns = cached.fresh_until(expiry_if_any(credentials));
        if !credentials.is_null() {
            credentials_acquire(credentials);
        }
        let mut state = cached.state.lock();
        let waiting = std::mem::take(&mut state.waiting);
        let old = std::mem::replace(&mut state.credentials, credentials);
        state.fresh_until_ns = fresh_until_ns;
        drop(state);
        credentials_release(old);
        let error_code = match error_code {
            0 if credentials.is_null() => Code::UNKNOWN.0,
            code => code,
        };
        for query in waiting {
            query.answer(credentials, error_code);
        }
        provider_release(provider);
    }
}

unsafe fn expiry_if_any(credentials: *const aws_credentials) -> u64 {
    match credentials.is_null() {
        true => u64::MAX,
        // SAFETY: live during the call that brought them.
        false => unsafe { expiry_of(credentials) }.unwrap_or(u64::MAX),
    }
}

/// Keys found in the environment are kept that long.
const DEFAULT_REFRESH_MS: u64 = 15 * 60 * 1000;

/// The default chain as one provider.
///
/// # Safety
/// As for [`new`].
pub unsafe fn default_chain(
    allocator: *mut aws_allocator,
    skip_environment: bool,
    shutdown_options: aws_credentials_provider_shutdown_options,
) -> Result<*mut aws_credentials_provider> {
    // SAFETY: by the contract; each kind takes references of its own, ours are given back.
    unsafe {
        let quiet = aws_credentials_provider_shutdown_options::default();
        let mut members = Vec::with_capacity(2);
        if !skip_environment {
            members.push(new(allocator, Kind::Environment, quiet)?);
        }
        let last = new(allocator, Kind::NotYet, quiet);
        let made = last.and_then(|last| {
            members.push(last);
            let kind = chain(members.as_ptr(), members.len())?;
            let source = new(allocator, kind, quiet)?;
            let kind = cached(source, DEFAULT_REFRESH_MS, (None, None));
            provider_release(source);
            new(allocator, kind?, shutdown_options)
        });
        members.into_iter().for_each(|m| provider_release(m));
        made
    }
}
