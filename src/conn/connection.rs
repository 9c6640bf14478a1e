//! One connection on its loop.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::{Rc, Weak};

use super::outgoing::Outgoing;
use crate::base::{Code, Duration, Error, Instant, Result, SendStep, SinkWindow};
use crate::http1::{Decoder, Event, RequestKind, ResponseHead};
use crate::log;
use crate::reactor::{Loop, Ready, Source, TimerId, Token};
use crate::sys::{AsRawFd, ConnectState, Socket};

/// What a request's sender does with the answer. All calls come on the loop; any of them may
/// call `Connection::cancel`.
pub trait Exchange {
    /// Bytes of the request were written; `stopped` where the socket took no more.
    fn on_moved(&mut self, _sent: u64, _stopped: bool) {}
    /// The request is written.
    fn on_sent(&mut self, _lp: &Loop) {}
    fn on_head(&mut self, lp: &Loop, head: ResponseHead) -> Result<()>;
    /// Room for body bytes, at most `want`; `Full` pauses until `Connection::resume`.
    fn window(&mut self, lp: &Loop, want: usize) -> Result<SinkWindow<'_>>;
    /// `len` bytes are in the window.
    fn commit(&mut self, lp: &Loop, len: usize) -> Result<()>;
    /// The end of a burst of commits.
    fn flush(&mut self, _lp: &Loop) {}
    /// Exactly once, last.
    fn on_end(self: Box<Self>, lp: &Loop, connection: &Rc<Connection>, end: Result<End>);
}

/// A complete answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The connection may carry another exchange.
    pub reusable: bool,
}

/// Who opened the connection.
pub trait Owner {
    /// The handshake is over; with an error the connection is closed.
    fn on_open(&self, lp: &Loop, connection: &Rc<Connection>, result: Result<()>);
    /// Closed while idle, by the peer or by an error.
    fn on_idle_close(&self, lp: &Loop, connection: &Rc<Connection>);
}

#[derive(Clone, Debug)]
pub struct ConnectionOptions {
    pub address: SocketAddr,
    pub connect_timeout: Duration,
    /// Idle and interval seconds, probes.
    pub keepalive: Option<(u32, u32, u32)>,
}

/// Bytes since the connection was opened, and when one last moved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    pub received: u64,
    pub sent: u64,
    pub moved_at: Instant,
}

/// One receive of head and framing bytes. Small, so that little of a body is copied.
const HEAD_RECV_BYTES: usize = 16 << 10;
/// Bytes of one exchange moved before other connections get a turn.
const TURN_BYTES: u64 = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Connecting,
    Open,
    Closed,
}

pub struct Connection {
    id: u64,
    socket: Socket,
    address: SocketAddr,
    owner: Weak<dyn Owner>,
    token: Cell<Option<Token>>,
    timer: Cell<Option<TimerId>>,
    phase: Cell<Phase>,
    driving: Cell<bool>,
    /// A nested call found the connection being driven: look once more.
    again: Cell<bool>,
    readable: Cell<bool>,
    writable: Cell<bool>,
    hung_up: Cell<bool>,
    /// The sink had no room; nothing is received until `resume`.
    paused: Cell<bool>,
    /// The body's source has no bytes at hand.
    starved: Cell<bool>,
    busy: Cell<bool>,
    cancel: Cell<Option<Error>>,
    next: RefCell<Option<Work>>,
    work: RefCell<Option<Work>>,
    counters: Cell<Counters>,
    exchanges: Cell<u32>,
}

/// The exchange under way.
struct Work {
    exchange: Box<dyn Exchange>,
    out: Outgoing,
    sent: bool,
    decoder: Decoder,
    /// Received with the head, not yet taken by the sink.
    spare: Vec<u8>,
    /// A final head has come, and it is none of success.
    refused: bool,
    /// Answered before the request was written whole (RFC 9112, 9.6): nothing more is sent.
    early: bool,
}

impl Work {
    /// A success before the whole request was read cannot be one, not even where the peer had
    /// closed its side meanwhile.
    fn check_sent(&self) -> Result<()> {
        match self.sent || self.refused {
            true => Ok(()),
            false => Err(Error::new(Code::HTTP_PROTOCOL_ERROR)),
        }
    }
}

enum Step {
    /// Something moved: go on.
    Again,
    /// Nothing can move before the next edge.
    Blocked,
    /// Enough for this turn.
    Yield,
    Ended(Result<End>),
}

thread_local! {
    static SCRATCH: Cell<Option<Box<[u8]>>> = const { Cell::new(None) };
}

impl Connection {
    /// Starts connecting. `owner.on_open` is called later, never before this returns.
    pub fn open(
        lp: &Loop,
        id: u64,
        options: &ConnectionOptions,
        owner: Weak<dyn Owner>,
    ) -> Result<Rc<Connection>> {
        let socket = Socket::open(&options.address)?;
        if let Some((idle_s, interval_s, probes)) = options.keepalive {
            socket.set_keep_alive(idle_s, interval_s, probes)?;
        }
        let connection = Rc::new(Connection {
            id,
            socket,
            address: options.address,
            owner,
            token: Cell::new(None),
            timer: Cell::new(None),
            phase: Cell::new(Phase::Connecting),
            driving: Cell::new(false),
            again: Cell::new(false),
            readable: Cell::new(false),
            writable: Cell::new(false),
            hung_up: Cell::new(false),
            paused: Cell::new(false),
            starved: Cell::new(false),
            busy: Cell::new(false),
            cancel: Cell::new(None),
            next: RefCell::new(None),
            work: RefCell::new(None),
            counters: Cell::new(Counters { moved_at: lp.now(), ..Counters::default() }),
            exchanges: Cell::new(0),
        });
        let token = lp.register(connection.socket.as_raw_fd(), connection.clone())?;
        connection.token.set(Some(token));
        // Registered first, so that the edge of a connect that ends at once is not lost.
        if let Err(e) = connection.socket.start_connect(&options.address) {
            connection.close(lp);
            return Err(e);
        }
        let weak = Rc::downgrade(&connection);
        let timer = lp.timer(lp.now().after(options.connect_timeout), move |lp| {
            if let Some(c) = weak.upgrade() {
                c.timer.set(None);
                if c.phase.get() == Phase::Connecting {
                    c.opened(lp, Err(Error::new(Code::IO_SOCKET_TIMEOUT)));
                }
            }
        });
        connection.timer.set(Some(timer));
        Ok(connection)
    }

    pub fn id(&self) -> u64 {
        self.id
    }
    pub fn address(&self) -> SocketAddr {
        self.address
    }
    pub fn counters(&self) -> Counters {
        self.counters.get()
    }
    /// Exchanges started so far.
    pub fn exchanges(&self) -> u32 {
        self.exchanges.get()
    }
    pub fn is_idle(&self) -> bool {
        self.phase.get() == Phase::Open && !self.busy.get()
    }

    /// It is our side that has no room or no bytes: the peer's silence means nothing.
    pub fn is_waiting_for_us(&self) -> bool {
        self.paused.get() || self.starved.get()
    }

    /// Starts an exchange on an idle connection.
    pub fn start(
        self: &Rc<Connection>,
        lp: &Loop,
        kind: RequestKind,
        out: Outgoing,
        exchange: Box<dyn Exchange>,
    ) {
        assert!(!self.busy.get(), "one exchange at a time");
        self.busy.set(true);
        self.exchanges.set(self.exchanges.get() + 1);
        self.moved(lp, 0, 0);
        *self.next.borrow_mut() = Some(Work {
            exchange,
            out,
            sent: false,
            decoder: Decoder::new(kind),
            spare: Vec::new(),
            refused: false,
            early: false,
        });
        self.drive(lp);
    }

    /// Ends the exchange with `error` (from inside a callback: when that returns) and closes.
    pub fn cancel(self: &Rc<Connection>, lp: &Loop, error: Error) {
        if self.busy.get() {
            self.cancel.set(Some(error));
            self.drive(lp);
        } else {
            self.close(lp);
        }
    }

    /// The sink has room again.
    pub fn resume(self: &Rc<Connection>, lp: &Loop) {
        if self.paused.replace(false) {
            self.drive(lp);
        }
    }

    /// The body's source has bytes again.
    fn feed(self: &Rc<Connection>, lp: &Loop) {
        if self.starved.replace(false) {
            self.drive(lp);
        }
    }

    /// Closes an idle connection.
    pub fn close(&self, lp: &Loop) {
        if self.phase.replace(Phase::Closed) == Phase::Closed {
            return;
        }
        if let Some(t) = self.timer.take() {
            lp.cancel_timer(t);
        }
        if let Some(t) = self.token.take() {
            lp.deregister(t);
        }
        let _ = self.socket.shutdown();
    }

    fn opened(self: &Rc<Connection>, lp: &Loop, result: Result<()>) {
        match result {
            Ok(()) => self.phase.set(Phase::Open),
            Err(e) => {
                log!(Socket, Debug, self.id, "connect to {} failed: {e}", self.address);
                self.close(lp);
            }
        }
        if let Some(t) = self.timer.take() {
            lp.cancel_timer(t);
        }
        if let Some(owner) = self.owner.upgrade() {
            owner.on_open(lp, self, result);
        }
    }

    fn moved(&self, lp: &Loop, received: u64, sent: u64) {
        let mut c = self.counters.get();
        c.received += received;
        c.sent += sent;
        c.moved_at = lp.now();
        self.counters.set(c);
    }

    /// Moves whatever can move. A nested call (from a callback) leaves the work to the outer one.
    fn drive(self: &Rc<Connection>, lp: &Loop) {
        if self.driving.replace(true) {
            self.again.set(true);
            return;
        }
        let mut turn = 0u64;
        loop {
            if self.phase.get() != Phase::Open {
                break;
            }
            if let Some(w) = self.next.borrow_mut().take() {
                *self.work.borrow_mut() = Some(w);
            }
            let mut slot = self.work.borrow_mut();
            let Some(work) = slot.as_mut() else {
                drop(slot);
                self.idle_input(lp);
                break;
            };
            let step = match self.cancel.take() {
                Some(e) => Step::Ended(Err(e)),
                None => self.step(lp, work, &mut turn),
            };
            match step {
                Step::Again => {}
                Step::Blocked => {
                    work.exchange.flush(lp);
                    if !self.again.replace(false) {
                        break;
                    }
                }
                Step::Yield => {
                    work.exchange.flush(lp);
                    if let Some(t) = self.token.get() {
                        lp.requeue(t, Ready::default());
                    }
                    break;
                }
                Step::Ended(end) => {
                    let work = slot.take();
                    drop(slot);
                    self.end(lp, work, end);
                }
            }
        }
        self.driving.set(false);
    }

    fn end(self: &Rc<Connection>, lp: &Loop, work: Option<Work>, end: Result<End>) {
        self.cancel.set(None);
        self.paused.set(false);
        self.starved.set(false);
        let reusable = matches!(end, Ok(End { reusable: true })) && !self.hung_up.get();
        let end = end.map(|_| End { reusable });
        if !reusable {
            self.close(lp);
        }
        self.busy.set(false);
        if let Some(mut work) = work {
            work.exchange.flush(lp);
            work.exchange.on_end(lp, self, end);
        }
    }

    fn step(self: &Rc<Connection>, lp: &Loop, work: &mut Work, turn: &mut u64) -> Step {
        let mut moved = false;
        if !work.sent && !work.early && self.writable.get() && !self.starved.get() {
            match work.out.send(&self.socket) {
                Ok(SendStep::Sent(n)) => {
                    self.moved(lp, 0, n);
                    work.exchange.on_moved(n, false);
                    *turn += n;
                    moved = true;
                    if work.out.is_done() {
                        work.sent = true;
                        work.exchange.on_sent(lp);
                    }
                }
                Ok(SendStep::SocketFull) => {
                    self.writable.set(false);
                    work.exchange.on_moved(0, true);
                }
                Ok(SendStep::NotReady) => {
                    self.starved.set(true);
                    let handle = lp.handle().clone();
                    let id = self.id;
                    registry::remember(id, self);
                    work.out.wait(Box::new(move || {
                        handle.post(move |lp| {
                            if let Some(c) = registry::find(id) {
                                c.feed(lp);
                            }
                        });
                    }));
                }
                // The answer may already be on its way (an early error): read it first.
                Err(e) if is_peer_gone(&e) && self.readable.get() => work.early = true,
                Err(e) => return Step::Ended(Err(e)),
            }
        }
        let input = self.readable.get() || !work.spare.is_empty();
        if input && !self.paused.get() {
            match self.receive(lp, work, turn) {
                Ok(Some(Step::Again)) => moved = true,
                Ok(Some(other)) => return other,
                Ok(None) => {}
                Err(e) => return Step::Ended(Err(e)),
            }
        }
        if *turn >= TURN_BYTES && moved {
            return Step::Yield;
        }
        if moved { Step::Again } else { Step::Blocked }
    }

    /// One receive. `None`: nothing came.
    fn receive(&self, lp: &Loop, work: &mut Work, turn: &mut u64) -> Result<Option<Step>> {
        if !work.spare.is_empty() {
            let bytes = std::mem::take(&mut work.spare);
            return self.take(lp, work, &bytes).map(Some);
        }
        let allowance = work.decoder.body_allowance();
        if allowance > 0 {
            let want = usize::try_from(allowance).unwrap_or(usize::MAX);
            let SinkWindow::Room(room) = work.exchange.window(lp, want)? else {
                self.paused.set(true);
                return Ok(None);
            };
            let room_len = room.len().min(want);
            let Some(n) = self.socket.recv(&mut room[..room_len])? else {
                self.readable.set(false);
                return Ok(None);
            };
            if n == 0 {
                return self.eof(work).map(Some);
            }
            if n < room_len && !self.hung_up.get() {
                // Drained: the next bytes bring a new edge (epoll(7), edge-triggered streams).
                self.readable.set(false);
            }
            work.decoder.advance(n as u64);
            self.moved(lp, n as u64, 0);
            *turn += n as u64;
            work.exchange.commit(lp, n)?;
            if work.decoder.body_allowance() > 0 {
                return Ok(Some(Step::Again));
            }
            return self.take(lp, work, &[]).map(Some);
        }
        let mut scratch =
            SCRATCH.take().unwrap_or_else(|| vec![0; HEAD_RECV_BYTES].into_boxed_slice());
        let got = self.socket.recv(&mut scratch);
        let result = match got {
            Ok(Some(0)) => self.eof(work).map(Some),
            Ok(Some(n)) => {
                if n < scratch.len() && !self.hung_up.get() {
                    self.readable.set(false);
                }
                self.moved(lp, n as u64, 0);
                *turn += n as u64;
                self.take(lp, work, &scratch[..n]).map(Some)
            }
            Ok(None) => {
                self.readable.set(false);
                Ok(None)
            }
            Err(e) => Err(e),
        };
        SCRATCH.set(Some(scratch));
        result
    }

    fn eof(&self, work: &mut Work) -> Result<Step> {
        self.hung_up.set(true);
        match work.decoder.on_eof()? {
            Event::End { .. } => {
                work.check_sent()?;
                Ok(Step::Ended(Ok(End { reusable: false })))
            }
            _ => Err(Error::new(Code::HTTP_CONNECTION_CLOSED)),
        }
    }

    /// Feeds received bytes to the decoder, and body bytes to the sink.
    fn take(&self, lp: &Loop, work: &mut Work, mut bytes: &[u8]) -> Result<Step> {
        loop {
            let step = work.decoder.feed(bytes)?;
            bytes = &bytes[step.consumed..];
            match step.event {
                Event::NeedMore => return Ok(Step::Again),
                Event::Informational(_) => {}
                Event::Head(head) => {
                    work.refused = !head.is_success();
                    if !work.sent && work.refused {
                        work.early = true;
                    }
                    work.exchange.on_head(lp, head)?;
                }
                Event::Body { mut len } => {
                    while len > 0 {
                        match work.exchange.window(lp, len)? {
                            SinkWindow::Room(room) => {
                                let n = room.len().min(len);
                                room[..n].copy_from_slice(&bytes[..n]);
                                work.decoder.advance(n as u64);
                                work.exchange.commit(lp, n)?;
                                bytes = &bytes[n..];
                                len -= n;
                            }
                            SinkWindow::Full => {
                                self.paused.set(true);
                                work.spare = bytes.to_vec();
                                return Ok(Step::Blocked);
                            }
                        }
                    }
                }
                Event::End { keep_alive } => {
                    work.check_sent()?;
                    let reusable = keep_alive && work.sent && bytes.is_empty();
                    return Ok(Step::Ended(Ok(End { reusable })));
                }
            }
            if let Some(e) = self.cancel.take() {
                self.cancel.set(Some(e));
                return Ok(Step::Again);
            }
        }
    }

    /// Bytes or an end on an idle connection: nobody asked for them, so it is closed.
    fn idle_input(self: &Rc<Connection>, lp: &Loop) {
        if !self.readable.get() && !self.hung_up.get() {
            return;
        }
        let mut byte = [0u8; 1];
        match self.socket.recv(&mut byte) {
            Ok(None) => self.readable.set(false),
            Ok(Some(_)) | Err(_) => {
                self.close(lp);
                if let Some(owner) = self.owner.upgrade() {
                    owner.on_idle_close(lp, self);
                }
            }
        }
    }
}

fn is_peer_gone(e: &Error) -> bool {
    matches!(e.code, Code::IO_SOCKET_CLOSED | Code::IO_BROKEN_PIPE)
}

impl Source for Connection {
    fn on_ready(self: Rc<Self>, lp: &Loop, ready: Ready) {
        if ready.readable || ready.hangup {
            self.readable.set(true);
        }
        if ready.writable {
            self.writable.set(true);
        }
        if ready.hangup {
            self.hung_up.set(true);
        }
        if self.phase.get() == Phase::Connecting && (ready.writable || ready.error) {
            match self.socket.finish_connect() {
                Ok(ConnectState::Pending) => return,
                Ok(ConnectState::Connected) => self.opened(lp, Ok(())),
                Err(e) => self.opened(lp, Err(e)),
            }
        }
        self.drive(lp);
    }

    fn on_panic(self: Rc<Self>, lp: &Loop) {
        // The step that panicked held the exchange: give it its end, and never use the socket again.
        self.driving.set(false);
        let work = self.work.try_borrow_mut().ok().and_then(|mut w| w.take());
        self.end(lp, work, Err(Error::new(Code::S3_INTERNAL_ERROR)));
    }
}

/// Connections of this thread by id, for posts from other threads.
mod registry {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::rc::{Rc, Weak};

    use super::Connection;

    thread_local! {
        static KNOWN: RefCell<HashMap<u64, Weak<Connection>>> = RefCell::new(HashMap::new());
    }

    pub(super) fn remember(id: u64, c: &Rc<Connection>) {
        KNOWN.with_borrow_mut(|k| {
            k.insert(id, Rc::downgrade(c));
        });
    }

    pub(super) fn find(id: u64) -> Option<Rc<Connection>> {
        KNOWN.with_borrow_mut(|k| k.remove(&id)).and_then(|w| w.upgrade())
    }
}
