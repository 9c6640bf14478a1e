//! `aws/common/atomics.h`: words that several threads change. All inline in C; the one that other
//! languages link by name is a symbol as well.

use std::sync::atomic::Ordering;

pub use crate::ctypes::aws_atomic_var;

/// Order between an atomic operation and the memory accesses around it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_memory_order {
    /// None; the operation itself is whole.
    aws_memory_order_relaxed = 0,
    /// Nothing after a load moves before it.
    aws_memory_order_acquire = 2,
    /// Nothing before a store moves behind it.
    aws_memory_order_release = 3,
    /// Both.
    aws_memory_order_acq_rel = 4,
    /// Both, and all threads see all such operations in one order.
    aws_memory_order_seq_cst = 5,
}

/// Reads the integer; sequentially consistent. `var`: NULL gives 0. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_atomic_load_int(var: *const aws_atomic_var) -> usize {
    ffi_fn!({
        if var.is_null() {
            return 0;
        }
        // SAFETY: by the argument rules.
        unsafe { aws_atomic_var::word(var) }.load(Ordering::SeqCst)
    })
}
