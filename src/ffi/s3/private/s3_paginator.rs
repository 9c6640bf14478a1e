//! Header `aws/s3/private/s3_paginator.h`: lists that come in pages.
//!
//! A paginator asks for one page at a time, each time it is told to continue. The objects of a page
//! are handed over one by one, then the end of the page is told; both on a delivery thread. There is
//! one kind of list so far, of the objects of a bucket (ListObjectsV2).

use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr;

use crate::base::sync::Mutex;

use super::s3_list_objects::{
    aws_s3_object_info, aws_s3_on_object_fn, aws_s3_on_object_list_finished_fn,
};
use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::ffi::auth::signing_config::aws_signing_config_aws;
use crate::ffi::common::date_time::date_time_of;
use crate::ffi::http::request_response::{
    aws_http_message, message_add, message_release, request_new,
};
use crate::ffi::place::{Placed, Tagged, cursor_of};
use crate::ffi::raise::{self, AWS_OP_SUCCESS};
use crate::ffi::s3::mem::cursor_bytes;
use crate::ffi::s3::s3_client::{
    aws_s3_client, aws_s3_meta_request, aws_s3_meta_request_options, aws_s3_meta_request_result,
    aws_s3_meta_request_type, client, meta_request, start,
};
use crate::log;
use crate::s3msg::{ObjectPage, parse_object_page};
use crate::text::percent;

/// A list that comes in pages. Counted.
pub struct aws_s3_paginator {
    _private: [u8; 0],
}

/// What stands behind the C handle.
pub(crate) struct Paginator {
    pub allocator: *mut aws_allocator,
    /// A reference.
    pub client: *mut aws_s3_client,
    pub host: String,
    pub prefix: String,
    pub delimiter: String,
    pub on_object: aws_s3_on_object_fn,
    pub on_page: aws_s3_on_object_list_finished_fn,
    pub user_data: *mut c_void,
    pub state: Mutex<State>,
}

// SAFETY: every `aws_s3_paginator` is made by `aws_s3_initiate_list_objects`.
unsafe impl Tagged for Paginator {
    type C = aws_s3_paginator;
    const NAME: &'static str = "aws_s3_paginator";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.page");
}

pub(crate) struct State {
    pub step: Step,
    pub token: Option<String>,
    pub has_more: bool,
    body: Vec<u8>,
    /// The request of the last page; a reference.
    request: *mut aws_s3_meta_request,
}

impl State {
    pub(crate) fn new(token: Option<String>) -> State {
        State {
            step: Step::Idle,
            token,
            has_more: false,
            body: Vec::new(),
            request: ptr::null_mut(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The next page may be asked for.
    Idle,
    Asking,
    /// There is no further page.
    Over,
    Failed,
}

/// Answers to ListObjectsV2 stay far below this; a longer one is no answer.
const PAGE_BYTES_MAX: usize = 64 << 20;

impl Drop for Paginator {
    fn drop(&mut self) {
        let request = self.state.get_mut().request;
        // SAFETY: the references are ours.
        unsafe {
            meta_request::release(request);
            client::release(self.client);
        }
    }
}

impl Paginator {
    /// Path and query of the next page's request.
    fn target(&self, token: Option<&str>) -> Vec<u8> {
        let mut path = b"/?list-type=2".to_vec();
        let mut param = |name: &[u8], value: &str| {
            path.extend_from_slice(name);
            percent::encode_param(value.as_bytes(), &mut path);
        };
        if !self.prefix.is_empty() {
            param(b"&prefix=", &self.prefix);
        }
        if !self.delimiter.is_empty() {
            param(b"&delimiter=", &self.delimiter);
        }
        if let Some(token) = token {
            param(b"&continuation-token=", token);
        }
        path
    }

    /// # Safety
    /// `this` is the paginator's own handle; the options are live.
    unsafe fn ask(
        &self,
        this: *mut aws_s3_paginator,
        signing_config: *const aws_signing_config_aws,
    ) -> Result<()> {
        let (token, old) = {
            let mut s = self.state.lock();
            if s.step != Step::Idle {
                return Err(Error::new(Code::INVALID_STATE));
            }
            s.step = Step::Asking;
            s.body.clear();
            (s.token.clone(), std::mem::replace(&mut s.request, ptr::null_mut()))
        };
        // SAFETY: by the contract; the reference to the paginator taken here ends with the finish
        // callback, or below where that will not come.
        unsafe {
            meta_request::release(old);
            let begun = self.begin(this, token.as_deref(), signing_config);
            let mut s = self.state.lock();
            match begun {
                Ok(request) => {
                    s.request = request;
                    Ok(())
                }
                Err(e) => {
                    s.step = Step::Failed;
                    Err(e)
                }
            }
        }
    }

    /// # Safety
    /// As for [`ask`](Self::ask).
    unsafe fn begin(
        &self,
        this: *mut aws_s3_paginator,
        token: Option<&str>,
        signing_config: *const aws_signing_config_aws,
    ) -> Result<*mut aws_s3_meta_request> {
        // SAFETY: by the contract; zeroed options are a valid state of the struct.
        unsafe {
            let message: *mut aws_http_message =
                request_new(self.allocator, b"GET", &self.target(token))?;
            let headers = message_add(message, b"accept", b"application/xml")
                .and_then(|()| message_add(message, b"host", self.host.as_bytes()));
            let made = headers.and_then(|()| {
                let mut o: aws_s3_meta_request_options = std::mem::zeroed();
                o.r#type = aws_s3_meta_request_type::AWS_S3_META_REQUEST_TYPE_DEFAULT;
                o.operation_name = cursor_of(b"ListObjectsV2");
                o.signing_config = signing_config;
                o.message = message;
                o.user_data = this.cast();
                o.body_callback = Some(on_body);
                o.finish_callback = Some(on_finish);
                Placed::<Paginator>::acquire(this);
                start::make(self.client, &o).inspect_err(|_| release(this))
            });
            message_release(message);
            made
        }
    }

    /// Hands a page over; the token of the next one, where there is one and the caller wants it.
    fn hand_over(&self, page: &ObjectPage) -> bool {
        let Some(call) = self.on_object else { return true };
        let none = aws_byte_cursor { len: 0, ptr: ptr::null_mut() };
        let objects = page.objects.iter().map(|o| aws_s3_object_info {
            prefix: cursor_of(self.prefix.as_bytes()),
            key: cursor_of(o.key.as_bytes()),
            size: o.size,
            last_modified: date_time_of(o.last_modified.unwrap_or(0) as f64),
            e_tag: cursor_of(o.etag.as_bytes()),
        });
        let prefixes = page.common_prefixes.iter().map(|p| aws_s3_object_info {
            prefix: cursor_of(p.as_bytes()),
            key: none,
            size: 0,
            last_modified: date_time_of(0.0),
            e_tag: none,
        });
        for info in objects.chain(prefixes) {
            // SAFETY: the caller's function with its own data; the info is valid during the call.
            if unsafe { call(&info, self.user_data) } != AWS_OP_SUCCESS {
                return false;
            }
        }
        true
    }

    /// The answer is complete: the code that the caller is told.
    fn page_arrived(&self, status: c_int, error: c_int) -> c_int {
        if error != 0 || status != 200 {
            let mut s = self.state.lock();
            s.step = Step::Failed;
            s.has_more = false;
            return if error == 0 { Code::S3_INVALID_RESPONSE_STATUS.0 } else { error };
        }
        let body = std::mem::take(&mut self.state.lock().body);
        let parsed = parse_object_page(&body);
        drop(body);
        let page = match parsed {
            // Not dropped while the caller's code runs.
            Ok(page) => ManuallyDrop::new(page),
            Err(e) => {
                log!(S3General, Error, 0, "a page of a list cannot be read: {e}");
                let mut s = self.state.lock();
                s.step = Step::Failed;
                s.has_more = false;
                return e.code.0;
            }
        };
        let goes_on = self.hand_over(&page);
        let page = ManuallyDrop::into_inner(page);
        let mut s = self.state.lock();
        s.token = page.next_token.filter(|_| goes_on);
        s.has_more = s.token.is_some();
        s.step = if s.has_more { Step::Idle } else { Step::Over };
        0
    }
}

unsafe extern "C-unwind" fn on_body(
    _: *mut aws_s3_meta_request,
    body: *const aws_byte_cursor,
    _: u64,
    user_data: *mut c_void,
) -> c_int {
    // SAFETY: the request holds a reference to the paginator; the cursor is valid during the call.
    unsafe {
        let Ok(paginator) = Placed::<Paginator>::view(user_data.cast()) else {
            return raise::AWS_OP_ERR;
        };
        let Ok(bytes) = cursor_bytes(*body) else { return raise::AWS_OP_ERR };
        let mut s = paginator.state.lock();
        if s.body.len() + bytes.len() > PAGE_BYTES_MAX {
            drop(s);
            return raise::raise(Code::INVALID_XML);
        }
        s.body.extend_from_slice(bytes);
    }
    AWS_OP_SUCCESS
}

unsafe extern "C-unwind" fn on_finish(
    _: *mut aws_s3_meta_request,
    result: *const aws_s3_meta_request_result,
    user_data: *mut c_void,
) {
    let this: *mut aws_s3_paginator = user_data.cast();
    // SAFETY: the request holds a reference to the paginator, given up below.
    unsafe {
        if let Ok(paginator) = Placed::<Paginator>::view(this) {
            let code = paginator.page_arrived((*result).response_status, (*result).error_code);
            if let Some(call) = paginator.on_page {
                call(this, code, paginator.user_data);
            }
        }
        release(this);
    }
}

unsafe fn release(paginator: *mut aws_s3_paginator) {
    if !paginator.is_null() {
        // SAFETY: the reference is the caller's to give up.
        drop(unsafe { Placed::<Paginator>::release(paginator) });
    }
}

/// Gives up a reference. A page under way goes on. NULL is nothing. Any thread, callbacks included.
///
/// # Safety
/// `paginator` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_paginator_release(paginator: *mut aws_s3_paginator) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { release(paginator) };
    })
}

/// Asks for the next page. Its objects are handed over, then its end is told, on a delivery thread.
/// `signing_config` is copied; NULL = the client's. AWS_OP_ERR with AWS_ERROR_INVALID_STATE while a
/// page is under way, after the last one and after a failure; or with what
/// `aws_s3_client_make_meta_request` raises. Any thread, the callback of a page's end included.
///
/// # Safety
/// `paginator` is NULL or live; the options are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_paginator_continue(
    paginator: *mut aws_s3_paginator,
    signing_config: *const aws_signing_config_aws,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            let p = ok!(Placed::<Paginator>::view(paginator));
            ok!(p.ask(paginator, signing_config));
        }
        AWS_OP_SUCCESS
    })
}

/// Whether there is another page. False before the first one came. Any thread.
///
/// # Safety
/// `paginator` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_paginator_has_more_results(
    paginator: *const aws_s3_paginator,
) -> bool {
    ffi_fn!({
        // SAFETY: by the contract.
        ok!(unsafe { Placed::<Paginator>::view(paginator) }).state.lock().has_more
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paginator(seen: *mut Vec<String>) -> Paginator {
        unsafe extern "C-unwind" fn on_object(
            info: *const aws_s3_object_info,
            user_data: *mut c_void,
        ) -> c_int {
            // SAFETY: the user data is the test's list; the info is valid during the call.
            unsafe {
                let text =
                    |c| String::from_utf8_lossy(cursor_bytes(c).expect("bytes")).into_owned();
                let i = &*info;
                let line =
                    format!("{}|{}|{}|{}", text(i.prefix), text(i.key), i.size, text(i.e_tag));
                let stop = text(i.key) == "stop";
                (*user_data.cast::<Vec<String>>()).push(line);
                if stop { -1 } else { 0 }
            }
        }
        Paginator {
            allocator: ptr::null_mut(),
            client: ptr::null_mut(),
            host: "b.example.com".into(),
            prefix: "a b/".into(),
            delimiter: "/".into(),
            on_object: Some(on_object),
            on_page: None,
            user_data: seen.cast(),
            state: Mutex::new(State::new(None)),
        }
    }

    fn page(p: &Paginator, body: &str) -> c_int {
        p.state.lock().step = Step::Asking;
        p.state.lock().body = body.as_bytes().to_vec();
        p.page_arrived(200, 0)
    }

    #[test]
    fn request_of_a_page_names_prefix_delimiter_and_token() {
        let mut seen = Vec::new();
        let p = paginator(&mut seen);
        let text = |t| String::from_utf8(p.target(t)).expect("ASCII");
        assert_eq!(text(None), "/?list-type=2&prefix=a%20b%2F&delimiter=%2F");
        assert!(text(Some("x+y=")).ends_with("&continuation-token=x%2By%3D"));
    }

    #[test]
    fn pages_are_handed_over_until_the_last() {
        let mut seen = Vec::new();
        let p = paginator(&mut seen);
        let first = "<ListBucketResult><IsTruncated>true</IsTruncated>\
            <NextContinuationToken>t1</NextContinuationToken>\
            <Contents><Key>a b/k&amp;1</Key><Size>5</Size><ETag>&quot;e&quot;</ETag>\
            <LastModified>2024-01-02T03:04:05.000Z</LastModified></Contents>\
            <CommonPrefixes><Prefix>a b/c/</Prefix></CommonPrefixes></ListBucketResult>";
        assert_eq!(page(&p, first), 0);
        assert_eq!(seen, ["a b/|a b/k&1|5|\"e\"", "a b/c/||0|"]);
        assert!(p.state.lock().has_more);
        assert_eq!(p.state.lock().step, Step::Idle);
        let last = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
        assert_eq!(page(&p, last), 0);
        let s = p.state.lock();
        assert_eq!((s.has_more, s.step), (false, Step::Over));
    }

    #[test]
    fn callers_no_ends_the_list_and_a_bad_page_is_an_error() {
        let mut seen = Vec::new();
        let p = paginator(&mut seen);
        let stop = "<ListBucketResult><IsTruncated>true</IsTruncated>\
            <NextContinuationToken>t1</NextContinuationToken>\
            <Contents><Key>stop</Key><Size>1</Size></Contents>\
            <Contents><Key>after</Key><Size>1</Size></Contents></ListBucketResult>";
        assert_eq!(page(&p, stop), 0);
        assert_eq!(seen.len(), 1);
        assert_eq!(p.state.lock().step, Step::Over);
        assert_ne!(page(&p, "<Error/>"), 0);
        assert_eq!(p.state.lock().step, Step::Failed);
        p.state.lock().step = Step::Asking;
        assert_eq!(p.page_arrived(0, 1058), 1058);
    }
}
