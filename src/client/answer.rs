//! What comes back on a connection for one request: head checked, body led to where it belongs,
//! the end judged. A success is one only on proof: the right status, framing complete, and what
//! the operation must bring (an ETag, an upload id, a well-formed final reply).

use std::rc::Rc;
use std::sync::Arc;

use super::compose::{operation_name, whole_object_headers};
use super::observer::Outcome;
use super::options::RetryKind;
use super::request::{Failure, Request};
use super::transfer::Body;
use super::worker::Worker;
use crate::base::{ByteRange, Code, Error, Instant, Result, SinkWindow};
use crate::buffer::{Chunk, Segment};
use crate::conn::{Connection, End, Exchange};
use crate::http1::{HeaderList, ResponseHead};
use crate::log;
use crate::meta::{self, Event, Op, Reply};
use crate::reactor::Loop;
use crate::retry;
use crate::s3msg::{self, CompletedUpload};
use crate::sys::clock;

/// Bodies of this length or less go to the heap in one piece.
const HEAP_BYTES_MAX: u64 = super::reading::HEAP_BYTES_MAX;
/// The most of an error or control reply that is kept.
const TEXT_BYTES_MAX: usize = 1 << 20;
/// One receive of a text body.
const TEXT_STEP: usize = 4 << 10;

pub(super) struct Answer {
    request: Rc<Request>,
    status: u16,
    sent_at: Option<Instant>,
    /// Of the window that was offered last.
    window_len: usize,
    headers: Option<Arc<HeaderList>>,
    sink: Sink,
}

enum Sink {
    /// No head yet.
    None,
    /// Error documents and control replies, up to a bound; the rest is passed over.
    Text { kept: Vec<u8>, step: Vec<u8> },
    /// Object bytes; `left` as announced.
    Object { filling: Filling, left: Option<u64> },
}

enum Filling {
    Nothing,
    Segment(Segment, usize),
    Heap(Vec<u8>, usize),
}

impl Answer {
    pub(super) fn new(request: Rc<Request>) -> Answer {
        Answer { request, status: 0, sent_at: None, window_len: 0, headers: None, sink: Sink::None }
    }

    fn op(&self) -> &Op {
        &self.request.send.op
    }

    /// A success's head of an operation whose body goes to the caller.
    fn on_object_head(&mut self, head: ResponseHead) -> Result<()> {
        let content_range = match head.get("Content-Range") {
            Some(v) if head.status == 206 => {
                let c = s3msg::parse_content_range(v)?;
                Some(meta::ContentRange { range: c.range, total: c.total })
            }
            _ => None,
        };
        let request = self.request.clone();
        let left = head.content_length();
        self.sink = Sink::Object { filling: Filling::Nothing, left };
        if request.headed.get() {
            return self.check_continued(&head, content_range);
        }
        request.headed.set(true);
        let known = meta::Head {
            status: head.status,
            content_length: head.content_length(),
            content_range,
            etag: head.get("ETag").map(<[u8]>::to_vec),
        };
        if request.send.id.0 > 0 {
            request.meta.event(Event::Head { id: request.send.id, head: known });
            return Ok(());
        }
        let headers = Arc::new(head.headers);
        let (status, shown) = self.shown(head.status, headers, content_range);
        request.meta.first_head(request.send.id, known, status, shown);
        Ok(())
    }

    /// Status and headers that the caller sees: those of the whole, not of the first range.
    fn shown(
        &self,
        status: u16,
        headers: Arc<HeaderList>,
        range: Option<meta::ContentRange>,
    ) -> (u16, Arc<HeaderList>) {
        let plan = &self.request.meta.plan;
        let Op::Get { range: Some(_), if_match: None } = self.op() else {
            return (status, headers);
        };
        let Some(total) = range.and_then(|r| r.total) else { return (status, headers) };
        if !self.request.meta.wants.headers {
            return (if plan.message.header("Range").is_some() { 206 } else { 200 }, headers);
        }
        let asked = plan.message.header("Range").map(s3msg::RangeRequest::parse);
        match asked {
            Some(Ok(r)) => {
                let object = r.of_object(total).unwrap_or_default();
                (206, Arc::new(whole_object_headers(&headers, object, total, true)))
            }
            _ => {
                let object = ByteRange::new(0, total);
                (200, Arc::new(whole_object_headers(&headers, object, total, false)))
            }
        }
    }

    /// A retried request goes on where the last try stopped: the very same bytes must follow.
    fn check_continued(
        &self,
        head: &ResponseHead,
        range: Option<meta::ContentRange>,
    ) -> Result<()> {
        let request = &self.request;
        let want = request.range_left();
        let same_range = match (range, want) {
            // The first request may ask beyond the object's end.
            (Some(r), Some(w)) => r.range.start == w.start && r.range.end <= w.end,
            _ => false,
        };
        let same_object = match (request.meta.etag(), head.get("ETag")) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        if !same_object {
            return Err(Error::new(Code::S3_OBJECT_MODIFIED));
        }
        let from_the_start = request.emitted.get() == 0 && range.is_none();
        match same_range || from_the_start {
            true => Ok(()),
            false => Err(Error::new(Code::S3_INVALID_CONTENT_RANGE_HEADER)),
        }
    }

    /// Hands what has been filled on.
    fn emit(&mut self) {
        let Sink::Object { filling, .. } = &mut self.sink else { return };
        let chunk = match std::mem::replace(filling, Filling::Nothing) {
            Filling::Nothing => return,
            Filling::Segment(_, 0) | Filling::Heap(_, 0) => return,
            Filling::Segment(s, n) => s.freeze(n),
            Filling::Heap(mut v, n) => {
                v.truncate(n);
                Chunk::from_vec(v)
            }
        };
        let request = &self.request;
        let (len, id) = (chunk.len() as u64, request.send.id);
        let at = request.emitted.get();
        request.emitted.set(at + len);
        let Some(sink) = &request.meta.file_sink else {
            return request.meta.event(Event::Bytes { id, piece: Body::Chunk(chunk) });
        };
        let offset = at + request.meta.offset_in_file(self.op());
        let (meta, writes) = (request.meta.clone(), request.writes.clone());
        writes.begin();
        meta.hand_over(len);
        super::wake_at_turn_end();
        sink.write(
            offset,
            chunk,
            Box::new(move |result| {
                match result {
                    Ok(()) => meta.event(Event::Bytes { id, piece: Body::Written(len) }),
                    Err(e) => meta.end_with(e),
                }
                meta.delivered(len);
                writes.end();
            }),
        );
    }

    fn outcome(&mut self, error: Error) -> Outcome {
        let body = match std::mem::replace(&mut self.sink, Sink::None) {
            Sink::Text { kept, .. } if self.status != 0 => Some(kept),
            _ => None,
        };
        Outcome {
            error: Some(error),
            status: self.status,
            headers: self.headers.clone(),
            body,
            operation: Some(operation_name(&self.request.meta.plan, self.op()).to_owned()),
            ..Outcome::default()
        }
    }

    fn refuse(&mut self, error: Error, retry: Option<RetryKind>) -> Failure {
        Failure { error, outcome: self.outcome(error), retry }
    }

    /// A complete answer with a status that is none of success.
    fn judge_error(&mut self) -> Failure {
        let text: &[u8] = match &self.sink {
            Sink::Text { kept, .. } => kept,
            _ => &[],
        };
        let s3 = s3msg::parse_error(text);
        let s3_code = s3.as_ref().map_or("", |e| e.code.as_str());
        let code =
            s3msg::code_of_s3_error(s3_code).unwrap_or_else(|| s3msg::code_of_status(self.status));
        if s3_code == "RequestTimeTooSkewed" {
            self.learn_skew();
        }
        let retry = retry_kind(retry::classify_answer(self.status, s3_code, code));
        self.refuse(Error::new(code), retry)
    }

    /// The next try is signed with the server's time of day.
    fn learn_skew(&self) {
        let date = self.headers.as_ref().and_then(|h| h.get_str("Date"));
        if let Some(theirs) = date.and_then(|d| crate::text::date::parse_http(d.as_bytes())) {
            let skew = theirs - clock::unix_seconds() as i64;
            log!(S3Request, Warn, self.request.number(), "the server's clock differs by {skew} s");
            self.request.skew_s.set(skew);
        }
    }

    fn judge(&mut self) -> std::result::Result<Reply, Failure> {
        if !(200..300).contains(&self.status) {
            return Err(self.judge_error());
        }
        let etag = || self.headers.as_ref().and_then(|h| h.get("ETag")).map(<[u8]>::to_vec);
        let text: &[u8] = match &self.sink {
            Sink::Text { kept, .. } => kept,
            _ => &[],
        };
        match self.op() {
            Op::Get { .. } | Op::Default | Op::Head | Op::AbortUpload => Ok(Reply::default()),
            Op::Put { .. } => Ok(Reply { etag: etag(), ..Reply::default() }),
            Op::UploadPart { .. } => match etag() {
                Some(e) => Ok(Reply { etag: Some(e), ..Reply::default() }),
                None => Err(self.refuse(Error::new(Code::S3_MISSING_ETAG), None)),
            },
            Op::CreateUpload => match s3msg::parse_created_upload(text) {
                Ok(id) => Ok(Reply { upload_id: Some(id), ..Reply::default() }),
                Err(e) => Err(self.refuse(e, Some(RetryKind::Server))),
            },
            Op::CompleteUpload => match s3msg::parse_completed(text) {
                CompletedUpload::Done { etag, .. } => {
                    Ok(Reply { etag: Some(etag.into_bytes()), ..Reply::default() })
                }
                CompletedUpload::Refused(e) => {
                    let code = s3msg::code_of_s3_error(&e.code)
                        .unwrap_or(Code::S3_NON_RECOVERABLE_ASYNC_ERROR);
                    let retry = retry_kind(retry::classify_answer(self.status, &e.code, code));
                    Err(self.refuse(Error::new(code), retry))
                }
                CompletedUpload::Unclear => {
                    let error = Error::new(Code::S3_INTERNAL_ERROR);
                    Err(self.refuse(error, Some(RetryKind::Server)))
                }
            },
        }
    }
}

fn retry_kind(class: retry::Class) -> Option<RetryKind> {
    match class {
        retry::Class::Retry(kind) => Some(match kind {
            retry::Kind::Transient => RetryKind::Transient,
            retry::Kind::Throttling => RetryKind::Throttling,
            retry::Kind::Server => RetryKind::Server,
            retry::Kind::Client => RetryKind::Client,
        }),
        retry::Class::Fail => None,
    }
}

impl Exchange for Answer {
    fn on_moved(&mut self, sent: u64, stopped: bool) {
        if self.request.is_large() {
            self.request.worker.count_moved(sent, stopped);
        }
    }

    fn on_sent(&mut self, lp: &Loop) {
        self.sent_at = Some(lp.now());
        self.request.with_metrics(|m| m.send_ended_ns = Some(clock::now().0));
    }

    fn on_head(&mut self, lp: &Loop, head: ResponseHead) -> Result<()> {
        self.status = head.status;
        if self.request.send.id.0 == 0 {
            // A transfer's first request: later ones wait behind each other, not for the network.
            let sent = self.sent_at.unwrap_or(self.request.launched_at.get());
            self.request.worker.client.flow().first_byte(lp.now().since(sent));
        }
        self.request.with_metrics(|m| super::metrics::headed(m, &head));
        let object = matches!(self.op(), Op::Get { .. } | Op::Default);
        if object && head.is_success() {
            return self.on_object_head(head);
        }
        self.headers = Some(Arc::new(head.headers));
        self.sink = Sink::Text { kept: Vec::new(), step: Vec::new() };
        Ok(())
    }

    fn window(&mut self, lp: &Loop, want: usize) -> Result<SinkWindow<'_>> {
        let request = self.request.clone();
        match &mut self.sink {
            Sink::None => Err(Error::new(Code::INVALID_STATE)),
            Sink::Text { step, .. } => {
                step.resize(want.min(TEXT_STEP), 0);
                Ok(SinkWindow::Room(step))
            }
            Sink::Object { filling, left } => {
                if let Filling::Nothing = filling {
                    if request.meta.is_behind(request.worker.index, request.number()) {
                        request.pause(lp);
                        return Ok(SinkWindow::Full);
                    }
                    *filling = match *left {
                        Some(n) if n <= HEAP_BYTES_MAX => Filling::Heap(vec![0; n as usize], 0),
                        _ => match segment(&request, lp)? {
                            Some(s) => Filling::Segment(s, 0),
                            None => {
                                request.pause(lp);
                                return Ok(SinkWindow::Full);
                            }
                        },
                    };
                }
                let room: &mut [u8] = match filling {
                    Filling::Segment(s, n) => &mut s.bytes_mut()[*n..],
                    Filling::Heap(v, n) => &mut v[*n..],
                    Filling::Nothing => &mut [],
                };
                self.window_len = room.len().min(want);
                Ok(SinkWindow::Room(room))
            }
        }
    }

    fn commit(&mut self, _lp: &Loop, len: usize) -> Result<()> {
        if self.request.is_large() {
            self.request.worker.count_moved(len as u64, len < self.window_len);
        }
        match &mut self.sink {
            Sink::None => {}
            Sink::Text { kept, step } => {
                let n = len.min(TEXT_BYTES_MAX - kept.len());
                kept.extend_from_slice(&step[..n]);
            }
            Sink::Object { filling, left } => {
                *left = left.map(|l| l.saturating_sub(len as u64));
                let full = match filling {
                    Filling::Segment(s, n) => {
                        *n += len;
                        *n == s.capacity()
                    }
                    Filling::Heap(v, n) => {
                        *n += len;
                        *n == v.len()
                    }
                    Filling::Nothing => false,
                };
                if full {
                    self.emit();
                }
            }
        }
        Ok(())
    }

    fn on_end(mut self: Box<Self>, lp: &Loop, connection: &Rc<Connection>, end: Result<End>) {
        let request = self.request.clone();
        request.with_metrics(|m| m.receive_ended_ns = Some(clock::now().0));
        self.emit();
        let result = match end {
            Ok(_) => {
                if let Some(rate) = request.rate(lp.now()) {
                    request.worker.saw_rate(rate);
                }
                let judged = self.judge();
                if judged.is_ok() && matches!(self.op(), Op::Put { .. } | Op::CompleteUpload) {
                    let headers = self.headers.clone().unwrap_or_default();
                    request.meta.answered(self.status, headers);
                }
                judged
            }
            Err(e) => {
                let retry = match e.code {
                    Code::S3_CANCELED => None,
                    _ => retry_kind(retry::classify(&e)),
                };
                // Bytes of a plain request cannot be asked for again from the middle.
                let partial = *self.op() == Op::Default && request.headed.get();
                Err(self.refuse(e, retry.filter(|_| !partial)))
            }
        };
        request.finished(lp, connection, result);
    }
}

/// A segment for the request, or the promise to resume it when there is one.
fn segment(request: &Rc<Request>, lp: &Loop) -> Result<Option<Segment>> {
    let (account, ahead) =
        request.meta.account_for(request.send.id).ok_or(Error::new(Code::S3_CANCELED))?;
    let pool = account.pool().clone();
    let (handle, number) = (lp.handle().clone(), request.number());
    let key = request.worker.client.key();
    account.take_or_wait(ahead, move || {
        Box::new(move || {
            handle.post(move |lp| {
                if let Some(r) = lp.local::<Worker>(key).and_then(|w| w.find(number)) {
                    r.resume(lp);
                }
                // It may be over, or behind for another reason: others wait for the memory too.
                pool.pass_on();
            });
        })
    })
}
