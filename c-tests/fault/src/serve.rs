//! One connection: requests in, the rule that is to hit each, the answer with its fault, the log.

use crate::http::{self, Body, Digest, Framing, Head, Inspector, Request};
use crate::log::{Entry, Log};
use crate::script::{Fault, Script};
use crate::world::{self, Answer, Content, World};
use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub struct Layer {
    pub script: Mutex<Script>,
    pub world: Mutex<World>,
    pub log: Log,
    pub upstream: Option<SocketAddr>,
    pub open: Mutex<HashMap<u64, TcpStream>>,
    pub connections: AtomicU64,
    pub open_most: AtomicU64,
    pub in_flight: AtomicU64,
    pub in_flight_most: AtomicU64,
}

pub fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How an answer (or the lack of one) ended.
#[derive(PartialEq)]
enum End {
    Done { close: bool },
    Cut,
}

impl Layer {
    /// Takes a connection to its end.
    pub fn serve(self: &Arc<Self>, stream: TcpStream) {
        let id = self.connections.fetch_add(1, Ordering::Relaxed) + 1;
        let _ = stream.set_nodelay(true);
        let hit = lock(&self.script).hit(|m| m.on.as_deref() == Some("accept"));
        if let Ok(clone) = stream.try_clone() {
            let mut open = lock(&self.open);
            open.insert(id, clone);
            self.open_most.fetch_max(open.len() as u64, Ordering::Relaxed);
        }
        if let Some((name, fault)) = hit {
            self.log.add(Entry { conn: id, rule: Some(name), end: "accept", ..Entry::default() });
            std::thread::sleep(Duration::from_millis(fault.delay_head_ms));
            end_connection(&stream, &fault);
        } else {
            let _ = self.requests(id, stream);
        }
        lock(&self.open).remove(&id);
    }

    fn requests(self: &Arc<Self>, id: u64, stream: TcpStream) -> io::Result<()> {
        let mut from = BufReader::with_capacity(http::BLOCK, stream.try_clone()?);
        let mut count = 0;
        while let Some(request) = Request::read(&mut from)? {
            if request.path.starts_with("/__fault/") {
                crate::admin::answer(self, &request, &mut from, &stream)?;
                continue;
            }
            count += 1;
            let now = self.in_flight.fetch_add(1, Ordering::Relaxed) + 1;
            self.in_flight_most.fetch_max(now, Ordering::Relaxed);
            let ended = self.one(id, count, &request, &mut from, &stream, now);
            self.in_flight.fetch_sub(1, Ordering::Relaxed);
            if ended? != (End::Done { close: false }) {
                break;
            }
        }
        Ok(())
    }

    fn one(
        &self,
        conn: u64,
        count: u64,
        request: &Request,
        from: &mut BufReader<TcpStream>,
        stream: &TcpStream,
        in_flight: u64,
    ) -> io::Result<End> {
        let (hit, last, silent, busy) = {
            let mut script = lock(&self.script);
            let busy = script.max_in_flight > 0 && in_flight > script.max_in_flight;
            let hit = if busy { None } else { script.hit(|m| m.fits(request)) };
            let last = script.keep_alive_max > 0 && count >= script.keep_alive_max;
            (hit, last, script.silent_close, busy)
        };
        let (name, fault) = match hit {
            Some((name, fault)) => (Some(name), fault),
            None => (None, Fault::default()),
        };
        let entry = self.log.begin(Entry::of(conn, count, request, name, in_flight));
        if let Some(object) = &fault.set_object {
            lock(&self.world).set(object);
        }
        let mut exchange = Exchange {
            layer: self,
            request,
            from,
            to: Pipe::new(stream, &fault),
            fault: &fault,
            entry,
            close: (last && !silent) || request.header("connection") == Some("close"),
            busy,
        };
        let end = exchange.run();
        self.log.end(
            entry,
            match &end {
                Ok(End::Done { .. }) => "done",
                Ok(End::Cut) if fault.hang => "hang",
                Ok(End::Cut) if fault.reset => "reset",
                Ok(End::Cut) => "cut",
                Err(_) => "client gone",
            },
        );
        match end {
            Ok(End::Cut) => {
                end_connection(stream, &fault);
                Ok(End::Cut)
            }
            Ok(End::Done { .. }) if last => Ok(End::Done { close: true }),
            other => other,
        }
    }
}

struct Exchange<'a> {
    layer: &'a Layer,
    request: &'a Request,
    from: &'a mut BufReader<TcpStream>,
    to: Pipe<'a>,
    fault: &'a Fault,
    entry: usize,
    close: bool,
    busy: bool,
}

/// Where the answer's body comes from.
enum Source {
    Content(Content),
    Upstream(BufReader<TcpStream>, Body),
}

impl Source {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Content(c) => Ok(Some(c.take(http::BLOCK)).filter(|b| !b.is_empty())),
            Self::Upstream(from, body) => body.next(from),
        }
    }
}

impl Exchange<'_> {
    fn run(&mut self) -> io::Result<End> {
        let fault = self.fault;
        if fault.cuts_at_once() && !fault.execute {
            return Ok(End::Cut);
        }
        if fault.early {
            self.close = true;
            let (head, source) = self.scripted();
            return self.answer(head, source);
        }
        let upstream = match self.layer.upstream {
            Some(at) if fault.executes() && !self.busy => Some(TcpStream::connect(at)?),
            _ => None,
        };
        if let Some(up) = &upstream {
            up.set_nodelay(true)?;
            send_request_head(up, self.request)?;
        }
        let Some((kept, digest)) = self.take_body(upstream.as_ref())? else { return Ok(End::Cut) };
        self.layer.log.body(self.entry, &digest);
        let (head, source) = if self.busy {
            let Answer { head, body } =
                world::error(503, "SlowDown", "Please reduce your request rate.");
            (head, Source::Content(body))
        } else if let Some(up) = upstream {
            let mut from = BufReader::with_capacity(http::BLOCK, up);
            let head = http::read_answer(&mut from)?;
            let bodyless = self.request.method == "HEAD" || matches!(head.status, 204 | 304);
            let framing = match bodyless {
                true => Framing::Length(0),
                false => http::framing_of(|n| head.header(n), Framing::UntilClose),
            };
            (head, Source::Upstream(from, Body::new(framing)))
        } else if fault.executes() {
            let answer = lock(&self.layer.world).answer(self.request, kept, &digest);
            (answer.head, Source::Content(answer.body))
        } else {
            (
                Head { status: 0, reason: String::new(), headers: Vec::new() },
                Source::Content(Content::default()),
            )
        };
        if fault.cuts_at_once() {
            return Ok(End::Cut);
        }
        if let Some(raw) = &fault.raw {
            std::thread::sleep(Duration::from_millis(fault.delay_head_ms));
            self.layer.log.answered(self.entry, 0);
            let bytes: Vec<u8> = raw.chars().map(|c| c as u8).collect();
            self.to.write(&bytes)?;
            return Ok(End::Cut);
        }
        if fault.status.is_some() && !self.busy {
            let (head, source) = self.scripted();
            return self.answer(head, source);
        }
        self.answer(head, source)
    }

    fn scripted(&self) -> (Head, Source) {
        let fault = self.fault;
        let headers = fault.headers.iter().map(|(n, v)| (n.clone(), v.clone())).collect();
        let head = Head {
            status: fault.status.unwrap_or(500),
            reason: fault.reason.clone().unwrap_or_default(),
            headers,
        };
        let mut body = fault.body.clone().unwrap_or_default().into_bytes();
        if let Some(size) = fault.body_size {
            let unit = if body.is_empty() { vec![b'x'] } else { body };
            body = unit.into_iter().cycle().take(size as usize).collect();
        }
        (head, Source::Content(Content::bytes(body)))
    }

    /// None: the connection is to be cut in the middle of the body.
    fn take_body(&mut self, upstream: Option<&TcpStream>) -> io::Result<Option<(Vec<u8>, Digest)>> {
        let mut body = Body::new(self.request.framing());
        let mut inspector = Inspector::new(self.request);
        let mut kept = Vec::new();
        let expects = self.request.header("expect").is_some_and(|e| e.contains("100-continue"));
        if expects {
            self.to.write(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let mut taken = 0;
        loop {
            if self.fault.cut_request_after.is_some_and(|n| taken >= n) {
                return Ok(None);
            }
            let Some(block) = body.next(self.from)? else { break };
            taken += block.len() as u64;
            self.layer.log.progress(self.entry, taken);
            let object_bytes = inspector.feed(&block);
            match upstream {
                Some(mut up) => match self.request.framing() {
                    Framing::Chunked => {
                        write!(up, "{:x}\r\n", block.len())?;
                        up.write_all(&block)?;
                        up.write_all(b"\r\n")?;
                    }
                    _ => up.write_all(&block)?,
                },
                None => kept.extend(object_bytes),
            }
        }
        if let (Some(mut up), Framing::Chunked) = (upstream, self.request.framing()) {
            up.write_all(b"0\r\n\r\n")?;
        }
        Ok(Some((kept, inspector.finish())))
    }

    fn answer(&mut self, mut head: Head, mut source: Source) -> io::Result<End> {
        let fault = self.fault;
        std::thread::sleep(Duration::from_millis(fault.delay_head_ms));
        self.layer.log.answered(self.entry, head.status);
        let is_head = self.request.method == "HEAD";
        let bodyless = is_head || matches!(head.status, 204 | 304);
        let length = match &source {
            Source::Content(c) => Some(c.len()),
            Source::Upstream(..) => head.header("content-length").and_then(|l| l.parse().ok()),
        };
        let until_close = fault.until_close || (length.is_none() && fault.chunked.is_none());
        self.close |= fault.close || (until_close && !bodyless);
        let hop = ["connection", "keep-alive", "transfer-encoding", "content-length"];
        head.headers.retain(|(n, _)| !hop.contains(&n.to_ascii_lowercase().as_str()));
        if !head.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case("date")) {
            head.headers.push(("Date".into(), http_date()));
        }
        if let Some(n) = fault.content_length {
            head.headers.push(("Content-Length".into(), n.to_string()));
        } else if fault.chunked.is_some() && !bodyless {
            head.headers.push(("Transfer-Encoding".into(), "chunked".into()));
        } else if let (Some(n), false) = (length, until_close || head.status == 204) {
            head.headers.push(("Content-Length".into(), n.to_string()));
        }
        if self.close {
            head.headers.push(("Connection".into(), "close".into()));
        }
        for (name, value) in &fault.set_headers {
            head.headers.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
            if let Some(value) = value {
                head.headers.push((name.clone(), value.clone()));
            }
        }
        let mut bytes = fault.before.clone().unwrap_or_default().into_bytes();
        let reason = if head.reason.is_empty() { reason_of(head.status) } else { &head.reason };
        bytes.extend_from_slice(format!("HTTP/1.1 {} {reason}\r\n", head.status).as_bytes());
        for (name, value) in &head.headers {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend(value.chars().map(|c| c as u8));
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        if let Some(n) = fault.cut_head_after {
            bytes.truncate(n);
            self.to.write(&bytes)?;
            return Ok(End::Cut);
        }
        self.to.write(&bytes)?;
        if bodyless {
            return Ok(End::Done { close: self.close });
        }
        std::thread::sleep(Duration::from_millis(fault.delay_body_ms));
        let mut sent = 0u64;
        loop {
            if fault.cut_after.is_some_and(|n| sent >= n) {
                return Ok(End::Cut);
            }
            let Some(mut block) = source.next()? else { break };
            if let Some(n) = fault.cut_after {
                block.truncate((n - sent).min(block.len() as u64) as usize);
            }
            if let Some(at) = fault.corrupt_at.and_then(|at| at.checked_sub(sent))
                && at < block.len() as u64
            {
                block[at as usize] ^= 1;
            }
            self.to.body(&block)?;
            sent += block.len() as u64;
            self.layer.log.sent(self.entry, sent);
        }
        if fault.chunked.is_some() {
            self.to.write(b"0\r\n\r\n")?;
        }
        Ok(End::Done { close: self.close })
    }
}

/// The way out, with its speed.
struct Pipe<'a> {
    to: &'a TcpStream,
    fault: &'a Fault,
    begun: Option<Instant>,
    sent: u64,
}

impl<'a> Pipe<'a> {
    fn new(to: &'a TcpStream, fault: &'a Fault) -> Self {
        Self { to, fault, begun: None, sent: 0 }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let piece = self.fault.piece.unwrap_or(usize::MAX).max(1);
        for part in bytes.chunks(piece) {
            self.to.write_all(part)?;
            if self.fault.pause_ms > 0 {
                std::thread::sleep(Duration::from_millis(self.fault.pause_ms));
            }
        }
        Ok(())
    }

    fn body(&mut self, block: &[u8]) -> io::Result<()> {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let step = match self.fault.rate {
            Some(rate) => (rate / 50).clamp(1, http::BLOCK as u64) as usize,
            None => self.fault.chunked.unwrap_or(usize::MAX).max(1),
        };
        for part in block.chunks(step) {
            if self.fault.chunked.is_some() {
                self.write(format!("{:x}\r\n", part.len()).as_bytes())?;
            }
            self.write(part)?;
            if self.fault.chunked.is_some() {
                self.write(b"\r\n")?;
            }
            self.sent += part.len() as u64;
            if let Some(rate) = self.fault.rate {
                let due = begun + Duration::from_secs_f64(self.sent as f64 / rate.max(1) as f64);
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
            }
        }
        Ok(())
    }
}

fn send_request_head(mut up: &TcpStream, request: &Request) -> io::Result<()> {
    let mut bytes = format!("{} {} HTTP/1.1\r\n", request.method, request.target).into_bytes();
    for (name, value) in &request.headers {
        if name.eq_ignore_ascii_case("connection") {
            continue;
        }
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend(value.chars().map(|c| c as u8));
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"Connection: close\r\n\r\n");
    up.write_all(&bytes)
}

/// Closes, resets, or stays silent, as the fault says.
fn end_connection(stream: &TcpStream, fault: &Fault) {
    if fault.hang {
        let until = fault.hang_ms.map(|ms| Instant::now() + Duration::from_millis(ms));
        let mut ignored = [0; 4096];
        loop {
            let left = until.map(|u| u.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                break;
            }
            let _ = stream.set_read_timeout(left.or(Some(Duration::from_secs(3600))));
            match (&mut &*stream).read(&mut ignored) {
                Ok(0) => break,
                Err(e) if e.kind() != io::ErrorKind::WouldBlock => break,
                _ => {}
            }
        }
    }
    if fault.reset {
        reset(stream);
    } else {
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
}

/// The close that follows sends RST.
pub fn reset(stream: &TcpStream) {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    // SAFETY: the descriptor is open, and the option's value is a whole `linger` on our stack.
    unsafe {
        libc::setsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_LINGER,
            (&raw const linger).cast(),
            size_of_val(&linger) as libc::socklen_t,
        );
    }
    // A connect to AF_UNSPEC ends the connection at once, whoever else holds the descriptor.
    let nowhere =
        libc::sockaddr { sa_family: libc::AF_UNSPEC as libc::sa_family_t, sa_data: [0; 14] };
    // SAFETY: as above; the address is a whole `sockaddr`.
    unsafe {
        libc::connect(
            stream.as_raw_fd(),
            &raw const nowhere,
            size_of_val(&nowhere) as libc::socklen_t,
        );
    }
}

fn reason_of(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        206 => "Partial Content",
        304 => "Not Modified",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        412 => "Precondition Failed",
        416 => "Range Not Satisfiable",
        500 => "Internal Server Error",
        503 => "Slow Down",
        _ => "Status",
    }
}

/// RFC 9110 section 5.6.7; the civil date from the day number by Hinnant's algorithm.
fn http_date() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.unwrap_or_default().as_secs();
    let (days, secs) = (now / 86400, now % 86400);
    let z = days + 719_468;
    let (era, doe) = (z / 146_097, z % 146_097);
    let yoe = (doe - doe / 1460 + doe / 36524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    let names =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    format!(
        "{}, {day:02} {} {year} {:02}:{:02}:{:02} GMT",
        weekdays[(days % 7) as usize],
        names[month as usize - 1],
        secs / 3600,
        secs / 60 % 60,
        secs % 60
    )
}
