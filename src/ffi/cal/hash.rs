//! `aws/cal/hash.h`: SHA-1, SHA-256, SHA-512 and MD5 over bytes that come in pieces.
//!
//! A hash is used by one thread at a time. The vtable is public: a program may hand in a hash of
//! its own, so every function here goes through it.

use std::ffi::{CStr, c_char, c_int};

use crate::base::Code;
use crate::checksum::{Algorithm, Digest, MD5_LEN, Md5};
use crate::ctypes::{aws_allocator, aws_byte_buf, aws_byte_cursor};
use crate::ffi::handle;
use crate::ffi::raise::{AWS_OP_ERR, AWS_OP_SUCCESS, raise, raise_null};

/// Bytes of a SHA-512 digest.
pub const AWS_SHA512_LEN: usize = 64;
/// Bytes of a SHA-256 digest.
pub const AWS_SHA256_LEN: usize = 32;
/// Bytes of a SHA-1 digest.
pub const AWS_SHA1_LEN: usize = 20;
/// Bytes of an MD5 digest.
pub const AWS_MD5_LEN: usize = 16;

/// What a hash does. Called by one thread at a time for one hash.
#[repr(C)]
pub struct aws_hash_vtable {
    /// Name of the algorithm, such as `SHA256`.
    pub alg_name: *const c_char,
    /// Who made the code.
    pub provider: *const c_char,
    /// Frees the hash.
    pub destroy: Option<unsafe extern "C" fn(hash: *mut aws_hash)>,
    /// Takes more bytes in.
    pub update:
        Option<unsafe extern "C" fn(hash: *mut aws_hash, buf: *const aws_byte_cursor) -> c_int>,
    /// Appends the digest to `out`, which is not grown; the hash takes no more bytes afterwards.
    pub finalize:
        Option<unsafe extern "C" fn(hash: *mut aws_hash, out: *mut aws_byte_buf) -> c_int>,
}

/// A digest in progress.
#[repr(C)]
pub struct aws_hash {
    /// Where the hash came from.
    pub allocator: *mut aws_allocator,
    pub vtable: *mut aws_hash_vtable,
    /// Bytes of the digest.
    pub digest_size: usize,
    /// Whether the hash still takes bytes: until finalize, or an error.
    pub good: bool,
    /// The implementation's own state.
    pub r#impl: *mut std::ffi::c_void,
}

/// Makes a hash.
pub type aws_hash_new_fn =
    Option<unsafe extern "C" fn(allocator: *mut aws_allocator) -> *mut aws_hash>;

/// Makes a SHA-256 hash.
///
/// `allocator`: borrowed, must outlive the hash.
/// Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_sha256_new(allocator: *mut aws_allocator) -> *mut aws_hash {
    // SAFETY: the caller's allocator.
    ffi_fn!({ unsafe { make(allocator, &SHA256, State::Sha(Digest::new(Algorithm::Sha256))) } })
}

/// Makes a SHA-1 hash; otherwise as aws_sha256_new().
///
/// `allocator`: borrowed, must outlive the hash.
/// Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_sha1_new(allocator: *mut aws_allocator) -> *mut aws_hash {
    // SAFETY: the caller's allocator.
    ffi_fn!({ unsafe { make(allocator, &SHA1, State::Sha(Digest::new(Algorithm::Sha1))) } })
}

/// Makes a SHA-512 hash; otherwise as aws_sha256_new().
///
/// `allocator`: borrowed, must outlive the hash.
/// Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_sha512_new(allocator: *mut aws_allocator) -> *mut aws_hash {
    // SAFETY: the caller's allocator.
    ffi_fn!({ unsafe { make(allocator, &SHA512, State::Sha(Digest::new(Algorithm::Sha512))) } })
}

/// Makes an MD5 hash; otherwise as aws_sha256_new(). Good for checking, not for security.
///
/// `allocator`: borrowed, must outlive the hash.
/// Returns the hash, freed with aws_hash_destroy(), or NULL with AWS_ERROR_OOM or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_md5_new(allocator: *mut aws_allocator) -> *mut aws_hash {
    // SAFETY: the caller's allocator.
    ffi_fn!({ unsafe { make(allocator, &MD5, State::Md5(Md5::new())) } })
}

/// Frees a hash, whether it was finalized or not.
///
/// `hash`: given up; may be NULL. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_destroy(hash: *mut aws_hash) {
    ffi_fn!(calls_out {
        // SAFETY: NULL or a live hash; the vtable is its own.
        if let Some(destroy) = unsafe { vtable(hash) }.and_then(|t| t.destroy) {
            // SAFETY: as above.
            unsafe { destroy(hash) };
        }
    })
}

/// Takes more bytes in; may be called any number of times.
///
/// `hash`: borrowed. `to_hash`: borrowed for the call.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_STATE after finalize or an error,
/// or AWS_ERROR_INVALID_ARGUMENT. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_update(
    hash: *mut aws_hash,
    to_hash: *const aws_byte_cursor,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: NULL or a live hash; the vtable is its own.
        match unsafe { vtable(hash) }.and_then(|t| t.update) {
            // SAFETY: as above.
            Some(update) if !to_hash.is_null() => unsafe { update(hash, to_hash) },
            _ => raise(Code::INVALID_ARGUMENT),
        }
    })
}

/// Appends the digest to `output` and ends the hash.
///
/// `hash`: borrowed; still to be destroyed. `output`: must have room, it is not grown.
/// `truncate_to`: only so many bytes of the digest; 0 or more than the digest: all of it.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_SHORT_BUFFER (nothing is lost, call again
/// with more room), AWS_ERROR_INVALID_STATE where it was finalized before, or
/// AWS_ERROR_INVALID_ARGUMENT. One thread at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_finalize(
    hash: *mut aws_hash,
    output: *mut aws_byte_buf,
    truncate_to: usize,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: NULL or a live hash; the vtable is its own.
        let Some(finalize) = unsafe { vtable(hash) }.and_then(|t| t.finalize) else {
            return raise(Code::INVALID_ARGUMENT);
        };
        // SAFETY: NULL or a live buffer, and the hash is not NULL here.
        let (out, size) = unsafe { (arg!(mut output), (*hash).digest_size) };
        if truncate_to == 0 || truncate_to >= size {
            // SAFETY: as above.
            return unsafe { finalize(hash, output) };
        }
        if out.capacity.saturating_sub(out.len) < truncate_to {
            return raise(Code::SHORT_BUFFER);
        }
        let mut whole = [0u8; DIGEST_MAX];
        let mut room = aws_byte_buf {
            len: 0,
            buffer: whole.as_mut_ptr(),
            capacity: whole.len(),
            allocator: std::ptr::null_mut(),
        };
        // SAFETY: the room is as large as it says.
        if unsafe { finalize(hash, &mut room) } != AWS_OP_SUCCESS {
            return AWS_OP_ERR;
        }
        // SAFETY: the caller's buffer has room for `truncate_to` bytes, as checked.
        unsafe { append(out, &whole[..truncate_to]) };
        AWS_OP_SUCCESS
    })
}

/// Room for the longest digest, a caller's own included.
const DIGEST_MAX: usize = 128;

/// Our hash: what C sees, and the state behind it, in one block.
#[repr(C)]
struct Hash {
    seen: aws_hash,
    state: Option<State>,
}

#[expect(
    clippy::large_enum_variant,
    reason = "the state lies inside the block of the caller's allocator"
)]
enum State {
    Sha(Digest),
    Md5(Md5),
}

/// A vtable of ours with its digest size; C may not write it, though its type would let it.
struct Table(aws_hash_vtable, usize);

// SAFETY: nobody writes to it, and its strings are constants.
unsafe impl Sync for Table {}

const fn table(name: &'static CStr, size: usize) -> Table {
    let vtable = aws_hash_vtable {
        alg_name: name.as_ptr(),
        provider: c"s3fast".as_ptr(),
        destroy: Some(destroy),
        update: Some(update),
        finalize: Some(finalize),
    };
    Table(vtable, size)
}

static SHA1: Table = table(c"SHA1", AWS_SHA1_LEN);
static SHA256: Table = table(c"SHA256", AWS_SHA256_LEN);
static SHA512: Table = table(c"SHA512", AWS_SHA512_LEN);
static MD5: Table = table(c"MD5", MD5_LEN);

/// # Safety
/// `allocator` is NULL or live.
unsafe fn make(
    allocator: *mut aws_allocator,
    table: &'static Table,
    state: State,
) -> *mut aws_hash {
    // SAFETY: by the contract.
    let block = match unsafe { aws_allocator::object::<Hash>(allocator) } {
        Ok(block) => block,
        Err(error) => return raise_null(error.code),
    };
    let vtable = (&raw const table.0).cast_mut();
    let seen = aws_hash {
        allocator,
        vtable,
        digest_size: table.1,
        good: true,
        r#impl: block.as_ptr().cast(),
    };
    // SAFETY: the block is fresh and of this type's size.
    unsafe { block.write(Hash { seen, state: Some(state) }) };
    block.as_ptr().cast()
}

/// # Safety
/// `hash` is NULL or live.
unsafe fn vtable<'a>(hash: *mut aws_hash) -> Option<&'a aws_hash_vtable> {
    // SAFETY: by the contract, and a live hash has a live vtable.
    unsafe { hash.as_ref().and_then(|h| h.vtable.as_ref()) }
}

unsafe extern "C" fn destroy(hash: *mut aws_hash) {
    ffi_fn!({
        // SAFETY: only hashes of `make` carry this function; the block is given up now.
        unsafe {
            let allocator = (*hash).allocator;
            hash.cast::<Hash>().drop_in_place();
            aws_allocator::release(allocator, hash.cast());
        }
    })
}

unsafe extern "C" fn update(hash: *mut aws_hash, bytes: *const aws_byte_cursor) -> c_int {
    ffi_fn!({
        // SAFETY: only hashes of `make` carry this function.
        let hash = unsafe { &mut *hash.cast::<Hash>() };
        // SAFETY: the caller's cursor.
        let Some(bytes) = (unsafe { bytes.as_ref().and_then(|b| handle::bytes(b.ptr, b.len)) })
        else {
            return raise(Code::INVALID_ARGUMENT);
        };
        match &mut hash.state {
            Some(State::Sha(digest)) => digest.update(bytes),
            Some(State::Md5(digest)) => digest.update(bytes),
            None => return raise(Code::INVALID_STATE),
        }
        AWS_OP_SUCCESS
    })
}

unsafe extern "C" fn finalize(hash: *mut aws_hash, out: *mut aws_byte_buf) -> c_int {
    ffi_fn!({
        // SAFETY: only hashes of `make` carry this function; the caller's buffer.
        let (hash, out) = unsafe { (&mut *hash.cast::<Hash>(), arg!(mut out)) };
        if hash.state.is_none() {
            return raise(Code::INVALID_STATE);
        }
        if out.capacity.saturating_sub(out.len) < hash.seen.digest_size {
            return raise(Code::SHORT_BUFFER);
        }
        hash.seen.good = false;
        match hash.state.take() {
            // SAFETY: the room was checked.
            Some(State::Sha(digest)) => unsafe { append(out, &digest.finish()) },
            // SAFETY: as above.
            Some(State::Md5(digest)) => unsafe { append(out, &digest.finish().0) },
            None => return raise(Code::INVALID_STATE),
        }
        AWS_OP_SUCCESS
    })
}

/// # Safety
/// The buffer has room for `bytes`.
unsafe fn append(out: &mut aws_byte_buf, bytes: &[u8]) {
    // SAFETY: by the contract.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.buffer.add(out.len), bytes.len()) };
    out.len += bytes.len();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::alloc::{default_allocator, tests::LIVE, tests::counting};
    use crate::ffi::raise::last_error;

    fn buffer(room: &mut [u8]) -> aws_byte_buf {
        aws_byte_buf {
            len: 0,
            buffer: room.as_mut_ptr(),
            capacity: room.len(),
            allocator: std::ptr::null_mut(),
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The digest of `abc`, fed byte by byte.
    unsafe fn of_abc(hash: *mut aws_hash) -> String {
        let mut room = [0u8; 64];
        let mut out = buffer(&mut room);
        // SAFETY: the hash is live until it is destroyed here.
        unsafe {
            for byte in b"abc" {
                let piece = aws_byte_cursor { len: 1, ptr: (byte as *const u8).cast_mut() };
                assert_eq!(aws_hash_update(hash, &piece), 0);
            }
            assert_eq!(aws_hash_finalize(hash, &mut out, 0), 0);
            assert_eq!(aws_hash_finalize(hash, &mut out, 0), -1);
            assert_eq!(last_error(), Code::INVALID_STATE.0);
            aws_hash_destroy(hash);
        }
        hex(&room[..out.len])
    }

    #[test]
    fn published_digests_of_abc_come_out() {
        let a = counting(4);
        // SAFETY: hashes are used and destroyed once.
        unsafe {
            assert_eq!(of_abc(aws_sha1_new(a)), "a9993e364706816aba3e25717850c26c9cd0d89d");
            assert_eq!(
                of_abc(aws_sha256_new(a)),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            );
            assert!(of_abc(aws_sha512_new(a)).starts_with("ddaf35a193617abacc417349ae204131"));
            assert_eq!(of_abc(aws_md5_new(a)), "900150983cd24fb0d6963f7d28e17f72");
            assert!(aws_sha256_new(a).is_null());
        }
        assert_eq!(last_error(), Code::OOM.0);
        assert_eq!(LIVE.get(), 0);
    }

    #[test]
    fn truncated_digest_is_the_first_bytes_and_short_room_loses_nothing() {
        // SAFETY: the hash is live until destroyed.
        unsafe {
            let hash = aws_sha256_new(default_allocator());
            let mut room = [0u8; 16];
            let mut out = buffer(&mut room);
            assert_eq!(aws_hash_finalize(hash, &mut out, 0), -1);
            assert_eq!(last_error(), Code::SHORT_BUFFER.0);
            assert_eq!(aws_hash_finalize(hash, &mut out, 17), -1);
            assert_eq!(aws_hash_finalize(hash, &mut out, 16), 0);
            assert_eq!(hex(&room), "e3b0c44298fc1c149afbf4c8996fb924");
            aws_hash_destroy(hash);
        }
    }

    #[test]
    fn null_arguments_are_invalid() {
        // SAFETY: NULL is allowed.
        unsafe {
            assert!(aws_sha1_new(std::ptr::null_mut()).is_null());
            assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
            aws_hash_destroy(std::ptr::null_mut());
            assert_eq!(aws_hash_update(std::ptr::null_mut(), std::ptr::null()), -1);
            assert_eq!(aws_hash_finalize(std::ptr::null_mut(), std::ptr::null_mut(), 0), -1);
            let hash = aws_sha1_new(default_allocator());
            assert_eq!(aws_hash_update(hash, std::ptr::null()), -1);
            let absurd = aws_byte_cursor { len: usize::MAX, ptr: std::ptr::null_mut() };
            assert_eq!(aws_hash_update(hash, &absurd), -1);
            assert_eq!(aws_hash_finalize(hash, std::ptr::null_mut(), 0), -1);
            aws_hash_destroy(hash);
        }
    }
}
