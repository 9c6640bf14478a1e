//! URIs cut into parts (RFC 3986 section 3). Nothing is decoded: the parts are offsets, so that a
//! caller's path goes to the wire byte for byte.

use crate::base::{Code, Result};
use std::ops::Range;

/// Parts of a URI as offsets into its text. An absent part is an empty range.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UriParts {
    pub scheme: Range<usize>,
    pub authority: Range<usize>,
    pub userinfo: Range<usize>,
    pub user: Range<usize>,
    pub password: Range<usize>,
    /// Without the brackets of an IPv6 literal.
    pub host: Range<usize>,
    /// 0 where none is written.
    pub port: u32,
    pub path: Range<usize>,
    /// Without the question mark.
    pub query: Range<usize>,
    pub path_and_query: Range<usize>,
}

/// Cuts `text`. The scheme may be left out, and so may the authority before a path.
pub fn parse(text: &[u8]) -> Result<UriParts> {
    let mut parts = UriParts::default();
    let mut at = 0;
    let first = text.iter().position(|b| matches!(b, b':' | b'/' | b'?')).unwrap_or(text.len());
    // "host:443" is no scheme; "x:/" begins one and must go on as one.
    if text[first..].starts_with(b":/") {
        if !text[first..].starts_with(b"://") {
            return Err(malformed());
        }
        parts.scheme = 0..first;
        at = first + 3;
    }
    if at == text.len() {
        return Err(malformed());
    }
    let end = find(text, at, |b| b == b'/' || b == b'?').unwrap_or(text.len());
    parts.authority = at..end;
    parse_authority(text, &mut parts)?;
    parts.path_and_query = end..text.len();
    let path_end = find(text, end, |b| b == b'?').unwrap_or(text.len());
    parts.path = end..path_end;
    if path_end < text.len() {
        parts.query = path_end + 1..text.len();
    }
    Ok(parts)
}

/// The parameters of a query, in order; empty ones are passed over, a name alone has an empty value.
pub fn params(query: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    query.split(|&b| b == b'&').filter(|param| !param.is_empty()).map(|param| {
        let equals = memchr::memchr(b'=', param).unwrap_or(param.len());
        (&param[..equals], param.get(equals + 1..).unwrap_or_default())
    })
}

/// `authority = [ userinfo "@" ] host [ ":" port ]` (section 3.2).
fn parse_authority(text: &[u8], parts: &mut UriParts) -> Result<()> {
    let Range { mut start, end } = parts.authority.clone();
    let authority = &text[..end];
    if let Some(at_sign) = find(authority, start, |b| b == b'@') {
        parts.userinfo = start..at_sign;
        match find(&text[..at_sign], start, |b| b == b':') {
            Some(colon) => {
                parts.user = start..colon;
                parts.password = colon + 1..at_sign;
            }
            None => parts.user = parts.userinfo.clone(),
        }
        start = at_sign + 1;
    }
    let port_from;
    if authority.get(start) == Some(&b'[') {
        let bracket = find(authority, start, |b| b == b']').ok_or_else(malformed)?;
        parts.host = start + 1..bracket;
        if bracket + 1 < end && text[bracket + 1] != b':' {
            return Err(malformed());
        }
        port_from = bracket + 1;
    } else {
        port_from = find(authority, start, |b| b == b':').unwrap_or(end);
        parts.host = start..port_from;
    }
    if port_from + 1 < end {
        parts.port = parse_port(&text[port_from + 1..end])?;
    }
    Ok(())
}

fn parse_port(digits: &[u8]) -> Result<u32> {
    let mut port = 0u32;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return Err(malformed());
        }
        port = port
            .checked_mul(10)
            .and_then(|p| p.checked_add(u32::from(digit - b'0')))
            .ok_or_else(malformed)?;
    }
    Ok(port)
}

fn find(text: &[u8], from: usize, test: impl Fn(u8) -> bool) -> Option<usize> {
    text[from..].iter().position(|&b| test(b)).map(|i| i + from)
}

fn malformed() -> crate::base::Error {
    Code::MALFORMED_INPUT_STRING.into()
}
