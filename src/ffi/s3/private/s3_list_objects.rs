//! Header `aws/s3/private/s3_list_objects.h`: the objects of a bucket.

use std::ffi::{c_int, c_void};

use crate::base::sync::Mutex;

use super::s3_paginator::{Paginator, State, aws_s3_paginator};
use crate::base::{Code, Result};
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::ffi::common::date_time::aws_date_time;
use crate::ffi::place::{Placed, bytes_of};
use crate::ffi::raise;
use crate::ffi::s3::s3_client::{aws_s3_client, client};

/// One object of a list, or one prefix that stands for objects below it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_object_info {
    /// For an object the prefix that was asked for; else the prefix found, with `key` empty.
    pub prefix: aws_byte_cursor,
    /// The object's whole key.
    pub key: aws_byte_cursor,
    /// Bytes of the object.
    pub size: u64,
    pub last_modified: aws_date_time,
    /// With its quotes.
    pub e_tag: aws_byte_cursor,
}

/// The next object or prefix. On a delivery thread; `info` is valid until the callback returns.
/// Return AWS_OP_SUCCESS to go on; anything else ends the list without an error.
pub type aws_s3_on_object_fn = Option<
    unsafe extern "C-unwind" fn(info: *const aws_s3_object_info, user_data: *mut c_void) -> c_int,
>;

/// The end of a page. On a delivery thread. `error_code` is AWS_ERROR_SUCCESS or why the page
/// failed. Where `aws_s3_paginator_has_more_results` says so, `aws_s3_paginator_continue` may be
/// called here.
pub type aws_s3_on_object_list_finished_fn = Option<
    unsafe extern "C-unwind" fn(
        paginator: *mut aws_s3_paginator,
        error_code: c_int,
        user_data: *mut c_void,
    ),
>;

/// What to list. Everything is copied or acquired.
#[repr(C)]
pub struct aws_s3_list_objects_params {
    /// Required.
    pub client: *mut aws_s3_client,
    /// Required.
    pub bucket_name: aws_byte_cursor,
    /// Keys that begin with this; empty = all.
    pub prefix: aws_byte_cursor,
    /// Keys are grouped up to this after the prefix; empty = not.
    pub delimiter: aws_byte_cursor,
    /// Begin at this page; empty = the first.
    pub continuation_token: aws_byte_cursor,
    /// Required. Host that the bucket's name is put before, with a dot.
    pub endpoint: aws_byte_cursor,
    /// May be NULL.
    pub on_object: aws_s3_on_object_fn,
    /// May be NULL.
    pub on_list_finished: aws_s3_on_object_list_finished_fn,
    pub user_data: *mut c_void,
}

/// Creates a list of a bucket's objects, without asking for a page: `aws_s3_paginator_continue` does.
///
/// `allocator` must outlive it. One reference is the caller's. NULL with
/// AWS_ERROR_INVALID_ARGUMENT where something required is missing. Any thread.
///
/// # Safety
/// Both are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_initiate_list_objects(
    allocator: *mut aws_allocator,
    params: *const aws_s3_list_objects_params,
) -> *mut aws_s3_paginator {
    ffi_fn!({
        // SAFETY: by the contract.
        let p = unsafe { arg!(params) };
        // SAFETY: by the contract.
        let text = |cursor| -> Result<String> {
            // SAFETY: by the contract.
            let bytes = unsafe { bytes_of(cursor)? };
            String::from_utf8(bytes.to_vec()).map_err(|_| Code::INVALID_ARGUMENT.into())
        };
        let (bucket, endpoint) = (ok!(text(p.bucket_name)), ok!(text(p.endpoint)));
        if p.client.is_null() || bucket.is_empty() || endpoint.is_empty() {
            return raise::raise_null(Code::INVALID_ARGUMENT);
        }
        let (prefix, delimiter) = (ok!(text(p.prefix)), ok!(text(p.delimiter)));
        let token = Some(ok!(text(p.continuation_token))).filter(|t| !t.is_empty());
        // SAFETY: by the contract; the paginator's drop gives the reference back.
        unsafe {
            client::acquire(p.client);
            ok!(Placed::make(
                allocator,
                Paginator {
                    allocator,
                    client: p.client,
                    host: format!("{bucket}.{endpoint}"),
                    prefix,
                    delimiter,
                    on_object: p.on_object,
                    on_page: p.on_list_finished,
                    user_data: p.user_data,
                    state: Mutex::new(State::new(token)),
                },
            ))
        }
    })
}
