//! `aws/common/uri.h`: a URI and its parts.

use std::ffi::c_int;
use std::io::Write;
use std::ops::Range;
use std::ptr::null;

use crate::base::{Code, Result};
use crate::ctypes::{aws_allocator, aws_array_list, aws_byte_buf, aws_byte_cursor};
use crate::ffi::raise::{AWS_OP_SUCCESS, op, raise};
use crate::text::{percent, uri};

/// A URI and cursors into its text. Made by `aws_uri_init_parse` or `aws_uri_init_from_builder_options`,
/// ended by `aws_uri_clean_up`.
#[repr(C)]
pub struct aws_uri {
    pub self_size: usize,
    pub allocator: *mut aws_allocator,
    /// The whole text.
    pub uri_str: aws_byte_buf,
    pub scheme: aws_byte_cursor,
    /// User, host and port.
    pub authority: aws_byte_cursor,
    pub userinfo: aws_byte_cursor,
    pub user: aws_byte_cursor,
    pub password: aws_byte_cursor,
    /// Without the brackets of an IPv6 address.
    pub host_name: aws_byte_cursor,
    /// 0 where the text has none.
    pub port: u32,
    pub path: aws_byte_cursor,
    pub query_string: aws_byte_cursor,
    pub path_and_query: aws_byte_cursor,
}

/// One parameter of a query.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_uri_param {
    pub key: aws_byte_cursor,
    pub value: aws_byte_cursor,
}

/// What a URI is built of. Empty parts are left out; of the two forms of the query at most one is
/// given.
#[repr(C)]
pub struct aws_uri_builder_options {
    pub scheme: aws_byte_cursor,
    pub path: aws_byte_cursor,
    pub host_name: aws_byte_cursor,
    /// 0 = none.
    pub port: u32,
    /// A list of aws_uri_param, or NULL.
    pub query_params: *mut aws_array_list,
    pub query_string: aws_byte_cursor,
}

const EMPTY: aws_uri = aws_uri {
    self_size: 0,
    allocator: std::ptr::null_mut(),
    uri_str: aws_byte_buf::EMPTY,
    scheme: aws_byte_cursor::EMPTY,
    authority: aws_byte_cursor::EMPTY,
    userinfo: aws_byte_cursor::EMPTY,
    user: aws_byte_cursor::EMPTY,
    password: aws_byte_cursor::EMPTY,
    host_name: aws_byte_cursor::EMPTY,
    port: 0,
    path: aws_byte_cursor::EMPTY,
    query_string: aws_byte_cursor::EMPTY,
    path_and_query: aws_byte_cursor::EMPTY,
};

/// Copies a URI and takes it apart. Nothing is decoded.
///
/// `uri`: written. `allocator`: borrowed, must outlive it. `uri_str`: borrowed for the call.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR, `uri` being zeroed, with AWS_ERROR_MALFORMED_INPUT_STRING,
/// AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Ended with aws_uri_clean_up(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_init_parse(
    uri: *mut aws_uri,
    allocator: *mut aws_allocator,
    uri_str: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let out = arg!(mut uri);
            *out = EMPTY;
            let Some(text) = arg!(uri_str).bytes() else { return raise(Code::INVALID_ARGUMENT) };
            *out = ok!(parsed(allocator, text));
        }
        AWS_OP_SUCCESS
    })
}

/// A URI in memory of its own.
unsafe fn parsed(allocator: *mut aws_allocator, text: &[u8]) -> Result<aws_uri> {
    let parts = uri::parse(text)?;
    // SAFETY: by the caller's contract.
    let copy = unsafe { aws_byte_buf::copy_of(allocator, text)? };
    // An absent part has no address: C programs tell it from an empty one by that.
    let part = |range: &Range<usize>| match range.is_empty() {
        true => aws_byte_cursor::EMPTY,
        false => aws_byte_cursor { len: range.len(), ptr: copy.buffer.wrapping_add(range.start) },
    };
    Ok(aws_uri {
        self_size: size_of::<aws_uri>(),
        allocator,
        uri_str: copy,
        scheme: part(&parts.scheme),
        authority: part(&parts.authority),
        userinfo: part(&parts.userinfo),
        user: part(&parts.user),
        password: part(&parts.password),
        host_name: part(&parts.host),
        port: parts.port,
        path: part(&parts.path),
        query_string: part(&parts.query),
        path_and_query: part(&parts.path_and_query),
    })
}

/// Builds a URI of its parts, which are not encoded.
///
/// `options`: borrowed for the call. Else as aws_uri_init_parse(); AWS_ERROR_INVALID_ARGUMENT where
/// both forms of the query are given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_init_from_builder_options(
    uri: *mut aws_uri,
    allocator: *mut aws_allocator,
    options: *mut aws_uri_builder_options,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let out = arg!(mut uri);
            *out = EMPTY;
            let Some(text) = built(arg!(options)) else { return raise(Code::INVALID_ARGUMENT) };
            *out = ok!(parsed(allocator, &text));
        }
        AWS_OP_SUCCESS
    })
}

unsafe fn built(options: &aws_uri_builder_options) -> Option<Vec<u8>> {
    // SAFETY: by the caller's contract.
    unsafe {
        let mut text = Vec::new();
        let scheme = options.scheme.bytes()?;
        if !scheme.is_empty() {
            text.extend_from_slice(scheme);
            text.extend_from_slice(b"://");
        }
        text.extend_from_slice(options.host_name.bytes()?);
        if options.port != 0 {
            // Writing to memory does not fail.
            let _ = write!(text, ":{}", options.port);
        }
        text.extend_from_slice(options.path.bytes()?);
        let query = options.query_string.bytes()?;
        match options.query_params.as_ref() {
            Some(_) if !query.is_empty() => return None,
            Some(params) => {
                text.push(b'?');
                for (at, param) in params.items::<aws_uri_param>()?.iter().enumerate() {
                    if at > 0 {
                        text.push(b'&');
                    }
                    text.extend_from_slice(param.key.bytes()?);
                    text.push(b'=');
                    text.extend_from_slice(param.value.bytes()?);
                }
            }
            None if !query.is_empty() => {
                text.push(b'?');
                text.extend_from_slice(query);
            }
            None => {}
        }
        Some(text)
    }
}

/// Frees a URI's text and zeroes the struct; NULL and a second call are nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_clean_up(uri: *mut aws_uri) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        if let Some(uri) = unsafe { uri.as_mut() } {
            // SAFETY: the caller gives the text up.
            unsafe { uri.uri_str.clean_up() };
            *uri = EMPTY;
        }
    })
}

/// The scheme, such as `https`; empty where the text has none.
///
/// `uri`: borrowed; the result lives as long as it. NULL gives NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_scheme(uri: *const aws_uri) -> *const aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(null(), |u| &raw const u.scheme) })
}

/// User, host and port as written; as aws_uri_scheme().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_authority(uri: *const aws_uri) -> *const aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(null(), |u| &raw const u.authority) })
}

/// The path as written, with its first slash; as aws_uri_scheme().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_path(uri: *const aws_uri) -> *const aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(null(), |u| &raw const u.path) })
}

/// The query as written, without its question mark; as aws_uri_scheme().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_query_string(uri: *const aws_uri) -> *const aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(null(), |u| &raw const u.query_string) })
}

/// Path and query as written; as aws_uri_scheme().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_path_and_query(uri: *const aws_uri) -> *const aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(null(), |u| &raw const u.path_and_query) })
}

/// The host, an IPv6 address without its brackets; as aws_uri_scheme().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_host_name(uri: *const aws_uri) -> *const aws_byte_cursor {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(null(), |u| &raw const u.host_name) })
}

/// The port; 0 where the text has none, and for NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_uri_port(uri: *const aws_uri) -> u32 {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { uri.as_ref() }.map_or(0, |u| u.port) })
}

/// Appends bytes percent-encoded as a query parameter: all but letters, digits and `-_.~`.
///
/// `buffer`: a buffer with an allocator; grows. `cursor`: borrowed for the call.
/// Returns as aws_byte_buf_append_dynamic(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_append_encoding_uri_param(
    buffer: *mut aws_byte_buf,
    cursor: *const aws_byte_cursor,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { append_encoded(buffer, cursor, percent::encode_param) } })
}

/// Appends bytes percent-encoded as a path: as aws_byte_buf_append_encoding_uri_param(), but
/// slashes stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_append_encoding_uri_path(
    buffer: *mut aws_byte_buf,
    cursor: *const aws_byte_cursor,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { append_encoded(buffer, cursor, percent::encode_path) } })
}

unsafe fn append_encoded(
    buffer: *mut aws_byte_buf,
    cursor: *const aws_byte_cursor,
    encode: fn(&[u8], &mut Vec<u8>),
) -> c_int {
    // SAFETY: by the caller's contract.
    unsafe {
        let Some(bytes) = arg!(cursor).bytes() else { return raise(Code::INVALID_ARGUMENT) };
        let buffer = arg!(mut buffer);
        let mut encoded = Vec::new();
        encode(bytes, &mut encoded);
        op(buffer.append_dynamic(&encoded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::alloc::tests as counted;
    use crate::ctypes::default_allocator;
    use crate::ffi::raise::last_error;
    use std::ptr::null_mut;

    unsafe fn text<'a>(cursor: *const aws_byte_cursor) -> &'a str {
        // SAFETY: called with the parts of a live URI.
        std::str::from_utf8(unsafe { (*cursor).bytes() }.expect("valid")).expect("ASCII")
    }

    #[test]
    fn parsed_uri_shows_its_parts() {
        let whole = aws_byte_cursor::of(b"https://u:p@[::1]:8443/a%20b?x=1&y");
        // SAFETY: the URI is cleaned up once.
        unsafe {
            let mut uri = EMPTY;
            assert_eq!(aws_uri_init_parse(&mut uri, default_allocator(), &whole), 0);
            assert_eq!(text(aws_uri_scheme(&uri)), "https");
            assert_eq!(text(aws_uri_authority(&uri)), "u:p@[::1]:8443");
            assert_eq!(text(aws_uri_host_name(&uri)), "::1");
            assert_eq!(aws_uri_port(&uri), 8443);
            assert_eq!(text(aws_uri_path(&uri)), "/a%20b");
            assert_eq!(text(aws_uri_query_string(&uri)), "x=1&y");
            assert_eq!(text(aws_uri_path_and_query(&uri)), "/a%20b?x=1&y");
            assert_eq!((text(&uri.user), text(&uri.password)), ("u", "p"));
            assert_eq!(uri.self_size, size_of::<aws_uri>());
            aws_uri_clean_up(&mut uri);
            aws_uri_clean_up(&mut uri);
            let bare = aws_byte_cursor::of(b"localhost:9000");
            assert_eq!(aws_uri_init_parse(&mut uri, default_allocator(), &bare), 0);
            assert_eq!((text(aws_uri_host_name(&uri)), aws_uri_port(&uri)), ("localhost", 9000));
            assert!((*aws_uri_path(&uri)).ptr.is_null());
            aws_uri_clean_up(&mut uri);
        }
    }

    #[test]
    fn bad_uris_leave_a_zeroed_struct() {
        // SAFETY: NULL and bad texts are what is tried.
        unsafe {
            let a = counted::counting(9);
            let mut uri = EMPTY;
            for bad in ["", "https://", "https:/x", "http://[::1", "http://h:99999999999"] {
                uri.port = 1;
                let cursor = aws_byte_cursor::of(bad.as_bytes());
                assert_eq!(aws_uri_init_parse(&mut uri, a, &cursor), -1, "{bad}");
                assert_eq!(last_error(), Code::MALFORMED_INPUT_STRING.0);
                assert!(uri.port == 0 && uri.uri_str.buffer.is_null());
            }
            assert_eq!(counted::LIVE.get(), 0);
            let good = aws_byte_cursor::of(b"h");
            assert_eq!(aws_uri_init_parse(null_mut(), a, &good), -1);
            assert_eq!(aws_uri_init_parse(&mut uri, a, null()), -1);
            assert_eq!(aws_uri_init_parse(&mut uri, null_mut(), &good), -1);
            let null_text = aws_byte_cursor { len: 1, ptr: null_mut() };
            assert_eq!(aws_uri_init_parse(&mut uri, a, &null_text), -1);
            assert!(aws_uri_scheme(null()).is_null());
            assert_eq!(aws_uri_port(null()), 0);
            aws_uri_clean_up(null_mut());
        }
    }

    #[test]
    fn built_uri_has_its_parts_in_order() {
        // SAFETY: the URI is cleaned up once.
        unsafe {
            let mut list =
                aws_array_list::of::<aws_uri_param>(default_allocator(), 2).expect("memory");
            for (key, value) in [("a", "1"), ("b", "")] {
                let param = aws_uri_param {
                    key: aws_byte_cursor::of(key.as_bytes()),
                    value: aws_byte_cursor::of(value.as_bytes()),
                };
                list.push(param).expect("memory");
            }
            let mut options = aws_uri_builder_options {
                scheme: aws_byte_cursor::of(b"http"),
                path: aws_byte_cursor::of(b"/p"),
                host_name: aws_byte_cursor::of(b"h"),
                port: 80,
                query_params: &mut list,
                query_string: aws_byte_cursor::EMPTY,
            };
            let mut uri = EMPTY;
            let a = default_allocator();
            assert_eq!(aws_uri_init_from_builder_options(&mut uri, a, &mut options), 0);
            assert_eq!(uri.uri_str.bytes(), Some(&b"http://h:80/p?a=1&b="[..]));
            aws_uri_clean_up(&mut uri);
            options.query_string = aws_byte_cursor::of(b"x=y");
            assert_eq!(aws_uri_init_from_builder_options(&mut uri, a, &mut options), -1);
            options.query_params = null_mut();
            assert_eq!(aws_uri_init_from_builder_options(&mut uri, a, &mut options), 0);
            assert_eq!(uri.uri_str.bytes(), Some(&b"http://h:80/p?x=y"[..]));
            aws_uri_clean_up(&mut uri);
            list.clean_up();
        }
    }

    #[test]
    fn encoding_appends_to_what_is_there() {
        // SAFETY: the buffer is cleaned up once.
        unsafe {
            let mut buf = aws_byte_buf::copy_of(default_allocator(), b"=").expect("memory");
            let input = aws_byte_cursor::of(b"a/b c");
            assert_eq!(aws_byte_buf_append_encoding_uri_param(&mut buf, &input), 0);
            assert_eq!(aws_byte_buf_append_encoding_uri_path(&mut buf, &input), 0);
            assert_eq!(buf.bytes(), Some(&b"=a%2Fb%20ca/b%20c"[..]));
            assert_eq!(aws_byte_buf_append_encoding_uri_param(null_mut(), &input), -1);
            assert_eq!(aws_byte_buf_append_encoding_uri_param(&mut buf, null()), -1);
            buf.clean_up();
        }
    }
}
