//! A client's part on one loop: takes requests from the client's queue while the limits allow,
//! owns the loop's connections, finds one for each request.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;

use super::Client;
use super::compose::Composer;
use super::flow::{SAMPLE, Sample};
use super::options::Endpoint;
use super::request::Request;
use crate::base::{Code, Duration, Error, Instant, Result};
use crate::conn::{Connection, ConnectionOptions, Owner};
use crate::log;
use crate::reactor::Loop;
use crate::sys::{self, clock};

/// How often connections are looked at for progress.
const WATCH: Duration = Duration::from_millis(500);

/// With so many small requests in flight the loop lets their answers gather for a moment: a turn
/// for several of them costs little more than a turn for one.
const LINGER_FROM: usize = 8;
const LINGER: Duration = Duration::from_micros(20);

pub(super) struct Worker {
    pub client: Arc<Client>,
    pub index: usize,
    sites: RefCell<HashMap<Endpoint, Rc<Site>>>,
    requests: RefCell<HashMap<u64, Rc<Request>>>,
    pub composer: RefCell<Composer>,
    pump_at_end: Cell<bool>,
    watching: Cell<bool>,
    sampling: Cell<bool>,
    /// Large requests on this loop, and bytes that they moved since the last sample.
    large: Cell<usize>,
    moved: Cell<u64>,
    stops: Cell<u64>,
    sampled: Cell<(Instant, u64, u64)>,
    /// Usual bytes per second of a large download's connection, and of how many that was learnt.
    typical: Cell<(u64, u32)>,
}

/// The connections of one loop to one endpoint.
pub(super) struct Site {
    pub endpoint: Endpoint,
    /// Last used first: its buffers are warm, and the others can time out.
    idle: RefCell<Vec<Rc<Connection>>>,
    open: RefCell<HashMap<u64, Rc<Connection>>>,
    opening: Cell<usize>,
    waiting: RefCell<VecDeque<Rc<Request>>>,
    addresses: RefCell<Vec<SocketAddr>>,
    next_address: Cell<usize>,
    resolving: Cell<bool>,
    worker: std::rc::Weak<Worker>,
}

impl Worker {
    pub(super) fn new(client: Arc<Client>, index: usize) -> Rc<Worker> {
        Rc::new(Worker {
            client,
            index,
            sites: RefCell::default(),
            requests: RefCell::default(),
            composer: RefCell::default(),
            pump_at_end: Cell::new(false),
            watching: Cell::new(false),
            sampling: Cell::new(false),
            large: Cell::new(0),
            moved: Cell::new(0),
            stops: Cell::new(0),
            sampled: Cell::new((Instant(0), 0, 0)),
            typical: Cell::new((0, 0)),
        })
    }

    // ---- requests ----

    /// Takes requests from the client's queue while the limits allow.
    pub(super) fn pump(self: &Rc<Worker>, lp: &Loop) {
        while let Some(meta) = self.client.next_ready() {
            let number = self.client.next_number();
            let Some(send) = meta.take_send(self.index, number) else { continue };
            let request = Request::new(self, meta, send, number);
            self.client.started(request.is_large());
            self.client.tell(request.kind(), true);
            if request.is_large() {
                self.large.set(self.large.get() + 1);
                self.start_sampling(lp);
            }
            self.requests.borrow_mut().insert(number, request.clone());
            self.start_watching(lp);
            request.begin(lp);
        }
    }

    /// One pump for all that this turn brings.
    pub(super) fn pump_later(self: &Rc<Worker>, lp: &Loop) {
        if !self.pump_at_end.replace(true) {
            let worker = self.clone();
            lp.at_turn_end(move |lp| {
                worker.pump_at_end.set(false);
                worker.pump(lp);
                let small = worker.requests.borrow().len() - worker.large.get();
                if small >= LINGER_FROM {
                    lp.linger(LINGER);
                }
            });
        }
    }

    pub(super) fn find(&self, number: u64) -> Option<Rc<Request>> {
        self.requests.borrow().get(&number).cloned()
    }

    /// The request is over: its place is free.
    pub(super) fn ended(self: &Rc<Worker>, lp: &Loop, request: &Request) {
        self.requests.borrow_mut().remove(&request.number());
        if request.is_large() {
            self.large.set(self.large.get() - 1);
        }
        request.unpause();
        self.client.ended(request.is_large());
        self.client.tell(request.kind(), false);
        self.pump_later(lp);
    }

    /// A large download's request ended with this rate.
    pub(super) fn saw_rate(&self, rate: u64) {
        let (typical, seen) = self.typical.get();
        let next = if seen == 0 { rate } else { (typical * 3 + rate) / 4 };
        self.typical.set((next, seen.saturating_add(1)));
    }

    pub(super) fn count_moved(&self, bytes: u64, stopped: bool) {
        self.moved.set(self.moved.get() + bytes);
        self.stops.set(self.stops.get() + u64::from(stopped));
    }

    // ---- connections ----

    pub(super) fn site(self: &Rc<Worker>, endpoint: &Endpoint) -> Rc<Site> {
        if let Some(site) = self.sites.borrow().get(endpoint) {
            return site.clone();
        }
        let site = Rc::new(Site {
            endpoint: endpoint.clone(),
            idle: RefCell::default(),
            open: RefCell::default(),
            opening: Cell::new(0),
            waiting: RefCell::default(),
            addresses: RefCell::default(),
            next_address: Cell::new(0),
            resolving: Cell::new(false),
            worker: Rc::downgrade(self),
        });
        self.sites.borrow_mut().insert(endpoint.clone(), site.clone());
        site
    }

    /// The end of the client on this loop.
    pub(super) fn close(self: &Rc<Worker>, lp: &Loop) {
        for site in self.sites.take().into_values() {
            for c in site.open.take().into_values() {
                c.close(lp);
            }
            site.idle.take();
        }
    }

    // ---- timers ----

    fn start_watching(self: &Rc<Worker>, lp: &Loop) {
        if !self.watching.replace(true) {
            self.watch_again(lp);
        }
    }

    fn watch_again(self: &Rc<Worker>, lp: &Loop) {
        let weak = Rc::downgrade(self);
        lp.timer(lp.now().after(WATCH), move |lp| {
            if let Some(worker) = weak.upgrade() {
                worker.watch(lp);
            }
        });
    }

    /// A peer that moves nothing for the whole interval is given up (and its request retried).
    fn watch(self: &Rc<Worker>, lp: &Loop) {
        let requests: Vec<Rc<Request>> = self.requests.borrow().values().cloned().collect();
        if requests.is_empty() {
            self.watching.set(false);
            return;
        }
        let interval = self.client.stall_interval();
        requests.iter().for_each(|r| r.watch(lp, interval));
        self.watch_again(lp);
    }

    fn leave_slow_connections(self: &Rc<Worker>, lp: &Loop) {
        let (typical, seen) = self.typical.get();
        if seen < 2 {
            return;
        }
        let requests: Vec<Rc<Request>> = self.requests.borrow().values().cloned().collect();
        requests.iter().for_each(|r| r.leave_if_slow(lp, typical));
    }

    fn start_sampling(self: &Rc<Worker>, lp: &Loop) {
        if !self.sampling.replace(true) {
            self.moved.set(0);
            self.stops.set(0);
            self.sampled.set(clocks());
            self.sample_again(lp);
        }
    }

    fn sample_again(self: &Rc<Worker>, lp: &Loop) {
        let weak = Rc::downgrade(self);
        lp.timer(lp.now().after(SAMPLE), move |lp| {
            if let Some(worker) = weak.upgrade() {
                worker.sample(lp);
            }
        });
    }

    fn sample(self: &Rc<Worker>, lp: &Loop) {
        let large = self.large.get();
        if large == 0 {
            self.sampling.set(false);
            return;
        }
        let (now, cpu, delay) = clocks();
        let (then, cpu_then, delay_then) = self.sampled.replace((now, cpu, delay));
        self.client.flow().sample(Sample {
            bytes: self.moved.replace(0),
            stops: self.stops.replace(0),
            elapsed_ns: now.0 - then.0,
            cpu_ns: cpu - cpu_then,
            run_delay_ns: delay.saturating_sub(delay_then),
            large,
            wanted: self.client.has_ready(),
            crowded: sys::runnable_threads().is_some_and(|n| n > self.client.processors()),
            now,
        });
        self.leave_slow_connections(lp);
        self.pump(lp);
        self.sample_again(lp);
    }
}

/// Time, and what the loop's thread had and missed of a processor.
fn clocks() -> (Instant, u64, u64) {
    (clock::now(), clock::thread_cpu_nanos(), sys::run_delay_nanos().unwrap_or(0))
}

impl Site {
    /// Gives the request a connection, now or when one is open.
    pub(super) fn connect(self: &Rc<Site>, lp: &Loop, request: Rc<Request>) {
        while let Some(c) = self.pop_idle() {
            if c.is_idle() {
                request.launch(lp, &c);
                return;
            }
            self.open.borrow_mut().remove(&c.id());
        }
        self.waiting.borrow_mut().push_back(request);
        self.open_more(lp);
    }

    fn pop_idle(&self) -> Option<Rc<Connection>> {
        self.idle.borrow_mut().pop()
    }

    /// An exchange is over; the connection may carry the next one.
    pub(super) fn give_back(self: &Rc<Site>, lp: &Loop, connection: &Rc<Connection>) {
        if !connection.is_idle() {
            self.open.borrow_mut().remove(&connection.id());
            self.open_more(lp);
            return;
        }
        let next = self.pop_waiting();
        match next {
            Some(request) => request.launch(lp, connection),
            None => self.idle.borrow_mut().push(connection.clone()),
        }
    }

    fn pop_waiting(&self) -> Option<Rc<Request>> {
        let mut waiting = self.waiting.borrow_mut();
        loop {
            let request = waiting.pop_front()?;
            if !request.is_over() {
                return Some(request);
            }
        }
    }

    /// A connection for each request that waits.
    fn open_more(self: &Rc<Site>, lp: &Loop) {
        self.waiting.borrow_mut().retain(|r| !r.is_over());
        while self.opening.get() < self.waiting.borrow().len() {
            let Some(address) = self.pick_address() else {
                self.resolve(lp);
                return;
            };
            if let Err(e) = self.open_one(lp, address) {
                self.fail_one(lp, e);
            }
        }
    }

    fn pick_address(&self) -> Option<SocketAddr> {
        let addresses = self.addresses.borrow();
        if addresses.is_empty() {
            return None;
        }
        let at = self.next_address.get();
        self.next_address.set(at.wrapping_add(1));
        Some(addresses[at % addresses.len()])
    }

    fn open_one(self: &Rc<Site>, lp: &Loop, address: SocketAddr) -> Result<()> {
        let Some(worker) = self.worker.upgrade() else {
            return Err(Error::new(Code::INVALID_STATE));
        };
        let options = ConnectionOptions {
            address,
            connect_timeout: worker.client.connect_timeout(),
            keepalive: worker.client.keepalive(),
        };
        let owner: Rc<dyn Owner> = self.clone();
        let id = worker.client.next_number();
        let c = Connection::open(lp, id, &options, Rc::downgrade(&owner))?;
        self.opening.set(self.opening.get() + 1);
        self.open.borrow_mut().insert(id, c);
        Ok(())
    }

    fn fail_one(self: &Rc<Site>, lp: &Loop, error: Error) {
        // The next connect asks the resolver again: the address may be gone for good.
        self.addresses.borrow_mut().clear();
        if let Some(request) = self.pop_waiting() {
            request.failed(lp, error);
        }
    }

    fn resolve(self: &Rc<Site>, lp: &Loop) {
        if self.resolving.replace(true) {
            return;
        }
        let Some(worker) = self.worker.upgrade() else { return };
        let (handle, endpoint) = (lp.handle().clone(), self.endpoint.clone());
        let key = worker.client.key();
        worker.client.resolver().resolve(
            &self.endpoint.host,
            self.endpoint.port,
            Box::new(move |found| {
                handle.post(move |lp| {
                    let Some(worker) = lp.local::<Worker>(key) else { return };
                    worker.site(&endpoint).resolved(lp, found);
                });
            }),
        );
    }

    fn resolved(self: &Rc<Site>, lp: &Loop, found: Result<Vec<SocketAddr>>) {
        self.resolving.set(false);
        match found {
            Ok(addresses) if !addresses.is_empty() => {
                *self.addresses.borrow_mut() = addresses;
                self.open_more(lp);
            }
            other => {
                let error = other.err().unwrap_or(Error::new(Code::IO_DNS_QUERY_FAILED));
                log!(S3Endpoint, Error, 0, "no address for {}: {error}", self.endpoint.host);
                while let Some(request) = self.pop_waiting() {
                    request.failed(lp, error);
                }
            }
        }
    }
}

impl Owner for Site {
    fn on_open(&self, lp: &Loop, connection: &Rc<Connection>, result: Result<()>) {
        self.opening.set(self.opening.get().saturating_sub(1));
        let Some(worker) = self.worker.upgrade() else { return };
        let site = worker.site(&self.endpoint);
        match result {
            Ok(()) => site.give_back(lp, connection),
            Err(e) => {
                self.open.borrow_mut().remove(&connection.id());
                site.fail_one(lp, e);
                site.open_more(lp);
            }
        }
    }

    fn on_idle_close(&self, _lp: &Loop, connection: &Rc<Connection>) {
        self.idle.borrow_mut().retain(|c| c.id() != connection.id());
        self.open.borrow_mut().remove(&connection.id());
    }
}
