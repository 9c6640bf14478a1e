//! Header `aws/io/future.h`: one value that comes later, and who waits for it.

use std::ffi::c_void;

/// A future is done. Called once, on the thread the registration asked for, else on the thread that
/// completed the future, or at once when it was done already.
pub type aws_future_callback_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// A future of a bool. Opaque.
pub struct aws_future_bool {
    _private: [u8; 0],
}

/// A future of nothing but success or an error. Opaque.
pub struct aws_future_void {
    _private: [u8; 0],
}
