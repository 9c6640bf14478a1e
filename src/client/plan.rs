//! From options to a transfer: which machine, which source and sink, how much memory.

use std::sync::Arc;

use super::Client;
use super::observer::{Observer, Wants};
use super::options::{ChecksumLocation, Kind, Sink, Source, TransferOptions};
use super::reading::{HEAP_BYTES_MAX, Reading};
use super::transfer::{Machines, MetaRequest, Plan};
use crate::base::{Code, Error, Result};
use crate::body::{FileSink, SourceFile};
use crate::buffer::SEGMENT_BYTES;
use crate::log;
use crate::meta::{self, GetOptions, Op, PutOptions, PutSource};
use crate::s3msg::{self, RangeRequest};

/// Segments that a download can always have: one being filled, one being delivered.
const GET_GUARANTEE: u64 = 2 * SEGMENT_BYTES as u64;

pub(super) fn transfer(
    client: &Arc<Client>,
    o: TransferOptions,
    observer: Arc<dyn Observer>,
) -> Result<Arc<MetaRequest>> {
    refuse_unbuilt(client, &o, observer.wants())?;
    let fixed = &client.options;
    let mut part_size = o.part_size.unwrap_or(fixed.part_size).max(1);
    let readers = &client.host.readers;
    let file_source = match &o.source {
        Source::File(path) => Some(SourceFile::new(path, readers)?),
        _ => None,
    };
    let said = content_length(&o)?;
    let len = match &file_source {
        Some(f) => Some(said.unwrap_or(f.len())),
        None => said,
    };
    let mut guarantee = GET_GUARANTEE;
    let machine = match o.kind {
        Kind::Get => get_machine(client, &o, part_size)?,
        Kind::Put => {
            let threshold = o.multipart_threshold.unwrap_or(fixed.multipart_threshold);
            if let Some(l) = len
                && l >= threshold
            {
                part_size =
                    s3msg::plan_upload(l, part_size.min(fixed.part_size_max))?.part_size.max(1);
            }
            guarantee = match (&file_source, len) {
                (Some(_), _) => 0,
                (None, Some(l)) if l <= HEAP_BYTES_MAX => 0,
                (None, Some(l)) if l < threshold => l,
                (None, _) => part_size.min(len.unwrap_or(u64::MAX)),
            };
            let source = match file_source {
                Some(_) => PutSource::Random,
                None => PutSource::Sequential,
            };
            let options = PutOptions { len, part_size, multipart_threshold: threshold, source };
            Machines::Put(meta::Put::new(options))
        }
        Kind::Default => {
            let body = match &o.source {
                Source::Stream(_) => len.filter(|l| *l > 0),
                _ => None,
            };
            guarantee = guarantee.max(body.unwrap_or(0));
            let op = match (&file_source, len) {
                (Some(_), Some(len)) => Op::Put { len },
                _ => Op::Default,
            };
            Machines::Default(meta::Default::new(op, body, window(client)))
        }
        Kind::Copy => return Err(Error::new(Code::UNIMPLEMENTED)),
    };
    if guarantee > client.pool.limit() {
        return Err(Error::new(Code::S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT));
    }
    let delivery = client.host.delivery.queue();
    let reading = match o.source {
        Source::Stream(stream) => Some(Reading::new(client.host.delivery.queue(), stream)),
        Source::None | Source::File(_) => None,
        Source::Async(_) | Source::Writes(_) => return Err(Error::new(Code::UNIMPLEMENTED)),
    };
    let file_sink = match o.sink {
        Sink::File(target) => Some(FileSink::new(target, readers)),
        Sink::Observer => None,
    };
    let connections_max = match o.connections_max {
        0 => usize::MAX,
        n => n as usize,
    };
    let plan = Plan {
        log_id: o.log_id,
        kind: o.kind,
        operation_name: o.operation_name,
        message: o.message,
        endpoint: o.endpoint,
        signing: o.signing.or_else(|| fixed.signing.clone()),
        guarantee,
        connections_max,
    };
    Ok(MetaRequest::new(
        client.clone(),
        plan,
        observer,
        machine,
        delivery,
        file_sink,
        file_source,
        reading,
    ))
}

/// What would change the bytes or the proof of a transfer and is not built is refused: an option
/// that is taken and ignored would be a silent wrong success.
fn refuse_unbuilt(client: &Client, o: &TransferOptions, wants: Wants) -> Result<()> {
    let unbuilt = [
        ("TLS connections", o.endpoint.tls),
        ("copies", o.kind == Kind::Copy),
        ("asynchronous streams", matches!(o.source, Source::Async(_))),
        ("asynchronous writes", matches!(o.source, Source::Writes(_))),
        ("reviews of uploads", wants.review && o.kind == Kind::Put),
        ("checksums of uploads", o.checksum.location != ChecksumLocation::None),
        ("full-object checksums", o.checksum.full_object.is_some()),
        ("validation of downloads", o.checksum.validate_response),
        ("Content-MD5", client.options.content_md5 && o.kind == Kind::Put),
        ("resume tokens", o.resume.is_some()),
    ];
    for (what, asked) in unbuilt {
        if asked {
            log!(S3MetaRequest, Error, o.log_id, "{what} are not built yet: transfer refused");
            return Err(Error::new(Code::UNIMPLEMENTED));
        }
    }
    Ok(())
}

fn window(client: &Client) -> Option<u64> {
    let o = &client.options;
    o.read_backpressure.then_some(o.initial_read_window_bytes)
}

fn get_machine(client: &Client, o: &TransferOptions, part_size: u64) -> Result<Machines> {
    let window = window(client);
    let pass = || Machines::Default(meta::Default::new(Op::Default, None, window));
    // The caller asks for one part: that is one request, as it stands.
    if o.message.has_param("partNumber") {
        return Ok(pass());
    }
    let range = match o.message.header("Range") {
        None => None,
        Some(value) => match RangeRequest::parse(value)? {
            RangeRequest::Bytes(r) => Some(r),
            RangeRequest::From(start) => Some(crate::base::ByteRange::new(start, u64::MAX)),
            RangeRequest::Last(_) => return Ok(pass()),
        },
    };
    Ok(Machines::Get(meta::Get::new(GetOptions { part_size, range, window })))
}

fn content_length(o: &TransferOptions) -> Result<Option<u64>> {
    let Some(value) = o.message.header("Content-Length") else { return Ok(None) };
    let text = std::str::from_utf8(value).ok().map(str::trim);
    match text.and_then(|t| t.parse().ok()) {
        Some(n) => Ok(Some(n)),
        None => Err(Error::new(Code::S3_INVALID_CONTENT_LENGTH_HEADER)),
    }
}
