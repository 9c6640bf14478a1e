//! The S3 operations over `store`. What is not here answers 501 (NotImplemented).

use crate::store::{Bucket, Headers, Meta, Object, Part, Segment, Store, Upload, Written};
use crate::store::{now_ms, time_of};
use crate::sums::{self, Algorithm, Hashers, Sums};
use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};
use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};
use s3s::dto::*;
use s3s::stream::{ByteStream, RemainingLength};
use s3s::{Body, S3, S3Error, S3Request, S3Response, S3Result, TrailingHeaders, s3_error};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

#[derive(Clone)]
pub struct Files {
    store: Arc<Store>,
    region: String,
    min_part_size: u64,
}

type StdError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// Blocks that a reading thread sends.
struct Blocks {
    from: mpsc::Receiver<Result<Bytes, StdError>>,
    left: u64,
}

impl Stream for Blocks {
    type Item = Result<Bytes, StdError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.from.poll_recv(cx);
        if let Poll::Ready(Some(Ok(block))) = &next {
            self.left -= block.len() as u64;
        }
        next
    }
}

impl ByteStream for Blocks {
    fn remaining_length(&self) -> RemainingLength {
        RemainingLength::new_exact(self.left as usize)
    }
}

fn body_of(object: Arc<Object>, range: std::ops::Range<u64>) -> S3Result<StreamingBlob> {
    let left = range.end - range.start;
    if left <= 256 << 10 {
        let mut bytes = BytesMut::with_capacity(left as usize);
        object
            .read(range, |block| {
                bytes.extend_from_slice(&block);
                true
            })
            .map_err(S3Error::internal_error)?;
        return Ok(StreamingBlob::new(Body::from(bytes.freeze())));
    }
    let (to, from) = mpsc::channel::<Result<Bytes, StdError>>(4);
    tokio::task::spawn_blocking(move || {
        if let Err(e) = object.read(range, |block| to.blocking_send(Ok(block)).is_ok()) {
            let _ = to.blocking_send(Err(Box::new(e)));
        }
    });
    Ok(StreamingBlob::new(Blocks { from, left }))
}

/// The stored headers of an object that a request brings.
fn headers_to_keep(headers: &HeaderMap) -> Headers {
    const KEPT: [&str; 11] = [
        "cache-control",
        "content-disposition",
        "content-encoding",
        "content-language",
        "content-type",
        "expires",
        "x-amz-server-side-encryption",
        "x-amz-server-side-encryption-customer-algorithm",
        "x-amz-server-side-encryption-customer-key-md5",
        "x-amz-storage-class",
        "x-amz-website-redirect-location",
    ];
    let mut kept = Headers::new();
    for (name, value) in headers {
        let name = name.as_str();
        let mut text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        if name == "content-encoding" {
            let codings = text.split(',').map(str::trim).filter(|c| *c != "aws-chunked");
            text = codings.collect::<Vec<_>>().join(",");
            if text.is_empty() {
                continue;
            }
        }
        if KEPT.contains(&name) || name.starts_with("x-amz-meta-") {
            kept.push((name.into(), text));
        }
    }
    kept
}

fn add_header(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) =
        (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes()))
    {
        headers.append(name, value);
    }
}

fn add_checksums(headers: &mut HeaderMap, meta: &Meta) {
    for (algorithm, value) in &meta.checksums {
        add_header(headers, &algorithm.header(), value);
    }
    if !meta.checksums.is_empty() {
        add_header(headers, "x-amz-checksum-type", type_of(meta.composite));
    }
}

fn type_of(composite: bool) -> &'static str {
    if composite { ChecksumType::COMPOSITE } else { ChecksumType::FULL_OBJECT }
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

fn strong(etag: &str) -> ETag {
    ETag::Strong(etag.into())
}

fn algorithm_named(name: &str) -> S3Result<Algorithm> {
    Algorithm::from_name(name)
        .ok_or_else(|| s3_error!(InvalidRequest, "Checksum algorithm {name} is not supported"))
}

/// The checksums that a request brings or promises: (algorithm, value where it is a header).
fn promised(headers: &HeaderMap) -> S3Result<Vec<(Algorithm, Option<String>)>> {
    let mut found = Vec::new();
    for name in headers.keys() {
        if let Some(algorithm) = Algorithm::from_header(name.as_str()) {
            found.push((algorithm, text(headers, name.as_str())));
        }
    }
    for name in text(headers, "x-amz-trailer").unwrap_or_default().split(',') {
        if let Some(algorithm) = Algorithm::from_header(&name.trim().to_ascii_lowercase()) {
            found.push((algorithm, None));
        }
    }
    if let Some(name) = text(headers, "x-amz-sdk-checksum-algorithm") {
        let named = algorithm_named(&name)?;
        if found.iter().any(|(a, _)| *a != named) {
            return Err(s3_error!(
                InvalidRequest,
                "x-amz-sdk-checksum-algorithm names another one"
            ));
        }
    }
    if found.len() > 1 {
        return Err(s3_error!(InvalidRequest, "Expecting a single x-amz-checksum- header"));
    }
    Ok(found)
}

/// Everything about the body of an upload that a request can promise.
struct Intake<'a> {
    body: Option<StreamingBlob>,
    headers: &'a HeaderMap,
    trailers: Option<&'a TrailingHeaders>,
    wanted: Vec<Algorithm>,
}

impl Intake<'_> {
    /// Writes the body to a file, and removes the file again where a promise was not kept.
    async fn store(self, to: &Path) -> S3Result<Written> {
        let stored = self.write(to).await;
        if stored.is_err() {
            let _ = std::fs::remove_file(to);
        }
        stored
    }

    async fn write(mut self, to: &Path) -> S3Result<Written> {
        let promised = promised(self.headers)?;
        self.wanted.push(Algorithm::Md5);
        self.wanted.extend(promised.iter().map(|(a, _)| *a));
        self.wanted.sort_unstable();
        self.wanted.dedup();
        let mut hashers = Hashers::new(&self.wanted);
        let mut file = File::create(to).map_err(S3Error::internal_error)?;
        let mut size = 0u64;
        if let Some(mut body) = self.body.take() {
            while let Some(block) = body.next().await {
                let block = block.map_err(|e| {
                    let code = e.downcast_ref::<S3Error>().map(|e| e.code().clone());
                    S3Error::with_source(code.unwrap_or(s3s::S3ErrorCode::IncompleteBody), e)
                })?;
                size += block.len() as u64;
                tokio::task::block_in_place(|| {
                    hashers.update(&block);
                    file.write_all(&block)
                })
                .map_err(S3Error::internal_error)?;
            }
        }
        let length = text(self.headers, "x-amz-decoded-content-length")
            .or_else(|| text(self.headers, "content-length"));
        if let Some(length) = length
            && length.parse() != Ok(size)
        {
            return Err(s3_error!(IncompleteBody, "{length} bytes were announced, {size} came"));
        }
        let sums = hashers.finish();
        if let Some(md5) = text(self.headers, "content-md5") {
            match sums::from_text(&md5) {
                Some(value) if value.len() == 16 => {
                    if sums[&Algorithm::Md5] != value {
                        return Err(s3_error!(
                            BadDigest,
                            "The Content-MD5 you specified did not match what we received."
                        ));
                    }
                }
                _ => return Err(s3_error!(InvalidDigest, "The Content-MD5 is not valid.")),
            }
        }
        for (algorithm, value) in promised {
            let header = algorithm.header();
            let value = value.or_else(|| self.trailers?.read(|t| text(t, &header)).flatten());
            let Some(value) = value else {
                let mut e = S3Error::with_message(
                    s3s::S3ErrorCode::Custom("MalformedTrailerError".into()),
                    format!("The trailer {header} did not come"),
                );
                e.set_status_code(hyper::StatusCode::BAD_REQUEST);
                return Err(e);
            };
            let right = sums::to_text(&sums[&algorithm]);
            if value != right {
                return Err(s3_error!(
                    BadDigest,
                    "The {} you specified did not match the calculated checksum.",
                    algorithm.name()
                ));
            }
        }
        Ok(Written { size, sums })
    }
}

/// `If-Match` and its kin against an object that may not be there.
fn check_write_conditions(
    if_match: Option<&ETagCondition>,
    if_none_match: Option<&ETagCondition>,
    there: Option<&Arc<Object>>,
) -> S3Result<()> {
    let failed =
        || s3_error!(PreconditionFailed, "At least one of the pre-conditions did not hold");
    if let Some(condition) = if_match {
        match there {
            None => return Err(s3_error!(NoSuchKey, "The specified key does not exist.")),
            Some(o) if !matches(condition, &o.meta.etag) => return Err(failed()),
            Some(_) => {}
        }
    }
    match (if_none_match, there) {
        (Some(condition), Some(o)) if matches(condition, &o.meta.etag) => Err(failed()),
        _ => Ok(()),
    }
}

fn matches(condition: &ETagCondition, etag: &str) -> bool {
    condition.is_any() || condition.as_etag().is_some_and(|e| e.as_strong() == Some(etag))
}

fn seconds(t: &Timestamp) -> i64 {
    let mut text = Vec::new();
    let _ = t.format(TimestampFormat::EpochSeconds, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    text.split('.').next().and_then(|s| s.parse().ok()).unwrap_or(0)
}

struct ReadConditions<'a> {
    if_match: Option<&'a ETagCondition>,
    if_none_match: Option<&'a ETagCondition>,
    if_modified_since: Option<&'a Timestamp>,
    if_unmodified_since: Option<&'a Timestamp>,
}

impl ReadConditions<'_> {
    /// RFC 9110 section 13.2.2: the ETag conditions win over the dates.
    fn check(&self, meta: &Meta, not_modified: bool) -> S3Result<()> {
        let modified = (meta.modified_ms / 1000) as i64;
        let failed =
            || s3_error!(PreconditionFailed, "At least one of the pre-conditions did not hold");
        match (self.if_match, self.if_unmodified_since) {
            (Some(c), _) if !matches(c, &meta.etag) => return Err(failed()),
            (None, Some(t)) if modified > seconds(t) => return Err(failed()),
            _ => {}
        }
        let unchanged = match (self.if_none_match, self.if_modified_since) {
            (Some(c), _) => matches(c, &meta.etag),
            (None, Some(t)) => modified <= seconds(t),
            _ => false,
        };
        match unchanged {
            true if not_modified => {
                let mut e = s3_error!(NotModified, "Not Modified");
                let mut headers = HeaderMap::new();
                add_header(&mut headers, "etag", &format!("\"{}\"", meta.etag));
                e.set_headers(headers);
                Err(e)
            }
            true => Err(failed()),
            false => Ok(()),
        }
    }
}

/// What a GET or HEAD asks of an object.
struct Selection {
    range: std::ops::Range<u64>,
    content_range: Option<String>,
    parts_count: Option<i32>,
}

fn select(meta: &Meta, range: Option<Range>, part_number: Option<i32>) -> S3Result<Selection> {
    let unsatisfiable = |code: &str| {
        let mut e = match code {
            "InvalidRange" => s3_error!(InvalidRange, "The requested range is not satisfiable"),
            _ => S3Error::with_message(
                s3s::S3ErrorCode::Custom(code.to_owned().into()),
                "The requested partnumber is not satisfiable",
            ),
        };
        e.set_status_code(hyper::StatusCode::RANGE_NOT_SATISFIABLE);
        let mut headers = HeaderMap::new();
        add_header(&mut headers, "content-range", &format!("bytes */{}", meta.size));
        e.set_headers(headers);
        e
    };
    if range.is_some() && part_number.is_some() {
        return Err(s3_error!(InvalidRequest, "Cannot specify both Range header and partNumber"));
    }
    if let Some(number) = part_number {
        let mut start = 0;
        for segment in &meta.segments {
            if segment.part_number == number {
                let range = start..start + segment.size;
                let content_range = (meta.size > 0)
                    .then(|| format!("bytes {}-{}/{}", range.start, range.end - 1, meta.size));
                let parts_count = meta.multipart.then_some(meta.segments.len() as i32);
                return Ok(Selection { range, content_range, parts_count });
            }
            start += segment.size;
        }
        return Err(unsatisfiable("InvalidPartNumber"));
    }
    match range {
        None => Ok(Selection { range: 0..meta.size, content_range: None, parts_count: None }),
        Some(range) => {
            let range = range.check(meta.size).map_err(|_| unsatisfiable("InvalidRange"))?;
            if range.is_empty() {
                return Err(unsatisfiable("InvalidRange"));
            }
            let content_range = format!("bytes {}-{}/{}", range.start, range.end - 1, meta.size);
            Ok(Selection { range, content_range: Some(content_range), parts_count: None })
        }
    }
}

/// The headers that GET and HEAD share. Checksums come only where they were asked for, and not
/// with a part of the object.
fn object_headers(meta: &Meta, s: &Selection, checksum_mode: bool) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in &meta.headers {
        add_header(&mut headers, name, value);
    }
    if !headers.contains_key("content-type") {
        add_header(&mut headers, "content-type", "binary/octet-stream");
    }
    add_header(&mut headers, "etag", &format!("\"{}\"", meta.etag));
    add_header(&mut headers, "accept-ranges", "bytes");
    if checksum_mode && s.range == (0..meta.size) {
        add_checksums(&mut headers, meta);
    }
    headers
}

fn check_customer_key(meta: &Meta, given: Option<&str>) -> S3Result<()> {
    const NAME: &str = "x-amz-server-side-encryption-customer-key-md5";
    let stored = meta.headers.iter().find(|(n, _)| n == NAME).map(|(_, v)| v.as_str());
    match (stored, given) {
        (None, None) => Ok(()),
        (Some(a), Some(b)) if a == b => Ok(()),
        (Some(_), Some(_)) => Err(s3_error!(AccessDenied, "Access Denied")),
        _ => Err(s3_error!(InvalidRequest, "The object's encryption needs other parameters.")),
    }
}

fn encode_for_list(url: bool, key: &str) -> String {
    if !url {
        return key.into();
    }
    let mut to = String::new();
    for b in key.bytes() {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b'*' => {
                to.push(b as char);
            }
            b' ' => to.push('+'),
            _ => to.push_str(&format!("%{b:02X}")),
        }
    }
    to
}

/// One page of a listing.
#[derive(Default)]
struct Page {
    objects: Vec<Arc<Object>>,
    prefixes: Vec<String>,
    truncated: bool,
    /// Where the next page begins: after this key, or after all keys with this prefix.
    last: String,
}

fn page(bucket: &Bucket, prefix: &str, delimiter: &str, after: &str, max: usize) -> Page {
    let mut page = Page::default();
    for (key, object) in bucket.objects.range(prefix.to_owned()..) {
        if !key.starts_with(prefix) {
            break;
        }
        let common = match key[prefix.len()..].split_once(delimiter) {
            Some((front, _)) if !delimiter.is_empty() => {
                Some(format!("{prefix}{front}{delimiter}"))
            }
            _ => None,
        };
        let name = common.as_ref().unwrap_or(key);
        if name.as_str() <= after || page.prefixes.last() == Some(name) {
            continue;
        }
        if page.objects.len() + page.prefixes.len() == max {
            page.truncated = max > 0;
            break;
        }
        page.last = name.clone();
        match common {
            Some(p) => page.prefixes.push(p),
            None => page.objects.push(object.clone()),
        }
    }
    page
}

fn listed(o: &Object, url: bool) -> s3s::dto::Object {
    s3s::dto::Object {
        e_tag: Some(strong(&o.meta.etag)),
        key: Some(encode_for_list(url, &o.meta.key)),
        last_modified: Some(time_of(o.meta.modified_ms).into()),
        size: Some(o.meta.size as i64),
        storage_class: Some(ObjectStorageClass::from_static("STANDARD")),
        checksum_algorithm: o
            .meta
            .checksums
            .keys()
            .next()
            .map(|a| vec![ChecksumAlgorithm::from_static(a.name())]),
        ..Default::default()
    }
}

fn is_url(encoding: Option<&EncodingType>) -> S3Result<bool> {
    match encoding.map(EncodingType::as_str) {
        None => Ok(false),
        Some("url") => Ok(true),
        Some(_) => Err(s3_error!(InvalidArgument, "Invalid Encoding Method specified in Request")),
    }
}

/// The fields that many replies carry for the five algorithms that s3s knows.
macro_rules! sums_in {
    ($sums:expr) => {{
        let of = |a: Algorithm| $sums.get(&a).map(|v| sums::to_text(v));
        (
            of(Algorithm::Crc32),
            of(Algorithm::Crc32c),
            of(Algorithm::Crc64nvme),
            of(Algorithm::Sha1),
            of(Algorithm::Sha256),
        )
    }};
}

/// The checksums of an object put whole: what the request brought, else CRC64NVME, as S3 does.
fn checksums_of(sums: &Sums, promised: &[Algorithm]) -> BTreeMap<Algorithm, String> {
    let shown = if promised.is_empty() { &[Algorithm::Crc64nvme][..] } else { promised };
    shown.iter().filter_map(|a| Some((*a, sums::to_text(sums.get(a)?)))).collect()
}

impl Files {
    pub fn new(store: Store, region: String, min_part_size: u64) -> Self {
        Self { store: Arc::new(store), region, min_part_size }
    }

    /// Runs with the bucket, under the lock.
    fn with<T>(&self, bucket: &str, f: impl FnOnce(&mut Bucket) -> S3Result<T>) -> S3Result<T> {
        let mut state = self.store.state();
        let bucket = state
            .get_mut(bucket)
            .ok_or_else(|| s3_error!(NoSuchBucket, "The specified bucket does not exist"))?;
        f(bucket)
    }

    fn object(&self, bucket: &str, key: &str) -> S3Result<Arc<Object>> {
        self.with(bucket, |b| {
            b.objects
                .get(key)
                .cloned()
                .ok_or_else(|| s3_error!(NoSuchKey, "The specified key does not exist."))
        })
    }

    fn upload<'a>(&self, b: &'a mut Bucket, key: &str, id: &str) -> S3Result<&'a mut Upload> {
        match b.uploads.get_mut(id) {
            Some(u) if u.key == key => Ok(u),
            _ => Err(s3_error!(
                NoSuchUpload,
                "The specified upload does not exist. The upload ID may be invalid, or the upload \
                 may have been aborted or completed."
            )),
        }
    }

    fn source(&self, source: &CopySource) -> S3Result<Arc<Object>> {
        match source {
            CopySource::Bucket { bucket, key, .. } => self.object(bucket, key),
            _ => Err(s3_error!(NotImplemented, "copy sources other than bucket/key")),
        }
    }

    /// Copies bytes between objects on a thread of its own.
    async fn copy_bytes(
        from: Arc<Object>,
        range: std::ops::Range<u64>,
        to: std::path::PathBuf,
        wanted: Vec<Algorithm>,
    ) -> S3Result<Written> {
        tokio::task::spawn_blocking(move || from.copy_to(range, &to, &wanted))
            .await
            .map_err(S3Error::internal_error)?
            .map_err(S3Error::internal_error)
    }

    fn complete(
        &self,
        bucket: &str,
        input: &CompleteMultipartUploadInput,
        headers: &HeaderMap,
    ) -> S3Result<Arc<Object>> {
        self.with(bucket, |b| {
            if let Some(done) = b.completed.get(&input.upload_id) {
                return Ok(done.clone());
            }
            let upload = self.upload(b, &input.key, &input.upload_id)?.clone();
            let listed = input.multipart_upload.as_ref().and_then(|m| m.parts.as_deref());
            let parts = self.listed_parts(&upload, listed.unwrap_or_default())?;
            let size = parts.iter().map(|p| p.size).sum::<u64>();
            if let Some(told) = input.mpu_object_size
                && told as u64 != size
            {
                return Err(s3_error!(InvalidRequest, "The object has {size} bytes, not {told}"));
            }
            check_write_conditions(
                input.if_match.as_ref(),
                input.if_none_match.as_ref(),
                b.objects.get(&input.key),
            )?;
            let checksums = multipart_checksums(&upload, &parts, headers)?;
            let md5s: Vec<u8> =
                parts.iter().flat_map(|p| p.sums[&Algorithm::Md5].clone()).collect();
            let etag = sums::digest(Algorithm::Md5, &md5s);
            let meta = Meta {
                key: upload.key.clone(),
                data: upload.id.clone(),
                etag: format!("{}-{}", sums::hex(&etag), parts.len()),
                size,
                modified_ms: now_ms(),
                segments: parts
                    .iter()
                    .map(|p| Segment {
                        file: p.file.clone(),
                        size: p.size,
                        part_number: p.number,
                        sums: p.sums.clone(),
                    })
                    .collect(),
                headers: upload.headers.clone(),
                composite: !upload.full_object,
                checksums,
                multipart: true,
            };
            self.store.remove_unlisted(bucket, &meta);
            let object = self.store.put(bucket, b, meta).map_err(S3Error::internal_error)?;
            self.store.drop_upload(bucket, &upload.id, false);
            b.uploads.remove(&upload.id);
            b.completed.insert(upload.id, object.clone());
            Ok(object)
        })
    }

    /// The parts that a Complete names, each held against what was uploaded.
    fn listed_parts(&self, upload: &Upload, listed: &[CompletedPart]) -> S3Result<Vec<Part>> {
        if listed.is_empty() {
            return Err(s3_error!(MalformedXML, "A Complete must list at least one part"));
        }
        let mut parts: Vec<Part> = Vec::new();
        for (i, entry) in listed.iter().enumerate() {
            let number = entry.part_number.unwrap_or(0);
            if parts.last().is_some_and(|p| p.number >= number) {
                return Err(s3_error!(InvalidPartOrder, "The list of parts was not in order."));
            }
            let invalid = || {
                s3_error!(
                    InvalidPart,
                    "Part {number} could not be found. It may not have been uploaded, or its \
                     entity tag or checksum does not match."
                )
            };
            let part = upload.parts.get(&number).ok_or_else(invalid)?;
            if entry.e_tag.as_ref().and_then(ETag::as_strong) != Some(part.md5.as_str()) {
                return Err(invalid());
            }
            let told = [
                (Algorithm::Crc32, &entry.checksum_crc32),
                (Algorithm::Crc32c, &entry.checksum_crc32c),
                (Algorithm::Crc64nvme, &entry.checksum_crc64nvme),
                (Algorithm::Sha1, &entry.checksum_sha1),
                (Algorithm::Sha256, &entry.checksum_sha256),
            ];
            for (algorithm, value) in told {
                let right = part.sums.get(&algorithm).map(|v| sums::to_text(v));
                if value.is_some() && *value != right {
                    return Err(invalid());
                }
                if value.is_none() && upload.algorithm == Some(algorithm) && !upload.full_object {
                    return Err(s3_error!(
                        InvalidRequest,
                        "The upload was created using a {} checksum. The complete request must \
                         include the checksum for each part. It was missing for part {number}.",
                        algorithm.name()
                    ));
                }
            }
            if i + 1 < listed.len() && part.size < self.min_part_size {
                return Err(s3_error!(
                    EntityTooSmall,
                    "Your proposed upload is smaller than the minimum allowed size"
                ));
            }
            parts.push(part.clone());
        }
        Ok(parts)
    }
}

fn multipart_checksums(
    upload: &Upload,
    parts: &[Part],
    headers: &HeaderMap,
) -> S3Result<BTreeMap<Algorithm, String>> {
    let algorithm = upload.algorithm.unwrap_or(Algorithm::Crc64nvme);
    let mut checksums = BTreeMap::new();
    if upload.full_object {
        let sums: Vec<_> = parts.iter().map(|p| (p.sums[&algorithm].as_slice(), p.size)).collect();
        if let Some(whole) = sums::full_object(algorithm, &sums) {
            checksums.insert(algorithm, sums::to_text(&whole));
        }
    } else {
        let sums: Vec<_> = parts.iter().map(|p| p.sums[&algorithm].as_slice()).collect();
        checksums.insert(algorithm, sums::composite(algorithm, &sums));
    }
    let told = text(headers, "x-amz-checksum-type");
    if told.is_some_and(|t| t != type_of(!upload.full_object)) {
        return Err(s3_error!(InvalidRequest, "The checksum type is not the upload's"));
    }
    for (told, value) in promised(headers)? {
        if value.is_some() && checksums.get(&told) != value.as_ref() {
            return Err(s3_error!(
                BadDigest,
                "The {} you specified did not match the calculated checksum.",
                told.name()
            ));
        }
    }
    Ok(checksums)
}

#[async_trait::async_trait]
impl S3 for Files {
    async fn create_bucket(
        &self,
        req: S3Request<CreateBucketInput>,
    ) -> S3Result<S3Response<CreateBucketOutput>> {
        let made = self.store.create_bucket(&req.input.bucket).map_err(S3Error::internal_error)?;
        if !made {
            return Err(s3_error!(BucketAlreadyOwnedByYou, "You already own this bucket."));
        }
        let location = Some(format!("/{}", req.input.bucket));
        Ok(S3Response::new(CreateBucketOutput { location }))
    }

    async fn head_bucket(
        &self,
        req: S3Request<HeadBucketInput>,
    ) -> S3Result<S3Response<HeadBucketOutput>> {
        self.with(&req.input.bucket, |_| Ok(()))?;
        let bucket_region = Some(self.region.clone());
        Ok(S3Response::new(HeadBucketOutput { bucket_region, ..Default::default() }))
    }

    async fn delete_bucket(
        &self,
        req: S3Request<DeleteBucketInput>,
    ) -> S3Result<S3Response<DeleteBucketOutput>> {
        let empty = self.with(&req.input.bucket, |b| Ok(b.objects.is_empty()))?;
        if !empty {
            return Err(s3_error!(BucketNotEmpty, "The bucket you tried to delete is not empty"));
        }
        self.store.delete_bucket(&req.input.bucket).map_err(S3Error::internal_error)?;
        Ok(S3Response::new(DeleteBucketOutput {}))
    }

    async fn get_bucket_location(
        &self,
        req: S3Request<GetBucketLocationInput>,
    ) -> S3Result<S3Response<GetBucketLocationOutput>> {
        self.with(&req.input.bucket, |_| Ok(()))?;
        Ok(S3Response::new(GetBucketLocationOutput::default()))
    }

    async fn list_buckets(
        &self,
        _req: S3Request<ListBucketsInput>,
    ) -> S3Result<S3Response<ListBucketsOutput>> {
        let state = self.store.state();
        let buckets = state.iter().map(|(name, b)| s3s::dto::Bucket {
            name: Some(name.clone()),
            creation_date: Some(time_of(b.created_ms).into()),
            ..Default::default()
        });
        let buckets = Some(buckets.collect());
        Ok(S3Response::new(ListBucketsOutput { buckets, ..Default::default() }))
    }

    async fn put_object(
        &self,
        req: S3Request<PutObjectInput>,
    ) -> S3Result<S3Response<PutObjectOutput>> {
        let i = req.input;
        self.with(&i.bucket, |b| {
            check_write_conditions(
                i.if_match.as_ref(),
                i.if_none_match.as_ref(),
                b.objects.get(&i.key),
            )
        })?;
        let promised: Vec<_> = promised(&req.headers)?.into_iter().map(|(a, _)| a).collect();
        let id = self.store.fresh_id();
        let folder = self.store.data_folder(&i.bucket, &id).map_err(S3Error::internal_error)?;
        let intake = Intake {
            body: i.body,
            headers: &req.headers,
            trailers: req.trailing_headers.as_ref(),
            wanted: if promised.is_empty() { vec![Algorithm::Crc64nvme] } else { Vec::new() },
        };
        let written = match intake.store(&folder.join("1")).await {
            Ok(written) => written,
            Err(e) => {
                let _ = std::fs::remove_dir_all(&folder);
                return Err(e);
            }
        };
        let meta = Meta {
            key: i.key.clone(),
            data: id,
            etag: sums::hex(&written.sums[&Algorithm::Md5]),
            size: written.size,
            modified_ms: now_ms(),
            headers: headers_to_keep(&req.headers),
            checksums: checksums_of(&written.sums, &promised),
            segments: vec![Segment {
                file: "1".into(),
                size: written.size,
                part_number: 1,
                sums: written.sums,
            }],
            composite: false,
            multipart: false,
        };
        let put = self.with(&i.bucket, |b| {
            check_write_conditions(
                i.if_match.as_ref(),
                i.if_none_match.as_ref(),
                b.objects.get(&i.key),
            )?;
            self.store.put(&i.bucket, b, meta).map_err(S3Error::internal_error)
        });
        let object = match put {
            Ok(object) => object,
            Err(e) => {
                let _ = std::fs::remove_dir_all(&folder);
                return Err(e);
            }
        };
        let mut headers = HeaderMap::new();
        add_checksums(&mut headers, &object.meta);
        let e_tag = Some(strong(&object.meta.etag));
        let output = PutObjectOutput { e_tag, ..Default::default() };
        Ok(S3Response::with_headers(output, headers))
    }

    async fn get_object(
        &self,
        req: S3Request<GetObjectInput>,
    ) -> S3Result<S3Response<GetObjectOutput>> {
        let i = req.input;
        let object = self.object(&i.bucket, &i.key)?;
        check_customer_key(&object.meta, i.sse_customer_key_md5.as_deref())?;
        ReadConditions {
            if_match: i.if_match.as_ref(),
            if_none_match: i.if_none_match.as_ref(),
            if_modified_since: i.if_modified_since.as_ref(),
            if_unmodified_since: i.if_unmodified_since.as_ref(),
        }
        .check(&object.meta, true)?;
        let selection = select(&object.meta, i.range, i.part_number)?;
        let headers = object_headers(&object.meta, &selection, i.checksum_mode.is_some());
        let output = GetObjectOutput {
            content_length: Some((selection.range.end - selection.range.start) as i64),
            last_modified: Some(time_of(object.meta.modified_ms).into()),
            body: Some(body_of(object, selection.range)?),
            content_range: selection.content_range,
            parts_count: selection.parts_count,
            ..Default::default()
        };
        Ok(S3Response::with_headers(output, headers))
    }

    async fn head_object(
        &self,
        req: S3Request<HeadObjectInput>,
    ) -> S3Result<S3Response<HeadObjectOutput>> {
        let i = req.input;
        let object = self.object(&i.bucket, &i.key)?;
        check_customer_key(&object.meta, i.sse_customer_key_md5.as_deref())?;
        ReadConditions {
            if_match: i.if_match.as_ref(),
            if_none_match: i.if_none_match.as_ref(),
            if_modified_since: i.if_modified_since.as_ref(),
            if_unmodified_since: i.if_unmodified_since.as_ref(),
        }
        .check(&object.meta, true)?;
        let selection = select(&object.meta, i.range, i.part_number)?;
        let headers = object_headers(&object.meta, &selection, i.checksum_mode.is_some());
        let partial = selection.content_range.is_some();
        let output = HeadObjectOutput {
            content_length: Some((selection.range.end - selection.range.start) as i64),
            last_modified: Some(time_of(object.meta.modified_ms).into()),
            content_range: selection.content_range,
            parts_count: selection.parts_count,
            ..Default::default()
        };
        let mut response = S3Response::with_headers(output, headers);
        response.status = partial.then_some(hyper::StatusCode::PARTIAL_CONTENT);
        Ok(response)
    }

    async fn get_object_attributes(
        &self,
        req: S3Request<GetObjectAttributesInput>,
    ) -> S3Result<S3Response<GetObjectAttributesOutput>> {
        let i = req.input;
        let object = self.object(&i.bucket, &i.key)?;
        let asked = |name: &str| i.object_attributes.iter().any(|a| a.as_str() == name);
        let meta = &object.meta;
        let of = |a: Algorithm| meta.checksums.get(&a).cloned();
        let checksum = Checksum {
            checksum_crc32: of(Algorithm::Crc32),
            checksum_crc32c: of(Algorithm::Crc32c),
            checksum_crc64nvme: of(Algorithm::Crc64nvme),
            checksum_sha1: of(Algorithm::Sha1),
            checksum_sha256: of(Algorithm::Sha256),
            checksum_type: Some(ChecksumType::from_static(type_of(meta.composite))),
        };
        let after = i.part_number_marker.unwrap_or(0);
        let max = i.max_parts.unwrap_or(1000).clamp(0, 1000);
        let left: Vec<_> = meta.segments.iter().filter(|s| s.part_number > after).collect();
        let parts: Vec<_> = left
            .iter()
            .take(max as usize)
            .map(|s| {
                let (crc32, crc32c, crc64nvme, sha1, sha256) = sums_in!(s.sums);
                ObjectPart {
                    checksum_crc32: crc32,
                    checksum_crc32c: crc32c,
                    checksum_crc64nvme: crc64nvme,
                    checksum_sha1: sha1,
                    checksum_sha256: sha256,
                    part_number: Some(s.part_number),
                    size: Some(s.size as i64),
                }
            })
            .collect();
        let object_parts = GetObjectAttributesParts {
            is_truncated: Some(left.len() > parts.len()),
            max_parts: Some(max),
            part_number_marker: Some(after),
            next_part_number_marker: parts.last().and_then(|p| p.part_number),
            total_parts_count: Some(meta.segments.len() as i32),
            // Real S3 lists parts only where they have checksums of their own.
            parts: meta.composite.then_some(parts),
        };
        let output = GetObjectAttributesOutput {
            checksum: asked("Checksum").then_some(checksum),
            e_tag: asked("ETag").then(|| strong(&meta.etag)),
            object_parts: (asked("ObjectParts") && meta.multipart).then_some(object_parts),
            object_size: asked("ObjectSize").then_some(meta.size as i64),
            last_modified: Some(time_of(meta.modified_ms).into()),
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }

    async fn delete_object(
        &self,
        req: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        let i = req.input;
        self.with(&i.bucket, |b| {
            if let Some(condition) = &i.if_match {
                check_write_conditions(Some(condition), None, b.objects.get(&i.key))?;
            }
            self.store.delete(&i.bucket, b, &i.key);
            Ok(())
        })?;
        let output = DeleteObjectOutput::default();
        Ok(S3Response::with_status(output, hyper::StatusCode::NO_CONTENT))
    }

    async fn delete_objects(
        &self,
        req: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        let i = req.input;
        let mut deleted = Vec::new();
        self.with(&i.bucket, |b| {
            for object in &i.delete.objects {
                self.store.delete(&i.bucket, b, &object.key);
                let key = Some(object.key.clone());
                deleted.push(DeletedObject { key, ..Default::default() });
            }
            Ok(())
        })?;
        let deleted = (!i.delete.quiet.unwrap_or(false)).then_some(deleted);
        Ok(S3Response::new(DeleteObjectsOutput { deleted, ..Default::default() }))
    }

    async fn copy_object(
        &self,
        req: S3Request<CopyObjectInput>,
    ) -> S3Result<S3Response<CopyObjectOutput>> {
        let i = req.input;
        let source = self.source(&i.copy_source)?;
        ReadConditions {
            if_match: i.copy_source_if_match.as_ref(),
            if_none_match: i.copy_source_if_none_match.as_ref(),
            if_modified_since: i.copy_source_if_modified_since.as_ref(),
            if_unmodified_since: i.copy_source_if_unmodified_since.as_ref(),
        }
        .check(&source.meta, false)?;
        if source.meta.size > 5 << 30 {
            return Err(s3_error!(
                InvalidRequest,
                "The specified copy source is larger than the maximum allowable size for a copy \
                 source: 5368709120"
            ));
        }
        self.with(&i.bucket, |_| Ok(()))?;
        let algorithm = match &i.checksum_algorithm {
            Some(a) => algorithm_named(a.as_str())?,
            None => match source.meta.checksums.keys().next() {
                Some(a) if !source.meta.composite => *a,
                _ => Algorithm::Crc64nvme,
            },
        };
        let id = self.store.fresh_id();
        let folder = self.store.data_folder(&i.bucket, &id).map_err(S3Error::internal_error)?;
        let wanted = vec![algorithm, Algorithm::Md5];
        let all = 0..source.meta.size;
        let written = Self::copy_bytes(source.clone(), all, folder.join("1"), wanted).await?;
        let replace = i.metadata_directive.as_ref().is_some_and(|d| d.as_str() == "REPLACE");
        let meta = Meta {
            key: i.key.clone(),
            data: id,
            etag: sums::hex(&written.sums[&Algorithm::Md5]),
            size: written.size,
            modified_ms: now_ms(),
            headers: match replace {
                true => headers_to_keep(&req.headers),
                false => source.meta.headers.clone(),
            },
            checksums: checksums_of(&written.sums, &[algorithm]),
            segments: vec![Segment {
                file: "1".into(),
                size: written.size,
                part_number: 1,
                sums: written.sums,
            }],
            composite: false,
            multipart: false,
        };
        let object = self.with(&i.bucket, |b| {
            self.store.put(&i.bucket, b, meta).map_err(S3Error::internal_error)
        })?;
        let of = |a: Algorithm| object.meta.checksums.get(&a).cloned();
        let result = CopyObjectResult {
            checksum_crc32: of(Algorithm::Crc32),
            checksum_crc32c: of(Algorithm::Crc32c),
            checksum_crc64nvme: of(Algorithm::Crc64nvme),
            checksum_sha1: of(Algorithm::Sha1),
            checksum_sha256: of(Algorithm::Sha256),
            checksum_type: Some(ChecksumType::from_static(ChecksumType::FULL_OBJECT)),
            e_tag: Some(strong(&object.meta.etag)),
            last_modified: Some(time_of(object.meta.modified_ms).into()),
        };
        let copy_object_result = Some(result);
        Ok(S3Response::new(CopyObjectOutput { copy_object_result, ..Default::default() }))
    }

    async fn create_multipart_upload(
        &self,
        req: S3Request<CreateMultipartUploadInput>,
    ) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
        let i = req.input;
        let algorithm = match text(&req.headers, "x-amz-checksum-algorithm") {
            Some(name) => Some(algorithm_named(&name)?),
            None => None,
        };
        let told = text(&req.headers, "x-amz-checksum-type");
        let full_object = match (algorithm, told.as_deref()) {
            (None, None) => true,
            (None, Some(_)) => {
                return Err(s3_error!(
                    InvalidRequest,
                    "The x-amz-checksum-type header can only be used with the \
                     x-amz-checksum-algorithm header."
                ));
            }
            (Some(Algorithm::Crc64nvme), None | Some("FULL_OBJECT")) => true,
            (Some(a), Some("FULL_OBJECT")) if a.can_be_full_object() => true,
            (Some(a), None | Some("COMPOSITE")) if a != Algorithm::Crc64nvme => false,
            (Some(a), Some(t)) => {
                return Err(s3_error!(
                    InvalidRequest,
                    "The {t} checksum type cannot be used with the {} checksum algorithm.",
                    a.name()
                ));
            }
            (Some(_), None) => false,
        };
        let upload = Upload {
            id: self.store.fresh_id(),
            key: i.key.clone(),
            initiated_ms: now_ms(),
            headers: headers_to_keep(&req.headers),
            algorithm,
            full_object,
            parts: BTreeMap::new(),
        };
        let id = upload.id.clone();
        self.with(&i.bucket, |b| {
            self.store.save_upload(&i.bucket, &upload).map_err(S3Error::internal_error)?;
            b.uploads.insert(upload.id.clone(), upload);
            Ok(())
        })?;
        let mut headers = HeaderMap::new();
        if let Some(a) = algorithm {
            add_header(&mut headers, "x-amz-checksum-algorithm", a.name());
            add_header(&mut headers, "x-amz-checksum-type", type_of(!full_object));
        }
        let output = CreateMultipartUploadOutput {
            bucket: Some(i.bucket),
            key: Some(i.key),
            upload_id: Some(id),
            ..Default::default()
        };
        Ok(S3Response::with_headers(output, headers))
    }

    async fn upload_part(
        &self,
        req: S3Request<UploadPartInput>,
    ) -> S3Result<S3Response<UploadPartOutput>> {
        let i = req.input;
        if !(1..=10_000).contains(&i.part_number) {
            return Err(s3_error!(
                InvalidArgument,
                "Part number must be an integer between 1 and 10000, inclusive"
            ));
        }
        let algorithm =
            self.with(&i.bucket, |b| Ok(self.upload(b, &i.key, &i.upload_id)?.algorithm))?;
        let promised: Vec<_> = promised(&req.headers)?.into_iter().map(|(a, _)| a).collect();
        if let (Some(a), Some(p)) = (algorithm, promised.first())
            && a != *p
        {
            return Err(s3_error!(
                InvalidRequest,
                "Checksum Type mismatch occurred, expected checksum Type: {}, actual checksum \
                 Type: {}",
                a.name().to_ascii_lowercase(),
                p.name().to_ascii_lowercase()
            ));
        }
        let folder =
            self.store.data_folder(&i.bucket, &i.upload_id).map_err(S3Error::internal_error)?;
        let file = format!("{}.{}", i.part_number, self.store.fresh_id());
        let intake = Intake {
            body: i.body,
            headers: &req.headers,
            trailers: req.trailing_headers.as_ref(),
            wanted: vec![algorithm.unwrap_or(Algorithm::Crc64nvme)],
        };
        let written = intake.store(&folder.join(&file)).await?;
        let shown = match algorithm {
            Some(a) => vec![a],
            None if promised.is_empty() => vec![Algorithm::Crc64nvme],
            None => promised,
        };
        let mut headers = HeaderMap::new();
        for a in shown {
            add_header(&mut headers, &a.header(), &sums::to_text(&written.sums[&a]));
        }
        let part = part_of(i.part_number, file, written);
        let e_tag = Some(strong(&part.md5));
        self.with(&i.bucket, |b| {
            let upload = self.upload(b, &i.key, &i.upload_id)?;
            self.store.add_part(&i.bucket, upload, part).map_err(S3Error::internal_error)
        })
        .inspect_err(|_| {
            let _ = std::fs::remove_dir_all(&folder); // aborted meanwhile
        })?;
        let output = UploadPartOutput { e_tag, ..Default::default() };
        Ok(S3Response::with_headers(output, headers))
    }

    async fn upload_part_copy(
        &self,
        req: S3Request<UploadPartCopyInput>,
    ) -> S3Result<S3Response<UploadPartCopyOutput>> {
        let i = req.input;
        let source = self.source(&i.copy_source)?;
        ReadConditions {
            if_match: i.copy_source_if_match.as_ref(),
            if_none_match: i.copy_source_if_none_match.as_ref(),
            if_modified_since: i.copy_source_if_modified_since.as_ref(),
            if_unmodified_since: i.copy_source_if_unmodified_since.as_ref(),
        }
        .check(&source.meta, false)?;
        let range = match &i.copy_source_range {
            None => 0..source.meta.size,
            Some(text) => match Range::parse(text) {
                Ok(Range::Int { first, last: Some(last) }) if last < source.meta.size => {
                    first..last + 1
                }
                _ => {
                    return Err(s3_error!(
                        InvalidArgument,
                        "The x-amz-copy-source-range value must be of the form bytes=first-last \
                         and within the source object of {} bytes",
                        source.meta.size
                    ));
                }
            },
        };
        if range.end - range.start > 5 << 30 {
            return Err(s3_error!(InvalidRequest, "A part has at most 5368709120 bytes"));
        }
        let algorithm =
            self.with(&i.bucket, |b| Ok(self.upload(b, &i.key, &i.upload_id)?.algorithm))?;
        let shown = algorithm.unwrap_or(Algorithm::Crc64nvme);
        let folder =
            self.store.data_folder(&i.bucket, &i.upload_id).map_err(S3Error::internal_error)?;
        let file = format!("{}.{}", i.part_number, self.store.fresh_id());
        let wanted = vec![shown, Algorithm::Md5];
        let written = Self::copy_bytes(source, range, folder.join(&file), wanted).await?;
        let part = part_of(i.part_number, file, written);
        let (crc32, crc32c, crc64nvme, sha1, sha256) = sums_in!(part.sums);
        let result = CopyPartResult {
            checksum_crc32: crc32,
            checksum_crc32c: crc32c,
            checksum_crc64nvme: crc64nvme,
            checksum_sha1: sha1,
            checksum_sha256: sha256,
            e_tag: Some(strong(&part.md5)),
            last_modified: Some(time_of(part.modified_ms).into()),
        };
        self.with(&i.bucket, |b| {
            let upload = self.upload(b, &i.key, &i.upload_id)?;
            self.store.add_part(&i.bucket, upload, part).map_err(S3Error::internal_error)
        })?;
        let copy_part_result = Some(result);
        Ok(S3Response::new(UploadPartCopyOutput { copy_part_result, ..Default::default() }))
    }

    async fn complete_multipart_upload(
        &self,
        req: S3Request<CompleteMultipartUploadInput>,
    ) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
        let i = req.input;
        let object = self.complete(&i.bucket, &i, &req.headers)?;
        let of = |a: Algorithm| object.meta.checksums.get(&a).cloned();
        let output = CompleteMultipartUploadOutput {
            checksum_crc32: of(Algorithm::Crc32),
            checksum_crc32c: of(Algorithm::Crc32c),
            checksum_crc64nvme: of(Algorithm::Crc64nvme),
            checksum_sha1: of(Algorithm::Sha1),
            checksum_sha256: of(Algorithm::Sha256),
            checksum_type: Some(ChecksumType::from_static(type_of(object.meta.composite))),
            e_tag: Some(strong(&object.meta.etag)),
            location: Some(format!("/{}/{}", i.bucket, i.key)),
            bucket: Some(i.bucket),
            key: Some(i.key),
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }

    async fn abort_multipart_upload(
        &self,
        req: S3Request<AbortMultipartUploadInput>,
    ) -> S3Result<S3Response<AbortMultipartUploadOutput>> {
        let i = req.input;
        self.with(&i.bucket, |b| {
            self.upload(b, &i.key, &i.upload_id)?;
            b.uploads.remove(&i.upload_id);
            self.store.drop_upload(&i.bucket, &i.upload_id, true);
            Ok(())
        })?;
        let output = AbortMultipartUploadOutput::default();
        Ok(S3Response::with_status(output, hyper::StatusCode::NO_CONTENT))
    }

    async fn list_parts(
        &self,
        req: S3Request<ListPartsInput>,
    ) -> S3Result<S3Response<ListPartsOutput>> {
        let i = req.input;
        let after = i.part_number_marker.unwrap_or(0);
        let max = i.max_parts.unwrap_or(1000).clamp(0, 1000);
        let output = self.with(&i.bucket, |b| {
            let upload = self.upload(b, &i.key, &i.upload_id)?;
            let mut left = upload.parts.range(after.saturating_add(1)..).map(|(_, p)| p);
            let page: Vec<&Part> = left.by_ref().take(max as usize).collect();
            let parts = page.iter().map(|p| {
                let shown: Sums = match upload.algorithm {
                    Some(a) => p.sums.iter().filter(|(k, _)| **k == a).map(clone_pair).collect(),
                    None => Sums::new(),
                };
                let (crc32, crc32c, crc64nvme, sha1, sha256) = sums_in!(shown);
                s3s::dto::Part {
                    checksum_crc32: crc32,
                    checksum_crc32c: crc32c,
                    checksum_crc64nvme: crc64nvme,
                    checksum_sha1: sha1,
                    checksum_sha256: sha256,
                    e_tag: Some(strong(&p.md5)),
                    last_modified: Some(time_of(p.modified_ms).into()),
                    part_number: Some(p.number),
                    size: Some(p.size as i64),
                }
            });
            let parts: Vec<_> = parts.collect();
            Ok(ListPartsOutput {
                is_truncated: Some(left.next().is_some()),
                max_parts: Some(max),
                part_number_marker: Some(after),
                next_part_number_marker: Some(page.last().map_or(after, |p| p.number)),
                parts: Some(parts),
                checksum_algorithm: upload
                    .algorithm
                    .map(|a| ChecksumAlgorithm::from_static(a.name())),
                checksum_type: upload
                    .algorithm
                    .map(|_| ChecksumType::from_static(type_of(!upload.full_object))),
                storage_class: Some(StorageClass::from_static("STANDARD")),
                ..Default::default()
            })
        })?;
        let output = ListPartsOutput {
            bucket: Some(i.bucket),
            key: Some(i.key),
            upload_id: Some(i.upload_id),
            ..output
        };
        Ok(S3Response::new(output))
    }

    async fn list_multipart_uploads(
        &self,
        req: S3Request<ListMultipartUploadsInput>,
    ) -> S3Result<S3Response<ListMultipartUploadsOutput>> {
        let i = req.input;
        let url = is_url(i.encoding_type.as_ref())?;
        let max = i.max_uploads.unwrap_or(1000).clamp(0, 1000);
        let prefix = i.prefix.clone().unwrap_or_default();
        let after = (i.key_marker.clone().unwrap_or_default(), i.upload_id_marker.clone());
        let (mut found, cut) = self.with(&i.bucket, |b| {
            let mut found: Vec<Upload> = b
                .uploads
                .values()
                .filter(|u| u.key.starts_with(&prefix))
                .filter(|u| match &after.1 {
                    Some(id) => (&u.key, &u.id) > (&after.0, id),
                    None => u.key > after.0 || after.0.is_empty(),
                })
                .map(|u| Upload { parts: BTreeMap::new(), ..u.clone() })
                .collect();
            found.sort_by(|a, b| (&a.key, &a.id).cmp(&(&b.key, &b.id)));
            let cut = found.len() > max as usize;
            Ok((found, cut))
        })?;
        found.truncate(max as usize);
        let last = found.last().filter(|_| cut);
        let output = ListMultipartUploadsOutput {
            bucket: Some(i.bucket),
            encoding_type: i.encoding_type,
            is_truncated: Some(cut),
            key_marker: Some(after.0),
            max_uploads: Some(max),
            next_key_marker: last.map(|u| encode_for_list(url, &u.key)),
            next_upload_id_marker: last.map(|u| u.id.clone()),
            prefix: i.prefix,
            upload_id_marker: after.1,
            uploads: Some(
                found
                    .iter()
                    .map(|u| MultipartUpload {
                        initiated: Some(time_of(u.initiated_ms).into()),
                        key: Some(encode_for_list(url, &u.key)),
                        upload_id: Some(u.id.clone()),
                        ..Default::default()
                    })
                    .collect(),
            ),
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }

    async fn list_objects_v2(
        &self,
        req: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        let i = req.input;
        let url = is_url(i.encoding_type.as_ref())?;
        let max = i.max_keys.unwrap_or(1000).clamp(0, 1000);
        // The token is the key itself, in base64, so that any key may stand in it.
        let after = match &i.continuation_token {
            Some(token) => sums::from_text(token)
                .and_then(|b| String::from_utf8(b).ok())
                .ok_or_else(|| s3_error!(InvalidArgument, "The continuation token is incorrect"))?,
            None => i.start_after.clone().unwrap_or_default(),
        };
        let prefix = i.prefix.clone().unwrap_or_default();
        let delimiter = i.delimiter.clone().unwrap_or_default();
        let page =
            self.with(&i.bucket, |b| Ok(page(b, &prefix, &delimiter, &after, max as usize)))?;
        let output = ListObjectsV2Output {
            name: Some(i.bucket),
            prefix: Some(encode_for_list(url, &prefix)),
            max_keys: Some(max),
            key_count: Some((page.objects.len() + page.prefixes.len()) as i32),
            continuation_token: i.continuation_token,
            is_truncated: Some(page.truncated),
            next_continuation_token: page.truncated.then(|| sums::to_text(page.last.as_bytes())),
            contents: Some(page.objects.iter().map(|o| listed(o, url)).collect()),
            common_prefixes: Some(prefixes(&page, url)),
            delimiter: i.delimiter.map(|d| encode_for_list(url, &d)),
            encoding_type: i.encoding_type,
            start_after: i.start_after.map(|s| encode_for_list(url, &s)),
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }

    async fn list_objects(
        &self,
        req: S3Request<ListObjectsInput>,
    ) -> S3Result<S3Response<ListObjectsOutput>> {
        let i = req.input;
        let url = is_url(i.encoding_type.as_ref())?;
        let max = i.max_keys.unwrap_or(1000).clamp(0, 1000);
        let prefix = i.prefix.clone().unwrap_or_default();
        let delimiter = i.delimiter.clone().unwrap_or_default();
        let after = i.marker.clone().unwrap_or_default();
        let page =
            self.with(&i.bucket, |b| Ok(page(b, &prefix, &delimiter, &after, max as usize)))?;
        let output = ListObjectsOutput {
            name: Some(i.bucket),
            prefix: Some(encode_for_list(url, &prefix)),
            marker: Some(encode_for_list(url, &after)),
            max_keys: Some(max),
            is_truncated: Some(page.truncated),
            contents: Some(page.objects.iter().map(|o| listed(o, url)).collect()),
            common_prefixes: Some(prefixes(&page, url)),
            next_marker: page.truncated.then(|| encode_for_list(url, &page.last)),
            delimiter: i.delimiter,
            encoding_type: i.encoding_type,
            ..Default::default()
        };
        Ok(S3Response::new(output))
    }
}

fn prefixes(page: &Page, url: bool) -> Vec<CommonPrefix> {
    let encode = |p: &String| CommonPrefix { prefix: Some(encode_for_list(url, p)) };
    page.prefixes.iter().map(encode).collect()
}

fn clone_pair((a, v): (&Algorithm, &Vec<u8>)) -> (Algorithm, Vec<u8>) {
    (*a, v.clone())
}

fn part_of(number: i32, file: String, written: Written) -> Part {
    Part {
        number,
        file,
        size: written.size,
        md5: sums::hex(&written.sums[&Algorithm::Md5]),
        sums: written.sums,
        modified_ms: now_ms(),
    }
}
