//! `aws/sdkutils/sdkutils.h`: errors and log subjects of profiles and endpoint rules.

use crate::ctypes::aws_allocator;

/// Number of this library's errors and log subjects.
pub const AWS_C_SDKUTILS_PACKAGE_ID: u32 = 15;

/// Errors of profile files, endpoint rules and partitions.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_sdkutils_errors {
    AWS_ERROR_SDKUTILS_GENERAL = 15360,
    AWS_ERROR_SDKUTILS_PARSE_FATAL = 15361,
    AWS_ERROR_SDKUTILS_PARSE_RECOVERABLE = 15362,
    AWS_ERROR_SDKUTILS_ENDPOINTS_UNSUPPORTED_RULESET = 15363,
    AWS_ERROR_SDKUTILS_ENDPOINTS_PARSE_FAILED = 15364,
    AWS_ERROR_SDKUTILS_ENDPOINTS_RESOLVE_INIT_FAILED = 15365,
    AWS_ERROR_SDKUTILS_ENDPOINTS_RESOLVE_FAILED = 15366,
    AWS_ERROR_SDKUTILS_ENDPOINTS_EMPTY_RULESET = 15367,
    AWS_ERROR_SDKUTILS_ENDPOINTS_RULESET_EXHAUSTED = 15368,
    AWS_ERROR_SDKUTILS_PARTITIONS_UNSUPPORTED = 15369,
    AWS_ERROR_SDKUTILS_PARTITIONS_PARSE_FAILED = 15370,
    AWS_ERROR_SDKUTILS_ENDPOINTS_UNSUPPORTED_REGEX = 15371,
    AWS_ERROR_SDKUTILS_ENDPOINTS_REGEX_NO_MATCH = 15372,
    AWS_ERROR_SDKUTILS_END_RANGE = 16383,
}

/// Log subjects of profile files, endpoint rules and partitions.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_sdkutils_log_subject {
    AWS_LS_SDKUTILS_GENERAL = 15360,
    AWS_LS_SDKUTILS_PROFILE = 15361,
    AWS_LS_SDKUTILS_ENDPOINTS_PARSING = 15362,
    AWS_LS_SDKUTILS_ENDPOINTS_RESOLVE = 15363,
    AWS_LS_SDKUTILS_ENDPOINTS_GENERAL = 15364,
    AWS_LS_SDKUTILS_PARTITIONS_PARSING = 15365,
    AWS_LS_SDKUTILS_ENDPOINTS_REGEX = 15366,
    AWS_LS_SDKUTILS_LAST = 16383,
}

/// Kept for programs that call it: errors and subjects of this library are always known.
///
/// `allocator`: not used; may be NULL. Any thread, any number of times.
#[unsafe(no_mangle)]
pub extern "C" fn aws_sdkutils_library_init(allocator: *mut aws_allocator) {
    ffi_fn!({
        let _ = allocator;
    })
}

/// Kept for programs that call it; does nothing. Any thread, any number of times.
#[unsafe(no_mangle)]
pub extern "C" fn aws_sdkutils_library_clean_up() {
    ffi_fn!({})
}
