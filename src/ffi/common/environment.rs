//! `aws/common/environment.h`: variables of the process's environment.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::byte_buf::c_str_len;
use crate::base::Code;
use crate::ctypes::{aws_allocator, aws_string};
use crate::ffi::handle;
use crate::ffi::raise::{AWS_OP_SUCCESS, raise};

/// Reads an environment variable.
///
/// `allocator`: for the result, borrowed. `variable_name`: borrowed for the call. `value_out`:
/// written: a string to be freed with aws_string_destroy(), or NULL if there is no such variable.
/// Returns AWS_OP_SUCCESS in both cases; AWS_OP_ERR with AWS_ERROR_ENVIRONMENT_GET or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread, while no thread changes the environment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_get_environment_value(
    allocator: *mut aws_allocator,
    variable_name: *const aws_string,
    value_out: *mut *mut aws_string,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let out = arg!(mut value_out);
            *out = null_mut();
            if variable_name.is_null() || allocator.is_null() {
                return raise(Code::INVALID_ARGUMENT);
            }
            // The C library's environment, not Rust's copy of it: programs change it through C.
            let value = libc::getenv(aws_string::c_str(variable_name));
            if let Some(text) = handle::bytes(value.cast(), c_str_len(value))
                && !value.is_null()
            {
                match aws_string::new(allocator, text) {
                    Ok(made) => *out = made.as_ptr(),
                    Err(_) => return raise(Code::ENVIRONMENT_GET),
                }
            }
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::alloc::tests::counting;
    use crate::ctypes::default_allocator;

    #[test]
    fn variables_are_found_or_null() {
        let a = default_allocator();
        // SAFETY: strings are destroyed once.
        unsafe {
            let path = aws_string::new(a, b"PATH").expect("memory").as_ptr();
            let none = aws_string::new(a, b"S3FAST_NO_SUCH_VARIABLE").expect("memory").as_ptr();
            let mut value = null_mut();
            assert_eq!(aws_get_environment_value(a, path, &mut value), 0);
            let expected = std::env::var_os("PATH").expect("set");
            assert_eq!(aws_string::text(value), Some(expected.as_encoded_bytes()));
            aws_string::destroy(value);
            assert_eq!(aws_get_environment_value(counting(0), path, &mut value), -1);
            assert!(value.is_null());
            assert_eq!(aws_get_environment_value(a, none, &mut value), 0);
            assert!(value.is_null());
            assert_eq!(aws_get_environment_value(a, none, null_mut()), -1);
            assert_eq!(aws_get_environment_value(a, null_mut(), &mut value), -1);
            assert_eq!(aws_get_environment_value(null_mut(), path, &mut value), -1);
            aws_string::destroy(path);
            aws_string::destroy(none);
        }
    }
}
