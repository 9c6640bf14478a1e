//! One HTTP request of a transfer, over all its tries, on one loop.
//!
//! ```text
//! begin -> (retry token) -> keys -> connection -> launch -> Answer -> ended
//!              ^------------- back-off <----- failed --------'
//! ```

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::base::sync::Mutex;

use super::answer::Answer;
use super::body_part::body_of;
use super::deliver::What;
use super::flow::LARGE_BYTES;
use super::observer::{Outcome, RequestMetrics};
use super::options::{Kind, RetryKind, RetryToken};
use super::transfer::MetaRequest;
use super::worker::{Site, Worker};
use crate::base::{ByteRange, Code, Duration, Error, Instant, Result};
use crate::conn::{Connection, Outgoing};
use crate::http1::RequestKind;
use crate::log;
use crate::meta::{self, Op};
use crate::reactor::Loop;
use crate::sigv4::Keys;
use crate::sys::clock;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// For a retry token, keys or a connection.
    Waiting,
    InFlight,
    Backoff,
    Over,
}

pub(super) struct Request {
    pub worker: Rc<Worker>,
    pub meta: Arc<MetaRequest>,
    pub send: meta::Send,
    number: u64,
    large: bool,
    state: Cell<State>,
    connection: RefCell<Option<Rc<Connection>>>,
    token: RefCell<Option<Box<dyn RetryToken>>>,
    keys: RefCell<Option<Option<Arc<Keys>>>>,
    tries: Cell<u32>,
    /// A reused connection was found closed: that costs no retry, once.
    stale_retry: Cell<bool>,
    /// Body bytes that went on to the machine or the file.
    pub emitted: Cell<u64>,
    /// Those of earlier tries.
    emitted_before: Cell<u64>,
    /// The machine has seen a head of this request.
    pub headed: Cell<bool>,
    pub writes: Arc<Writes>,
    pub launched_at: Cell<Instant>,
    /// The answer's time of day minus ours, learnt from a refusal for clock skew.
    pub skew_s: Cell<i64>,
    metrics: RefCell<Option<Box<RequestMetrics>>>,
    /// Its place is lent to others: it waits for its caller or for memory, since then.
    paused: Cell<bool>,
    paused_at: Cell<Instant>,
    /// The connection was too slow and is being left for another one.
    rescue: Cell<bool>,
    rescues: Cell<u32>,
    /// The last try's failure, while the retry policy is asked.
    failure: RefCell<Option<Failure>>,
}

/// Why a try did not succeed.
pub(super) struct Failure {
    pub error: Error,
    pub outcome: Outcome,
    pub retry: Option<RetryKind>,
}

/// Writes of this request's body to the file; the request is done when all are.
#[derive(Default)]
pub(super) struct Writes {
    pending: AtomicUsize,
    then: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Writes {
    pub(super) fn begin(&self) {
        self.pending.fetch_add(1, Ordering::AcqRel);
    }
    pub(super) fn end(&self) {
        if self.pending.fetch_sub(1, Ordering::AcqRel) == 1 {
            let then = self.then.lock().take();
            if let Some(then) = then {
                then();
            }
        }
    }
    /// Runs `then` when nothing is pending.
    fn afterwards(&self, then: Box<dyn FnOnce() + Send>) {
        self.begin();
        *self.then.lock() = Some(then);
        self.end();
    }
}

impl Request {
    pub(super) fn new(
        worker: &Rc<Worker>,
        meta: Arc<MetaRequest>,
        send: meta::Send,
        number: u64,
    ) -> Rc<Request> {
        let bytes = match &send.op {
            // The first request of a GET is as large as the object, which nobody knows yet.
            Op::Get { range: Some(r), if_match: Some(_) } => r.len(),
            Op::UploadPart { range, .. } => range.len(),
            Op::Put { len } => *len,
            _ => 0,
        };
        let metrics = meta.wants.telemetry.then(|| Box::new(super::metrics::new(&meta, &send)));
        Rc::new(Request {
            worker: worker.clone(),
            meta,
            send,
            number,
            large: bytes >= LARGE_BYTES,
            state: Cell::new(State::Waiting),
            connection: RefCell::new(None),
            token: RefCell::new(None),
            keys: RefCell::new(None),
            tries: Cell::new(0),
            stale_retry: Cell::new(false),
            emitted: Cell::new(0),
            emitted_before: Cell::new(0),
            headed: Cell::new(false),
            writes: Arc::default(),
            launched_at: Cell::new(Instant(0)),
            skew_s: Cell::new(0),
            metrics: RefCell::new(metrics),
            paused: Cell::new(false),
            paused_at: Cell::new(Instant::FAR),
            rescue: Cell::new(false),
            rescues: Cell::new(0),
            failure: RefCell::new(None),
        })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }
    /// What the request's transfer is.
    pub(super) fn kind(&self) -> Kind {
        self.meta.plan.kind
    }
    pub(super) fn is_large(&self) -> bool {
        self.large
    }
    pub(super) fn is_over(&self) -> bool {
        self.state.get() == State::Over
    }
    pub(super) fn with_metrics(&self, f: impl FnOnce(&mut RequestMetrics)) {
        if let Some(m) = self.metrics.borrow_mut().as_mut() {
            f(m);
        }
    }

    /// What is still to be fetched of a GET's range.
    pub(super) fn range_left(&self) -> Option<ByteRange> {
        match &self.send.op {
            Op::Get { range: Some(r), .. } => {
                Some(ByteRange::new((r.start + self.emitted.get()).min(r.end), r.end))
            }
            _ => None,
        }
    }

    fn site(&self) -> Rc<Site> {
        self.worker.site(&self.meta.plan.endpoint)
    }

    // ---- the way to a connection ----

    pub(super) fn begin(self: &Rc<Request>, lp: &Loop) {
        let retry = self.worker.client.retry();
        if retry.is_lazy() || self.token.borrow().is_some() {
            return self.get_keys(lp);
        }
        let again =
            self.from_anywhere(lp, |request, lp, token: Result<Box<dyn RetryToken>>| match token {
                Ok(t) => {
                    *request.token.borrow_mut() = Some(t);
                    request.get_keys(lp);
                }
                Err(e) => request.give_up(lp, Failure::bare(e)),
            });
        retry.acquire(&self.meta.plan.endpoint.host, again);
    }

    fn get_keys(self: &Rc<Request>, lp: &Loop) {
        if self.is_over() {
            return;
        }
        let Some(signing) = &self.meta.plan.signing else {
            *self.keys.borrow_mut() = Some(None);
            return self.get_connection(lp);
        };
        if let Some(keys) = signing.credentials.now() {
            *self.keys.borrow_mut() = Some(keys);
            return self.get_connection(lp);
        }
        let again =
            self.from_anywhere(lp, |request, lp, keys: Result<Option<Arc<Keys>>>| match keys {
                Ok(k) => {
                    *request.keys.borrow_mut() = Some(k);
                    request.get_connection(lp);
                }
                Err(e) => request.give_up(lp, Failure::bare(e)),
            });
        signing.credentials.get(again);
    }

    fn get_connection(self: &Rc<Request>, lp: &Loop) {
        if !self.is_over() {
            self.site().connect(lp, self.clone());
        }
    }

    pub(super) fn launch(self: &Rc<Request>, lp: &Loop, connection: &Rc<Connection>) {
        let keys = self.keys.borrow().clone().flatten();
        let composed = self.worker.composer.borrow_mut().compose(self, keys.as_deref());
        let (head, text) = match composed {
            Ok(c) => c,
            Err(e) => {
                self.site().give_back(lp, connection);
                return self.give_up(lp, Failure::bare(e));
            }
        };
        self.state.set(State::InFlight);
        self.launched_at.set(lp.now());
        self.emitted_before.set(self.emitted.get());
        *self.connection.borrow_mut() = Some(connection.clone());
        self.with_metrics(|m| super::metrics::launched(m, lp, connection));
        let kind = RequestKind {
            is_head: self.send.op == Op::Head
                || (self.send.op == Op::Default && self.meta.plan.message.method == "HEAD"),
        };
        let out = Outgoing::new(head, body_of(self, text));
        connection.start(lp, kind, out, Box::new(Answer::new(self.clone())));
    }

    // ---- the way back ----

    /// The exchange is over, its connection free again.
    pub(super) fn finished(
        self: &Rc<Request>,
        lp: &Loop,
        connection: &Rc<Connection>,
        result: std::result::Result<meta::Reply, Failure>,
    ) {
        self.connection.take();
        self.site().give_back(lp, connection);
        match result {
            Ok(reply) => {
                if let Some(t) = self.token.borrow_mut().as_mut() {
                    t.succeeded();
                }
                self.tell_metrics(lp, 0);
                self.over(lp);
                let (meta, send) = (self.meta.clone(), self.send.clone());
                if self.meta.file_sink.is_some() {
                    self.writes.afterwards(Box::new(move || {
                        meta.request_ended(send.id, &send.op, Ok(reply));
                    }));
                } else if let (Some(file), Op::Put { .. } | Op::UploadPart { .. }) =
                    (&self.meta.file_source, &self.send.op)
                {
                    // Bytes of a file count as sent when it is still the file they were promised of.
                    file.check_later(Box::new(move |same| {
                        let checked = same.map(|()| reply).map_err(|e| {
                            let Failure { error, outcome, .. } = Failure::bare(e);
                            (error, 0, outcome)
                        });
                        meta.request_ended(send.id, &send.op, checked);
                    }));
                } else {
                    meta.request_ended(send.id, &send.op, Ok(reply));
                }
            }
            Err(_) if self.rescue.replace(false) && !self.meta.is_ending() => {
                self.state.set(State::Waiting);
                self.get_connection(lp);
            }
            Err(failure) => {
                let reused = connection.exchanges() > 1;
                let silent = failure.outcome.status == 0;
                let stale = reused && silent && failure.retry.is_some();
                // The abort of an upload comes last, and often on a connection that was left idle.
                let wanted = !self.meta.is_ending() || self.send.op == Op::AbortUpload;
                if stale && wanted && !self.stale_retry.replace(true) {
                    self.state.set(State::Waiting);
                    return self.get_connection(lp);
                }
                self.try_again(lp, failure);
            }
        }
    }

    /// No connection could be had.
    pub(super) fn failed(self: &Rc<Request>, lp: &Loop, error: Error) {
        let retry = Some(RetryKind::Transient);
        self.try_again(lp, Failure { retry, ..Failure::bare(error) });
    }

    fn try_again(self: &Rc<Request>, lp: &Loop, failure: Failure) {
        if self.is_over() {
            return;
        }
        self.tell_metrics(lp, failure.error.code.0);
        let Some(kind) = failure.retry.filter(|_| !self.meta.is_ending()) else {
            return self.give_up(lp, failure);
        };
        log!(
            S3Request,
            Debug,
            self.number,
            "{:?} failed with {} (status {}), another try is asked for",
            self.send.op,
            failure.error,
            failure.outcome.status
        );
        self.state.set(State::Backoff);
        self.tries.set(self.tries.get() + 1);
        *self.failure.borrow_mut() = Some(failure);
        let held = self.token.borrow_mut().take();
        match held {
            Some(token) => self.schedule(lp, token, kind),
            None => {
                let again = self.from_anywhere(lp, move |request, lp, token| match token {
                    Ok(t) => request.schedule(lp, t, kind),
                    Err(_) => request.no_more_tries(lp),
                });
                self.worker.client.retry().acquire(&self.meta.plan.endpoint.host, again);
            }
        }
    }

    fn schedule(self: &Rc<Request>, lp: &Loop, mut token: Box<dyn RetryToken>, kind: RetryKind) {
        let go = self.from_anywhere(lp, |request, lp, result: Result<()>| match result {
            Ok(()) if request.is_over() => {}
            Ok(()) => {
                request.failure.take();
                request.state.set(State::Waiting);
                request.with_metrics(|m| super::metrics::again(m, request.tries.get()));
                request.get_keys(lp);
            }
            Err(_) => request.no_more_tries(lp),
        });
        token.schedule(kind, go);
        *self.token.borrow_mut() = Some(token);
    }

    /// The policy has had enough: the request's own error is the one that matters.
    fn no_more_tries(self: &Rc<Request>, lp: &Loop) {
        let failure = self.failure.take();
        if let Some(failure) = failure {
            self.give_up(lp, failure);
        }
    }

    fn give_up(self: &Rc<Request>, lp: &Loop, failure: Failure) {
        if self.is_over() {
            return;
        }
        self.over(lp);
        let Failure { error, outcome, .. } = failure;
        let status = outcome.status;
        let (meta, send) = (self.meta.clone(), self.send.clone());
        let tell = move || meta.request_ended(send.id, &send.op, Err((error, status, outcome)));
        if self.meta.file_sink.is_some() {
            self.writes.afterwards(Box::new(tell));
        } else {
            tell();
        }
    }

    fn over(self: &Rc<Request>, lp: &Loop) {
        self.state.set(State::Over);
        self.worker.ended(lp, self);
    }

    /// Ends it with `error`, wherever it is.
    pub(super) fn cancel(self: &Rc<Request>, lp: &Loop, error: Error) {
        match self.state.get() {
            State::Over => {}
            // An upload id that comes back is aborted; a Complete that went through is a success.
            State::InFlight if self.is_decisive() => {}
            State::InFlight => {
                let connection = self.connection.borrow().clone();
                if let Some(c) = connection {
                    c.cancel(lp, error);
                }
            }
            State::Waiting | State::Backoff => self.give_up(lp, Failure::bare(error)),
        }
    }

    fn is_decisive(&self) -> bool {
        matches!(self.send.op, Op::CreateUpload | Op::CompleteUpload | Op::AbortUpload)
    }

    /// Nobody takes its bytes now.
    pub(super) fn pause(&self, lp: &Loop) {
        if self.paused_at.get() == Instant::FAR {
            self.paused_at.set(lp.now());
        }
        if !self.paused.get() && self.worker.client.pause(self.large) {
            self.paused.set(true);
        }
    }

    pub(super) fn unpause(&self) {
        self.paused_at.set(Instant::FAR);
        if self.paused.replace(false) {
            self.worker.client.unpause(self.large);
        }
    }

    pub(super) fn resume(self: &Rc<Request>, lp: &Loop) {
        self.unpause();
        let connection = self.connection.borrow().clone();
        if let Some(c) = connection {
            c.resume(lp);
        }
    }

    /// Ends an exchange that has not moved for `interval`.
    pub(super) fn watch(self: &Rc<Request>, lp: &Loop, interval: Duration) {
        if self.state.get() != State::InFlight {
            return;
        }
        let connection = self.connection.borrow().clone();
        let Some(c) = connection else { return };
        if c.is_waiting_for_us() {
            // Memory that the caller keeps, at the delivery point: nothing can move any more.
            let stuck = lp.now().since(self.paused_at.get()) >= super::MEMORY_PATIENCE;
            if stuck && self.meta.is_out_of_memory(self.send.id) {
                log!(
                    S3MetaRequest,
                    Error,
                    self.meta.plan.log_id,
                    "no memory within the limit: {} bytes are kept by the caller",
                    self.meta.account().map_or(0, |a| a.held())
                );
                self.meta.end_with(Error::new(Code::S3_EXCEEDS_MEMORY_LIMIT));
            }
            return;
        }
        let limit = if self.meta.is_ending() { ENDING_PATIENCE } else { interval };
        if lp.now().since(c.counters().moved_at.max(self.launched_at.get())) >= limit {
            let code = Code::HTTP_CHANNEL_THROUGHPUT_FAILURE;
            log!(S3Request, Warn, self.number, "no byte moved for {limit:?}: given up");
            c.cancel(lp, Error::new(code));
        }
    }

    /// Bytes of a download's range that came, per second of this try; for a finished one.
    pub(super) fn rate(&self, now: Instant) -> Option<u64> {
        let took = now.since(self.launched_at.get()).as_nanos() as u64;
        let bytes = self.emitted.get() - self.emitted_before.get();
        let is_get = matches!(self.send.op, Op::Get { .. });
        (is_get && self.large && took > 0).then(|| bytes.saturating_mul(1_000_000_000) / took)
    }

    /// Leaves a connection that is much slower than the others: the rest of the range is asked
    /// for on another one. One slow connection must not set the pace of the whole.
    pub(super) fn leave_if_slow(self: &Rc<Request>, lp: &Loop, typical: u64) {
        let now = lp.now();
        let in_flight = self.state.get() == State::InFlight && !self.paused.get();
        if !in_flight || self.rescues.get() >= RESCUES_MAX {
            return;
        }
        let Some(rate) = self.rate(now) else { return };
        let old = now.since(self.launched_at.get()) >= SLOW_AFTER;
        if !old || rate >= typical / SLOW_RATIO {
            return;
        }
        let connection = self.connection.borrow().clone();
        if let Some(c) = connection.filter(|c| !c.is_waiting_for_us()) {
            log!(S3Request, Debug, self.number, "{rate} B/s where {typical} are usual: moved");
            self.rescues.set(self.rescues.get() + 1);
            self.rescue.set(true);
            c.cancel(lp, Error::new(Code::HTTP_CHANNEL_THROUGHPUT_FAILURE));
        }
    }

    fn tell_metrics(&self, lp: &Loop, code: i32) {
        let told = self.metrics.borrow().as_ref().map(|m| {
            let mut m = (**m).clone();
            m.error_code = code;
            m.ended_ns = clock::now().0;
            m.last_attempt_ended_ns = m.ended_ns;
            m
        });
        let _ = lp;
        if let Some(m) = told {
            self.meta.push(What::Telemetry(Arc::new(m)));
        }
    }

    // ---- answers from other threads ----

    /// A closure that may be called on any thread: `then` runs on the loop with its argument.
    fn from_anywhere<T: Send + 'static>(
        self: &Rc<Request>,
        lp: &Loop,
        then: impl Fn(&Rc<Request>, &Loop, T) + Send + 'static,
    ) -> Box<dyn FnOnce(T) + Send> {
        let (handle, key, number) = (lp.handle().clone(), self.worker.client.key(), self.number);
        Box::new(move |value| {
            handle.post(move |lp| {
                let found = lp.local::<Worker>(key).and_then(|w| w.find(number));
                if let Some(request) = found {
                    then(&request, lp, value);
                }
            });
        })
    }
}

/// Times that a request leaves a slow connection.
const RESCUES_MAX: u32 = 3;
/// So much slower than others is slow, after so long.
const SLOW_RATIO: u64 = 4;
const SLOW_AFTER: Duration = Duration::from_millis(100);
/// How long a request whose transfer is ending may stay silent.
const ENDING_PATIENCE: Duration = Duration::from_millis(1500);

impl Failure {
    pub(super) fn bare(error: Error) -> Failure {
        let outcome = Outcome { error: Some(error), ..Outcome::default() };
        Failure { error, outcome, retry: None }
    }
}
