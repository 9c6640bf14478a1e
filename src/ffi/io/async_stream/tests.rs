use std::sync::atomic::AtomicI32;
use std::sync::mpsc;

use super::*;
use crate::ffi::io::future::{
    aws_future_bool_get_error, aws_future_bool_new, aws_future_bool_release,
    aws_future_bool_set_error, aws_future_bool_set_result,
};
use crate::ffi::place::testing::Counting;

/// A caller's stream: `behaviour` 0 ends inline, 1 from a thread, 2 with an error, 3 with too many
/// bytes, 4 without a future.
#[repr(C)]
struct Theirs {
    base: aws_async_input_stream,
    behaviour: i32,
    destroyed: AtomicI32,
}

unsafe extern "C" fn their_destroy(stream: *mut aws_async_input_stream) {
    // SAFETY: only called with a Theirs.
    unsafe { &(*stream.cast::<Theirs>()).destroyed }.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn their_read(
    stream: *mut aws_async_input_stream,
    dest: *mut aws_byte_buf,
) -> *mut aws_future_bool {
    // SAFETY: only called with a Theirs and a live buffer; the future has a reference for each end.
    unsafe {
        let future = aws_future_bool_new((*stream).alloc);
        let fill = |dest: *mut aws_byte_buf| {
            (*dest).buffer.copy_from_nonoverlapping(b"abc".as_ptr(), 3);
            (*dest).len = 3;
        };
        match (*stream.cast::<Theirs>()).behaviour {
            0 => {
                fill(dest);
                aws_future_bool_set_result(future, true);
            }
            1 => {
                let (dest, end) = (dest.expose_provenance(), future.expose_provenance());
                crate::ffi::io::future::aws_future_bool_acquire(future);
                std::thread::spawn(move || {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    let dest: *mut aws_byte_buf = std::ptr::with_exposed_provenance_mut(dest);
                    (*dest).buffer.write(b'z');
                    (*dest).len = 1;
                    let end: *mut aws_future_bool = std::ptr::with_exposed_provenance_mut(end);
                    aws_future_bool_set_result(end, false);
                    aws_future_bool_release(end);
                });
            }
            2 => aws_future_bool_set_error(future, Code::S3_CANCELED.0),
            3 => {
                (*dest).len = (*dest).capacity + 1;
                aws_future_bool_set_result(future, false);
            }
            _ => {
                aws_future_bool_release(future);
                crate::ffi::raise::set_last_error(0);
                return null_mut();
            }
        }
        future
    }
}

static TABLE: aws_async_input_stream_vtable =
    aws_async_input_stream_vtable { destroy: Some(their_destroy), read: Some(their_read) };

fn theirs(memory: &Counting, behaviour: i32) -> Box<Theirs> {
    // SAFETY: all-zero is a value; the head is filled in by the library.
    unsafe {
        let mut them = Box::new(Theirs { behaviour, ..std::mem::zeroed() });
        aws_async_input_stream_init_base(&mut them.base, memory.get(), &TABLE, null_mut());
        them
    }
}

#[test]
fn reads_end_inline_later_or_with_what_went_wrong() {
    let failed = Err(Error::new(Code::IO_STREAM_READ_FAILED));
    for (behaviour, text, expected) in [
        (0, "_abc", Ok(true)),
        (1, "_z", Ok(false)),
        (2, "_", Err(Error::new(Code::S3_CANCELED))),
        (3, "_", failed),
        (4, "_", failed),
    ] {
        let memory = Counting::new();
        let mut them = theirs(&memory, behaviour);
        let raw: *mut aws_async_input_stream = (&raw mut *them).cast();
        // SAFETY: the stream lives to the end of the turn.
        let mut stream = unsafe { AsyncStream::share(raw) }.expect("a stream");
        let (sender, ends) = mpsc::channel();
        let mut into = Vec::with_capacity(16);
        into.push(b'_');
        let again = sender.clone();
        let tell = move |bytes, ended| again.send((bytes, ended)).expect("the test waits");
        stream.read(into, 8, Box::new(tell));
        if behaviour == 1 {
            let tell = move |bytes, ended| sender.send((bytes, ended)).expect("the test waits");
            stream.read(Vec::with_capacity(1), 1, Box::new(tell));
            let second = ends.recv().expect("an end");
            assert_eq!(second.1, Err(Error::new(Code::INVALID_STATE)));
        }
        let end = ends.recv_timeout(std::time::Duration::from_secs(20)).expect("an end");
        assert_eq!((&end.0[..], end.1), (text.as_bytes(), expected), "{behaviour}");
        drop(stream);
        // SAFETY: the first reference.
        unsafe { aws_async_input_stream_release(raw) };
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while them.destroyed.load(Ordering::SeqCst) == 0 && std::time::Instant::now() < until {
            std::thread::yield_now();
        }
        assert_eq!(them.destroyed.load(Ordering::SeqCst), 1);
        while memory.live() != 0 && std::time::Instant::now() < until {
            std::thread::yield_now();
        }
        assert_eq!(memory.live(), 0);
    }
}

#[test]
fn null_and_full_buffers_are_refused() {
    let memory = Counting::new();
    let mut them = theirs(&memory, 0);
    // SAFETY: NULL or live objects.
    unsafe {
        let raw: *mut aws_async_input_stream = (&raw mut *them).cast();
        assert!(aws_async_input_stream_read(null_mut(), null_mut()).is_null());
        assert!(aws_async_input_stream_read(raw, null_mut()).is_null());
        let mut full = aws_byte_buf::EMPTY;
        let future = aws_async_input_stream_read(raw, &mut full);
        assert_eq!(aws_future_bool_get_error(future), Code::SHORT_BUFFER.0);
        aws_future_bool_release(future);
        assert!(aws_async_input_stream_acquire(null_mut()).is_null());
        assert!(aws_async_input_stream_release(null_mut()).is_null());
        assert!(AsyncStream::share(null_mut()).is_err());
        let none = aws_async_input_stream_vtable { destroy: None, read: None };
        let mut other = theirs(&memory, 0);
        other.base.vtable = &none;
        assert!(AsyncStream::share(&mut other.base).is_err());
        aws_async_input_stream_init_base(null_mut(), memory.get(), &TABLE, null_mut());
        aws_async_input_stream_init_base(raw, memory.get(), &none, null_mut());
        assert_eq!(crate::ffi::raise::last_error(), Code::INVALID_ARGUMENT.0);
    }
    assert_eq!(memory.live(), 0);
}
