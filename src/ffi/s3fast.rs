//! Header `s3fast/s3fast.h`: what this library has beside the interface it is compatible with.

use std::ffi::c_char;

pub mod md5;

/// The version's first number; a change of it may break callers.
pub const S3FAST_VERSION_MAJOR: u32 = 0;
/// The version's second number.
pub const S3FAST_VERSION_MINOR: u32 = 1;
/// The version's third number.
pub const S3FAST_VERSION_PATCH: u32 = 0;

/// The version of the library that is loaded, such as "0.1.0". Static text. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn s3fast_version() -> *const c_char {
    ffi_fn!({ VERSION.as_ptr().cast() })
}

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_that_of_the_package_in_text_and_numbers() {
        // SAFETY: static text with a zero at its end.
        let text = unsafe { std::ffi::CStr::from_ptr(s3fast_version()) };
        assert_eq!(text.to_str(), Ok(env!("CARGO_PKG_VERSION")));
        let numbers =
            format!("{S3FAST_VERSION_MAJOR}.{S3FAST_VERSION_MINOR}.{S3FAST_VERSION_PATCH}");
        assert_eq!(numbers, env!("CARGO_PKG_VERSION"));
    }
}
