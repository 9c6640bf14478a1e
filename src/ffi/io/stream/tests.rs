use std::io::Write;
use std::sync::atomic::{AtomicI32, Ordering};

use super::*;
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::{AWS_OP_ERR, last_error};

fn cursor(bytes: &[u8]) -> aws_byte_cursor {
    aws_byte_cursor { len: bytes.len(), ptr: bytes.as_ptr().cast_mut() }
}

fn buffer(room: &mut [u8]) -> aws_byte_buf {
    aws_byte_buf { len: 0, buffer: room.as_mut_ptr(), capacity: room.len(), allocator: null_mut() }
}

fn basis(value: i32) -> MaybeUninit<aws_stream_seek_basis> {
    // SAFETY: any four bytes are a MaybeUninit.
    unsafe { std::mem::transmute(value) }
}

const BEGIN: i32 = 0;
const END: i32 = 2;

#[test]
fn cursor_stream_reads_to_its_end_and_seeks() {
    let memory = Counting::new();
    let bytes = b"hello world";
    let mut room = [0u8; 8];
    let mut into = buffer(&mut room);
    let mut status = aws_stream_status { is_end_of_stream: true, is_valid: false };
    let mut length = 0;
    // SAFETY: live stream, buffer and outputs.
    unsafe {
        let s = aws_input_stream_new_from_cursor(memory.get(), &cursor(bytes));
        assert_eq!(aws_input_stream_get_length(s, &mut length), AWS_OP_SUCCESS);
        assert_eq!(length, 11);
        assert_eq!(aws_input_stream_read(s, &mut into), AWS_OP_SUCCESS);
        assert_eq!((into.len, &room[..8]), (8, &b"hello wo"[..]));
        assert_eq!(aws_input_stream_read(s, &mut into), AWS_OP_SUCCESS, "full is success");
        assert_eq!(aws_input_stream_get_status(s, &mut status), AWS_OP_SUCCESS);
        assert!(status.is_valid && !status.is_end_of_stream);
        assert_eq!(aws_input_stream_seek(s, -5, basis(END)), AWS_OP_SUCCESS);
        into.len = 2;
        assert_eq!(aws_input_stream_read(s, &mut into), AWS_OP_SUCCESS);
        assert_eq!((into.len, &room[..7]), (7, &b"heworld"[..]));
        assert_eq!(aws_input_stream_get_status(s, &mut status), AWS_OP_SUCCESS);
        assert!(status.is_end_of_stream);
        for (offset, from) in [(12, BEGIN), (-1, BEGIN), (1, END), (-12, END), (i64::MIN, END)] {
            assert_eq!(aws_input_stream_seek(s, offset, basis(from)), AWS_OP_ERR);
            assert_eq!(last_error(), Code::IO_STREAM_INVALID_SEEK_POSITION.0, "{offset} {from}");
        }
        assert_eq!(aws_input_stream_seek(s, 0, basis(1)), AWS_OP_ERR);
        assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
        assert_eq!(aws_input_stream_acquire(s), s);
        assert!(aws_input_stream_release(s).is_null());
        assert_eq!(memory.live(), 1);
        aws_input_stream_release(s);
    }
    assert_eq!(memory.live(), 0);
}

#[test]
fn file_stream_sees_its_end_after_a_short_read() {
    let memory = Counting::new();
    let dir = std::env::temp_dir().join(format!("s3fast-stream-{}", std::process::id()));
    let mut file = std::fs::File::create(&dir).expect("a temporary file");
    file.write_all(b"0123456789").expect("written");
    let name = std::ffi::CString::new(dir.as_os_str().as_bytes()).expect("no NUL");
    let mut room = [0u8; 10];
    let mut into = buffer(&mut room);
    // SAFETY: live stream, buffer and outputs.
    unsafe {
        let raw = aws_input_stream_new_from_file(memory.get(), name.as_ptr());
        let mut s = Stream::share(raw).expect("a stream");
        assert_eq!(s.length(), Ok(10));
        assert_eq!(aws_input_stream_read(raw, &mut into), AWS_OP_SUCCESS);
        assert_eq!(into.len, 10);
        assert_eq!(s.at_end(), Ok(false));
        assert_eq!(s.read(&mut [0; 4]), Ok(0));
        assert_eq!(s.at_end(), Ok(true));
        assert_eq!(s.seek(7), Ok(()));
        assert_eq!(s.at_end(), Ok(false));
        let mut four = [0; 4];
        assert_eq!(s.read(&mut four), Ok(3));
        assert_eq!(&four, b"789\0");
        aws_input_stream_release(raw);
    }
    let _ = std::fs::remove_file(dir);
    assert_eq!(memory.live(), 0);
}

#[test]
fn missing_file_is_an_error_and_no_leak() {
    let memory = Counting::new();
    // SAFETY: live allocator and name.
    unsafe {
        let s = aws_input_stream_new_from_file(memory.get(), c"/nowhere/at/all".as_ptr());
        assert!(s.is_null());
        assert_eq!(last_error(), Code::FILE_INVALID_PATH.0);
    }
    assert_eq!(memory.live(), 0);
}

/// A caller's stream that answers `0` = well, `1` = with a grown buffer, `2` = with an error.
#[repr(C)]
struct Theirs {
    base: aws_input_stream,
    behaviour: i32,
    references: AtomicI32,
}

unsafe extern "C" fn their_read(s: *mut aws_input_stream, dest: *mut aws_byte_buf) -> c_int {
    // SAFETY: only called with a Theirs.
    unsafe {
        match (*s.cast::<Theirs>()).behaviour {
            0 => (*dest).len = 1,
            1 => (*dest).len = (*dest).capacity + 1,
            _ => return raise(Code::S3_CANCELED),
        }
    }
    AWS_OP_SUCCESS
}
unsafe extern "C" fn their_acquire(s: *mut aws_input_stream) {
    // SAFETY: only called with a Theirs.
    unsafe { (*s.cast::<Theirs>()).references.fetch_add(1, Ordering::SeqCst) };
}
unsafe extern "C" fn their_release(s: *mut aws_input_stream) {
    // SAFETY: only called with a Theirs.
    unsafe { (*s.cast::<Theirs>()).references.fetch_sub(1, Ordering::SeqCst) };
}

static THEIR_VTABLE: aws_input_stream_vtable = aws_input_stream_vtable {
    seek: None,
    read: Some(their_read),
    get_status: None,
    get_length: None,
    acquire: Some(their_acquire),
    release: Some(their_release),
};

fn theirs(behaviour: i32) -> Box<Theirs> {
    let ref_count =
        aws_ref_count { ref_count: aws_atomic_var::new(0), object: null_mut(), on_zero_fn: None };
    let base = aws_input_stream { r#impl: null_mut(), vtable: &THEIR_VTABLE, ref_count };
    Box::new(Theirs { base, behaviour, references: AtomicI32::new(1) })
}

#[test]
fn callers_stream_is_called_through_its_table_and_checked() {
    for (behaviour, expected) in [
        (0, Ok(1)),
        (1, Err(Error::new(Code::IO_STREAM_READ_FAILED))),
        (2, Err(Error::new(Code::S3_CANCELED))),
    ] {
        let mut them = theirs(behaviour);
        let raw: *mut aws_input_stream = (&raw mut *them).cast();
        // SAFETY: the stream lives to the end of the turn.
        let mut s = unsafe { Stream::share(raw) }.expect("a stream");
        assert_eq!(them.references.load(Ordering::SeqCst), 2);
        assert_eq!(s.read(&mut [0; 4]), expected);
        assert_eq!(s.seek(0), Err(Error::new(Code::IO_STREAM_SEEK_UNSUPPORTED)));
        assert_eq!(s.length(), Err(Error::new(Code::IO_STREAM_GET_LENGTH_UNSUPPORTED)));
        drop(s);
        assert_eq!(them.references.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn null_and_hostile_arguments_are_refused() {
    let memory = Counting::new();
    let mut room = [0u8; 4];
    let mut bad = buffer(&mut room);
    bad.len = 5;
    let mut length = 0;
    let wild = aws_byte_cursor { len: 1, ptr: null_mut() };
    let invalid = Code::INVALID_ARGUMENT.0;
    // SAFETY: NULL or live pointers only.
    unsafe {
        assert!(aws_input_stream_new_from_cursor(null_mut(), &cursor(b"x")).is_null());
        assert_eq!(last_error(), invalid);
        assert!(aws_input_stream_new_from_cursor(memory.get(), &wild).is_null());
        assert!(aws_input_stream_new_from_cursor(memory.get(), std::ptr::null()).is_null());
        assert!(aws_input_stream_new_from_file(memory.get(), std::ptr::null()).is_null());
        assert_eq!(aws_input_stream_read(null_mut(), &mut buffer(&mut [0; 1])), AWS_OP_ERR);
        assert_eq!(aws_input_stream_seek(null_mut(), 0, basis(BEGIN)), AWS_OP_ERR);
        assert_eq!(aws_input_stream_get_length(null_mut(), &mut length), AWS_OP_ERR);
        assert_eq!(aws_input_stream_get_status(null_mut(), null_mut()), AWS_OP_ERR);
        assert!(aws_input_stream_acquire(null_mut()).is_null());
        assert!(aws_input_stream_release(null_mut()).is_null());
        assert!(Stream::share(null_mut()).is_err());
        let s = aws_input_stream_new_from_cursor(memory.get(), &cursor(b""));
        assert_eq!(aws_input_stream_read(s, &mut bad), AWS_OP_ERR);
        assert_eq!(aws_input_stream_read(s, null_mut()), AWS_OP_ERR);
        assert_eq!(aws_input_stream_get_length(s, null_mut()), AWS_OP_ERR);
        assert_eq!(aws_input_stream_get_status(s, null_mut()), AWS_OP_ERR);
        assert_eq!(last_error(), invalid);
        aws_input_stream_release(s);
        memory.fail_in.store(0, Ordering::SeqCst);
        assert!(aws_input_stream_new_from_cursor(memory.get(), &cursor(b"x")).is_null());
        assert_eq!(last_error(), Code::OOM.0);
    }
    assert_eq!(memory.live(), 0);
}
