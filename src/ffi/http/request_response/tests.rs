use std::ptr::null_mut;
use std::sync::atomic::Ordering;

use super::*;
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::{AWS_OP_ERR, last_error};

fn c(text: &str) -> aws_byte_cursor {
    cursor_of(text.as_bytes())
}

fn text(cursor: aws_byte_cursor) -> String {
    // SAFETY: cursors of live headers.
    String::from_utf8_lossy(unsafe { bytes_of(cursor) }.expect("a cursor")).into_owned()
}

fn all(headers: *const aws_http_headers) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // SAFETY: live headers.
    unsafe {
        for i in 0..aws_http_headers_count(headers) {
            let mut h = std::mem::zeroed();
            assert_eq!(aws_http_headers_get_index(headers, i, &mut h), AWS_OP_SUCCESS);
            found.push((text(h.name), text(h.value)));
        }
    }
    found
}

#[test]
fn headers_keep_order_and_duplicates_and_trim_values() {
    let memory = Counting::new();
    // SAFETY: live headers.
    unsafe {
        let h = aws_http_headers_new(memory.get());
        for (n, v) in [("Host", " a "), ("x-a", "1"), ("X-A", "\t2\r\n"), ("empty", "  ")] {
            assert_eq!(aws_http_headers_add(h, c(n), c(v)), AWS_OP_SUCCESS);
        }
        let seen = all(h);
        let expected = [("Host", "a"), ("x-a", "1"), ("X-A", "2"), ("empty", "")];
        assert_eq!(seen, expected.map(|(n, v)| (n.to_owned(), v.to_owned())));
        let mut value = c("");
        assert_eq!(aws_http_headers_get(h, c("x-A"), &mut value), AWS_OP_SUCCESS);
        assert_eq!(text(value), "1");
        assert!(aws_http_headers_has(h, c("HOST")));
        assert!(!aws_http_headers_has(h, c("none")));
        assert_eq!(last_error(), Code::HTTP_HEADER_NOT_FOUND.0);
        assert_eq!(aws_http_headers_add(h, c(""), c("v")), AWS_OP_ERR);
        assert_eq!(last_error(), Code::HTTP_INVALID_HEADER_NAME.0);
        aws_http_headers_release(h);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn set_replaces_all_of_a_name_even_by_its_own_bytes() {
    let memory = Counting::new();
    // SAFETY: live headers; the cursors lie in them.
    unsafe {
        let h = aws_http_headers_new(memory.get());
        for (n, v) in [("a", "old"), ("b", "2"), ("A", "older")] {
            aws_http_headers_add(h, c(n), c(v));
        }
        let mut first = std::mem::zeroed();
        aws_http_headers_get_index(h, 0, &mut first);
        assert_eq!(aws_http_headers_set(h, first.name, first.value), AWS_OP_SUCCESS);
        assert_eq!(all(h), [("b", "2"), ("a", "old")].map(|(n, v)| (n.into(), v.into())));
        let mut last = std::mem::zeroed();
        aws_http_headers_get_index(h, 1, &mut last);
        assert_eq!(aws_http_headers_erase(h, last.name), AWS_OP_SUCCESS);
        assert_eq!(aws_http_headers_erase(h, c("a")), AWS_OP_ERR);
        assert_eq!(last_error(), Code::HTTP_HEADER_NOT_FOUND.0);
        assert_eq!(aws_http_headers_erase_value(h, c("B"), c("1")), AWS_OP_ERR);
        assert_eq!(aws_http_headers_erase_value(h, c("B"), c("2")), AWS_OP_SUCCESS);
        assert_eq!(aws_http_headers_count(h), 0);
        aws_http_headers_release(h);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn pseudo_headers_come_first() {
    let memory = Counting::new();
    // SAFETY: live headers.
    unsafe {
        let h = aws_http_headers_new(memory.get());
        aws_http_headers_add(h, c("b"), c("1"));
        aws_http_headers_add(h, c(":path"), c("/"));
        aws_http_headers_set(h, c(":path"), c("/x"));
        assert_eq!(all(h), [(":path", "/x"), ("b", "1")].map(|(n, v)| (n.into(), v.into())));
        aws_http_headers_clear(h);
        assert_eq!(aws_http_headers_count(h), 0);
        aws_http_headers_release(h);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn message_keeps_what_was_set_and_shares_its_headers() {
    let memory = Counting::new();
    // SAFETY: live messages and outputs.
    unsafe {
        let headers = aws_http_headers_new(memory.get());
        let m = aws_http_message_new_request_with_headers(memory.get(), headers);
        let mut out = c("x");
        assert_eq!(aws_http_message_get_request_method(m, &mut out), AWS_OP_ERR);
        assert_eq!(last_error(), Code::HTTP_DATA_NOT_AVAILABLE.0);
        assert_eq!(out.len, 0);
        assert_eq!(aws_http_message_set_request_method(m, c("GET")), AWS_OP_SUCCESS);
        assert_eq!(aws_http_message_set_request_path(m, c("/a?b")), AWS_OP_SUCCESS);
        assert_eq!(aws_http_message_get_request_path(m, &mut out), AWS_OP_SUCCESS);
        assert_eq!(text(out), "/a?b");
        assert_eq!(aws_http_message_set_request_path(m, out), AWS_OP_SUCCESS, "its own bytes");
        let host = aws_http_header { name: c("Host"), value: c("h"), ..std::mem::zeroed() };
        assert_eq!(aws_http_message_add_header(m, host), AWS_OP_SUCCESS);
        assert_eq!(aws_http_message_get_headers(m), headers);
        aws_http_headers_release(headers);
        let view = message_view(m).expect("a message");
        assert_eq!((view.method, view.path), (&b"GET"[..], &b"/a?b"[..]));
        assert_eq!(view.headers.get(b"host"), Some(&b"h"[..]));
        assert!(view.body.is_null());
        assert_eq!(aws_http_message_set_request_method(m, c("")), AWS_OP_SUCCESS);
        assert_eq!(aws_http_message_get_request_method(m, &mut out), AWS_OP_ERR);
        assert_eq!(aws_http_message_acquire(m), m);
        aws_http_message_release(m);
        assert!(aws_http_message_release(m).is_null());
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn body_stream_is_counted() {
    let memory = Counting::new();
    let bytes = c("body");
    // SAFETY: live message and streams.
    unsafe {
        let m = aws_http_message_new_request(memory.get());
        let s = stream::aws_input_stream_new_from_cursor(memory.get(), &bytes);
        aws_http_message_set_body_stream(m, s);
        stream::aws_input_stream_release(s);
        aws_http_message_set_body_stream(m, s);
        assert_eq!(message_view(m).expect("a message").body, s);
        aws_http_message_release(m);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_strange_and_hostile_arguments_are_refused() {
    let memory = Counting::new();
    let wild = aws_byte_cursor { len: 7, ptr: null_mut() };
    let stranger = [0u64; 24];
    let foreign: *mut aws_http_message = stranger.as_ptr().cast_mut().cast();
    let mut out = c("");
    let invalid = Code::INVALID_ARGUMENT.0;
    // SAFETY: NULL, live or at least readable objects.
    unsafe {
        assert!(aws_http_headers_new(null_mut()).is_null());
        assert!(aws_http_message_new_request(null_mut()).is_null());
        assert!(aws_http_message_new_request_with_headers(memory.get(), null_mut()).is_null());
        assert_eq!(aws_http_headers_count(null_mut()), 0);
        aws_http_headers_acquire(null_mut());
        aws_http_headers_release(null_mut());
        aws_http_headers_clear(null_mut());
        aws_http_message_set_body_stream(null_mut(), null_mut());
        assert!(aws_http_message_acquire(null_mut()).is_null());
        assert!(aws_http_message_get_headers(null_mut()).is_null());
        assert_eq!(aws_http_message_set_request_path(foreign, c("/")), AWS_OP_ERR);
        assert_eq!(last_error(), invalid);
        aws_http_message_release(foreign);
        let h = aws_http_headers_new(memory.get());
        let m = aws_http_message_new_request(memory.get());
        assert_eq!(aws_http_headers_add(h, wild, c("v")), AWS_OP_ERR);
        assert_eq!(aws_http_headers_add(h, c("n"), wild), AWS_OP_ERR);
        assert_eq!(aws_http_headers_add_header(h, std::ptr::null()), AWS_OP_ERR);
        assert_eq!(aws_http_headers_set(h, wild, wild), AWS_OP_ERR);
        assert_eq!(aws_http_headers_get(h, c("n"), null_mut()), AWS_OP_ERR);
        assert_eq!(aws_http_headers_get_index(h, 0, null_mut()), AWS_OP_ERR);
        assert_eq!(aws_http_headers_erase(h, wild), AWS_OP_ERR);
        assert_eq!(aws_http_message_set_request_method(m, wild), AWS_OP_ERR);
        assert_eq!(aws_http_message_get_request_path(m, null_mut()), AWS_OP_ERR);
        assert_eq!(last_error(), invalid);
        assert_eq!(aws_http_headers_get_index(h, 0, &mut std::mem::zeroed()), AWS_OP_ERR);
        assert_eq!(last_error(), Code::INVALID_INDEX.0);
        assert_eq!(aws_http_headers_get(h, c("n"), &mut out), AWS_OP_ERR);
        memory.fail_in.store(0, Ordering::SeqCst);
        assert_eq!(aws_http_headers_add(h, c("n"), c("v")), AWS_OP_ERR);
        assert_eq!(last_error(), Code::OOM.0);
        memory.fail_in.store(1, Ordering::SeqCst);
        assert!(aws_http_message_new_request(memory.get()).is_null(), "the message's own block");
        aws_http_headers_release(h);
        aws_http_message_release(m);
    }
    assert_eq!(memory.live(), 0);
}
