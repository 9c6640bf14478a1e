//! `aws/common/assert.h`: what the assertion macros in a program's own code call.

use std::ffi::{CStr, c_char, c_int};

use super::system_info;

/// Ends the program: prints the condition, where it stood and the call stack to stderr, and aborts.
///
/// Called by AWS_FATAL_ASSERT in the program's code; the library itself never calls it.
/// `cond_str`, `file`: C strings or NULL. Does not return. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_fatal_assert(
    cond_str: *const c_char,
    file: *const c_char,
    line: c_int,
) {
    ffi_fn!({
        let text = |s: *const c_char| match s.is_null() {
            true => "?".into(),
            // SAFETY: by the argument rules.
            false => unsafe { CStr::from_ptr(s) }.to_string_lossy(),
        };
        eprintln!(
            "Fatal error condition occurred in {}:{line}: {}\nExiting Application",
            text(file),
            text(cond_str)
        );
        eprintln!("{}", system_info::call_stack());
        std::process::abort()
    })
}
