//! GET of one object in parallel ranges, delivered in order.
//!
//! ```text
//!            head of the first answer            last part complete, all delivered
//!  Discover ------------------------> Ranges ----------------------------------> Finished
//!     | 416 on an object without bytes   |  error: what is in flight is ended, then Finished
//!     +--> Plain (no Range) -------------+
//! ```
//! The first request is already the first part: an object that fits takes exactly one GET. Later
//! ranges carry `If-Match` with the first answer's ETag, so that a replaced object is an error and
//! never a mixture.

use std::collections::VecDeque;

use super::machine::{Action, Budget, Event, Head, Machine, Op, Piece, RequestId, Send};
use crate::base::{ByteRange, Code, Error, Result};

#[derive(Clone, Copy, Debug)]
pub struct GetOptions {
    pub part_size: u64,
    /// The caller's `bytes=a-b` (half-open; end `u64::MAX` = open end).
    pub range: Option<ByteRange>,
    /// Bytes that may be delivered at first; `None` = any number.
    pub window: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Discover,
    Ranges,
    /// Failed or canceled; requests in flight are coming back.
    Ending,
    Finished,
}

struct Part<P> {
    range: ByteRange,
    complete: bool,
    received: u64,
    queue: VecDeque<P>,
}

pub struct Get<P> {
    options: GetOptions,
    state: State,
    /// The first answer was 416 for an object without bytes: ask once more without a range.
    plain: bool,
    /// Bytes of the object that are to be delivered; known from the first head.
    object: ByteRange,
    etag: Option<Vec<u8>>,
    head: bool,
    /// From the part at the delivery point on; number of the front one.
    parts: VecDeque<Part<P>>,
    front: u32,
    /// Start of the first part that is not in `parts` yet.
    planned: u64,
    delivered: u64,
    window: Option<u64>,
    in_flight: u32,
    progress: u64,
    progress_told: bool,
    cancel: bool,
    result: Result<()>,
}

impl<P: Piece> Get<P> {
    pub fn new(options: GetOptions) -> Get<P> {
        assert!(options.part_size > 0, "a part has bytes");
        Get {
            options,
            state: State::Discover,
            plain: false,
            object: ByteRange::default(),
            etag: None,
            head: false,
            parts: VecDeque::new(),
            front: 0,
            planned: 0,
            delivered: 0,
            window: options.window,
            in_flight: 0,
            progress: 0,
            progress_told: true,
            cancel: false,
            result: Ok(()),
        }
    }

    /// The range of the first request. Parts end at multiples of the part size.
    fn first_range(&self) -> ByteRange {
        let asked = self.options.range.unwrap_or(ByteRange::new(0, u64::MAX));
        let end = self.part_end(asked.start).min(asked.end);
        ByteRange::new(asked.start, end)
    }

    fn part_end(&self, start: u64) -> u64 {
        let size = self.options.part_size;
        (start - start % size).saturating_add(size)
    }

    /// The object's bytes, known from the first head.
    pub fn object(&self) -> ByteRange {
        self.object
    }

    /// Number of the part at the delivery point: it comes first.
    pub fn front(&self) -> RequestId {
        RequestId(self.front)
    }

    /// Bytes are there, but the caller's window is used up.
    pub fn is_held_back(&self) -> bool {
        self.window == Some(0)
    }

    /// The request that comes next at the delivery point, where that is `id`.
    pub fn is_front(&self, id: RequestId) -> bool {
        self.front() == id
    }

    pub fn etag(&self) -> Option<&[u8]> {
        self.etag.as_deref()
    }

    fn on_first_head(&mut self, head: Head) -> Result<()> {
        let first = self.parts.front_mut().ok_or(Error::new(Code::INVALID_STATE))?;
        match head.content_range {
            Some(cr) if head.status == 206 => {
                let total = cr.total.ok_or(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER))?;
                let asked = self.options.range.unwrap_or(ByteRange::new(0, u64::MAX));
                self.object = ByteRange::new(asked.start.min(total), asked.end.min(total));
                let end = first.range.end.min(total);
                // `total` may be anything: it comes from the peer.
                if cr.range.start != first.range.start || cr.range.end != end {
                    return Err(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER));
                }
                first.range = cr.range;
            }
            // A server that ignores ranges sends the whole object in one answer.
            None if head.status == 200 && self.options.range.is_none() => {
                let len = head
                    .content_length
                    .ok_or(Error::new(Code::S3_MISSING_CONTENT_LENGTH_HEADER))?;
                self.object = ByteRange::new(0, len);
                first.range = self.object;
            }
            _ => return Err(Error::new(Code::S3_MISSING_CONTENT_RANGE_HEADER)),
        }
        self.planned = first.range.end;
        self.delivered = self.object.start;
        self.etag = head.etag;
        self.head = true;
        self.state = State::Ranges;
        Ok(())
    }

    fn on_later_head(&mut self, at: usize, head: &Head) -> Result<()> {
        let want = self.parts[at].range;
        let right = match head.content_range {
            Some(cr) => cr.range == want && cr.total.is_none_or(|t| t >= self.object.end),
            None => false,
        };
        if head.status != 206 || !right {
            return Err(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER));
        }
        if self.etag.is_some() && head.etag.is_some() && head.etag != self.etag {
            return Err(Error::new(Code::S3_OBJECT_MODIFIED));
        }
        Ok(())
    }

    fn index(&self, id: RequestId) -> Option<usize> {
        let at = id.0.checked_sub(self.front)? as usize;
        (at < self.parts.len()).then_some(at)
    }

    fn fail(&mut self, error: Error) {
        if matches!(self.state, State::Ending | State::Finished) {
            return;
        }
        self.result = Err(error);
        self.state = State::Ending;
        self.cancel = self.in_flight > 0;
        self.parts.iter_mut().for_each(|p| p.queue.clear());
    }

    fn on_failed(&mut self, id: RequestId, status: u16, error: Error) {
        self.in_flight -= 1;
        if self.state == State::Discover && status == 416 && self.options.range.is_none() {
            // An object without bytes has no first byte: `bytes=0-n` cannot be satisfied.
            if !self.plain {
                self.plain = true;
                self.parts.clear();
                return;
            }
        }
        let error =
            if status == 412 && id.0 > 0 { Error::new(Code::S3_OBJECT_MODIFIED) } else { error };
        self.fail(error);
    }

    fn on_done(&mut self, id: RequestId) {
        self.in_flight -= 1;
        let Some(at) = self.index(id) else { return };
        let part = &mut self.parts[at];
        part.complete = true;
        if part.received != part.range.len() {
            self.fail(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER));
        }
    }

    /// Whether the caller's window reaches the start of the next range.
    fn window_reaches(&self, start: u64) -> bool {
        self.window.is_none_or(|w| start < self.delivered.saturating_add(w))
    }

    fn next_send(&mut self) -> Option<Send> {
        match self.state {
            State::Discover if self.parts.is_empty() => {
                let range = self.first_range();
                let at = if self.plain { ByteRange::default() } else { range };
                self.parts.push_back(Part {
                    range: at,
                    complete: false,
                    received: 0,
                    queue: VecDeque::new(),
                });
                let range = (!self.plain).then_some(range);
                Some(Send { id: RequestId(0), op: Op::Get { range, if_match: None } })
            }
            State::Ranges
                if self.planned < self.object.end && self.window_reaches(self.planned) =>
            {
                let end = self.part_end(self.planned).min(self.object.end);
                let range = ByteRange::new(self.planned, end);
                self.planned = end;
                let id = RequestId(self.front + self.parts.len() as u32);
                self.parts.push_back(Part {
                    range,
                    complete: false,
                    received: 0,
                    queue: VecDeque::new(),
                });
                Some(Send { id, op: Op::Get { range: Some(range), if_match: self.etag.clone() } })
            }
            _ => None,
        }
    }

    fn next_delivery(&mut self) -> Option<Action<P>> {
        loop {
            let part = self.parts.front_mut()?;
            if let Some(piece) = part.queue.front_mut() {
                let len = piece.len().min(self.window.unwrap_or(u64::MAX));
                if len == 0 {
                    return None;
                }
                let out = piece.split_front(len);
                if piece.len() == 0 {
                    part.queue.pop_front();
                }
                self.window = self.window.map(|w| w - len);
                let offset = self.delivered;
                self.delivered += len;
                return Some(Action::Deliver { offset, piece: out });
            }
            if !part.complete {
                return None;
            }
            assert_eq!(self.delivered, part.range.end.max(self.object.start), "bytes in order");
            self.progress = part.range.len();
            self.progress_told = self.progress == 0;
            self.parts.pop_front();
            self.front += 1;
            if !self.progress_told {
                self.progress_told = true;
                return Some(Action::Progress { bytes: self.progress, total: self.object.len() });
            }
        }
    }
}

impl<P: Piece> Machine<P> for Get<P> {
    fn on_event(&mut self, event: Event<P>) {
        match event {
            Event::Head { id, head } => {
                let checked = match (self.state, self.index(id)) {
                    (State::Discover, Some(0)) => self.on_first_head(head),
                    (State::Ranges, Some(at)) => self.on_later_head(at, &head),
                    _ => Ok(()),
                };
                if let Err(e) = checked {
                    self.fail(e);
                }
            }
            Event::Bytes { id, piece } => {
                if self.state != State::Ranges {
                    return;
                }
                let Some(at) = self.index(id) else { return };
                let part = &mut self.parts[at];
                part.received += piece.len();
                if part.received > part.range.len() {
                    self.fail(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER));
                } else if piece.len() > 0 {
                    part.queue.push_back(piece);
                }
            }
            Event::Done { id, .. } => self.on_done(id),
            Event::Failed { id, status, error } => self.on_failed(id, status, error),
            Event::WindowGrew(n) => self.window = self.window.map(|w| w.saturating_add(n)),
            Event::Cancel(error) | Event::ReadFailed(error) => self.fail(error),
            Event::PartRead { .. } => {}
        }
    }

    fn next_action(&mut self, budget: &mut Budget) -> Option<Action<P>> {
        if self.cancel {
            self.cancel = false;
            return Some(Action::CancelRequests);
        }
        match self.state {
            State::Discover | State::Ranges => {
                if self.head {
                    self.head = false;
                    return Some(Action::DeliverHead { id: RequestId(0) });
                }
                if self.state == State::Ranges {
                    if let Some(a) = self.next_delivery() {
                        return Some(a);
                    }
                    if self.delivered == self.object.end && self.in_flight == 0 {
                        self.state = State::Finished;
                        return Some(Action::Finish(Ok(())));
                    }
                }
                if budget.sends == 0 {
                    return None;
                }
                let send = self.next_send()?;
                budget.sends -= 1;
                self.in_flight += 1;
                Some(Action::Send(send))
            }
            State::Ending if self.in_flight == 0 => {
                self.state = State::Finished;
                Some(Action::Finish(self.result))
            }
            State::Ending | State::Finished => None,
        }
    }

    fn wants_send(&self) -> bool {
        match self.state {
            State::Discover => self.parts.is_empty(),
            State::Ranges => self.planned < self.object.end && self.window_reaches(self.planned),
            _ => false,
        }
    }

    fn next_bytes(&self) -> u64 {
        match self.state {
            State::Ranges => self.part_end(self.planned).min(self.object.end) - self.planned,
            _ => 0,
        }
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}
