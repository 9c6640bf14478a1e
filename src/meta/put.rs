//! PUT of one object: one request, or a multipart upload.
//!
//! ```text
//!  Single: [Read] -> Send Put ------------------------------------------> Finished
//!  Multi:  Send Create -> Parts ([Read] -> Send UploadPart)* -> Complete -> Finished
//!                           | error or cancel
//!                           +-> Ending (in flight comes back) -> Abort --> Finished
//! ```
//! A sequential source is read part by part, one read at a time; a file's parts are sent in any
//! order. An upload that failed after its id was known is aborted exactly once, and the first
//! error is the one reported.

use super::machine::{Action, Budget, Event, Machine, Op, PartList, Piece, Reply, RequestId, Send};
use crate::base::{ByteRange, Code, Error, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PutSource {
    /// Any part at any time (a file): no read is asked for.
    Random,
    /// One after the other: a part is read into memory before it is sent.
    Sequential,
}

#[derive(Clone, Copy, Debug)]
pub struct PutOptions {
    /// `None`: until the source ends.
    pub len: Option<u64>,
    pub part_size: u64,
    /// Uploads with at least so many bytes are made of parts.
    pub multipart_threshold: u64,
    pub source: PutSource,
}

/// S3 allows part numbers 1 to 10,000 (Amazon S3 User Guide, "multipart upload limits").
const PARTS_MAX: u32 = 10_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    SingleRead,
    SingleSend,
    SingleInFlight,
    Create,
    Creating,
    Parts,
    Complete,
    Completing,
    /// Failed; what is in flight comes back first.
    Ending,
    Aborting,
    Ended,
    Finished,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// In memory, or in a file: may be sent.
    Ready(ByteRange),
    InFlight(ByteRange),
    Done(u64, Reply),
}

pub struct Put {
    options: PutOptions,
    state: State,
    parts: Vec<Part>,
    /// Index from which `Ready` parts are looked for.
    ready_from: usize,
    /// Bytes planned, read or being read.
    planned: u64,
    reading: bool,
    source_ended: bool,
    in_flight: u32,
    done: u32,
    upload_id: bool,
    /// Bytes done that were not yet reported.
    untold: u64,
    cancel: bool,
    result: Result<()>,
}

impl Put {
    pub fn new(options: PutOptions) -> Put {
        assert!(options.part_size > 0, "a part has bytes");
        let multi = match options.len {
            Some(len) => len >= options.multipart_threshold.max(1) && len > 0,
            None => true,
        };
        let state = match (multi, options.source) {
            (true, _) => State::Create,
            (false, PutSource::Sequential) => State::SingleRead,
            (false, PutSource::Random) => State::SingleSend,
        };
        Put {
            options,
            state,
            parts: Vec::new(),
            ready_from: 0,
            planned: 0,
            reading: false,
            source_ended: false,
            in_flight: 0,
            done: 0,
            upload_id: false,
            untold: 0,
            cancel: false,
            result: Ok(()),
        }
    }

    /// The parts' replies in order; complete when Complete is sent.
    pub fn part_list(&self) -> PartList {
        self.parts
            .iter()
            .map(|p| match p {
                Part::Done(_, reply) => reply.clone(),
                _ => Reply::default(),
            })
            .collect()
    }

    fn total(&self) -> u64 {
        self.options.len.unwrap_or(self.planned)
    }

    /// All bytes of a known length are planned, or the source has ended.
    fn all_planned(&self) -> bool {
        match self.options.len {
            Some(len) => self.planned == len,
            None => self.source_ended,
        }
    }

    fn fail(&mut self, error: Error) {
        if matches!(self.state, State::Ending | State::Aborting | State::Ended | State::Finished) {
            return;
        }
        self.result = Err(error);
        self.state = State::Ending;
        self.cancel = self.in_flight > 0 || self.reading;
    }

    fn on_done(&mut self, id: RequestId, reply: Reply) {
        self.in_flight -= 1;
        match self.state {
            State::SingleInFlight => {
                self.untold = self.total();
                self.state = State::Ended;
            }
            State::Creating => {
                self.upload_id = reply.upload_id.is_some();
                if self.upload_id {
                    self.state = State::Parts;
                } else {
                    self.fail(Error::new(Code::S3_MISSING_UPLOAD_ID));
                }
            }
            State::Parts => {
                let at = id.0 as usize - 1;
                if let Part::InFlight(r) = self.parts[at] {
                    if reply.etag.is_none() {
                        self.fail(Error::new(Code::S3_MISSING_ETAG));
                        return;
                    }
                    self.parts[at] = Part::Done(r.len(), reply);
                    self.untold += r.len();
                    self.done += 1;
                    if self.all_planned() && self.done as usize == self.parts.len() {
                        self.state = State::Complete;
                    }
                }
            }
            State::Completing => self.state = State::Ended,
            // An id that comes while we are ending is one to be aborted.
            State::Ending => self.upload_id |= reply.upload_id.is_some(),
            State::Aborting => self.state = State::Ended,
            State::SingleRead
            | State::SingleSend
            | State::Create
            | State::Complete
            | State::Ended
            | State::Finished => {}
        }
    }

    fn on_read(&mut self, part: u32, len: u64, last: bool) {
        self.reading = false;
        match self.state {
            State::SingleRead => {
                if len != self.total() {
                    return self.fail(Error::new(Code::S3_INCORRECT_CONTENT_LENGTH));
                }
                self.state = State::SingleSend;
            }
            State::Parts => {
                let at = part as usize - 1;
                let range = ByteRange::new(self.planned, self.planned + len);
                let short = self
                    .options
                    .len
                    .is_some_and(|l| len != (l - self.planned).min(self.options.part_size));
                if short {
                    return self.fail(Error::new(Code::S3_INCORRECT_CONTENT_LENGTH));
                }
                self.planned += len;
                self.source_ended |= last;
                // A source of unknown length may end exactly at a part's end; an object without
                // bytes still takes one part.
                if len > 0 || self.parts.is_empty() {
                    assert_eq!(at, self.parts.len(), "parts are read in order");
                    self.parts.push(Part::Ready(range));
                } else if self.done as usize == self.parts.len() {
                    self.state = State::Complete;
                }
            }
            _ => {}
        }
    }

    fn next_part(&mut self, budget: &mut Budget) -> Option<Action<Never>> {
        if budget.sends > 0 {
            if self.options.source == PutSource::Random && !self.all_planned() {
                let end = self.total().min(self.planned + self.options.part_size);
                self.parts.push(Part::Ready(ByteRange::new(self.planned, end)));
                self.planned = end;
            }
            while self.ready_from < self.parts.len() {
                let at = self.ready_from;
                self.ready_from += 1;
                if let Part::Ready(range) = self.parts[at] {
                    if at as u32 >= PARTS_MAX {
                        self.fail(Error::new(Code::S3_EXCEEDS_MEMORY_LIMIT));
                        return None;
                    }
                    self.parts[at] = Part::InFlight(range);
                    budget.sends -= 1;
                    let number = at as u32 + 1;
                    return Some(self.send(number, Op::UploadPart { number, range }));
                }
            }
        }
        let reads = self.options.source == PutSource::Sequential;
        if reads && budget.reads > 0 && !self.reading && !self.all_planned() {
            budget.reads -= 1;
            self.reading = true;
            let left = self.options.len.map_or(u64::MAX, |l| l - self.planned);
            return Some(Action::Read {
                part: self.parts.len() as u32 + 1,
                len_max: left.min(self.options.part_size),
            });
        }
        None
    }

    fn send(&mut self, id: u32, op: Op) -> Action<Never> {
        self.in_flight += 1;
        Action::Send(Send { id: RequestId(id), op })
    }

    fn next(&mut self, budget: &mut Budget) -> Option<Action<Never>> {
        if self.cancel {
            self.cancel = false;
            return Some(Action::CancelRequests);
        }
        if self.untold > 0 {
            let bytes = std::mem::take(&mut self.untold);
            return Some(Action::Progress { bytes, total: self.total() });
        }
        match self.state {
            State::SingleRead if !self.reading && budget.reads > 0 => {
                budget.reads -= 1;
                self.reading = true;
                Some(Action::Read { part: 0, len_max: self.total() })
            }
            State::Parts => self.next_part(budget),
            State::Ended => {
                self.state = State::Finished;
                Some(Action::Finish(self.result))
            }
            // A read that runs still fills a part's memory: it comes back first.
            State::Ending if self.in_flight == 0 && !self.reading && !self.upload_id => {
                self.state = State::Finished;
                Some(Action::Finish(self.result))
            }
            _ if budget.sends == 0 => None,
            State::SingleSend => {
                budget.sends -= 1;
                self.state = State::SingleInFlight;
                let len = self.total();
                Some(self.send(0, Op::Put { len }))
            }
            State::Create => {
                budget.sends -= 1;
                self.state = State::Creating;
                Some(self.send(0, Op::CreateUpload))
            }
            State::Complete => {
                budget.sends -= 1;
                self.state = State::Completing;
                Some(self.send(0, Op::CompleteUpload))
            }
            State::Ending if self.in_flight == 0 && !self.reading => {
                budget.sends -= 1;
                self.state = State::Aborting;
                Some(self.send(0, Op::AbortUpload))
            }
            _ => None,
        }
    }
}

/// A PUT delivers no bytes.
#[derive(Debug)]
enum Never {}

impl<P: Piece> Machine<P> for Put {
    fn on_event(&mut self, event: Event<P>) {
        match event {
            Event::Done { id, reply } => self.on_done(id, reply),
            Event::Failed { error, .. } => {
                self.in_flight -= 1;
                // The abort is best effort: its own failure changes nothing.
                match self.state {
                    State::Aborting => self.state = State::Ended,
                    _ => self.fail(error),
                }
            }
            Event::PartRead { part, len, last } => self.on_read(part, len, last),
            Event::ReadFailed(error) => {
                self.reading = false;
                self.fail(error);
            }
            Event::Cancel(error) => {
                // Complete may already have made the object; it is let go on to its answer.
                self.fail(error);
            }
            Event::Head { .. } | Event::Bytes { .. } | Event::WindowGrew(_) => {}
        }
    }

    fn next_action(&mut self, budget: &mut Budget) -> Option<Action<P>> {
        Some(match self.next(budget)? {
            Action::Send(s) => Action::Send(s),
            Action::Read { part, len_max } => Action::Read { part, len_max },
            Action::Progress { bytes, total } => Action::Progress { bytes, total },
            Action::CancelRequests => Action::CancelRequests,
            Action::Finish(r) => Action::Finish(r),
            Action::DeliverHead { id } => Action::DeliverHead { id },
            Action::Deliver { piece, .. } => match piece {},
        })
    }

    fn wants_send(&self) -> bool {
        match self.state {
            State::SingleSend | State::Create | State::Complete => true,
            State::Ending => self.in_flight == 0 && !self.reading && self.upload_id,
            State::Parts => {
                (self.options.source == PutSource::Random && !self.all_planned())
                    || self.parts[self.ready_from.min(self.parts.len())..]
                        .iter()
                        .any(|p| matches!(p, Part::Ready(_)))
            }
            _ => false,
        }
    }

    fn next_bytes(&self) -> u64 {
        match self.state {
            State::SingleSend => self.total(),
            State::Parts => self.options.part_size,
            _ => 0,
        }
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}
