//! Header `aws/auth/signing.h`: signing.

use std::ffi::{c_int, c_void};

use crate::ffi::auth::signing_result::aws_signing_result;

/// Signing is done. Any thread, also before aws_sign_request_aws() has returned. `result` is valid during
/// the call; NULL when `error_code` is not 0.
pub type aws_signing_complete_fn = Option<
    unsafe extern "C" fn(result: *mut aws_signing_result, error_code: c_int, userdata: *mut c_void),
>;
