//! What a transfer tells its caller. Implemented in `ffi::adapt` over C callbacks.
//!
//! Every call comes from the transfer's delivery queue: one at a time, in order, never on an I/O
//! loop, with no lock of ours held. The order is headers, body and progress, finish, shutdown.

use std::sync::Arc;

use crate::base::{Error, Result};
use crate::body::Chunk;
use crate::checksum::Algorithm;
use crate::http1::HeaderList;

pub trait Observer: Send + Sync {
    /// Which calls are wanted; what is not wanted is not prepared.
    fn wants(&self) -> Wants;
    /// The first response's status and headers, once.
    fn on_headers(&self, _status: u16, _headers: &HeaderList) -> Result<()> {
        Ok(())
    }
    /// The next bytes of the body; an error cancels the transfer with it.
    fn on_body(&self, _body: &BodySlice) -> Result<()> {
        Ok(())
    }
    fn on_progress(&self, _bytes_transferred: u64, _content_length: u64) {}
    fn on_telemetry(&self, _metrics: &Arc<RequestMetrics>) {}
    /// Before CompleteMultipartUpload: an error cancels the upload.
    fn on_upload_review(&self, _review: &UploadReview) -> Result<()> {
        Ok(())
    }
    /// Exactly once.
    fn on_finish(&self, outcome: &Outcome);
    /// Exactly once, the last call; nothing of the transfer is used afterwards.
    fn on_shutdown(&self);
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    pub headers: bool,
    pub body: bool,
    pub progress: bool,
    pub telemetry: bool,
    pub review: bool,
}

/// Bytes `start..start + chunk.len()` of the delivered range. Whoever wants to keep
/// the bytes clones the chunk.
pub struct BodySlice {
    pub start: u64,
    pub chunk: Chunk,
}

/// How a transfer ended.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub error: Option<Error>,
    /// Of the failed request, else of the first; 0 when none was answered.
    pub status: u16,
    pub headers: Option<Arc<HeaderList>>,
    pub body: Option<Vec<u8>>,
    /// The request that failed, by its S3 name.
    pub operation: Option<String>,
    pub did_validate: bool,
    pub algorithm: Option<Algorithm>,
}

/// Parts of an upload before it is completed.
#[derive(Clone, Debug, Default)]
pub struct UploadReview {
    pub algorithm: Option<Algorithm>,
    pub parts: Vec<ReviewPart>,
}

#[derive(Clone, Debug, Default)]
pub struct ReviewPart {
    pub size: u64,
    pub checksum: String,
}

/// Figures of one HTTP exchange. Times are nanoseconds of the monotonic clock; `None` = it did not
/// come to that.
#[derive(Clone, Debug, Default)]
pub struct RequestMetrics {
    pub request_id: Option<String>,
    pub extended_request_id: Option<String>,
    pub operation: String,
    /// The number of `enum aws_s3_request_type`.
    pub request_type: i32,
    pub retry_attempt: u32,
    pub error_code: i32,
    pub status: Option<u16>,
    pub headers: Option<Arc<HeaderList>>,
    pub path_query: String,
    pub host: String,
    pub ip: Option<String>,
    pub is_https: bool,
    pub connection_id: usize,
    pub connection_ptr: usize,
    pub stream_id: Option<u32>,
    pub thread_id: Option<u64>,
    pub part_range: Option<(u64, u64)>,
    pub part_number: Option<u32>,
    pub started_ns: u64,
    pub ended_ns: u64,
    pub first_attempt_started_ns: u64,
    pub last_attempt_ended_ns: u64,
    pub sign_started_ns: Option<u64>,
    pub sign_ended_ns: Option<u64>,
    pub memory_started_ns: Option<u64>,
    pub memory_ended_ns: Option<u64>,
    pub read_started_ns: Option<u64>,
    pub read_ended_ns: Option<u64>,
    pub connection_started_ns: Option<u64>,
    pub connection_ended_ns: Option<u64>,
    pub send_started_ns: Option<u64>,
    pub send_ended_ns: Option<u64>,
    pub receive_started_ns: Option<u64>,
    pub receive_ended_ns: Option<u64>,
    pub delivered_started_ns: Option<u64>,
    pub delivered_ended_ns: Option<u64>,
    /// The pause before this try.
    pub retry_delay_started_ns: Option<u64>,
    pub retry_delay_ended_ns: Option<u64>,
    pub memory_from_pool: bool,
    /// The same for all tries of one request.
    pub request_ptr: usize,
    /// Connections of the endpoint when this request got its own.
    pub connections_idle: usize,
    pub connections_in_use: usize,
    /// Requests that waited for a connection then.
    pub connections_awaited: usize,
}
