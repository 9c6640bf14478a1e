//! Whole transfers through the C interface, against a server of a few lines.

use std::ffi::{c_int, c_void};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use super::client::{aws_s3_client_new, aws_s3_client_release};
use super::meta_request::{aws_s3_meta_request_cancel, aws_s3_meta_request_release};
use super::start::aws_s3_client_make_meta_request;
use super::*;
use crate::base::Code;
use crate::ctypes::aws_shutdown_callback_options;
use crate::ffi::auth::credentials::*;
use crate::ffi::http::request_response::*;
use crate::ffi::io::channel_bootstrap::*;
use crate::ffi::io::event_loop::*;
use crate::ffi::io::host_resolver::*;
use crate::ffi::place::cursor_of;
use crate::ffi::place::testing::Counting;
use crate::ffi::raise;
use crate::ffi::s3::private::s3_default_buffer_pool::aws_s3_default_buffer_pool_get_usage;
use crate::ffi::s3::s3_buffer_pool::aws_s3_buffer_pool;

/// What the callbacks saw, and who waits for it.
#[derive(Default)]
struct Seen {
    calls: Mutex<Vec<String>>,
    changed: Condvar,
}

impl Seen {
    fn note(&self, what: impl Into<String>) {
        self.calls.lock().expect("no panic inside").push(what.into());
        self.changed.notify_all();
    }
    fn wait_for(&self, what: &str) {
        let calls = self.calls.lock().expect("no panic inside");
        let missing = |c: &mut Vec<String>| !c.iter().any(|x| x == what);
        let (calls, late) = self
            .changed
            .wait_timeout_while(calls, Duration::from_secs(20), missing)
            .expect("no panic inside");
        assert!(!late.timed_out(), "{what} did not come: {calls:?}");
    }
    fn list(&self) -> Vec<String> {
        self.calls.lock().expect("no panic inside").clone()
    }
}

unsafe fn seen<'a>(user_data: *mut c_void) -> &'a Seen {
    // SAFETY: the user data of these tests is a `Seen` that outlives the client.
    unsafe { &*user_data.cast::<Seen>() }
}

unsafe extern "C-unwind" fn on_headers(
    _: *mut aws_s3_meta_request,
    headers: *const aws_http_headers,
    status: c_int,
    data: *mut c_void,
) -> c_int {
    assert!(!headers.is_null());
    // SAFETY: as `seen` says.
    unsafe { seen(data) }.note(format!("headers {status}"));
    0
}

unsafe extern "C-unwind" fn on_body(
    _: *mut aws_s3_meta_request,
    body: *const aws_byte_cursor,
    start: u64,
    data: *mut c_void,
) -> c_int {
    // SAFETY: the cursor is valid during the call.
    unsafe {
        let bytes = std::slice::from_raw_parts((*body).ptr, (*body).len);
        seen(data).note(format!("body {start} {}", String::from_utf8_lossy(bytes)));
    }
    0
}

unsafe extern "C-unwind" fn refuse_body(
    _: *mut aws_s3_meta_request,
    _: *const aws_byte_cursor,
    _: u64,
    _: *mut c_void,
) -> c_int {
    raise::raise(Code::NO_SPACE)
}

unsafe extern "C-unwind" fn on_finish(
    meta_request: *mut aws_s3_meta_request,
    result: *const aws_s3_meta_request_result,
    data: *mut c_void,
) {
    // SAFETY: the result is valid during the call; the reference is the caller's of these tests.
    unsafe {
        let r = &*result;
        let body = r.error_response_body.as_ref().map_or(0, |b| b.len);
        let what = format!("finish {} {} {body}", r.error_code, r.response_status);
        aws_s3_meta_request_release(meta_request);
        seen(data).note(what);
    }
}

unsafe extern "C-unwind" fn on_shutdown(data: *mut c_void) {
    // SAFETY: as `seen` says.
    unsafe { seen(data) }.note("shutdown");
}

unsafe extern "C-unwind" fn on_client_shutdown(data: *mut c_void) {
    // SAFETY: as `seen` says.
    unsafe { seen(data) }.note("client shutdown");
}

unsafe extern "C" fn on_group_shutdown(data: *mut c_void) {
    // SAFETY: as `seen` says.
    unsafe { seen(data) }.note("group shutdown");
}

/// Answers every request of every connection with `answer`.
fn serve(answer: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            std::thread::spawn(move || {
                let mut seen = Vec::new();
                let mut piece = [0; 4096];
                while let Ok(n) = stream.read(&mut piece) {
                    if n == 0 {
                        return;
                    }
                    seen.extend_from_slice(&piece[..n]);
                    if seen.ends_with(b"\r\n\r\n") {
                        seen.clear();
                        if stream.write_all(answer.as_bytes()).is_err() {
                            return;
                        }
                    }
                }
            });
        }
    });
    port
}

/// The handles a client stands on, released in `end`.
struct Ground {
    memory: Box<Counting>,
    group: *mut aws_event_loop_group,
    resolver: *mut aws_host_resolver,
    bootstrap: *mut aws_client_bootstrap,
    credentials: *mut aws_credentials,
}

impl Ground {
    fn new(seen: &Seen) -> Ground {
        let memory = Counting::new();
        let a = memory.get();
        let told = aws_shutdown_callback_options {
            shutdown_callback_fn: Some(on_group_shutdown),
            shutdown_callback_user_data: ptr::from_ref(seen).cast_mut().cast(),
        };
        // SAFETY: the options are complete; the allocator outlives everything.
        unsafe {
            let group = aws_event_loop_group_new_default(a, 1, &told);
            assert!(!group.is_null());
            let mut options: aws_host_resolver_default_options = std::mem::zeroed();
            options.max_entries = 8;
            options.el_group = group;
            let resolver = aws_host_resolver_new_default(a, &options);
            assert!(!resolver.is_null());
            let mut options: aws_client_bootstrap_options = std::mem::zeroed();
            options.event_loop_group = group;
            options.host_resolver = resolver;
            let bootstrap = aws_client_bootstrap_new(a, &options);
            assert!(!bootstrap.is_null());
            let credentials = aws_credentials_new_anonymous(a);
            assert!(!credentials.is_null());
            Ground { memory, group, resolver, bootstrap, credentials }
        }
    }

    unsafe fn client(&self, seen: &Seen) -> *mut aws_s3_client {
        // SAFETY: zeroed options with the required ones set.
        unsafe {
            let mut signing: aws_signing_config_aws = std::mem::zeroed();
            signing.credentials = self.credentials;
            let mut config: aws_s3_client_config = std::mem::zeroed();
            config.region = cursor_of(b"us-east-1");
            config.client_bootstrap = self.bootstrap;
            config.signing_config = &signing;
            config.shutdown_callback = Some(on_client_shutdown);
            config.shutdown_callback_user_data = ptr::from_ref(seen).cast_mut().cast();
            aws_s3_client_new(self.memory.get(), &config)
        }
    }

    /// Releases everything and checks that the memory came back.
    unsafe fn end(self, seen: &Seen) {
        // SAFETY: the references are ours.
        unsafe {
            aws_credentials_release(self.credentials);
            aws_client_bootstrap_release(self.bootstrap);
            aws_host_resolver_release(self.resolver);
            aws_event_loop_group_release(self.group);
        }
        seen.wait_for("group shutdown");
        assert_eq!(self.memory.live(), 0, "blocks were not given back");
    }
}

/// A GET of `/key` with these callbacks.
unsafe fn get(
    ground: &Ground,
    client: *mut aws_s3_client,
    port: u16,
    seen: &Seen,
    body: aws_s3_meta_request_receive_body_callback_fn,
) -> *mut aws_s3_meta_request {
    // SAFETY: the message and the endpoint outlive the call.
    unsafe {
        let message = aws_http_message_new_request(ground.memory.get());
        aws_http_message_set_request_method(message, cursor_of(b"GET"));
        aws_http_message_set_request_path(message, cursor_of(b"/key"));
        let authority = format!("127.0.0.1:{port}");
        let mut uri: aws_uri = std::mem::zeroed();
        uri.scheme = cursor_of(b"http");
        uri.authority = cursor_of(authority.as_bytes());
        uri.host_name = cursor_of(b"127.0.0.1");
        uri.port = u32::from(port);
        let mut o: aws_s3_meta_request_options = std::mem::zeroed();
        o.r#type = aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_GET_OBJECT;
        o.message = message;
        o.endpoint = &uri;
        o.user_data = ptr::from_ref(seen).cast_mut().cast();
        o.headers_callback = Some(on_headers);
        o.body_callback = body;
        o.finish_callback = Some(on_finish);
        o.shutdown_callback = Some(on_shutdown);
        let made = aws_s3_client_make_meta_request(client, &o);
        aws_http_message_release(message);
        made
    }
}

#[test]
fn small_download_calls_back_in_order_and_gives_all_memory_back() {
    let port = serve(
        "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag: \"x\"\r\n\
         Content-Range: bytes 0-4/5\r\n\r\nhello",
    );
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: every handle is live until its release.
    unsafe {
        let client = ground.client(&seen);
        assert!(!client.is_null(), "{}", raise::last_error());
        let request = get(&ground, client, port, &seen, Some(on_body));
        assert!(!request.is_null(), "{}", raise::last_error());
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
    let expected = ["headers 200", "body 0 hello", "finish 0 200 0", "shutdown", "client shutdown"];
    assert_eq!(seen.list()[..5], expected);
}

#[test]
fn server_error_is_reported_with_its_body() {
    let port = serve(
        "HTTP/1.1 404 Not Found\r\nContent-Length: 42\r\n\r\n\
         <Error><Code>NoSuchKey</Code></Error>     ",
    );
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: every handle is live until its release.
    unsafe {
        let client = ground.client(&seen);
        assert!(!get(&ground, client, port, &seen, Some(on_body)).is_null());
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
    let finish = format!("finish {} 404 42", Code::S3_INVALID_RESPONSE_STATUS.0);
    assert!(seen.list().contains(&finish), "{:?}", seen.list());
}

#[test]
fn error_of_a_callback_is_the_result() {
    let port = serve(
        "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag: \"x\"\r\n\
         Content-Range: bytes 0-4/5\r\n\r\nhello",
    );
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: every handle is live until its release.
    unsafe {
        let client = ground.client(&seen);
        assert!(!get(&ground, client, port, &seen, Some(refuse_body)).is_null());
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
    let finish = format!("finish {} 0 0", Code::NO_SPACE.0);
    assert!(seen.list().contains(&finish), "{:?}", seen.list());
}

#[test]
fn cancelled_download_ends_once() {
    // A server that never answers.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: every handle is live until its release.
    unsafe {
        let client = ground.client(&seen);
        let request = get(&ground, client, port, &seen, Some(on_body));
        assert!(!request.is_null());
        aws_s3_meta_request_cancel(request);
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
    let finish = format!("finish {} 0 0", Code::S3_CANCELED.0);
    assert_eq!(seen.list(), [&finish[..], "shutdown", "client shutdown", "group shutdown"]);
}

#[test]
fn options_that_do_not_fit_are_refused_without_a_callback() {
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: every handle is live until its release.
    unsafe {
        let client = ground.client(&seen);
        let message = aws_http_message_new_request(ground.memory.get());
        aws_http_message_set_request_method(message, cursor_of(b"PUT"));
        aws_http_message_set_request_path(message, cursor_of(b"/k"));
        let code = |o: &aws_s3_meta_request_options| {
            assert!(aws_s3_client_make_meta_request(client, o).is_null());
            Code(raise::last_error())
        };
        let mut o: aws_s3_meta_request_options = std::mem::zeroed();
        o.finish_callback = Some(on_finish);
        o.user_data = ptr::from_ref(&seen).cast_mut().cast();
        assert_eq!(code(&o), Code::INVALID_ARGUMENT, "no message");
        o.message = message;
        o.r#type = aws_s3_meta_request_type(9);
        assert_eq!(code(&o), Code::INVALID_ARGUMENT, "unknown type");
        o.r#type = aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT;
        assert_eq!(code(&o), Code::INVALID_ARGUMENT, "no Host");
        let mut header: aws_http_header = std::mem::zeroed();
        header.name = cursor_of(b"Host");
        header.value = cursor_of(b"bucket.example.com");
        aws_http_message_add_header(message, header);
        assert_eq!(code(&o), Code::INVALID_ARGUMENT, "no body");
        o.send_filepath = cursor_of(b"/nowhere/at/all");
        assert_eq!(code(&o), Code::FILE_INVALID_PATH);
        o.send_using_async_writes = true;
        o.send_filepath = cursor_of(b"/dev/null");
        assert_eq!(code(&o), Code::INVALID_ARGUMENT, "two sources");
        o.r#type = aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_DEFAULT;
        o.send_using_async_writes = false;
        assert_eq!(code(&o), Code::INVALID_ARGUMENT, "no operation name");
        o.operation_name = cursor_of(b"GetObject");
        o.send_filepath = cursor_of(b"");
        o.recv_filepath = cursor_of(b"/dev/null");
        o.recv_file_option = aws_s3_recv_file_options::AWS_S3_RECV_FILE_CREATE_NEW;
        assert_eq!(code(&o), Code::S3_RECV_FILE_ALREADY_EXISTS);
        o.recv_filepath = cursor_of(b"/nowhere/at/all");
        o.recv_file_option = aws_s3_recv_file_options::AWS_S3_RECV_FILE_WRITE_TO_POSITION;
        assert_eq!(code(&o), Code::S3_RECV_FILE_NOT_FOUND);
        o.recv_filepath = cursor_of(b"");
        let mut header: aws_http_header = std::mem::zeroed();
        header.name = cursor_of(b"Content-Length");
        header.value = cursor_of(b"12x");
        aws_http_message_add_header(message, header);
        assert_eq!(code(&o), Code::S3_INVALID_CONTENT_LENGTH_HEADER);
        aws_http_message_release(message);
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
    assert_eq!(seen.list(), ["client shutdown", "group shutdown"]);
}

/// An option that is taken and ignored would be a silent wrong success.
#[test]
fn options_that_are_not_built_are_refused() {
    unsafe extern "C-unwind" fn review(
        _: *mut aws_s3_meta_request,
        _: *const aws_s3_upload_review,
        _: *mut c_void,
    ) -> c_int {
        0
    }
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: every handle is live until its release.
    unsafe {
        let client = ground.client(&seen);
        let message = aws_http_message_new_request(ground.memory.get());
        aws_http_message_set_request_method(message, cursor_of(b"PUT"));
        aws_http_message_set_request_path(message, cursor_of(b"/k"));
        let mut uri: aws_uri = std::mem::zeroed();
        uri.scheme = cursor_of(b"http");
        uri.authority = cursor_of(b"127.0.0.1:1");
        uri.host_name = cursor_of(b"127.0.0.1");
        uri.port = 1;
        let mut o: aws_s3_meta_request_options = std::mem::zeroed();
        o.r#type = aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT;
        o.message = message;
        o.endpoint = &uri;
        o.finish_callback = Some(on_finish);
        o.user_data = ptr::from_ref(&seen).cast_mut().cast();
        let code = |o: &aws_s3_meta_request_options| {
            assert!(aws_s3_client_make_meta_request(client, o).is_null());
            Code(raise::last_error())
        };
        o.send_using_async_writes = true;
        assert_eq!(code(&o), Code::UNIMPLEMENTED, "asynchronous writes");
        o.send_using_async_writes = false;
        o.send_filepath = cursor_of(b"/dev/null");
        o.upload_review_callback = Some(review);
        assert_eq!(code(&o), Code::UNIMPLEMENTED, "a review that nobody would ask for");
        o.upload_review_callback = None;
        uri.scheme = cursor_of(b"https");
        o.endpoint = &uri;
        assert_eq!(code(&o), Code::UNIMPLEMENTED, "TLS");
        aws_http_message_release(message);
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
    assert_eq!(seen.list(), ["client shutdown", "group shutdown"]);
}

#[test]
fn failing_allocator_gives_a_clean_error_at_every_call() {
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    let fail_in = |n| ground.memory.fail_in.store(n, std::sync::atomic::Ordering::SeqCst);
    // SAFETY: every handle is live until its release.
    unsafe {
        let mut client = ptr::null_mut();
        for n in 0.. {
            fail_in(n);
            client = ground.client(&seen);
            fail_in(-1);
            if !client.is_null() {
                break;
            }
            assert_eq!(raise::last_error(), Code::OOM.0);
        }
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
}

#[test]
fn private_words_of_the_handle_are_live() {
    let seen = Seen::default();
    let ground = Ground::new(&seen);
    // SAFETY: the client is live; the words are at the places real callers read.
    unsafe {
        let client = ground.client(&seen);
        let words = client.cast::<u8>();
        assert_eq!(words.cast::<*mut aws_allocator>().read(), ground.memory.get());
        let pool = words.add(8).cast::<*mut aws_s3_buffer_pool>().read();
        assert!(!pool.is_null());
        let usage = aws_s3_default_buffer_pool_get_usage(pool);
        assert!(usage.mem_limit >= 128 << 20);
        let total = &*words.add(408).cast::<AtomicUsize>();
        let gets = &*words.add(416 + 8).cast::<AtomicUsize>();
        let both = || (total.load(Ordering::SeqCst), gets.load(Ordering::SeqCst));
        assert_eq!(both(), (0, 0));
        assert_eq!(words.add(1024).cast::<u32>().read(), 0);
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = silent.local_addr().expect("an address").port();
        let request = get(&ground, client, port, &seen, Some(on_body));
        let patience = std::time::Instant::now();
        while both() != (1, 1) {
            assert!(patience.elapsed() < Duration::from_secs(20), "{:?}", both());
            std::thread::sleep(Duration::from_millis(1));
        }
        aws_s3_meta_request_cancel(request);
        seen.wait_for("shutdown");
        while both() != (0, 0) {
            assert!(patience.elapsed() < Duration::from_secs(20), "{:?}", both());
            std::thread::sleep(Duration::from_millis(1));
        }
        aws_s3_client_release(client);
        seen.wait_for("client shutdown");
        ground.end(&seen);
    }
}
