//! Header `aws/http/request_response.h`: headers, messages and streams.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::ffi::http::connection::aws_http_connection;
use crate::ffi::io::stream::{self, aws_input_stream};
use crate::ffi::place::{Bytes, Placed, Tagged, bytes_of, cursor_of};
use crate::ffi::raise::{AWS_OP_SUCCESS, fail, op, raise};

/// How HPACK may store a header (HTTP/2 only).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_header_compression {
    AWS_HTTP_HEADER_COMPRESSION_USE_CACHE = 0,
    AWS_HTTP_HEADER_COMPRESSION_NO_CACHE = 1,
    AWS_HTTP_HEADER_COMPRESSION_NO_FORWARD_CACHE = 2,
}

/// One header. Name and value are borrowed.
#[repr(C)]
pub struct aws_http_header {
    pub name: aws_byte_cursor,
    pub value: aws_byte_cursor,
    pub compression: MaybeUninit<aws_http_header_compression>,
}

/// Which part of a message headers belong to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_http_header_block {
    AWS_HTTP_HEADER_BLOCK_MAIN = 0,
    AWS_HTTP_HEADER_BLOCK_INFORMATIONAL = 1,
    AWS_HTTP_HEADER_BLOCK_TRAILING = 2,
}

/// Headers arrived. Event-loop thread, may be called several times for one block; the array is valid
/// during the call. AWS_OP_ERR ends the stream.
pub type aws_http_on_incoming_headers_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        header_block: aws_http_header_block,
        header_array: *const aws_http_header,
        num_headers: usize,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// A block of headers is complete. Event-loop thread. AWS_OP_ERR ends the stream.
pub type aws_http_on_incoming_header_block_done_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        header_block: aws_http_header_block,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// Body bytes arrived. Event-loop thread; `data` is valid during the call. AWS_OP_ERR ends the stream.
pub type aws_http_on_incoming_body_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        data: *const aws_byte_cursor,
        user_data: *mut c_void,
    ) -> c_int,
>;

/// The peer will send nothing more on this HTTP/2 stream. Event-loop thread.
pub type aws_http2_on_remote_end_stream_fn =
    Option<unsafe extern "C" fn(stream: *mut aws_http_stream, user_data: *mut c_void)>;

/// A stream is complete. Event-loop thread; called once.
pub type aws_http_on_stream_complete_fn = Option<
    unsafe extern "C" fn(stream: *mut aws_http_stream, error_code: c_int, user_data: *mut c_void),
>;

/// A stream is destroyed. Any thread; called once, last.
pub type aws_http_on_stream_destroy_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Times of one stream, in nanoseconds of the monotonic clock; -1: did not happen.
#[repr(C)]
pub struct aws_http_stream_metrics {
    pub send_start_timestamp_ns: i64,
    pub send_end_timestamp_ns: i64,
    pub sending_duration_ns: i64,
    pub receive_start_timestamp_ns: i64,
    pub receive_end_timestamp_ns: i64,
    pub receiving_duration_ns: i64,
    pub stream_id: u32,
}

/// Times of a stream, right before it is complete. Event-loop thread.
pub type aws_http_on_stream_metrics_fn = Option<
    unsafe extern "C" fn(
        stream: *mut aws_http_stream,
        metrics: *const aws_http_stream_metrics,
        user_data: *mut c_void,
    ),
>;

/// Options of aws_http_connection_make_request().
#[repr(C)]
pub struct aws_http_make_request_options {
    /// sizeof the struct the caller compiled with.
    pub self_size: usize,
    /// The request. The stream keeps a reference.
    pub request: *mut aws_http_message,
    pub user_data: *mut c_void,
    pub on_response_headers: aws_http_on_incoming_headers_fn,
    pub on_response_header_block_done: aws_http_on_incoming_header_block_done_fn,
    pub on_response_body: aws_http_on_incoming_body_fn,
    pub on_metrics: aws_http_on_stream_metrics_fn,
    pub on_h2_remote_end_stream: aws_http2_on_remote_end_stream_fn,
    pub on_complete: aws_http_on_stream_complete_fn,
    pub on_destroy: aws_http_on_stream_destroy_fn,
    pub use_manual_data_writes: bool,
    pub http2_use_manual_data_writes: bool,
    pub response_first_byte_timeout_ms: u64,
}

/// Written data is out, or failed. Event-loop thread.
pub type aws_http_stream_write_complete_fn = Option<
    unsafe extern "C" fn(stream: *mut aws_http_stream, error_code: c_int, user_data: *mut c_void),
>;

/// A list of headers, in order. Opaque; counted. Not safe for use by several threads at once.
pub struct aws_http_headers {
    _private: [u8; 0],
}

/// A request or response head with its body stream. Opaque; counted. Not safe for use by several
/// threads at once.
pub struct aws_http_message {
    _private: [u8; 0],
}

/// One exchange on a connection. Opaque.
pub struct aws_http_stream {
    _private: [u8; 0],
}

/// Options of writing body bytes to a stream.
#[repr(C)]
pub struct aws_http_stream_write_data_options {
    /// The bytes. Required unless `end_stream`; the stream keeps a reference.
    pub data: *mut aws_input_stream,
    /// No more will follow.
    pub end_stream: bool,
    /// Optional.
    pub on_complete: aws_http_stream_write_complete_fn,
    pub user_data: *mut c_void,
}

/// Options of writing body bytes to an HTTP/2 stream.
#[repr(C)]
pub struct aws_http2_stream_write_data_options {
    /// The bytes. Required unless `end_stream`; the stream keeps a reference.
    pub data: *mut aws_input_stream,
    /// No more will follow.
    pub end_stream: bool,
    /// Optional.
    pub on_complete: aws_http_stream_write_complete_fn,
    pub user_data: *mut c_void,
}

/// The headers behind an `aws_http_headers`. Name and value of a header share one block that stays
/// where it is until the header is erased, because callers keep cursors into it.
pub struct Headers {
    allocator: *mut aws_allocator,
    list: Vec<Header>,
}

struct Header {
    bytes: Bytes,
    name_len: usize,
}

// SAFETY: every `aws_http_headers` is made by `headers_new` below.
unsafe impl Tagged for Headers {
    type C = aws_http_headers;
    const NAME: &'static str = "aws_http_headers";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.hdrs");
}

// SAFETY: plain owned bytes; an allocator may be called on any thread.
unsafe impl Send for Headers {}

impl Header {
    fn name(&self) -> &[u8] {
        &self.bytes.as_slice()[..self.name_len]
    }
    fn value(&self) -> &[u8] {
        &self.bytes.as_slice()[self.name_len..]
    }
    fn to_c(&self) -> aws_http_header {
        let value = self.value();
        let name = aws_byte_cursor { len: self.name_len, ptr: self.bytes.as_ptr() };
        let value = aws_byte_cursor { len: value.len(), ptr: value.as_ptr().cast_mut() };
        let compression = aws_http_header_compression::AWS_HTTP_HEADER_COMPRESSION_USE_CACHE;
        aws_http_header { name, value, compression: MaybeUninit::new(compression) }
    }
}

impl Headers {
    fn is_pseudo(name: &[u8]) -> bool {
        name.first() == Some(&b':')
    }

    /// Adds a copy, the value without the white space around it (RFC 9110, 5.5). Pseudo headers come
    /// before the others.
    fn add(&mut self, name: &[u8], value: &[u8]) -> Result<()> {
        let front =
            Self::is_pseudo(name) && self.list.last().is_some_and(|h| !Self::is_pseudo(h.name()));
        self.insert(name, value, front)
    }

    fn insert(&mut self, name: &[u8], value: &[u8], front: bool) -> Result<()> {
        if name.is_empty() {
            return Err(Error::new(Code::HTTP_INVALID_HEADER_NAME));
        }
        // SAFETY: the allocator outlives the headers.
        let bytes = unsafe { Bytes::join(self.allocator, &[name, trimmed(value)])? };
        let at = if front { 0 } else { self.list.len() };
        self.list.insert(at, Header { bytes, name_len: name.len() });
        Ok(())
    }

    /// One header of this name remains, the new one. It is added first: name and value may lie in
    /// the header they replace.
    fn set(&mut self, name: &[u8], value: &[u8]) -> Result<()> {
        let front = Self::is_pseudo(name);
        let before = self.list.len();
        self.insert(name, value, front)?;
        let (from, to) = if front { (1, before + 1) } else { (0, before) };
        let new = if front { 0 } else { before };
        let name = self.list[new].name().to_vec();
        for at in (from..to).rev() {
            if self.list[at].name().eq_ignore_ascii_case(&name) {
                self.list.remove(at);
            }
        }
        Ok(())
    }

    /// The first header of this name.
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.list.iter().find(|h| h.name().eq_ignore_ascii_case(name)).map(Header::value)
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.list.iter().map(|h| (h.name(), h.value()))
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

fn trimmed(value: &[u8]) -> &[u8] {
    let keep = |b: &u8| !matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    match (value.iter().position(keep), value.iter().rposition(keep)) {
        (Some(from), Some(to)) => &value[from..=to],
        _ => &[],
    }
}

/// New headers in the allocator's memory, with one reference.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the headers.
pub unsafe fn headers_new<'a>(
    allocator: *mut aws_allocator,
    list: impl IntoIterator<Item = (&'a [u8], &'a [u8])>,
) -> Result<*mut aws_http_headers> {
    let mut headers = Headers { allocator, list: Vec::new() };
    for (name, value) in list {
        headers.add(name, value)?;
    }
    // SAFETY: by the contract.
    unsafe { Placed::make(allocator, headers) }
}

/// Gives one reference back; NULL is nothing.
///
/// # Safety
/// `headers` is NULL or live; the reference is the caller's to give up.
pub unsafe fn headers_release(headers: *mut aws_http_headers) {
    if !headers.is_null() {
        // SAFETY: by the contract.
        drop(unsafe { Placed::<Headers>::release(headers) });
    }
}

/// The message behind an `aws_http_message`.
struct Message {
    allocator: *mut aws_allocator,
    /// A reference.
    headers: *mut aws_http_headers,
    /// A reference, or NULL.
    body: *mut aws_input_stream,
    method: Option<Bytes>,
    path: Option<Bytes>,
}

// SAFETY: every `aws_http_message` is made by `message_new` below.
unsafe impl Tagged for Message {
    type C = aws_http_message;
    const NAME: &'static str = "aws_http_message";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.mesg");
}

impl Drop for Message {
    fn drop(&mut self) {
        // SAFETY: the message gives up the references it holds.
        unsafe {
            drop(Placed::<Headers>::release(self.headers));
            stream::release(self.body);
        }
    }
}

unsafe fn message_new(
    allocator: *mut aws_allocator,
    headers: Option<*mut aws_http_headers>,
) -> Result<*mut aws_http_message> {
    // SAFETY: the exports check that C's handles are ours; the new ones are.
    unsafe {
        let headers = match headers {
            Some(given) => {
                Placed::<Headers>::view(given)?;
                Placed::<Headers>::acquire(given);
                given
            }
            None => headers_new(allocator, [])?,
        };
        let body = std::ptr::null_mut();
        Placed::make(allocator, Message { allocator, headers, body, method: None, path: None })
    }
}

/// A new request with one reference.
///
/// # Safety
/// `allocator` is NULL or live, and outlives the message.
pub unsafe fn request_new(
    allocator: *mut aws_allocator,
    method: &[u8],
    path: &[u8],
) -> Result<*mut aws_http_message> {
    // SAFETY: by the contract; the message is ours alone.
    unsafe {
        let message = message_new(allocator, None)?;
        let fill = || -> Result<()> {
            let m = Placed::<Message>::view_mut(message)?;
            m.method = Some(Bytes::copy(allocator, method)?);
            m.path = Some(Bytes::copy(allocator, path)?);
            Ok(())
        };
        match fill() {
            Ok(()) => Ok(message),
            Err(e) => {
                message_release(message);
                Err(e)
            }
        }
    }
}

/// A request as the rest of the library reads it; valid while the caller's message is.
#[derive(Clone, Copy)]
pub struct MessageView<'a> {
    /// Empty where the caller set none.
    pub method: &'a [u8],
    /// Path and query exactly as set; empty where the caller set none.
    pub path: &'a [u8],
    pub headers: &'a Headers,
    /// Borrowed, or NULL.
    pub body: *mut aws_input_stream,
}

/// Reads a caller's message; NULL and strangers are AWS_ERROR_INVALID_ARGUMENT.
///
/// # Safety
/// `message` is NULL or live, and nobody changes it during `'a`.
pub unsafe fn message_view<'a>(message: *const aws_http_message) -> Result<MessageView<'a>> {
    // SAFETY: by the contract.
    unsafe {
        let m = Placed::<Message>::view(message)?;
        Ok(MessageView {
            method: m.method.as_ref().map_or(&[], Bytes::as_slice),
            path: m.path.as_ref().map_or(&[], Bytes::as_slice),
            headers: Placed::<Headers>::view(m.headers)?,
            body: m.body,
        })
    }
}

/// One more reference to a caller's message; false for NULL and strangers.
///
/// # Safety
/// `message` is NULL or live.
pub unsafe fn message_acquire(message: *const aws_http_message) -> bool {
    // SAFETY: by the contract.
    unsafe { Placed::<Message>::acquire(message) }
}

/// Gives one reference back.
///
/// # Safety
/// `message` is NULL or live; the reference is the caller's to give up.
pub unsafe fn message_release(message: *const aws_http_message) {
    // SAFETY: by the contract.
    drop(unsafe { Placed::<Message>::release(message) });
}

/// Adds a header to a message, as signing does.
///
/// # Safety
/// `message` is NULL or live, and nobody else uses it during the call.
pub unsafe fn message_add(message: *mut aws_http_message, name: &[u8], value: &[u8]) -> Result<()> {
    // SAFETY: by the contract.
    unsafe {
        let m = Placed::<Message>::view(message)?;
        Placed::<Headers>::view_mut(m.headers)?.add(name, value)
    }
}

/// Sets the path of a message, as signing in query parameters does.
///
/// # Safety
/// As for [`message_add`].
pub unsafe fn message_set_path(message: *mut aws_http_message, path: &[u8]) -> Result<()> {
    // SAFETY: by the contract.
    unsafe {
        let m = Placed::<Message>::view_mut(message)?;
        m.path = Some(Bytes::copy(m.allocator, path)?);
        Ok(())
    }
}

/// New headers, none of them.
///
/// `allocator`: required; outlives the headers. Returns headers with one reference, to be given back
/// with aws_http_headers_release(); NULL with an error raised: AWS_ERROR_INVALID_ARGUMENT,
/// AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_new(
    allocator: *mut aws_allocator,
) -> *mut aws_http_headers {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { headers_new(allocator, []) })
    })
}

/// Takes one more reference.
///
/// `headers`: NULL does nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_acquire(headers: *mut aws_http_headers) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { Placed::<Headers>::acquire(headers) };
    })
}

/// Gives one reference back; the last one frees the headers and every cursor got from them.
///
/// `headers`: NULL does nothing. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_release(headers: *mut aws_http_headers) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        drop(unsafe { Placed::<Headers>::release(headers) });
    })
}

/// Adds a header behind the others; headers of the same name stay.
///
/// `header`: copied, the value without the white space around it. Returns AWS_OP_SUCCESS, or AWS_OP_ERR
/// with AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_HTTP_INVALID_HEADER_NAME (empty name) or AWS_ERROR_OOM.
/// One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_add_header(
    headers: *mut aws_http_headers,
    header: *const aws_http_header,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let header = arg!(header);
            let (name, value) = (ok!(bytes_of(header.name)), ok!(bytes_of(header.value)));
            op(Placed::<Headers>::view_mut(headers).and_then(|h| h.add(name, value)))
        }
    })
}

/// Adds a header behind the others; headers of the same name stay.
///
/// Arguments and errors as for aws_http_headers_add_header().
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_add(
    headers: *mut aws_http_headers,
    name: aws_byte_cursor,
    value: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (name, value) = (ok!(bytes_of(name)), ok!(bytes_of(value)));
            op(Placed::<Headers>::view_mut(headers).and_then(|h| h.add(name, value)))
        }
    })
}

/// Replaces all headers of this name (case does not count) by one, or adds it.
///
/// Arguments and errors as for aws_http_headers_add_header(); `name` and `value` may lie in the headers
/// that are replaced.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_set(
    headers: *mut aws_http_headers,
    name: aws_byte_cursor,
    value: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (name, value) = (ok!(bytes_of(name)), ok!(bytes_of(value)));
            op(Placed::<Headers>::view_mut(headers).and_then(|h| h.set(name, value)))
        }
    })
}

/// How many headers there are. NULL: 0 with AWS_ERROR_INVALID_ARGUMENT raised. One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_count(headers: *const aws_http_headers) -> usize {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { Placed::<Headers>::view(headers) }).len()
    })
}

/// Reads the header at `index`.
///
/// `out_header`: written only on success; its cursors are valid until that header is changed or erased.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_INDEX or AWS_ERROR_INVALID_ARGUMENT.
/// One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_get_index(
    headers: *const aws_http_headers,
    index: usize,
    out_header: *mut aws_http_header,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (headers, out) =
            unsafe { (ok!(Placed::<Headers>::view(headers)), arg!(mut out_header)) };
        let Some(header) = headers.list.get(index) else { return raise(Code::INVALID_INDEX) };
        *out = header.to_c();
        AWS_OP_SUCCESS
    })
}

/// Reads the value of the first header of this name (case does not count).
///
/// `out_value`: written only on success; valid until that header is changed or erased. Returns
/// AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_HEADER_NOT_FOUND or AWS_ERROR_INVALID_ARGUMENT.
/// One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_get(
    headers: *const aws_http_headers,
    name: aws_byte_cursor,
    out_value: *mut aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (headers, name, out) = unsafe {
            (ok!(Placed::<Headers>::view(headers)), ok!(bytes_of(name)), arg!(mut out_value))
        };
        let found = headers.list.iter().find(|h| h.name().eq_ignore_ascii_case(name));
        let Some(header) = found else { return raise(Code::HTTP_HEADER_NOT_FOUND) };
        *out = header.to_c().value;
        AWS_OP_SUCCESS
    })
}

/// Whether there is a header of this name (case does not count). Where there is none,
/// AWS_ERROR_HTTP_HEADER_NOT_FOUND is raised. One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_has(
    headers: *const aws_http_headers,
    name: aws_byte_cursor,
) -> bool {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (headers, name) =
            unsafe { (ok!(Placed::<Headers>::view(headers)), ok!(bytes_of(name))) };
        match headers.get(name) {
            Some(_) => true,
            None => fail(Code::HTTP_HEADER_NOT_FOUND),
        }
    })
}

/// Erases all headers of this name (case does not count).
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_HEADER_NOT_FOUND or
/// AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_erase(
    headers: *mut aws_http_headers,
    name: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (headers, name) =
            unsafe { (ok!(Placed::<Headers>::view_mut(headers)), ok!(bytes_of(name))) };
        // `name` may lie in a header that goes: those are kept until the search is over.
        let gone = headers.list.extract_if(.., |h| h.name().eq_ignore_ascii_case(name));
        match gone.collect::<Vec<_>>().is_empty() {
            true => raise(Code::HTTP_HEADER_NOT_FOUND),
            false => AWS_OP_SUCCESS,
        }
    })
}

/// Erases the first header with this name (case does not count) and this value (case counts).
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_HEADER_NOT_FOUND or
/// AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_erase_value(
    headers: *mut aws_http_headers,
    name: aws_byte_cursor,
    value: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (headers, name, value) = unsafe {
            (ok!(Placed::<Headers>::view_mut(headers)), ok!(bytes_of(name)), ok!(bytes_of(value)))
        };
        let fits = |h: &Header| h.name().eq_ignore_ascii_case(name) && h.value() == value;
        match headers.list.iter().position(fits) {
            Some(at) => {
                headers.list.remove(at);
                AWS_OP_SUCCESS
            }
            None => raise(Code::HTTP_HEADER_NOT_FOUND),
        }
    })
}

/// Erases all headers. NULL does nothing. One thread at a time may use one `headers`.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_headers_clear(headers: *mut aws_http_headers) {
    ffi_fn!({
        // SAFETY: the caller's promise.
        if let Ok(headers) = unsafe { Placed::<Headers>::view_mut(headers) } {
            headers.list.clear();
        }
    })
}

/// A new HTTP/1.1 request without method, path, headers and body.
///
/// `allocator`: required; outlives the message. Returns a message with one reference, to be given back
/// with aws_http_message_release(); NULL with an error raised: AWS_ERROR_INVALID_ARGUMENT,
/// AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_new_request(
    allocator: *mut aws_allocator,
) -> *mut aws_http_message {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { message_new(allocator, None) })
    })
}

/// A new HTTP/1.1 request with headers that exist already.
///
/// `existing_headers`: required; the message keeps a reference and shares them. Else as
/// aws_http_message_new_request().
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_new_request_with_headers(
    allocator: *mut aws_allocator,
    existing_headers: *mut aws_http_headers,
) -> *mut aws_http_message {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { message_new(allocator, Some(existing_headers)) })
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_acquire(
    message: *mut aws_http_message,
) -> *mut aws_http_message {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe { message_acquire(message) };
        message
    })
}

/// Gives one reference back and returns NULL; the last one frees the message and gives back its
/// references to headers and body stream. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_release(
    message: *mut aws_http_message,
) -> *mut aws_http_message {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { message_release(message) };
        std::ptr::null_mut()
    })
}

/// Sets the method.
///
/// `method`: copied; empty removes it. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
/// AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use one message.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_set_request_method(
    request_message: *mut aws_http_message,
    method: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (message, method) =
                (ok!(Placed::<Message>::view_mut(request_message)), ok!(bytes_of(method)));
            message.method = match method {
                [] => None,
                method => Some(ok!(Bytes::copy(message.allocator, method))),
            };
        }
        AWS_OP_SUCCESS
    })
}

/// Reads the method.
///
/// `out_method`: valid until the method is set again or the message is gone; emptied where there is none.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_DATA_NOT_AVAILABLE (none set) or
/// AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one message.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_get_request_method(
    request_message: *const aws_http_message,
    out_method: *mut aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (message, out) =
            unsafe { (ok!(Placed::<Message>::view(request_message)), arg!(mut out_method)) };
        *out = cursor_of(message.method.as_ref().map_or(&[], Bytes::as_slice));
        match message.method {
            Some(_) => AWS_OP_SUCCESS,
            None => raise(Code::HTTP_DATA_NOT_AVAILABLE),
        }
    })
}

/// Sets the path and query, in the form they are sent.
///
/// `path`: copied; empty removes it. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
/// AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use one message.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_set_request_path(
    request_message: *mut aws_http_message,
    path: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (message, path) =
                (ok!(Placed::<Message>::view_mut(request_message)), ok!(bytes_of(path)));
            message.path = match path {
                [] => None,
                path => Some(ok!(Bytes::copy(message.allocator, path))),
            };
        }
        AWS_OP_SUCCESS
    })
}

/// Reads the path.
///
/// `out_path`: valid until the path is set again or the message is gone; emptied where there is none.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_HTTP_DATA_NOT_AVAILABLE (none set) or
/// AWS_ERROR_INVALID_ARGUMENT. One thread at a time may use one message.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_get_request_path(
    request_message: *const aws_http_message,
    out_path: *mut aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let (message, out) =
            unsafe { (ok!(Placed::<Message>::view(request_message)), arg!(mut out_path)) };
        *out = cursor_of(message.path.as_ref().map_or(&[], Bytes::as_slice));
        match message.path {
            Some(_) => AWS_OP_SUCCESS,
            None => raise(Code::HTTP_DATA_NOT_AVAILABLE),
        }
    })
}

/// Sets the body.
///
/// `body_stream`: the message keeps a reference; NULL removes the body. The stream's own acquire and
/// release are called before this returns. One thread at a time may use one message.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_set_body_stream(
    message: *mut aws_http_message,
    body_stream: *mut aws_input_stream,
) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise. The new stream is acquired first, it may be the old one.
        unsafe {
            if let Ok(message) = Placed::<Message>::view_mut(message) {
                stream::acquire(body_stream);
                stream::release(std::mem::replace(&mut message.body, body_stream));
            }
        }
    })
}

/// The message's headers, shared with it: changing them changes the message.
///
/// Returns a borrowed pointer, valid as long as the message; NULL with AWS_ERROR_INVALID_ARGUMENT.
/// One thread at a time may use one message.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_get_headers(
    message: *const aws_http_message,
) -> *mut aws_http_headers {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { Placed::<Message>::view(message) }).headers
    })
}

/// Adds a header to the message; see aws_http_headers_add_header().
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_message_add_header(
    message: *mut aws_http_message,
    header: aws_http_header,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let (name, value) = (ok!(bytes_of(header.name)), ok!(bytes_of(header.value)));
            op(message_add(message, name, value))
        }
    })
}

/// Makes the stream of one request on a connection; aws_http_stream_activate() starts it.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
/// Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_connection_make_request(
    client_connection: *mut aws_http_connection,
    options: *const aws_http_make_request_options,
) -> *mut aws_http_stream {
    ffi_fn!({
        // SAFETY: the caller's promise.
        let options = unsafe { arg!(options) };
        // SAFETY: as above.
        let is_request = unsafe { message_view(options.request) }.is_ok();
        if client_connection.is_null() || options.self_size == 0 || !is_request {
            return fail(Code::INVALID_ARGUMENT);
        }
        waits!("HTTP connections of callers")
    })
}

/// Starts a stream.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_stream_activate(stream: *mut aws_http_stream) -> c_int {
    ffi_fn!({
        if stream.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        waits!("HTTP connections of callers")
    })
}

/// Gives a reference to a stream back. NULL does nothing.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_stream_release(stream: *mut aws_http_stream) {
    ffi_fn!({
        if !stream.is_null() {
            waits!("HTTP connections of callers")
        }
    })
}

/// Reads a response's status; AWS_ERROR_HTTP_DATA_NOT_AVAILABLE before its head has arrived.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_stream_get_incoming_response_status(
    stream: *const aws_http_stream,
    out_status: *mut c_int,
) -> c_int {
    ffi_fn!({
        if stream.is_null() || out_status.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        waits!("HTTP connections of callers")
    })
}

/// Opens a stream's window by `increment_size` bytes.
///
/// Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so no stream exists.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http_stream_update_window(
    stream: *mut aws_http_stream,
    increment_size: usize,
) {
    ffi_fn!({
        let _ = increment_size;
        if !stream.is_null() {
            waits!("HTTP connections of callers")
        }
    })
}

/// Writes body bytes to an HTTP/2 stream. Refused: connections always speak HTTP/1.1, so there is no
/// such stream. Returns AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT (NULL) or AWS_ERROR_INVALID_STATE.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_http2_stream_write_data(
    http2_stream: *mut aws_http_stream,
    options: *const aws_http2_stream_write_data_options,
) -> c_int {
    ffi_fn!({
        if http2_stream.is_null() || options.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        // Connections always speak HTTP/1.1.
        refused!("HTTP/2 stream writes", Code::INVALID_STATE)
    })
}

#[cfg(test)]
mod tests;
