//! Header `aws/io/stream.h`: sources of bytes, ours and the caller's.
//!
//! A stream is its vtable: whoever made it, it is only ever called through that table. [`Stream`] is
//! the Rust side's way to do so: it holds a reference, hands out a buffer that the implementation
//! cannot harm unnoticed, and turns the last error into a value. Reading may block, so no stream is
//! read on an event loop.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{NonNull, null_mut};

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_atomic_var, aws_byte_buf, aws_byte_cursor, aws_ref_count};
use crate::ffi::place::{bytes_of, enum_value, ref_acquire, ref_release};
use crate::ffi::raise::{AWS_OP_SUCCESS, last_error_or, op, raise, raise_error, raise_null};
use crate::log;
use crate::sys::{File, FileKind, FileMode};

/// What a seek offset counts from: the begin, or (with offsets of 0 or less) the end.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_stream_seek_basis {
    AWS_SSB_BEGIN = 0,
    AWS_SSB_END = 2,
}

/// State of an input stream.
#[repr(C)]
pub struct aws_stream_status {
    /// No further byte will come.
    pub is_end_of_stream: bool,
    /// The stream still works.
    pub is_valid: bool,
}

/// What an input stream does. Callers implement it; the library calls one member at a time for one
/// stream, never from an event-loop thread.
#[repr(C)]
pub struct aws_input_stream_vtable {
    /// Moves the position. AWS_IO_STREAM_INVALID_SEEK_POSITION outside the stream,
    /// AWS_IO_STREAM_SEEK_UNSUPPORTED where there is no seeking.
    pub seek: Option<
        unsafe extern "C" fn(
            stream: *mut aws_input_stream,
            offset: i64,
            basis: MaybeUninit<aws_stream_seek_basis>,
        ) -> c_int,
    >,
    /// Appends at least one byte to `dest`, up to its capacity, or none when none is there now. Must not
    /// grow `dest`. May block.
    pub read: Option<
        unsafe extern "C" fn(stream: *mut aws_input_stream, dest: *mut aws_byte_buf) -> c_int,
    >,
    /// Tells whether the end is reached.
    pub get_status: Option<
        unsafe extern "C" fn(
            stream: *mut aws_input_stream,
            status: *mut aws_stream_status,
        ) -> c_int,
    >,
    /// The whole length in bytes, whatever the position;
    /// AWS_IO_STREAM_GET_LENGTH_UNSUPPORTED where it is not known.
    pub get_length:
        Option<unsafe extern "C" fn(stream: *mut aws_input_stream, out_length: *mut i64) -> c_int>,
    /// Optional. NULL: `ref_count` counts.
    pub acquire: Option<unsafe extern "C" fn(stream: *mut aws_input_stream)>,
    /// Optional. NULL: `ref_count` counts.
    pub release: Option<unsafe extern "C" fn(stream: *mut aws_input_stream)>,
}

/// A source of bytes. Callers implement it by filling in `vtable` and either `ref_count` or the
/// vtable's acquire and release.
#[repr(C)]
pub struct aws_input_stream {
    /// The implementation's own state.
    pub r#impl: *mut c_void,
    pub vtable: *const aws_input_stream_vtable,
    /// Counts references where the vtable does not.
    pub ref_count: aws_ref_count,
}

/// What an `aws_input_stream` of ours stands at the head of.
#[repr(C)]
struct Own {
    base: aws_input_stream,
    allocator: *mut aws_allocator,
    kind: Kind,
}

enum Kind {
    /// Borrowed bytes of the caller.
    Cursor {
        all: aws_byte_cursor,
        at: usize,
    },
    File {
        file: File,
        at: u64,
        end_seen: bool,
        failed: bool,
        seekable: bool,
    },
}

static OWN_VTABLE: aws_input_stream_vtable = aws_input_stream_vtable {
    seek: Some(own_seek),
    read: Some(own_read),
    get_status: Some(own_status),
    get_length: Some(own_length),
    acquire: None,
    release: None,
};

unsafe fn own_new(allocator: *mut aws_allocator, kind: Kind) -> Result<*mut aws_input_stream> {
    // SAFETY: the allocator is NULL or live; the block is fresh and large enough.
    unsafe {
        let made: NonNull<Own> = aws_allocator::acquire(allocator, size_of::<Own>())?.cast();
        let object = made.as_ptr().cast();
        let ref_count =
            aws_ref_count { ref_count: aws_atomic_var::new(1), object, on_zero_fn: Some(own_end) };
        let base = aws_input_stream { r#impl: object, vtable: &OWN_VTABLE, ref_count };
        made.write(Own { base, allocator, kind });
        Ok(made.as_ptr().cast())
    }
}

unsafe extern "C" fn own_end(object: *mut c_void) {
    let own: *mut Own = object.cast();
    // SAFETY: called once, with what `own_new` made; the value moves out before its block goes.
    unsafe {
        let value = own.read();
        aws_allocator::release(value.allocator, object);
    }
}

/// # Safety
/// `stream` was made by `own_new` and is used by nobody else now.
unsafe fn own<'a>(stream: *mut aws_input_stream) -> &'a mut Kind {
    // SAFETY: by the contract.
    unsafe { &mut (*stream.cast::<Own>()).kind }
}

/// The vtable takes the basis as a number, so that a value outside the enum is an error and not
/// undefined behaviour.
unsafe extern "C" fn own_seek(
    stream: *mut aws_input_stream,
    offset: i64,
    basis: MaybeUninit<aws_stream_seek_basis>,
) -> c_int {
    // SAFETY: only in the vtable of our streams.
    op(unsafe { own(stream) }.seek(offset, enum_value(basis)))
}

unsafe extern "C" fn own_read(stream: *mut aws_input_stream, dest: *mut aws_byte_buf) -> c_int {
    // SAFETY: only in the vtable of our streams; `dest` is the caller's buffer with free room.
    unsafe {
        let dest = &mut *dest;
        let room = dest.capacity.saturating_sub(dest.len);
        if room == 0 {
            return AWS_OP_SUCCESS;
        }
        let into = std::slice::from_raw_parts_mut(dest.buffer.add(dest.len), room);
        match own(stream).read(into) {
            Ok(n) => {
                dest.len += n;
                AWS_OP_SUCCESS
            }
            Err(error) => raise_error(error),
        }
    }
}

unsafe extern "C" fn own_status(
    stream: *mut aws_input_stream,
    status: *mut aws_stream_status,
) -> c_int {
    // SAFETY: only in the vtable of our streams; the caller checked `status`.
    unsafe {
        let (is_end_of_stream, is_valid) = match own(stream) {
            Kind::Cursor { all, at } => (*at == all.len, true),
            Kind::File { end_seen, failed, .. } => (*end_seen, !*failed),
        };
        *status = aws_stream_status { is_end_of_stream, is_valid };
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_length(stream: *mut aws_input_stream, out_length: *mut i64) -> c_int {
    // SAFETY: only in the vtable of our streams; the caller checked `out_length`.
    unsafe {
        match own(stream).length() {
            Ok(length) => {
                *out_length = length;
                AWS_OP_SUCCESS
            }
            Err(error) => raise_error(error),
        }
    }
}

impl Kind {
    fn length(&self) -> Result<i64> {
        let length = match self {
            Kind::Cursor { all, .. } => all.len as u64,
            Kind::File { file, .. } => file.fstat()?.size,
        };
        i64::try_from(length).map_err(|_| Error::new(Code::OVERFLOW_DETECTED))
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        match self {
            Kind::Cursor { all, at } => {
                // SAFETY: the caller of `new_from_cursor` keeps the bytes readable.
                let all = unsafe { bytes_of(*all)? };
                let n = into.len().min(all.len() - *at);
                into[..n].copy_from_slice(&all[*at..*at + n]);
                *at += n;
                Ok(n)
            }
            Kind::File { file, at, end_seen, failed, seekable } => {
                let mut done = 0;
                // As much as fits, as fread does: a short answer means the end of the file.
                while done < into.len() {
                    let rest = &mut into[done..];
                    let n = if *seekable { file.pread(rest, *at) } else { file.read(rest) };
                    match n {
                        Ok(0) => {
                            *end_seen = true;
                            break;
                        }
                        Ok(n) => {
                            done += n;
                            *at += n as u64;
                        }
                        Err(error) => {
                            *failed = true;
                            if done == 0 {
                                return Err(Error { code: Code::IO_STREAM_READ_FAILED, ..error });
                            }
                            break;
                        }
                    }
                }
                Ok(done)
            }
        }
    }

    fn seek(&mut self, offset: i64, basis: i32) -> Result<()> {
        let from_end = match basis {
            b if b == aws_stream_seek_basis::AWS_SSB_BEGIN as i32 => false,
            b if b == aws_stream_seek_basis::AWS_SSB_END as i32 => true,
            _ => return Err(Error::new(Code::INVALID_ARGUMENT)),
        };
        let invalid = Error::new(Code::IO_STREAM_INVALID_SEEK_POSITION);
        let target = |length: i64| {
            let base = if from_end { length } else { 0 };
            base.checked_add(offset).and_then(|t| u64::try_from(t).ok()).ok_or(invalid)
        };
        match self {
            Kind::Cursor { all, at } => {
                let length = i64::try_from(all.len).map_err(|_| invalid)?;
                match target(length)? {
                    t if t <= length as u64 => *at = t as usize,
                    _ => return Err(invalid),
                }
            }
            Kind::File { seekable: false, .. } => return Err(Error::new(Code::STREAM_UNSEEKABLE)),
            // Past the end of a file is a position, as for fseek.
            Kind::File { .. } => {
                let length = if from_end { self.length()? } else { 0 };
                let target = target(length)?;
                if let Kind::File { at, end_seen, .. } = self {
                    *at = target;
                    *end_seen = false;
                }
            }
        }
        Ok(())
    }
}

/// One more reference, by the stream's own acquire where it has one. NULL does nothing.
///
/// # Safety
/// `stream` is NULL or live.
pub unsafe fn acquire(stream: *mut aws_input_stream) {
    // SAFETY: by the contract.
    unsafe {
        let Some(table) = stream.as_ref().and_then(|s| s.vtable.as_ref()) else { return };
        match table.acquire {
            Some(acquire) => acquire(stream),
            None => ref_acquire(&raw const (*stream).ref_count),
        }
    }
}

/// One reference less, by the stream's own release where it has one. NULL does nothing.
///
/// # Safety
/// `stream` is NULL or live; the caller gives its reference up.
pub unsafe fn release(stream: *mut aws_input_stream) {
    // SAFETY: by the contract.
    unsafe {
        let Some(table) = stream.as_ref().and_then(|s| s.vtable.as_ref()) else { return };
        match table.release {
            Some(release) => release(stream),
            None => ref_release(&raw const (*stream).ref_count),
        }
    }
}

/// # Safety
/// `stream` is NULL or live.
unsafe fn table<'a>(stream: *mut aws_input_stream) -> Result<&'a aws_input_stream_vtable> {
    // SAFETY: by the contract.
    unsafe { stream.as_ref().and_then(|s| s.vtable.as_ref()) }
        .ok_or(Error::new(Code::INVALID_ARGUMENT))
}

/// Reads at most `room` bytes to `into`. An implementation that answers with another buffer, or with
/// more bytes than there was room for, has failed.
///
/// # Safety
/// `stream` is NULL or live, and `room` bytes from `into` on are writable.
unsafe fn read_into(stream: *mut aws_input_stream, into: *mut u8, room: usize) -> Result<usize> {
    // SAFETY: by the contract.
    let read = unsafe { table(stream)? }.read.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
    let mut lent = aws_byte_buf { len: 0, buffer: into, capacity: room, allocator: null_mut() };
    // SAFETY: the stream's own function; the buffer is live and cannot be grown without allocator.
    if unsafe { read(stream, &mut lent) } != AWS_OP_SUCCESS {
        return Err(last_error_or(Code::IO_STREAM_READ_FAILED));
    }
    if lent.buffer != into || lent.capacity != room || lent.len > room {
        log!(
            IoGeneral,
            Error,
            stream.addr(),
            "an input stream's read changed the buffer it was lent"
        );
        return Err(Error::new(Code::IO_STREAM_READ_FAILED));
    }
    Ok(lent.len)
}

/// A reference to somebody's input stream, read by one thread at a time.
pub struct Stream(NonNull<aws_input_stream>);

// SAFETY: the interface promises that a stream may be used on any thread, by one at a time; a
// `Stream` has no shared use, and taking it needs `&mut` everywhere.
unsafe impl Send for Stream {}

impl Stream {
    /// Takes a reference of its own; NULL and streams without a vtable are
    /// AWS_ERROR_INVALID_ARGUMENT.
    ///
    /// # Safety
    /// `stream` is NULL or live.
    pub unsafe fn share(stream: *mut aws_input_stream) -> Result<Stream> {
        // SAFETY: by the contract.
        unsafe {
            table(stream)?;
            acquire(stream);
        }
        NonNull::new(stream).map(Stream).ok_or(Error::new(Code::INVALID_ARGUMENT))
    }

    pub fn as_ptr(&self) -> *mut aws_input_stream {
        self.0.as_ptr()
    }

    /// Up to `into.len()` bytes; 0 is the end only when [`at_end`](Self::at_end) says so. May block.
    pub fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        // SAFETY: we hold a reference, and the slice is writable.
        unsafe { read_into(self.0.as_ptr(), into.as_mut_ptr(), into.len()) }
    }

    /// Moves to `position` bytes after the begin. May block.
    pub fn seek(&mut self, position: u64) -> Result<()> {
        let offset = i64::try_from(position)
            .map_err(|_| Error::new(Code::IO_STREAM_INVALID_SEEK_POSITION))?;
        // SAFETY: we hold a reference; the function is the stream's own.
        unsafe {
            let seek =
                table(self.as_ptr())?.seek.ok_or(Error::new(Code::IO_STREAM_SEEK_UNSUPPORTED))?;
            let basis = MaybeUninit::new(aws_stream_seek_basis::AWS_SSB_BEGIN);
            match seek(self.as_ptr(), offset, basis) {
                AWS_OP_SUCCESS => Ok(()),
                _ => Err(last_error_or(Code::IO_STREAM_SEEK_FAILED)),
            }
        }
    }

    /// The whole length in bytes.
    pub fn length(&mut self) -> Result<u64> {
        let unsupported = Error::new(Code::IO_STREAM_GET_LENGTH_UNSUPPORTED);
        let mut length = 0;
        // SAFETY: we hold a reference; the function is the stream's own, `length` is writable.
        unsafe {
            let get = table(self.as_ptr())?.get_length.ok_or(unsupported)?;
            if get(self.as_ptr(), &mut length) != AWS_OP_SUCCESS {
                return Err(last_error_or(Code::IO_STREAM_GET_LENGTH_FAILED));
            }
        }
        u64::try_from(length).map_err(|_| Error::new(Code::IO_STREAM_GET_LENGTH_FAILED))
    }

    /// Whether no further byte will come; a stream that has become invalid is an error.
    pub fn at_end(&mut self) -> Result<bool> {
        let mut status = aws_stream_status { is_end_of_stream: false, is_valid: true };
        // SAFETY: we hold a reference; the function is the stream's own, `status` is writable.
        unsafe {
            let get = table(self.as_ptr())?.get_status.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
            if get(self.as_ptr(), &mut status) != AWS_OP_SUCCESS {
                return Err(last_error_or(Code::IO_STREAM_READ_FAILED));
            }
        }
        match status.is_valid {
            true => Ok(status.is_end_of_stream),
            false => Err(Error::new(Code::IO_STREAM_READ_FAILED)),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the reference taken by `share`.
        unsafe { release(self.0.as_ptr()) };
    }
}

/// A stream over bytes in memory.
///
/// `allocator`: required. `cursor`: the struct is copied, its bytes are borrowed and must live until the
/// stream's last reference is gone. Returns a stream with one reference, to be given back with
/// aws_input_stream_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live; the cursor's bytes are readable for the stream's life.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_new_from_cursor(
    allocator: *mut aws_allocator,
    cursor: *const aws_byte_cursor,
) -> *mut aws_input_stream {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let cursor = arg!(cursor);
            ok!(bytes_of(*cursor));
            ok!(own_new(allocator, Kind::Cursor { all: *cursor, at: 0 }))
        }
    })
}

/// A stream over a file, which is opened now and closed with the last reference.
///
/// `allocator`: required. `file_name`: required, ended by a NUL. Returns a stream with one reference;
/// NULL with the error of opening (AWS_ERROR_FILE_INVALID_PATH, AWS_ERROR_NO_PERMISSION, ..),
/// AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread; may wait for the disk.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_new_from_file(
    allocator: *mut aws_allocator,
    file_name: *const c_char,
) -> *mut aws_input_stream {
    ffi_fn!({
        if allocator.is_null() || file_name.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        // SAFETY: the caller's promise.
        unsafe {
            let name = CStr::from_ptr(file_name).to_bytes();
            let file = ok!(File::open(Path::new(OsStr::from_bytes(name)), FileMode::Read));
            let seekable = ok!(file.fstat()).kind == FileKind::Regular;
            let kind = Kind::File { file, at: 0, end_seen: false, failed: false, seekable };
            ok!(own_new(allocator, kind))
        }
    })
}

/// Takes one more reference and returns its argument. NULL is allowed. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_acquire(
    stream: *mut aws_input_stream,
) -> *mut aws_input_stream {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { acquire(stream) };
        stream
    })
}

/// Gives one reference back and returns NULL; the last one ends the stream. NULL is allowed. Any
/// thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_release(
    stream: *mut aws_input_stream,
) -> *mut aws_input_stream {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { release(stream) };
        null_mut()
    })
}

/// Moves to `offset` bytes from the begin, or (offset 0 or less) from the end.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_IO_STREAM_INVALID_SEEK_POSITION,
/// AWS_IO_STREAM_SEEK_UNSUPPORTED, AWS_ERROR_INVALID_ARGUMENT or the implementation's error. One thread
/// at a time may use one stream; may block.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_seek(
    stream: *mut aws_input_stream,
    offset: i64,
    basis: MaybeUninit<aws_stream_seek_basis>,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            match ok!(table(stream)).seek {
                Some(seek) => seek(stream, offset, basis),
                None => raise(Code::IO_STREAM_SEEK_UNSUPPORTED),
            }
        }
    })
}

/// Reads bytes behind those in `dest`, up to its capacity; it is never grown.
///
/// Nothing read is the end of the stream only if aws_input_stream_get_status() says so. A full `dest` is
/// success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_IO_STREAM_READ_FAILED,
/// AWS_ERROR_INVALID_ARGUMENT or the implementation's error; `dest` is then as before. One thread at a
/// time may use one stream; may block.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_read(
    stream: *mut aws_input_stream,
    dest: *mut aws_byte_buf,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            let dest = arg!(mut dest);
            let Some(room) = dest.capacity.checked_sub(dest.len) else {
                return raise(Code::INVALID_ARGUMENT);
            };
            if stream.is_null() || (room != 0 && dest.buffer.is_null()) {
                return raise(Code::INVALID_ARGUMENT);
            }
            if room == 0 {
                return AWS_OP_SUCCESS;
            }
            match read_into(stream, dest.buffer.add(dest.len), room) {
                Ok(n) => {
                    dest.len += n;
                    AWS_OP_SUCCESS
                }
                Err(error) => raise_error(error),
            }
        }
    })
}

/// Tells whether the end is reached and the stream still works.
///
/// `status`: written on success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or
/// the implementation's error. One thread at a time may use one stream.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_get_status(
    stream: *mut aws_input_stream,
    status: *mut aws_stream_status,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            match (ok!(table(stream)).get_status, status.is_null()) {
                (Some(get), false) => get(stream, status),
                _ => raise(Code::INVALID_ARGUMENT),
            }
        }
    })
}

/// Tells the whole length in bytes, whatever the position.
///
/// `out_length`: written on success. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
/// AWS_IO_STREAM_GET_LENGTH_UNSUPPORTED, AWS_ERROR_INVALID_ARGUMENT or the implementation's error. One
/// thread at a time may use one stream.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_input_stream_get_length(
    stream: *mut aws_input_stream,
    out_length: *mut i64,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            match (ok!(table(stream)).get_length, out_length.is_null()) {
                (Some(get), false) => get(stream, out_length),
                (None, false) => raise(Code::IO_STREAM_GET_LENGTH_UNSUPPORTED),
                _ => raise(Code::INVALID_ARGUMENT),
            }
        }
    })
}

#[cfg(test)]
mod tests;
