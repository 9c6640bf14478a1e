//! What came in and what was done with it, one JSON object for each request.

use crate::http::{Digest, Request};
use crate::serve::lock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::sync::Mutex;
use std::time::Instant;

#[derive(Serialize, Default, Clone)]
pub struct Entry {
    /// Counts requests from 1; entries keep their number when the log is cleared.
    pub n: u64,
    pub conn: u64,
    /// The how-many-th request on its connection.
    pub nth: u64,
    pub start_ms: u64,
    pub end_ms: u64,
    pub in_flight: u64,
    pub op: &'static str,
    pub method: String,
    pub target: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Bytes of body as they came, and without aws-chunked framing.
    pub raw_len: u64,
    pub body_len: u64,
    pub body_md5: String,
    pub body_sha256: String,
    pub trailers: BTreeMap<String, String>,
    /// The checksums that came with the body: null where none did.
    pub body_right: Option<bool>,
    pub body_wrong: String,
    /// The rule that was served.
    pub rule: Option<String>,
    /// 0 where no answer was given.
    pub status: u16,
    pub sent: u64,
    /// open, done, cut, reset, hang, accept, client gone
    pub end: &'static str,
}

impl Entry {
    pub fn of(conn: u64, nth: u64, r: &Request, rule: Option<String>, in_flight: u64) -> Self {
        Self {
            conn,
            nth,
            in_flight,
            op: r.operation(),
            method: r.method.clone(),
            target: r.target.clone(),
            path: r.path.clone(),
            query: r.query.iter().cloned().collect(),
            headers: r.headers.iter().map(|(n, v)| (n.to_ascii_lowercase(), v.clone())).collect(),
            rule,
            end: "open",
            ..Self::default()
        }
    }
}

pub struct Log {
    begun: Instant,
    inner: Mutex<Inner>,
}

struct Inner {
    file: Option<File>,
    entries: Vec<Entry>,
    /// How many entries were cleared away.
    cleared: usize,
}

impl Log {
    pub fn new(file: Option<File>) -> Self {
        let inner = Inner { file, entries: Vec::new(), cleared: 0 };
        Self { begun: Instant::now(), inner: Mutex::new(inner) }
    }

    fn now_ms(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    pub fn begin(&self, mut entry: Entry) -> usize {
        entry.start_ms = self.now_ms();
        let mut inner = lock(&self.inner);
        let n = inner.cleared + inner.entries.len();
        entry.n = n as u64 + 1;
        inner.entries.push(entry);
        n
    }

    pub fn add(&self, entry: Entry) {
        let end = entry.end;
        let n = self.begin(entry);
        self.end(n, end);
    }

    fn change(&self, n: usize, f: impl FnOnce(&mut Entry)) {
        let mut inner = lock(&self.inner);
        let at = n.checked_sub(inner.cleared);
        if let Some(entry) = at.and_then(|at| inner.entries.get_mut(at)) {
            f(entry);
        }
    }

    pub fn progress(&self, n: usize, raw_len: u64) {
        self.change(n, |e| e.raw_len = raw_len);
    }

    pub fn body(&self, n: usize, d: &Digest) {
        self.change(n, |e| {
            e.raw_len = d.raw_len;
            e.body_len = d.len;
            e.body_md5 = d.md5.clone();
            e.body_sha256 = d.sha256.clone();
            e.trailers = d.trailers.clone();
            e.body_right = d.right;
            e.body_wrong = d.wrong.clone();
        });
    }

    pub fn answered(&self, n: usize, status: u16) {
        self.change(n, |e| e.status = status);
    }

    pub fn sent(&self, n: usize, sent: u64) {
        self.change(n, |e| e.sent = sent);
    }

    pub fn end(&self, n: usize, end: &'static str) {
        let now = self.now_ms();
        let mut inner = lock(&self.inner);
        let Some(at) = n.checked_sub(inner.cleared) else { return };
        let Some(entry) = inner.entries.get_mut(at) else { return };
        entry.end = end;
        entry.end_ms = now;
        let line = line_of(entry);
        if let Some(file) = &mut inner.file {
            let _ = file.write_all(line.as_bytes());
        }
    }

    /// JSON lines; entries of requests still open are among them.
    pub fn text(&self) -> String {
        lock(&self.inner).entries.iter().map(line_of).collect()
    }

    pub fn clear(&self) {
        let mut inner = lock(&self.inner);
        inner.cleared += inner.entries.len();
        inner.entries.clear();
    }
}

fn line_of(entry: &Entry) -> String {
    let mut line = serde_json::to_string(entry).unwrap_or_default();
    line.push('\n');
    line
}
