//! One transfer: its machine behind a lock, its memory, its queues. Any thread reports facts; the
//! machine's wishes are carried out here, except sends, which the loops take (`worker`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::base::sync::{Mutex, MutexGuard};

use super::Client;
use super::deliver::{Item, What};
use super::flow::LARGE_BYTES;
use super::observer::{BodySlice, Observer, Outcome, Wants};
use super::options::{Endpoint, Kind, PauseOutcome, Signing};
use super::reading::Reading;
use crate::base::{Code, Done, Error, Result};
use crate::body::{FileSink, SourceFile, WriteOutcome};
use crate::buffer::{Account, Chunk};
use crate::delivery::SerialQueue;
use crate::http1::HeaderList;
use crate::log;
use crate::meta::{self, Action, Budget, Event, Machine, Op, Piece, RequestId};
use crate::s3msg::Message;

/// Bytes handed to the delivery queue and not yet taken by the caller; above, receiving pauses.
pub(super) const BACKLOG_BYTES_MAX: u64 = 1 << 20;

/// A piece of a body on its way through a machine.
pub(super) enum Body {
    Chunk(Chunk),
    /// Already where it belongs (written to the file): only its length counts.
    Written(u64),
}

impl Piece for Body {
    fn len(&self) -> u64 {
        match self {
            Body::Chunk(c) => c.len() as u64,
            Body::Written(n) => *n,
        }
    }
    fn split_front(&mut self, len: u64) -> Body {
        match self {
            Body::Chunk(c) => Body::Chunk(c.split_front(len as usize)),
            Body::Written(n) => {
                *n -= len;
                Body::Written(len)
            }
        }
    }
}

pub(super) enum Machines {
    Get(meta::Get<Body>),
    Put(meta::Put),
    Default(meta::Default<Body>),
}

impl Machines {
    fn machine(&mut self) -> &mut dyn Machine<Body> {
        match self {
            Machines::Get(m) => m,
            Machines::Put(m) => m,
            Machines::Default(m) => m,
        }
    }
    fn is_over(&self) -> bool {
        match self {
            Machines::Get(m) => m.is_finished(),
            Machines::Put(m) => Machine::<Body>::is_finished(m),
            Machines::Default(m) => m.is_finished(),
        }
    }
    fn next_is_large(&self) -> bool {
        let bytes = match self {
            Machines::Get(m) => m.next_bytes(),
            Machines::Put(m) => Machine::<Body>::next_bytes(m),
            Machines::Default(m) => m.next_bytes(),
        };
        bytes >= LARGE_BYTES
    }
    fn wants_send(&self) -> bool {
        match self {
            Machines::Get(m) => m.wants_send(),
            Machines::Put(m) => Machine::<Body>::wants_send(m),
            Machines::Default(m) => m.wants_send(),
        }
    }
}

/// What does not change.
pub(super) struct Plan {
    pub log_id: usize,
    pub kind: Kind,
    pub operation_name: Option<String>,
    pub message: Message,
    pub endpoint: Endpoint,
    pub signing: Option<Signing>,
    /// Memory that the transfer can always take.
    pub guarantee: u64,
    pub connections_max: usize,
}

pub struct MetaRequest {
    client: Arc<Client>,
    pub(super) plan: Plan,
    pub(super) wants: Wants,
    observer: Arc<dyn Observer>,
    delivery: SerialQueue,
    core: Mutex<Core>,
    pub(super) file_sink: Option<Arc<FileSink>>,
    pub(super) file_source: Option<Arc<SourceFile>>,
    reading: Option<Reading>,
    backlog: AtomicU64,
    /// Requests whose connection waits for the backlog to fall: loop and request.
    paused: Mutex<Vec<(usize, u64)>>,
    ending: AtomicBool,
    /// The error a callback answered with.
    refusal: OnceLock<Error>,
    /// Why it was ended from outside, and whether bytes were kept back for that.
    ended_by: OnceLock<Error>,
    skipped: AtomicBool,
    /// 2 before; each of "finish told" and "caller's reference gone" takes one.
    holds: AtomicU8,
}

pub(super) struct Core {
    machine: Machines,
    pub account: Option<Arc<Account>>,
    /// Requests on loops: machine id, loop, request.
    active: Vec<(RequestId, usize, u64)>,
    /// Parts of a sequential source in memory, by part number (0 = single).
    parts: HashMap<u32, Vec<Chunk>>,
    queued: bool,
    pub head: Option<(u16, Arc<HeaderList>)>,
    failure: Option<Outcome>,
    pub upload_id: Option<String>,
    finished: bool,
    /// The request that was at the delivery point when that was last looked at.
    front: RequestId,
}

/// Work to be done after the lock is gone.
#[derive(Default)]
struct After {
    cancel: Vec<(usize, u64)>,
    ready: bool,
    /// What is ready is a large request.
    large: bool,
    /// Those of the account that wait for memory: the transfer is ending.
    wake: Option<Arc<Account>>,
    resume: Option<(usize, u64)>,
    /// There is no memory for another active transfer: wait for one to end.
    wait: bool,
}

impl MetaRequest {
    #[expect(clippy::too_many_arguments, reason = "the one place where a transfer is put together")]
    pub(super) fn new(
        client: Arc<Client>,
        plan: Plan,
        observer: Arc<dyn Observer>,
        machine: Machines,
        delivery: SerialQueue,
        file_sink: Option<Arc<FileSink>>,
        file_source: Option<Arc<SourceFile>>,
        reading: Option<Reading>,
    ) -> Arc<MetaRequest> {
        Arc::new(MetaRequest {
            client,
            plan,
            wants: observer.wants(),
            observer,
            delivery,
            core: Mutex::new(Core {
                machine,
                account: None,
                active: Vec::new(),
                parts: HashMap::new(),
                queued: false,
                head: None,
                failure: None,
                upload_id: None,
                finished: false,
                front: RequestId(0),
            }),
            file_sink,
            file_source,
            reading,
            backlog: AtomicU64::new(0),
            paused: Mutex::new(Vec::new()),
            ending: AtomicBool::new(false),
            refusal: OnceLock::new(),
            ended_by: OnceLock::new(),
            skipped: AtomicBool::new(false),
            holds: AtomicU8::new(2),
        })
    }

    pub(super) fn client(&self) -> &Arc<Client> {
        &self.client
    }
    pub(super) fn observer(&self) -> &dyn Observer {
        &*self.observer
    }
    pub(super) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    // ---- the caller's side ----

    /// Ends it with S3_CANCELED unless it has ended. Any thread, any number of times.
    pub fn cancel(self: &Arc<MetaRequest>) {
        self.end_with(Error::new(Code::S3_CANCELED));
    }

    /// Pausing is for uploads from resumable sources.
    pub fn pause(self: &Arc<MetaRequest>) -> PauseOutcome {
        Err(Error::new(Code::UNSUPPORTED_OPERATION))
    }

    pub fn grow_read_window(self: &Arc<MetaRequest>, bytes: u64) {
        self.event(Event::WindowGrew(bytes));
    }

    /// Hands bytes over; `done` is called when they have been copied (or with an error).
    pub fn write(self: &Arc<MetaRequest>, _bytes: &[u8], _eof: bool, done: Done<()>) {
        done(Err(Error::new(Code::UNSUPPORTED_OPERATION)));
    }

    /// Takes as many bytes as fit now; `waker` is called once when more may fit.
    pub fn poll_write(
        self: &Arc<MetaRequest>,
        _bytes: &[u8],
        _eof: bool,
        _waker: Box<dyn FnOnce() + Send>,
    ) -> WriteOutcome {
        WriteOutcome::Failed(Error::new(Code::UNSUPPORTED_OPERATION))
    }

    /// The caller's last reference is gone: `on_shutdown` may come when the transfer has ended.
    pub fn release(self: &Arc<MetaRequest>) {
        self.let_go();
    }

    // ---- facts ----

    pub(super) fn end_with(self: &Arc<MetaRequest>, error: Error) {
        let _ = self.ended_by.set(error);
        self.ending.store(true, Ordering::Relaxed);
        self.event(Event::Cancel(error));
    }

    /// A callback answered with an error: the transfer ends with it.
    pub(super) fn refuse(self: &Arc<MetaRequest>, error: Error) {
        let _ = self.refusal.set(error);
        self.end_with(error);
    }
    pub(super) fn refusal(&self) -> Option<Error> {
        self.refusal.get().copied()
    }

    /// Bytes on their way to the caller were dropped because the transfer is ending.
    pub(super) fn skip(&self) {
        self.skipped.store(true, Ordering::Relaxed);
    }
    /// The error of a transfer whose bytes did not all reach the caller, although all had come.
    pub(super) fn skipped(&self) -> Option<Error> {
        self.skipped
            .load(Ordering::Relaxed)
            .then(|| self.ended_by.get().copied().unwrap_or(Error::new(Code::S3_CANCELED)))
    }

    pub(super) fn event(self: &Arc<MetaRequest>, event: Event<Body>) {
        let mut core = self.core.lock();
        core.machine.machine().on_event(event);
        self.advance(core);
    }

    /// The first answer's head, with what the caller is told of it.
    pub(super) fn first_head(
        self: &Arc<MetaRequest>,
        id: RequestId,
        head: meta::Head,
        status: u16,
        headers: Arc<HeaderList>,
    ) {
        let mut core = self.core.lock();
        if core.head.is_none() {
            core.head = Some((status, headers));
        }
        core.machine.machine().on_event(Event::Head { id, head });
        self.advance(core);
    }

    /// The answer that makes an upload's object: the caller sees its status and headers.
    pub(super) fn answered(self: &Arc<MetaRequest>, status: u16, headers: Arc<HeaderList>) {
        self.core.lock().head = Some((status, headers.clone()));
        if self.wants.headers {
            self.push(What::Head(status, headers));
        }
    }

    /// A request came back. `failure` describes it where it failed for good.
    pub(super) fn request_ended(
        self: &Arc<MetaRequest>,
        id: RequestId,
        op: &Op,
        result: std::result::Result<meta::Reply, (Error, u16, Outcome)>,
    ) {
        let mut core = self.core.lock();
        core.active.retain(|(i, _, _)| *i != id);
        match result {
            Ok(reply) => {
                if let Some(upload_id) = &reply.upload_id {
                    core.upload_id = Some(upload_id.clone());
                }
                if let Op::UploadPart { number, .. } = op {
                    core.parts.remove(number);
                }
                core.machine.machine().on_event(Event::Done { id, reply });
            }
            Err((error, status, outcome)) => {
                // A first answer of 416 may have been about an object without bytes.
                let first = core.failure.as_ref().is_none_or(|f| f.status == 416);
                if first && *op != Op::AbortUpload {
                    core.failure = Some(outcome);
                }
                if let Op::UploadPart { number, .. } = op {
                    core.parts.remove(number);
                }
                core.machine.machine().on_event(Event::Failed { id, status, error });
            }
        }
        self.advance(core);
    }

    /// A part of a sequential source is in memory.
    pub(super) fn part_read(
        self: &Arc<MetaRequest>,
        part: u32,
        result: Result<(Vec<Chunk>, bool)>,
    ) {
        let mut core = self.core.lock();
        let event = match result {
            Ok((chunks, last)) => {
                let len = chunks.iter().map(|c| c.len() as u64).sum();
                core.parts.insert(part, chunks);
                Event::PartRead { part, len, last }
            }
            Err(e) => Event::ReadFailed(e),
        };
        core.machine.machine().on_event(event);
        self.advance(core);
    }

    /// Bytes on their way to the caller or the file.
    pub(super) fn hand_over(&self, len: u64) {
        self.backlog.fetch_add(len, Ordering::AcqRel);
    }

    /// The caller (or the file) took `len` bytes.
    pub(super) fn delivered(self: &Arc<MetaRequest>, len: u64) {
        let before = self.backlog.fetch_sub(len, Ordering::AcqRel);
        if before >= BACKLOG_BYTES_MAX / 2 && before - len < BACKLOG_BYTES_MAX / 2 {
            self.wake_paused();
            self.begin();
        }
    }

    /// Nothing is on its way to the caller, and request `id` is the one that must come next: only
    /// memory that the caller keeps can be what it waits for.
    pub(super) fn is_out_of_memory(&self, id: RequestId) -> bool {
        let front = match &self.core.lock().machine {
            Machines::Get(g) => g.is_front(id) && !g.is_held_back(),
            Machines::Default(d) => !d.is_held_back(),
            Machines::Put(_) => false,
        };
        front && self.backlog.load(Ordering::Acquire) == 0
    }

    fn wake_paused(&self) {
        let paused = std::mem::take(&mut *self.paused.lock());
        for (index, request) in paused {
            self.client.resume(index, request);
        }
    }

    /// True where the caller is behind; the request is resumed when it caught up.
    pub(super) fn is_behind(&self, index: usize, request: u64) -> bool {
        if self.backlog.load(Ordering::Acquire) < BACKLOG_BYTES_MAX {
            return false;
        }
        self.paused.lock().push((index, request));
        // It may have caught up in between, with nobody left to wake us.
        if self.backlog.load(Ordering::Acquire) < BACKLOG_BYTES_MAX / 2 {
            self.wake_paused();
        }
        true
    }

    // ---- wishes ----

    /// Begins, or goes on: reads that need no loop, then the queue for loops.
    pub(super) fn begin(self: &Arc<MetaRequest>) {
        let core = self.core.lock();
        self.advance(core);
    }

    /// The next request to be sent, on loop `index` as `request`. Another one that waits puts the
    /// transfer at the end of the queue again.
    pub(super) fn take_send(
        self: &Arc<MetaRequest>,
        index: usize,
        request: u64,
    ) -> Option<meta::Send> {
        let mut core = self.core.lock();
        core.queued = false;
        let mut after = After::default();
        let room = self.has_room(&core);
        let mut budget = self.budget(&mut core, usize::from(room), &mut after);
        let send = self.run(&mut core, &mut budget, &mut after);
        self.look_at_front(&mut core, &mut after);
        if let Some(s) = &send {
            core.active.push((s.id, index, request));
        }
        let room = self.has_room(&core);
        if !core.queued && send.is_some() && room && core.machine.wants_send() {
            core.queued = true;
            self.client.requeue(self.clone(), core.machine.next_is_large());
        }
        drop(core);
        self.after(after);
        send
    }

    pub(super) fn account(&self) -> Option<Arc<Account>> {
        self.core.lock().account.clone()
    }

    /// The account, and whether the request's bytes are ahead of those wanted next.
    pub(super) fn account_for(&self, id: RequestId) -> Option<(Arc<Account>, bool)> {
        let core = self.core.lock();
        let ahead = match &core.machine {
            Machines::Get(g) => !g.is_front(id),
            Machines::Put(_) | Machines::Default(_) => false,
        };
        Some((core.account.clone()?, ahead))
    }

    /// A request that waits for memory may have come to the delivery point, where memory is
    /// guaranteed.
    fn look_at_front(&self, core: &mut Core, after: &mut After) {
        let Machines::Get(get) = &core.machine else { return };
        let front = get.front();
        if core.front == front {
            return;
        }
        core.front = front;
        let request = core.active.iter().find(|(id, _, _)| *id == front);
        if let Some((_, index, request)) = request
            && self.client.pool().is_waited_for()
        {
            after.resume = Some((*index, *request));
        }
    }

    /// The bytes of a part that was read, kept until it is acknowledged.
    pub(super) fn part_chunks(&self, part: u32) -> Vec<Chunk> {
        self.core.lock().parts.get(&part).cloned().unwrap_or_default()
    }

    pub(super) fn part_replies(&self) -> meta::PartList {
        match &self.core.lock().machine {
            Machines::Put(p) => p.part_list(),
            _ => Vec::new(),
        }
    }

    pub(super) fn etag(&self) -> Option<Vec<u8>> {
        match &self.core.lock().machine {
            Machines::Get(g) => g.etag().map(<[u8]>::to_vec),
            _ => None,
        }
    }

    pub(super) fn upload_id(&self) -> String {
        self.core.lock().upload_id.clone().unwrap_or_default()
    }

    /// Where the first byte of an operation's answer stands in the file: downloads of a range
    /// begin at the file's start.
    pub(super) fn offset_in_file(&self, op: &Op) -> u64 {
        match (op, &self.core.lock().machine) {
            (Op::Get { range: Some(r), .. }, Machines::Get(g)) => r.start - g.object().start,
            _ => 0,
        }
    }

    /// Another request of this transfer may be in flight: not while the caller is behind, and
    /// those that wait for the caller count too, or each would let in one more.
    fn has_room(&self, core: &Core) -> bool {
        let most = self.plan.connections_max.min(self.client.flow().target());
        core.active.len() < most && self.backlog.load(Ordering::Acquire) < BACKLOG_BYTES_MAX
    }

    /// Nothing is sent or read before the transfer is active, that is, has its guaranteed memory.
    fn budget(&self, core: &mut Core, sends: usize, after: &mut After) -> Budget {
        let over = core.finished || core.machine.is_over();
        if core.account.is_none() && !over {
            core.account = self.client.pool().open(self.plan.guarantee);
            if core.account.is_none() {
                after.wait = !core.queued;
                core.queued = true;
                return Budget { sends: 0, reads: 0 };
            }
        }
        let ahead = self.client.flow().target() + 1;
        let reads = usize::from(self.reading.is_some() && core.parts.len() < ahead);
        Budget { sends, reads }
    }

    fn advance(self: &Arc<MetaRequest>, mut core: MutexGuard<'_, Core>) {
        let mut after = After::default();
        let mut budget = self.budget(&mut core, 0, &mut after);
        self.run(&mut core, &mut budget, &mut after);
        self.look_at_front(&mut core, &mut after);
        let room = self.has_room(&core);
        if !core.queued && room && core.machine.wants_send() {
            core.queued = true;
            after.ready = true;
            after.large = core.machine.next_is_large();
        }
        drop(core);
        self.after(after);
    }

    fn after(self: &Arc<MetaRequest>, after: After) {
        for (index, request) in after.cancel {
            self.client.cancel_request(index, request);
        }
        if after.ready {
            self.client.ready(self.clone(), after.large);
        }
        if after.wait {
            self.client.wait_for_memory(self.clone());
        }
        if let Some(account) = after.wake {
            account.wake_waiters();
        }
        if let Some((index, request)) = after.resume {
            self.client.resume(index, request);
        }
    }

    fn run(
        self: &Arc<MetaRequest>,
        core: &mut Core,
        budget: &mut Budget,
        after: &mut After,
    ) -> Option<meta::Send> {
        while let Some(action) = core.machine.machine().next_action(budget) {
            match action {
                Action::Send(send) => return Some(send),
                Action::Read { part, len_max } => self.read(core, part, len_max),
                Action::DeliverHead { .. } => {
                    if let (true, Some((status, headers))) = (self.wants.headers, &core.head) {
                        self.push(What::Head(*status, headers.clone()));
                    }
                }
                Action::Deliver { offset, piece: Body::Chunk(chunk) } => {
                    if self.wants.body {
                        self.hand_over(chunk.len() as u64);
                        self.push(What::Body(BodySlice { start: offset, chunk }));
                    }
                }
                Action::Deliver { .. } => {}
                Action::Progress { bytes, total } => {
                    if self.wants.progress {
                        self.push(What::Progress(bytes, total));
                    }
                }
                Action::CancelRequests => {
                    self.ending.store(true, Ordering::Relaxed);
                    after.wake.clone_from(&core.account);
                    after.cancel.extend(core.active.iter().map(|(_, i, r)| (*i, *r)));
                }
                Action::Finish(result) => self.finish(core, result),
            }
        }
        None
    }

    fn read(self: &Arc<MetaRequest>, core: &Core, part: u32, len_max: u64) {
        if let Some(reading) = &self.reading {
            reading.read(self, core.account.clone(), part, len_max);
        }
    }

    fn finish(self: &Arc<MetaRequest>, core: &mut Core, result: Result<()>) {
        core.finished = true;
        core.parts.clear();
        match core.account.take() {
            Some(account) => account.close(),
            None => self.client.waits_no_more(self),
        }
        if let Err(e) = result {
            log!(S3MetaRequest, Error, self.plan.log_id, "the transfer ended with {e}");
        }
        let (status, headers) = match &core.head {
            Some((s, h)) => (*s, Some(h.clone())),
            None => (0, None),
        };
        let outcome = match (result, core.failure.take()) {
            (Ok(()), _) => Outcome { status, headers, ..Outcome::default() },
            (Err(e), Some(f)) if f.error == Some(e) || e.code == Code::S3_OBJECT_MODIFIED => {
                Outcome { error: Some(e), ..f }
            }
            // Ended by something else than a request (cancel, a callback, the source).
            (Err(e), _) => Outcome { error: Some(e), ..Outcome::default() },
        };
        match &self.file_sink {
            None => self.push(What::Finish(outcome)),
            Some(sink) => {
                let meta = self.clone();
                let success = outcome.error.is_none();
                let done = move |closed: Result<()>| {
                    let outcome = match (closed, success) {
                        (Err(e), true) => Outcome { error: Some(e), ..Outcome::default() },
                        _ => outcome,
                    };
                    meta.push(What::Finish(outcome));
                };
                sink.finish(success, Box::new(done));
            }
        }
    }

    pub(super) fn push(self: &Arc<MetaRequest>, what: What) {
        super::wake_at_turn_end();
        self.delivery.push(Box::new(Item { meta: self.clone(), what }));
    }

    pub(super) fn finish_told(self: &Arc<MetaRequest>) {
        self.let_go();
    }

    fn let_go(self: &Arc<MetaRequest>) {
        if self.holds.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.push(What::Shutdown);
        }
    }
}
