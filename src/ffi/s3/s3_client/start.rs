//! Options of a transfer, checked as the reference checks them and translated for the engine.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::base::sync::Mutex;

use super::client::{Inner, UPLOAD_PART_BYTES_MIN, view};
use super::meta_request::{Callbacks, Handle, New};
use super::{
    aws_s3_checksum_algorithm, aws_s3_checksum_config, aws_s3_checksum_location, aws_s3_client,
    aws_s3_file_io_options, aws_s3_meta_request, aws_s3_meta_request_options,
    aws_s3_meta_request_type, aws_s3_recv_file_options, resume_token,
};
use crate::base::{Code, Error, Result};
use crate::body::{FileTarget, SinkMode};
use crate::checksum::Algorithm;
use crate::client::{
    ChecksumLocation, ChecksumOptions, Endpoint, Kind, ResumeToken, Sink, Source, TransferOptions,
};
use crate::ctypes::aws_array_list;
use crate::ffi::adapt::observer::CallerObserver;
use crate::ffi::adapt::signing::{is_express, signing};
use crate::ffi::adapt::source::{CallerStream, StreamSlot};
use crate::ffi::common::uri::aws_uri;
use crate::ffi::http::request_response::{MessageView, message_add, message_view};
use crate::ffi::io::async_stream::AsyncStream;
use crate::ffi::io::stream::Stream;
use crate::ffi::place::bytes_of;
use crate::http1::HeaderList;
use crate::log;
use crate::s3msg::Message;

/// What the checks found, before anything is made.
struct Checked<'a> {
    kind: aws_s3_meta_request_type,
    message: MessageView<'a>,
    endpoint: Endpoint,
    content_length: Option<u64>,
    send_file: Option<PathBuf>,
    recv_file: Option<PathBuf>,
}

struct Start<'a> {
    client: *mut aws_s3_client,
    inner: &'a Inner,
    options: &'a aws_s3_meta_request_options,
}

impl Start<'_> {
    fn refuse(&self, code: Code, why: &str) -> Error {
        log!(S3MetaRequest, Error, self.client, "cannot create the meta request: {why}");
        Error::new(code)
    }
    fn invalid(&self, why: &str) -> Error {
        self.refuse(Code::INVALID_ARGUMENT, why)
    }
    fn missing(&self, what: &str) -> Error {
        let client = self.client;
        log!(
            S3MetaRequest,
            Error,
            client,
            "cannot create the meta request: {what}: not implemented"
        );
        Error::new(Code::UNIMPLEMENTED)
    }

    /// # Safety
    /// The options are live, as the interface promises.
    unsafe fn check<'m>(&self) -> Result<Checked<'m>> {
        let o = self.options;
        let kind = o.r#type;
        if kind.0 >= aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_MAX.0 {
            return Err(self.invalid("unknown type"));
        }
        if o.message.is_null() {
            return Err(self.invalid("message is required"));
        }
        // SAFETY: by the contract.
        unsafe {
            if o.signing_config.as_ref().is_some_and(is_express) {
                return Err(match self.inner.express {
                    true => self.missing("S3 Express signing"),
                    false => self.invalid("S3 Express signing without enable_s3express"),
                });
            }
            let endpoint = self.endpoint(message_view(o.message)?)?;
            let message = message_view(o.message)?;
            let content_length = match message.headers.get(b"Content-Length") {
                None => None,
                Some(value) => Some(parse_u64(value).ok_or_else(|| {
                    self.refuse(
                        Code::S3_INVALID_CONTENT_LENGTH_HEADER,
                        "Content-Length is not a number",
                    )
                })?),
            };
            let send_file = path_of(bytes_of(o.send_filepath)?);
            let recv_file = path_of(bytes_of(o.recv_filepath)?);
            let mut checked =
                Checked { kind, message, endpoint, content_length, send_file, recv_file };
            self.check_source(&mut checked)?;
            self.check_callbacks_and_checksums(&checked)?;
            self.check_files(&checked)?;
            Ok(checked)
        }
    }

    /// Where to connect to. A Host header that is missing is added, as the reference does.
    ///
    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn endpoint(&self, message: MessageView<'_>) -> Result<Endpoint> {
        // SAFETY: by the contract.
        let uri = unsafe { self.options.endpoint.as_ref() };
        let host = message.headers.get(b"Host").map(<[u8]>::to_vec);
        let Some(uri) = uri else {
            let Some(host) = host else {
                return Err(self.invalid("neither a Host header nor an endpoint"));
            };
            let (name, port) = split_authority(&host)
                .ok_or_else(|| self.refuse(Code::MALFORMED_INPUT_STRING, "a bad Host header"))?;
            return Ok(self.reach(true, name, port));
        };
        // SAFETY: by the contract.
        let (scheme, authority, name) = unsafe { uri_parts(uri)? };
        let https = match scheme {
            s if s.eq_ignore_ascii_case(b"https") => true,
            s if s.eq_ignore_ascii_case(b"http") => false,
            _ => return Err(self.invalid("the endpoint's scheme is neither http nor https")),
        };
        match host {
            Some(host) if host != authority => {
                return Err(self.invalid("the Host header differs from the endpoint"));
            }
            Some(_) => {}
            // SAFETY: by the contract.
            None => unsafe { message_add(self.options.message, b"Host", authority)? },
        }
        let name = String::from_utf8(name.to_vec())
            .map_err(|_| self.invalid("the endpoint's host is not UTF-8"))?;
        let port = u16::try_from(uri.port).map_err(|_| self.invalid("the endpoint's port"))?;
        Ok(self.reach(https, name, port))
    }

    /// Encryption needs both the scheme and the client's mode.
    fn reach(&self, https: bool, host: String, port: u16) -> Endpoint {
        let tls = https && self.inner.tls;
        let port = match port {
            0 if tls => 443,
            0 => 80,
            port => port,
        };
        Endpoint { tls, host, port }
    }

    /// At most one source of a body, and one that fits the type.
    ///
    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn check_source(&self, c: &mut Checked<'_>) -> Result<()> {
        let o = self.options;
        let put = c.kind == aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT;
        let default = c.kind == aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_DEFAULT;
        let mut sources = usize::from(!c.message.body.is_null());
        if let Some(path) = &c.send_file {
            sources += 1;
            if c.content_length.is_none() {
                c.content_length = Some(file_length(path).inspect_err(|e| {
                    log!(S3MetaRequest, Error, self.client, "{}: {e}", path.display());
                })?);
            }
        }
        if o.send_using_async_writes {
            if !put {
                return Err(self.invalid("send_using_async_writes is for PUT_OBJECT only"));
            }
            if c.content_length.is_some() {
                return Err(self.invalid("send_using_async_writes with a Content-Length"));
            }
            sources += 1;
        }
        sources += usize::from(!o.send_async_stream.is_null());
        if o.request_body.len > 0 && o.request_body.ptr.is_null() {
            return Err(self.invalid("request_body has a length and no bytes"));
        }
        if !o.request_body.ptr.is_null() {
            if !default {
                return Err(self.invalid("request_body is for the default type only"));
            }
            let len = o.request_body.len as u64;
            if *c.content_length.get_or_insert(len) != len {
                return Err(self.refuse(
                    Code::S3_INCORRECT_CONTENT_LENGTH,
                    "request_body and Content-Length differ",
                ));
            }
            sources += 1;
        }
        if sources > 1 {
            return Err(self.invalid("more than one source of the body"));
        }
        if put && sources == 0 {
            return Err(self.invalid("an upload needs a body"));
        }
        if default && o.operation_name.len == 0 {
            return Err(self.invalid("the default type needs an operation name"));
        }
        if c.message.method.is_empty() {
            return Err(self.invalid("the message has no method"));
        }
        if put && !o.resume_token.is_null() && c.content_length.is_none() {
            return Err(self.invalid("resuming needs a Content-Length"));
        }
        Ok(())
    }

    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn check_callbacks_and_checksums(&self, c: &Checked<'_>) -> Result<()> {
        let o = self.options;
        if o.part_size == u64::MAX {
            return Err(self.invalid("the part size"));
        }
        if o.body_callback.is_some() && o.body_callback_ex.is_some() {
            return Err(self.invalid("both body_callback and body_callback_ex are set"));
        }
        // SAFETY: by the contract.
        let Some(checksum) = (unsafe { o.checksum_config.as_ref() }) else { return Ok(()) };
        let streams = self.file_io().is_some_and(|f| f.should_stream);
        if streams && checksum.location == aws_s3_checksum_location::AWS_SCL_HEADER {
            return Err(self.invalid("a checksum header with should_stream"));
        }
        if checksum.location == aws_s3_checksum_location::AWS_SCL_TRAILER {
            let encoding = c.message.headers.get(b"Content-Encoding").unwrap_or_default();
            if encoding.windows(11).any(|w| w == b"aws-chunked") {
                return Err(self.invalid("the message is aws-chunked already"));
            }
        }
        if checksum.location != aws_s3_checksum_location::AWS_SCL_NONE
            && checksum.checksum_algorithm == aws_s3_checksum_algorithm::AWS_SCA_NONE
        {
            return Err(self.invalid("a checksum location without an algorithm"));
        }
        let mut known = 0;
        let mut any = false;
        for (name, _) in c.message.headers.iter() {
            if is_checksum_value(name) {
                any = true;
                known += usize::from(Algorithm::from_header(name).is_some());
            }
        }
        if known > 1 {
            return Err(self.invalid("several checksum headers"));
        }
        if any && checksum.full_object_checksum_callback.is_some() {
            return Err(self.invalid("a checksum header and a checksum callback"));
        }
        Ok(())
    }

    fn check_files(&self, c: &Checked<'_>) -> Result<()> {
        let Some(path) = &c.recv_file else { return Ok(()) };
        use aws_s3_recv_file_options as Mode;
        match self.options.recv_file_option {
            Mode::AWS_S3_RECV_FILE_CREATE_NEW if path.exists() => {
                Err(self
                    .refuse(Code::S3_RECV_FILE_ALREADY_EXISTS, "the file to receive into exists"))
            }
            Mode::AWS_S3_RECV_FILE_WRITE_TO_POSITION if !path.exists() => {
                Err(self.refuse(Code::S3_RECV_FILE_NOT_FOUND, "no file to receive into"))
            }
            mode if mode.0 > Mode::AWS_S3_RECV_FILE_WRITE_TO_POSITION.0 => {
                Err(self.invalid("unknown recv_file_option"))
            }
            _ => Ok(()),
        }
    }

    /// File options of the transfer, else of the client.
    fn file_io(&self) -> Option<aws_s3_file_io_options> {
        // SAFETY: options of the caller, live during the call.
        unsafe { self.options.fio_opts.as_ref() }.copied().or(self.inner.file_io)
    }

    /// The upload to go on with; its part size must fit the body's length.
    ///
    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn resume(&self, c: &Checked<'_>) -> Result<Option<ResumeToken>> {
        // SAFETY: by the contract.
        let Some(token) = (unsafe { resume_token::upload(self.options.resume_token) }) else {
            return Ok(None);
        };
        let token = token.map_err(|_| self.invalid("the resume token is not an upload's"))?;
        if token.part_size < UPLOAD_PART_BYTES_MIN {
            return Err(self.invalid("the resume token's part size"));
        }
        let len = c.content_length.unwrap_or(0);
        if len.div_ceil(token.part_size) != token.parts_total {
            return Err(self.invalid("the resume token does not fit the body's length"));
        }
        Ok(Some(token))
    }

    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn source(&self, c: &Checked<'_>) -> Result<(Source, Option<StreamSlot>)> {
        let o = self.options;
        if let Some(path) = &c.send_file {
            return Ok((Source::File(path.clone()), None));
        }
        if !c.message.body.is_null() {
            // SAFETY: by the contract.
            let stream = unsafe { Stream::share(c.message.body)? };
            let slot: StreamSlot = Arc::new(Mutex::new(Some(stream)));
            return Ok((Source::Stream(Box::new(CallerStream(slot.clone()))), Some(slot)));
        }
        if o.send_using_async_writes {
            return Ok((Source::Writes(Arc::default()), None));
        }
        if !o.send_async_stream.is_null() {
            // SAFETY: by the contract.
            let stream = unsafe { AsyncStream::share(o.send_async_stream)? };
            return Ok((Source::Async(Box::new(stream)), None));
        }
        if !o.request_body.ptr.is_null() {
            // SAFETY: the caller keeps the bytes until the shutdown callback.
            let bytes = unsafe { bytes_of(o.request_body)? };
            let memory = crate::ffi::adapt::source::CallerBytes::new(bytes);
            return Ok((Source::Stream(Box::new(memory)), None));
        }
        Ok((Source::None, None))
    }

    fn sink(&self, c: &Checked<'_>) -> Sink {
        let Some(path) = &c.recv_file else { return Sink::Observer };
        let o = self.options;
        Sink::File(FileTarget {
            path: path.clone(),
            mode: match o.recv_file_option.0 {
                1 => SinkMode::CreateNew,
                2 => SinkMode::CreateOrAppend,
                3 => SinkMode::WriteToPosition,
                _ => SinkMode::CreateOrReplace,
            },
            position: o.recv_file_position,
            delete_on_failure: o.recv_file_delete_on_failure,
            direct_io: self.file_io().is_some_and(|f| f.direct_io),
        })
    }

    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn checksum(&self) -> Result<ChecksumOptions> {
        // SAFETY: by the contract.
        let Some(c) = (unsafe { self.options.checksum_config.as_ref() }) else {
            return Ok(ChecksumOptions::default());
        };
        if c.full_object_checksum_callback.is_some() {
            return Err(self.missing("full_object_checksum_callback"));
        }
        // SAFETY: by the contract.
        let accepted = unsafe { algorithms(c)? };
        Ok(ChecksumOptions {
            location: match c.location {
                aws_s3_checksum_location::AWS_SCL_HEADER => ChecksumLocation::Header,
                aws_s3_checksum_location::AWS_SCL_TRAILER => ChecksumLocation::Trailer,
                _ => ChecksumLocation::None,
            },
            algorithm: Algorithm::from_number(c.checksum_algorithm.0),
            validate_response: c.validate_response_checksum,
            validate_algorithms: accepted,
            full_object: None,
        })
    }

    /// Part size and threshold of the transfer; `None` where the client's apply.
    fn sizes(&self, c: &Checked<'_>, resume: Option<&ResumeToken>) -> Result<Sizes> {
        let o = self.options;
        let asked = (o.part_size != 0).then_some(o.part_size);
        if c.kind != aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT {
            let asked = if o.force_dynamic_part_size { None } else { asked };
            return Ok(Sizes { part: asked, threshold: None });
        }
        let mut part = asked.unwrap_or(self.inner.part_size);
        if part < UPLOAD_PART_BYTES_MIN {
            log!(S3MetaRequest, Warn, self.client, "part size {part} is below 5 MiB: 5 MiB it is");
            part = UPLOAD_PART_BYTES_MIN;
        }
        if let Some(token) = resume {
            part = token.part_size;
        }
        let threshold = match (o.multipart_upload_threshold, asked) {
            (0, None) => self.inner.multipart_threshold,
            (0, Some(_)) => part,
            (bytes, _) => bytes,
        };
        let whole = c.content_length.is_some_and(|len| len <= threshold);
        let most = self.inner.part_size_max.max(UPLOAD_PART_BYTES_MIN);
        let streams = self.file_io().is_some_and(|f| f.should_stream) && c.send_file.is_some();
        if part > most && !whole && !streams {
            return Err(self.refuse(
                Code::S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT,
                "the part size is above the largest part size",
            ));
        }
        // The engine's threshold is the first size that is split, C's the last that is not.
        Ok(Sizes { part: Some(part), threshold: Some(threshold.saturating_add(1)) })
    }

    /// # Safety
    /// As for [`check`](Self::check).
    unsafe fn run(&self) -> Result<*mut aws_s3_meta_request> {
        let o = self.options;
        // SAFETY: by the contract.
        unsafe {
            let c = self.check()?;
            let resume = self.resume(&c)?;
            let sizes = self.sizes(&c, resume.as_ref())?;
            let checksum = self.checksum()?;
            let message = translate(&c)?;
            if c.kind == aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_COPY_OBJECT
                && o.copy_source_uri.len > 0
            {
                return Err(self.missing("copy_source_uri"));
            }
            let own_signing = match o.signing_config.as_ref() {
                Some(config) => {
                    let (region, client) = (&self.inner.region, &self.inner.signing);
                    Some(signing(config, region, Some(client), self.client.addr())?)
                }
                None => None,
            };
            let operation = match c.kind {
                aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_DEFAULT => {
                    Some(String::from_utf8_lossy(bytes_of(o.operation_name)?).into_owned())
                }
                _ => None,
            };
            let (source, stream) = self.source(&c)?;
            let sink = self.sink(&c);
            let file_io = self.file_io();
            let (client_handle, _) = view(self.client).ok_or(Error::new(Code::INVALID_ARGUMENT))?;
            let handle = Handle::create(New {
                allocator: client_handle.allocator,
                client: self.client,
                kind: c.kind,
                callbacks: Callbacks {
                    user_data: o.user_data,
                    headers: o.headers_callback,
                    body: if c.recv_file.is_some() { None } else { o.body_callback },
                    body_ex: if c.recv_file.is_some() { None } else { o.body_callback_ex },
                    finish: o.finish_callback,
                    shutdown: o.shutdown_callback,
                    progress: o.progress_callback,
                    telemetry: o.telemetry_callback,
                    review: o.upload_review_callback,
                    on_error_token: o.on_error_resume_token,
                },
                connections_max: o.max_active_connections_override,
                file_io,
                writes: o.send_using_async_writes,
                stream,
            })?;
            let transfer = TransferOptions {
                log_id: handle.as_ptr().expose_provenance(),
                kind: match c.kind.0 {
                    1 => Kind::Get,
                    2 => Kind::Put,
                    3 => Kind::Copy,
                    _ => Kind::Default,
                },
                operation_name: operation,
                message,
                endpoint: c.endpoint,
                source,
                sink,
                signing: own_signing,
                checksum,
                part_size: sizes.part,
                force_part_size: o.part_size != 0 && !o.force_dynamic_part_size,
                multipart_threshold: sizes.threshold,
                object_size_hint: o.object_size_hint.as_ref().copied(),
                resume,
                file_stream: file_io.is_some_and(|f| f.should_stream),
                file_direct: file_io.is_some_and(|f| f.direct_io),
                connections_max: o.max_active_connections_override,
            };
            self.begin(handle, transfer)
        }
    }

    /// # Safety
    /// The handle is fresh.
    unsafe fn begin(
        &self,
        handle: NonNull<Handle>,
        transfer: TransferOptions,
    ) -> Result<*mut aws_s3_meta_request> {
        let observer = Arc::new(CallerObserver(handle.as_ptr()));
        let begun = self.inner.engine().and_then(|engine| engine.start(transfer, observer));
        match begun {
            Ok(engine) => {
                // SAFETY: the engine waits with its last call until this is stored.
                unsafe { handle.as_ref() }.set_engine(engine);
                Ok(handle.as_ptr().cast())
            }
            Err(e) => {
                log!(S3MetaRequest, Error, self.client, "cannot start the meta request: {e}");
                // SAFETY: no transfer was started, so nobody else has the handle.
                unsafe { Handle::discard(handle) };
                Err(e)
            }
        }
    }
}

struct Sizes {
    part: Option<u64>,
    threshold: Option<u64>,
}

fn parse_u64(text: &[u8]) -> Option<u64> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
    (!bytes.is_empty()).then(|| path.to_owned())
}

/// Length of a file to upload, with the reference's codes for what can be wrong.
fn file_length(path: &Path) -> Result<u64> {
    let failed = |e: std::io::Error| {
        let errno = e.raw_os_error().unwrap_or(0);
        let code = match errno {
            libc::ENOENT | libc::ENOTDIR | libc::EISDIR | libc::ENAMETOOLONG => {
                Code::FILE_INVALID_PATH
            }
            libc::EACCES | libc::EPERM => Code::NO_PERMISSION,
            libc::EMFILE | libc::ENFILE => Code::MAX_FDS_EXCEEDED,
            libc::ENOMEM => Code::OOM,
            _ => Code::FILE_OPEN_FAILURE,
        };
        Error::os(code, "open", errno)
    };
    let file = std::fs::File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    Ok(about.len())
}

/// Host and port of a Host header; 0 where it names none.
fn split_authority(authority: &[u8]) -> Option<(String, u16)> {
    let text = std::str::from_utf8(authority).ok()?.trim();
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']')?;
            (host, after.strip_prefix(':'))
        }
        None => match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    if host.is_empty() {
        return None;
    }
    let port = match port {
        Some(port) => port.parse().ok()?,
        None => 0,
    };
    Some((host.to_owned(), port))
}

/// # Safety
/// The URI is live and its cursors too.
unsafe fn uri_parts<'a>(uri: &aws_uri) -> Result<(&'a [u8], &'a [u8], &'a [u8])> {
    // SAFETY: by the contract.
    unsafe { Ok((bytes_of(uri.scheme)?, bytes_of(uri.authority)?, bytes_of(uri.host_name)?)) }
}

/// Whether a header holds a checksum's value: `x-amz-checksum-` and the name of an algorithm.
fn is_checksum_value(name: &[u8]) -> bool {
    const PREFIX: &[u8] = b"x-amz-checksum-";
    let Some((head, rest)) = name.split_at_checked(PREFIX.len()) else { return false };
    head.eq_ignore_ascii_case(PREFIX)
        && ![&b"algorithm"[..], b"type", b"mode"].iter().any(|n| rest.eq_ignore_ascii_case(n))
}

/// Algorithms a caller accepts in responses; empty = all.
///
/// # Safety
/// The list is NULL or live.
unsafe fn algorithms(c: &aws_s3_checksum_config) -> Result<Vec<Algorithm>> {
    // SAFETY: by the contract.
    let list: Option<&aws_array_list> = unsafe { c.validate_checksum_algorithms.as_ref() };
    let Some(list) = list.filter(|l| l.length > 0) else { return Ok(Vec::new()) };
    if list.item_size != size_of::<u32>() || list.data.is_null() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: the list holds as many enums as it says.
    let numbers = unsafe { std::slice::from_raw_parts(list.data.cast::<u32>(), list.length) };
    Ok(numbers.iter().filter_map(|&n| Algorithm::from_number(n)).collect())
}

/// The message for the engine, copied. A body whose length was found out gets its Content-Length.
fn translate(c: &Checked<'_>) -> Result<Message> {
    let text = |bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| Error::new(Code::INVALID_ARGUMENT))
    };
    let method = text(c.message.method)?;
    let target = text(if c.message.path.is_empty() { b"/" } else { c.message.path })?;
    let mut headers = HeaderList::new();
    for (name, value) in c.message.headers.iter() {
        headers.push(name, value);
    }
    if let (Some(len), None) = (c.content_length, headers.get("Content-Length")) {
        headers.push(b"Content-Length", len.to_string().as_bytes());
    }
    Ok(Message { method: method.into(), target, headers })
}

/// Starts a transfer of a client.
///
/// # Safety
/// `client` is NULL or live, and so is what the options point to.
pub(crate) unsafe fn make(
    client: *mut aws_s3_client,
    options: &aws_s3_meta_request_options,
) -> Result<*mut aws_s3_meta_request> {
    // SAFETY: by the contract.
    unsafe {
        let (_, inner) = view(client).ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        let made = Start { client, inner, options }.run();
        super::client::refresh_figures(client);
        made
    }
}

/// Starts a transfer.
///
/// `options`: required, read during the call; what it names is copied or acquired, but for
/// `request_body`. Returns a meta request with one reference. Callbacks may come before this
/// returns. NULL with an error raised where the options do not fit together or name files that
/// cannot be used: AWS_ERROR_INVALID_ARGUMENT and the errors named with the options; no callback
/// comes then. A message without Host header gets the endpoint's. Any thread.
///
/// # Safety
/// Both are NULL or live, and so is what the options point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_client_make_meta_request(
    client: *mut aws_s3_client,
    options: *const aws_s3_meta_request_options,
) -> *mut aws_s3_meta_request {
    ffi_fn!({
        // SAFETY: by the contract.
        let options = unsafe { arg!(options) };
        // SAFETY: by the contract.
        ok!(unsafe { make(client, options) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authority_is_split_into_host_and_port() {
        let split = |t: &str| split_authority(t.as_bytes());
        assert_eq!(split("b.s3.amazonaws.com"), Some(("b.s3.amazonaws.com".into(), 0)));
        assert_eq!(split("localhost:9000"), Some(("localhost".into(), 9000)));
        assert_eq!(split("[::1]:80"), Some(("::1".into(), 80)));
        assert_eq!(split("[::1]"), Some(("::1".into(), 0)));
        for bad in ["", ":80", "h:x", "h:70000", "[::1"] {
            assert_eq!(split(bad), None, "{bad}");
        }
    }

    #[test]
    fn checksum_headers_are_told_from_their_settings() {
        assert!(is_checksum_value(b"x-amz-checksum-crc32"));
        assert!(is_checksum_value(b"X-Amz-Checksum-New9"));
        assert!(!is_checksum_value(b"x-amz-checksum-algorithm"));
        assert!(!is_checksum_value(b"x-amz-checksum-type"));
        assert!(!is_checksum_value(b"x-amz-meta-a"));
    }

    #[test]
    fn file_that_is_not_there_is_an_invalid_path() {
        let e = file_length(Path::new("/nowhere/at/all")).expect_err("no such file");
        assert_eq!(e.code, Code::FILE_INVALID_PATH);
    }

    #[test]
    fn content_length_is_digits_only() {
        assert_eq!(parse_u64(b"12"), Some(12));
        for bad in [&b""[..], b"+1", b"-1", b"1 ", b"99999999999999999999999"] {
            assert_eq!(parse_u64(bad), None);
        }
    }
}
