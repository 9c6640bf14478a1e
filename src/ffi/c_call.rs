//! How a C shim calls back into Rust: by hidden symbols, which the shared library does not export.
//!
//! `#[unsafe(no_mangle)]` would export them. A label in assembly, marked hidden, only jumps to the
//! Rust function and is visible to the objects linked together with it.

/// `hidden! { name_in_c => rust_function }`, the functions being `unsafe extern "C"`.
macro_rules! hidden {
    ($($name:ident => $f:path),* $(,)?) => {
        $(
            #[cfg(target_arch = "x86_64")]
            $crate::ffi::c_call::label!($name, "jmp {f}", $f);
            #[cfg(target_arch = "aarch64")]
            $crate::ffi::c_call::label!($name, "b {f}", $f);
        )*
    };
}
pub(crate) use hidden;

macro_rules! label {
    ($name:ident, $jump:literal, $f:path) => {
        core::arch::global_asm!(
            concat!(".pushsection .text.", stringify!($name), ",\"ax\",@progbits"),
            concat!(".globl ", stringify!($name)),
            concat!(".hidden ", stringify!($name)),
            concat!(".type ", stringify!($name), ", @function"),
            concat!(stringify!($name), ": ", $jump),
            ".popsection",
            f = sym $f,
        );
    };
}
pub(crate) use label;
