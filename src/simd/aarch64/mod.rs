//! Entries for AArch64, where NEON belongs to the base.
#![allow(unsafe_op_in_unsafe_fn, reason = "each entry passes its own contract on unchanged")]

mod neon;

use super::generic::md5::run;
use neon::Quad;

macro_rules! entries {
    ($($name:ident = $sets:literal;)*) => {$(
        /// # Safety
        /// As `generic::md5::run`, and the processor has NEON.
        #[target_feature(enable = "neon")]
        pub(crate) unsafe fn $name(
            s: *mut u32,
            lanes: *const *const u8,
            n: usize,
            prefetch: bool,
        ) {
            run::<Quad, $sets>(s, lanes, n, prefetch);
        }
    )*};
}

entries! {
    md5_neon_4x1 = 1;
    md5_neon_4x2 = 2;
    md5_neon_4x3 = 3;
}
