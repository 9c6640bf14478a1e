//! What a client and a transfer are asked to do, as Rust values. `ffi` fills them from C structs;
//! nothing here points into a caller's memory.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{Done, Duration, Error};
use crate::body::{AsyncInput, FileTarget, InputStream, WriteQueue};
use crate::checksum::Algorithm;
use crate::s3msg::Message;
use crate::sigv4::Keys;

/// The default size of a part: 8 MiB, as the reference has it.
pub const PART_SIZE_DEFAULT: u64 = 8 << 20;

/// Everything a client keeps for its life.
pub struct ClientOptions {
    /// Printed as `id=` of the client's log lines.
    pub log_id: usize,
    pub region: String,
    /// Part size of uploads and downloads; 0 takes the default.
    pub part_size: u64,
    /// The largest part the client may choose by itself; 0 = 5 GiB.
    pub part_size_max: u64,
    /// Uploads shorter than this go in one request; 0 = the part size.
    pub multipart_threshold: u64,
    pub throughput_target_gbps: f64,
    /// A caller's bound on connections; 0 = from the throughput target.
    pub connections_max: u32,
    /// Bytes of part memory; 0 = from the throughput target.
    pub memory_limit_bytes: u64,
    /// Content-MD5 on every part of an upload.
    pub content_md5: bool,
    pub read_backpressure: bool,
    pub initial_read_window_bytes: u64,
    pub connect_timeout: Duration,
    pub keepalive: Option<KeepAlive>,
    /// Abort a connection slower than this for so long.
    pub slow_limit: Option<SlowLimit>,
    pub retry: Arc<dyn RetryPolicy>,
    pub signing: Option<Signing>,
    pub resolver: Option<Arc<dyn Resolver>>,
    /// A caller's own part memory instead of ours.
    pub pool: Option<Arc<dyn crate::buffer::ForeignPool>>,
    /// Told of every request that begins (true) and ends (false), on the loops. Must be cheap.
    pub on_request: Option<Arc<dyn Fn(Kind, bool) + Send + Sync>>,
    /// Runs once, last, on a thread that is none of the client's.
    pub on_shutdown: Option<Box<dyn FnOnce() + Send>>,
}

#[derive(Clone, Copy, Debug)]
pub struct KeepAlive {
    pub interval: Duration,
    pub timeout: Duration,
    pub probes_max: u32,
}

/// `bytes_per_second` below which a connection is given up after `interval`.
#[derive(Clone, Copy, Debug)]
pub struct SlowLimit {
    pub bytes_per_second: u64,
    pub interval: Duration,
}

/// How requests are signed.
#[derive(Clone)]
pub struct Signing {
    pub credentials: Arc<dyn Credentials>,
    pub region: String,
    pub service: String,
    pub double_encode: bool,
    pub normalize_path: bool,
    /// The caller's value of `x-amz-content-sha256`; None = UNSIGNED-PAYLOAD.
    pub payload_hash: Option<String>,
}

/// Where keys come from. May answer inline, later, on any thread.
pub trait Credentials: Send + Sync {
    /// `None` keys mean anonymous: the request goes unsigned.
    fn get(&self, done: Done<Option<Arc<Keys>>>);
    /// Keys that are known without asking anybody (static, anonymous): the fast path.
    fn now(&self) -> Option<Option<Arc<Keys>>> {
        None
    }
}

/// Decides whether a failed request is tried again, and when. A token is held per request.
/// May answer inline, later, on any thread.
pub trait RetryPolicy: Send + Sync {
    /// Before the first try. `None` from `Ready` means that the policy has nothing to remember.
    fn acquire(&self, partition: &str, done: Done<Box<dyn RetryToken>>);
    /// True when `acquire` always answers inline and cannot fail: the fast path, no call is made
    /// before the first failure.
    fn is_lazy(&self) -> bool {
        false
    }
}

pub trait RetryToken: Send {
    /// Calls `go` when it is time for another try, or with an error when there is none.
    fn schedule(&mut self, kind: RetryKind, go: Done<()>);
    /// The request succeeded.
    fn succeeded(&mut self) {}
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RetryKind {
    Transient,
    Throttling,
    Server,
    Client,
}

/// Resolves host names off the loop. Answers on any thread.
pub trait Resolver: Send + Sync {
    fn resolve(&self, host: &str, port: u16, done: Done<Vec<std::net::SocketAddr>>);
}

/// Scheme, host and port that connections of a transfer go to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Endpoint {
    pub tls: bool,
    /// Without brackets for IPv6 literals.
    pub host: String,
    pub port: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Get,
    Put,
    Copy,
    Default,
}

/// Where the bytes of an upload come from.
pub enum Source {
    None,
    /// Read in order on the transfer's reading queue.
    Stream(Box<dyn InputStream>),
    File(PathBuf),
    Async(Box<dyn AsyncInput>),
    /// The caller hands bytes over by `MetaRequest::write`.
    Writes(Arc<WriteQueue>),
}

/// Where the bytes of a download go to.
pub enum Sink {
    /// `Observer::on_body`.
    Observer,
    File(FileTarget),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChecksumLocation {
    #[default]
    None,
    Header,
    Trailer,
}

#[derive(Clone, Default)]
pub struct ChecksumOptions {
    pub location: ChecksumLocation,
    pub algorithm: Option<Algorithm>,
    pub validate_response: bool,
    /// Algorithms to validate; empty = all known.
    pub validate_algorithms: Vec<Algorithm>,
    /// Base64 value of the whole object, given up front.
    pub full_object: Option<String>,
}

/// One transfer.
pub struct TransferOptions {
    pub log_id: usize,
    pub kind: Kind,
    pub operation_name: Option<String>,
    /// The caller's request message, copied.
    pub message: Message,
    pub endpoint: Endpoint,
    pub source: Source,
    pub sink: Sink,
    /// Overrides the client's.
    pub signing: Option<Signing>,
    pub checksum: ChecksumOptions,
    pub part_size: Option<u64>,
    pub force_part_size: bool,
    pub multipart_threshold: Option<u64>,
    pub object_size_hint: Option<u64>,
    pub resume: Option<ResumeToken>,
    /// Streaming, direct and throughput wishes for file sources.
    pub file_stream: bool,
    pub file_direct: bool,
    pub connections_max: u32,
}

/// State of a paused upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeToken {
    pub upload_id: String,
    pub part_size: u64,
    pub parts_total: u64,
    pub parts_done: u64,
}

/// An error where a resume token was expected.
pub type PauseOutcome = std::result::Result<Option<ResumeToken>, Error>;
