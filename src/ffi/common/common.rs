//! `aws/common/common.h`: the beginning and the end of the library's use.

use crate::ctypes::aws_allocator;

/// Prepares the library. May be called any number of times, and need not be called at all: error
/// names and log subjects are known from the start.
///
/// `allocator`: not kept; may be NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_common_library_init(allocator: *mut aws_allocator) {
    ffi_fn!({
        let _ = allocator;
    })
}

/// Ends what aws_common_library_init() began. Waits for the threads that the library joins by
/// itself, as aws_thread_join_all_managed().
///
/// Not to be called on such a thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_common_library_clean_up() {
    ffi_fn!({
        super::thread::join_managed();
    })
}
