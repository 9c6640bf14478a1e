//! `aws/common/system_resource_util.h`: what the process has used.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use crate::base::Code;
use crate::ffi::raise::{AWS_OP_SUCCESS, raise};

/// Memory use of a process.
#[repr(C)]
pub struct aws_memory_usage_stats {
    /// The most memory it ever had resident, in KiB.
    pub maxrss: usize,
    /// Page faults that needed the disk.
    pub page_faults: usize,
    pub _reserved: [usize; 8],
}

/// Reads the memory use of this process.
///
/// `memory_usage`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_SYS_CALL_FAILURE or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_init_memory_usage_for_current_process(
    memory_usage: *mut aws_memory_usage_stats,
) -> c_int {
    ffi_fn!({
        if memory_usage.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        let mut usage = MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: by the argument rules; the result is read only where it was written.
        unsafe {
            if libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) != 0 {
                return raise(Code::SYS_CALL_FAILURE);
            }
            let usage = usage.assume_init();
            memory_usage.write(aws_memory_usage_stats {
                maxrss: usage.ru_maxrss as usize,
                page_faults: usage.ru_majflt as usize,
                _reserved: [0; 8],
            });
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_process_uses_memory() {
        let mut usage = MaybeUninit::zeroed();
        // SAFETY: a place for the result, and NULL, which is refused.
        unsafe {
            assert_eq!(aws_init_memory_usage_for_current_process(usage.as_mut_ptr()), 0);
            assert!(usage.assume_init().maxrss > 100);
            assert_eq!(aws_init_memory_usage_for_current_process(std::ptr::null_mut()), -1);
        }
    }
}
