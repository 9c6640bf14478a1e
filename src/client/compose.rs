//! Request heads: the caller's message, what the operation adds, the signature.

use super::options::{Kind, Signing};
use super::request::Request;
use super::transfer::Plan;
use crate::base::{ByteRange, Result};
use crate::http1;
use crate::meta::Op;
use crate::s3msg::{self, CompletedPart, Message, UploadChecksum};
use crate::sigv4::{Keys, PayloadHash, RequestParts, Signer, Style};
use crate::sys::clock;

/// Signers of this loop: each keeps its scratch buffers and the key of the day.
#[derive(Default)]
pub(super) struct Composer {
    signers: Vec<Signer>,
}

impl Composer {
    /// The head's bytes, and the body where it is made here.
    pub(super) fn compose(
        &mut self,
        request: &Request,
        keys: Option<&Keys>,
    ) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        let (mut message, text) = message_of(request);
        if let (Some(keys), Some(signing)) = (keys, &request.meta.plan.signing) {
            self.sign(&mut message, signing, keys, request.skew_s.get())?;
        }
        let mut head = Vec::with_capacity(1024);
        message.encode(&mut head)?;
        Ok((head, text))
    }

    fn sign(
        &mut self,
        message: &mut Message,
        signing: &Signing,
        keys: &Keys,
        skew_s: i64,
    ) -> Result<()> {
        let signer = self.signer(signing);
        let now = clock::unix_seconds().saturating_add_signed(skew_s);
        let payload = match &signing.payload_hash {
            Some(text) => PayloadHash::Text(text.as_bytes()),
            None => PayloadHash::Unsigned,
        };
        let parts =
            RequestParts { method: message.method.as_bytes(), target: message.target.as_bytes() };
        let signed = signer.sign_headers(&parts, message.headers.iter(), keys, now, payload)?;
        for (name, value) in signed.headers() {
            message.headers.push(name, value);
        }
        Ok(())
    }

    fn signer(&mut self, signing: &Signing) -> &mut Signer {
        let style = Style {
            double_encode: signing.double_encode,
            normalize_path: signing.normalize_path,
            ..Style::S3
        };
        let same = |s: &Signer| {
            s.region() == signing.region.as_bytes()
                && s.service() == signing.service.as_bytes()
                && s.style() == style
        };
        let at = match self.signers.iter().position(same) {
            Some(at) => at,
            None => {
                self.signers.push(Signer::new(&signing.region, &signing.service, style));
                self.signers.len() - 1
            }
        };
        &mut self.signers[at]
    }
}

fn message_of(request: &Request) -> (Message, Option<Vec<u8>>) {
    let plan = &request.meta.plan;
    let base = &plan.message;
    let checksum = UploadChecksum::default();
    match &request.send.op {
        Op::Default => (base.clone(), None),
        Op::Get { if_match, .. } => {
            let etag = if_match.clone().or_else(|| match request.emitted.get() {
                0 => None,
                _ => request.meta.etag(),
            });
            (s3msg::get_object(base, request.range_left(), etag.as_deref()), None)
        }
        Op::Head => (s3msg::head_object(base), None),
        Op::Put { len } => (s3msg::put_object(base, *len), None),
        Op::CreateUpload => (s3msg::create_upload(base, &checksum), None),
        Op::UploadPart { number, range } => {
            let id = request.meta.upload_id();
            (s3msg::upload_part(base, &id, *number, range.len()), None)
        }
        Op::CompleteUpload => {
            let replies = request.meta.part_replies();
            let parts = replies.iter().enumerate().map(|(i, r)| CompletedPart {
                number: i as u32 + 1,
                etag: r.etag.as_deref().unwrap_or_default(),
                checksum: None,
            });
            let mut body = Vec::new();
            s3msg::complete_body(parts, &mut body);
            let id = request.meta.upload_id();
            let message = s3msg::complete_upload(base, &id, None, &checksum, body.len());
            (message, Some(body))
        }
        Op::AbortUpload => (s3msg::abort_upload(base, &request.meta.upload_id()), None),
    }
}

/// The S3 name of an operation, as results and metrics show it.
pub(super) fn operation_name<'a>(plan: &'a Plan, op: &Op) -> &'a str {
    match op {
        Op::Default => plan.operation_name.as_deref().unwrap_or(match plan.kind {
            Kind::Get => "GetObject",
            Kind::Put => "PutObject",
            Kind::Copy => "CopyObject",
            Kind::Default => "",
        }),
        Op::Get { .. } => "GetObject",
        Op::Head => "HeadObject",
        Op::Put { .. } => "PutObject",
        Op::CreateUpload => "CreateMultipartUpload",
        Op::UploadPart { .. } => "UploadPart",
        Op::CompleteUpload => "CompleteMultipartUpload",
        Op::AbortUpload => "AbortMultipartUpload",
    }
}

/// The number of `enum aws_s3_request_type`.
pub(super) fn request_type(plan: &Plan, op: &Op) -> i32 {
    match op {
        Op::Default => match plan.kind {
            Kind::Get => 2,
            Kind::Put => 10,
            Kind::Copy => 9,
            Kind::Default => 0,
        },
        Op::Head => 1,
        Op::Get { .. } => 2,
        Op::CreateUpload => 4,
        Op::UploadPart { .. } => 5,
        Op::AbortUpload => 6,
        Op::CompleteUpload => 7,
        Op::Put { .. } => 10,
    }
}

/// Headers as the caller sees them for the whole object: those of the first range, with the
/// length and range of all that is delivered.
pub(super) fn whole_object_headers(
    headers: &http1::HeaderList,
    object: ByteRange,
    total: u64,
    ranged: bool,
) -> http1::HeaderList {
    let mut out = headers.clone();
    let mut digits = Vec::with_capacity(20);
    http1::push_decimal(object.len(), &mut digits);
    out.set(b"Content-Length", &digits);
    if ranged && !object.is_empty() {
        let text = format!("bytes {}-{}/{}", object.start, object.end - 1, total);
        out.set(b"Content-Range", text.as_bytes());
    } else {
        out.remove(b"Content-Range");
    }
    out
}
