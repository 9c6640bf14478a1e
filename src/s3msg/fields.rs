//! Which of a caller's fields goes on which request. S3 documents each field for certain requests
//! and some servers refuse it on others; a field that S3 does not know goes on all of them.

use crate::http1::HeaderList;

/// The requests that a meta request is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    CreateUpload,
    UploadPart,
    UploadPartCopy,
    CompleteUpload,
    AbortUpload,
    ListParts,
}

/// Whether a field of that name belongs on the request.
pub fn goes_on(name: &[u8], operation: Operation) -> bool {
    let bit = operation.bit();
    if let Some((_, on)) = FIELDS.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
        return on & bit != 0;
    }
    if starts_with(name, b"x-amz-meta-") {
        return bit == CREATE;
    }
    if is_checksum_value_header(name) {
        // The caller's value is that of the whole object, which only the end of an upload knows.
        return bit == COMPLETE;
    }
    true
}

/// `x-amz-checksum-*` with a value in it, of an algorithm known or not.
pub fn is_checksum_value_header(name: &[u8]) -> bool {
    starts_with(name, b"x-amz-checksum-")
        && !["type", "mode", "algorithm"]
            .iter()
            .any(|word| name[b"x-amz-checksum-".len()..].eq_ignore_ascii_case(word.as_bytes()))
}

/// Copies what belongs on the request, in the caller's order.
pub(super) fn copy(from: &HeaderList, operation: Operation) -> HeaderList {
    let mut list = HeaderList::with_capacity(from.len() + 6, from.byte_len() + 256);
    for (name, value) in from.iter() {
        if goes_on(name, operation) {
            list.push(name, value);
        }
    }
    list
}

impl Operation {
    fn bit(self) -> u8 {
        match self {
            Operation::CreateUpload => CREATE,
            Operation::UploadPart => PART,
            Operation::UploadPartCopy => COPY_PART,
            Operation::CompleteUpload => COMPLETE,
            Operation::AbortUpload => ABORT,
            Operation::ListParts => LIST,
        }
    }
}

fn starts_with(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|p| p.eq_ignore_ascii_case(prefix))
}

const CREATE: u8 = 1;
const PART: u8 = 2;
const COPY_PART: u8 = 4;
const COMPLETE: u8 = 8;
const ABORT: u8 = 16;
const LIST: u8 = 32;
/// Written anew for each request, or of no request of an upload.
const NONE: u8 = 0;

/// From the request syntax of each operation in the S3 API reference.
const FIELDS: &[(&[u8], u8)] = &[
    // What the object is.
    (b"x-amz-acl", CREATE),
    (b"x-amz-grant-full-control", CREATE),
    (b"x-amz-grant-read", CREATE),
    (b"x-amz-grant-read-acp", CREATE),
    (b"x-amz-grant-write-acp", CREATE),
    (b"cache-control", CREATE),
    (b"content-disposition", CREATE),
    (b"content-encoding", CREATE),
    (b"content-language", CREATE),
    (b"content-type", CREATE),
    (b"expires", CREATE),
    (b"x-amz-storage-class", CREATE),
    (b"x-amz-website-redirect-location", CREATE),
    (b"x-amz-tagging", CREATE),
    (b"x-amz-object-lock-mode", CREATE),
    (b"x-amz-object-lock-retain-until-date", CREATE),
    (b"x-amz-object-lock-legal-hold", CREATE),
    (b"x-amz-server-side-encryption", CREATE),
    (b"x-amz-server-side-encryption-aws-kms-key-id", CREATE),
    (b"x-amz-server-side-encryption-context", CREATE),
    (b"x-amz-server-side-encryption-bucket-key-enabled", CREATE),
    // A customer's key is needed by all that touches bytes or their checksums.
    (
        b"x-amz-server-side-encryption-customer-algorithm",
        CREATE | PART | COPY_PART | COMPLETE | LIST,
    ),
    (b"x-amz-server-side-encryption-customer-key", CREATE | PART | COPY_PART | COMPLETE | LIST),
    (b"x-amz-server-side-encryption-customer-key-md5", CREATE | PART | COPY_PART | COMPLETE | LIST),
    // What makes the write conditional counts when the object comes to be.
    (b"if-match", COMPLETE),
    (b"if-none-match", COMPLETE),
    (b"expect", PART | COMPLETE),
    // Where a copy comes from.
    (b"x-amz-copy-source", COPY_PART),
    (b"x-amz-copy-source-if-match", COPY_PART),
    (b"x-amz-copy-source-if-none-match", COPY_PART),
    (b"x-amz-copy-source-if-modified-since", COPY_PART),
    (b"x-amz-copy-source-if-unmodified-since", COPY_PART),
    (b"x-amz-copy-source-server-side-encryption-customer-algorithm", COPY_PART),
    (b"x-amz-copy-source-server-side-encryption-customer-key", COPY_PART),
    (b"x-amz-copy-source-server-side-encryption-customer-key-md5", COPY_PART),
    (b"x-amz-source-expected-bucket-owner", COPY_PART),
    (b"x-amz-copy-source-range", NONE),
    (b"x-amz-metadata-directive", NONE),
    (b"x-amz-tagging-directive", NONE),
    (b"x-amz-object-annotation-directive", NONE),
    // Checksums.
    (b"x-amz-checksum-algorithm", CREATE),
    (b"x-amz-checksum-type", CREATE | COMPLETE),
    (b"x-amz-checksum-mode", NONE),
    (b"x-amz-sdk-checksum-algorithm", PART),
    (b"x-amz-mp-object-size", NONE),
    (b"content-md5", NONE),
    (b"content-length", NONE),
    (b"transfer-encoding", NONE),
    (b"x-amz-decoded-content-length", NONE),
    (b"x-amz-trailer", NONE),
    (b"trailer", NONE),
    (b"range", NONE),
    (b"x-amz-write-offset-bytes", NONE),
    (b"x-amz-create-session-mode", NONE),
];
