use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::ffi::io::event_loop::{aws_event_loop_group_new_default, aws_event_loop_group_release};
use crate::ffi::io::host_resolver::{
    aws_host_resolver_default_options, aws_host_resolver_new_default, aws_host_resolver_release,
};
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::last_error;

unsafe extern "C" fn count_up(user_data: *mut c_void) {
    // SAFETY: the counter of the test.
    unsafe { &*user_data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn bootstrap_keeps_its_parts_alive_and_ends_once() {
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    // SAFETY: live objects, each reference given back once.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null());
        let resolver_options = aws_host_resolver_default_options {
            max_entries: 1,
            el_group: group,
            shutdown_options: std::ptr::null(),
            system_clock_override_fn: None,
        };
        let resolver = aws_host_resolver_new_default(memory.get(), &resolver_options);
        let options = aws_client_bootstrap_options {
            event_loop_group: group,
            host_resolver: resolver,
            host_resolution_config: std::ptr::null(),
            on_shutdown_complete: Some(count_up),
            user_data: (&raw const ends).cast_mut().cast(),
        };
        let bootstrap = aws_client_bootstrap_new(memory.get(), &options);
        aws_host_resolver_release(resolver);
        aws_event_loop_group_release(group);
        assert_eq!((*bootstrap).event_loop_group, group);
        assert_eq!((*bootstrap).host_resolver_config.max_ttl, 30);
        let (reactor, cache) = parts_of(bootstrap).expect("ours");
        assert_eq!(reactor.loops().len(), 1);
        assert!(cache.is_some());
        drop((reactor, cache));
        assert_eq!(aws_client_bootstrap_acquire(bootstrap), bootstrap);
        aws_client_bootstrap_release(bootstrap);
        assert_eq!(ends.load(Ordering::SeqCst), 0);
        aws_client_bootstrap_release(bootstrap);
    }
    assert_eq!(ends.load(Ordering::SeqCst), 1);
    let wait = crate::base::Duration::from_secs(20);
    assert!(crate::sys::thread::join_managed(Some(wait)));
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_and_strange_parts_are_refused() {
    let memory = Counting::new();
    let stranger = [0u64; 16];
    // SAFETY: NULL, live or at least readable objects.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null());
        let mut options = aws_client_bootstrap_options {
            event_loop_group: stranger.as_ptr().cast_mut().cast(),
            host_resolver: null_mut(),
            host_resolution_config: std::ptr::null(),
            on_shutdown_complete: None,
            user_data: null_mut(),
        };
        assert!(aws_client_bootstrap_new(memory.get(), std::ptr::null()).is_null());
        assert!(aws_client_bootstrap_new(memory.get(), &options).is_null());
        options.event_loop_group = null_mut();
        assert!(aws_client_bootstrap_new(memory.get(), &options).is_null());
        options.event_loop_group = group;
        options.host_resolver = stranger.as_ptr().cast_mut().cast();
        assert!(aws_client_bootstrap_new(memory.get(), &options).is_null());
        options.host_resolver = null_mut();
        assert!(aws_client_bootstrap_new(null_mut(), &options).is_null());
        assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
        memory.fail_in.store(0, Ordering::SeqCst);
        assert!(aws_client_bootstrap_new(memory.get(), &options).is_null());
        assert_eq!(last_error(), Code::OOM.0);
        let bootstrap = aws_client_bootstrap_new(memory.get(), &options);
        assert!(parts_of(bootstrap).expect("ours").1.is_none());
        aws_client_bootstrap_release(bootstrap);
        aws_client_bootstrap_release(null_mut());
        assert!(aws_client_bootstrap_acquire(null_mut()).is_null());
        assert!(parts_of(null_mut()).is_err());
        aws_event_loop_group_release(group);
    }
    let wait = crate::base::Duration::from_secs(20);
    assert!(crate::sys::thread::join_managed(Some(wait)));
    assert_eq!(memory.live(), 0);
}
