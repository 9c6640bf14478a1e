//! Header `aws/io/channel_bootstrap.h`: the client bootstrap, a pair of an event-loop group and a host
//! resolver.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_buf, aws_ref_count};
use crate::ffi::io::channel::{aws_channel_handler, aws_channel_slot};
use crate::ffi::io::event_loop::{self, aws_event_loop_group};
use crate::ffi::io::host_resolver::{
    self, HostCache, TTL_DEFAULT_SECS, aws_host_resolution_config, aws_host_resolver,
};
use crate::ffi::place::{ref_acquire, ref_release};
use crate::reactor::Group;

/// Picks the handler for a negotiated ALPN protocol. Event-loop thread; `protocol` is valid during the
/// call; returns a handler or NULL.
pub type aws_channel_on_protocol_negotiated_fn = Option<
    unsafe extern "C" fn(
        new_slot: *mut aws_channel_slot,
        protocol: *mut aws_byte_buf,
        user_data: *mut c_void,
    ) -> *mut aws_channel_handler,
>;

/// A bootstrap is gone. Called once, from whichever thread gave up the last reference.
pub type aws_client_bootstrap_shutdown_complete_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// What a client needs to make connections: an event-loop group and a host resolver. Callers read
/// `event_loop_group`; everything else is the library's.
#[repr(C)]
pub struct aws_client_bootstrap {
    pub allocator: *mut aws_allocator,
    pub event_loop_group: *mut aws_event_loop_group,
    pub host_resolver: *mut aws_host_resolver,
    pub host_resolver_config: aws_host_resolution_config,
    pub on_protocol_negotiated: aws_channel_on_protocol_negotiated_fn,
    pub ref_count: aws_ref_count,
    pub on_shutdown_complete: aws_client_bootstrap_shutdown_complete_fn,
    pub user_data: *mut c_void,
}

/// Options of aws_client_bootstrap_new().
#[repr(C)]
pub struct aws_client_bootstrap_options {
    /// Required. The bootstrap keeps a reference.
    pub event_loop_group: *mut aws_event_loop_group,
    /// The bootstrap keeps a reference. May be NULL: names are then looked up without a cache of the
    /// caller's.
    pub host_resolver: *mut aws_host_resolver,
    /// Optional; copied. NULL: the resolver's defaults (30 s time to live).
    pub host_resolution_config: *const aws_host_resolution_config,
    /// Optional. Called when the bootstrap is gone.
    pub on_shutdown_complete: aws_client_bootstrap_shutdown_complete_fn,
    pub user_data: *mut c_void,
}

unsafe fn bootstrap_new(
    allocator: *mut aws_allocator,
    options: &aws_client_bootstrap_options,
) -> Result<*mut aws_client_bootstrap> {
    let config = aws_host_resolution_config {
        r#impl: None,
        max_ttl: TTL_DEFAULT_SECS as usize,
        impl_data: std::ptr::null_mut(),
        resolve_frequency_ns: 1_000_000_000,
    };
    // SAFETY: the exports' contract: pointers are NULL or live; the block is fresh.
    unsafe {
        event_loop::reactor_of(options.event_loop_group)?;
        if !options.host_resolver.is_null() {
            host_resolver::cache_of(options.host_resolver)?;
        }
        let size = size_of::<aws_client_bootstrap>();
        let made: NonNull<aws_client_bootstrap> = aws_allocator::acquire(allocator, size)?.cast();
        event_loop::group_acquire(options.event_loop_group);
        host_resolver::resolver_acquire(options.host_resolver);
        made.write(aws_client_bootstrap {
            allocator,
            event_loop_group: options.event_loop_group,
            host_resolver: options.host_resolver,
            host_resolver_config: options
                .host_resolution_config
                .as_ref()
                .copied()
                .unwrap_or(config),
            on_protocol_negotiated: None,
            ref_count: aws_ref_count {
                ref_count: aws_atomic_var::new(1),
                object: made.as_ptr().cast(),
                on_zero_fn: Some(bootstrap_end),
            },
            on_shutdown_complete: options.on_shutdown_complete,
            user_data: options.user_data,
        });
        Ok(made.as_ptr())
    }
}

unsafe extern "C" fn bootstrap_end(object: *mut c_void) {
    // SAFETY: called once, with what `bootstrap_new` made; its references are given back, its block
    // goes, and its creator is told last.
    unsafe {
        let bootstrap = object.cast::<aws_client_bootstrap>().read();
        host_resolver::resolver_release(bootstrap.host_resolver);
        event_loop::group_release(bootstrap.event_loop_group);
        aws_allocator::release(bootstrap.allocator, object);
        if let Some(tell) = bootstrap.on_shutdown_complete {
            tell(bootstrap.user_data);
        }
    }
}

/// One more reference. NULL does nothing.
///
/// # Safety
/// `bootstrap` is NULL or live.
pub unsafe fn bootstrap_acquire(bootstrap: *const aws_client_bootstrap) {
    if !bootstrap.is_null() {
        // SAFETY: by the contract.
        unsafe { ref_acquire(&raw const (*bootstrap).ref_count) };
    }
}

/// One reference less. NULL does nothing.
///
/// # Safety
/// `bootstrap` is NULL or live; the caller gives its reference up.
pub unsafe fn bootstrap_release(bootstrap: *const aws_client_bootstrap) {
    if !bootstrap.is_null() {
        // SAFETY: by the contract.
        unsafe { ref_release(&raw const (*bootstrap).ref_count) };
    }
}

/// The reactor and the cache behind a bootstrap. NULL, and a bootstrap over another library's
/// event-loop group or resolver, are AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `bootstrap` is NULL or live.
pub unsafe fn parts_of(
    bootstrap: *const aws_client_bootstrap,
) -> Result<(Group, Option<Arc<HostCache>>)> {
    // SAFETY: by the contract; the group's tag word says whose it is.
    unsafe {
        let b = bootstrap.as_ref().ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        let group = event_loop::reactor_of(b.event_loop_group)?;
        let cache = match b.host_resolver.is_null() {
            true => None,
            false => Some(host_resolver::cache_of(b.host_resolver)?),
        };
        Ok((group, cache))
    }
}

/// A bootstrap over an event-loop group and a host resolver.
///
/// `allocator`: required; outlives the bootstrap's shutdown. `options`: required, read during the call.
/// Returns a bootstrap with one reference, to be given back with aws_client_bootstrap_release(); NULL
/// with AWS_ERROR_INVALID_ARGUMENT (also for handles of another library) or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_client_bootstrap_new(
    allocator: *mut aws_allocator,
    options: *const aws_client_bootstrap_options,
) -> *mut aws_client_bootstrap {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let options = arg!(options);
            ok!(bootstrap_new(allocator, options))
        }
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_client_bootstrap_acquire(
    bootstrap: *mut aws_client_bootstrap,
) -> *mut aws_client_bootstrap {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { bootstrap_acquire(bootstrap) };
        bootstrap
    })
}

/// Gives one reference back. The last one gives the references to the event-loop group and the
/// resolver back and calls `on_shutdown_complete` before this returns. NULL does nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_client_bootstrap_release(bootstrap: *mut aws_client_bootstrap) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { bootstrap_release(bootstrap) };
    })
}

#[cfg(test)]
mod tests;
