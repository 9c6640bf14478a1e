//! Header `aws/s3/s3_endpoint_resolver.h`: the rules that make an S3 endpoint of a bucket and a
//! region.

use crate::base::Code;
use crate::ctypes::aws_allocator;
use crate::ffi::raise;
use crate::ffi::sdkutils::endpoints_rule_engine::aws_endpoints_rule_engine;

/// Creates a rule engine with the rules of S3 and the partitions of AWS.
///
/// `allocator` must outlive it. The engine is the caller's, counted. Any thread. Raises
/// AWS_ERROR_UNIMPLEMENTED until the rule engine is part of the library.
///
/// # Safety
/// `allocator` is NULL or a live allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3_endpoint_resolver_new(
    allocator: *mut aws_allocator,
) -> *mut aws_endpoints_rule_engine {
    ffi_fn!({
        if allocator.is_null() {
            return raise::raise_null(Code::INVALID_ARGUMENT);
        }
        waits!("endpoint rules")
    })
}
