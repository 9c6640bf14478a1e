//! The conductor: it owns meta requests, gives their requests to connections, retries, limits,
//! counts and shuts down in order. It makes no rule of S3 (that is `meta`) and does no I/O itself.
//!
//! ```text
//! start -> MetaRequest (machine behind a lock) -> ready queue
//!   loops: Worker::pump takes sends -> Request -> connection -> Answer -> facts to the machine
//!   machine's wishes: bytes and results to the delivery queue, reads to the reading queue
//! ```

mod answer;
mod body_part;
mod compose;
mod deliver;
mod flow;
mod metrics;
mod observer;
mod options;
mod plan;
mod reading;
mod request;
mod resolve;
mod transfer;
mod worker;

pub use observer::{BodySlice, Observer, Outcome, RequestMetrics, ReviewPart, UploadReview, Wants};
pub use options::{
    ChecksumLocation, ChecksumOptions, ClientOptions, Credentials, Endpoint, KeepAlive, Kind,
    PART_SIZE_DEFAULT, PauseOutcome, Resolver, ResumeToken, RetryKind, RetryPolicy, RetryToken,
    Signing, Sink, SlowLimit, Source, TransferOptions,
};
pub use transfer::MetaRequest;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crate::base::sync::Mutex;

use crate::base::{Code, Duration, Error, Instant, Result};
use crate::buffer::Pool;
use crate::log;
use crate::reactor::Handle;
use flow::Flow;
use worker::Worker;

/// What clients of one event-loop group share: its loops and its elastic pools.
pub struct Host {
    pub group: crate::reactor::Group,
    pub delivery: crate::delivery::Pool,
    pub readers: crate::delivery::Pool,
}

/// A client. Dropping it does nothing: `shut_down` ends it when its transfers have ended.
pub struct Client {
    host: Arc<Host>,
    key: usize,
    options: Fixed,
    pool: Arc<Pool>,
    flow: Flow,
    processors: usize,
    ports: Vec<Port>,
    next_port: AtomicUsize,
    numbers: AtomicU64,
    ready: Mutex<Ready>,
    for_memory: Mutex<Vec<Arc<MetaRequest>>>,
    watching_memory: AtomicBool,
    active: AtomicUsize,
    large: AtomicUsize,
    /// Requests that wait for their caller or for memory: they hold no place.
    paused: AtomicUsize,
    life: Mutex<Life>,
}

/// The part of `ClientOptions` that stays.
struct Fixed {
    log_id: usize,
    part_size: u64,
    part_size_max: u64,
    multipart_threshold: u64,
    content_md5: bool,
    read_backpressure: bool,
    initial_read_window_bytes: u64,
    connect_timeout: Duration,
    keepalive: Option<(u32, u32, u32)>,
    stall_interval: Duration,
    retry: Arc<dyn RetryPolicy>,
    signing: Option<Signing>,
    resolver: Arc<dyn Resolver>,
    on_request: Option<Arc<dyn Fn(Kind, bool) + Send + Sync>>,
}

/// Transfers that have a request to send, each once.
#[derive(Default)]
struct Ready {
    small: VecDeque<Arc<MetaRequest>>,
    large: VecDeque<Arc<MetaRequest>>,
}

/// A loop's side of the queue.
struct Port {
    handle: Handle,
    /// A pump is on its way.
    woken: AtomicBool,
}

struct Life {
    transfers: usize,
    shutting_down: bool,
    closing: bool,
    loops_left: usize,
    on_shutdown: Option<Box<dyn FnOnce() + Send>>,
}

/// Numbers a caller may read while the client works.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientStats {
    pub requests_in_flight: usize,
    /// By request kind: default, get, put, copy.
    pub requests_network_io: [usize; 4],
    pub requests_stream_queued_waiting: usize,
    pub requests_streaming_response: usize,
    pub request_queue_size: usize,
    pub requests_being_prepared: usize,
}

/// Connections whose answer nobody takes, per connection that works.
const PAUSED_PER_PLACE: usize = 4;
/// How long a transfer waits for memory that callers keep, and how often that is looked at.
const MEMORY_PATIENCE: Duration = Duration::from_secs(10);
const MEMORY_TICK: Duration = Duration::from_millis(500);
/// The reference's default for a peer that moves nothing.
const STALL_DEFAULT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT_DEFAULT: Duration = Duration::from_secs(3);
const THROUGHPUT_DEFAULT_GBPS: f64 = 10.0;

impl Client {
    pub fn new(host: Arc<Host>, o: ClientOptions) -> Result<Arc<Client>> {
        let gbps = match o.throughput_target_gbps {
            g if g > 0.0 => g,
            _ => THROUGHPUT_DEFAULT_GBPS,
        };
        let connections = match o.connections_max {
            0 => flow::connections_for(gbps),
            n => n as usize,
        };
        let part_size = if o.part_size == 0 { PART_SIZE_DEFAULT } else { o.part_size };
        let multipart_threshold =
            if o.multipart_threshold == 0 { part_size } else { o.multipart_threshold };
        let options = Fixed {
            log_id: o.log_id,
            part_size,
            part_size_max: if o.part_size_max == 0 { 5 << 30 } else { o.part_size_max },
            multipart_threshold,
            content_md5: o.content_md5,
            read_backpressure: o.read_backpressure,
            initial_read_window_bytes: o.initial_read_window_bytes,
            connect_timeout: match o.connect_timeout {
                Duration::ZERO => CONNECT_TIMEOUT_DEFAULT,
                t => t,
            },
            keepalive: o.keepalive.map(|k| {
                let seconds = |d: Duration| d.as_secs().clamp(1, i32::MAX as u64) as u32;
                (seconds(k.interval), seconds(k.interval), k.probes_max)
            }),
            stall_interval: o.slow_limit.map_or(STALL_DEFAULT, |s| s.interval),
            retry: o.retry,
            signing: o.signing,
            on_request: o.on_request,
            resolver: o
                .resolver
                .unwrap_or_else(|| Arc::new(resolve::SystemResolver::new(host.readers.clone()))),
        };
        if o.pool.is_some() {
            let what =
                "the caller's buffer pool is not used yet: parts live in memory of the client";
            log!(S3Client, Warn, o.log_id, "{what}");
        }
        let limit = match o.memory_limit_bytes {
            0 => default_memory_limit(gbps),
            n => n,
        };
        let ports: Vec<Port> = host
            .group
            .loops()
            .iter()
            .map(|h| Port { handle: h.clone(), woken: AtomicBool::new(false) })
            .collect();
        let loops = ports.len();
        let client = Arc::new_cyclic(|weak: &std::sync::Weak<Client>| Client {
            host,
            key: weak.as_ptr() as usize,
            options,
            pool: Pool::new(limit),
            flow: Flow::new(connections),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            ports,
            next_port: AtomicUsize::new(0),
            numbers: AtomicU64::new(1),
            ready: Mutex::default(),
            for_memory: Mutex::default(),
            watching_memory: AtomicBool::new(false),
            active: AtomicUsize::new(0),
            large: AtomicUsize::new(0),
            paused: AtomicUsize::new(0),
            life: Mutex::new(Life {
                transfers: 0,
                shutting_down: false,
                closing: false,
                loops_left: loops,
                on_shutdown: o.on_shutdown,
            }),
        });
        for (index, port) in client.ports.iter().enumerate() {
            let c = client.clone();
            let posted = port.handle.post(move |lp| {
                let key = c.key;
                lp.set_local(key, Worker::new(c, index));
            });
            if !posted {
                return Err(Error::new(Code::IO_EVENT_LOOP_SHUTDOWN));
            }
        }
        log!(
            S3Client,
            Info,
            client.options.log_id,
            "client made: {connections} connections at most, {limit} bytes of part memory"
        );
        Ok(client)
    }

    /// Starts a transfer; callbacks may come before this returns.
    pub fn start(
        self: &Arc<Client>,
        options: TransferOptions,
        observer: Arc<dyn Observer>,
    ) -> Result<Arc<MetaRequest>> {
        let meta = plan::transfer(self, options, observer)?;
        {
            let mut life = self.life.lock();
            if life.shutting_down {
                return Err(Error::new(Code::INVALID_STATE));
            }
            life.transfers += 1;
        }
        meta.begin();
        Ok(meta)
    }

    /// No new transfers; runs `on_shutdown` when all have ended.
    pub fn shut_down(self: &Arc<Client>) {
        let mut life = self.life.lock();
        life.shutting_down = true;
        self.close_if_over(life);
    }

    fn close_if_over(self: &Arc<Client>, mut life: crate::base::sync::MutexGuard<'_, Life>) {
        if !life.shutting_down || life.transfers > 0 || life.closing {
            return;
        }
        life.closing = true;
        drop(life);
        for port in &self.ports {
            let c = self.clone();
            let posted = port.handle.post(move |lp| {
                if let Some(worker) = lp.local::<Worker>(c.key) {
                    worker.close(lp);
                }
                lp.drop_local(c.key);
                c.loop_closed();
            });
            if !posted {
                self.loop_closed();
            }
        }
    }

    fn loop_closed(self: &Arc<Client>) {
        let mut life = self.life.lock();
        life.loops_left -= 1;
        let done = if life.loops_left == 0 { life.on_shutdown.take() } else { None };
        drop(life);
        if let Some(done) = done {
            self.pool.trim();
            self.host.delivery.spawn(Box::new(Last { done: Some(done) }));
        }
    }

    pub(crate) fn transfer_ended(self: &Arc<Client>) {
        let mut life = self.life.lock();
        life.transfers -= 1;
        if life.transfers == 0 {
            self.trim_later();
        }
        self.close_if_over(life);
    }

    /// Memory of a client that stays idle goes back to the system.
    fn trim_later(self: &Arc<Client>) {
        const IDLE: Duration = Duration::from_secs(5);
        if self.pool.stats().mapped == 0 {
            return;
        }
        let client = Arc::downgrade(self);
        self.ports[0].handle.post(move |lp| {
            lp.timer(lp.now().after(IDLE), move |_| {
                if let Some(c) = client.upgrade()
                    && c.life.lock().transfers == 0
                {
                    c.pool.trim();
                }
            });
        });
    }

    pub fn stats(&self) -> ClientStats {
        ClientStats {
            requests_in_flight: self.active.load(Ordering::Relaxed),
            requests_network_io: [0, self.active.load(Ordering::Relaxed), 0, 0],
            request_queue_size: {
                let ready = self.ready.lock();
                ready.small.len() + ready.large.len()
            },
            ..ClientStats::default()
        }
    }
    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }
    pub fn connections_max(&self) -> usize {
        self.flow.max()
    }

    // ---- for the workers ----

    fn key(&self) -> usize {
        self.key
    }
    fn processors(&self) -> usize {
        self.processors
    }
    fn flow(&self) -> &Flow {
        &self.flow
    }
    fn retry(&self) -> &Arc<dyn RetryPolicy> {
        &self.options.retry
    }
    fn resolver(&self) -> &Arc<dyn Resolver> {
        &self.options.resolver
    }
    fn connect_timeout(&self) -> Duration {
        self.options.connect_timeout
    }
    fn keepalive(&self) -> Option<(u32, u32, u32)> {
        self.options.keepalive
    }
    fn stall_interval(&self) -> Duration {
        self.options.stall_interval
    }
    fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Says that a request begins or ends to whoever counts them.
    fn tell(&self, kind: Kind, begins: bool) {
        if let Some(tell) = &self.options.on_request {
            tell(kind, begins);
        }
    }
    fn started(&self, large: bool) {
        self.active.fetch_add(1, Ordering::Relaxed);
        if large {
            self.large.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn ended(&self, large: bool) {
        self.active.fetch_sub(1, Ordering::Relaxed);
        if large {
            self.large.fetch_sub(1, Ordering::Relaxed);
        }
    }
    /// A request waits for its caller or for memory: others may use its place. False where so
    /// many wait already that it must keep the place.
    fn pause(&self, large: bool) -> bool {
        if self.paused.fetch_add(1, Ordering::Relaxed) >= PAUSED_PER_PLACE * self.flow.max() {
            self.paused.fetch_sub(1, Ordering::Relaxed);
            return false;
        }
        self.ended(large);
        if self.has_ready() {
            self.wake_one();
        }
        true
    }
    fn unpause(&self, large: bool) {
        self.paused.fetch_sub(1, Ordering::Relaxed);
        self.started(large);
    }
    fn has_ready(&self) -> bool {
        let ready = self.ready.lock();
        !ready.small.is_empty() || !ready.large.is_empty()
    }
    /// The next transfer that may send now. Small requests do not wait behind large ones.
    fn next_ready(&self) -> Option<Arc<MetaRequest>> {
        if self.active.load(Ordering::Relaxed) >= self.flow.max() {
            return None;
        }
        let mut ready = self.ready.lock();
        if let Some(meta) = ready.small.pop_front() {
            return Some(meta);
        }
        match self.large.load(Ordering::Relaxed) < self.flow.target() {
            true => ready.large.pop_front(),
            false => None,
        }
    }
    /// Has more to send: its turn comes again after the others'.
    fn requeue(&self, meta: Arc<MetaRequest>, large: bool) {
        let mut ready = self.ready.lock();
        match large {
            true => ready.large.push_back(meta),
            false => ready.small.push_back(meta),
        }
    }

    // ---- for the transfers ----

    fn ready(&self, meta: Arc<MetaRequest>, large: bool) {
        self.requeue(meta, large);
        if self.active.load(Ordering::Relaxed) < self.flow.max() {
            self.wake_one();
        }
    }

    fn wait_for_memory(self: &Arc<Client>, meta: Arc<MetaRequest>) {
        let guarantee = meta.plan.guarantee;
        self.for_memory.lock().push(meta);
        let client = Arc::downgrade(self);
        let waits = self.pool.wait_for_room(
            guarantee,
            Box::new(move || {
                if let Some(c) = client.upgrade() {
                    c.room_came();
                }
            }),
        );
        if !waits {
            return self.room_came();
        }
        if !self.watching_memory.swap(true, Ordering::AcqRel) {
            let client = Arc::downgrade(self);
            self.ports[0].handle.post(move |lp| watch_memory(lp, client, 0, lp.now()));
        }
    }

    /// It has ended before there was memory for it.
    fn waits_no_more(&self, meta: &Arc<MetaRequest>) {
        self.for_memory.lock().retain(|m| !Arc::ptr_eq(m, meta));
    }

    fn room_came(&self) {
        let waiting = std::mem::take(&mut *self.for_memory.lock());
        if !waiting.is_empty() {
            self.ready.lock().small.extend(waiting);
            self.wake_one();
        }
    }

    /// A pump on one loop; one on its way already is enough.
    fn wake_one(&self) {
        let at = match self.ports.len() {
            1 => 0,
            n => self.next_port.fetch_add(1, Ordering::Relaxed) % n,
        };
        let port = &self.ports[at];
        if port.woken.swap(true, Ordering::AcqRel) {
            return;
        }
        let key = self.key;
        port.handle.post(move |lp| {
            if let Some(worker) = lp.local::<Worker>(key) {
                worker.client.ports[worker.index].woken.store(false, Ordering::Release);
                worker.pump(lp);
            }
        });
    }

    fn on_request(
        &self,
        index: usize,
        number: u64,
        f: impl FnOnce(&std::rc::Rc<request::Request>, &crate::reactor::Loop) + Send + 'static,
    ) {
        let key = self.key;
        self.ports[index].handle.post(move |lp| {
            if let Some(r) = lp.local::<Worker>(key).and_then(|w| w.find(number)) {
                f(&r, lp);
            }
        });
    }

    fn cancel_request(&self, index: usize, number: u64) {
        self.on_request(index, number, |r, lp| r.cancel(lp, Error::new(Code::S3_CANCELED)));
    }

    fn resume(&self, index: usize, number: u64) {
        self.on_request(index, number, |r, lp| r.resume(lp));
    }
}

/// Transfers wait for memory. Where no transfer is active any more it is their callers who keep it:
/// when none comes back for a while, those that wait end with that as their error.
fn watch_memory(
    lp: &crate::reactor::Loop,
    client: std::sync::Weak<Client>,
    given: u64,
    at: Instant,
) {
    let Some(c) = client.upgrade() else { return };
    if c.for_memory.lock().is_empty() {
        c.watching_memory.store(false, Ordering::Release);
        // One may have come in between.
        if c.for_memory.lock().is_empty() || c.watching_memory.swap(true, Ordering::AcqRel) {
            return;
        }
    }
    let stats = c.pool.stats();
    let moved = stats.given != given || stats.accounts > 0;
    let at = if moved { lp.now() } else { at };
    if lp.now().since(at) >= MEMORY_PATIENCE {
        let waiting = std::mem::take(&mut *c.for_memory.lock());
        log!(
            S3Client,
            Error,
            c.options.log_id,
            "{} transfers find no memory: {} bytes are kept by callers",
            waiting.len(),
            stats.held
        );
        waiting.iter().for_each(|m| m.end_with(Error::new(Code::S3_EXCEEDS_MEMORY_LIMIT)));
    }
    drop(c);
    lp.timer(lp.now().after(MEMORY_TICK), move |lp| watch_memory(lp, client, stats.given, at));
}

/// On a loop: whatever is pushed to a pool in this turn wakes a thread once, when the turn ends.
fn wake_at_turn_end() {
    crate::reactor::Loop::with_current(|lp| {
        if crate::delivery::cork() {
            lp.at_turn_end(|_| crate::delivery::uncork());
        }
    });
}

/// The reference's steps: 2 GiB up to 25 Gb/s, 4 up to 75, 8 above.
fn default_memory_limit(gbps: f64) -> u64 {
    match gbps {
        g if g > 75.0 => 8 << 30,
        g if g > 25.0 => 4 << 30,
        _ => 2 << 30,
    }
}

struct Last {
    done: Option<Box<dyn FnOnce() + Send>>,
}

impl crate::delivery::Work for Last {
    fn run(&mut self) {
        if let Some(done) = self.done.take() {
            done();
        }
    }
}
