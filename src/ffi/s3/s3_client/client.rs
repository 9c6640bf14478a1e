//! The handle of a client: options checked and translated, references, shutdown.
//!
//! The handle lives in memory of the caller's allocator. It holds words that real callers read at
//! the places of the reference's private struct: the pool, counts of requests. With its last
//! reference the engine's client is told to end; when its transfers and connections are gone,
//! everything that was borrowed from C goes back, then the handle, then the shutdown callback comes.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::{
    aws_s3_client, aws_s3_client_config, aws_s3_client_shutdown_complete_callback_fn,
    aws_s3_file_io_options, aws_s3_meta_request, aws_s3_meta_request_compute_content_md5,
    aws_s3_meta_request_tls_mode, meta_request,
};
use crate::base::{Code, Duration, Error, Result};
use crate::client::{Client, ClientOptions, KeepAlive, Kind, RetryPolicy, Signing, SlowLimit};
use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_cursor, aws_ref_count};
use crate::ffi::adapt::pool::CallerPool;
use crate::ffi::adapt::resolver::CacheResolver;
use crate::ffi::adapt::retry::CallerStrategy;
use crate::ffi::adapt::retry_own::OwnStrategy;
use crate::ffi::adapt::signing::{is_express, signing};
use crate::ffi::auth::credentials::aws_credentials_provider;
use crate::ffi::auth::signing_config::{
    aws_signed_body_header_type, aws_signing_algorithm, aws_signing_config_aws,
    aws_signing_config_type,
};
use crate::ffi::io::channel_bootstrap::{
    aws_client_bootstrap, bootstrap_acquire, bootstrap_release, parts_of,
};
use crate::ffi::io::event_loop::host_of;
use crate::ffi::place::{self, bytes_of, cursor_of, enum_value, ref_acquire, ref_release};
use crate::ffi::raise::{self, last_error_or};
use crate::ffi::s3::private::s3_default_buffer_pool as default_pool;
use crate::ffi::s3::s3_buffer_pool::{aws_s3_buffer_pool, aws_s3_buffer_pool_config, pool_release};
use crate::ffi::s3::{mem, s3};
use crate::log;

/// What stands behind `struct aws_s3_client`.
#[repr(C)]
pub(crate) struct Handle {
    pub(crate) allocator: *mut aws_allocator,
    /// A reference.
    buffer_pool: *mut aws_s3_buffer_pool,
    gap_before_count: usize,
    count: aws_ref_count,
    /// Set before anybody else sees the handle, taken at the end.
    inner: *mut Inner,
    gap_before_figures: [usize; 44],
    requests_in_flight: AtomicUsize,
    requests_network_io: [AtomicUsize; 4],
    requests_stream_queued_waiting: AtomicUsize,
    requests_streaming_response: AtomicUsize,
    gap_before_queue: [usize; 70],
    request_queue_size: AtomicU32,
    requests_being_prepared: AtomicU32,
    /// Tells a client of ours from that of a genuine AWS library, which is as long as this.
    tag: u64,
}

const _: () = {
    assert!(size_of::<Handle>() == 1040 && align_of::<Handle>() == 8);
    assert!(offset_of!(Handle, buffer_pool) == 8 && offset_of!(Handle, count) == 24);
    assert!(offset_of!(Handle, requests_in_flight) == 408);
    assert!(offset_of!(Handle, requests_network_io) == 416);
    assert!(offset_of!(Handle, requests_stream_queued_waiting) == 448);
    assert!(offset_of!(Handle, requests_streaming_response) == 456);
    assert!(offset_of!(Handle, request_queue_size) == 1024);
    assert!(offset_of!(Handle, requests_being_prepared) == 1028);
};

/// What the functions of this folder need of a client.
pub(crate) struct Inner {
    engine: OnceLock<Arc<Client>>,
    pub region: String,
    pub signing: Signing,
    pub express: bool,
    pub tls: bool,
    pub part_size: u64,
    pub part_size_max: u64,
    pub multipart_threshold: u64,
    pub file_io: Option<aws_s3_file_io_options>,
    connections_ideal: u32,
    connections_max: u32,
    /// A reference.
    bootstrap: *mut aws_client_bootstrap,
    shutdown: aws_s3_client_shutdown_complete_callback_fn,
    shutdown_data: *mut c_void,
}

const TAG: u64 = u64::from_le_bytes(*b"s3f.clnt");

pub(crate) const PART_SIZE_DEFAULT: u64 = 8 << 20;
/// Smallest part of a multipart upload (S3's limits, "Multipart upload limits").
pub(crate) const UPLOAD_PART_BYTES_MIN: u64 = 5 << 20;
const PART_BYTES_MAX: u64 = 5 << 30;
const THROUGHPUT_DEFAULT_GBPS: f64 = 10.0;
/// What one connection is expected to bring.
const GBPS_PER_CONNECTION: f64 = 0.4;

impl Inner {
    pub(crate) fn engine(&self) -> Result<&Arc<Client>> {
        self.engine.get().ok_or(Error::new(Code::INVALID_STATE))
    }
}

fn handle<'a>(client: *mut aws_s3_client) -> Option<&'a Handle> {
    let handle = client.cast::<Handle>();
    if handle.is_null() {
        return None;
    }
    // SAFETY: callers pass live clients, and a client of any AWS library is as long as ours.
    if !handle.is_aligned() || unsafe { (&raw const (*handle).tag).read() } != place::mark(TAG) {
        place::refuse("aws_s3_client", client.addr());
        return None;
    }
    // SAFETY: the tag says that `create` made it.
    Some(unsafe { &*handle })
}

/// A client's parts.
///
/// # Safety
/// `client` is NULL or live for `'a`.
pub(crate) unsafe fn view<'a>(client: *mut aws_s3_client) -> Option<(&'a Handle, &'a Inner)> {
    let h = handle(client)?;
    // SAFETY: set before the handle was given out, taken when nobody has it any more.
    Some((h, unsafe { h.inner.as_ref()? }))
}

/// # Safety
/// `client` is live.
pub(crate) unsafe fn acquire(client: *mut aws_s3_client) {
    if let Some(h) = handle(client) {
        // SAFETY: by the contract.
        unsafe { ref_acquire(&raw const h.count) };
    }
}

/// # Safety
/// `client` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn release(client: *mut aws_s3_client) {
    if let Some(h) = handle(client) {
        // SAFETY: by the contract.
        unsafe { ref_release(&raw const h.count) };
    }
}

/// Copies those of the engine's counts that nobody tells us of to the words that callers read.
///
/// # Safety
/// `client` is live.
pub(crate) unsafe fn refresh_figures(client: *mut aws_s3_client) {
    // SAFETY: by the contract.
    let Some((h, inner)) = (unsafe { view(client) }) else { return };
    let Some(engine) = inner.engine.get() else { return };
    let s = engine.stats();
    h.requests_stream_queued_waiting.store(s.requests_stream_queued_waiting, Ordering::Relaxed);
    h.requests_streaming_response.store(s.requests_streaming_response, Ordering::Relaxed);
    let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    h.request_queue_size.store(short(s.request_queue_size), Ordering::Relaxed);
    h.requests_being_prepared.store(short(s.requests_being_prepared), Ordering::Relaxed);
}

/// Connections that a throughput asks for.
fn connections_for(gbps: f64) -> u32 {
    (gbps / GBPS_PER_CONNECTION).ceil().clamp(0.0, 10_000.0) as u32
}

fn refuse(code: Code, why: &str) -> Error {
    log!(S3Client, Error, 0, "cannot create the client: {why}");
    Error::new(code)
}

/// Bytes of part memory that the environment asks for: AWS_CRT_S3_MEMORY_LIMIT_IN_MB, else
/// AWS_CRT_S3_MEMORY_LIMIT_IN_GIB.
fn memory_limit_of_environment() -> Result<u64> {
    for (name, unit, overflow) in [
        ("AWS_CRT_S3_MEMORY_LIMIT_IN_MB", 1u64 << 20, Code::OVERFLOW_DETECTED),
        ("AWS_CRT_S3_MEMORY_LIMIT_IN_GIB", 1u64 << 30, Code::INVALID_ARGUMENT),
    ] {
        let Some(text) = std::env::var_os(name).filter(|t| !t.is_empty()) else { continue };
        let number: Option<u64> = text.to_str().and_then(|t| t.parse().ok());
        let Some(number) = number else {
            log!(S3Client, Error, 0, "{name} is not a whole number");
            return Err(Error::new(Code::INVALID_ARGUMENT));
        };
        let Some(bytes) = number.checked_mul(unit) else {
            log!(S3Client, Error, 0, "{name} is too large");
            return Err(Error::new(overflow));
        };
        if bytes > 0 {
            return Ok(bytes);
        }
    }
    Ok(0)
}

/// Whether the environment names a proxy that the options tell us to use.
fn proxy_is_wanted(config: &aws_s3_client_config) -> bool {
    if !config.proxy_options.is_null() {
        return true;
    }
    // SAFETY: options of the caller, live during the call.
    let Some(from_env) = (unsafe { config.proxy_ev_settings.as_ref() }) else { return false };
    const ENABLED: i32 = 1;
    let names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];
    let set = |n: &&str| std::env::var_os(n).is_some_and(|v| !v.is_empty());
    enum_value(from_env.env_var_type) == ENABLED && names.iter().any(set)
}

/// # Safety
/// `allocator` is live, and what `config` points to too.
unsafe fn create(
    allocator: *mut aws_allocator,
    config: &aws_s3_client_config,
) -> Result<*mut aws_s3_client> {
    let invalid = |why| refuse(Code::INVALID_ARGUMENT, why);
    if config.client_bootstrap.is_null() {
        return Err(invalid("client_bootstrap is required"));
    }
    if config.throughput_target_gbps < 0.0 || config.throughput_target_gbps.is_nan() {
        return Err(invalid("throughput_target_gbps is negative"));
    }
    // SAFETY: by the contract.
    let signing_config = unsafe { config.signing_config.as_ref() }
        .ok_or_else(|| invalid("signing_config is required"))?;
    if signing_config.credentials.is_null() && signing_config.credentials_provider.is_null() {
        return Err(invalid("signing_config has neither credentials nor a provider"));
    }
    if !config.enable_s3express && is_express(signing_config) {
        return Err(invalid("S3 Express signing without enable_s3express"));
    }
    if proxy_is_wanted(config) {
        return Err(refuse(Code::UNIMPLEMENTED, "proxies are not implemented"));
    }
    if config.num_network_interface_names > 0 {
        return Err(refuse(Code::UNIMPLEMENTED, "network interfaces are not implemented"));
    }
    let limit_asked = match config.memory_limit_in_bytes {
        0 => memory_limit_of_environment()?,
        bytes => bytes,
    };
    let memory_limit = match limit_asked {
        0 => s3::default_memory_limit(config.throughput_target_gbps),
        bytes => usize::try_from(bytes).unwrap_or(usize::MAX),
    };
    let gbps = match config.throughput_target_gbps {
        0.0 => THROUGHPUT_DEFAULT_GBPS,
        gbps => gbps,
    };
    let part_size = if config.part_size == 0 { PART_SIZE_DEFAULT } else { config.part_size };
    let part_size_max = match config.max_part_size {
        0 => (memory_limit as u64 / 2).min(PART_BYTES_MAX),
        bytes => bytes,
    };
    let multipart_threshold = match config.multipart_upload_threshold {
        0 => part_size.max(UPLOAD_PART_BYTES_MIN),
        bytes => bytes,
    };
    // SAFETY: by the contract.
    unsafe {
        let region = String::from_utf8_lossy(bytes_of(config.region)?).into_owned();
        let (group, cache) = parts_of(config.client_bootstrap)?;
        let host = host_of((*config.client_bootstrap).event_loop_group)?;
        let retry: Arc<dyn RetryPolicy> = if config.retry_strategy.is_null() {
            OwnStrategy::new(group, &config.retry_config)?
        } else {
            Arc::new(CallerStrategy::share(config.retry_strategy)?)
        };
        let signing = if is_express(signing_config) {
            return Err(refuse(Code::UNIMPLEMENTED, "S3 Express is not implemented"));
        } else {
            signing(signing_config, &region, None, 0)?
        };
        let fresh = Handle {
            allocator,
            buffer_pool: ptr::null_mut(),
            gap_before_count: 0,
            count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: ptr::null_mut(),
                on_zero_fn: Some(last_reference),
            },
            inner: ptr::null_mut(),
            gap_before_figures: [0; 44],
            requests_in_flight: AtomicUsize::new(0),
            requests_network_io: Default::default(),
            requests_stream_queued_waiting: AtomicUsize::new(0),
            requests_streaming_response: AtomicUsize::new(0),
            gap_before_queue: [0; 70],
            request_queue_size: AtomicU32::new(0),
            requests_being_prepared: AtomicU32::new(0),
            tag: place::mark(TAG),
        };
        let mut place = mem::put(allocator, fresh)?;
        let client: *mut aws_s3_client = place.as_ptr().cast();
        place.as_mut().count.object = client.cast();
        let pool_config = aws_s3_buffer_pool_config {
            client,
            part_size: usize::try_from(part_size).unwrap_or(usize::MAX),
            max_part_size: usize::try_from(part_size_max).unwrap_or(usize::MAX),
            memory_limit,
        };
        let pool = match make_pool(allocator, config, pool_config) {
            Ok(pool) => pool,
            Err(e) => {
                let _: Handle = mem::take(allocator, place);
                return Err(e);
            }
        };
        place.as_mut().buffer_pool = pool.c;
        bootstrap_acquire(config.client_bootstrap);
        place.as_mut().inner = Box::into_raw(Box::new(Inner {
            engine: OnceLock::new(),
            region: region.clone(),
            signing: signing.clone(),
            express: config.enable_s3express,
            tls: config.tls_mode == aws_s3_meta_request_tls_mode::AWS_MR_TLS_ENABLED,
            part_size,
            part_size_max,
            multipart_threshold,
            file_io: config.fio_opts.as_ref().copied(),
            connections_ideal: connections_for(gbps).max(10),
            connections_max: config.max_active_connections_override,
            bootstrap: config.client_bootstrap,
            shutdown: config.shutdown_callback,
            shutdown_data: config.shutdown_callback_user_data,
        }));
        let seconds = |s: u16| Duration::from_secs(u64::from(s));
        let (ended, figures) = (Ended(place), Figures(place));
        let options = ClientOptions {
            log_id: client.addr(),
            region,
            part_size,
            part_size_max,
            multipart_threshold: multipart_threshold.saturating_add(1),
            throughput_target_gbps: gbps,
            connections_max: aws_connections(place.as_ref()),
            memory_limit_bytes: pool.limit as u64,
            content_md5: config.compute_content_md5
                == aws_s3_meta_request_compute_content_md5::AWS_MR_CONTENT_MD5_ENABLED,
            read_backpressure: config.enable_read_backpressure,
            initial_read_window_bytes: config.initial_read_window as u64,
            connect_timeout: Duration::from_millis(u64::from(config.connect_timeout_ms)),
            keepalive: config.tcp_keep_alive_options.as_ref().map(|k| KeepAlive {
                interval: seconds(k.keep_alive_interval_sec),
                timeout: seconds(k.keep_alive_timeout_sec),
                probes_max: u32::from(k.keep_alive_max_failed_probes),
            }),
            slow_limit: config.monitoring_options.as_ref().map(|m| SlowLimit {
                bytes_per_second: m.minimum_throughput_bytes_per_second,
                interval: Duration::from_secs(u64::from(
                    m.allowable_throughput_failure_interval_seconds,
                )),
            }),
            retry,
            signing: Some(signing),
            resolver: cache.map(|c| Arc::new(CacheResolver(c)) as _),
            pool: pool.foreign.then(|| Arc::new(CallerPool { pool: pool.c, client }) as _),
            on_request: Some(Arc::new(move |kind, begins| figures.count(kind, begins))),
            on_shutdown: Some(Box::new(move || ended.tell())),
        };
        if config.enable_read_backpressure && config.initial_read_window == 0 {
            log!(S3Client, Warn, client, "an initial read window of 0: downloads wait for more");
        }
        match Client::new(host, options) {
            Ok(engine) => {
                if let Some(core) = pool.own {
                    core.set_engine(engine.pool().clone());
                }
                let _ = (*place.as_ref().inner).engine.set(engine);
                Ok(client)
            }
            Err(e) => {
                drop(Box::from_raw(place.as_ref().inner));
                pool_release(pool.c);
                bootstrap_release(config.client_bootstrap);
                let _: Handle = mem::take(allocator, place);
                Err(e)
            }
        }
    }
}

fn aws_connections(h: &Handle) -> u32 {
    // SAFETY: set by `create` before this is called.
    let Some(inner) = (unsafe { h.inner.as_ref() }) else { return 0 };
    connections_of(inner, 0, None)
}

/// A client's pool.
struct MadePool {
    c: *mut aws_s3_buffer_pool,
    own: Option<Arc<default_pool::Core>>,
    foreign: bool,
    limit: usize,
}

/// The pool of a caller's factory, else our own.
///
/// # Safety
/// The allocator is live.
unsafe fn make_pool(
    allocator: *mut aws_allocator,
    config: &aws_s3_client_config,
    pool_config: aws_s3_buffer_pool_config,
) -> Result<MadePool> {
    let Some(factory) = config.buffer_pool_factory_fn else {
        let limit = default_pool::check_limits(&pool_config)?;
        let (c, core) = default_pool::create(allocator, &pool_config)?;
        return Ok(MadePool { c, own: Some(core), foreign: false, limit });
    };
    raise::set_last_error(0);
    // SAFETY: the caller's function with its own data.
    let c = unsafe { factory(allocator, pool_config, config.buffer_pool_user_data) };
    if c.is_null() {
        return Err(last_error_or(Code::S3_BUFFER_ALLOCATION_FAILED));
    }
    Ok(MadePool { c, own: None, foreign: true, limit: pool_config.memory_limit })
}

/// The last reference is gone: transfers under way hold one each, so there are none.
unsafe extern "C" fn last_reference(object: *mut c_void) {
    // SAFETY: the counter's object is the handle; the engine's end frees it.
    if let Some((_, inner)) = unsafe { view(object.cast()) }
        && let Some(engine) = inner.engine.get()
    {
        engine.clone().shut_down();
    }
}

/// The words that callers read of requests under way.
struct Figures(NonNull<Handle>);

// SAFETY: the words are atomic, and the handle outlives the engine, which has this.
unsafe impl Send for Figures {}
// SAFETY: as above.
unsafe impl Sync for Figures {}

impl Figures {
    fn count(&self, kind: Kind, begins: bool) {
        // SAFETY: the handle outlives the engine.
        let h = unsafe { self.0.as_ref() };
        let of_kind = match kind {
            Kind::Default => 0,
            Kind::Get => 1,
            Kind::Put => 2,
            Kind::Copy => 3,
        };
        for word in [&h.requests_in_flight, &h.requests_network_io[of_kind]] {
            match begins {
                true => word.fetch_add(1, Ordering::Relaxed),
                false => word.fetch_sub(1, Ordering::Relaxed),
            };
        }
    }
}

/// The engine's client has ended.
struct Ended(NonNull<Handle>);

// SAFETY: the handle is nobody else's any more when this is used.
unsafe impl Send for Ended {}

impl Ended {
    fn tell(self) {
        // SAFETY: the engine's last call; what C lent goes back before the callback.
        unsafe {
            let h = self.0.as_ref();
            let inner = *Box::from_raw(h.inner);
            let Inner { engine, signing, bootstrap, shutdown, shutdown_data, .. } = inner;
            drop(signing);
            if let Some(engine) = engine.into_inner() {
                wait_alone(&engine);
            }
            pool_release(h.buffer_pool);
            let allocator = h.allocator;
            let _: Handle = mem::take(allocator, self.0);
            bootstrap_release(bootstrap);
            if let Some(call) = shutdown {
                call(shutdown_data);
            }
        }
    }
}

/// Waits until the loop that closed last has let go of the engine's client, so that what it holds of
/// the caller's (retry strategy, credentials) is given back before the shutdown callback.
fn wait_alone(engine: &Arc<Client>) {
    const PATIENCE: u32 = 20_000;
    for _ in 0..PATIENCE {
        if Arc::strong_count(engine) == 1 {
            return;
        }
        std::thread::sleep(Duration::from_micros(50));
    }
    log!(S3Client, Error, 0, "the client's engine is still in use at its end");
}

fn connections_of(
    inner: &Inner,
    meta_max: u32,
    meta_file_io: Option<aws_s3_file_io_options>,
) -> u32 {
    let mut most = inner.connections_ideal;
    if inner.connections_max > 0 {
        most = most.min(inner.connections_max);
    }
    if meta_max > 0 {
        most = most.min(meta_max);
    }
    let streaming = [meta_file_io, inner.file_io]
        .into_iter()
        .flatten()
        .find(|f| f.should_stream && f.disk_throughput_gbps > 0.0);
    match streaming {
        Some(f) => most.min(connections_for(f.disk_throughput_gbps)),
        None => most,
    }
}

/// Creates a client.
///
/// `allocator`: required, outlives the client. `client_config`: required, copied; what it names is
/// acquired. Returns a client with one reference. NULL with AWS_ERROR_INVALID_ARGUMENT (bootstrap,
/// signing config or credentials missing, handles of another AWS library, a bad environment
/// variable), AWS_ERROR_S3_INVALID_MEMORY_LIMIT_CONFIG,
/// AWS_ERROR_S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT, AWS_ERROR_OOM, or the error of the pool's factory;
/// no shutdown callback comes then. Any thread.
///
/// # Safety
/// Both are NULL or live, and so is what the options point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_client_new(
    allocator: *mut aws_allocator,
    client_config: *const aws_s3_client_config,
) -> *mut aws_s3_client {
    ffi_fn!({
        if allocator.is_null() {
            return raise::raise_null(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the contract.
        let config = unsafe { arg!(client_config) };
        // SAFETY: by the contract.
        ok!(unsafe { create(allocator, config) })
    })
}

/// Adds a reference and returns `client`. Any thread.
///
/// # Safety
/// `client` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_client_acquire(client: *mut aws_s3_client) -> *mut aws_s3_client {
    ffi_fn!({
        if client.is_null() {
            raise::raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the contract.
        unsafe { acquire(client) };
        client
    })
}

/// Gives up a reference. With the last one, and when every transfer has ended and been released,
/// the client ends by itself and calls its shutdown callback. NULL is nothing. Returns NULL at once.
/// Any thread, callbacks included.
///
/// # Safety
/// `client` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_client_release(client: *mut aws_s3_client) -> *mut aws_s3_client {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { release(client) };
        ptr::null_mut()
    })
}

/// Most connections that the client uses at a time, or with a meta request, that this transfer uses.
/// 0 with AWS_ERROR_INVALID_ARGUMENT for no client. Any thread.
///
/// # Safety
/// `client` is NULL or live, `meta_request` too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_client_get_max_active_connections(
    client: *mut aws_s3_client,
    meta_request: *mut aws_s3_meta_request,
) -> u32 {
    ffi_fn!({
        // SAFETY: by the contract.
        let Some((_, inner)) = (unsafe { view(client) }) else {
            return raise::fail(Code::INVALID_ARGUMENT);
        };
        // SAFETY: by the contract.
        let (most, file_io) = unsafe { meta_request::limits(meta_request) }.unwrap_or((0, None));
        connections_of(inner, most, file_io)
    })
}

/// Sets signing options for S3: AWS Signature Version 4, unsigned payload, the given region and
/// provider. `region` and `credentials_provider` are borrowed: they must live as long as the options
/// are used. Any thread.
///
/// # Safety
/// `signing_config` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_init_default_signing_config(
    signing_config: *mut aws_signing_config_aws,
    region: aws_byte_cursor,
    credentials_provider: *mut aws_credentials_provider,
) {
    ffi_fn!({
        if signing_config.is_null() {
            raise::raise(Code::INVALID_ARGUMENT);
            return;
        }
        // SAFETY: by the contract; zeros are a value of every field.
        unsafe {
            signing_config.write(std::mem::zeroed());
            let c = &mut *signing_config;
            c.config_type.write(aws_signing_config_type::AWS_SIGNING_CONFIG_AWS);
            c.algorithm.write(aws_signing_algorithm::AWS_SIGNING_ALGORITHM_V4);
            c.credentials_provider = credentials_provider;
            c.region = region;
            c.service = cursor_of(b"s3");
            c.signed_body_header.write(aws_signed_body_header_type::AWS_SBHT_X_AMZ_CONTENT_SHA256);
            c.signed_body_value = cursor_of(b"UNSIGNED-PAYLOAD");
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_follow_the_throughput() {
        assert_eq!(connections_for(100.0), 250);
        assert_eq!(connections_for(0.1), 1);
        assert_eq!(connections_for(1e9), 10_000);
    }

    #[test]
    fn missing_options_are_refused_by_name() {
        // SAFETY: zeroed options are a valid state of the struct.
        unsafe {
            let config: aws_s3_client_config = std::mem::zeroed();
            let allocator = crate::ctypes::default_allocator();
            assert!(aws_s3_client_new(allocator, &config).is_null());
            assert_eq!(raise::last_error(), Code::INVALID_ARGUMENT.0);
            assert!(aws_s3_client_new(allocator, ptr::null()).is_null());
            assert!(aws_s3_client_new(ptr::null_mut(), &config).is_null());
            assert!(aws_s3_client_release(ptr::null_mut()).is_null());
            assert_eq!(
                aws_s3_client_get_max_active_connections(ptr::null_mut(), ptr::null_mut()),
                0
            );
        }
    }

    #[test]
    fn default_signing_is_for_s3_with_unsigned_payload() {
        // SAFETY: the options are written before they are read.
        unsafe {
            let mut config = std::mem::MaybeUninit::<aws_signing_config_aws>::uninit();
            let region = cursor_of(b"eu-west-1");
            aws_s3_init_default_signing_config(config.as_mut_ptr(), region, ptr::null_mut());
            let config = config.assume_init();
            assert_eq!(mem::cursor_bytes(config.service), Ok(&b"s3"[..]));
            assert_eq!(mem::cursor_bytes(config.region), Ok(&b"eu-west-1"[..]));
            assert_eq!(mem::cursor_bytes(config.signed_body_value), Ok(&b"UNSIGNED-PAYLOAD"[..]));
            assert_eq!(config.expiration_in_seconds, 0);
        }
    }
}
