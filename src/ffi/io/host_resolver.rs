//! Header `aws/io/host_resolver.h`: host names to addresses, with a cache.
//!
//! [`HostCache`] is what a resolver is: it asks the system on threads of its own, never on a loop,
//! asks once for any number of callers who wait for the same name, and keeps answers for a while.
//! Its end (memory back, then the shutdown callback) comes when the last reference of C and the last
//! look-up are gone.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::net::{IpAddr, SocketAddr};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::base::sync::Mutex;

use crate::base::{Code, Done, Duration, Error, Instant, Result};
use crate::ctypes::{
    aws_allocator, aws_array_list, aws_atomic_var, aws_ref_count, aws_shutdown_callback_options,
    aws_simple_completion_callback, aws_string,
};
use crate::ffi::handle::bytes;
use crate::ffi::io::event_loop::{self, aws_event_loop_group};
use crate::ffi::io::io::aws_io_clock_fn;
use crate::ffi::place::{ref_acquire, ref_release};
use crate::ffi::raise::{AWS_OP_SUCCESS, fail, raise, unimplemented};
use crate::log;
use crate::sys::{self, clock, thread};

/// Family of a resolved address.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_address_record_type {
    AWS_ADDRESS_RECORD_TYPE_A = 0,
    AWS_ADDRESS_RECORD_TYPE_AAAA = 1,
}

/// Which record types aws_host_resolver_get_host_address_count() counts; may be joined with `|`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_get_host_address_flags {
    AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_A = 1,
    AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_AAAA = 2,
}

/// One resolved address of a host.
#[repr(C)]
pub struct aws_host_address {
    pub allocator: *mut aws_allocator,
    /// The name that was asked for.
    pub host: *const aws_string,
    /// The address as text.
    pub address: *const aws_string,
    pub record_type: MaybeUninit<aws_address_record_type>,
    /// Nanoseconds of the system clock after which the record is stale.
    pub expiry: u64,
    /// How many connections were made to it.
    pub use_count: usize,
    /// How many of them failed.
    pub connection_failure_count: usize,
    /// Unused; 0.
    pub weight: u8,
}

/// A host name was resolved, or not. Runs on a resolver thread or inside the call that asked.
/// `host_addresses` holds aws_host_address and, like `host_name`, is valid during the call; NULL when
/// `err_code` is not 0.
pub type aws_on_host_resolved_result_fn = Option<
    unsafe extern "C" fn(
        resolver: *mut aws_host_resolver,
        host_name: *const aws_string,
        err_code: c_int,
        host_addresses: *const aws_array_list,
        user_data: *mut c_void,
    ),
>;

/// Resolves a name, blocking. Runs on a resolver thread. Appends aws_host_address values to
/// `output_addresses`; returns AWS_OP_SUCCESS, or AWS_OP_ERR with an error raised.
pub type aws_resolve_host_implementation_fn = Option<
    unsafe extern "C" fn(
        allocator: *mut aws_allocator,
        host_name: *const aws_string,
        output_addresses: *mut aws_array_list,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// How a name is resolved.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_host_resolution_config {
    /// Optional. NULL: the system's resolver.
    pub r#impl: aws_resolve_host_implementation_fn,
    /// Seconds a record is kept.
    pub max_ttl: usize,
    /// Given to `impl`.
    pub impl_data: *mut c_void,
    /// Nanoseconds between background look-ups of a name in use; 0 means one second.
    pub resolve_frequency_ns: u64,
}

/// Options of purging one host from the cache.
#[repr(C)]
pub struct aws_host_resolver_purge_host_options {
    pub host: *const aws_string,
    pub on_host_purge_complete_callback: aws_simple_completion_callback,
    pub user_data: *mut c_void,
}

/// What a host resolver does. Callers may implement one.
#[repr(C)]
pub struct aws_host_resolver_vtable {
    pub destroy: Option<unsafe extern "C" fn(resolver: *mut aws_host_resolver)>,
    pub resolve_host: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            host_name: *const aws_string,
            res: aws_on_host_resolved_result_fn,
            config: *const aws_host_resolution_config,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    pub record_connection_failure: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            address: *const aws_host_address,
        ) -> c_int,
    >,
    pub purge_cache: Option<unsafe extern "C" fn(resolver: *mut aws_host_resolver) -> c_int>,
    pub purge_cache_with_callback: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            on_purge_cache_complete_callback: aws_simple_completion_callback,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    pub purge_host_cache: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            options: *const aws_host_resolver_purge_host_options,
        ) -> c_int,
    >,
    pub get_host_address_count: Option<
        unsafe extern "C" fn(
            resolver: *mut aws_host_resolver,
            host_name: *const aws_string,
            flags: u32,
        ) -> usize,
    >,
}

/// A host resolver. The library calls through `vtable`, so that a caller may bring its own.
#[repr(C)]
pub struct aws_host_resolver {
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
    pub vtable: *mut aws_host_resolver_vtable,
    pub ref_count: aws_ref_count,
    pub shutdown_options: aws_shutdown_callback_options,
}

/// Options of aws_host_resolver_new_default().
#[repr(C)]
pub struct aws_host_resolver_default_options {
    /// Names kept in the cache; required, not 0.
    pub max_entries: usize,
    /// Required. The resolver keeps a reference.
    pub el_group: *mut aws_event_loop_group,
    /// Optional; copied. Called once, when the resolver and its threads are gone.
    pub shutdown_options: *const aws_shutdown_callback_options,
    /// Optional. Clock for the age of records (tests).
    pub system_clock_override_fn: aws_io_clock_fn,
}

/// Seconds an answer is kept where nobody says otherwise.
pub const TTL_DEFAULT_SECS: u64 = 30;

/// The cache behind a resolver. Shared by its handle and by look-ups under way.
pub struct HostCache {
    log_id: usize,
    entries_max: usize,
    hosts: Mutex<HashMap<String, Host>>,
    /// What happens when nobody uses the cache any more.
    _end: End,
}

#[derive(Default)]
struct Host {
    addresses: Vec<IpAddr>,
    fresh_until: Instant,
    used: Instant,
    /// Who waits for the look-up under way; `None` when there is none.
    waiting: Option<Vec<(u16, Done<Vec<SocketAddr>>)>>,
}

impl HostCache {
    /// Calls `done` with the host's addresses: at once when they are known or literal, else from a
    /// look-up thread.
    pub fn resolve(self: &Arc<Self>, host: &str, port: u16, done: Done<Vec<SocketAddr>>) {
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        if let Ok(ip) = bare.parse::<IpAddr>() {
            return done(Ok(vec![SocketAddr::new(ip, port)]));
        }
        let now = clock::now();
        let mut hosts = self.hosts.lock();
        if !hosts.contains_key(bare) {
            self.make_room(&mut hosts);
        }
        let entry = hosts.entry(bare.to_owned()).or_default();
        entry.used = now;
        if entry.fresh_until > now && !entry.addresses.is_empty() {
            let known = with_port(&entry.addresses, port);
            drop(hosts);
            return done(Ok(known));
        }
        if let Some(waiting) = &mut entry.waiting {
            waiting.push((port, done));
            return;
        }
        entry.waiting = Some(vec![(port, done)]);
        drop(hosts);
        let lookup = Lookup { cache: Some(self.clone()), host: bare.to_owned() };
        let options = thread::Options { name: "AwsHostResolver".to_owned(), ..Default::default() };
        if let Err(error) = thread::launch_managed(&options, Box::new(lookup)) {
            self.answer(bare, Err(error));
        }
    }

    /// Notes addresses that somebody else looked up.
    pub fn record(&self, host: &str, addresses: &[IpAddr]) {
        let mut hosts = self.hosts.lock();
        if !hosts.contains_key(host) {
            self.make_room(&mut hosts);
        }
        let entry = hosts.entry(host.to_owned()).or_default();
        entry.addresses = addresses.to_vec();
        entry.used = clock::now();
        entry.fresh_until = entry.used.after(Duration::from_secs(TTL_DEFAULT_SECS));
    }

    /// How many IPv4 and IPv6 addresses of the host are known.
    pub fn count(&self, host: &str) -> (usize, usize) {
        let hosts = self.hosts.lock();
        let known = hosts.get(host).map_or(&[][..], |h| &h.addresses[..]);
        let v4 = known.iter().filter(|a| a.is_ipv4()).count();
        (v4, known.len() - v4)
    }

    /// Forgets all answers.
    pub fn purge(&self) {
        self.hosts.lock().retain(|_, host| {
            host.addresses.clear();
            host.waiting.is_some()
        });
    }

    /// Forgets the least recently used name that nobody waits for when the cache is full.
    fn make_room(&self, hosts: &mut HashMap<String, Host>) {
        if hosts.len() < self.entries_max {
            return;
        }
        let idle = hosts.iter().filter(|(_, h)| h.waiting.is_none());
        let oldest = idle.min_by_key(|(_, h)| h.used).map(|(name, _)| name.clone());
        if let Some(oldest) = oldest {
            hosts.remove(&oldest);
        }
    }

    /// Keeps the answer and tells everybody who waits, with no lock held.
    fn answer(&self, host: &str, found: Result<Vec<IpAddr>>) {
        let mut hosts = self.hosts.lock();
        let Some(entry) = hosts.get_mut(host) else { return };
        let waiting = entry.waiting.take().unwrap_or_default();
        if let Ok(found) = &found {
            entry.addresses.clone_from(found);
            entry.fresh_until = clock::now().after(Duration::from_secs(TTL_DEFAULT_SECS));
        } else if entry.addresses.is_empty() {
            hosts.remove(host);
        }
        drop(hosts);
        for (port, done) in waiting {
            done(found.as_ref().map(|a| with_port(a, port)).map_err(|e| *e));
        }
    }
}

fn with_port(addresses: &[IpAddr], port: u16) -> Vec<SocketAddr> {
    addresses.iter().map(|a| SocketAddr::new(*a, port)).collect()
}

/// One question to the system's resolver.
struct Lookup {
    cache: Option<Arc<HostCache>>,
    host: String,
}

impl thread::Body for Lookup {
    fn run(&mut self) {
        let Some(cache) = self.cache.take() else { return };
        let found = sys::resolve(&self.host, 0);
        if let Err(error) = &found {
            log!(Dns, Error, cache.log_id, "{} was not resolved: {error}", self.host);
        }
        cache.answer(&self.host, found.map(|all| all.iter().map(SocketAddr::ip).collect()));
    }
}

/// Gives the memory and the reference to the group back, and tells the creator: once, at last.
struct End {
    allocator: *mut aws_allocator,
    block: *mut c_void,
    group: *mut aws_event_loop_group,
    shutdown: Option<aws_shutdown_callback_options>,
}

// SAFETY: an allocator, a counted group and a callback may be used on any thread.
unsafe impl Send for End {}
// SAFETY: as above; only `drop` uses them.
unsafe impl Sync for End {}

impl Drop for End {
    fn drop(&mut self) {
        // SAFETY: the reference to the group is ours; the block is not used any more; the callback
        // is called once, with the creator's data.
        unsafe {
            event_loop::group_release(self.group);
            aws_allocator::release(self.allocator, self.block);
            if let Some(told) = self.shutdown
                && let Some(tell) = told.shutdown_callback_fn
            {
                tell(told.shutdown_callback_user_data);
            }
        }
    }
}

/// What an `aws_host_resolver` of ours stands at the head of.
#[repr(C)]
struct Own {
    base: aws_host_resolver,
    cache: Arc<HostCache>,
}

/// The table of our resolvers; its address tells them from others.
struct Table(aws_host_resolver_vtable);

// SAFETY: function pointers that never change.
unsafe impl Sync for Table {}

static OWN_VTABLE: Table = Table(aws_host_resolver_vtable {
    destroy: Some(own_destroy),
    resolve_host: Some(own_resolve),
    record_connection_failure: Some(own_record_failure),
    purge_cache: Some(own_purge),
    purge_cache_with_callback: Some(own_purge_then),
    purge_host_cache: Some(own_purge_host),
    get_host_address_count: Some(own_count),
});

unsafe fn resolver_new(
    allocator: *mut aws_allocator,
    options: &aws_host_resolver_default_options,
) -> Result<*mut aws_host_resolver> {
    if options.max_entries == 0 {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: the exports' contract: pointers are NULL or live. The group's reference and the block
    // belong to `End` from its making on, so that an early return gives them back.
    unsafe {
        event_loop::reactor_of(options.el_group)?;
        let made: NonNull<Own> = aws_allocator::acquire(allocator, size_of::<Own>())?.cast();
        event_loop::group_acquire(options.el_group);
        let none = aws_shutdown_callback_options {
            shutdown_callback_fn: None,
            shutdown_callback_user_data: std::ptr::null_mut(),
        };
        let shutdown = options.shutdown_options.as_ref().copied();
        let block: *mut c_void = made.as_ptr().cast();
        let cache = Arc::new(HostCache {
            log_id: block.addr(),
            entries_max: options.max_entries,
            hosts: Mutex::default(),
            _end: End { allocator, block, group: options.el_group, shutdown },
        });
        let base = aws_host_resolver {
            allocator,
            r#impl: block,
            vtable: (&raw const OWN_VTABLE.0).cast_mut(),
            ref_count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: block,
                on_zero_fn: Some(own_end),
            },
            shutdown_options: shutdown.unwrap_or(none),
        };
        made.write(Own { base, cache });
        Ok(made.as_ptr().cast())
    }
}

unsafe extern "C" fn own_end(object: *mut c_void) {
    // SAFETY: called once, with what `resolver_new` made; the cache frees the block at its end.
    drop(unsafe { std::ptr::read(&raw const (*object.cast::<Own>()).cache) });
}

/// The cache behind a resolver of ours; NULL and others are AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `resolver` is NULL or live.
pub unsafe fn cache_of(resolver: *const aws_host_resolver) -> Result<Arc<HostCache>> {
    // SAFETY: by the contract; the vtable's address says that the resolver is ours.
    unsafe {
        let Some(base) = resolver.as_ref() else { return Err(Error::new(Code::INVALID_ARGUMENT)) };
        if !std::ptr::eq(base.vtable, &raw const OWN_VTABLE.0) {
            log!(
                Dns,
                Error,
                resolver.addr(),
                "this is no host resolver of libs3fast; handles of two libraries must not be mixed"
            );
            return Err(Error::new(Code::INVALID_ARGUMENT));
        }
        Ok((*resolver.cast::<Own>()).cache.clone())
    }
}

/// One more reference. NULL does nothing.
///
/// # Safety
/// `resolver` is NULL or live.
pub unsafe fn resolver_acquire(resolver: *const aws_host_resolver) {
    if !resolver.is_null() {
        // SAFETY: by the contract.
        unsafe { ref_acquire(&raw const (*resolver).ref_count) };
    }
}

/// One reference less; the last one begins the resolver's end. NULL does nothing.
///
/// # Safety
/// `resolver` is NULL or live; the caller gives its reference up.
pub unsafe fn resolver_release(resolver: *const aws_host_resolver) {
    if !resolver.is_null() {
        // SAFETY: by the contract.
        unsafe { ref_release(&raw const (*resolver).ref_count) };
    }
}

unsafe fn own<'a>(resolver: *mut aws_host_resolver) -> &'a HostCache {
    // SAFETY: only called through the vtable of our resolvers, which are live then.
    unsafe { &(*resolver.cast::<Own>()).cache }
}

unsafe extern "C" fn own_destroy(resolver: *mut aws_host_resolver) {
    // SAFETY: called through the vtable, by whoever gave the last reference up.
    unsafe { own_end(resolver.cast()) };
}

unsafe extern "C" fn own_resolve(
    _resolver: *mut aws_host_resolver,
    _host_name: *const aws_string,
    _res: aws_on_host_resolved_result_fn,
    _config: *const aws_host_resolution_config,
    _user_data: *mut c_void,
) -> c_int {
    unimplemented("resolve_host of aws_host_resolver_vtable")
}

unsafe extern "C" fn own_record_failure(
    _resolver: *mut aws_host_resolver,
    _address: *const aws_host_address,
) -> c_int {
    unimplemented("record_connection_failure of aws_host_resolver_vtable")
}

unsafe extern "C" fn own_purge(resolver: *mut aws_host_resolver) -> c_int {
    // SAFETY: called through the vtable of a live resolver.
    unsafe { own(resolver) }.purge();
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_purge_then(
    resolver: *mut aws_host_resolver,
    on_purge_cache_complete_callback: aws_simple_completion_callback,
    user_data: *mut c_void,
) -> c_int {
    // SAFETY: called through the vtable of a live resolver, with the caller's callback.
    unsafe {
        own(resolver).purge();
        if let Some(tell) = on_purge_cache_complete_callback {
            tell(user_data);
        }
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_purge_host(
    resolver: *mut aws_host_resolver,
    options: *const aws_host_resolver_purge_host_options,
) -> c_int {
    // SAFETY: called through the vtable of a live resolver, with the caller's options.
    unsafe {
        let Some(options) = options.as_ref() else { return raise(Code::INVALID_ARGUMENT) };
        let Some(name) = name_of(options.host) else { return raise(Code::INVALID_ARGUMENT) };
        if let Some(host) = own(resolver).hosts.lock().get_mut(name) {
            host.addresses.clear();
        }
        if let Some(tell) = options.on_host_purge_complete_callback {
            tell(options.user_data);
        }
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_count(
    resolver: *mut aws_host_resolver,
    host_name: *const aws_string,
    flags: u32,
) -> usize {
    // SAFETY: called through the vtable of a live resolver, with the caller's string.
    let (v4, v6) = unsafe {
        let Some(name) = name_of(host_name) else { return 0 };
        own(resolver).count(name)
    };
    let wants = |flag: aws_get_host_address_flags| flags & flag as u32 != 0;
    let a = wants(aws_get_host_address_flags::AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_A);
    let aaaa = wants(aws_get_host_address_flags::AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_AAAA);
    (if a { v4 } else { 0 }) + (if aaaa { v6 } else { 0 })
}

/// # Safety
/// `name` is NULL or a live string for `'a`.
unsafe fn name_of<'a>(name: *const aws_string) -> Option<&'a str> {
    // SAFETY: by the contract; the bytes of a string follow its head.
    let name = unsafe {
        let at = name.as_ref()?;
        bytes((&raw const (*name).bytes).cast(), at.len)?
    };
    std::str::from_utf8(name).ok()
}

/// A resolver over the system's, with a cache.
///
/// `allocator`: required; outlives the resolver's shutdown. `options`: required, read during the call.
/// Returns a resolver with one reference, to be given back with aws_host_resolver_release(); NULL with
/// AWS_ERROR_INVALID_ARGUMENT (also for another library's event-loop group) or AWS_ERROR_OOM. Any
/// thread. The shutdown callback runs on a look-up thread or inside the last release.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_host_resolver_new_default(
    allocator: *mut aws_allocator,
    options: *const aws_host_resolver_default_options,
) -> *mut aws_host_resolver {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            ok!(resolver_new(allocator, options))
        }
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_host_resolver_acquire(
    resolver: *mut aws_host_resolver,
) -> *mut aws_host_resolver {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { resolver_acquire(resolver) };
        resolver
    })
}

/// Gives one reference back. The last one ends the resolver: its shutdown callback comes after the
/// look-ups under way, at once where there are none. NULL does nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_host_resolver_release(resolver: *mut aws_host_resolver) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { resolver_release(resolver) };
    })
}

/// How many addresses of a host are in the cache.
///
/// `host_name`: required. `flags`: AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_A,
/// AWS_GET_HOST_ADDRESS_COUNT_RECORD_TYPE_AAAA or both. NULL: 0 with AWS_ERROR_INVALID_ARGUMENT. Any
/// thread; goes through the resolver's vtable.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_host_resolver_get_host_address_count(
    resolver: *mut aws_host_resolver,
    host_name: *const aws_string,
    flags: u32,
) -> usize {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            let (resolver_ref, _) = (arg!(resolver), arg!(host_name));
            match resolver_ref.vtable.as_ref().and_then(|t| t.get_host_address_count) {
                Some(count) => count(resolver, host_name, flags),
                None => fail(Code::INVALID_ARGUMENT),
            }
        }
    })
}

#[cfg(test)]
mod tests;
