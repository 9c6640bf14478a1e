//! The source of a copy, in the forms that callers give: `bucket/key`, `/bucket/key` and an access
//! point's ARN, raw or percent-encoded, with or without `?versionId=`.

use crate::base::{Code, Result};
use crate::text::percent;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopySource {
    /// A bucket's name, or `arn:..:accesspoint/name` up to its `/object/`.
    pub bucket: String,
    /// The key, percent-encoded once. Does not begin with the slash that separates it.
    pub key: String,
    /// `versionId=..`, or empty.
    pub query: String,
}

impl CopySource {
    /// S3 decodes the field's value once, and reads `+` as a space: so every byte that is not
    /// plain is encoded here, escapes that are there already stay as they are.
    pub fn parse(value: &[u8]) -> Result<CopySource> {
        let invalid = || crate::base::Error::new(Code::INVALID_ARGUMENT);
        let value = value.trim_ascii();
        let value = value.strip_prefix(b"/").unwrap_or(value);
        let (path, query) = split_version(value);
        let (bucket, key) = if path.starts_with(b"arn:") {
            let object = memchr::memmem::find(path, b"/object/").ok_or_else(invalid)?;
            (&path[..object], &path[object + b"/object/".len()..])
        } else {
            let slash = memchr::memchr(b'/', path).ok_or_else(invalid)?;
            (&path[..slash], &path[slash + 1..])
        };
        let plain = |text: &[u8]| text.iter().all(u8::is_ascii_graphic);
        if bucket.is_empty() || key.is_empty() || !plain(bucket) || !plain(query) {
            return Err(invalid());
        }
        Ok(CopySource {
            bucket: String::from_utf8(bucket.to_vec()).map_err(|_| invalid())?,
            key: encode_once(key),
            query: String::from_utf8(query.to_vec()).map_err(|_| invalid())?,
        })
    }

    pub fn is_access_point(&self) -> bool {
        self.bucket.starts_with("arn:")
    }

    /// The value to send as `x-amz-copy-source`.
    pub fn header_value(&self) -> Vec<u8> {
        let between = if self.is_access_point() { "/object/" } else { "/" };
        let mut text = format!("{}{between}{}", self.bucket, self.key);
        if !self.query.is_empty() {
            text.push('?');
            text.push_str(&self.query);
        }
        text.into_bytes()
    }

    /// The target of a request on the source: the key, behind its bucket in path style.
    pub fn target(&self, path_style: bool) -> String {
        let mut target = String::from("/");
        if path_style {
            target.push_str(&self.bucket);
            target.push('/');
        }
        target.push_str(&self.key);
        if !self.query.is_empty() {
            target.push('?');
            target.push_str(&self.query);
        }
        target
    }
}

/// A question mark may be part of a raw key: only one before `versionId=` begins a query.
fn split_version(value: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memmem::rfind(value, b"?versionId=") {
        Some(mark) => (&value[..mark], &value[mark + 1..]),
        None => (value, b""),
    }
}

fn encode_once(key: &[u8]) -> String {
    let mut out = Vec::with_capacity(key.len());
    let mut rest = key;
    while let Some((&byte, tail)) = rest.split_first() {
        let escape = byte == b'%'
            && tail.len() >= 2
            && tail[0].is_ascii_hexdigit()
            && tail[1].is_ascii_hexdigit();
        if escape {
            out.extend_from_slice(&rest[..3]);
            rest = &rest[3..];
        } else {
            percent::encode_path(&[byte], &mut out);
            rest = tail;
        }
    }
    String::from_utf8(out).expect("percent encoding leaves only ASCII")
}
