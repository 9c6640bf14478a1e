//! What a failed answer says: the `<Error>` document, the ids to quote to support, and the code
//! that a caller of the C interface gets. An `<Error>` under status 200 is a failure too.

use crate::base::Code;
use crate::http1::HeaderList;
use crate::text::xml;

/// The `<Error>` document of S3.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct S3Error {
    pub code: String,
    pub message: String,
    pub request_id: String,
    pub host_id: String,
    pub resource: String,
    /// Where the bucket is, for a redirect.
    pub region: String,
    pub endpoint: String,
}

/// Reads an `<Error>` document; `None` for anything else (other stores answer in HTML or nothing).
pub fn parse_error(body: &[u8]) -> Option<S3Error> {
    if body.len() > ERROR_BYTES_MAX {
        return None;
    }
    let root = xml::parse(body).ok()?;
    // Some services wrap it: <ErrorResponse><Error>.
    let error = if root.name == "Error" { &root } else { root.child("Error")? };
    if root.name != "Error" && root.name != "ErrorResponse" {
        return None;
    }
    let text = |name: &str| error.text_of(name).unwrap_or_default().trim().to_owned();
    let mut request_id = text("RequestId");
    if request_id.is_empty() {
        request_id = root.text_of("RequestId").unwrap_or_default().trim().to_owned();
    }
    Some(S3Error {
        code: text("Code"),
        message: text("Message"),
        request_id,
        host_id: text("HostId"),
        resource: text("Resource"),
        region: text("Region"),
        endpoint: text("Endpoint"),
    })
}

/// Whether a body's root element is `Error`, even if the document is cut: the first look at a 200
/// that may hide a failure.
pub fn looks_like_error_document(body: &[u8]) -> bool {
    let mut rest = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<?") {
            b"?>"
        } else if rest.starts_with(b"<!--") {
            b"-->"
        } else {
            break;
        };
        match memchr::memmem::find(rest, end) {
            Some(at) => rest = &rest[at + end.len()..],
            None => return false,
        }
    }
    let Some(name) = rest.strip_prefix(b"<") else {
        return false;
    };
    let end = name.iter().position(|b| matches!(b, b'>' | b'/') || b.is_ascii_whitespace());
    let name = &name[..end.unwrap_or(name.len())];
    let local = name.rsplit(|&b| b == b':').next().unwrap_or(name);
    local == b"Error"
}

/// The code for the S3 codes that have one of their own; `None` leaves it to the status.
pub fn code_of_s3_error(s3_code: &str) -> Option<Code> {
    let is = |name: &str| s3_code.eq_ignore_ascii_case(name);
    if is("SlowDown") {
        Some(Code::S3_SLOW_DOWN)
    } else if is("InternalError") || is("InternalErrors") {
        Some(Code::S3_INTERNAL_ERROR)
    } else if is("RequestTimeTooSkewed") {
        Some(Code::S3_REQUEST_TIME_TOO_SKEWED)
    } else if is("RequestTimeout") {
        Some(Code::S3_REQUEST_TIMEOUT)
    } else {
        None
    }
}

/// The code for a status alone; `SUCCESS` for any 2xx.
pub fn code_of_status(status: u16) -> Code {
    match status {
        200..=299 => Code::SUCCESS,
        500 | 502 | 504 => Code::S3_INTERNAL_ERROR,
        // S3 throttles with 503.
        503 => Code::S3_SLOW_DOWN,
        _ => Code::S3_INVALID_RESPONSE_STATUS,
    }
}

/// The fields of an answer that identify it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReplyIds {
    pub request_id: Option<String>,
    /// `x-amz-id-2`
    pub host_id: Option<String>,
    /// `x-amz-bucket-region`
    pub bucket_region: Option<String>,
}

impl ReplyIds {
    pub fn of(headers: &HeaderList) -> ReplyIds {
        let text = |name: &str| headers.get(name).map(|v| String::from_utf8_lossy(v).into_owned());
        ReplyIds {
            request_id: text("x-amz-request-id"),
            host_id: text("x-amz-id-2"),
            bucket_region: text("x-amz-bucket-region"),
        }
    }
}

/// As much of an error's body as is kept for the caller when it is no `<Error>` document.
pub const BODY_BYTES_SHOWN_MAX: usize = 64 * 1024;
const ERROR_BYTES_MAX: usize = 1 << 20;
