//! The canonical request: method, path, query, fields, names of the signed fields, payload hash.
//! All texts go into reused buffers; a field costs no allocation.

use super::encode::{push_encoded, push_recoded};
use crate::base::{Code, Result};

/// Fields that proxies add, drop or rewrite; signing one would break the request on its way.
pub fn is_unsigned_header(name: &[u8]) -> bool {
    UNSIGNED_HEADERS.iter().any(|n| n.eq_ignore_ascii_case(name))
}

/// Fields that signing itself writes: a caller's own would make two of them.
pub fn is_reserved_header(name: &[u8]) -> bool {
    RESERVED_HEADERS.iter().any(|n| n.eq_ignore_ascii_case(name))
}

/// The sorted fields of one request or trailer section.
#[derive(Default)]
pub(super) struct Fields {
    text: Vec<u8>,
    entries: Vec<Entry>,
    /// `name:value\n` for each name, values of equal names joined by commas.
    pub block: Vec<u8>,
    /// `name;name;name`
    pub names: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry {
    at: u32,
    name_len: u32,
    value_len: u32,
}

impl Fields {
    pub fn clear(&mut self) {
        self.text.clear();
        self.entries.clear();
        self.block.clear();
        self.names.clear();
    }

    pub fn push(&mut self, name: &[u8], value: &[u8]) -> Result<()> {
        let at = self.text.len();
        if at + name.len() + value.len() > FIELD_BYTES_MAX {
            return Err(Code::AUTH_SIGNING_ILLEGAL_REQUEST_HEADER.into());
        }
        self.text.extend_from_slice(name);
        self.text[at..].make_ascii_lowercase();
        push_squeezed(value, &mut self.text);
        self.entries.push(Entry {
            at: at as u32,
            name_len: name.len() as u32,
            value_len: (self.text.len() - at - name.len()) as u32,
        });
        Ok(())
    }

    /// Fills `block` and `names`.
    pub fn finish(&mut self) {
        let text = &self.text;
        // Stable: values of one name stay in the order of the message.
        self.entries.sort_by(|a, b| a.name(text).cmp(b.name(text)));
        let mut last: Option<&[u8]> = None;
        for entry in &self.entries {
            let name = entry.name(text);
            if last == Some(name) {
                self.block.push(b',');
            } else {
                if last.is_some() {
                    self.block.push(b'\n');
                    self.names.push(b';');
                }
                self.block.extend_from_slice(name);
                self.block.push(b':');
                self.names.extend_from_slice(name);
            }
            self.block.extend_from_slice(entry.value(text));
            last = Some(name);
        }
        if last.is_some() {
            self.block.push(b'\n');
        }
    }
}

impl Entry {
    fn name<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.at as usize..][..self.name_len as usize]
    }

    fn value<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.at as usize + self.name_len as usize..][..self.value_len as usize]
    }
}

/// Trims, and makes every run of white space one space.
fn push_squeezed(value: &[u8], out: &mut Vec<u8>) {
    let is_space = |b: u8| matches!(b, b' ' | 0x09..=0x0d);
    let start = value.iter().position(|&b| !is_space(b)).unwrap_or(value.len());
    let end = value.iter().rposition(|&b| !is_space(b)).map_or(start, |i| i + 1);
    let value = &value[start..end];
    if !value.iter().any(|&b| is_space(b)) {
        out.extend_from_slice(value);
        return;
    }
    let mut in_space = false;
    for &byte in value {
        if !is_space(byte) {
            out.push(byte);
        } else if !in_space {
            out.push(b' ');
        }
        in_space = is_space(byte);
    }
}

/// Splits a request target at its question mark; an absolute form loses scheme and authority.
pub(super) fn split_target(target: &[u8]) -> (&[u8], &[u8]) {
    let scheme = if target.starts_with(b"/") { None } else { memchr::memmem::find(target, b"://") };
    let target = match scheme {
        Some(colon) if !target[..colon].contains(&b'?') => {
            let rest = &target[colon + 3..];
            let end = rest.iter().position(|&b| b == b'/' || b == b'?').unwrap_or(rest.len());
            &rest[end..]
        }
        _ => target,
    };
    match memchr::memchr(b'?', target) {
        Some(mark) => (&target[..mark], &target[mark + 1..]),
        None => (target, b""),
    }
}

pub(super) fn push_path(path: &[u8], double_encode: bool, normalize: bool, out: &mut Vec<u8>) {
    if path.is_empty() {
        out.push(b'/');
        return;
    }
    match (double_encode, normalize) {
        (false, false) => out.extend_from_slice(path),
        (false, true) => push_normalized(path, out),
        (true, false) => push_encoded(path, true, out),
        (true, true) => {
            let mut normalized = Vec::with_capacity(path.len());
            push_normalized(path, &mut normalized);
            push_encoded(&normalized, true, out);
        }
    }
}

/// Takes out empty and dot segments, lets `..` remove its forerunner, keeps a last slash.
fn push_normalized(path: &[u8], out: &mut Vec<u8>) {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&b| b == b'/') {
        match segment {
            b"" | b"." => {}
            b".." => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    out.push(b'/');
    for (index, segment) in kept.iter().enumerate() {
        out.extend_from_slice(segment);
        if index + 1 < kept.len() || path.ends_with(b"/") {
            out.push(b'/');
        }
    }
}

/// The sorted query: parameters of the target, then `extra` ones that are encoded already.
pub(super) fn push_query(
    query: &[u8],
    extra: &[u8],
    scratch: &mut QueryScratch,
    out: &mut Vec<u8>,
) -> Result<()> {
    scratch.text.clear();
    scratch.entries.clear();
    for param in query.split(|&b| b == b'&').filter(|p| !p.is_empty()) {
        let (name, value) = match memchr::memchr(b'=', param) {
            Some(equals) => (&param[..equals], &param[equals + 1..]),
            None => (param, &b""[..]),
        };
        let at = scratch.text.len();
        push_recoded(name, &mut scratch.text)?;
        let name_len = scratch.text.len() - at;
        if is_reserved_param(&scratch.text[at..]) {
            return Err(Code::AUTH_SIGNING_ILLEGAL_REQUEST_QUERY_PARAM.into());
        }
        push_recoded(value, &mut scratch.text)?;
        scratch.entries.push((at, name_len, scratch.text.len() - at - name_len));
    }
    for param in extra.split(|&b| b == b'&').filter(|p| !p.is_empty()) {
        let at = scratch.text.len();
        let equals = memchr::memchr(b'=', param).unwrap_or(param.len());
        scratch.text.extend_from_slice(&param[..equals]);
        let value = param.get(equals + 1..).unwrap_or_default();
        scratch.text.extend_from_slice(value);
        scratch.entries.push((at, equals, value.len()));
    }
    let text = &scratch.text;
    scratch.entries.sort_by(|a, b| {
        let key =
            |e: &(usize, usize, usize)| (&text[e.0..e.0 + e.1], &text[e.0 + e.1..e.0 + e.1 + e.2]);
        key(a).cmp(&key(b))
    });
    for (index, (at, name_len, value_len)) in scratch.entries.iter().enumerate() {
        if index > 0 {
            out.push(b'&');
        }
        out.extend_from_slice(&text[*at..at + name_len]);
        out.push(b'=');
        out.extend_from_slice(&text[at + name_len..at + name_len + value_len]);
    }
    Ok(())
}

#[derive(Default)]
pub(super) struct QueryScratch {
    text: Vec<u8>,
    entries: Vec<(usize, usize, usize)>,
}

fn is_reserved_param(name: &[u8]) -> bool {
    RESERVED_PARAMS.iter().any(|n| n.eq_ignore_ascii_case(name))
}

const UNSIGNED_HEADERS: &[&[u8]] = &[
    b"x-amzn-trace-id",
    b"user-agent",
    b"connection",
    b"expect",
    b"transfer-encoding",
    b"upgrade",
    b"sec-websocket-key",
    b"sec-websocket-protocol",
    b"sec-websocket-version",
];

const RESERVED_HEADERS: &[&[u8]] = &[
    b"x-amz-content-sha256",
    b"x-amz-date",
    b"authorization",
    b"x-amz-region-set",
    b"x-amz-security-token",
];

const RESERVED_PARAMS: &[&[u8]] = &[
    b"x-amz-signature",
    b"x-amz-date",
    b"x-amz-credential",
    b"x-amz-algorithm",
    b"x-amz-signedheaders",
    b"x-amz-security-token",
    b"x-amz-expires",
    b"x-amz-region-set",
];

const FIELD_BYTES_MAX: usize = 16 * 1024 * 1024;
