//! The objects and uploads of the fault layer itself, for tests without a server behind it.
//!
//! A synthetic object has a size and content by rule, and takes no memory: byte i of the object
//! with key k is `pattern[(phase(k) + i) % PERIOD]`, the rule of `c-tests/bench/fastserver.c` and
//! `c-tests/harness.c`. A key nobody named whose name ends in `-NUMBER` has that many bytes. What
//! is uploaded is kept, and can be read again.

use crate::http::{Digest, Head, Request};
use crate::script::ObjectSpec;
use crate::sums::{self, Algorithm, Hashers};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub const PERIOD: usize = (1 << 20) - 3 * 64;

fn pattern() -> &'static [u8] {
    static PATTERN: OnceLock<Vec<u8>> = OnceLock::new();
    PATTERN.get_or_init(|| {
        let mut x: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut bytes = Vec::with_capacity(PERIOD);
        for _ in 0..PERIOD / 8 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            bytes.extend_from_slice(&x.to_le_bytes());
        }
        bytes
    })
}

/// FNV-1a of what follows the last slash.
fn phase_of(path: &str) -> u64 {
    let key = path.rsplit('/').next().unwrap_or(path);
    let h = key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    (h ^ h >> 32) % (PERIOD as u64 / 64) * 64
}

#[derive(Clone)]
enum Piece {
    Bytes(Arc<Vec<u8>>, Range<usize>),
    Rule { phase: u64, start: u64, len: u64 },
}

impl Piece {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(_, range) => range.len() as u64,
            Self::Rule { len, .. } => *len,
        }
    }

    fn slice(&self, r: Range<u64>) -> Self {
        match self {
            Self::Bytes(b, whole) => {
                Self::Bytes(b.clone(), whole.start + r.start as usize..whole.start + r.end as usize)
            }
            Self::Rule { phase, start, .. } => {
                Self::Rule { phase: *phase, start: start + r.start, len: r.end - r.start }
            }
        }
    }
}

/// A run of bytes that is made when it is read.
#[derive(Clone, Default)]
pub struct Content(Vec<Piece>);

impl Content {
    pub fn bytes(bytes: Vec<u8>) -> Self {
        let len = bytes.len();
        Self(vec![Piece::Bytes(Arc::new(bytes), 0..len)])
    }

    fn rule(path: &str, len: u64) -> Self {
        Self(vec![Piece::Rule { phase: phase_of(path), start: 0, len }])
    }

    pub fn len(&self) -> u64 {
        self.0.iter().map(Piece::len).sum()
    }

    pub fn slice(&self, range: Range<u64>) -> Self {
        let (mut at, mut pieces) = (0, Vec::new());
        for piece in &self.0 {
            let (start, end) = (range.start.max(at), range.end.min(at + piece.len()));
            if start < end {
                pieces.push(piece.slice(start - at..end - at));
            }
            at += piece.len();
        }
        Self(pieces)
    }

    /// Takes up to `most` bytes from the front.
    pub fn take(&mut self, most: usize) -> Vec<u8> {
        let Some(first) = self.0.first_mut() else { return Vec::new() };
        let n = first.len().min(most as u64);
        let out = match first {
            Piece::Bytes(b, range) => b[range.start..range.start + n as usize].to_vec(),
            Piece::Rule { phase, start, .. } => {
                let mut at = ((*phase + *start) % PERIOD as u64) as usize;
                let mut out = Vec::with_capacity(n as usize);
                while (out.len() as u64) < n {
                    let k = (PERIOD - at).min(n as usize - out.len());
                    out.extend_from_slice(&pattern()[at..at + k]);
                    at = (at + k) % PERIOD;
                }
                out
            }
        };
        if n == first.len() {
            self.0.remove(0);
        } else {
            *first = first.slice(n..first.len());
        }
        out
    }

    pub fn sum(&self, algorithms: &[Algorithm]) -> sums::Sums {
        let (mut rest, mut hashers) = (self.clone(), Hashers::new(algorithms));
        while rest.len() > 0 {
            hashers.update(&rest.take(1 << 20));
        }
        hashers.finish()
    }
}

#[derive(Clone)]
pub struct Object {
    pub content: Content,
    pub etag: String,
    headers: Vec<(String, String)>,
    checksum: Option<(String, String)>,
    parts: Vec<u64>,
}

#[derive(Default)]
struct Upload {
    path: String,
    parts: BTreeMap<u32, (Content, String)>,
}

#[derive(Default)]
pub struct World {
    objects: BTreeMap<String, Object>,
    gone: std::collections::BTreeSet<String>,
    uploads: BTreeMap<String, Upload>,
    completed: BTreeMap<String, String>,
    next: u64,
}

pub struct Answer {
    pub head: Head,
    pub body: Content,
}

fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
    let headers = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let head = Head { status, reason: String::new(), headers };
    Answer { head, body: Content::bytes(body.as_bytes().to_vec()) }
}

fn xml(status: u16, body: &str) -> Answer {
    let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{body}");
    answer(status, &[("Content-Type", "application/xml")], &text)
}

pub fn error(status: u16, code: &str, message: &str) -> Answer {
    xml(status, &format!("<Error><Code>{code}</Code><Message>{message}</Message></Error>"))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&#34;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = &text[text.find(&format!("<{name}>"))? + name.len() + 2..];
    Some(&rest[..rest.find(&format!("</{name}>"))?])
}

impl World {
    pub fn set(&mut self, spec: &ObjectSpec) {
        if spec.gone {
            self.objects.remove(&spec.path);
            self.gone.insert(spec.path.clone());
            return;
        }
        self.gone.remove(&spec.path);
        let content = Content::rule(spec.content_of.as_deref().unwrap_or(&spec.path), spec.size);
        let checksum = spec.checksum.as_deref().and_then(Algorithm::from_name).map(|a| {
            let value = &content.sum(&[a])[&a];
            (a.header(), sums::to_text(value))
        });
        let object = Object {
            etag: spec.etag.clone().unwrap_or_else(|| default_etag(&spec.path, spec.size)),
            headers: spec.headers.clone().into_iter().collect(),
            parts: spec.parts.clone(),
            content,
            checksum,
        };
        self.objects.insert(spec.path.clone(), object);
    }

    pub fn find(&self, path: &str) -> Option<Object> {
        let path = crate::http::percent_decode(path);
        if let Some(object) = self.objects.get(&path) {
            return Some(object.clone());
        }
        let size = path.rsplit_once('-')?.1.parse().ok()?;
        (!self.gone.contains(&path)).then(|| Object {
            content: Content::rule(&path, size),
            etag: default_etag(&path, size),
            headers: Vec::new(),
            checksum: None,
            parts: Vec::new(),
        })
    }

    pub fn open_uploads(&self) -> usize {
        self.uploads.len()
    }

    /// The answer of a well-behaved S3.
    pub fn answer(&mut self, request: &Request, body: Vec<u8>, digest: &Digest) -> Answer {
        if digest.right == Some(false) {
            return error(400, "BadDigest", &escape(&digest.wrong));
        }
        match request.operation() {
            "GetObject" | "HeadObject" => self.read(request),
            "PutObject" => {
                let etag = format!("\"{}\"", digest.md5);
                self.store(&request.path, Content::bytes(body), &etag);
                answer(200, &[("ETag", &etag)], "")
            }
            "CreateMultipartUpload" => self.create(request),
            "UploadPart" => {
                let etag = format!("\"{}\"", digest.md5);
                match self.part(request, Content::bytes(body), &etag) {
                    Ok(()) => answer(200, &[("ETag", &etag)], ""),
                    Err(refusal) => refusal,
                }
            }
            "CompleteMultipartUpload" => self.complete(request, &String::from_utf8_lossy(&body)),
            "AbortMultipartUpload" => {
                match self.uploads.remove(request.query("uploadId").unwrap_or("")) {
                    Some(_) => answer(204, &[], ""),
                    None => no_such_upload(),
                }
            }
            "ListParts" => self.list_parts(request),
            "CopyObject" | "UploadPartCopy" => self.copy(request),
            "DeleteObject" => {
                let path = crate::http::percent_decode(&request.path);
                self.objects.remove(&path);
                self.gone.insert(path);
                answer(204, &[], "")
            }
            "HeadBucket" => answer(200, &[], ""),
            other => error(501, "NotImplemented", other),
        }
    }

    fn read(&self, request: &Request) -> Answer {
        let Some(object) = self.find(&request.path) else {
            return error(404, "NoSuchKey", "The specified key does not exist.");
        };
        if request.header("if-match").is_some_and(|m| m != "*" && m != object.etag) {
            return error(412, "PreconditionFailed", "If-Match");
        }
        if request.header("if-none-match").is_some_and(|m| m == "*" || m == object.etag) {
            return answer(304, &[("ETag", &object.etag)], "");
        }
        let size = object.content.len();
        let mut headers: Vec<(String, String)> = vec![
            ("ETag".into(), object.etag.clone()),
            ("Accept-Ranges".into(), "bytes".into()),
            ("Last-Modified".into(), "Sat, 01 Jan 2022 00:00:00 GMT".into()),
            ("Content-Type".into(), "binary/octet-stream".into()),
        ];
        headers.extend(object.headers.iter().cloned());
        let unsatisfiable = || {
            let mut a = error(416, "InvalidRange", "The requested range is not satisfiable");
            a.head.headers.push(("Content-Range".into(), format!("bytes */{size}")));
            a
        };
        let mut part = None;
        if let Some(number) = request.query("partNumber").and_then(|n| n.parse::<usize>().ok()) {
            let whole = vec![size];
            let parts = if object.parts.is_empty() { &whole } else { &object.parts };
            if number == 0 || number > parts.len() {
                return unsatisfiable();
            }
            let start: u64 = parts[..number - 1].iter().sum();
            part = Some(start..start + parts[number - 1]);
            if !object.parts.is_empty() {
                headers.push(("x-amz-mp-parts-count".into(), parts.len().to_string()));
            }
        }
        let range = match (request.header("range"), part) {
            (_, Some(part)) => Some(part),
            (Some(text), None) => match parse_range(text, size) {
                Ok(range) => range,
                Err(()) => return unsatisfiable(),
            },
            (None, None) => None,
        };
        let status = match &range {
            Some(r) if size > 0 => {
                let text = format!("bytes {}-{}/{size}", r.start, r.end - 1);
                headers.push(("Content-Range".into(), text));
                206
            }
            _ => 200,
        };
        if let Some((name, value)) = object.checksum
            && request.header("x-amz-checksum-mode").is_some()
        {
            headers.push((name, value));
            headers.push(("x-amz-checksum-type".into(), "FULL_OBJECT".into()));
        }
        let head = Head { status, reason: String::new(), headers };
        Answer { head, body: object.content.slice(range.unwrap_or(0..size)) }
    }

    fn store(&mut self, path: &str, content: Content, etag: &str) {
        let path = crate::http::percent_decode(path);
        self.gone.remove(&path);
        let object = Object {
            content,
            etag: etag.into(),
            headers: Vec::new(),
            checksum: None,
            parts: Vec::new(),
        };
        self.objects.insert(path, object);
    }

    fn create(&mut self, request: &Request) -> Answer {
        self.next += 1;
        let id = format!("upload-{:06}", self.next);
        let upload = Upload { path: request.path.clone(), parts: BTreeMap::new() };
        self.uploads.insert(id.clone(), upload);
        xml(
            200,
            &format!(
                "<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>k</Key>\
                 <UploadId>{id}</UploadId></InitiateMultipartUploadResult>"
            ),
        )
    }

    fn part(&mut self, request: &Request, content: Content, etag: &str) -> Result<(), Answer> {
        let number = request.query("partNumber").and_then(|n| n.parse::<u32>().ok());
        let Some(number) = number.filter(|n| (1..=10_000).contains(n)) else {
            return Err(error(400, "InvalidArgument", "Part number"));
        };
        let upload = self
            .uploads
            .get_mut(request.query("uploadId").unwrap_or(""))
            .filter(|u| u.path == request.path)
            .ok_or_else(no_such_upload)?;
        upload.parts.insert(number, (content, etag.into()));
        Ok(())
    }

    fn complete(&mut self, request: &Request, body: &str) -> Answer {
        let id = request.query("uploadId").unwrap_or("").to_owned();
        let done = |etag: &str| {
            xml(
                200,
                &format!(
                    "<CompleteMultipartUploadResult><Location>http://localhost{}</Location>\
                     <Bucket>b</Bucket><Key>k</Key><ETag>{}</ETag></CompleteMultipartUploadResult>",
                    escape(&request.path),
                    escape(etag)
                ),
            )
        };
        if let Some(etag) = self.completed.get(&id) {
            return done(etag);
        }
        let Some(upload) = self.uploads.get(&id) else { return no_such_upload() };
        let (mut pieces, mut last, mut sizes) = (Vec::new(), 0, Vec::new());
        for entry in body.split("<Part>").skip(1) {
            let number = element(entry, "PartNumber").and_then(|n| n.trim().parse::<u32>().ok());
            let etag = unescape(element(entry, "ETag").unwrap_or(""));
            let (Some(number), Some((content, right))) =
                (number, number.and_then(|n| upload.parts.get(&n)))
            else {
                return error(400, "InvalidPart", "One or more of the specified parts is missing");
            };
            if etag.trim_matches('"') != right.trim_matches('"') {
                return error(400, "InvalidPart", "The part's ETag is another one");
            }
            if number <= last {
                return error(400, "InvalidPartOrder", "The list of parts was not in order");
            }
            last = number;
            sizes.push(content.len());
            pieces.extend(content.0.iter().cloned());
        }
        if pieces.is_empty() && sizes.is_empty() {
            return error(400, "MalformedXML", "No part");
        }
        if sizes.iter().rev().skip(1).any(|s| *s < 5 << 20) {
            return error(400, "EntityTooSmall", "A part is smaller than 5 MiB");
        }
        let etag = format!("\"{:032x}-{}\"", phase_of(&id), sizes.len());
        self.uploads.remove(&id);
        self.store(&request.path, Content(pieces), &etag);
        self.completed.insert(id, etag.clone());
        done(&etag)
    }

    fn list_parts(&self, request: &Request) -> Answer {
        let Some(upload) = self.uploads.get(request.query("uploadId").unwrap_or("")) else {
            return no_such_upload();
        };
        let number = |name: &str, or: u32| {
            request.query(name).and_then(|n| n.parse::<u32>().ok()).unwrap_or(or)
        };
        let (after, max) = (number("part-number-marker", 0), number("max-parts", 1000).min(1000));
        let mut left = upload.parts.range(after + 1..);
        let (mut text, mut last) = (String::new(), after);
        for (n, (content, etag)) in left.by_ref().take(max as usize) {
            text += &format!(
                "<Part><PartNumber>{n}</PartNumber><LastModified>2022-01-01T00:00:00.000Z\
                 </LastModified><ETag>{}</ETag><Size>{}</Size></Part>",
                escape(etag),
                content.len()
            );
            last = *n;
        }
        let more = left.next().is_some();
        xml(
            200,
            &format!(
                "<ListPartsResult><PartNumberMarker>{after}</PartNumberMarker>\
                 <NextPartNumberMarker>{last}</NextPartNumberMarker><MaxParts>{max}</MaxParts>\
                 <IsTruncated>{more}</IsTruncated>{text}</ListPartsResult>"
            ),
        )
    }

    fn copy(&mut self, request: &Request) -> Answer {
        let source = request.header("x-amz-copy-source").unwrap_or("");
        let source = format!("/{}", source.trim_start_matches('/'));
        let source = source.split("?versionId=").next().unwrap_or("");
        let Some(object) = self.find(source) else {
            return error(404, "NoSuchKey", "The specified key does not exist.");
        };
        if request.header("x-amz-copy-source-if-match").is_some_and(|m| m != object.etag) {
            return error(412, "PreconditionFailed", "x-amz-copy-source-if-match");
        }
        let size = object.content.len();
        let range = match request.header("x-amz-copy-source-range") {
            None => 0..size,
            Some(text) => match parse_range(text, size) {
                Ok(Some(range)) => range,
                _ => return error(416, "InvalidRange", "x-amz-copy-source-range"),
            },
        };
        let content = object.content.slice(range);
        let md5 = sums::hex(&content.sum(&[Algorithm::Md5])[&Algorithm::Md5]);
        let etag = format!("\"{md5}\"");
        let name = match request.operation() {
            "CopyObject" => {
                self.store(&request.path, content, &etag);
                "CopyObjectResult"
            }
            _ => {
                if let Err(refusal) = self.part(request, content, &etag) {
                    return refusal;
                }
                "CopyPartResult"
            }
        };
        let etag = escape(&etag);
        xml(
            200,
            &format!(
                "<{name}><LastModified>2022-01-01T00:00:00.000Z</LastModified>\
                 <ETag>{etag}</ETag></{name}>"
            ),
        )
    }
}

fn no_such_upload() -> Answer {
    error(404, "NoSuchUpload", "The specified upload does not exist.")
}

fn default_etag(path: &str, size: u64) -> String {
    format!("\"{:016x}{size:016x}\"", phase_of(path))
}

/// Ok(None): not a range S3 understands, so the whole object. Err: not satisfiable.
fn parse_range(text: &str, size: u64) -> Result<Option<Range<u64>>, ()> {
    let Some((first, last)) = text.trim().strip_prefix("bytes=").and_then(|r| r.split_once('-'))
    else {
        return Ok(None);
    };
    let range = match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if last < first => return Ok(None),
        (Ok(first), Ok(last)) => first..size.min(last.saturating_add(1)),
        (Ok(first), Err(_)) if last.is_empty() => first..size,
        (Err(_), Ok(last)) if first.is_empty() => size.saturating_sub(last)..size,
        _ => return Ok(None),
    };
    if range.start < range.end { Ok(Some(range)) } else { Err(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_read_in_pieces_is_the_content() {
        let c = Content::rule("/b/key-5000000", 5_000_000);
        let whole = c.slice(0..5_000_000).take(5_000_000);
        let mut rest = c.slice(1_234_567..4_000_000);
        let mut got = Vec::new();
        while rest.len() > 0 {
            got.extend(rest.take(99_991));
        }
        assert_eq!(got, whole[1_234_567..4_000_000]);
    }

    #[test]
    fn ranges_in_every_form() {
        assert_eq!(parse_range("bytes=0-0", 10), Ok(Some(0..1)));
        assert_eq!(parse_range("bytes=5-", 10), Ok(Some(5..10)));
        assert_eq!(parse_range("bytes=-3", 10), Ok(Some(7..10)));
        assert_eq!(parse_range("bytes=5-99", 10), Ok(Some(5..10)));
        assert_eq!(parse_range("bytes=10-12", 10), Err(()));
        assert_eq!(parse_range("bytes=5-2", 10), Ok(None));
        assert_eq!(parse_range("bytes=0-0", 0), Err(()));
    }
}
