//! Percent encoding (RFC 3986 section 2): letters, digits and `-_.~` stand for themselves.

use crate::base::{Code, Result};

/// For one path: slashes stay.
pub fn encode_path(bytes: &[u8], out: &mut Vec<u8>) {
    encode(bytes, |b| is_unreserved(b) || b == b'/', out);
}

/// For a query parameter or one path segment.
pub fn encode_param(bytes: &[u8], out: &mut Vec<u8>) {
    encode(bytes, is_unreserved, out);
}

/// Encodes all bytes that `keep` does not keep; hex in capitals.
pub fn encode(bytes: &[u8], keep: impl Fn(u8) -> bool, out: &mut Vec<u8>) {
    out.reserve(bytes.len());
    for &byte in bytes {
        if keep(byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(&[
                b'%',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]);
        }
    }
}

/// `%41` becomes `A`; a `%` without two hex digits is an error. `+` is a plus.
pub fn decode(bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    out.reserve(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let (Some(high), Some(low)) = (tail.first().and_then(hex), tail.get(1).and_then(hex))
        else {
            return Err(Code::MALFORMED_INPUT_STRING.into());
        };
        out.push(high << 4 | low);
        rest = &tail[2..];
    }
    Ok(())
}

pub fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
}

fn hex(digit: &u8) -> Option<u8> {
    (*digit as char).to_digit(16).map(|d| d as u8)
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";
