//! Header `aws/s3/s3express_credentials_provider.h`: sources of S3 Express session credentials,
//! the library's own or a caller's.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::mem;
use crate::base::Code;
use crate::ctypes::{
    aws_allocator, aws_atomic_var, aws_byte_cursor, aws_ref_count, aws_simple_completion_callback,
};
use crate::ffi::auth::credentials::{aws_credentials, aws_on_get_credentials_callback_fn};
use crate::ffi::http::request_response::aws_http_headers;
use crate::ffi::raise;

/// What session credentials are for.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct aws_credentials_properties_s3express {
    /// Required. Host of the bucket.
    pub host: aws_byte_cursor,
    /// Region of the bucket; empty = the client's.
    pub region: aws_byte_cursor,
    /// Headers for CreateSession. May be NULL.
    pub headers: *mut aws_http_headers,
}

/// Functions of a provider.
#[repr(C)]
pub struct aws_s3express_credentials_provider_vtable {
    /// Gets credentials, and calls `callback` with them once: any time, on any thread. Returns
    /// AWS_OP_ERR with an error raised where the callback will not come. `original_credentials` and
    /// `properties` are valid until it returns. Any thread.
    pub get_credentials: Option<
        unsafe extern "C" fn(
            provider: *mut aws_s3express_credentials_provider,
            original_credentials: *const aws_credentials,
            properties: *const aws_credentials_properties_s3express,
            callback: aws_on_get_credentials_callback_fn,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    /// The last reference is gone. Ends in the provider's shutdown callback. Any thread.
    pub destroy: Option<unsafe extern "C" fn(provider: *mut aws_s3express_credentials_provider)>,
}

/// A source of session credentials. Counted.
#[repr(C)]
pub struct aws_s3express_credentials_provider {
    pub vtable: *mut aws_s3express_credentials_provider_vtable,
    pub allocator: *mut aws_allocator,
    /// Called by the provider's own code when it has ended. May be NULL.
    pub shutdown_complete_callback: aws_simple_completion_callback,
    pub shutdown_user_data: *mut c_void,
    /// The provider's own.
    pub r#impl: *mut c_void,
    pub ref_count: aws_ref_count,
}

/// Gives up a reference; the last one starts the provider's destruction. NULL is nothing. Returns
/// NULL. Any thread.
///
/// # Safety
/// `provider` is NULL or live, and the reference is the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3express_credentials_provider_release(
    provider: *mut aws_s3express_credentials_provider,
) -> *mut aws_s3express_credentials_provider {
    ffi_fn!(calls_out {
        // SAFETY: by the contract.
        unsafe { release(provider) };
        ptr::null_mut()
    })
}

/// Gives up a reference.
///
/// # Safety
/// `provider` is NULL or live, and the reference is the caller's.
pub(crate) unsafe fn release(provider: *mut aws_s3express_credentials_provider) {
    if !provider.is_null() {
        // SAFETY: by the contract.
        unsafe { mem::release_ref(&raw mut (*provider).ref_count) };
    }
}

unsafe extern "C" fn destroy(object: *mut c_void) {
    let provider: *mut aws_s3express_credentials_provider = object.cast();
    // SAFETY: the counter's object is the provider; nobody has a reference any more.
    unsafe {
        if let Some(destroy) = (*provider).vtable.as_ref().and_then(|t| t.destroy) {
            destroy(provider);
        }
    }
}

/// Fills in the members of a provider of the caller's, with one reference whose end calls the
/// table's `destroy`. `shutdown_complete_callback` and `shutdown_user_data` become NULL: set them
/// afterwards. Any thread, before others use the provider.
///
/// # Safety
/// `provider` points to writable memory of a provider; `vtable` outlives it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3express_credentials_provider_init_base(
    provider: *mut aws_s3express_credentials_provider,
    allocator: *mut aws_allocator,
    vtable: *mut aws_s3express_credentials_provider_vtable,
    r#impl: *mut c_void,
) {
    ffi_fn!({
        if provider.is_null() || vtable.is_null() {
            raise::raise(Code::INVALID_ARGUMENT);
            return;
        }
        // SAFETY: by the contract.
        unsafe {
            provider.write(aws_s3express_credentials_provider {
                vtable,
                allocator,
                shutdown_complete_callback: None,
                shutdown_user_data: ptr::null_mut(),
                r#impl,
                ref_count: aws_ref_count {
                    ref_count: aws_atomic_var::new(1),
                    object: provider.cast(),
                    on_zero_fn: Some(destroy),
                },
            });
        }
    })
}

/// Gets session credentials for `properties` with the long-lived `original_credentials`. Both are
/// borrowed until it returns. `callback` is called once, any time, on any thread, if and only if
/// this returns AWS_OP_SUCCESS. Any thread.
///
/// # Safety
/// `provider` is NULL or live; `user_data` is valid for the callback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_s3express_credentials_provider_get_credentials(
    provider: *mut aws_s3express_credentials_provider,
    original_credentials: *const aws_credentials,
    properties: *const aws_credentials_properties_s3express,
    callback: aws_on_get_credentials_callback_fn,
    user_data: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        if provider.is_null() || properties.is_null() {
            return raise::raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the contract.
        let get = unsafe { (*provider).vtable.as_ref() }.and_then(|t| t.get_credentials);
        match get {
            // SAFETY: the function is the provider's own.
            Some(get) => unsafe {
                get(provider, original_credentials, properties, callback, user_data)
            },
            None => raise::raise(Code::INVALID_ARGUMENT),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn note(provider: *mut aws_s3express_credentials_provider) {
        // SAFETY: `impl` is the counter of the test.
        unsafe { *(*provider).r#impl.cast::<u32>() += 1 };
    }

    #[test]
    fn last_release_of_a_callers_provider_calls_its_destroy() {
        let mut table = aws_s3express_credentials_provider_vtable {
            get_credentials: None,
            destroy: Some(note),
        };
        let mut calls = 0_u32;
        let mut provider = std::mem::MaybeUninit::uninit();
        let p = provider.as_mut_ptr();
        // SAFETY: the provider lives until the end of the test.
        unsafe {
            aws_s3express_credentials_provider_init_base(
                p,
                ptr::null_mut(),
                &mut table,
                (&raw mut calls).cast(),
            );
            let none = aws_s3express_credentials_provider_get_credentials(
                p,
                ptr::null(),
                ptr::null(),
                None,
                ptr::null_mut(),
            );
            assert_eq!(none, raise::AWS_OP_ERR);
            assert!(aws_s3express_credentials_provider_release(p).is_null());
        }
        assert_eq!(calls, 1);
    }
}
