//! The callbacks of a meta request as the engine's observer.

use std::ffi::c_int;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use crate::base::{Code, Error, Result};
use crate::client::{BodySlice, Observer, Outcome, RequestMetrics, UploadReview, Wants};
use crate::ctypes::aws_byte_buf;
use crate::ffi::adapt::pool::ticket_of;
use crate::ffi::http::request_response::{headers_new, headers_release};
use crate::ffi::place::cursor_of;
use crate::ffi::raise::{self, AWS_OP_SUCCESS, last_error_or};
use crate::ffi::s3::mem;
use crate::ffi::s3::s3_buffer_pool::ticket_release;
use crate::ffi::s3::s3_client::meta_request::Handle;
use crate::ffi::s3::s3_client::{
    aws_s3_checksum_algorithm, aws_s3_meta_request, aws_s3_meta_request_progress,
    aws_s3_meta_request_receive_body_extra_info, aws_s3_meta_request_result,
    aws_s3_upload_part_review, aws_s3_upload_review, metrics,
};
use crate::http1::HeaderList;
use crate::log;

/// Calls the callbacks stored in a meta request's handle, which `on_shutdown`, the last call, frees.
pub(crate) struct CallerObserver(pub *const Handle);

// SAFETY: the handle is alive until `on_shutdown`; its callbacks may be called on any thread.
unsafe impl Send for CallerObserver {}
// SAFETY: the engine calls one at a time.
unsafe impl Sync for CallerObserver {}

/// What a callback's return value says.
fn verdict(code: c_int) -> Result<()> {
    match code {
        AWS_OP_SUCCESS => Ok(()),
        _ => Err(last_error_or(Code::UNKNOWN)),
    }
}

fn number(algorithm: Option<crate::checksum::Algorithm>) -> aws_s3_checksum_algorithm {
    aws_s3_checksum_algorithm(algorithm.map_or(0, |a| a as u32))
}

impl CallerObserver {
    fn handle(&self) -> &Handle {
        // SAFETY: alive until `on_shutdown`.
        unsafe { &*self.0 }
    }
    fn c(&self) -> *mut aws_s3_meta_request {
        self.0.cast_mut().cast()
    }
}

impl Observer for CallerObserver {
    fn wants(&self) -> Wants {
        let c = &self.handle().callbacks;
        Wants {
            headers: c.headers.is_some(),
            body: c.body.is_some() || c.body_ex.is_some(),
            progress: c.progress.is_some(),
            telemetry: c.telemetry.is_some(),
            review: c.review.is_some(),
        }
    }

    fn on_headers(&self, status: u16, headers: &HeaderList) -> Result<()> {
        let h = self.handle();
        let Some(call) = h.callbacks.headers else { return Ok(()) };
        raise::set_last_error(0);
        // SAFETY: the allocator outlives the handle; the callback's own data goes with it. The
        // headers are a plain pointer while the caller's code runs.
        unsafe {
            let list = headers_new(h.allocator, headers.iter())?;
            let code = call(self.c(), list, c_int::from(status), h.callbacks.user_data);
            let verdict = verdict(code);
            headers_release(list);
            verdict
        }
    }

    fn on_body(&self, body: &BodySlice) -> Result<()> {
        let h = self.handle();
        let cursor = cursor_of(body.chunk.bytes());
        if let Some(call) = h.callbacks.body {
            raise::set_last_error(0);
            // SAFETY: the caller's function with its own data; the cursor is valid during the call.
            return verdict(unsafe { call(self.c(), &cursor, body.start, h.callbacks.user_data) });
        }
        let Some(call) = h.callbacks.body_ex else { return Ok(()) };
        let ticket = ticket_of(&body.chunk);
        let info = aws_s3_meta_request_receive_body_extra_info { range_start: body.start, ticket };
        raise::set_last_error(0);
        // SAFETY: as above; our reference to the ticket ends after the call.
        unsafe {
            let verdict = verdict(call(self.c(), &cursor, info, h.callbacks.user_data));
            ticket_release(ticket);
            verdict
        }
    }

    fn on_progress(&self, bytes_transferred: u64, content_length: u64) {
        let h = self.handle();
        if let Some(call) = h.callbacks.progress {
            let progress = aws_s3_meta_request_progress { bytes_transferred, content_length };
            // SAFETY: the caller's function with its own data.
            unsafe { call(self.c(), &progress, h.callbacks.user_data) };
        }
    }

    fn on_telemetry(&self, figures: &Arc<RequestMetrics>) {
        let h = self.handle();
        h.refresh_client_figures();
        let Some(call) = h.callbacks.telemetry else { return };
        // SAFETY: the allocator outlives the handle; our reference ends after the call.
        unsafe {
            match metrics::create(h.allocator, figures) {
                Ok(m) => {
                    call(self.c(), m, h.callbacks.user_data);
                    metrics::release(m);
                }
                Err(e) => log!(S3MetaRequest, Error, self.0, "no memory for figures: {e}"),
            }
        }
    }

    fn on_upload_review(&self, review: &UploadReview) -> Result<()> {
        let h = self.handle();
        let Some(call) = h.callbacks.review else { return Ok(()) };
        let parts: Vec<aws_s3_upload_part_review> = review
            .parts
            .iter()
            .map(|p| aws_s3_upload_part_review {
                size: p.size,
                checksum: cursor_of(p.checksum.as_bytes()),
            })
            .collect();
        let mut parts = ManuallyDrop::new(parts);
        let seen = aws_s3_upload_review {
            checksum_algorithm: number(review.algorithm),
            part_count: parts.len(),
            part_array: parts.as_mut_ptr(),
        };
        raise::set_last_error(0);
        // SAFETY: the caller's function with its own data; the parts live until the drop below.
        unsafe {
            let verdict = verdict(call(self.c(), &seen, h.callbacks.user_data));
            ManuallyDrop::drop(&mut parts);
            verdict
        }
    }

    fn on_finish(&self, outcome: &Outcome) {
        let h = self.handle();
        h.finish(outcome.error);
        let Some(call) = h.callbacks.finish else { return };
        let error = outcome.error.map_or(0, |e| e.code.0);
        let mut body = aws_byte_buf {
            len: 0,
            buffer: ptr::null_mut(),
            capacity: 0,
            allocator: ptr::null_mut(),
        };
        let mut result = aws_s3_meta_request_result {
            error_response_headers: ptr::null_mut(),
            error_response_body: ptr::null_mut(),
            error_response_operation_name: ptr::null_mut(),
            response_status: 0,
            did_validate: outcome.did_validate,
            validation_algorithm: number(outcome.algorithm),
            error_code: error,
        };
        if describes_a_response(outcome.error) {
            result.response_status = c_int::from(outcome.status);
        }
        if outcome.error.is_some() && describes_a_response(outcome.error) {
            // Where there is no memory for a detail the result goes without it.
            // SAFETY: the allocator outlives the handle.
            unsafe {
                if let Some(headers) = &outcome.headers {
                    result.error_response_headers =
                        headers_new(h.allocator, headers.iter()).unwrap_or(ptr::null_mut());
                }
                if let Some(name) = &outcome.operation {
                    result.error_response_operation_name =
                        mem::new_string(h.allocator, name.as_bytes()).unwrap_or(ptr::null_mut());
                }
            }
            if let Some(bytes) = outcome.body.as_ref().filter(|b| !b.is_empty()) {
                body.len = bytes.len();
                body.capacity = bytes.len();
                body.buffer = bytes.as_ptr().cast_mut();
                result.error_response_body = &mut body;
            }
        }
        // SAFETY: the caller's function with its own data; what the result points to lives until
        // after the call.
        unsafe {
            call(self.c(), &result, h.callbacks.user_data);
            headers_release(result.error_response_headers);
            mem::free_string(result.error_response_operation_name);
        }
    }

    fn on_shutdown(&self) {
        if let Some(handle) = NonNull::new(self.0.cast_mut()) {
            // SAFETY: the engine's last call; the handle is not used afterwards.
            unsafe { Handle::end(handle) };
        }
    }
}

/// Success, and the errors that stand for a response of the server.
fn describes_a_response(error: Option<Error>) -> bool {
    matches!(
        error.map(|e| e.code),
        None | Some(
            Code::S3_INVALID_RESPONSE_STATUS
                | Code::S3_NON_RECOVERABLE_ASYNC_ERROR
                | Code::S3_OBJECT_MODIFIED
        )
    )
}
