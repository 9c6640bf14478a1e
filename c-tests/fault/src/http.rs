//! HTTP/1.1 as far as a server and a proxy of tests need it: heads, bodies, aws-chunked.

use crate::sums::{self, Algorithm, Hashers};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::net::TcpStream;

pub const BLOCK: usize = 64 << 10;

pub struct Request {
    pub method: String,
    /// As it was sent.
    pub target: String,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
}

pub struct Head {
    pub status: u16,
    pub reason: String,
    pub headers: Vec<(String, String)>,
}

fn find<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
}

impl Head {
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }
}

impl Request {
    /// None where the client closed between two requests.
    pub fn read(from: &mut BufReader<TcpStream>) -> io::Result<Option<Self>> {
        let Some(bytes) = head_bytes(from)? else { return Ok(None) };
        let mut fields = [httparse::EMPTY_HEADER; 256];
        let mut head = httparse::Request::new(&mut fields);
        head.parse(&bytes).map_err(io::Error::other)?;
        let target = head.path.unwrap_or("/").to_owned();
        // A proxy's client sends the absolute form.
        let local = match target.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("/", |i| &rest[i..]).to_owned(),
            None => target.clone(),
        };
        let (path, query) = local.split_once('?').unwrap_or((&local, ""));
        Ok(Some(Self {
            method: head.method.unwrap_or("").into(),
            path: path.into(),
            query: query
                .split('&')
                .filter(|p| !p.is_empty())
                .map(|p| p.split_once('=').unwrap_or((p, "")))
                .map(|(k, v)| (percent_decode(k), percent_decode(v)))
                .collect(),
            headers: owned(head.headers),
            target,
        }))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    pub fn operation(&self) -> &'static str {
        let has = |name| self.query(name).is_some();
        let copy = self.header("x-amz-copy-source").is_some();
        let object =
            self.path.trim_start_matches('/').split_once('/').is_some_and(|p| !p.1.is_empty());
        match self.method.as_str() {
            "GET" if has("session") => "CreateSession",
            "GET" if has("uploadId") => "ListParts",
            "GET" if has("uploads") => "ListMultipartUploads",
            "GET" if has("attributes") => "GetObjectAttributes",
            "GET" if has("list-type") || !object => "ListObjectsV2",
            "GET" => "GetObject",
            "HEAD" if !object => "HeadBucket",
            "HEAD" => "HeadObject",
            "PUT" if has("uploadId") && copy => "UploadPartCopy",
            "PUT" if has("uploadId") => "UploadPart",
            "PUT" if copy => "CopyObject",
            "PUT" => "PutObject",
            "POST" if has("uploads") => "CreateMultipartUpload",
            "POST" if has("uploadId") => "CompleteMultipartUpload",
            "POST" if has("delete") => "DeleteObjects",
            "DELETE" if has("uploadId") => "AbortMultipartUpload",
            "DELETE" => "DeleteObject",
            _ => "Unknown",
        }
    }

    /// How the body is framed; None = there is none.
    pub fn framing(&self) -> Framing {
        framing_of(|name| self.header(name), Framing::Length(0))
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Framing {
    Length(u64),
    Chunked,
    UntilClose,
}

pub fn framing_of<'a>(header: impl Fn(&str) -> Option<&'a str>, otherwise: Framing) -> Framing {
    if header("transfer-encoding").is_some_and(|t| t.to_ascii_lowercase().contains("chunked")) {
        return Framing::Chunked;
    }
    match header("content-length").and_then(|l| l.trim().parse().ok()) {
        Some(length) => Framing::Length(length),
        None => otherwise,
    }
}

fn owned(headers: &[httparse::Header<'_>]) -> Vec<(String, String)> {
    let text = |v: &[u8]| v.iter().map(|&b| b as char).collect::<String>();
    headers.iter().map(|h| (h.name.to_owned(), text(h.value))).collect()
}

/// A head up to its empty line.
fn head_bytes(from: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        if from.read_until(b'\n', &mut bytes)? == 0 {
            return match before {
                0 => Ok(None),
                _ => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        if matches!(&bytes[before..], b"\r\n" | b"\n") {
            if before == 0 {
                bytes.clear(); // an empty line before the request line
                continue;
            }
            return Ok(Some(bytes));
        }
    }
}

/// The head of a server's final answer; informational ones are read over.
pub fn read_answer(from: &mut BufReader<TcpStream>) -> io::Result<Head> {
    loop {
        let bytes = head_bytes(from)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut fields = [httparse::EMPTY_HEADER; 256];
        let mut head = httparse::Response::new(&mut fields);
        head.parse(&bytes).map_err(io::Error::other)?;
        let status = head.code.unwrap_or(0);
        if status >= 200 {
            return Ok(Head {
                status,
                reason: head.reason.unwrap_or("").into(),
                headers: owned(head.headers),
            });
        }
    }
}

/// Reads a body block by block.
pub struct Body {
    framing: Framing,
    left: u64,
    begun: bool,
    done: bool,
}

impl Body {
    pub fn new(framing: Framing) -> Self {
        let left = match framing {
            Framing::Length(n) => n,
            _ => 0,
        };
        Self { framing, left, begun: false, done: framing == Framing::Length(0) }
    }

    pub fn next(&mut self, from: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
        if self.done {
            return Ok(None);
        }
        if self.framing == Framing::Chunked && self.left == 0 {
            if self.begun {
                line(from)?;
            }
            self.begun = true;
            let size = line(from)?;
            let size = size.split(';').next().unwrap_or("").trim();
            self.left = u64::from_str_radix(size, 16).map_err(io::Error::other)?;
            if self.left == 0 {
                while !line(from)?.is_empty() {}
                self.done = true;
                return Ok(None);
            }
        }
        let most = match self.framing {
            Framing::UntilClose => BLOCK,
            _ => BLOCK.min(self.left as usize),
        };
        let mut block = vec![0; most];
        let n = from.read(&mut block)?;
        if n == 0 {
            self.done = true;
            return match self.framing {
                Framing::UntilClose => Ok(None),
                _ => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        block.truncate(n);
        if self.framing != Framing::UntilClose {
            self.left -= n as u64;
            self.done = self.framing != Framing::Chunked && self.left == 0;
        }
        Ok(Some(block))
    }
}

fn line(from: &mut impl BufRead) -> io::Result<String> {
    let mut text = Vec::new();
    if from.read_until(b'\n', &mut text)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
}

/// What a request's body was found to be, aws-chunked framing taken off.
#[derive(Default)]
pub struct Digest {
    pub raw_len: u64,
    pub len: u64,
    pub md5: String,
    pub sha256: String,
    pub trailers: BTreeMap<String, String>,
    /// None: nothing to check was there.
    pub right: Option<bool>,
    pub wrong: String,
}

/// Takes aws-chunked framing off (where there is any) and hashes what it held.
pub struct Inspector {
    chunked: bool,
    state: Chunk,
    held: Vec<u8>,
    hashers: Hashers,
    digest: Digest,
    told: Vec<(Algorithm, Option<String>)>,
    content_md5: Option<String>,
    expected: Option<u64>,
}

enum Chunk {
    Head,
    Data(u64),
    End,
    Trailers,
}

impl Inspector {
    pub fn new(request: &Request) -> Self {
        let mut told: Vec<_> = request
            .headers
            .iter()
            .filter_map(|(n, v)| {
                Some((Algorithm::from_header(&n.to_ascii_lowercase())?, Some(v.clone())))
            })
            .collect();
        for name in request.header("x-amz-trailer").unwrap_or("").split(',') {
            if let Some(a) = Algorithm::from_header(&name.trim().to_ascii_lowercase()) {
                told.push((a, None));
            }
        }
        let mut wanted: Vec<_> = told.iter().map(|(a, _)| *a).collect();
        wanted.extend([Algorithm::Md5, Algorithm::Sha256]);
        wanted.sort_unstable();
        wanted.dedup();
        let chunked =
            request.header("x-amz-content-sha256").is_some_and(|v| v.starts_with("STREAMING-"));
        Self {
            chunked,
            state: Chunk::Head,
            held: Vec::new(),
            hashers: Hashers::new(&wanted),
            digest: Digest::default(),
            told,
            content_md5: request.header("content-md5").map(str::to_owned),
            expected: request.header("x-amz-decoded-content-length").and_then(|l| l.parse().ok()),
        }
    }

    /// The object's bytes in a block of the body.
    pub fn feed(&mut self, block: &[u8]) -> Vec<u8> {
        self.digest.raw_len += block.len() as u64;
        let mut out = Vec::with_capacity(block.len());
        if !self.chunked {
            out.extend_from_slice(block);
        } else {
            self.held.extend_from_slice(block);
            while self.step(&mut out) {}
        }
        self.digest.len += out.len() as u64;
        self.hashers.update(&out);
        out
    }

    fn step(&mut self, out: &mut Vec<u8>) -> bool {
        if let Chunk::Data(left) = self.state {
            let n = (left as usize).min(self.held.len());
            out.extend(self.held.drain(..n));
            let left = left - n as u64;
            self.state = if left == 0 { Chunk::End } else { Chunk::Data(left) };
            return left == 0;
        }
        let Some(end) = self.held.windows(2).position(|w| w == b"\r\n") else { return false };
        let text: Vec<u8> = self.held.drain(..end + 2).collect();
        let text = String::from_utf8_lossy(&text[..end]).into_owned();
        self.state = match self.state {
            Chunk::Head => {
                let size = text.split(';').next().unwrap_or("");
                match u64::from_str_radix(size, 16) {
                    Ok(0) => Chunk::Trailers,
                    Ok(n) => Chunk::Data(n),
                    Err(_) => {
                        self.digest.wrong = format!("bad aws-chunked size line: {text}");
                        self.chunked = false;
                        return false;
                    }
                }
            }
            Chunk::End | Chunk::Data(_) => Chunk::Head,
            Chunk::Trailers => {
                if let Some((name, value)) = text.split_once(':') {
                    let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_owned());
                    self.digest.trailers.insert(name, value);
                }
                Chunk::Trailers
            }
        };
        true
    }

    pub fn finish(mut self) -> Digest {
        let sums = self.hashers.finish();
        let mut digest = self.digest;
        digest.md5 = sums::hex(&sums[&Algorithm::Md5]);
        digest.sha256 = sums::hex(&sums[&Algorithm::Sha256]);
        let mut check = |name: &str, told: Option<&String>, right: &str| {
            let good = told.map(String::as_str) == Some(right);
            if !good {
                digest.wrong = format!("{name}: told {told:?}, is {right}");
            }
            digest.right = Some(digest.right.unwrap_or(true) && good);
        };
        for (a, value) in self.told.drain(..) {
            let value = value.or_else(|| digest.trailers.get(&a.header()).cloned());
            check(a.name(), value.as_ref(), &sums::to_text(&sums[&a]));
        }
        if let Some(told) = &self.content_md5 {
            check("Content-MD5", Some(told), &sums::to_text(&sums[&Algorithm::Md5]));
        }
        if self.expected.is_some_and(|n| n != digest.len) || !digest.wrong.is_empty() {
            digest.right = Some(false);
            if digest.wrong.is_empty() {
                digest.wrong = format!("x-amz-decoded-content-length is not {}", digest.len);
            }
        }
        digest
    }
}

pub fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = (bytes[i] == b'%')
            .then(|| text.get(i + 1..i + 3).and_then(|h| u8::from_str_radix(h, 16).ok()))
            .flatten();
        match hex {
            Some(b) => {
                out.push(b);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&str, &str)]) -> Request {
        Request {
            method: "PUT".into(),
            target: "/b/k".into(),
            path: "/b/k".into(),
            query: Vec::new(),
            headers: headers.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect(),
        }
    }

    #[test]
    fn aws_chunked_body_split_at_every_byte_gives_the_same_object() {
        let body = b"5;chunk-signature=x\r\n12345\r\n4\r\n6789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n";
        let r = request(&[
            ("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
            ("x-amz-trailer", "x-amz-checksum-crc32"),
            ("x-amz-decoded-content-length", "9"),
        ]);
        for at in 0..body.len() {
            let mut i = Inspector::new(&r);
            let mut got = i.feed(&body[..at]);
            got.extend(i.feed(&body[at..]));
            let d = i.finish();
            assert_eq!(got, b"123456789");
            assert_eq!((d.len, d.right, d.wrong.as_str()), (9, Some(true), ""));
        }
    }

    #[test]
    fn wrong_checksum_is_seen() {
        let r = request(&[("x-amz-checksum-crc32", "AAAAAA==")]);
        let mut i = Inspector::new(&r);
        i.feed(b"123456789");
        assert_eq!(i.finish().right, Some(false));
    }

    #[test]
    fn operations_are_told_apart_by_their_query() {
        let mut r = request(&[]);
        assert_eq!(r.operation(), "PutObject");
        r.query = vec![("partNumber".into(), "1".into()), ("uploadId".into(), "u".into())];
        assert_eq!(r.operation(), "UploadPart");
        r.method = "GET".into();
        assert_eq!(r.operation(), "ListParts");
    }
}
