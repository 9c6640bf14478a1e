use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::ffi::io::event_loop::{
    aws_event_loop_group_get_next_loop, aws_event_loop_group_new_default,
    aws_event_loop_group_release,
};
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::last_error;

unsafe extern "C" fn count_up(user_data: *mut c_void) {
    // SAFETY: the counter of the test.
    unsafe { &*user_data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn future_ends_once_and_tells_everybody() {
    let memory = Counting::new();
    let told = AtomicUsize::new(0);
    let ud = (&raw const told).cast_mut().cast();
    // SAFETY: live objects.
    unsafe {
        let f = aws_future_bool_new(memory.get());
        assert!(!aws_future_bool_is_done(f));
        assert!(!aws_future_bool_get_result(f));
        assert_eq!(last_error(), Code::INVALID_STATE.0);
        aws_future_bool_register_callback(f, Some(count_up), ud);
        assert!(!aws_future_bool_wait(f, 1_000_000));
        aws_future_bool_set_result(f, true);
        aws_future_bool_set_error(f, 34);
        assert!(aws_future_bool_is_done(f) && aws_future_bool_get_result(f));
        assert_eq!(aws_future_bool_get_error(f), 0);
        assert!(!aws_future_bool_register_callback_if_not_done(f, Some(count_up), ud));
        aws_future_bool_register_callback(f, Some(count_up), ud);
        assert_eq!(told.load(Ordering::SeqCst), 2);
        assert_eq!(aws_future_bool_acquire(f), f);
        aws_future_bool_release(f);
        assert!(aws_future_bool_release(f).is_null());
        let v = aws_future_void_new(memory.get());
        aws_future_void_set_error(v, 1234);
        assert_eq!(aws_future_void_get_error(v), 1234);
        assert!(aws_future_void_wait(v, 0));
        aws_future_void_release(v);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn callback_comes_on_the_loop_it_asked_for() {
    let memory = Counting::new();
    let told = AtomicUsize::new(0);
    let ud = (&raw const told).cast_mut().cast();
    // SAFETY: live objects.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null());
        let at = aws_event_loop_group_get_next_loop(group);
        let f = aws_future_void_new(memory.get());
        aws_future_void_register_event_loop_callback(f, at, Some(count_up), ud);
        aws_future_void_set_result(f);
        aws_future_void_release(f);
        aws_event_loop_group_release(group);
    }
    let wait = crate::base::Duration::from_secs(20);
    assert!(crate::sys::thread::join_managed(Some(wait)));
    assert_eq!(told.load(Ordering::SeqCst), 1);
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_arguments_are_refused() {
    let memory = Counting::new();
    let invalid = Code::INVALID_ARGUMENT.0;
    // SAFETY: NULL or live objects.
    unsafe {
        assert!(aws_future_bool_new(null_mut()).is_null());
        assert_eq!(last_error(), invalid);
        assert!(aws_future_bool_acquire(null_mut()).is_null());
        assert!(aws_future_bool_release(null_mut()).is_null());
        aws_future_bool_set_result(null_mut(), true);
        aws_future_bool_set_error(null_mut(), 1);
        assert!(!aws_future_bool_is_done(null_mut()));
        assert_eq!(aws_future_bool_get_error(null_mut()), invalid);
        assert!(!aws_future_bool_wait(null_mut(), 0));
        let f = aws_future_void_new(memory.get());
        aws_future_void_register_callback(f, None, null_mut());
        aws_future_void_register_event_loop_callback(f, null_mut(), None, null_mut());
        assert_eq!(last_error(), invalid);
        aws_future_void_register_channel_callback(f, null_mut(), None, null_mut());
        assert_eq!(last_error(), Code::UNIMPLEMENTED.0);
        aws_future_void_release(f);
    }
    assert_eq!(memory.live(), 0);
}
