//! Reads one response: status line and fields (httparse), then the body's framing.
//!
//! ```text
//! Head --1xx--> Head            Head --head--> Length | Chunked | UntilClose | Done
//! Length, UntilClose, Done --> End             Chunked: size line, bytes, CRLF, .., trailers --> End
//! ```
//!
//! `feed` consumes framing bytes only. On `Event::Body { len }` the bytes are at
//! `input[consumed..consumed + len]`; the caller takes as many as it has room for and says so with
//! `advance`, exactly as it does for bytes it received straight into their destination.
//! Every length has a named bound, and any split of the input gives the same events.

use super::HeaderList;
use crate::base::{Code, Error, Result};
use std::mem::MaybeUninit;

/// What the response answers; decides whether it may have a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RequestKind {
    pub is_head: bool,
}

/// One response head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResponseHead {
    pub status: u16,
    pub headers: HeaderList,
    content_length: Option<u64>,
}

impl ResponseHead {
    /// A head made by hand (machines and tests); a malformed Content-Length is left out.
    pub fn new(status: u16, headers: HeaderList) -> ResponseHead {
        let content_length = content_length(&headers).unwrap_or(None);
        ResponseHead { status, headers, content_length }
    }

    /// The first value of that name, without case.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&[u8]> {
        self.headers.get(name)
    }

    /// The value of Content-Length, also where there is no body (an answer to HEAD).
    pub fn content_length(&self) -> Option<u64> {
        self.content_length
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// All input is consumed and more is needed.
    NeedMore,
    /// A 1xx answer; the real head is still to come.
    Informational(u16),
    Head(ResponseHead),
    /// Body bytes stand at `input[consumed..consumed + len]`; `len` is not 0.
    Body {
        len: usize,
    },
    /// The response is complete. Bytes behind it were not asked for.
    End {
        keep_alive: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Bytes of the input that are done with; body bytes are never among them.
    pub consumed: usize,
    pub event: Event,
}

pub struct Decoder {
    kind: RequestKind,
    is_connect: bool,
    state: State,
    /// A head or trailer section of which only a part has come.
    pending: Vec<u8>,
    line: LineScan,
    keep_alive: bool,
    informational_count: u32,
    bytes_seen: bool,
    trailers: HeaderList,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Head,
    Length {
        left: u64,
    },
    UntilClose,
    ChunkSize {
        size: u64,
        digits: u32,
    },
    ChunkExtension {
        size: u64,
        len: u32,
        quoted: bool,
    },
    ChunkSizeLf {
        size: u64,
    },
    ChunkBytes {
        left: u64,
    },
    ChunkCr,
    ChunkLf,
    Trailers,
    /// Complete, `End` not yet reported.
    Done,
    Ended,
    Failed,
}

/// Finds the empty line that ends a head, across any split of the input.
#[derive(Clone, Copy, Default)]
struct LineScan {
    /// Bytes of the current line so far, the line ending not counted.
    line_len: usize,
    last: u8,
}

impl Decoder {
    pub fn new(kind: RequestKind) -> Decoder {
        Decoder {
            kind,
            is_connect: false,
            state: State::Head,
            pending: Vec::new(),
            line: LineScan::default(),
            keep_alive: true,
            informational_count: 0,
            bytes_seen: false,
            trailers: HeaderList::new(),
        }
    }

    /// For an answer to CONNECT: a 2xx has no body, whatever its fields say (RFC 9110, 9.3.6).
    pub fn for_connect() -> Decoder {
        Decoder { is_connect: true, ..Decoder::new(RequestKind::default()) }
    }

    /// Ready for the next response on the same connection; keeps its memory.
    pub fn reset(&mut self, kind: RequestKind) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        *self = Decoder { pending, ..Decoder::new(kind) };
    }

    /// Takes bytes that came; see the module's text for body bytes. Call again with the rest
    /// (which may be empty) until `NeedMore` or `End`.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Step> {
        self.bytes_seen |= !bytes.is_empty();
        let result = self.step(bytes);
        if result.is_err() {
            self.state = State::Failed;
        }
        result
    }

    /// How many body bytes may be received straight into their destination now. 0 while framing
    /// bytes are due; `u64::MAX` where the connection's end is the body's end.
    pub fn body_allowance(&self) -> u64 {
        match self.state {
            State::Length { left } | State::ChunkBytes { left } => left,
            State::UntilClose => u64::MAX,
            _ => 0,
        }
    }

    /// `len` body bytes were taken, from `feed`'s input or straight from the socket.
    pub fn advance(&mut self, len: u64) {
        assert!(len <= self.body_allowance(), "more body bytes taken than were allowed");
        match &mut self.state {
            State::Length { left } => {
                *left -= len;
                if *left == 0 {
                    self.state = State::Done;
                }
            }
            State::ChunkBytes { left } => {
                *left -= len;
                if *left == 0 {
                    self.state = State::ChunkCr;
                }
            }
            _ => {}
        }
    }

    /// The peer closed its side. `End` where that is a proper end, else `HTTP_CONNECTION_CLOSED`.
    pub fn on_eof(&mut self) -> Result<Event> {
        match self.state {
            State::UntilClose | State::Done | State::Ended => {
                self.state = State::Ended;
                Ok(Event::End { keep_alive: false })
            }
            State::Failed => Err(protocol_error()),
            _ => {
                self.state = State::Failed;
                Err(Error::new(Code::HTTP_CONNECTION_CLOSED))
            }
        }
    }

    /// Whether the whole response has been read (`End` may still be due).
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Done | State::Ended)
    }

    /// Whether any byte of an answer has come: if none, a request may safely be sent again.
    pub fn has_seen_bytes(&self) -> bool {
        self.bytes_seen
    }

    /// Fields after the last chunk; empty before `End`.
    pub fn trailers(&self) -> &HeaderList {
        &self.trailers
    }

    fn step(&mut self, bytes: &[u8]) -> Result<Step> {
        let mut at = 0;
        loop {
            match self.state {
                State::Head => {
                    let Some(end) = self.collect(&bytes[at..])? else {
                        return Ok(Step { consumed: bytes.len(), event: Event::NeedMore });
                    };
                    let event = self.on_head(&bytes[at..at + end])?;
                    return Ok(Step { consumed: at + end, event });
                }
                State::Length { left } | State::ChunkBytes { left } => {
                    return Ok(body_step(bytes, at, left));
                }
                State::UntilClose => return Ok(body_step(bytes, at, u64::MAX)),
                State::Trailers => {
                    let Some(end) = self.collect(&bytes[at..])? else {
                        return Ok(Step { consumed: bytes.len(), event: Event::NeedMore });
                    };
                    self.on_trailers(&bytes[at..at + end])?;
                    at += end;
                }
                State::Done => {
                    self.state = State::Ended;
                    let event = Event::End { keep_alive: self.keep_alive };
                    return Ok(Step { consumed: at, event });
                }
                State::Ended => return Err(Code::INVALID_STATE.into()),
                State::Failed => return Err(protocol_error()),
                _ => {
                    let Some(&byte) = bytes.get(at) else {
                        return Ok(Step { consumed: at, event: Event::NeedMore });
                    };
                    at += 1;
                    self.state = on_chunk_byte(self.state, byte)?;
                    if self.state == State::Trailers {
                        self.line = LineScan::default();
                    }
                }
            }
        }
    }

    /// Looks for the end of the section. `Some(n)`: it ends with the input's first `n` bytes.
    /// `None`: the input was put aside.
    fn collect(&mut self, bytes: &[u8]) -> Result<Option<usize>> {
        let end = self.line.end_of_section(bytes)?;
        let taken = end.unwrap_or(bytes.len());
        if self.pending.len() + taken > HEAD_BYTES_MAX {
            return Err(protocol_error());
        }
        if end.is_none() {
            self.pending.extend_from_slice(bytes);
        }
        Ok(end)
    }

    fn on_head(&mut self, last: &[u8]) -> Result<Event> {
        self.line = LineScan::default();
        let mut pending = std::mem::take(&mut self.pending);
        let parsed = if pending.is_empty() {
            parse_head(last)
        } else {
            pending.extend_from_slice(last);
            parse_head(&pending)
        };
        pending.clear();
        self.pending = pending;
        let (version, status, headers) = parsed?;
        match status {
            // An upgrade was never asked for (RFC 9110, 15.2.2).
            101 => return Err(protocol_error()),
            100..=199 => {
                self.informational_count += 1;
                if self.informational_count > INFORMATIONAL_COUNT_MAX {
                    return Err(protocol_error());
                }
                return Ok(Event::Informational(status));
            }
            200..=999 => {}
            _ => return Err(protocol_error()),
        }
        self.keep_alive = keep_alive(version, &headers);
        let content_length = content_length(&headers)?;
        let chunked = is_chunked(version, &headers)?;
        // Both at once is how responses are smuggled (RFC 9112, 6.1 and 6.3).
        if chunked && content_length.is_some() {
            return Err(protocol_error());
        }
        let bodiless = self.kind.is_head
            || status == 204
            || status == 304
            || (self.is_connect && (200..300).contains(&status));
        self.state = if bodiless {
            State::Done
        } else if chunked {
            State::ChunkSize { size: 0, digits: 0 }
        } else {
            match content_length {
                Some(0) => State::Done,
                Some(left) => State::Length { left },
                None => {
                    self.keep_alive = false;
                    State::UntilClose
                }
            }
        };
        Ok(Event::Head(ResponseHead { status, headers, content_length }))
    }

    fn on_trailers(&mut self, last: &[u8]) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(last);
        let parsed = parse_trailers(&pending);
        pending.clear();
        self.pending = pending;
        self.trailers = parsed?;
        self.state = State::Done;
        Ok(())
    }
}

impl LineScan {
    /// The index behind the empty line, if it is in `bytes`. A line feed without its carriage
    /// return is refused: some readers take it for a line's end and some do not.
    fn end_of_section(&mut self, bytes: &[u8]) -> Result<Option<usize>> {
        let mut start = 0;
        for lf in memchr::memchr_iter(b'\n', bytes) {
            let before = if lf > start { bytes[lf - 1] } else { self.last };
            let line_len = self.line_len + (lf - start);
            if line_len == 0 || before != b'\r' {
                return Err(protocol_error());
            }
            self.line_len = 0;
            self.last = 0;
            start = lf + 1;
            if line_len == 1 {
                return Ok(Some(start));
            }
        }
        self.line_len += bytes.len() - start;
        if let Some(&last) = bytes[start..].last() {
            self.last = last;
        }
        Ok(None)
    }
}

fn body_step(bytes: &[u8], at: usize, allowed: u64) -> Step {
    let len = usize::try_from(allowed).unwrap_or(usize::MAX).min(bytes.len() - at);
    let event = if len == 0 { Event::NeedMore } else { Event::Body { len } };
    Step { consumed: at, event }
}

/// `chunk = chunk-size [ chunk-ext ] CRLF chunk-data CRLF` (RFC 9112, 7.1), byte by byte.
fn on_chunk_byte(state: State, byte: u8) -> Result<State> {
    Ok(match (state, byte) {
        (State::ChunkSize { size, digits }, _) if byte.is_ascii_hexdigit() => {
            // 16 digits fill 64 bits; leading zeros beyond that have no honest use.
            if digits == CHUNK_SIZE_DIGITS_MAX {
                return Err(protocol_error());
            }
            let digit = (byte as char).to_digit(16).unwrap_or(0);
            State::ChunkSize { size: size << 4 | u64::from(digit), digits: digits + 1 }
        }
        (State::ChunkSize { size, digits }, _) if digits > 0 => match byte {
            b'\r' => State::ChunkSizeLf { size },
            b';' | b' ' | b'\t' => State::ChunkExtension { size, len: 0, quoted: false },
            _ => return Err(protocol_error()),
        },
        (State::ChunkExtension { size, len, quoted }, _) => match byte {
            b'\r' if !quoted => State::ChunkSizeLf { size },
            b'"' => State::ChunkExtension { size, len: len + 1, quoted: !quoted },
            b' '..=b'~' | b'\t' | 0x80.. if len < CHUNK_EXTENSION_BYTES_MAX => {
                State::ChunkExtension { size, len: len + 1, quoted }
            }
            _ => return Err(protocol_error()),
        },
        (State::ChunkSizeLf { size: 0 }, b'\n') => State::Trailers,
        (State::ChunkSizeLf { size }, b'\n') => State::ChunkBytes { left: size },
        (State::ChunkCr, b'\r') => State::ChunkLf,
        (State::ChunkLf, b'\n') => State::ChunkSize { size: 0, digits: 0 },
        _ => return Err(protocol_error()),
    })
}

fn parse_head(bytes: &[u8]) -> Result<(u8, u16, HeaderList)> {
    let mut few = [MaybeUninit::uninit(); FIELDS_FEW];
    match parse_head_into(bytes, &mut few) {
        Err(httparse::Error::TooManyHeaders) => {
            let mut many = vec![MaybeUninit::uninit(); FIELDS_MAX];
            parse_head_into(bytes, &mut many).map_err(|_| protocol_error())
        }
        result => result.map_err(|_| protocol_error()),
    }
}

fn parse_head_into<'b>(
    bytes: &'b [u8],
    fields: &mut [MaybeUninit<httparse::Header<'b>>],
) -> std::result::Result<(u8, u16, HeaderList), httparse::Error> {
    let mut response = httparse::Response::new(&mut []);
    let config = httparse::ParserConfig::default();
    match config.parse_response_with_uninit_headers(&mut response, bytes, fields)? {
        httparse::Status::Complete(n) if n == bytes.len() => {}
        _ => return Err(httparse::Error::NewLine),
    }
    let (Some(version), Some(status)) = (response.version, response.code) else {
        return Err(httparse::Error::Status);
    };
    Ok((version, status, own_fields(response.headers, bytes.len())))
}

fn parse_trailers(bytes: &[u8]) -> Result<HeaderList> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS_FEW];
    match httparse::parse_headers(bytes, &mut fields) {
        Ok(httparse::Status::Complete((n, fields))) if n == bytes.len() => {
            Ok(own_fields(fields, bytes.len()))
        }
        _ => Err(protocol_error()),
    }
}

fn own_fields(fields: &[httparse::Header<'_>], bytes: usize) -> HeaderList {
    let mut list = HeaderList::with_capacity(fields.len(), bytes);
    for field in fields {
        list.push(field.name.as_bytes(), field.value.trim_ascii());
    }
    list
}

/// Content-Length is digits only. Repeats of one value are read as one, different ones refused
/// (RFC 9112, 6.3).
fn content_length(headers: &HeaderList) -> Result<Option<u64>> {
    let mut found = None;
    for value in values(headers, b"content-length") {
        for part in value.split(|&b| b == b',') {
            let length = parse_digits(part.trim_ascii()).ok_or_else(protocol_error)?;
            if found.is_some_and(|f| f != length) {
                return Err(protocol_error());
            }
            found = Some(length);
        }
    }
    Ok(found)
}

/// `chunked` is the only transfer coding that we read; anything else would hide the body's end.
fn is_chunked(version: u8, headers: &HeaderList) -> Result<bool> {
    let mut codings = values(headers, b"transfer-encoding");
    let Some(coding) = codings.next() else {
        return Ok(false);
    };
    if version == 0 || codings.next().is_some() || !coding.eq_ignore_ascii_case(b"chunked") {
        return Err(protocol_error());
    }
    Ok(true)
}

/// RFC 9112, 9.3: `close` wins; HTTP/1.1 stays open by default, HTTP/1.0 only when it says so.
fn keep_alive(version: u8, headers: &HeaderList) -> bool {
    let mut keep = version >= 1;
    for value in values(headers, b"connection") {
        for option in value.split(|&b| b == b',') {
            let option = option.trim_ascii();
            if option.eq_ignore_ascii_case(b"close") {
                return false;
            }
            keep |= option.eq_ignore_ascii_case(b"keep-alive");
        }
    }
    keep
}

fn values<'a>(headers: &'a HeaderList, name: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v)
}

fn parse_digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |n, &b| {
        if !b.is_ascii_digit() {
            return None;
        }
        n.checked_mul(10)?.checked_add(u64::from(b - b'0'))
    })
}

fn protocol_error() -> Error {
    Error::new(Code::HTTP_PROTOCOL_ERROR)
}

/// For fuzzing: the first byte chooses the request's kind and how the rest is split.
/// Whole input and split input must tell the same story.
pub fn fuzz_http1(input: &[u8]) {
    let Some((&choice, bytes)) = input.split_first() else {
        return;
    };
    let kind = RequestKind { is_head: choice & 1 == 1 };
    let split = usize::from(choice >> 1).max(1);
    let whole = tell(kind, bytes, usize::MAX);
    let pieces = tell(kind, bytes, split);
    assert_eq!(whole, pieces, "a split changes what a response means");
}

/// The story of a response, in a form that does not depend on how its bytes came.
pub(super) fn tell(kind: RequestKind, bytes: &[u8], split: usize) -> Vec<String> {
    let mut decoder = Decoder::new(kind);
    let mut story = Vec::new();
    let mut body = Vec::new();
    for piece in bytes.chunks(split.min(bytes.len().max(1))) {
        let mut at = 0;
        loop {
            let step = match decoder.feed(&piece[at..]) {
                Ok(step) => step,
                Err(error) => {
                    story.push(format!("body {body:?}"));
                    story.push(format!("error {error}"));
                    return story;
                }
            };
            at += step.consumed;
            match step.event {
                Event::NeedMore => {
                    assert_eq!(at, piece.len(), "bytes left behind");
                    break;
                }
                Event::Body { len } => {
                    body.extend_from_slice(&piece[at..at + len]);
                    decoder.advance(len as u64);
                    at += len;
                }
                Event::Head(head) => {
                    let fields: Vec<_> = head
                        .headers
                        .iter()
                        .map(|(n, v)| (n.to_ascii_lowercase(), v.to_vec()))
                        .collect();
                    story.push(format!("head {} {fields:?}", head.status));
                }
                Event::End { keep_alive } => {
                    story.push(format!("body {body:?}"));
                    let trailers: Vec<_> =
                        decoder.trailers().iter().map(|(n, v)| (n.to_vec(), v.to_vec())).collect();
                    story.push(format!("end {keep_alive} {trailers:?}"));
                    return story;
                }
                event => story.push(format!("{event:?}")),
            }
        }
    }
    story.push(format!("body {body:?}"));
    story.push(format!("eof {:?}", decoder.on_eof()));
    story
}

/// Bytes of a head, or of a trailer section.
pub const HEAD_BYTES_MAX: usize = 64 * 1024;
const FIELDS_FEW: usize = 48;
const FIELDS_MAX: usize = 1024;
const INFORMATIONAL_COUNT_MAX: u32 = 32;
const CHUNK_SIZE_DIGITS_MAX: u32 = 16;
const CHUNK_EXTENSION_BYTES_MAX: u32 = 4096;
