//! An owned request head: what a caller gave, or what one request will send.

use crate::base::Result;
use crate::http1::{self, HeaderList};
use std::borrow::Cow;

#[derive(Clone, PartialEq, Eq, Default)]
pub struct Message {
    pub method: Cow<'static, str>,
    /// Path and query as they go out, byte for byte.
    pub target: String,
    pub headers: HeaderList,
}

impl Message {
    pub fn new(method: impl Into<Cow<'static, str>>, target: impl Into<String>) -> Message {
        Message { method: method.into(), target: target.into(), headers: HeaderList::new() }
    }

    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.get(name)
    }

    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(&self.target, |(path, _)| path)
    }

    pub fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// Whether the query has a parameter of that name.
    pub fn has_param(&self, name: &str) -> bool {
        self.query().split('&').any(|param| param.split('=').next() == Some(name))
    }

    /// Appends the head's bytes.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        http1::encode_list(self.method.as_bytes(), self.target.as_bytes(), &self.headers, out)
    }

    /// Appends `name` or `name=value` to the query.
    pub(super) fn push_param(&mut self, text: &str) {
        self.target.push(if self.target.contains('?') { '&' } else { '?' });
        self.target.push_str(text);
    }
}

/// Values may be secrets: the header list shows its names only.
impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {:?}", self.method, self.path(), self.headers)
    }
}
