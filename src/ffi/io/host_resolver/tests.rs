use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::*;
use crate::ffi::io::event_loop::{aws_event_loop_group_new_default, aws_event_loop_group_release};
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::last_error;

unsafe extern "C" fn count_up(user_data: *mut c_void) {
    // SAFETY: the counter of the test.
    unsafe { &*user_data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

fn string(text: &str) -> Vec<u64> {
    let mut block = vec![0u64; 3 + text.len() / 8 + 1];
    block[1] = text.len() as u64;
    // SAFETY: the block is large enough for the text behind the two words.
    unsafe {
        let at = block.as_mut_ptr().cast::<u8>().add(16);
        at.copy_from_nonoverlapping(text.as_ptr(), text.len());
    }
    block
}

#[test]
fn resolver_answers_from_its_cache_and_ends_once() {
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    let shutdown = aws_shutdown_callback_options {
        shutdown_callback_fn: Some(count_up),
        shutdown_callback_user_data: (&raw const ends).cast_mut().cast(),
    };
    // SAFETY: live objects, released once.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null());
        let options = aws_host_resolver_default_options {
            max_entries: 2,
            el_group: group,
            shutdown_options: &shutdown,
            system_clock_override_fn: None,
        };
        let resolver = aws_host_resolver_new_default(memory.get(), &options);
        let cache = cache_of(resolver).expect("ours");
        let (sender, answers) = mpsc::channel();
        for host in ["localhost", "localhost", "127.0.0.1", "[::1]"] {
            let sender = sender.clone();
            let done = move |found| sender.send(found).expect("the test waits");
            cache.resolve(host, 80, Box::new(done));
        }
        for _ in 0..4 {
            let found = answers.recv_timeout(std::time::Duration::from_secs(20));
            let found = found.expect("an answer").expect("addresses");
            assert!(found.iter().all(|a| a.port() == 80 && a.ip().is_loopback()), "{found:?}");
        }
        let name = string("localhost");
        let both = aws_host_resolver_get_host_address_count(resolver, name.as_ptr().cast(), 3);
        assert!(both >= 1);
        let none = aws_host_resolver_get_host_address_count(resolver, name.as_ptr().cast(), 0);
        assert_eq!(none, 0);
        cache.record("a", &[[10, 0, 0, 1].into(), [10, 0, 0, 2].into()]);
        cache.record("b", &[[10, 0, 0, 3].into()]);
        assert_eq!(cache.count("a"), (2, 0));
        assert_eq!(cache.count("localhost"), (0, 0), "the oldest made room");
        cache.purge();
        assert_eq!(cache.count("a"), (0, 0));
        drop(cache);
        assert_eq!(aws_host_resolver_acquire(resolver), resolver);
        aws_host_resolver_release(resolver);
        aws_event_loop_group_release(group);
        // Look-up threads may still be about to give their reference back.
        aws_host_resolver_release(resolver);
    }
    assert!(crate::sys::thread::join_managed(Some(Duration::from_secs(20))));
    assert_eq!(ends.load(Ordering::SeqCst), 1);
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_strange_and_hostile_arguments_are_refused() {
    let memory = Counting::new();
    let stranger = [0u64; 16];
    let mut options = aws_host_resolver_default_options {
        max_entries: 8,
        el_group: stranger.as_ptr().cast_mut().cast(),
        shutdown_options: std::ptr::null(),
        system_clock_override_fn: None,
    };
    // SAFETY: NULL, live or at least readable objects.
    unsafe {
        assert!(aws_host_resolver_new_default(memory.get(), std::ptr::null()).is_null());
        assert!(aws_host_resolver_new_default(memory.get(), &options).is_null());
        assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
        options.el_group = null_mut();
        assert!(aws_host_resolver_new_default(memory.get(), &options).is_null());
        let group = aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null());
        options.el_group = group;
        options.max_entries = 0;
        assert!(aws_host_resolver_new_default(memory.get(), &options).is_null());
        options.max_entries = 1;
        assert!(aws_host_resolver_new_default(null_mut(), &options).is_null());
        memory.fail_in.store(0, Ordering::SeqCst);
        assert!(aws_host_resolver_new_default(memory.get(), &options).is_null());
        assert_eq!(last_error(), Code::OOM.0);
        let resolver = aws_host_resolver_new_default(memory.get(), &options);
        assert_eq!(aws_host_resolver_get_host_address_count(resolver, null_mut(), 1), 0);
        assert_eq!(aws_host_resolver_get_host_address_count(null_mut(), null_mut(), 1), 0);
        aws_host_resolver_release(resolver);
        aws_host_resolver_release(null_mut());
        assert!(aws_host_resolver_acquire(null_mut()).is_null());
        assert!(cache_of(stranger.as_ptr().cast()).is_err());
        aws_event_loop_group_release(group);
    }
    assert!(crate::sys::thread::join_managed(Some(Duration::from_secs(20))));
    assert_eq!(memory.live(), 0);
}
