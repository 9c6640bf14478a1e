//! `aws/common/allocator.h`: where memory that C may touch comes from.
//!
//! An allocation that fails gives NULL with AWS_ERROR_OOM; the library never ends the program for
//! want of memory. A size of zero and a NULL allocator are AWS_ERROR_INVALID_ARGUMENT.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use super::{enum_number, mem_tracer};
pub use crate::ctypes::aws_allocator;
use crate::ctypes::{aligned_allocator, default_allocator, new_aligned_allocator};
use crate::ffi::raise::{AWS_OP_SUCCESS, raise_null};

/// How much a tracing allocator remembers.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_mem_trace_level {
    /// Nothing.
    AWS_MEMTRACE_NONE = 0,
    /// Sizes and the sum of what is allocated.
    AWS_MEMTRACE_BYTES = 1,
    /// The call stack of each allocation as well.
    AWS_MEMTRACE_STACKS = 2,
}

/// The allocator over the system's malloc.
///
/// Never NULL, lives for ever, may be used on any thread. Not to be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_default_allocator() -> *mut aws_allocator {
    ffi_fn!({ default_allocator() })
}

/// Like aws_default_allocator(), but blocks above a page start on a cache line.
///
/// Never NULL, lives for ever, may be used on any thread. Not to be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_aligned_allocator() -> *mut aws_allocator {
    ffi_fn!({ aligned_allocator() })
}

/// Makes an allocator whose every block starts at a multiple of `customized_alignment` bytes.
///
/// `customized_alignment`: a power of two and a multiple of the size of a pointer.
/// Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. The caller frees the result with
/// aws_explicit_aligned_allocator_destroy(), after everything that came from it. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_explicit_aligned_allocator_new(
    customized_alignment: usize,
) -> *mut aws_allocator {
    ffi_fn!({ ok!(new_aligned_allocator(customized_alignment)).as_ptr() })
}

/// Frees what aws_explicit_aligned_allocator_new() gave; NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_explicit_aligned_allocator_destroy(aligned_alloc: *mut aws_allocator) {
    // SAFETY: the block came from the default allocator, or is NULL.
    ffi_fn!({ unsafe { aws_allocator::release(default_allocator(), aligned_alloc.cast()) } })
}

/// `size` bytes from an allocator, not zeroed.
///
/// `allocator`: borrowed, must outlive the block. `size`: above zero.
/// Returns NULL with AWS_ERROR_OOM, or with AWS_ERROR_INVALID_ARGUMENT for a NULL allocator or no
/// size. The caller gives the block back with aws_mem_release(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_acquire(
    allocator: *mut aws_allocator,
    size: usize,
) -> *mut c_void {
    // SAFETY: by the argument rules.
    ffi_fn!({ ok!(unsafe { aws_allocator::acquire(allocator, size) }).as_ptr() })
}

/// `num` times `size` zeroed bytes from an allocator.
///
/// As aws_mem_acquire(); AWS_ERROR_OVERFLOW_DETECTED where the product is too large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_calloc(
    allocator: *mut aws_allocator,
    num: usize,
    size: usize,
) -> *mut c_void {
    // SAFETY: by the argument rules.
    ffi_fn!({ ok!(unsafe { aws_allocator::calloc(allocator, num, size) }).as_ptr() })
}

/// Gives a block back.
///
/// `allocator`: where the block came from. `ptr`: the block; NULL is nothing. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_release(allocator: *mut aws_allocator, ptr: *mut c_void) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { aws_allocator::release(allocator, ptr) } })
}

/// Makes a block of `oldsize` bytes one of `newsize` bytes; it may move.
///
/// `ptr`: in: the block, or NULL for a new one; out: the block as it is now. A `newsize` of zero
/// frees it and stores NULL.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, the block then being untouched. Any
/// thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_realloc(
    allocator: *mut aws_allocator,
    ptr: *mut *mut c_void,
    oldsize: usize,
    newsize: usize,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let block = arg!(mut ptr);
            *block = ok!(aws_allocator::realloc(allocator, *block, oldsize, newsize));
        }
        AWS_OP_SUCCESS
    })
}

/// Wraps an allocator in one that knows what is still allocated.
///
/// `allocator`: where the memory comes from; borrowed, must outlive the tracer. `deprecated`: not
/// used, pass NULL. `level`: how much to remember. `frames_per_stack`: call stack entries kept for
/// each allocation at AWS_MEMTRACE_STACKS; 0 = 8, at most 128.
/// Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Freed with
/// aws_mem_tracer_destroy(). The tracer's own records come from elsewhere and are not counted. Any
/// thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_tracer_new(
    allocator: *mut aws_allocator,
    deprecated: *mut aws_allocator,
    level: MaybeUninit<aws_mem_trace_level>,
    frames_per_stack: usize,
) -> *mut aws_allocator {
    ffi_fn!({
        let _ = deprecated;
        if allocator.is_null() {
            return raise_null(crate::base::Code::INVALID_ARGUMENT);
        }
        mem_tracer::create(allocator, enum_number(level), frames_per_stack)
    })
}

/// Ends a tracer and returns the allocator it stood in front of; what is still allocated stays so.
///
/// `trace_allocator`: from aws_mem_tracer_new(), not used any more; NULL gives NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_tracer_destroy(
    trace_allocator: *mut aws_allocator,
) -> *mut aws_allocator {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { mem_tracer::destroy(trace_allocator) } })
}

/// Writes what is still allocated to the log, at level trace: in order of time, and at
/// AWS_MEMTRACE_STACKS also by call stack, the largest sums and the highest counts first.
///
/// `trace_allocator`: from aws_mem_tracer_new(). Calls the installed logger on this thread; other
/// threads may go on allocating meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_tracer_dump(trace_allocator: *mut aws_allocator) {
    // SAFETY: by the argument rules.
    ffi_fn!(calls_out { unsafe { mem_tracer::dump(trace_allocator) } })
}

/// Bytes still allocated through a tracer; 0 for NULL or at AWS_MEMTRACE_NONE. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_tracer_bytes(trace_allocator: *mut aws_allocator) -> usize {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { mem_tracer::bytes(trace_allocator) } })
}

/// Allocations still alive through a tracer; 0 for NULL or at AWS_MEMTRACE_NONE. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_mem_tracer_count(trace_allocator: *mut aws_allocator) -> usize {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { mem_tracer::count(trace_allocator) } })
}
