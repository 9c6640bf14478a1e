//! MD5 of several messages side by side, for callers that want Content-MD5 of parts of their own.

use std::ffi::c_int;

use crate::base::Code;
use crate::checksum::{MD5_LEN, Md5, md5_batch, md5_update_many};
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::ffi::handle;
use crate::ffi::place::{Placed, Tagged};
use crate::ffi::raise::{AWS_OP_SUCCESS, raise};

/// Bytes of an MD5 digest.
pub const S3FAST_MD5_LEN: usize = 16;

/// An MD5 in progress. Used by one thread at a time.
pub struct s3fast_md5 {
    _private: [u8; 0],
}

// SAFETY: only `s3fast_md5_new` makes pointers of it.
unsafe impl Tagged for Md5 {
    type C = s3fast_md5;
    const NAME: &'static str = "s3fast_md5";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.md5\0");
}

/// Computes the MD5 of each of several messages, up to 32 at once, on the calling thread.
///
/// `messages`: `count` cursors, borrowed for the call, as are the bytes behind them; an empty cursor
/// is the empty message. `count`: may be 0, then both pointers are ignored.
/// `digests`: room for `count` times S3FAST_MD5_LEN bytes; written on success only, in the order of
/// the messages.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn s3fast_md5_batch(
    messages: *const aws_byte_cursor,
    count: usize,
    digests: *mut u8,
) -> c_int {
    ffi_fn!({
        if count == 0 {
            return AWS_OP_SUCCESS;
        }
        if digests.is_null() || count > isize::MAX as usize / MD5_LEN {
            return raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: the caller's cursors and the bytes behind them.
        let Some(messages) = (unsafe { slices(messages, count) }) else {
            return raise(Code::INVALID_ARGUMENT);
        };
        for (i, digest) in md5_batch(&messages).iter().enumerate() {
            // SAFETY: the caller's room for `count` digests.
            unsafe {
                digests.add(i * MD5_LEN).copy_from_nonoverlapping(digest.0.as_ptr(), MD5_LEN);
            }
        }
        AWS_OP_SUCCESS
    })
}

/// Makes an MD5 of a message whose bytes come in pieces.
///
/// `allocator`: borrowed, must outlive the MD5.
/// Returns the MD5, freed with s3fast_md5_destroy(), or NULL with AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn s3fast_md5_new(allocator: *mut aws_allocator) -> *mut s3fast_md5 {
    ffi_fn!({
        // SAFETY: the caller's allocator.
        ok!(unsafe { Placed::make(allocator, Md5::new()) })
    })
}

/// Frees an MD5.
///
/// `md5`: given up; may be NULL. Any thread, while no other uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn s3fast_md5_destroy(md5: *mut s3fast_md5) {
    ffi_fn!({
        // SAFETY: the caller gives its only reference up.
        let _ = unsafe { Placed::<Md5>::release(md5) };
    })
}

/// Takes the next bytes of a message.
///
/// `md5`: borrowed. `data`: borrowed for the call; may be empty.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread, one at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn s3fast_md5_update(md5: *mut s3fast_md5, data: aws_byte_cursor) -> c_int {
    ffi_fn!({
        // SAFETY: NULL or the caller's live MD5, which nobody else uses.
        let md5 = ok!(unsafe { Placed::<Md5>::view_mut(md5) });
        // SAFETY: the caller's bytes.
        match unsafe { handle::bytes(data.ptr, data.len) } {
            Some(data) => md5.update(data),
            None => return raise(Code::INVALID_ARGUMENT),
        }
        AWS_OP_SUCCESS
    })
}

/// Takes the next bytes of each of several messages, computed side by side on the calling thread:
/// about as fast for all of them as s3fast_md5_update() is for one.
///
/// `md5s`: `count` different MD5s, borrowed. `data`: `count` cursors, one for each MD5, borrowed for
/// the call as are the bytes behind them; they may be empty and of different lengths.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT, also when an MD5 is named
/// twice; then none has taken anything. Any thread, one at a time for each MD5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn s3fast_md5_update_many(
    md5s: *const *mut s3fast_md5,
    data: *const aws_byte_cursor,
    count: usize,
) -> c_int {
    ffi_fn!({
        if count == 0 {
            return AWS_OP_SUCCESS;
        }
        // SAFETY: the caller's cursors and the bytes behind them.
        let Some(data) = (unsafe { slices(data, count) }) else {
            return raise(Code::INVALID_ARGUMENT);
        };
        if md5s.is_null() || !md5s.is_aligned() {
            return raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: the caller's array of `count` pointers; the cursors of the same count were there.
        let md5s = unsafe { std::slice::from_raw_parts(md5s, count) };
        let mut sorted = md5s.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|two| two[0] == two[1]) {
            return raise(Code::INVALID_ARGUMENT);
        }
        let mut pieces = Vec::with_capacity(count);
        for (md5, data) in md5s.iter().zip(data) {
            // SAFETY: NULL or the caller's live MD5, which nobody else uses; none is here twice.
            pieces.push((ok!(unsafe { Placed::<Md5>::view_mut(*md5) }), data));
        }
        md5_update_many(&mut pieces);
        AWS_OP_SUCCESS
    })
}

/// Ends a message and starts the next one: the MD5 can be used again.
///
/// `md5`: borrowed. `digest`: room for S3FAST_MD5_LEN bytes.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread, one at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn s3fast_md5_finish(md5: *mut s3fast_md5, digest: *mut u8) -> c_int {
    ffi_fn!({
        // SAFETY: NULL or the caller's live MD5, which nobody else uses.
        let md5 = ok!(unsafe { Placed::<Md5>::view_mut(md5) });
        if digest.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        let value = std::mem::take(md5).finish();
        // SAFETY: the caller's room for one digest.
        unsafe { digest.copy_from_nonoverlapping(value.0.as_ptr(), MD5_LEN) };
        AWS_OP_SUCCESS
    })
}

/// The bytes behind `count` cursors; `None` for NULL, a bad length or a bad count.
///
/// # Safety
/// `cursors` points at `count` cursors, whose bytes are readable for `'a`.
unsafe fn slices<'a>(cursors: *const aws_byte_cursor, count: usize) -> Option<Vec<&'a [u8]>> {
    let fits = count <= isize::MAX as usize / size_of::<aws_byte_cursor>();
    if cursors.is_null() || !cursors.is_aligned() || !fits {
        return None;
    }
    // SAFETY: by the contract, and what can be looked at was.
    let cursors = unsafe { std::slice::from_raw_parts(cursors, count) };
    // SAFETY: by the contract.
    cursors.iter().map(|c| unsafe { handle::bytes(c.ptr, c.len) }).collect()
}

const _: () = assert!(S3FAST_MD5_LEN == MD5_LEN);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::md5;
    use crate::ctypes::default_allocator;
    use crate::ffi::raise::{AWS_OP_ERR, last_error, set_last_error};
    use std::ptr::{null, null_mut};

    fn refused(result: c_int) -> bool {
        let code = last_error();
        set_last_error(0);
        result == AWS_OP_ERR && code == Code::INVALID_ARGUMENT.0
    }

    #[test]
    fn batch_writes_digests_in_the_order_of_the_messages() {
        let data: Vec<u8> = (0..90_000u32).map(|i| (i * 13) as u8).collect();
        let messages: Vec<&[u8]> = (0..70).map(|i| &data[i..][..i * i * 17]).collect();
        let cursors: Vec<_> = messages.iter().map(|m| aws_byte_cursor::of(m)).collect();
        let mut digests = vec![0; cursors.len() * S3FAST_MD5_LEN];
        // SAFETY: cursors and room of the same count.
        let result =
            unsafe { s3fast_md5_batch(cursors.as_ptr(), cursors.len(), digests.as_mut_ptr()) };
        assert_eq!(result, AWS_OP_SUCCESS);
        for (digest, message) in digests.chunks_exact(S3FAST_MD5_LEN).zip(messages) {
            assert_eq!(digest, md5(message).0);
        }
    }

    #[test]
    fn batch_with_bad_arguments_writes_nothing() {
        let good = aws_byte_cursor::of(b"abc");
        let bad = aws_byte_cursor { len: 3, ptr: null_mut() };
        let mut digests = [7u8; 32];
        let to = digests.as_mut_ptr();
        // SAFETY: what is wrong is NULL or a count that is refused.
        unsafe {
            assert_eq!(s3fast_md5_batch(null(), 0, null_mut()), AWS_OP_SUCCESS);
            assert!(refused(s3fast_md5_batch(null(), 1, to)));
            assert!(refused(s3fast_md5_batch(&good, 1, null_mut())));
            assert!(refused(s3fast_md5_batch([good, bad].as_ptr(), 2, to)));
            assert!(refused(s3fast_md5_batch(&good, usize::MAX, to)));
        }
        assert_eq!(digests, [7; 32]);
    }

    #[test]
    fn streams_updated_together_and_alone_give_their_digests() {
        let data: Vec<u8> = (0..50_000u32).map(|i| (i * 7 + i / 9) as u8).collect();
        // SAFETY: every pointer is live, and each MD5 is named once in a call.
        unsafe {
            let md5s: Vec<_> = (0..40).map(|_| s3fast_md5_new(default_allocator())).collect();
            assert!(md5s.iter().all(|m| !m.is_null()));
            for round in 0..2 {
                let cut = |i: usize| i * 100 + round;
                let heads: Vec<_> = (0..40).map(|i| aws_byte_cursor::of(&data[..cut(i)])).collect();
                assert_eq!(s3fast_md5_update_many(md5s.as_ptr(), heads.as_ptr(), 40), 0);
                for (i, md5) in md5s.iter().enumerate() {
                    let rest = aws_byte_cursor::of(&data[cut(i)..cut(i) + 777 * i]);
                    assert_eq!(s3fast_md5_update(*md5, rest), AWS_OP_SUCCESS);
                    let mut digest = [0; 16];
                    assert_eq!(s3fast_md5_finish(*md5, digest.as_mut_ptr()), AWS_OP_SUCCESS);
                    assert_eq!(digest, crate::checksum::md5(&data[..cut(i) + 777 * i]).0);
                }
            }
            md5s.into_iter().for_each(|m| s3fast_md5_destroy(m));
            s3fast_md5_destroy(null_mut());
        }
    }

    #[test]
    fn update_many_with_bad_arguments_takes_nothing() {
        let data = [aws_byte_cursor::of(b"abc"), aws_byte_cursor::of(b"def")];
        // SAFETY: what is wrong is NULL, or named twice.
        unsafe {
            let a = s3fast_md5_new(default_allocator());
            let b = s3fast_md5_new(default_allocator());
            assert!(refused(s3fast_md5_update_many([a, a].as_ptr(), data.as_ptr(), 2)));
            assert!(refused(s3fast_md5_update_many([a, null_mut()].as_ptr(), data.as_ptr(), 2)));
            assert!(refused(s3fast_md5_update_many(null(), data.as_ptr(), 2)));
            assert!(refused(s3fast_md5_update_many([a, b].as_ptr(), null(), 2)));
            assert!(refused(s3fast_md5_update(null_mut(), data[0])));
            assert!(refused(s3fast_md5_finish(a, null_mut())));
            assert_eq!(s3fast_md5_update_many(null(), null(), 0), AWS_OP_SUCCESS);
            let mut digest = [0; 16];
            for md5 in [a, b] {
                assert_eq!(s3fast_md5_finish(md5, digest.as_mut_ptr()), AWS_OP_SUCCESS);
                assert_eq!(digest, crate::checksum::md5(b"").0);
                s3fast_md5_destroy(md5);
            }
        }
    }
}
