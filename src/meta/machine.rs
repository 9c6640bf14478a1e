//! The language between machines and the conductor.

use crate::base::{ByteRange, Error, Result};

/// One request of a meta request, over all its tries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RequestId(pub u32);

/// Bytes that can be cut without copying.
pub trait Piece: Sized {
    fn len(&self) -> u64;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Cuts off and returns the first `len` bytes.
    fn split_front(&mut self, len: u64) -> Self;
}

/// What the machine must know of a response head.
#[derive(Clone, Debug, PartialEq, Eq, std::default::Default)]
pub struct Head {
    pub status: u16,
    pub content_length: Option<u64>,
    pub content_range: Option<ContentRange>,
    pub etag: Option<Vec<u8>>,
}

/// `Content-Range: bytes start-end/total`, half-open here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentRange {
    pub range: ByteRange,
    pub total: Option<u64>,
}

/// What the machine must know of a finished request.
#[derive(Clone, Debug, PartialEq, Eq, std::default::Default)]
pub struct Reply {
    pub etag: Option<Vec<u8>>,
    pub upload_id: Option<String>,
    /// Base64 checksum of the part, as sent or answered.
    pub checksum: Option<String>,
}

/// Facts.
#[derive(Debug)]
pub enum Event<P> {
    /// A successful response's head (status 2xx).
    Head { id: RequestId, head: Head },
    /// Body bytes of a GET or plain request, in the order of the wire.
    Bytes { id: RequestId, piece: P },
    /// Answered with success, body complete.
    Done { id: RequestId, reply: Reply },
    /// Given up on, after retries. `status` is that of the last answer, 0 without one.
    Failed { id: RequestId, status: u16, error: Error },
    /// The caller lets so many more bytes be delivered.
    WindowGrew(u64),
    /// A part of a sequential source is in memory; `last` when the source ended with it.
    PartRead { part: u32, len: u64, last: bool },
    /// The source failed.
    ReadFailed(Error),
    /// End with this error, unless already ending.
    Cancel(Error),
}

/// Wishes.
#[derive(Debug)]
pub enum Action<P> {
    Send(Send),
    /// Read the next part of a sequential source.
    Read {
        part: u32,
        len_max: u64,
    },
    /// Report the headers of the transfer to the caller (those of request `id`).
    DeliverHead {
        id: RequestId,
    },
    /// Hand these bytes over; `offset` is that of the object.
    Deliver {
        offset: u64,
        piece: P,
    },
    /// So many bytes of the total are transferred.
    Progress {
        bytes: u64,
        total: u64,
    },
    /// End every request in flight; each answers with Done or Failed.
    CancelRequests,
    /// The end.
    Finish(Result<()>),
}

/// One request to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    pub id: RequestId,
    pub op: Op,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// The caller's message as it is.
    Default,
    /// GET of the whole object, or of a range pinned to an ETag.
    Get {
        range: Option<ByteRange>,
        if_match: Option<Vec<u8>>,
    },
    Head,
    /// PUT of the whole object.
    Put {
        len: u64,
    },
    CreateUpload,
    /// Part `number` (1-based), bytes `range` of the source.
    UploadPart {
        number: u32,
        range: ByteRange,
    },
    CompleteUpload,
    AbortUpload,
}

/// The parts of an upload, in order, for CompleteMultipartUpload.
pub type PartList = Vec<Reply>;

/// What the conductor allows at this moment.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub sends: usize,
    pub reads: usize,
}

pub trait Machine<P> {
    fn on_event(&mut self, event: Event<P>);
    /// The next wish within the budget; call until `None`.
    fn next_action(&mut self, budget: &mut Budget) -> Option<Action<P>>;
    /// More requests could be sent now if the budget allowed.
    fn wants_send(&self) -> bool;
    /// Bytes of the body of the next request, 0 where nobody knows.
    fn next_bytes(&self) -> u64;
    /// True from the moment that `Finish` was taken.
    fn is_finished(&self) -> bool;
}
