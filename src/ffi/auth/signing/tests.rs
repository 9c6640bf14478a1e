use std::mem::MaybeUninit;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::ctypes::{aws_byte_cursor, aws_string};
use crate::ffi::auth::credentials::*;
use crate::ffi::auth::signable::{aws_signable_destroy, aws_signable_new_http_request};
use crate::ffi::auth::signing_config::*;
use crate::ffi::auth::signing_result::aws_apply_signing_result_to_http_request;
use crate::ffi::http::request_response::*;
use crate::ffi::io::stream::{aws_input_stream_new_from_cursor, aws_input_stream_release};
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::{AWS_OP_ERR, last_error};

fn c(text: &str) -> aws_byte_cursor {
    cursor_of(text.as_bytes())
}

/// The `get-vanilla` case of the published suite.
fn config(credentials: *const aws_credentials) -> aws_signing_config_aws {
    // SAFETY: all-zero is a valid start.
    let mut config: aws_signing_config_aws = unsafe { std::mem::zeroed() };
    config.config_type = MaybeUninit::new(aws_signing_config_type::AWS_SIGNING_CONFIG_AWS);
    config.region = c("us-east-1");
    config.service = c("service");
    config.date.timestamp = 1_440_938_160;
    config.flags.bits = 3;
    config.credentials = credentials;
    config
}

/// A number in the place of an enum, whatever it is.
fn number<E: Copy>(value: i32) -> MaybeUninit<E> {
    assert_eq!(size_of::<E>(), 4);
    // SAFETY: any four bytes are a MaybeUninit of this size.
    unsafe { std::mem::transmute_copy(&value) }
}

const VANILLA: &str = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31";

#[derive(Default)]
struct Seen {
    times: AtomicUsize,
    error: Mutex<i32>,
    signature: Mutex<String>,
    apply_to: Option<*mut aws_http_message>,
}

unsafe extern "C" fn done(result: *mut aws_signing_result, error: c_int, ud: *mut c_void) {
    // SAFETY: the Seen of the test; the result lives during the call.
    unsafe {
        let seen = &*ud.cast::<Seen>();
        seen.times.fetch_add(1, Ordering::SeqCst);
        *seen.error.lock().expect("one thread") = error;
        let Some(result) = result.as_mut() else { return };
        if let Some(found) = result.properties.find(SIGNATURE.as_ptr().cast()).as_ref() {
            let text = aws_string::text(found.value.cast()).expect("a string");
            *seen.signature.lock().expect("one thread") =
                String::from_utf8_lossy(text).into_owned();
        }
        if let Some(message) = seen.apply_to {
            let apply = aws_apply_signing_result_to_http_request;
            assert_eq!(apply(message, null_mut(), result), AWS_OP_SUCCESS);
        }
    }
}

unsafe fn request(memory: &Counting) -> *mut aws_http_message {
    // SAFETY: a live allocator.
    unsafe {
        let m = aws_http_message_new_request(memory.get());
        aws_http_message_set_request_method(m, c("GET"));
        aws_http_message_set_request_path(m, c("/"));
        let host = aws_http_header {
            name: c("Host"),
            value: c("example.amazonaws.com"),
            ..std::mem::zeroed()
        };
        aws_http_message_add_header(m, host);
        m
    }
}

unsafe fn keys(memory: &Counting) -> *mut aws_credentials {
    let secret = c("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
    // SAFETY: a live allocator.
    unsafe { aws_credentials_new(memory.get(), c("AKIDEXAMPLE"), secret, c(""), u64::MAX) }
}

unsafe fn sign(
    memory: &Counting,
    signable: *const aws_signable,
    config: &aws_signing_config_aws,
    seen: &Seen,
) -> c_int {
    // SAFETY: live objects; keys are known or answered inline.
    unsafe {
        let base: *const aws_signing_config_base = (&raw const *config).cast();
        let ud = (&raw const *seen).cast_mut().cast();
        aws_sign_request_aws(memory.get(), signable, base, Some(done), ud)
    }
}

#[test]
fn published_case_is_signed_and_applied() {
    let memory = Counting::new();
    // SAFETY: live objects.
    unsafe {
        let message = request(&memory);
        let signable = aws_signable_new_http_request(memory.get(), message);
        let credentials = keys(&memory);
        let seen = Seen { apply_to: Some(message), ..Seen::default() };
        assert_eq!(sign(&memory, signable, &config(credentials), &seen), AWS_OP_SUCCESS);
        assert_eq!(seen.times.load(Ordering::SeqCst), 1);
        assert_eq!(*seen.signature.lock().expect("one thread"), VANILLA);
        let view = message_view(message).expect("a message");
        assert_eq!(view.headers.get(b"X-Amz-Date"), Some(&b"20150830T123600Z"[..]));
        let authorization = view.headers.get(b"Authorization").expect("added");
        assert!(authorization.ends_with(VANILLA.as_bytes()));
        aws_signable_destroy(signable);
        aws_http_message_release(message);
        aws_credentials_release(credentials);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn query_signature_goes_into_the_path() {
    let memory = Counting::new();
    // SAFETY: live objects.
    unsafe {
        let message = request(&memory);
        aws_http_message_set_request_path(message, c("/a?b=c"));
        let signable = aws_signable_new_http_request(memory.get(), message);
        let credentials = keys(&memory);
        let mut config = config(credentials);
        config.signature_type =
            MaybeUninit::new(aws_signature_type::AWS_ST_HTTP_REQUEST_QUERY_PARAMS);
        config.expiration_in_seconds = 60;
        let seen = Seen { apply_to: Some(message), ..Seen::default() };
        assert_eq!(sign(&memory, signable, &config, &seen), AWS_OP_SUCCESS);
        let path = message_view(message).expect("a message").path.to_vec();
        let path = String::from_utf8(path).expect("ASCII");
        assert!(path.starts_with("/a?b=c&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Cred"), "{path}");
        assert!(path.contains("&X-Amz-Expires=60&"), "{path}");
        assert!(path.contains("&X-Amz-Signature="), "{path}");
        aws_signable_destroy(signable);
        aws_http_message_release(message);
        aws_credentials_release(credentials);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn body_is_hashed_and_rewound() {
    let memory = Counting::new();
    let body = c("hello");
    // SAFETY: live objects.
    unsafe {
        let message = request(&memory);
        let stream = aws_input_stream_new_from_cursor(memory.get(), &body);
        aws_http_message_set_body_stream(message, stream);
        let signable = aws_signable_new_http_request(memory.get(), message);
        let credentials = keys(&memory);
        let mut config = config(credentials);
        config.signed_body_header =
            MaybeUninit::new(aws_signed_body_header_type::AWS_SBHT_X_AMZ_CONTENT_SHA256);
        let seen = Seen { apply_to: Some(message), ..Seen::default() };
        assert_eq!(sign(&memory, signable, &config, &seen), AWS_OP_SUCCESS);
        let hash = hex(ring::digest::digest(&ring::digest::SHA256, b"hello").as_ref());
        let view = message_view(message).expect("a message");
        assert_eq!(view.headers.get(b"x-amz-content-sha256"), Some(&hash[..]));
        let mut stream_again = Stream::share(stream).expect("a stream");
        assert_eq!(stream_again.read(&mut [0; 9]), Ok(5), "from the begin again");
        drop(stream_again);
        aws_input_stream_release(stream);
        aws_signable_destroy(signable);
        aws_http_message_release(message);
        aws_credentials_release(credentials);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn keys_come_from_a_provider_and_anonymous_adds_nothing() {
    let memory = Counting::new();
    // SAFETY: live objects.
    unsafe {
        let message = request(&memory);
        let signable = aws_signable_new_http_request(memory.get(), message);
        let provider = aws_credentials_provider_new_anonymous(memory.get(), std::ptr::null());
        let mut config = config(std::ptr::null());
        config.credentials_provider = provider;
        let seen = Seen { apply_to: Some(message), ..Seen::default() };
        assert_eq!(sign(&memory, signable, &config, &seen), AWS_OP_SUCCESS);
        assert_eq!(*seen.error.lock().expect("one thread"), 0);
        assert_eq!(message_view(message).expect("a message").headers.len(), 1);
        let mut options: aws_credentials_provider_chain_default_options = std::mem::zeroed();
        options.skip_environment_credentials_provider = true;
        let empty = aws_credentials_provider_new_chain_default(memory.get(), &options);
        config.credentials_provider = empty;
        assert_eq!(sign(&memory, signable, &config, &seen), AWS_OP_SUCCESS);
        assert_eq!(*seen.error.lock().expect("one thread"), Code::AUTH_SIGNING_NO_CREDENTIALS.0);
        aws_credentials_provider_release(empty);
        aws_credentials_provider_release(provider);
        aws_signable_destroy(signable);
        aws_http_message_release(message);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn wrong_configurations_are_refused_without_a_callback() {
    let memory = Counting::new();
    // SAFETY: live objects; NULL where the test says so.
    unsafe {
        let message = request(&memory);
        let signable = aws_signable_new_http_request(memory.get(), message);
        let credentials = keys(&memory);
        let seen = Seen::default();
        let good = || config(credentials);
        let refused = |change: &dyn Fn(&mut aws_signing_config_aws), code: Code| {
            let mut config = good();
            change(&mut config);
            assert_eq!(sign(&memory, signable, &config, &seen), AWS_OP_ERR);
            assert_eq!(last_error(), code.0);
        };
        let invalid = Code::AUTH_SIGNING_INVALID_CONFIGURATION;
        refused(
            &|k| k.config_type = MaybeUninit::zeroed(),
            Code::AUTH_SIGNING_MISMATCHED_CONFIGURATION,
        );
        refused(&|k| k.region = c(""), invalid);
        refused(&|k| k.service = c(""), invalid);
        refused(&|k| k.credentials = std::ptr::null(), invalid);
        refused(&|k| k.algorithm = number(7), invalid);
        refused(&|k| k.algorithm = number(1), Code::UNIMPLEMENTED);
        refused(&|k| k.algorithm = number(2), Code::AUTH_SIGNING_INVALID_CREDENTIALS);
        refused(&|k| k.signature_type = number(9), Code::AUTH_SIGNING_UNSUPPORTED_SIGNATURE_TYPE);
        let wild = aws_byte_cursor { len: 9, ptr: null_mut() };
        refused(&|k| k.region = wild, Code::INVALID_ARGUMENT);
        assert_eq!(sign(&memory, std::ptr::null(), &good(), &seen), AWS_OP_ERR);
        let null = std::ptr::null();
        assert_eq!(
            aws_sign_request_aws(memory.get(), signable, null, Some(done), null_mut()),
            AWS_OP_ERR
        );
        assert_eq!(seen.times.load(Ordering::SeqCst), 0);
        assert!(aws_signable_new_http_request(memory.get(), null_mut()).is_null());
        aws_signable_destroy(null_mut());
        let apply = aws_apply_signing_result_to_http_request;
        assert_eq!(apply(message, null_mut(), null.cast()), AWS_OP_ERR);
        for n in 0..20 {
            memory.fail_in.store(n, Ordering::SeqCst);
            let seen = Seen::default();
            assert_eq!(sign(&memory, signable, &good(), &seen), AWS_OP_SUCCESS);
            let error = *seen.error.lock().expect("one thread");
            assert!(error == 0 || error == Code::OOM.0, "{error}");
        }
        memory.fail_in.store(-1, Ordering::SeqCst);
        aws_signable_destroy(signable);
        aws_http_message_release(message);
        aws_credentials_release(credentials);
    }
    assert_eq!(memory.live(), 0);
}
