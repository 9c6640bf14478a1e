//! The script: which requests are hit, and by what.
//!
//! ```json
//! {
//!   "rules": [
//!     { "name": "part 2 breaks once",
//!       "match": { "op": "UploadPart", "query": { "partNumber": "2" } },
//!       "skip": 0, "times": 1,
//!       "do": { "status": 500, "body": "<Error><Code>InternalError</Code></Error>" } }
//!   ],
//!   "objects": [ { "path": "/bucket/key", "size": 25165824, "etag": "\"abc\"" } ],
//!   "keep_alive_max": 0, "max_in_flight": 0
//! }
//! ```
//! Every text in `match` may hold `*`. The first rule that matches and is not used up is served;
//! a rule lets `skip` matching requests by, then hits `times` of them (all, where it is absent),
//! each with probability `chance` (seeded by `seed`).

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    pub rules: Vec<Rule>,
    pub objects: Vec<ObjectSpec>,
    /// Requests a connection answers before it is closed; 0 = no end.
    pub keep_alive_max: u64,
    /// The last reply before that close does not say so.
    pub silent_close: bool,
    /// 503 SlowDown while more requests than this are being answered; 0 = never.
    pub max_in_flight: u64,
    pub seed: u64,
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub struct Rule {
    pub name: String,
    #[serde(rename = "match")]
    pub matching: Match,
    pub skip: u64,
    pub times: Option<u64>,
    pub chance: Option<f64>,
    #[serde(rename = "do")]
    pub fault: Fault,
    #[serde(skip)]
    pub seen: u64,
    #[serde(skip)]
    pub hits: u64,
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub struct Match {
    /// "request" (where absent), or "accept": the connection, before anything is read.
    pub on: Option<String>,
    pub method: Option<String>,
    pub path: Option<String>,
    /// The S3 operation, by name; see `http::operation`.
    pub op: Option<String>,
    /// A value of `null` asks that the parameter is absent.
    pub query: BTreeMap<String, Option<String>>,
    /// Names in lower case; `null` asks that the header is absent.
    pub headers: BTreeMap<String, Option<String>>,
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub struct Fault {
    // The answer. Without `status` and `raw` it is the normal one, changed by what follows.
    pub status: Option<u16>,
    pub reason: Option<String>,
    pub headers: BTreeMap<String, String>,
    pub body: Option<String>,
    /// The body is this many bytes, `body` (or "x") repeated.
    pub body_size: Option<u64>,
    /// With `status`: the request is executed before the scripted answer is given.
    pub execute: bool,
    /// With `status`: answered before the request's body is read.
    pub early: bool,
    /// Bytes written as they are, in place of an answer; then the connection closes.
    pub raw: Option<String>,
    /// Bytes written before the head (an informational answer, say).
    pub before: Option<String>,

    // Changes of the answer's head.
    /// `null` removes the header.
    pub set_headers: BTreeMap<String, Option<String>>,
    /// Content-Length says this; the body has the length it has.
    pub content_length: Option<u64>,
    /// Transfer-Encoding: chunked, with chunks of this many bytes.
    pub chunked: Option<usize>,
    /// Neither length nor chunks: the body ends with the connection.
    pub until_close: bool,
    /// The connection closes after the answer, which says so.
    pub close: bool,

    // Time.
    pub delay_head_ms: u64,
    pub delay_body_ms: u64,
    /// Writes are cut into pieces of this many bytes, ...
    pub piece: Option<usize>,
    /// ... with this pause after each.
    pub pause_ms: u64,
    /// Bytes of body in a second.
    pub rate: Option<u64>,

    // Ends.
    /// The connection ends after this many bytes of the head.
    pub cut_head_after: Option<usize>,
    /// ... of the answer's body.
    pub cut_after: Option<u64>,
    /// ... of the request's body.
    pub cut_request_after: Option<u64>,
    /// Where the connection is cut, it is reset (RST) rather than closed.
    pub reset: bool,
    /// Where the connection is cut, it stays open and silent instead, for so long or until the
    /// client goes.
    pub hang: bool,
    pub hang_ms: Option<u64>,

    // Content.
    /// One bit of this byte of the answer's body is wrong.
    pub corrupt_at: Option<u64>,
    /// The body ends early by so many bytes while the head keeps its length.
    pub set_object: Option<ObjectSpec>,
}

/// A synthetic object: content by rule, no memory.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectSpec {
    pub path: String,
    pub size: u64,
    pub etag: Option<String>,
    pub headers: BTreeMap<String, String>,
    /// The content is that of this key instead of its own.
    pub content_of: Option<String>,
    /// The checksum of the whole object that GET and HEAD give, computed here.
    pub checksum: Option<String>,
    /// Sizes of its parts, for `?partNumber=`.
    pub parts: Vec<u64>,
    pub gone: bool,
}

impl Fault {
    /// Whether the normal answer is made at all.
    pub fn executes(&self) -> bool {
        (self.status.is_none() && self.raw.is_none()) || self.execute
    }

    /// A cut without any place named is one before the answer.
    pub fn cuts_at_once(&self) -> bool {
        (self.reset || self.hang)
            && self.cut_after.is_none()
            && self.cut_head_after.is_none()
            && self.cut_request_after.is_none()
    }
}

/// `*` stands for any run of bytes.
pub fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((front, rest)) => {
            let Some(tail) = text.strip_prefix(front) else { return false };
            (0..=tail.len()).filter(|&i| tail.is_char_boundary(i)).any(|i| glob(rest, &tail[i..]))
        }
    }
}

fn all<'a>(
    wanted: &BTreeMap<String, Option<String>>,
    find: impl Fn(&str) -> Option<&'a str>,
) -> bool {
    wanted.iter().all(|(name, pattern)| match (pattern, find(name)) {
        (None, found) => found.is_none(),
        (Some(p), Some(found)) => glob(p, found),
        (Some(_), None) => false,
    })
}

impl Match {
    pub fn fits(&self, request: &crate::http::Request) -> bool {
        self.on.as_deref().unwrap_or("request") == "request"
            && self.method.as_deref().is_none_or(|m| glob(m, &request.method))
            && self.path.as_deref().is_none_or(|p| glob(p, &request.path))
            && self.op.as_deref().is_none_or(|o| glob(o, request.operation()))
            && all(&self.query, |name| request.query(name))
            && all(&self.headers, |name| request.header(name))
    }
}

impl Script {
    /// The fault for a request, counted as served.
    pub fn hit(&mut self, fits: impl Fn(&Match) -> bool) -> Option<(String, Fault)> {
        let mut random = || {
            // xorshift64: any seed but 0
            let mut x = self.seed.max(1);
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            self.seed = x;
            (x >> 11) as f64 / (1u64 << 53) as f64
        };
        for (i, rule) in self.rules.iter_mut().enumerate() {
            if !fits(&rule.matching) {
                continue;
            }
            if rule.seen < rule.skip {
                rule.seen += 1;
                continue;
            }
            if rule.times.is_some_and(|t| rule.hits >= t)
                || rule.chance.is_some_and(|c| random() >= c)
            {
                continue;
            }
            rule.seen += 1;
            rule.hits += 1;
            let name = match rule.name.as_str() {
                "" => format!("rule {i}"),
                name => name.into(),
            };
            return Some((name, rule.fault.clone()));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glob_matches_runs_of_any_length() {
        assert!(glob("bytes=*-9", "bytes=0-9"));
        assert!(glob("*", ""));
        assert!(glob("a*b*c", "a-b-b-c"));
        assert!(!glob("a*b", "a-b-c"));
        assert!(!glob("a", "ab"));
    }

    #[test]
    fn rule_hits_after_skip_and_ends_after_times() {
        let text = r#"{"rules":[{"name":"x","skip":1,"times":2,"do":{"status":500}}]}"#;
        let mut script: Script = serde_json::from_str(text).unwrap();
        let hits: Vec<bool> = (0..5).map(|_| script.hit(|_| true).is_some()).collect();
        assert_eq!(hits, [false, true, true, false, false]);
    }

    #[test]
    fn unknown_words_in_a_script_are_refused() {
        assert!(serde_json::from_str::<Script>(r#"{"rules":[{"do":{"statsu":500}}]}"#).is_err());
    }
}
