//! `aws/common/byte_buf.h`: byte buffers that may grow, and views of bytes.
//!
//! A buffer or cursor whose fields do not fit together is AWS_ERROR_INVALID_ARGUMENT. Not one of
//! these functions keeps a pointer it was given, except where its result is a view.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use crate::base::{Code, Result};
use crate::ctypes::{aws_allocator, aws_array_list};
pub use crate::ctypes::{aws_byte_buf, aws_byte_cursor};
use crate::ffi::raise::{AWS_OP_SUCCESS, op, raise};

ffi_failure!(aws_byte_cursor, aws_byte_buf);

/// Makes an empty buffer with room for `capacity` bytes.
///
/// `buf`: written, whatever it held. `allocator`: borrowed, must outlive the buffer. `capacity`: may
/// be 0; nothing is allocated then.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT, `buf`
/// being zeroed. Freed with aws_byte_buf_clean_up(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_init(
    buf: *mut aws_byte_buf,
    allocator: *mut aws_allocator,
    capacity: usize,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { store(buf, aws_byte_buf::with_capacity(allocator, capacity)) } })
}

/// Makes a buffer that is a copy of another, with the same capacity.
///
/// `dest`: written. `allocator`: borrowed, must outlive `dest`. `src`: borrowed for the call.
/// Returns as aws_byte_buf_init(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_init_copy(
    dest: *mut aws_byte_buf,
    allocator: *mut aws_allocator,
    src: *const aws_byte_buf,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let src = *arg!(src);
            let copy = aws_byte_buf::with_capacity(allocator, src.capacity).and_then(|mut copy| {
                let bytes = src.bytes().ok_or(Code::INVALID_ARGUMENT)?;
                copy.append(bytes)?;
                Ok(copy)
            });
            store(dest, copy)
        }
    })
}

/// Makes a buffer with a copy of a cursor's bytes, and no room beyond them.
///
/// `dest`: written. `allocator`: borrowed, must outlive `dest`. `src`: borrowed for the call.
/// Returns as aws_byte_buf_init(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_init_copy_from_cursor(
    dest: *mut aws_byte_buf,
    allocator: *mut aws_allocator,
    src: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            match src.bytes() {
                Some(bytes) => store(dest, aws_byte_buf::copy_of(allocator, bytes)),
                None => store(dest, Err(Code::INVALID_ARGUMENT.into())),
            }
        }
    })
}

/// Writes a buffer where it was made, and an empty one where it was not.
unsafe fn store(dest: *mut aws_byte_buf, made: Result<aws_byte_buf>) -> c_int {
    if dest.is_null() {
        if let Ok(mut unwanted) = made {
            // SAFETY: nobody else knows it.
            unsafe { unwanted.clean_up() };
        }
        return raise(Code::INVALID_ARGUMENT);
    }
    // SAFETY: by the caller's contract.
    unsafe { dest.write(made.unwrap_or(aws_byte_buf::EMPTY)) };
    op(made.map(|_| ()))
}

/// Copies the bytes of several cursors into one new buffer and lets the cursors show the copies.
///
/// `dest`: written. `allocator`: borrowed, must outlive `dest`. Then pointers to cursors, each
/// updated, and a NULL at the end. A cursor without bytes stays without bytes.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
/// AWS_ERROR_INVALID_ARGUMENT; no cursor is changed then. The buffer is freed with
/// aws_byte_buf_clean_up(), which ends the life of the cursors' bytes. Any thread.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn aws_byte_buf_init_cache_and_update_cursors(
    dest: *mut aws_byte_buf,
    allocator: *mut aws_allocator,
) -> c_int {
    core::arch::naked_asm!(
        #[cfg(target_arch = "x86_64")]
        "jmp {f}",
        #[cfg(target_arch = "aarch64")]
        "b {f}",
        f = sym s3fast_c_init_cache,
    )
}

unsafe extern "C" {
    /// Takes the variable arguments apart; in `c/common/byte_buf.c`.
    fn s3fast_c_init_cache(dest: *mut aws_byte_buf, allocator: *mut aws_allocator, ...) -> c_int;
}

/// One step of the shim: the sum of lengths so far and one more cursor; SIZE_MAX when it is bad.
unsafe extern "C" fn cache_measure(sum: usize, cursor: *const aws_byte_cursor) -> usize {
    // SAFETY: the shim passes the caller's cursors, never NULL.
    let cursor = unsafe { *cursor };
    match sum.checked_add(cursor.len) {
        Some(total) if cursor.is_valid() && total <= isize::MAX as usize => total,
        _ => usize::MAX,
    }
}

/// The shim's beginning of the second pass: makes the buffer.
unsafe extern "C" fn cache_begin(
    dest: *mut aws_byte_buf,
    allocator: *mut aws_allocator,
    sum: usize,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            if sum == usize::MAX {
                return store(dest, Err(Code::OVERFLOW_DETECTED.into()));
            }
            store(dest, aws_byte_buf::with_capacity(allocator, sum))
        }
    })
}

/// One step of the second pass: copies one cursor's bytes and moves the cursor there.
unsafe extern "C" fn cache_add(dest: *mut aws_byte_buf, cursor: *mut aws_byte_cursor) -> c_int {
    ffi_fn!({
        // SAFETY: the shim passes the buffer made above and the caller's cursors. The same cursor
        // may be given twice; its length was counted twice, too.
        unsafe {
            let at = (*dest).len;
            let Some(bytes) = (*cursor).bytes() else { return raise(Code::INVALID_ARGUMENT) };
            ok!((*dest).append(bytes));
            (*cursor).ptr =
                if (*dest).buffer.is_null() { ptr::null_mut() } else { (*dest).buffer.add(at) };
        }
        AWS_OP_SUCCESS
    })
}

crate::ffi::c_call::hidden! {
    s3fast_rs_cache_measure => cache_measure,
    s3fast_rs_cache_begin => cache_begin,
    s3fast_rs_cache_add => cache_add,
}

/// Frees a buffer's block, if it is its own, and zeroes the struct. A second call does nothing.
///
/// `buf`: NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_clean_up(buf: *mut aws_byte_buf) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        if let Some(buf) = unsafe { buf.as_mut() } {
            // SAFETY: the caller gives the block up.
            unsafe { buf.clean_up() };
        }
    })
}

/// Like aws_byte_buf_clean_up(), but overwrites the whole block with zeros first.
///
/// `buf`: NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_clean_up_secure(buf: *mut aws_byte_buf) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        if let Some(buf) = unsafe { buf.as_mut() } {
            // SAFETY: the caller gives the block up.
            unsafe {
                buf.secure_zero();
                buf.clean_up();
            }
        }
    })
}

/// Appends a cursor's bytes and lets the block grow where needed.
///
/// `to`: a buffer with an allocator. `from`: borrowed for the call; its bytes may lie in `to`.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
/// AWS_ERROR_INVALID_ARGUMENT (a buffer that cannot grow), `to` being unchanged. Pointers into the
/// old block are dead after success. Any thread, one at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_append_dynamic(
    to: *mut aws_byte_buf,
    from: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let bytes = arg!(from).bytes();
            let to = arg!(mut to);
            match bytes {
                Some(bytes) => op(to.append_dynamic(bytes)),
                None => raise(Code::INVALID_ARGUMENT),
            }
        }
    })
}

/// Appends one byte and lets the block grow where needed; as aws_byte_buf_append_dynamic().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_append_byte_dynamic(
    buffer: *mut aws_byte_buf,
    value: u8,
) -> c_int {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { op(arg!(mut buffer).append_dynamic(&[value])) } })
}

/// A buffer over a C string, which it does not own and cannot grow.
///
/// `c_str`: borrowed as long as the result lives; NULL gives an empty buffer. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_from_c_str(c_str: *const c_char) -> aws_byte_buf {
    ffi_fn!({
        // SAFETY: by the argument rules.
        let len = unsafe { c_str_len(c_str) };
        over(c_str.cast(), len, len)
    })
}

/// A buffer over `len` bytes in use, which it does not own and cannot grow.
///
/// `bytes`: borrowed as long as the result lives; not looked at when `len` is 0. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_from_array(bytes: *const c_void, len: usize) -> aws_byte_buf {
    ffi_fn!({ over(bytes, len, len) })
}

/// An empty buffer over `capacity` bytes of room, which it does not own and cannot grow.
///
/// `bytes`: borrowed as long as the result lives; not looked at when `capacity` is 0. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_buf_from_empty_array(
    bytes: *const c_void,
    capacity: usize,
) -> aws_byte_buf {
    ffi_fn!({ over(bytes, 0, capacity) })
}

fn over(bytes: *const c_void, len: usize, capacity: usize) -> aws_byte_buf {
    if capacity == 0 {
        return aws_byte_buf::EMPTY;
    }
    aws_byte_buf { len, buffer: bytes.cast_mut().cast(), capacity, allocator: ptr::null_mut() }
}

/// The length of a C string; 0 for NULL.
///
/// # Safety
/// `c_str` is NULL or ends with a zero.
pub(crate) unsafe fn c_str_len(c_str: *const c_char) -> usize {
    if c_str.is_null() {
        return 0;
    }
    // SAFETY: by the contract.
    unsafe { CStr::from_ptr(c_str) }.count_bytes()
}

/// A view of a buffer's bytes in use.
///
/// `buf`: borrowed as long as the result lives; NULL gives an empty view. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_from_buf(buf: *const aws_byte_buf) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the argument rules.
        match unsafe { buf.as_ref() } {
            Some(buf) => aws_byte_cursor { len: buf.len, ptr: buf.buffer },
            None => aws_byte_cursor::EMPTY,
        }
    })
}

/// A view of a C string without its zero.
///
/// `c_str`: borrowed as long as the result lives; NULL gives an empty view. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_from_c_str(c_str: *const c_char) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the argument rules.
        let len = unsafe { c_str_len(c_str) };
        aws_byte_cursor { len, ptr: c_str.cast_mut().cast() }
    })
}

/// A view of `len` bytes.
///
/// `bytes`: borrowed as long as the result lives; may be NULL when `len` is 0. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_from_array(
    bytes: *const c_void,
    len: usize,
) -> aws_byte_cursor {
    ffi_fn!({ aws_byte_cursor { len, ptr: bytes.cast_mut().cast() } })
}

/// Splits the first `len` bytes off a cursor.
///
/// `cursor`: moved behind them. Returns the view of what was split off; an empty one with a NULL
/// pointer, the cursor being unchanged, when it has not so many. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_advance(
    cursor: *mut aws_byte_cursor,
    len: usize,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the argument rules.
        match unsafe { cursor.as_mut() } {
            Some(cursor) => cursor.advance(len),
            None => aws_byte_cursor::EMPTY,
        }
    })
}

/// Whether a cursor is not NULL and its pointer goes with its length. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_is_valid(cursor: *const aws_byte_cursor) -> bool {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { cursor.as_ref() }.is_some_and(|c| c.len == 0 || !c.ptr.is_null()) })
}

/// Whether two cursors show the same bytes, ASCII letters counting alike in either case.
///
/// `a`, `b`: borrowed for the call; NULL equals NULL only. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_eq_ignore_case(
    a: *const aws_byte_cursor,
    b: *const aws_byte_cursor,
) -> bool {
    ffi_fn!({
        // SAFETY: by the argument rules.
        let both = unsafe {
            match (a.as_ref(), b.as_ref()) {
                (None, None) => return true,
                (Some(a), Some(b)) => (a.bytes(), b.bytes()),
                _ => return false,
            }
        };
        matches!(both, (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
    })
}

/// Splits a view at each `split_on` and appends the pieces to a list.
///
/// `input_str`: borrowed; the pieces are views of its bytes. An empty input is one empty piece, and
/// two separators in a row have an empty piece between them. `output`: a list of aws_byte_cursor;
/// what it holds already stays.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_LIST_EXCEEDS_MAX_SIZE or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_byte_cursor_split_on_char(
    input_str: *const aws_byte_cursor,
    split_on: c_char,
    output: *mut aws_array_list,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules; the list's item size is checked by `push`.
        unsafe {
            let input = *arg!(input_str);
            let output = arg!(mut output);
            let Some(bytes) = input.bytes() else { return raise(Code::INVALID_ARGUMENT) };
            let base = if input.ptr.is_null() { c"".as_ptr().cast_mut().cast() } else { input.ptr };
            let mut at = 0;
            for piece in bytes.split(|&b| b == split_on as u8) {
                let piece = aws_byte_cursor { len: piece.len(), ptr: base.wrapping_add(at) };
                ok!(output.push(piece));
                at += piece.len + 1;
            }
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::raise::last_error;

    fn alloc() -> *mut aws_allocator {
        default_allocator()
    }

    #[test]
    fn init_from_hostile_arguments_is_invalid() {
        // SAFETY: NULL and absurd lengths are what is tried.
        unsafe {
            let mut buf = aws_byte_buf { len: 9, ..aws_byte_buf::EMPTY };
            assert_eq!(aws_byte_buf_init(ptr::null_mut(), alloc(), 4), -1);
            assert_eq!(aws_byte_buf_init(&mut buf, ptr::null_mut(), 4), -1);
            assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
            assert_eq!(buf.len, 0);
            let absurd = aws_byte_cursor { len: usize::MAX, ptr: ptr::dangling_mut() };
            assert_eq!(aws_byte_buf_init_copy_from_cursor(&mut buf, alloc(), absurd), -1);
            let null = aws_byte_cursor { len: 3, ptr: ptr::null_mut() };
            assert_eq!(aws_byte_buf_init_copy_from_cursor(&mut buf, alloc(), null), -1);
            assert_eq!(aws_byte_buf_init_copy(&mut buf, alloc(), ptr::null()), -1);
            assert_eq!(aws_byte_buf_append_dynamic(&mut buf, &null), -1);
            assert_eq!(aws_byte_buf_append_dynamic(ptr::null_mut(), &null), -1);
            assert_eq!(aws_byte_buf_append_byte_dynamic(ptr::null_mut(), 1), -1);
            aws_byte_buf_clean_up(ptr::null_mut());
            aws_byte_buf_clean_up_secure(ptr::null_mut());
            assert!(!aws_byte_cursor_is_valid(ptr::null()));
            assert!(!aws_byte_cursor_is_valid(&null));
            assert_eq!(aws_byte_cursor_from_buf(ptr::null()).len, 0);
            assert_eq!(aws_byte_cursor_from_c_str(ptr::null()).len, 0);
            assert_eq!(aws_byte_cursor_advance(ptr::null_mut(), 1).len, 0);
            assert!(!aws_byte_cursor_eq_ignore_case(&null, &null));
            assert!(!aws_byte_cursor_eq_ignore_case(ptr::null(), &absurd));
        }
    }

    #[test]
    fn init_copy_keeps_the_capacity() {
        // SAFETY: buffers are cleaned up once.
        unsafe {
            let mut a = aws_byte_buf::EMPTY;
            let mut b = aws_byte_buf::EMPTY;
            assert_eq!(aws_byte_buf_init(&mut a, alloc(), 10), 0);
            assert_eq!(aws_byte_buf_append_byte_dynamic(&mut a, b'x'), 0);
            assert_eq!(aws_byte_buf_init_copy(&mut b, alloc(), &a), 0);
            assert_eq!((b.len, b.capacity), (1, 10));
            aws_byte_buf_clean_up(&mut a);
            aws_byte_buf_clean_up_secure(&mut b);
            assert_eq!(aws_byte_buf_init_copy(&mut b, alloc(), &a), 0);
            assert_eq!((b.len, b.capacity, b.allocator), (0, 0, alloc()));
        }
    }

    #[test]
    fn split_on_char_gives_empty_pieces_too() {
        // SAFETY: the list holds cursors into the literals.
        unsafe {
            for (text, pieces) in [("", 1), ("a", 1), ("a,b", 2), (",,", 3), ("a,", 2)] {
                let mut list = aws_array_list::of::<aws_byte_cursor>(alloc(), 1).expect("memory");
                let input = aws_byte_cursor::of(text.as_bytes());
                assert_eq!(aws_byte_cursor_split_on_char(&input, b',' as c_char, &mut list), 0);
                assert_eq!(list.length, pieces, "{text}");
                let found: &[aws_byte_cursor] = list.items().expect("cursors");
                let joined: Vec<_> = found.iter().map(|c| c.bytes().expect("valid")).collect();
                assert_eq!(joined.join(&b','), text.as_bytes());
                list.clean_up();
            }
            let mut wrong = aws_array_list::of::<u8>(alloc(), 1).expect("memory");
            let input = aws_byte_cursor::of(b"a");
            assert_eq!(aws_byte_cursor_split_on_char(&input, 0, &mut wrong), -1);
            assert_eq!(aws_byte_cursor_split_on_char(&input, 0, ptr::null_mut()), -1);
            wrong.clean_up();
        }
    }

    type InitCache = unsafe extern "C" fn(*mut aws_byte_buf, *mut aws_allocator, ...) -> c_int;

    /// The exported function as C sees it: with variable arguments.
    fn init_cache() -> InitCache {
        let f: unsafe extern "C" fn(*mut aws_byte_buf, *mut aws_allocator) -> c_int =
            aws_byte_buf_init_cache_and_update_cursors;
        // SAFETY: the definition behind the trampoline is variadic.
        unsafe { std::mem::transmute::<_, InitCache>(f) }
    }

    #[test]
    fn init_cache_moves_cursors_into_one_block() {
        let none: *mut aws_byte_cursor = ptr::null_mut();
        // SAFETY: the arguments are cursors and a NULL.
        unsafe {
            let texts: Vec<String> = (0..9).map(|i| "x".repeat(i) + "end").collect();
            let mut c: Vec<_> = texts.iter().map(|t| aws_byte_cursor::of(t.as_bytes())).collect();
            let p = c.as_mut_ptr();
            let mut buf = aws_byte_buf::EMPTY;
            let done = init_cache()(
                &mut buf,
                alloc(),
                p,
                p.add(1),
                p.add(2),
                p.add(3),
                p.add(4),
                p.add(5),
                p.add(6),
                p.add(7),
                p.add(8),
                none,
            );
            assert_eq!(done, 0);
            assert_eq!(buf.bytes(), Some(texts.concat().as_bytes()));
            for (cursor, text) in c.iter().zip(&texts) {
                assert_eq!(cursor.bytes(), Some(text.as_bytes()));
                assert!(
                    buf.bytes().expect("valid").as_ptr_range().contains(&cursor.ptr.cast_const())
                );
            }
            aws_byte_buf_clean_up(&mut buf);
            assert_eq!(init_cache()(&mut buf, alloc(), none), 0);
            assert_eq!(init_cache()(ptr::null_mut(), alloc(), none), -1);
            let mut absurd = aws_byte_cursor { len: usize::MAX, ptr: ptr::dangling_mut() };
            assert_eq!(init_cache()(&mut buf, alloc(), &raw mut absurd, none), -1);
            assert_eq!(absurd.len, usize::MAX);
        }
    }
}
