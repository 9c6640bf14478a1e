//! Entries for x86-64: each turns its instruction set on for the generic kernel inlined in it.
#![allow(unsafe_op_in_unsafe_fn, reason = "each entry passes its own contract on unchanged")]

pub(crate) mod avx2;
pub(crate) mod avx512;
#[cfg(test)]
mod model;
pub(crate) mod sse2;

use super::generic::md5::run;
use avx2::Ymm;
use avx512::{SoloVl, XmmVl, YmmVl, Zmm};
use sse2::Xmm;

/// Where the instruction sets' files take their intrinsics from. The tests compile `avx512.rs`
/// a second time over a model of them, for machines without the real ones.
pub(crate) mod isa {
    pub(crate) use std::arch::x86_64::*;

    macro_rules! pins {
        ($($(#[$feature:meta])* $name:ident = $register:ident: $class:ident;)*) => {$(
            /// The same value, opaque to the optimiser: see `Lanes::pin`.
            $(#[$feature])*
            #[inline]
            pub(crate) unsafe fn $name(x: $register) -> $register {
                let mut x = x;
                std::arch::asm!(
                    "/* {0} */", inout($class) x, options(pure, nomem, nostack, preserves_flags)
                );
                x
            }
        )*};
    }

    pins! {
        #[target_feature(enable = "sse2")] pin128 = __m128i: xmm_reg;
        #[target_feature(enable = "avx2")] pin256 = __m256i: ymm_reg;
        #[target_feature(enable = "avx512f")] pin512 = __m512i: zmm_reg;
    }
}

macro_rules! entries {
    ($($(#[$feature:meta])* $name:ident = $lanes:ty, $sets:literal;)*) => {$(
        /// # Safety
        /// As `generic::md5::run`, and the processor has the features named here.
        $(#[$feature])*
        pub(crate) unsafe fn $name(
            s: *mut u32,
            lanes: *const *const u8,
            n: usize,
            prefetch: bool,
        ) {
            run::<$lanes, $sets>(s, lanes, n, prefetch);
        }
    )*};
}

entries! {
    #[target_feature(enable = "sse2")] md5_sse2_4x1 = Xmm, 1;
    #[target_feature(enable = "sse2")] md5_sse2_4x2 = Xmm, 2;
    #[target_feature(enable = "sse2")] md5_sse2_4x3 = Xmm, 3;
    // The same four lanes, with the three-operand forms.
    #[target_feature(enable = "avx2")] md5_avx2_4x1 = Xmm, 1;
    #[target_feature(enable = "avx2")] md5_avx2_8x1 = Ymm, 1;
    #[target_feature(enable = "avx2")] md5_avx2_8x2 = Ymm, 2;
    #[target_feature(enable = "avx2")] md5_avx2_8x3 = Ymm, 3;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512vl_x1 = SoloVl, 1;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512vl_4x1 = XmmVl, 1;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512vl_4x2 = XmmVl, 2;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512vl_8x2 = YmmVl, 2;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512vl_8x3 = YmmVl, 3;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512_16x1 = Zmm, 1;
    #[target_feature(enable = "avx512f,avx512vl")] md5_avx512_16x2 = Zmm, 2;
}
