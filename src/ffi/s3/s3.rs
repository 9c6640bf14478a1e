//! Header `aws/s3/s3.h`: error codes, log subjects, life of the library, facts of the platform.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use super::platform;
use crate::base::Code;
use crate::ctypes::{aws_allocator, aws_array_list, aws_byte_cursor, default_allocator};
use crate::ffi::common::thread::join_managed;
use crate::ffi::raise;

/// Errors of the S3 library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_errors(pub u32);

impl aws_s3_errors {
    /// A response to a ranged request had no Content-Range header.
    pub const AWS_ERROR_S3_MISSING_CONTENT_RANGE_HEADER: aws_s3_errors = aws_s3_errors(14336);
    /// The Content-Range header of a response could not be understood.
    pub const AWS_ERROR_S3_INVALID_CONTENT_RANGE_HEADER: aws_s3_errors = aws_s3_errors(14337);
    /// A response had no Content-Length header where one is needed.
    pub const AWS_ERROR_S3_MISSING_CONTENT_LENGTH_HEADER: aws_s3_errors = aws_s3_errors(14338);
    /// A Content-Length header could not be understood.
    pub const AWS_ERROR_S3_INVALID_CONTENT_LENGTH_HEADER: aws_s3_errors = aws_s3_errors(14339);
    /// A response had no ETag header where one is needed.
    pub const AWS_ERROR_S3_MISSING_ETAG: aws_s3_errors = aws_s3_errors(14340);
    /// The server answered with an internal error.
    pub const AWS_ERROR_S3_INTERNAL_ERROR: aws_s3_errors = aws_s3_errors(14341);
    /// The server asked for fewer requests.
    pub const AWS_ERROR_S3_SLOW_DOWN: aws_s3_errors = aws_s3_errors(14342);
    /// The server answered with an error status.
    pub const AWS_ERROR_S3_INVALID_RESPONSE_STATUS: aws_s3_errors = aws_s3_errors(14343);
    /// The answer to CreateMultipartUpload had no upload id.
    pub const AWS_ERROR_S3_MISSING_UPLOAD_ID: aws_s3_errors = aws_s3_errors(14344);
    /// The URI of the proxy could not be understood.
    pub const AWS_ERROR_S3_PROXY_PARSE_FAILED: aws_s3_errors = aws_s3_errors(14345);
    /// The scheme of the proxy is not supported.
    pub const AWS_ERROR_S3_UNSUPPORTED_PROXY_SCHEME: aws_s3_errors = aws_s3_errors(14346);
    /// The meta request was canceled.
    pub const AWS_ERROR_S3_CANCELED: aws_s3_errors = aws_s3_errors(14347);
    /// The Range header of the message could not be understood.
    pub const AWS_ERROR_S3_INVALID_RANGE_HEADER: aws_s3_errors = aws_s3_errors(14348);
    /// A Range header with several ranges is not supported.
    pub const AWS_ERROR_S3_MULTIRANGE_HEADER_UNSUPPORTED: aws_s3_errors = aws_s3_errors(14349);
    /// The bytes received do not have the checksum the server reported.
    pub const AWS_ERROR_S3_RESPONSE_CHECKSUM_MISMATCH: aws_s3_errors = aws_s3_errors(14350);
    /// A checksum could not be computed.
    pub const AWS_ERROR_S3_CHECKSUM_CALCULATION_FAILED: aws_s3_errors = aws_s3_errors(14351);
    /// The meta request was paused.
    pub const AWS_ERROR_S3_PAUSED: aws_s3_errors = aws_s3_errors(14352);
    /// The answer to ListParts could not be understood.
    pub const AWS_ERROR_S3_LIST_PARTS_PARSE_FAILED: aws_s3_errors = aws_s3_errors(14353);
    /// A part uploaded before the pause has another checksum than the bytes read now.
    pub const AWS_ERROR_S3_RESUMED_PART_CHECKSUM_MISMATCH: aws_s3_errors = aws_s3_errors(14354);
    /// The upload could not be resumed.
    pub const AWS_ERROR_S3_RESUME_FAILED: aws_s3_errors = aws_s3_errors(14355);
    /// The object changed during the transfer.
    pub const AWS_ERROR_S3_OBJECT_MODIFIED: aws_s3_errors = aws_s3_errors(14356);
    /// A response with status 200 carried an error that another try cannot help.
    pub const AWS_ERROR_S3_NON_RECOVERABLE_ASYNC_ERROR: aws_s3_errors = aws_s3_errors(14357);
    /// The request did not get so far that this figure exists.
    pub const AWS_ERROR_S3_METRIC_DATA_NOT_AVAILABLE: aws_s3_errors = aws_s3_errors(14358);
    /// The body does not have as many bytes as Content-Length says.
    pub const AWS_ERROR_S3_INCORRECT_CONTENT_LENGTH: aws_s3_errors = aws_s3_errors(14359);
    /// The clock of this machine is too far from the server's.
    pub const AWS_ERROR_S3_REQUEST_TIME_TOO_SKEWED: aws_s3_errors = aws_s3_errors(14360);
    /// The file changed during the transfer.
    pub const AWS_ERROR_S3_FILE_MODIFIED: aws_s3_errors = aws_s3_errors(14361);
    /// The request does not fit into the memory limit.
    pub const AWS_ERROR_S3_EXCEEDS_MEMORY_LIMIT: aws_s3_errors = aws_s3_errors(14362);
    /// The memory limit is too small, or smaller than the largest part.
    pub const AWS_ERROR_S3_INVALID_MEMORY_LIMIT_CONFIG: aws_s3_errors = aws_s3_errors(14363);
    /// CreateSession failed.
    pub const AWS_ERROR_S3EXPRESS_CREATE_SESSION_FAILED: aws_s3_errors = aws_s3_errors(14364);
    /// A response did not fit its buffer; the request is repeated with ranges.
    pub const AWS_ERROR_S3_INTERNAL_BUFFER_SIZE_MISMATCH_RETRYING_WITH_RANGE: aws_s3_errors =
        aws_s3_errors(14365);
    /// The meta request has ended already.
    pub const AWS_ERROR_S3_REQUEST_HAS_COMPLETED: aws_s3_errors = aws_s3_errors(14366);
    /// The file to receive into exists already.
    pub const AWS_ERROR_S3_RECV_FILE_ALREADY_EXISTS: aws_s3_errors = aws_s3_errors(14367);
    /// The file to receive into does not exist.
    pub const AWS_ERROR_S3_RECV_FILE_NOT_FOUND: aws_s3_errors = aws_s3_errors(14368);
    /// A request took too long and was given up.
    pub const AWS_ERROR_S3_REQUEST_TIMEOUT: aws_s3_errors = aws_s3_errors(14369);
    /// The buffer pool gave no memory.
    pub const AWS_ERROR_S3_BUFFER_ALLOCATION_FAILED: aws_s3_errors = aws_s3_errors(14370);
    /// A part does not fit into the memory limit.
    pub const AWS_ERROR_S3_PART_SIZE_EXCEEDS_MEMORY_LIMIT: aws_s3_errors = aws_s3_errors(14371);
    /// Old name of the error with the same number.
    pub const AWS_ERROR_S3_INTERNAL_PART_SIZE_MISMATCH_RETRYING_WITH_RANGE: aws_s3_errors =
        aws_s3_errors(14365);
    /// The last number of this library.
    pub const AWS_ERROR_S3_END_RANGE: aws_s3_errors = aws_s3_errors(15359);
}

/// Log subjects of the S3 library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct aws_s3_subject(pub u32);

impl aws_s3_subject {
    pub const AWS_LS_S3_GENERAL: aws_s3_subject = aws_s3_subject(14336);
    pub const AWS_LS_S3_CLIENT: aws_s3_subject = aws_s3_subject(14337);
    pub const AWS_LS_S3_CLIENT_STATS: aws_s3_subject = aws_s3_subject(14338);
    pub const AWS_LS_S3_REQUEST: aws_s3_subject = aws_s3_subject(14339);
    pub const AWS_LS_S3_META_REQUEST: aws_s3_subject = aws_s3_subject(14340);
    pub const AWS_LS_S3_ENDPOINT: aws_s3_subject = aws_s3_subject(14341);
    pub const AWS_LS_S3_LAST: aws_s3_subject = aws_s3_subject(15359);
}

/// What is known about a machine's network.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_s3_platform_info {
    /// The EC2 instance type, such as c5n.18xlarge; empty elsewhere.
    pub instance_type: aws_byte_cursor,
    /// Gbit/s of its network; 0 where unknown.
    pub max_throughput_gbps: f64,
    /// Bindings may use this client on such a machine without being asked to.
    pub has_recommended_configuration: bool,
}

static INITIALIZED: AtomicBool = AtomicBool::new(false);
/// The allocator of the library's own C values.
static ALLOCATOR: AtomicPtr<aws_allocator> = AtomicPtr::new(ptr::null_mut());

pub(crate) fn library_allocator() -> *mut aws_allocator {
    let set = ALLOCATOR.load(Ordering::Acquire);
    if set.is_null() { default_allocator() } else { set }
}

/// Initialises this library and those it stands on. Calls after the first do nothing: error names
/// and log subjects are known from the start. `allocator` must live until the clean-up; NULL = the
/// default allocator. Not concurrently with other functions.
///
/// # Safety
/// `allocator` is NULL or a live allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_library_init(allocator: *mut aws_allocator) {
    ffi_fn!({
        if INITIALIZED.swap(true, Ordering::AcqRel) {
            return;
        }
        let allocator = if allocator.is_null() { default_allocator() } else { allocator };
        ALLOCATOR.store(allocator, Ordering::Release);
    })
}

/// Undoes `aws_s3_library_init`, whatever number of times that was called. Waits for the threads of
/// event-loop groups that were released. Does nothing where the library is not initialised. Not
/// concurrently with other functions, and not on a thread of the library.
#[unsafe(no_mangle)]
pub extern "C" fn aws_s3_library_clean_up() {
    ffi_fn!({
        if !INITIALIZED.swap(false, Ordering::AcqRel) {
            return;
        }
        join_managed();
        ALLOCATOR.store(ptr::null_mut(), Ordering::Release);
    })
}

/// What this machine is. Never NULL; valid until the process ends. Any thread. Reads the firmware's
/// strings once; may block for that.
#[unsafe(no_mangle)]
pub extern "C" fn aws_s3_get_current_platform_info() -> *const aws_s3_platform_info {
    ffi_fn!({ ptr::from_ref(current_platform()) })
}

/// The EC2 instance type of this machine; empty elsewhere. Valid until the process ends. With
/// `cached_only` nothing is read: empty where nobody asked before. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_s3_get_current_platform_ec2_intance_type(
    cached_only: bool,
) -> aws_byte_cursor {
    ffi_fn!({
        if cached_only && !platform::instance_type_is_known() {
            return aws_byte_cursor { len: 0, ptr: ptr::null_mut() };
        }
        current_platform().instance_type
    })
}

/// Bytes a client uses for parts where its options name no limit: by the throughput target in
/// Gbit/s, or with 0 by what this machine is. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_s3_default_memory_limit_for_throughput(throughput_target_gbps: f64) -> usize {
    ffi_fn!({ default_memory_limit(throughput_target_gbps) })
}

/// The EC2 instance types with recommended settings: a list of `struct aws_byte_cursor` over static
/// text. The caller cleans the list up. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_s3_get_platforms_with_recommended_config() -> aws_array_list {
    ffi_fn!({
        let cursors: Vec<aws_byte_cursor> = platform::FAMILIES
            .iter()
            .filter_map(|f| f.recommended)
            .map(|name| super::mem::cursor_over(name.as_bytes()))
            .collect();
        let bytes = size_of_val(cursors.as_slice());
        // SAFETY: the block is as large as the items copied into it.
        unsafe {
            let Ok(data) = aws_allocator::acquire(library_allocator(), bytes) else {
                return raise::fail(Code::OOM);
            };
            data.cast::<aws_byte_cursor>()
                .as_ptr()
                .copy_from_nonoverlapping(cursors.as_ptr(), cursors.len());
            aws_array_list {
                alloc: library_allocator(),
                current_size: bytes,
                length: cursors.len(),
                item_size: size_of::<aws_byte_cursor>(),
                data: data.as_ptr(),
            }
        }
    })
}

const MIB: usize = 1 << 20;
const GIB: usize = 1 << 30;

/// Memory for parts by throughput target: what the product of rate and delay needs, with room for
/// bursts. Below the threshold a target of 0 takes the rate of the machine.
pub(crate) fn default_memory_limit(target_gbps: f64) -> usize {
    let mut gbps = target_gbps;
    if gbps == 0.0 {
        let machine = current_platform().max_throughput_gbps;
        if machine > 0.0 && machine < 10.0 {
            gbps = machine;
        }
    }
    const TIERS: [(f64, usize); 6] = [
        (200.0, 24 * GIB),
        (100.0, 16 * GIB),
        (75.0, 8 * GIB),
        (25.0, 4 * GIB),
        (10.0, 2 * GIB),
        (5.0, 512 * MIB),
    ];
    match TIERS.iter().find(|(from, _)| gbps >= *from) {
        Some((_, bytes)) => *bytes,
        None if gbps > 0.0 => 256 * MIB,
        None => 2 * GIB,
    }
}

struct Shared(aws_s3_platform_info);
// SAFETY: the cursor shows static text.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

fn current_platform() -> &'static aws_s3_platform_info {
    static INFO: OnceLock<Shared> = OnceLock::new();
    let shared = INFO.get_or_init(|| {
        let name = platform::instance_type();
        let gbps = name.and_then(|n| platform::estimate_gbps(n, platform::processors_online()));
        let family = name.and_then(platform::family);
        Shared(aws_s3_platform_info {
            instance_type: match name {
                Some(n) => super::mem::cursor_over(n.as_bytes()),
                None => aws_byte_cursor { len: 0, ptr: ptr::null_mut() },
            },
            max_throughput_gbps: gbps.unwrap_or(0.0),
            has_recommended_configuration: family.is_some_and(|f| f.recommended.is_some()),
        })
    });
    &shared.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_limit_follows_the_target() {
        assert_eq!(default_memory_limit(0.5), 256 * MIB);
        assert_eq!(default_memory_limit(5.0), 512 * MIB);
        assert_eq!(default_memory_limit(10.0), 2 * GIB);
        assert_eq!(default_memory_limit(99.9), 8 * GIB);
        assert_eq!(default_memory_limit(400.0), 24 * GIB);
    }

    #[test]
    fn recommended_platforms_are_cursors_over_names() {
        let list = aws_s3_get_platforms_with_recommended_config();
        assert_eq!(list.item_size, 16);
        // SAFETY: the list holds as many cursors as it says; its block is freed once.
        unsafe {
            let items =
                std::slice::from_raw_parts(list.data.cast::<aws_byte_cursor>(), list.length);
            let names: Vec<&[u8]> =
                items.iter().map(|c| std::slice::from_raw_parts(c.ptr, c.len)).collect();
            assert!(names.contains(&&b"p5.48xlarge"[..]));
            assert!(names.iter().all(|n| n.contains(&b'.')));
            aws_allocator::release(list.alloc, list.data);
        }
    }
}
