//! Writes request heads. Refuses what a server could read as something else: CR, LF or NUL in any
//! part, bad tokens, white space in a target (RFC 9112 sections 3 and 5).

use super::HeaderList;
use crate::base::{Code, Result};

/// A request head to be written. The caller adds `Host`, `Content-Length` and the like itself.
#[derive(Clone, Copy)]
pub struct RequestHead<'a> {
    pub method: &'a [u8],
    pub target: &'a [u8],
    pub headers: &'a [(&'a [u8], &'a [u8])],
}

/// Appends the head's bytes to `out`; on error `out` is as it was.
pub fn encode(head: &RequestHead<'_>, out: &mut Vec<u8>) -> Result<()> {
    encode_fields(head.method, head.target, head.headers.iter().copied(), out)
}

/// `encode` for an owned list.
pub fn encode_list(
    method: &[u8],
    target: &[u8],
    headers: &HeaderList,
    out: &mut Vec<u8>,
) -> Result<()> {
    encode_fields(method, target, headers.iter(), out)
}

fn encode_fields<'a>(
    method: &[u8],
    target: &[u8],
    fields: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let start = out.len();
    let result = write_fields(method, target, fields, out);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

fn write_fields<'a>(
    method: &[u8],
    target: &[u8],
    fields: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    out: &mut Vec<u8>,
) -> Result<()> {
    if !is_token(method) {
        return Err(Code::HTTP_INVALID_METHOD.into());
    }
    if !is_target(target) {
        return Err(Code::HTTP_INVALID_PATH.into());
    }
    out.reserve(512);
    out.extend_from_slice(method);
    out.push(b' ');
    out.extend_from_slice(target);
    out.extend_from_slice(b" HTTP/1.1\r\n");
    for (name, value) in fields {
        if !is_token(name) {
            return Err(Code::HTTP_INVALID_HEADER_NAME.into());
        }
        if !is_field_value(value) {
            return Err(Code::HTTP_INVALID_HEADER_VALUE.into());
        }
        out.extend_from_slice(name);
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.trim_ascii());
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
    Ok(())
}

/// `token` of RFC 9110 section 5.6.2.
pub fn is_token(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&b| TOKEN[b as usize])
}

/// A request target may not hold white space or control characters; all else goes out as given.
pub fn is_target(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&b| b > b' ' && b != 0x7f)
}

/// A field value: visible characters, space, tab and bytes above 127 (RFC 9110 section 5.5).
pub fn is_field_value(bytes: &[u8]) -> bool {
    bytes.iter().all(|&b| (b >= b' ' && b != 0x7f) || b == b'\t')
}

/// Appends `value` in decimal, without a temporary string.
pub fn push_decimal(mut value: u64, out: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        table[b] = c.is_ascii_alphanumeric()
            || matches!(
                c,
                b'!' | b'#'
                    | b'$'
                    | b'%'
                    | b'&'
                    | b'\''
                    | b'*'
                    | b'+'
                    | b'-'
                    | b'.'
                    | b'^'
                    | b'_'
                    | b'`'
                    | b'|'
                    | b'~'
            );
        b += 1;
    }
    table
};
