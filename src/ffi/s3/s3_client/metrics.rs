//! Getters of one exchange's figures.
//!
//! The figures are filled in by the engine and never change afterwards. What C reads by pointer
//! (strings, headers) is made when the figures are handed to the telemetry callback, in memory of
//! the client's allocator, and lives as long as the figures.

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Arc;

use super::{aws_s3_request_metrics, aws_s3_request_type};
use crate::base::{Code, Result};
use crate::client::RequestMetrics;
use crate::ctypes::{aws_allocator, aws_string, aws_thread_id_t};
use crate::ffi::http::connection_manager::aws_http_manager_metrics;
use crate::ffi::http::request_response::{aws_http_headers, headers_new, headers_release};
use crate::ffi::place::{Placed, Tagged};
use crate::ffi::raise::{self, AWS_OP_SUCCESS};
use crate::ffi::s3::mem;

/// What stands behind the C handle.
struct Figures {
    allocator: *mut aws_allocator,
    figures: Arc<RequestMetrics>,
    request_id: *mut aws_string,
    extended_request_id: *mut aws_string,
    operation: *mut aws_string,
    path_query: *mut aws_string,
    host: *mut aws_string,
    ip: *mut aws_string,
    headers: *mut aws_http_headers,
}

// SAFETY: every `aws_s3_request_metrics` is made by `create` below.
unsafe impl Tagged for Figures {
    type C = aws_s3_request_metrics;
    const NAME: &'static str = "aws_s3_request_metrics";
    const TAG: u64 = u64::from_le_bytes(*b"s3f.metr");
}

/// Hands figures to C: a handle with one reference.
///
/// # Safety
/// `allocator` is a live allocator that outlives the handle.
pub(crate) unsafe fn create(
    allocator: *mut aws_allocator,
    figures: &Arc<RequestMetrics>,
) -> Result<*mut aws_s3_request_metrics> {
    let mut made = Figures {
        allocator,
        figures: figures.clone(),
        request_id: ptr::null_mut(),
        extended_request_id: ptr::null_mut(),
        operation: ptr::null_mut(),
        path_query: ptr::null_mut(),
        host: ptr::null_mut(),
        ip: ptr::null_mut(),
        headers: ptr::null_mut(),
    };
    // SAFETY: by the contract; what is half made is taken apart by its drop.
    unsafe {
        made.fill()?;
        Placed::make(allocator, made)
    }
}

impl Figures {
    /// # Safety
    /// The allocator is live.
    unsafe fn fill(&mut self) -> Result<()> {
        let m = self.figures.clone();
        let allocator = self.allocator;
        // SAFETY: by the contract.
        let new = |text: &str| unsafe { mem::new_string(allocator, text.as_bytes()) };
        let optional = |text: &Option<String>| match text {
            Some(text) => new(text),
            None => Ok(ptr::null_mut()),
        };
        self.request_id = optional(&m.request_id)?;
        self.extended_request_id = optional(&m.extended_request_id)?;
        self.ip = optional(&m.ip)?;
        self.path_query = new(&m.path_query)?;
        self.host = new(&m.host)?;
        if !m.operation.is_empty() {
            self.operation = new(&m.operation)?;
        }
        if let Some(headers) = &m.headers {
            // SAFETY: by the contract.
            self.headers = unsafe { headers_new(allocator, headers.iter())? };
        }
        Ok(())
    }
}

impl Drop for Figures {
    fn drop(&mut self) {
        let strings = [
            self.request_id,
            self.extended_request_id,
            self.operation,
            self.path_query,
            self.host,
            self.ip,
        ];
        // SAFETY: the strings and the reference to the headers are ours.
        unsafe {
            strings.into_iter().for_each(|s| mem::free_string(s));
            headers_release(self.headers);
        }
    }
}

unsafe fn view<'a>(metrics: *const aws_s3_request_metrics) -> Option<&'a Figures> {
    // SAFETY: by the contract of the exports below.
    unsafe { Placed::<Figures>::view(metrics) }.ok()
}

/// Writes a figure that may be missing.
///
/// # Safety
/// `metrics` is NULL or live, `out` NULL or writable.
unsafe fn read<T>(
    metrics: *const aws_s3_request_metrics,
    out: *mut T,
    get: impl FnOnce(&RequestMetrics) -> Option<T>,
) -> c_int {
    // SAFETY: by the contract.
    let Some(f) = (unsafe { view(metrics) }) else { return raise::raise(Code::INVALID_ARGUMENT) };
    if out.is_null() {
        return raise::raise(Code::INVALID_ARGUMENT);
    }
    match get(&f.figures) {
        Some(value) => {
            // SAFETY: by the contract.
            unsafe { out.write(value) };
            AWS_OP_SUCCESS
        }
        None => raise::raise(Code::S3_METRIC_DATA_NOT_AVAILABLE),
    }
}

/// Writes a pointer that may be NULL, which counts as missing.
///
/// # Safety
/// As for [`read`].
unsafe fn read_pointer<T, U>(
    metrics: *const aws_s3_request_metrics,
    out: *mut U,
    get: impl FnOnce(&Figures) -> *mut T,
    turn: impl FnOnce(*mut T) -> U,
) -> c_int {
    // SAFETY: by the contract.
    let Some(f) = (unsafe { view(metrics) }) else { return raise::raise(Code::INVALID_ARGUMENT) };
    if out.is_null() {
        return raise::raise(Code::INVALID_ARGUMENT);
    }
    let found = get(f);
    if found.is_null() {
        return raise::raise(Code::S3_METRIC_DATA_NOT_AVAILABLE);
    }
    // SAFETY: by the contract.
    unsafe { out.write(turn(found)) };
    AWS_OP_SUCCESS
}

fn span(from: Option<u64>, to: Option<u64>) -> Option<u64> {
    Some(to?.saturating_sub(from?))
}

/// Adds a reference and returns `metrics`; NULL stays NULL. Any thread.
///
/// # Safety
/// `metrics` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_acquire(
    metrics: *mut aws_s3_request_metrics,
) -> *mut aws_s3_request_metrics {
    ffi_fn!({
        if !metrics.is_null() {
            // SAFETY: by the contract.
            unsafe { Placed::<Figures>::acquire(metrics) };
        }
        metrics
    })
}

/// Gives up a reference. NULL is nothing. Returns NULL. Any thread.
///
/// # Safety
/// `metrics` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_release(
    metrics: *mut aws_s3_request_metrics,
) -> *mut aws_s3_request_metrics {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { release(metrics) };
        ptr::null_mut()
    })
}

/// Gives up a reference.
///
/// # Safety
/// `metrics` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn release(metrics: *mut aws_s3_request_metrics) {
    // SAFETY: by the contract.
    drop(unsafe { Placed::<Figures>::release(metrics) });
}

/// The server's x-amz-request-id. Valid as long as `metrics`. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_request_id(
    metrics: *const aws_s3_request_metrics,
    out_request_id: *mut *const aws_string,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read_pointer(metrics, out_request_id, |f| f.request_id, |s| s.cast_const()) }
    })
}

/// The server's x-amz-id-2. Valid as long as `metrics`. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_extended_request_id(
    metrics: *const aws_s3_request_metrics,
    out_extended_request_id: *mut *const aws_string,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read_pointer(
                metrics,
                out_extended_request_id,
                |f| f.extended_request_id,
                |s| s.cast_const(),
            )
        }
    })
}

/// When this try began, in nanoseconds of the monotonic clock. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_start_time: *mut u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_start_time, |m| Some(m.started_ns)) };
    })
}

/// When this try ended, in nanoseconds of the monotonic clock. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_end_time: *mut u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_end_time, |m| Some(m.ended_ns)) };
    })
}

/// Nanoseconds from the beginning to the end of this try. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_total_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_total_duration: *mut u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_total_duration, |m| Some(m.ended_ns.saturating_sub(m.started_ns)))
        };
    })
}

/// When sending of the request began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_send_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_send_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_send_start_time, |m| m.send_started_ns) }
    })
}

/// When sending of the request ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_send_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_send_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_send_end_time, |m| m.send_ended_ns) }
    })
}

/// When receiving of the response began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_receive_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_receive_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_receive_start_time, |m| m.receive_started_ns) }
    })
}

/// When receiving of the response ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_receive_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_receive_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_receive_end_time, |m| m.receive_ended_ns) }
    })
}

/// When signing began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_sign_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_signing_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_signing_start_time, |m| m.sign_started_ns) }
    })
}

/// When signing ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_sign_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_signing_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_signing_end_time, |m| m.sign_ended_ns) }
    })
}

/// When waiting for part memory began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_mem_acquire_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_mem_acquire_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_mem_acquire_start_time, |m| m.memory_started_ns) }
    })
}

/// When waiting for part memory ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_mem_acquire_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_mem_acquire_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_mem_acquire_end_time, |m| m.memory_ended_ns) }
    })
}

/// When delivery to the caller began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_delivery_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_delivery_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_delivery_start_time, |m| m.delivered_started_ns) }
    })
}

/// When delivery to the caller ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_delivery_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_delivery_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_delivery_end_time, |m| m.delivered_ended_ns) }
    })
}

/// When waiting for a connection began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_conn_acquire_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_conn_acquire_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_conn_acquire_start_time, |m| m.connection_started_ns) }
    })
}

/// When waiting for a connection ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_conn_acquire_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_conn_acquire_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_conn_acquire_end_time, |m| m.connection_ended_ns) }
    })
}

/// When the pause before this try began, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_retry_delay_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_retry_delay_start_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_retry_delay_start_time, |m| m.retry_delay_started_ns) }
    })
}

/// When the pause before this try ended, in nanoseconds of the monotonic clock. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_retry_delay_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_retry_delay_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_retry_delay_end_time, |m| m.retry_delay_ended_ns) }
    })
}

/// Nanoseconds of sending of the request. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_sending_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_sending_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_sending_duration, |m| span(m.send_started_ns, m.send_ended_ns)) }
    })
}

/// Nanoseconds of receiving of the response. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_receiving_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_receiving_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_receiving_duration, |m| {
                span(m.receive_started_ns, m.receive_ended_ns)
            })
        }
    })
}

/// Nanoseconds of signing. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_signing_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_signing_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_signing_duration, |m| span(m.sign_started_ns, m.sign_ended_ns)) }
    })
}

/// Nanoseconds of waiting for part memory. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_mem_acquire_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_mem_acquire_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_mem_acquire_duration, |m| {
                span(m.memory_started_ns, m.memory_ended_ns)
            })
        }
    })
}

/// Nanoseconds of delivery to the caller. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_delivery_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_delivery_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_delivery_duration, |m| {
                span(m.delivered_started_ns, m.delivered_ended_ns)
            })
        }
    })
}

/// Nanoseconds of waiting for a connection. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_conn_acquire_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_conn_acquire_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_conn_acquire_duration, |m| {
                span(m.connection_started_ns, m.connection_ended_ns)
            })
        }
    })
}

/// Nanoseconds of the pause before this try. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_retry_delay_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_retry_delay_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_retry_delay_duration, |m| {
                span(m.retry_delay_started_ns, m.retry_delay_ended_ns)
            })
        }
    })
}

/// Nanoseconds from asking for a connection to the first byte of the response. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_service_call_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_service_call_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_service_call_duration, |m| {
                span(m.connection_started_ns, m.receive_started_ns)
            })
        }
    })
}

/// When the first try of this request began, in nanoseconds of the monotonic clock. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_s3_request_first_attempt_start_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_s3_request_first_attempt_start_time: *mut u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_s3_request_first_attempt_start_time, |m| {
                Some(m.first_attempt_started_ns)
            })
        };
    })
}

/// When the last try of this request ended, in nanoseconds of the monotonic clock.
/// Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_s3_request_last_attempt_end_timestamp_ns(
    metrics: *const aws_s3_request_metrics,
    out_s3_request_last_attempt_end_time: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_s3_request_last_attempt_end_time, |m| {
                (m.last_attempt_ended_ns != 0).then_some(m.last_attempt_ended_ns)
            })
        }
    })
}

/// Nanoseconds from the beginning of the first try to the end of the last. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_s3_request_total_duration_ns(
    metrics: *const aws_s3_request_metrics,
    out_request_duration: *mut u64,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_request_duration, |m| {
                let ended = (m.last_attempt_ended_ns != 0).then_some(m.last_attempt_ended_ns);
                span(Some(m.first_attempt_started_ns), ended)
            })
        }
    })
}

/// The HTTP status. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_response_status_code(
    metrics: *const aws_s3_request_metrics,
    out_response_status: *mut c_int,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_response_status, |m| m.status.map(c_int::from)) }
    })
}

/// The headers of the response. Valid as long as `metrics`. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_response_headers(
    metrics: *const aws_s3_request_metrics,
    out_response_headers: *mut *mut aws_http_headers,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read_pointer(metrics, out_response_headers, |f| f.headers, |h| h) }
    })
}

/// Path and query of the request. Valid as long as `metrics`. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_request_path_query(
    metrics: *const aws_s3_request_metrics,
    out_request_path_query: *mut *const aws_string,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read_pointer(metrics, out_request_path_query, |f| f.path_query, |s| s.cast_const())
        };
    })
}

/// The host the request was for. Valid as long as `metrics`. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_host_address(
    metrics: *const aws_s3_request_metrics,
    out_host_address: *mut *const aws_string,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read_pointer(metrics, out_host_address, |f| f.host, |s| s.cast_const()) };
    })
}

/// The address of the server. Valid as long as `metrics`. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_ip_address(
    metrics: *const aws_s3_request_metrics,
    out_ip_address: *mut *const aws_string,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read_pointer(metrics, out_ip_address, |f| f.ip, |s| s.cast_const()) }
    })
}

/// Whether the connection was encrypted. Any thread.
///
/// # Safety
/// `metrics` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_is_https(
    metrics: *const aws_s3_request_metrics,
) -> bool {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { view(metrics) }.is_some_and(|f| f.figures.is_https)
    })
}

/// How many connections of the endpoint were in use when this request got its own. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_http_manager_metrics(
    metrics: *const aws_s3_request_metrics,
    out_metrics: *mut aws_http_manager_metrics,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_metrics, |m| {
                Some(aws_http_manager_metrics {
                    available_concurrency: m.connections_idle,
                    pending_concurrency_acquires: m.connections_awaited,
                    leased_concurrency: m.connections_in_use,
                })
            })
        };
    })
}

/// A number that is the same for all requests of one connection. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_connection_id(
    metrics: *const aws_s3_request_metrics,
    out_connection_ptr: *mut usize,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_connection_ptr, |m| {
                [m.connection_ptr, m.connection_id].into_iter().find(|&n| n != 0)
            })
        }
    })
}

/// A number that is the same for all tries of one request and for no other request of the
/// client at the time. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_request_ptr(
    metrics: *const aws_s3_request_metrics,
    out_request_ptr: *mut usize,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_request_ptr, |m| Some(m.request_ptr)) }
    })
}

/// The thread the request ran on. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_thread_id(
    metrics: *const aws_s3_request_metrics,
    out_thread_id: *mut aws_thread_id_t,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_thread_id, |m| {
                m.thread_id.filter(|&id| id != 0).map(|id| id as aws_thread_id_t)
            })
        }
    })
}

/// The number of the request on its connection. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_request_stream_id(
    metrics: *const aws_s3_request_metrics,
    out_stream_id: *mut u32,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_stream_id, |m| m.stream_id.filter(|&id| id != 0)) }
    })
}

/// The S3 operation ("UploadPart"). Valid as long as `metrics`. Else AWS_OP_ERR with
/// AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_operation_name(
    metrics: *const aws_s3_request_metrics,
    out_operation_name: *mut *const aws_string,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read_pointer(metrics, out_operation_name, |f| f.operation, |s| s.cast_const()) }
    })
}

/// The kind of request. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_request_type(
    metrics: *const aws_s3_request_metrics,
    out_request_type: *mut aws_s3_request_type,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_request_type, |m| Some(aws_s3_request_type(m.request_type as u32)))
        };
    })
}

/// AWS_ERROR_SUCCESS, or why this try failed. Any thread.
///
/// # Safety
/// `metrics` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_error_code(
    metrics: *const aws_s3_request_metrics,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { view(metrics) }.map_or(0, |f| f.figures.error_code)
    })
}

/// 0 for the first try, then counting up. Any thread.
///
/// # Safety
/// `metrics` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_retry_attempt(
    metrics: *const aws_s3_request_metrics,
) -> u32 {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { view(metrics) }.map_or(0, |f| f.figures.retry_attempt)
    })
}

/// Offset of the first byte of the part; 0 where the request is for no part. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_part_range_start(
    metrics: *const aws_s3_request_metrics,
    out_part_range_start: *mut u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_part_range_start, |m| {
                Some(m.part_range.map_or(0, |(start, _)| start))
            })
        };
    })
}

/// Offset of the last byte of the part; 0 where the request is for no part. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_part_range_end(
    metrics: *const aws_s3_request_metrics,
    out_part_range_end: *mut u64,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe {
            read(metrics, out_part_range_end, |m| Some(m.part_range.map_or(0, |(_, end)| end)))
        };
    })
}

/// Number of the part, counted from 1; 0 where the request is for no part. Any thread.
///
/// # Safety
/// `metrics` is NULL or live; the output is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_part_number(
    metrics: *const aws_s3_request_metrics,
    out_part_number: *mut u32,
) {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { read(metrics, out_part_number, |m| Some(m.part_number.unwrap_or(0))) };
    })
}

/// Whether the request used part memory. Any thread.
///
/// # Safety
/// `metrics` is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_request_metrics_get_memory_allocated_from_pool(
    metrics: *const aws_s3_request_metrics,
) -> bool {
    ffi_fn!({
        // SAFETY: by the contract.
        unsafe { view(metrics) }.is_some_and(|f| f.figures.memory_from_pool)
    })
}

/// The S3 name of a request type ("UploadPart"); empty where it has none. Static. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_s3_request_type_operation_name(r#type: aws_s3_request_type) -> *const c_char {
    ffi_fn!({
        let name = match r#type.0 {
            1 => c"HeadObject",
            2 => c"GetObject",
            3 => c"ListParts",
            4 => c"CreateMultipartUpload",
            5 => c"UploadPart",
            6 => c"AbortMultipartUpload",
            7 => c"CompleteMultipartUpload",
            8 => c"UploadPartCopy",
            9 => c"CopyObject",
            10 => c"PutObject",
            11 => c"CreateSession",
            _ => c"",
        };
        name.as_ptr()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;

    fn handle(figures: RequestMetrics) -> *mut aws_s3_request_metrics {
        // SAFETY: the default allocator lives for ever.
        unsafe { create(default_allocator(), &Arc::new(figures)) }.expect("memory")
    }

    #[test]
    fn figure_that_is_missing_raises_and_leaves_the_output() {
        let m = handle(RequestMetrics { send_started_ns: Some(7), ..Default::default() });
        let (mut time, mut id) = (1_u64, ptr::null::<aws_string>());
        // SAFETY: the handle is live until its release.
        unsafe {
            assert_eq!(
                aws_s3_request_metrics_get_send_start_timestamp_ns(m, &mut time),
                AWS_OP_SUCCESS
            );
            assert_eq!(time, 7);
            let missing = [
                aws_s3_request_metrics_get_send_end_timestamp_ns(m, &mut time),
                aws_s3_request_metrics_get_sending_duration_ns(m, &mut time),
                aws_s3_request_metrics_get_request_id(m, &mut id),
            ];
            assert_eq!(missing, [raise::AWS_OP_ERR; 3]);
            assert_eq!(raise::last_error(), Code::S3_METRIC_DATA_NOT_AVAILABLE.0);
            assert_eq!(time, 7);
            assert!(id.is_null());
            assert!(aws_s3_request_metrics_release(m).is_null());
        }
    }

    #[test]
    fn strings_live_as_long_as_the_last_reference() {
        let m = handle(RequestMetrics {
            request_id: Some("R1".into()),
            path_query: "/k?x".into(),
            operation: "UploadPart".into(),
            part_range: Some((8, 15)),
            ..Default::default()
        });
        let mut s = ptr::null::<aws_string>();
        let mut end = 0;
        // SAFETY: two references, both given up.
        unsafe {
            aws_s3_request_metrics_acquire(m);
            aws_s3_request_metrics_release(m);
            assert_eq!(aws_s3_request_metrics_get_operation_name(m, &mut s), AWS_OP_SUCCESS);
            assert_eq!(mem::string_bytes(s), b"UploadPart");
            aws_s3_request_metrics_get_request_path_query(m, &mut s);
            assert_eq!(mem::string_bytes(s), b"/k?x");
            aws_s3_request_metrics_get_part_range_end(m, &mut end);
            assert_eq!(end, 15);
            aws_s3_request_metrics_release(m);
        }
    }

    #[test]
    fn operation_names_are_those_of_s3() {
        let name = |t: aws_s3_request_type| {
            // SAFETY: static text.
            unsafe { std::ffi::CStr::from_ptr(aws_s3_request_type_operation_name(t)) }
        };
        assert_eq!(name(aws_s3_request_type::AWS_S3_REQUEST_TYPE_UPLOAD_PART), c"UploadPart");
        assert_eq!(name(aws_s3_request_type::AWS_S3_REQUEST_TYPE_UNKNOWN), c"");
        assert_eq!(name(aws_s3_request_type(99)), c"");
    }

    #[test]
    fn missing_arguments_are_refused() {
        // SAFETY: NULL is allowed.
        unsafe {
            let code = aws_s3_request_metrics_get_receiving_duration_ns(ptr::null(), &mut 0);
            assert_eq!(code, raise::AWS_OP_ERR);
            assert_eq!(raise::last_error(), Code::INVALID_ARGUMENT.0);
            aws_s3_request_metrics_get_start_timestamp_ns(ptr::null(), ptr::null_mut());
            assert!(aws_s3_request_metrics_acquire(ptr::null_mut()).is_null());
        }
    }
}
