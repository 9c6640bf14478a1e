//! Every response is told whole and split at every byte; the stories must be the same.

use super::decoder::tell;
use super::*;
use crate::base::Code;

const GET: RequestKind = RequestKind { is_head: false };
const HEAD: RequestKind = RequestKind { is_head: true };

/// The story of a response, after checking that no split changes it.
fn story(kind: RequestKind, bytes: &[u8]) -> Vec<String> {
    let whole = tell(kind, bytes, usize::MAX);
    for split in 1..bytes.len().min(600) {
        assert_eq!(whole, tell(kind, bytes, split), "split into pieces of {split}");
    }
    whole
}

fn ends_with(kind: RequestKind, bytes: &[u8], end: &str) {
    let story = story(kind, bytes);
    assert_eq!(story.last().map(String::as_str), Some(end), "{story:?}");
}

fn refused(bytes: &[u8]) {
    ends_with(GET, bytes, "error AWS_ERROR_HTTP_PROTOCOL_ERROR");
}

fn body(bytes: &[u8]) -> String {
    format!("body {bytes:?}")
}

#[test]
fn response_with_content_length_gives_its_body() {
    let story = story(GET, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"x\"\r\n\r\nhello");
    assert!(story[0].starts_with("head 200 "), "{story:?}");
    assert_eq!(story[1..], [body(b"hello"), "end true []".into()]);
}

#[test]
fn response_with_more_bytes_than_its_length_ends_at_its_length() {
    ends_with(
        GET,
        b"HTTP/1.1 200 OK\r\ncontent-length:  3 \r\n\r\nabcHTTP/1.1 500 x",
        "end true []",
    );
}

#[test]
fn response_cut_in_its_body_is_no_end() {
    let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    for cut in 0..whole.len() {
        let story = tell(GET, &whole[..cut], usize::MAX);
        assert_eq!(
            story.last().unwrap(),
            "eof Err(Error { code: AWS_ERROR_HTTP_CONNECTION_CLOSED, errno: 0, call: \"\" })"
        );
    }
}

#[test]
fn response_to_head_has_no_body_but_a_length() {
    ends_with(HEAD, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "end true []");
    let mut decoder = Decoder::new(HEAD);
    let step = decoder.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").unwrap();
    let Event::Head(head) = step.event else { panic!("{step:?}") };
    assert_eq!(head.content_length(), Some(5));
    assert_eq!(decoder.body_allowance(), 0);
    assert!(decoder.is_complete());
}

#[test]
fn response_without_content_has_no_body() {
    for status in ["204 No Content", "304 Not Modified"] {
        let text = format!("HTTP/1.1 {status}\r\nContent-Length: 7\r\n\r\n");
        ends_with(GET, text.as_bytes(), "end true []");
    }
}

#[test]
fn informational_answers_come_before_the_head() {
    let story = story(
        GET,
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n\
          HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    );
    assert_eq!(story[..2], ["Informational(100)".to_owned(), "Informational(103)".to_owned()]);
    assert_eq!(story.last().unwrap(), "end true []");
}

#[test]
fn informational_answers_without_end_are_refused() {
    refused(&b"HTTP/1.1 100 Continue\r\n\r\n".repeat(40));
    refused(b"HTTP/1.1 101 Switching Protocols\r\n\r\n");
}

#[test]
fn chunked_body_with_extensions_and_trailers_is_read() {
    let story = story(
        GET,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
          4;name=\"a;\"\r\nWiki\r\n00005 \r\npedia\r\n0\r\nx-t: 1\r\n\r\n",
    );
    assert_eq!(story[1], body(b"Wikipedia"));
    assert_eq!(story[2], format!("end true {:?}", [(b"x-t".to_vec(), b"1".to_vec())]));
}

#[test]
fn chunked_body_with_bad_framing_is_refused() {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for chunks in [
        &b"x\r\n"[..],
        b"\r\n",
        b"-1\r\n",
        b"+1\r\na\r\n",
        b"0x1\r\na\r\n",
        b"1\na\r\n",
        b"1\r\nab\r\n",
        b"1\r\na\n",
        b"1\r\na\rX",
        b"11111111111111111\r\n",
        b"1;\x01\r\na",
        b"0\r\nbad trailer\r\n\r\n",
        b"0\r\n: x\r\n\r\n",
        b"0\r\nA: b\n\n",
    ] {
        let mut bytes = head.to_vec();
        bytes.extend_from_slice(chunks);
        refused(&bytes);
    }
}

#[test]
fn chunked_body_cut_anywhere_is_no_end() {
    let whole =
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n";
    for cut in 0..whole.len() {
        let story = tell(GET, &whole[..cut], 7);
        assert!(story.last().unwrap().starts_with("eof Err"), "{cut} {story:?}");
    }
    ends_with(GET, whole, &format!("end true {:?}", [(b"A".to_vec(), b"b".to_vec())]));
}

#[test]
fn body_without_length_ends_with_the_connection() {
    ends_with(GET, b"HTTP/1.1 200 OK\r\n\r\nall of it", "eof Ok(End { keep_alive: false })");
    ends_with(GET, b"HTTP/1.0 200 OK\r\n\r\n", "eof Ok(End { keep_alive: false })");
}

#[test]
fn length_given_twice_differently_is_refused() {
    refused(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!");
    refused(b"HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello!");
    ends_with(
        GET,
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "end true []",
    );
}

#[test]
fn length_that_is_no_number_is_refused() {
    for value in ["", "-1", "+5", "5x", "0x5", "5 5", "18446744073709551616", "5,"] {
        let text = format!("HTTP/1.1 200 OK\r\nContent-Length: {value}\r\n\r\n");
        refused(text.as_bytes());
    }
}

#[test]
fn length_beside_transfer_coding_is_refused() {
    refused(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n");
    refused(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
    refused(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n");
    refused(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n");
    refused(b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
}

#[test]
fn head_that_is_malformed_is_refused() {
    for head in [
        &b"\r\nHTTP/1.1 200 OK\r\n\r\n"[..],
        b"HTTP/1.1 200 OK\n\n",
        b"HTTP/1.1 200 OK\r\nA: b\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n",
        b"HTTP/2.0 200 OK\r\n\r\n",
        b"HTTP/1.1 20 OK\r\n\r\n",
        b"HTTP/1.1 099 OK\r\n\r\n",
        b"ICY 200 OK\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
    ] {
        refused(head);
    }
}

#[test]
fn head_larger_than_the_bound_is_refused() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nA: ".to_vec();
    bytes.resize(HEAD_BYTES_MAX + 1, b'x');
    let story = tell(GET, &bytes, 4096);
    assert_eq!(story.last().unwrap(), "error AWS_ERROR_HTTP_PROTOCOL_ERROR");
    bytes.truncate(HEAD_BYTES_MAX - 4);
    bytes.extend_from_slice(b"\r\n\r\n");
    assert!(tell(GET, &bytes, 4096)[0].starts_with("head 200"));
}

#[test]
fn head_with_many_fields_is_read() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n".to_vec();
    for index in 0..500 {
        bytes.extend_from_slice(format!("x-amz-meta-{index}: {index}\r\n").as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    let mut decoder = Decoder::new(GET);
    let Event::Head(head) = decoder.feed(&bytes).unwrap().event else { panic!() };
    assert_eq!(head.headers.len(), 501);
    assert_eq!(head.get("X-AMZ-META-499"), Some(&b"499"[..]));
}

#[test]
fn connection_is_kept_as_version_and_options_say() {
    for (version, field, keep) in [
        ("1.1", "", true),
        ("1.1", "Connection: close\r\n", false),
        ("1.1", "Connection: foo, Close\r\n", false),
        ("1.0", "", false),
        ("1.0", "Connection: keep-alive\r\n", true),
        ("1.0", "Connection: keep-alive\r\nConnection: close\r\n", false),
    ] {
        let text = format!("HTTP/{version} 200 OK\r\n{field}Content-Length: 0\r\n\r\n");
        ends_with(GET, text.as_bytes(), &format!("end {keep} []"));
    }
}

#[test]
fn body_received_straight_from_the_socket_is_counted() {
    let mut decoder = Decoder::new(GET);
    assert!(!decoder.has_seen_bytes());
    let head = b"HTTP/1.1 206 Partial Content\r\nContent-Length: 1000\r\n\r\nabc";
    let step = decoder.feed(head).unwrap();
    assert!(matches!(step.event, Event::Head(_)));
    let rest = &head[step.consumed..];
    let step = decoder.feed(rest).unwrap();
    assert_eq!((step.consumed, step.event), (0, Event::Body { len: 3 }));
    decoder.advance(2);
    assert_eq!(decoder.body_allowance(), 998);
    decoder.advance(998);
    assert_eq!(decoder.body_allowance(), 0);
    assert_eq!(decoder.feed(b"").unwrap().event, Event::End { keep_alive: true });
    assert!(decoder.feed(b"").is_err());
    decoder.reset(HEAD);
    assert!(!decoder.has_seen_bytes());
    assert_eq!(decoder.feed(b"HTTP").unwrap().event, Event::NeedMore);
}

#[test]
fn answer_to_connect_has_no_body() {
    let mut decoder = Decoder::for_connect();
    let step = decoder.feed(b"HTTP/1.1 200 Established\r\n\r\nTLS").unwrap();
    assert!(matches!(step.event, Event::Head(_)));
    assert!(decoder.is_complete());
}

#[test]
fn request_head_is_written_as_given() {
    let mut out = Vec::new();
    let head = RequestHead {
        method: b"GET",
        target: b"/a//b?c=d%20e",
        headers: &[(b"Host", b"h:9000"), (b"Range", b" bytes=0-1 ")],
    };
    encode(&head, &mut out).unwrap();
    assert_eq!(out, b"GET /a//b?c=d%20e HTTP/1.1\r\nHost: h:9000\r\nRange: bytes=0-1\r\n\r\n");
}

#[test]
fn request_head_that_could_split_is_refused_and_leaves_nothing() {
    let refused = |method: &[u8], target: &[u8], name: &[u8], value: &[u8]| {
        let mut out = b"before".to_vec();
        let head = RequestHead { method, target, headers: &[(name, value)] };
        let code = encode(&head, &mut out).unwrap_err().code;
        assert_eq!(out, b"before");
        code
    };
    assert_eq!(refused(b"GE T", b"/", b"a", b"b"), Code::HTTP_INVALID_METHOD);
    assert_eq!(refused(b"", b"/", b"a", b"b"), Code::HTTP_INVALID_METHOD);
    assert_eq!(refused(b"GET", b"/a b", b"a", b"b"), Code::HTTP_INVALID_PATH);
    assert_eq!(refused(b"GET", b"/a\r\nX: y", b"a", b"b"), Code::HTTP_INVALID_PATH);
    assert_eq!(refused(b"GET", b"/", b"a:", b"b"), Code::HTTP_INVALID_HEADER_NAME);
    assert_eq!(refused(b"GET", b"/", b"", b"b"), Code::HTTP_INVALID_HEADER_NAME);
    for value in [&b"a\r\nb"[..], b"a\nb", b"a\0b", b"a\x7f"] {
        assert_eq!(refused(b"GET", b"/", b"a", value), Code::HTTP_INVALID_HEADER_VALUE);
    }
}

#[test]
fn header_list_set_replaces_all_at_the_first_place() {
    let mut list = HeaderList::new();
    for (name, value) in [("A", "1"), ("B", "2"), ("a", "3"), ("C", "4")] {
        list.push(name.as_bytes(), value.as_bytes());
    }
    list.set(b"a", b"9");
    let fields: Vec<_> = list.iter().map(|(n, v)| [n, v].concat()).collect();
    assert_eq!(fields, [b"a9".to_vec(), b"B2".to_vec(), b"C4".to_vec()]);
    assert_eq!(list.remove(b"b"), 1);
    assert_eq!(list.get("c"), Some(&b"4"[..]));
    list.set(b"new", b"n");
    assert_eq!(list.get_str("New"), Some("n"));
    assert_eq!(list.len(), 3);
}

#[test]
fn debug_of_a_header_list_shows_no_value() {
    let mut list = HeaderList::new();
    list.push(b"Authorization", b"secret");
    assert!(!format!("{list:?}").contains("secret"));
}

#[test]
fn decimal_of_any_size_is_written() {
    for value in [0, 7, 10, 123_456, u64::MAX] {
        let mut out = Vec::new();
        push_decimal(value, &mut out);
        assert_eq!(out, value.to_string().as_bytes());
    }
}

#[test]
fn fuzz_http1_corpus_tells_one_story() {
    let seeds: &[&[u8]] = &[
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0\r\nT: x\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Nope\r\nConnection: keep-alive\r\n\r\nxyz",
        b"HTTP/1.1 206 \r\nContent-Range: bytes 0-1/2\r\nContent-Length: 2, 2\r\n\r\nab",
    ];
    for seed in seeds {
        for choice in [0u8, 1, 4, 7, 14] {
            for at in 0..seed.len() {
                for byte in [b'\r', b'\n', b' ', b':', b'0', b'f', 0, 0xff] {
                    let mut input = vec![choice];
                    input.extend_from_slice(seed);
                    input[at + 1] = byte;
                    fuzz_http1(&input);
                    input.truncate(at + 1);
                    fuzz_http1(&input);
                }
            }
        }
    }
}
