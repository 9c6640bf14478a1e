//! The bodies of successful answers. Each parser wants the whole document, well-formed, with the
//! root and the fields that make it a success; everything else is an error.

use super::errors::{S3Error, parse_error};
use crate::base::{Code, Error, Result};
use crate::checksum::Algorithm;
use crate::text::{date, percent, xml};

/// The upload id of a CreateMultipartUpload answer.
pub fn parse_created_upload(body: &[u8]) -> Result<String> {
    let missing = || Error::new(Code::S3_MISSING_UPLOAD_ID);
    let root = xml::parse(body).map_err(|_| missing())?;
    if root.name != "InitiateMultipartUploadResult" {
        return Err(missing());
    }
    let id = root.text_of("UploadId").unwrap_or_default().trim();
    if id.is_empty() { Err(missing()) } else { Ok(id.to_owned()) }
}

/// What CompleteMultipartUpload answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompletedUpload {
    /// Proof that the object exists.
    Done { etag: String, location: String, checksum: Option<(Algorithm, String)> },
    /// An `<Error>`, with whatever status.
    Refused(S3Error),
    /// Empty, cut or no document of S3: neither success nor failure. Ask before calling it either.
    Unclear,
}

pub fn parse_completed(body: &[u8]) -> CompletedUpload {
    if let Some(error) = parse_error(body) {
        return CompletedUpload::Refused(error);
    }
    let Ok(root) = xml::parse(body) else {
        return CompletedUpload::Unclear;
    };
    let etag = root.text_of("ETag").unwrap_or_default();
    if root.name != "CompleteMultipartUploadResult" || etag.is_empty() {
        return CompletedUpload::Unclear;
    }
    CompletedUpload::Done {
        etag: etag.to_owned(),
        location: root.text_of("Location").unwrap_or_default().to_owned(),
        checksum: checksum_of(&root),
    }
}

/// What UploadPartCopy or CopyObject answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CopiedPart {
    Done { etag: String, checksum: Option<(Algorithm, String)> },
    Refused(S3Error),
    Unclear,
}

pub fn parse_copied(body: &[u8]) -> CopiedPart {
    if let Some(error) = parse_error(body) {
        return CopiedPart::Refused(error);
    }
    match xml::parse(body) {
        Ok(root) if matches!(&root.name[..], "CopyPartResult" | "CopyObjectResult") => {
            match root.text_of("ETag") {
                Some(etag) if !etag.is_empty() => {
                    CopiedPart::Done { etag: etag.to_owned(), checksum: checksum_of(&root) }
                }
                _ => CopiedPart::Unclear,
            }
        }
        _ => CopiedPart::Unclear,
    }
}

/// One page of ListParts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartPage {
    pub parts: Vec<ListedPart>,
    /// Where the next page begins; `None` on the last.
    pub next_marker: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedPart {
    /// 1-based.
    pub number: u32,
    pub size: u64,
    pub etag: String,
    /// Seconds since 1970.
    pub last_modified: Option<i64>,
    pub checksum: Option<(Algorithm, String)>,
}

pub fn parse_part_page(body: &[u8]) -> Result<PartPage> {
    let failed = || Error::new(Code::S3_LIST_PARTS_PARSE_FAILED);
    let root = xml::parse(body).map_err(|_| failed())?;
    if root.name != "ListPartsResult" {
        return Err(failed());
    }
    let mut page = PartPage::default();
    for part in root.children_named("Part") {
        let number = part.text_of("PartNumber").and_then(digits).ok_or_else(failed)?;
        page.parts.push(ListedPart {
            number: u32::try_from(number).map_err(|_| failed())?,
            size: part.text_of("Size").and_then(digits).ok_or_else(failed)?,
            etag: part.text_of("ETag").unwrap_or_default().to_owned(),
            last_modified: part
                .text_of("LastModified")
                .and_then(|t| date::parse_iso8601(t.as_bytes())),
            checksum: checksum_of(part),
        });
    }
    if is_truncated(&root) {
        // A page that says there is more, but not where, would list for ever.
        let next = root.text_of("NextPartNumberMarker").and_then(digits).ok_or_else(failed)?;
        page.next_marker = Some(u32::try_from(next).map_err(|_| failed())?);
    }
    Ok(page)
}

/// One page of ListObjectsV2.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectPage {
    pub objects: Vec<ListedObject>,
    pub common_prefixes: Vec<String>,
    /// `None` on the last page.
    pub next_token: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedObject {
    pub key: String,
    pub size: u64,
    pub etag: String,
    pub last_modified: Option<i64>,
    pub storage_class: String,
    pub owner_id: String,
    pub owner_name: String,
    pub checksum_algorithm: String,
    pub checksum_type: String,
}

/// Keys come decoded where the answer says that they are encoded.
pub fn parse_object_page(body: &[u8]) -> Result<ObjectPage> {
    let root = xml::parse(body)?;
    if root.name != "ListBucketResult" {
        return Err(Code::INVALID_XML.into());
    }
    let encoded = root.text_of("EncodingType").is_some_and(|t| t.eq_ignore_ascii_case("url"));
    let key = |element: &xml::Element, name: &str| -> Result<String> {
        let text = element.text_of(name).unwrap_or_default();
        if encoded { decode_key(text) } else { Ok(text.to_owned()) }
    };
    let mut page = ObjectPage::default();
    for object in root.children_named("Contents") {
        let text = |name: &str| object.text_of(name).unwrap_or_default().to_owned();
        let owner =
            |name: &str| object.at(&["Owner", name]).map(|e| e.text.clone()).unwrap_or_default();
        page.objects.push(ListedObject {
            key: key(object, "Key")?,
            size: object
                .text_of("Size")
                .and_then(digits)
                .ok_or_else(|| Error::new(Code::INVALID_XML))?,
            etag: text("ETag"),
            last_modified: object
                .text_of("LastModified")
                .and_then(|t| date::parse_iso8601(t.as_bytes())),
            storage_class: text("StorageClass"),
            owner_id: owner("ID"),
            owner_name: owner("DisplayName"),
            checksum_algorithm: text("ChecksumAlgorithm"),
            checksum_type: text("ChecksumType"),
        });
    }
    for prefix in root.children_named("CommonPrefixes") {
        page.common_prefixes.push(key(prefix, "Prefix")?);
    }
    if is_truncated(&root) {
        let token = root.text_of("NextContinuationToken").unwrap_or_default();
        if token.is_empty() {
            return Err(Code::INVALID_XML.into());
        }
        page.next_token = Some(token.to_owned());
    }
    Ok(page)
}

/// The keys of an S3 Express session. Has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionKeys {
    pub access: String,
    pub secret: String,
    pub token: String,
    /// Seconds since 1970.
    pub expiration: Option<i64>,
}

pub fn parse_create_session(body: &[u8]) -> Result<SessionKeys> {
    let failed = || Error::new(Code::S3EXPRESS_CREATE_SESSION_FAILED);
    let root = xml::parse(body).map_err(|_| failed())?;
    let keys = root.child("Credentials").ok_or_else(failed)?;
    let text = |name: &str| keys.text_of(name).map(|t| t.trim().to_owned()).unwrap_or_default();
    let session = SessionKeys {
        access: text("AccessKeyId"),
        secret: text("SecretAccessKey"),
        token: text("SessionToken"),
        expiration: keys.text_of("Expiration").and_then(|t| date::parse_iso8601(t.as_bytes())),
    };
    let complete = root.name == "CreateSessionResult"
        && !session.access.is_empty()
        && !session.secret.is_empty()
        && !session.token.is_empty();
    if complete { Ok(session) } else { Err(failed()) }
}

fn checksum_of(element: &xml::Element) -> Option<(Algorithm, String)> {
    Algorithm::ALL.into_iter().find_map(|algorithm| {
        let text = element.text_of(algorithm.element())?.trim();
        (!text.is_empty()).then(|| (algorithm, text.to_owned()))
    })
}

fn is_truncated(root: &xml::Element) -> bool {
    root.text_of("IsTruncated").is_some_and(|t| t.trim().eq_ignore_ascii_case("true"))
}

fn digits(text: &str) -> Option<u64> {
    super::range::number(text.trim().as_bytes())
}

/// S3's `encoding-type=url` writes a space as `+`.
fn decode_key(text: &str) -> Result<String> {
    let mut out = Vec::new();
    percent::decode(text.replace('+', " ").as_bytes(), &mut out)?;
    String::from_utf8(out).map_err(|_| Code::INVALID_UTF8.into())
}
