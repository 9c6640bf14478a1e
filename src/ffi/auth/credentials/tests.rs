use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};

use super::*;
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::{AWS_OP_ERR, last_error};

fn c(text: &str) -> aws_byte_cursor {
    cursor_of(text.as_bytes())
}

fn text(cursor: aws_byte_cursor) -> String {
    // SAFETY: cursors of live credentials.
    String::from_utf8_lossy(unsafe { bytes_of(cursor) }.expect("a cursor")).into_owned()
}

unsafe extern "C" fn count_up(user_data: *mut c_void) {
    // SAFETY: the counter of the test.
    unsafe { &*user_data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

fn shutdown(ends: &AtomicUsize) -> aws_credentials_provider_shutdown_options {
    aws_credentials_provider_shutdown_options {
        shutdown_callback: Some(count_up),
        shutdown_user_data: (&raw const *ends).cast_mut().cast(),
    }
}

#[derive(Default)]
struct Answers {
    times: AtomicUsize,
    error: AtomicI32,
    access: std::sync::Mutex<String>,
}

unsafe extern "C" fn answered(credentials: *mut aws_credentials, error: c_int, ud: *mut c_void) {
    // SAFETY: the Answers of the test; the credentials live during the call.
    unsafe {
        let answers = &*ud.cast::<Answers>();
        answers.times.fetch_add(1, Ordering::SeqCst);
        answers.error.store(error, Ordering::SeqCst);
        let access = match credentials.is_null() {
            true => String::new(),
            false => text(aws_credentials_get_access_key_id(credentials)),
        };
        *answers.access.lock().expect("one thread") = access;
    }
}

unsafe fn ask(provider: *mut aws_credentials_provider) -> (usize, i32, String) {
    let answers = Answers::default();
    let ud = (&raw const answers).cast_mut().cast();
    // SAFETY: the answers outlive the call, and the providers of these tests answer inline.
    let r = unsafe { aws_credentials_provider_get_credentials(provider, Some(answered), ud) };
    let error = if r == AWS_OP_SUCCESS { answers.error.into_inner() } else { last_error() };
    (answers.times.into_inner(), error, answers.access.into_inner().expect("one thread"))
}

/// A caller's own source: answers by `step`, counts, and may keep the question.
#[derive(Default)]
struct Theirs {
    asked: AtomicUsize,
    /// 0: keys; else that error, inline; -1: refuses; -2: keeps the question.
    step: AtomicI32,
    expires: AtomicU64,
    kept: std::sync::Mutex<Option<(usize, usize)>>,
}

unsafe extern "C" fn their_get(
    ud: *mut c_void,
    callback: aws_on_get_credentials_callback_fn,
    callback_ud: *mut c_void,
) -> c_int {
    // SAFETY: the Theirs of the test; the callback is ours to call once.
    unsafe {
        let them = &*ud.cast::<Theirs>();
        them.asked.fetch_add(1, Ordering::SeqCst);
        let callback = callback.expect("a callback");
        match them.step.load(Ordering::SeqCst) {
            0 => give(them, callback, callback_ud),
            -1 => return raise(Code::S3_CANCELED),
            -2 => {
                let kept = Some((callback as usize, callback_ud.addr()));
                *them.kept.lock().expect("one thread") = kept;
            }
            error => callback(null_mut(), error, callback_ud),
        }
    }
    AWS_OP_SUCCESS
}

unsafe fn give(
    them: &Theirs,
    callback: unsafe extern "C" fn(*mut aws_credentials, c_int, *mut c_void),
    ud: *mut c_void,
) {
    let new = NewCredentials {
        access: b"THEIRS",
        secret: b"s",
        token: b"",
        account: b"",
        expires_at_seconds: them.expires.load(Ordering::SeqCst),
    };
    // SAFETY: the default allocator lives for ever.
    unsafe {
        let made = credentials_new(crate::ctypes::default_allocator(), new).expect("credentials");
        callback(made, 0, ud);
        credentials_release(made);
    }
}

fn theirs(step: i32) -> Box<Theirs> {
    let them = Box::<Theirs>::default();
    them.step.store(step, Ordering::SeqCst);
    them.expires.store(u64::MAX, Ordering::SeqCst);
    them
}

unsafe fn delegate(
    memory: &Counting,
    them: &Theirs,
    ends: &AtomicUsize,
) -> *mut aws_credentials_provider {
    let options = aws_credentials_provider_delegate_options {
        shutdown_options: shutdown(ends),
        get_credentials: Some(their_get),
        delegate_user_data: (&raw const *them).cast_mut().cast(),
    };
    // SAFETY: the test keeps all of them alive.
    unsafe { aws_credentials_provider_new_delegate(memory.get(), &options) }
}

#[test]
fn credentials_keep_their_parts() {
    let memory = Counting::new();
    // SAFETY: live objects.
    unsafe {
        let k = aws_credentials_new(memory.get(), c("AK"), c("SK"), c("T"), 77);
        assert_eq!(text(aws_credentials_get_access_key_id(k)), "AK");
        assert_eq!(text(aws_credentials_get_secret_access_key(k)), "SK");
        assert_eq!(text(aws_credentials_get_session_token(k)), "T");
        assert_eq!(aws_credentials_get_expiration_timepoint_seconds(k), 77);
        let keys = keys_of(k).expect("ours").expect("not anonymous");
        assert_eq!((&keys.access[..], keys.token.as_deref()), (&b"AK"[..], Some(&b"T"[..])));
        aws_credentials_acquire(k);
        aws_credentials_release(k);
        aws_credentials_release(k);
        let anonymous = aws_credentials_new_anonymous(memory.get());
        assert_eq!(aws_credentials_get_access_key_id(anonymous).len, 0);
        assert_eq!(aws_credentials_get_expiration_timepoint_seconds(anonymous), u64::MAX);
        assert!(keys_of(anonymous).expect("ours").is_none());
        aws_credentials_release(anonymous);
        for n in 0..3 {
            memory.fail_in.store(n, Ordering::SeqCst);
            assert!(aws_credentials_new(memory.get(), c("AK"), c("SK"), c(""), 1).is_null());
            assert_eq!(last_error(), Code::OOM.0);
        }
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn static_provider_answers_inline_and_ends_once() {
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    let options = aws_credentials_provider_static_options {
        shutdown_options: shutdown(&ends),
        access_key_id: c("AK"),
        secret_access_key: c("SK"),
        session_token: c(""),
        account_id: c("1"),
    };
    // SAFETY: live objects.
    unsafe {
        let p = aws_credentials_provider_new_static(memory.get(), &options);
        assert_eq!(ask(p), (1, 0, "AK".to_owned()));
        let shared = Provider::share(p).expect("a provider");
        assert!(shared.now().expect("known").is_some_and(|k| k.secret == b"SK"));
        assert!(aws_credentials_provider_release(p).is_null());
        assert_eq!(ends.load(Ordering::SeqCst), 0);
        drop(shared);
        assert_eq!(ends.load(Ordering::SeqCst), 1);
        let empty = aws_credentials_provider_static_options { secret_access_key: c(""), ..options };
        assert!(aws_credentials_provider_new_static(memory.get(), &empty).is_null());
        assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
        let p = aws_credentials_provider_new_anonymous(memory.get(), std::ptr::null());
        assert_eq!(ask(p), (1, 0, String::new()));
        assert!(Provider::share(p).expect("a provider").now().expect("known").is_none());
        aws_credentials_provider_release(p);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn delegate_is_called_through_and_its_refusal_passed_on() {
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    let them = theirs(0);
    // SAFETY: live objects.
    unsafe {
        let p = delegate(&memory, &them, &ends);
        assert_eq!(ask(p), (1, 0, "THEIRS".to_owned()));
        them.step.store(-1, Ordering::SeqCst);
        assert_eq!(ask(p), (0, Code::S3_CANCELED.0, String::new()));
        let shared = Provider::share(p).expect("a provider");
        assert!(shared.now().is_none());
        let (sender, answers) = std::sync::mpsc::channel();
        let tell = |answers: std::sync::mpsc::Sender<_>| -> KeysDone {
            Box::new(move |r| answers.send(r.map(|k| k.is_some())).expect("the test waits"))
        };
        shared.get(tell(sender.clone()));
        assert_eq!(answers.try_recv(), Ok(Err(Error::new(Code::S3_CANCELED))));
        them.step.store(0, Ordering::SeqCst);
        shared.get(tell(sender.clone()));
        assert_eq!(answers.try_recv(), Ok(Ok(true)));
        them.step.store(6155, Ordering::SeqCst);
        shared.get(tell(sender));
        assert_eq!(answers.try_recv(), Ok(Err(Error::new(Code(6155)))));
        drop(shared);
        aws_credentials_provider_release(p);
    }
    assert_eq!(ends.load(Ordering::SeqCst), 1);
    assert_eq!(memory.live(), 0);
}

#[test]
fn chain_takes_the_first_that_has_keys() {
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    let (a, b, d) = (theirs(6155), theirs(-1), theirs(0));
    // SAFETY: live objects.
    unsafe {
        let mut members = [&a, &b, &d].map(|t| delegate(&memory, t, &ends));
        let options = aws_credentials_provider_chain_options {
            shutdown_options: shutdown(&ends),
            providers: members.as_mut_ptr(),
            provider_count: 3,
        };
        let p = aws_credentials_provider_new_chain(memory.get(), &options);
        for member in members {
            aws_credentials_provider_release(member);
        }
        assert_eq!(ask(p), (1, 0, "THEIRS".to_owned()));
        d.step.store(6156, Ordering::SeqCst);
        assert_eq!(ask(p), (1, 6156, String::new()), "the last one's error");
        d.step.store(-1, Ordering::SeqCst);
        assert_eq!(ask(p), (1, Code::S3_CANCELED.0, String::new()));
        assert_eq!(a.asked.load(Ordering::SeqCst), 3);
        aws_credentials_provider_release(p);
        let none = aws_credentials_provider_chain_options { provider_count: 0, ..options };
        assert!(aws_credentials_provider_new_chain(memory.get(), &none).is_null());
    }
    assert_eq!(ends.load(Ordering::SeqCst), 4);
    assert_eq!(memory.live(), 0);
}

static NOW_NS: AtomicU64 = AtomicU64::new(0);
unsafe extern "C" fn now_ns(out: *mut u64) -> c_int {
    // SAFETY: the reader's output.
    unsafe { *out = NOW_NS.load(Ordering::SeqCst) };
    AWS_OP_SUCCESS
}

#[test]
fn cached_provider_asks_once_until_the_answer_is_stale() {
    const SEC: u64 = 1_000_000_000;
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    let them = theirs(0);
    // SAFETY: live objects.
    unsafe {
        let source = delegate(&memory, &them, &ends);
        let options = aws_credentials_provider_cached_options {
            shutdown_options: shutdown(&ends),
            source,
            refresh_time_in_milliseconds: 10_000,
            high_res_clock_fn: Some(now_ns),
            system_clock_fn: Some(now_ns),
        };
        let p = aws_credentials_provider_new_cached(memory.get(), &options);
        aws_credentials_provider_release(source);
        let asked = || them.asked.load(Ordering::SeqCst);
        NOW_NS.store(1000 * SEC, Ordering::SeqCst);
        assert_eq!(ask(p), (1, 0, "THEIRS".to_owned()));
        NOW_NS.store(1009 * SEC, Ordering::SeqCst);
        assert_eq!(ask(p), (1, 0, "THEIRS".to_owned()));
        assert_eq!(asked(), 1);
        them.expires.store(2000, Ordering::SeqCst);
        NOW_NS.store(1010 * SEC, Ordering::SeqCst);
        ask(p);
        assert_eq!(asked(), 2, "after the refresh time");
        NOW_NS.store(1699 * SEC, Ordering::SeqCst);
        ask(p);
        assert_eq!(asked(), 2, "the expiry wins over the refresh time");
        NOW_NS.store(1700 * SEC, Ordering::SeqCst);
        them.step.store(-2, Ordering::SeqCst);
        // Two who ask while the question is under way get its one answer.
        let (one, two) = (Answers::default(), Answers::default());
        for answers in [&one, &two] {
            let ud = (&raw const *answers).cast_mut().cast();
            assert_eq!(aws_credentials_provider_get_credentials(p, Some(answered), ud), 0);
        }
        assert_eq!(asked(), 3);
        // The last reference may go meanwhile: the question holds one of its own.
        aws_credentials_provider_release(p);
        assert_eq!(ends.load(Ordering::SeqCst), 0);
        let (callback, ud) = them.kept.lock().expect("one thread").take().expect("kept");
        let callback: unsafe extern "C" fn(*mut aws_credentials, c_int, *mut c_void) =
            std::mem::transmute(callback);
        give(&them, callback, std::ptr::with_exposed_provenance_mut(ud));
        for answers in [&one, &two] {
            assert_eq!(answers.times.load(Ordering::SeqCst), 1);
            assert_eq!(*answers.access.lock().expect("one thread"), "THEIRS");
        }
    }
    assert_eq!(ends.load(Ordering::SeqCst), 2);
    assert_eq!(memory.live(), 0);
}

#[test]
fn default_chain_without_environment_says_what_is_missing() {
    let memory = Counting::new();
    let ends = AtomicUsize::new(0);
    // SAFETY: live objects; zeros are empty options.
    unsafe {
        let mut options: aws_credentials_provider_chain_default_options = std::mem::zeroed();
        options.shutdown_options = shutdown(&ends);
        options.skip_environment_credentials_provider = true;
        let p = aws_credentials_provider_new_chain_default(memory.get(), &options);
        assert_eq!(ask(p), (1, Code::UNIMPLEMENTED.0, String::new()));
        aws_credentials_provider_release(p);
        assert_eq!(ends.load(Ordering::SeqCst), 1);
        options.skip_environment_credentials_provider = false;
        for n in 0..4 {
            memory.fail_in.store(n, Ordering::SeqCst);
            let p = aws_credentials_provider_new_chain_default(memory.get(), &options);
            assert!(p.is_null());
            assert_eq!(last_error(), Code::OOM.0);
        }
        assert_eq!(ends.load(Ordering::SeqCst), 1, "what was never made does not end");
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_strange_and_hostile_arguments_are_refused() {
    let memory = Counting::new();
    let wild = aws_byte_cursor { len: 3, ptr: null_mut() };
    let stranger = [0u64; 16];
    let foreign: *const aws_credentials = stranger.as_ptr().cast();
    let invalid = Code::INVALID_ARGUMENT.0;
    // SAFETY: NULL, live or at least readable objects.
    unsafe {
        assert!(aws_credentials_new(memory.get(), wild, c("s"), c(""), 0).is_null());
        assert!(aws_credentials_new(null_mut(), c("a"), c("s"), c(""), 0).is_null());
        assert!(aws_credentials_new_anonymous(null_mut()).is_null());
        for p in [foreign, std::ptr::null()] {
            assert_eq!(aws_credentials_get_access_key_id(p).len, 0);
            assert_eq!(aws_credentials_get_expiration_timepoint_seconds(p), 0);
            assert_eq!(last_error(), invalid);
            aws_credentials_acquire(p);
            aws_credentials_release(p);
            assert!(keys_of(p).is_err());
        }
        assert!(aws_credentials_provider_acquire(null_mut()).is_null());
        assert!(aws_credentials_provider_release(null_mut()).is_null());
        let get = aws_credentials_provider_get_credentials;
        assert_eq!(get(null_mut(), Some(answered), null_mut()), AWS_OP_ERR);
        let p = aws_credentials_provider_new_anonymous(memory.get(), std::ptr::null());
        assert_eq!(get(p, None, null_mut()), AWS_OP_ERR);
        assert_eq!(last_error(), invalid);
        aws_credentials_provider_release(p);
        assert!(aws_credentials_provider_new_static(memory.get(), std::ptr::null()).is_null());
        assert!(aws_credentials_provider_new_cached(memory.get(), std::ptr::null()).is_null());
        assert!(aws_credentials_provider_new_cached(memory.get(), &std::mem::zeroed()).is_null());
        assert!(aws_credentials_provider_new_delegate(memory.get(), &std::mem::zeroed()).is_null());
        assert!(aws_credentials_provider_new_chain(memory.get(), &std::mem::zeroed()).is_null());
        assert_eq!(last_error(), invalid);
        let profile: aws_credentials_provider_profile_options = std::mem::zeroed();
        assert!(aws_credentials_provider_new_profile(memory.get(), &profile).is_null());
        assert_eq!(last_error(), Code::UNIMPLEMENTED.0);
        assert!(Provider::share(null_mut()).is_err());
    }
    assert_eq!(memory.live(), 0);
}
