//! The requests of a transfer, made from the caller's own message and a few facts.

use super::copy_source::CopySource;
use super::fields::{self, Operation};
use super::message::Message;
use super::range::format_range;
use crate::base::{ByteRange, Code, Result};
use crate::checksum::Algorithm;
use crate::http1::push_decimal;
use crate::text::{percent, xml};
use std::borrow::Cow;

/// The checksums of a multipart upload.
#[derive(Clone, Copy, Default, Debug)]
pub struct UploadChecksum<'a> {
    pub algorithm: Option<Algorithm>,
    /// The name of an algorithm that this library does not know, from the caller's own field.
    pub unknown: Option<&'a str>,
    /// The value for the whole object, in base64, where the caller gave one.
    pub full_object: Option<&'a str>,
}

impl UploadChecksum<'_> {
    pub fn is_on(&self) -> bool {
        self.algorithm.is_some() || self.unknown.is_some()
    }

    fn name(&self) -> Option<&str> {
        self.algorithm.map(Algorithm::name).or(self.unknown)
    }
}

/// GET of the object or of a range, pinned to an ETag where one is known.
pub fn get_object(base: &Message, range: Option<ByteRange>, if_match: Option<&[u8]>) -> Message {
    let mut message = base.clone();
    // Some stores refuse a GET that speaks of a body, even of an empty one.
    message.headers.remove(b"Content-Length");
    if let Some(range) = range {
        message.headers.set(b"Range", &format_range(range));
    }
    if let Some(etag) = if_match {
        message.headers.set(b"If-Match", etag);
    }
    message
}

/// HEAD of what the caller wants to get. Its range goes along: some stores check it.
pub fn head_object(base: &Message) -> Message {
    let mut message = base.clone();
    message.method = Cow::Borrowed("HEAD");
    message.headers.remove(b"Content-Length");
    message
}

/// PUT of the whole object.
pub fn put_object(base: &Message, len: u64) -> Message {
    let mut message = base.clone();
    set_content_length(&mut message, len);
    message
}

/// COPY in one request, with its source encoded once.
pub fn copy_object(base: &Message, source: &CopySource) -> Message {
    let mut message = base.clone();
    message.headers.set(b"x-amz-copy-source", &source.header_value());
    set_content_length(&mut message, 0);
    message
}

pub fn create_upload(base: &Message, checksum: &UploadChecksum<'_>) -> Message {
    let mut message = derived(base, Operation::CreateUpload, "POST");
    message.push_param("uploads");
    if let Some(name) = checksum.name() {
        message.headers.set(b"x-amz-checksum-algorithm", name.as_bytes());
        if checksum.full_object.is_some() {
            message.headers.set(b"x-amz-checksum-type", FULL_OBJECT);
        }
    }
    set_content_length(&mut message, 0);
    message
}

pub fn upload_part(base: &Message, upload_id: &str, number: u32, len: u64) -> Message {
    let mut message = derived(base, Operation::UploadPart, "PUT");
    push_part(&mut message, upload_id, number);
    set_content_length(&mut message, len);
    message
}

/// The body is the source's: no Content-MD5, no checksum field.
pub fn upload_part_copy(
    base: &Message,
    source: &CopySource,
    upload_id: &str,
    number: u32,
    range: ByteRange,
) -> Message {
    let mut message = derived(base, Operation::UploadPartCopy, "PUT");
    push_part(&mut message, upload_id, number);
    message.headers.set(b"x-amz-copy-source", &source.header_value());
    message.headers.set(b"x-amz-copy-source-range", &format_range(range));
    set_content_length(&mut message, 0);
    message
}

/// `object_size` lets S3 check the sum; unknown ones are left out. The body is `complete_body`.
pub fn complete_upload(
    base: &Message,
    upload_id: &str,
    object_size: Option<u64>,
    checksum: &UploadChecksum<'_>,
    body_len: usize,
) -> Message {
    let mut message = derived(base, Operation::CompleteUpload, "POST");
    push_upload(&mut message, upload_id);
    let headers = &mut message.headers;
    if checksum.is_on() {
        if let (Some(algorithm), Some(value)) = (checksum.algorithm, checksum.full_object) {
            headers.set(algorithm.header().as_bytes(), value.as_bytes());
        }
        if checksum.full_object.is_some() {
            headers.set(b"x-amz-checksum-type", FULL_OBJECT);
        }
    } else {
        // The customer's key is asked for only to read back checksums.
        for name in CUSTOMER_KEY {
            headers.remove(name);
        }
    }
    if let Some(size) = object_size.filter(|s| *s > 0) {
        headers.set(b"x-amz-mp-object-size", size.to_string().as_bytes());
    }
    set_content_length(&mut message, body_len as u64);
    message
}

pub fn abort_upload(base: &Message, upload_id: &str) -> Message {
    let mut message = derived(base, Operation::AbortUpload, "DELETE");
    push_upload(&mut message, upload_id);
    message
}

/// One page of finished parts, those behind `marker`.
pub fn list_parts(
    base: &Message,
    upload_id: &str,
    marker: Option<u32>,
    checksum: &UploadChecksum<'_>,
) -> Message {
    let mut message = derived(base, Operation::ListParts, "GET");
    push_upload(&mut message, upload_id);
    if let Some(marker) = marker {
        message.push_param(&format!("part-number-marker={marker}"));
    }
    if !checksum.is_on() {
        for name in CUSTOMER_KEY {
            message.headers.remove(name);
        }
    }
    message
}

/// HEAD of a copy's source, to learn its size. `host` is that of the source.
pub fn source_head(base: &Message, source: &CopySource, host: &str, path_style: bool) -> Message {
    let mut message = Message::new("HEAD", source.target(path_style));
    message.headers.push(b"Host", host.as_bytes());
    for (from, to) in SOURCE_FIELDS {
        if let Some(value) = base.headers.get(from) {
            message.headers.push(to.as_bytes(), value);
        }
    }
    message
}

/// CreateSession of an S3 Express bucket: only what the operation documents goes along.
pub fn create_session(base: &Message, host: &str) -> Message {
    let mut message = Message::new("GET", "/?session");
    message.headers.push(b"Host", host.as_bytes());
    for (name, value) in base.headers.iter() {
        if SESSION_FIELDS.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(name)) {
            message.headers.push(name, value);
        }
    }
    message
}

/// One finished part.
#[derive(Clone, Copy, Debug)]
pub struct CompletedPart<'a> {
    pub number: u32,
    pub etag: &'a [u8],
    /// In base64.
    pub checksum: Option<(Algorithm, &'a str)>,
}

/// Appends the body of CompleteMultipartUpload. ETags are what the server sent, escaped for XML.
pub fn complete_body<'a>(parts: impl Iterator<Item = CompletedPart<'a>>, out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
          <CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">",
    );
    for part in parts {
        out.extend_from_slice(b"<Part><ETag>");
        xml::escape_text(part.etag, out);
        out.extend_from_slice(b"</ETag><PartNumber>");
        push_decimal(u64::from(part.number), out);
        out.extend_from_slice(b"</PartNumber>");
        if let Some((algorithm, value)) = part.checksum {
            for piece in ["<", algorithm.element(), ">", value, "</", algorithm.element(), ">"] {
                out.extend_from_slice(piece.as_bytes());
            }
        }
        out.extend_from_slice(b"</Part>");
    }
    out.extend_from_slice(b"</CompleteMultipartUpload>");
}

pub fn set_content_length(message: &mut Message, len: u64) {
    let mut digits = Vec::with_capacity(20);
    push_decimal(len, &mut digits);
    message.headers.set(b"Content-Length", &digits);
}

/// `x-amz-checksum-*` for the body of this request.
pub fn set_checksum_header(message: &mut Message, algorithm: Algorithm, base64: &str) {
    message.headers.set(algorithm.header().as_bytes(), base64.as_bytes());
}

/// The fields of a body in `aws-chunked` framing whose checksum follows it. A caller's own content
/// encoding stays; one that is `aws-chunked` already is refused, it would be framed twice.
pub fn add_trailer_headers(
    message: &mut Message,
    algorithm: Algorithm,
    body_len: u64,
    encoded_len: u64,
) -> Result<()> {
    let headers = &mut message.headers;
    let mut encoding = b"aws-chunked".to_vec();
    if let Some(own) = headers.get("Content-Encoding").filter(|v| !v.is_empty()) {
        let chunked = own
            .split(|&b| b == b',')
            .any(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"aws-chunked"));
        if chunked {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        encoding.push(b',');
        encoding.extend_from_slice(own);
    }
    headers.set(b"Content-Encoding", &encoding);
    headers.set(b"x-amz-trailer", algorithm.header().as_bytes());
    headers.set(b"x-amz-decoded-content-length", body_len.to_string().as_bytes());
    set_content_length(message, encoded_len);
    Ok(())
}

/// An upload id as a query value: those of other stores hold characters that need encoding.
pub fn encode_upload_id(upload_id: &str) -> String {
    let mut out = Vec::with_capacity(upload_id.len());
    percent::encode_param(upload_id.as_bytes(), &mut out);
    String::from_utf8(out).expect("percent encoding leaves only ASCII")
}

fn derived(base: &Message, operation: Operation, method: &'static str) -> Message {
    Message {
        method: Cow::Borrowed(method),
        target: base.target.clone(),
        headers: fields::copy(&base.headers, operation),
    }
}

fn push_part(message: &mut Message, upload_id: &str, number: u32) {
    assert!(number > 0, "parts count from 1");
    message.push_param(&format!("partNumber={number}"));
    push_upload(message, upload_id);
}

fn push_upload(message: &mut Message, upload_id: &str) {
    message.push_param(&format!("uploadId={}", encode_upload_id(upload_id)));
}

const FULL_OBJECT: &[u8] = b"FULL_OBJECT";

const CUSTOMER_KEY: [&[u8]; 3] = [
    b"x-amz-server-side-encryption-customer-algorithm",
    b"x-amz-server-side-encryption-customer-key",
    b"x-amz-server-side-encryption-customer-key-MD5",
];

/// What opens the source to a HEAD: the payer, the source's owner and the source's own key. The
/// plain owner field of a copy is about the destination.
const SOURCE_FIELDS: &[(&str, &str)] = &[
    ("x-amz-request-payer", "x-amz-request-payer"),
    ("x-amz-source-expected-bucket-owner", "x-amz-expected-bucket-owner"),
    (
        "x-amz-copy-source-server-side-encryption-customer-algorithm",
        "x-amz-server-side-encryption-customer-algorithm",
    ),
    (
        "x-amz-copy-source-server-side-encryption-customer-key",
        "x-amz-server-side-encryption-customer-key",
    ),
    (
        "x-amz-copy-source-server-side-encryption-customer-key-MD5",
        "x-amz-server-side-encryption-customer-key-MD5",
    ),
    ("User-Agent", "User-Agent"),
];

const SESSION_FIELDS: &[&str] = &[
    "x-amz-create-session-mode",
    "x-amz-server-side-encryption",
    "x-amz-server-side-encryption-aws-kms-key-id",
    "x-amz-server-side-encryption-context",
    "x-amz-server-side-encryption-bucket-key-enabled",
    "User-Agent",
];
