//! Resume tokens: how far a transfer came, for another one to go on.

use std::ptr;

use super::{
    aws_s3_meta_request_resume_token, aws_s3_meta_request_type, aws_s3_upload_resume_token_options,
};
use crate::base::{Code, Result};
use crate::client::ResumeToken;
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::ffi::place::{Placed, Tagged};
use crate::ffi::raise;
use crate::ffi::s3::mem;

/// An upload's state, or a download's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Upload(ResumeToken),
    Download(Download),
}

/// State of a paused or failed download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Download {
    pub part_size: u64,
    pub parts_total: u64,
    pub parts_done: u64,
    pub etag: String,
    pub version_id: String,
    pub last_modified: String,
    pub object_size: u64,
    /// First and last byte of the range, both counted.
    pub range: (u64, u64),
    pub contiguous_bytes: u64,
    pub bytes: u64,
    pub file_modified_ns: u64,
}

ffi_failure!(aws_s3_meta_request_type = aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_DEFAULT);

// SAFETY: every `aws_s3_meta_request_resume_token` is made by `create` below.
unsafe impl Tagged for State {
    type C = aws_s3_meta_request_resume_token;
    const NAME: &'static str = "aws_s3_meta_request_resume_token";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.resu");
}

/// Hands a token to C with one reference.
///
/// # Safety
/// `allocator` is NULL or a live allocator that outlives the token.
pub(crate) unsafe fn create(
    allocator: *mut aws_allocator,
    state: State,
) -> Result<*mut aws_s3_meta_request_resume_token> {
    // SAFETY: by the contract.
    unsafe { Placed::make(allocator, state) }
}

unsafe fn view<'a>(token: *const aws_s3_meta_request_resume_token) -> Option<&'a State> {
    // SAFETY: by the contract of the callers.
    unsafe { Placed::<State>::view(token) }.ok()
}

/// The upload a caller wants to go on with; `None` for NULL.
///
/// # Safety
/// `token` is NULL or live.
pub(crate) unsafe fn upload(
    token: *const aws_s3_meta_request_resume_token,
) -> Option<std::result::Result<ResumeToken, Code>> {
    // SAFETY: by the contract.
    Some(match unsafe { view(token) }? {
        State::Upload(upload) => Ok(upload.clone()),
        State::Download(_) => Err(Code::INVALID_ARGUMENT),
    })
}

/// Gives up a reference.
///
/// # Safety
/// `token` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn release(token: *mut aws_s3_meta_request_resume_token) {
    // SAFETY: by the contract.
    drop(unsafe { Placed::<State>::release(token) });
}

/// A number of an upload's token or a download's; NULL raises AWS_ERROR_INVALID_ARGUMENT.
unsafe fn number(
    token: *const aws_s3_meta_request_resume_token,
    upload: impl FnOnce(&ResumeToken) -> u64,
    download: impl FnOnce(&Download) -> u64,
) -> u64 {
    // SAFETY: by the contract of the exports below.
    match unsafe { view(token) } {
        Some(State::Upload(u)) => upload(u),
        Some(State::Download(d)) => download(d),
        None => raise::fail(Code::INVALID_ARGUMENT),
    }
}

/// A text of a token; empty where it has none.
unsafe fn text(
    token: *const aws_s3_meta_request_resume_token,
    get: impl for<'a> FnOnce(&'a State) -> &'a str,
) -> aws_byte_cursor {
    // SAFETY: by the contract of the exports below.
    match unsafe { view(token) } {
        Some(state) => mem::cursor_over(get(state).as_bytes()),
        None => raise::fail(Code::INVALID_ARGUMENT),
    }
}

/// Makes an upload's token of values that the getters gave before.
///
/// `allocator` must outlive the token; `options` is copied. One reference is the caller's. NULL
/// with AWS_ERROR_INVALID_ARGUMENT for missing arguments. Any thread.
///
/// # Safety
/// Both are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_new_upload(
    allocator: *mut aws_allocator,
    options: *const aws_s3_upload_resume_token_options,
) -> *mut aws_s3_meta_request_resume_token {
    ffi_fn!({
        // SAFETY: by the contract.
        let options = unsafe { arg!(options) };
        // SAFETY: by the contract.
        let upload_id = ok!(unsafe { mem::cursor_bytes(options.upload_id) });
        let token = ResumeToken {
            upload_id: String::from_utf8_lossy(upload_id).into_owned(),
            part_size: options.part_size,
            parts_total: options.total_num_parts as u64,
            parts_done: options.num_parts_completed as u64,
        };
        // SAFETY: by the contract.
        ok!(unsafe { create(allocator, State::Upload(token)) })
    })
}

/// Adds a reference and returns `resume_token`; NULL stays NULL. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_acquire(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> *mut aws_s3_meta_request_resume_token {
    ffi_fn!({
        if !resume_token.is_null() {
            // SAFETY: by the contract.
            unsafe { Placed::<State>::acquire(resume_token) };
        }
        resume_token
    })
}

/// Gives up a reference. NULL is nothing. Returns NULL. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_release(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> *mut aws_s3_meta_request_resume_token {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { release(resume_token) };
        ptr::null_mut()
    })
}

/// AWS_S3_META_REQUEST_TYPE_PUT_OBJECT for an upload's token, AWS_S3_META_REQUEST_TYPE_GET_OBJECT
/// for a download's. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_type(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> aws_s3_meta_request_type {
    ffi_fn!({
        // SAFETY: by the contract.
        match unsafe { view(resume_token) } {
            Some(State::Upload(_)) => aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT,
            Some(State::Download(_)) => {
                aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_GET_OBJECT
            }
            None => raise::fail(Code::INVALID_ARGUMENT),
        }
    })
}

/// Bytes of a part. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_part_size(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |u| u.part_size, |d| d.part_size) } })
}

/// Parts of the whole transfer. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_total_num_parts(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> usize {
    // SAFETY: by the contract.
    ffi_fn!({ (unsafe { number(resume_token, |u| u.parts_total, |d| d.parts_total) }) as usize })
}

/// Parts that were done. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_num_parts_completed(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> usize {
    // SAFETY: by the contract.
    ffi_fn!({ (unsafe { number(resume_token, |u| u.parts_done, |d| d.parts_done) }) as usize })
}

/// Upload id; empty for a download's token. Valid as long as the token. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_upload_id(
    resume_token: *mut aws_s3_meta_request_resume_token,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            text(resume_token, |s| match s {
                State::Upload(u) => &u.upload_id,
                State::Download(_) => "",
            })
        }
    })
}

/// ETag of the object; empty for an upload's token or where it is not known. Valid as long as
/// the token. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_etag(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            text(resume_token, |s| match s {
                State::Download(d) => &d.etag,
                State::Upload(_) => "",
            })
        }
    })
}

/// Version of the object; empty for an upload's token or where it is not known. Valid as long as
/// the token. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_version_id(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            text(resume_token, |s| match s {
                State::Download(d) => &d.version_id,
                State::Upload(_) => "",
            })
        }
    })
}

/// Last-Modified of the object, as in the response; empty for an upload's token or where it is not known. Valid as long as
/// the token. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_s3_object_last_modified(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> aws_byte_cursor {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            text(resume_token, |s| match s {
                State::Download(d) => &d.last_modified,
                State::Upload(_) => "",
            })
        }
    })
}

/// Bytes of the whole object; 0 for an upload's token or where it is not
/// known. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_object_size(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |_| 0, |d| d.object_size) } })
}

/// Offset of the first byte of the download; 0 for an upload's token or where it is not
/// known. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_object_range_start(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |_| 0, |d| d.range.0) } })
}

/// Offset of the last byte of the download; 0 for an upload's token or where it is not
/// known. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_object_range_end(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |_| 0, |d| d.range.1) } })
}

/// Bytes received without a gap from the start of the range; 0 for an upload's token or where it is not
/// known. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_continuous_downloaded_bytes(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |_| 0, |d| d.contiguous_bytes) } })
}

/// Bytes received, also behind gaps; 0 for an upload's token or where it is not
/// known. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_total_downloaded_bytes(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |_| 0, |d| d.bytes) } })
}

/// When the file written to was last changed, in nanoseconds since 1970; 0 for an upload's token or where it is not
/// known. Any thread.
///
/// # Safety
/// `resume_token` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_meta_request_resume_token_file_last_modified_epoch_ns(
    resume_token: *const aws_s3_meta_request_resume_token,
) -> u64 {
    // SAFETY: by the contract.
    ffi_fn!({ unsafe { number(resume_token, |_| 0, |d| d.file_modified_ns) } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;

    #[test]
    fn upload_token_gives_back_what_it_was_made_of() {
        let options = aws_s3_upload_resume_token_options {
            upload_id: mem::cursor_over(b"the id"),
            part_size: 8 << 20,
            total_num_parts: 10,
            num_parts_completed: 3,
        };
        // SAFETY: the token lives until its release.
        unsafe {
            let t = aws_s3_meta_request_resume_token_new_upload(default_allocator(), &options);
            assert!(!t.is_null());
            aws_s3_meta_request_resume_token_acquire(t);
            aws_s3_meta_request_resume_token_release(t);
            assert_eq!(
                aws_s3_meta_request_resume_token_type(t),
                aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_PUT_OBJECT
            );
            assert_eq!(aws_s3_meta_request_resume_token_part_size(t), 8 << 20);
            assert_eq!(aws_s3_meta_request_resume_token_total_num_parts(t), 10);
            assert_eq!(aws_s3_meta_request_resume_token_num_parts_completed(t), 3);
            let id = aws_s3_meta_request_resume_token_upload_id(t);
            assert_eq!(mem::cursor_bytes(id), Ok(&b"the id"[..]));
            assert_eq!(aws_s3_meta_request_resume_token_etag(t).len, 0);
            assert_eq!(aws_s3_meta_request_resume_token_object_size(t), 0);
            assert_eq!(upload(t).and_then(|u| u.ok()).map(|u| u.parts_done), Some(3));
            aws_s3_meta_request_resume_token_release(t);
        }
    }

    #[test]
    fn download_token_cannot_resume_an_upload() {
        let state = State::Download(Download {
            etag: "\"e\"".into(),
            range: (5, 9),
            contiguous_bytes: 2,
            ..Default::default()
        });
        // SAFETY: the token lives until its release.
        unsafe {
            let t = create(default_allocator(), state).expect("memory");
            assert!(upload(t).is_some_and(|u| u.is_err()));
            assert_eq!(aws_s3_meta_request_resume_token_object_range_end(t), 9);
            assert_eq!(aws_s3_meta_request_resume_token_continuous_downloaded_bytes(t), 2);
            let etag = aws_s3_meta_request_resume_token_etag(t);
            assert_eq!(mem::cursor_bytes(etag), Ok(&b"\"e\""[..]));
            release(t);
        }
    }
}
