//! Four lanes in a 128-bit register. Under an AVX entry the compiler uses the VEX forms.
#![allow(unsafe_op_in_unsafe_fn, reason = "one contract for the whole file: see `Lanes`")]

use super::isa::*;
use crate::simd::generic::Lanes;

#[derive(Clone, Copy)]
pub(crate) struct Xmm(__m128i);

impl Lanes for Xmm {
    const LANES: usize = 4;
    const I_BIAS: u32 = u32::MAX;

    #[inline(always)]
    unsafe fn splat(x: u32) -> Xmm {
        Xmm(_mm_set1_epi32(x as i32))
    }
    #[inline(always)]
    unsafe fn load(words: *const u32) -> Xmm {
        Xmm(_mm_loadu_si128(words.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        _mm_storeu_si128(words.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn add(self, other: Xmm) -> Xmm {
        Xmm(_mm_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn pin(self) -> Xmm {
        Xmm(pin128(self.0))
    }
    #[inline(always)]
    unsafe fn rotate<const L: i32, const R: i32>(self) -> Xmm {
        if L == 16 {
            // Two word shuffles instead of two shifts and an or.
            let low = _mm_shufflelo_epi16::<0b10_11_00_01>(self.0);
            return Xmm(_mm_shufflehi_epi16::<0b10_11_00_01>(low));
        }
        Xmm(_mm_or_si128(_mm_slli_epi32::<L>(self.0), _mm_srli_epi32::<R>(self.0)))
    }
    #[inline(always)]
    unsafe fn add_f(acc: Xmm, b: Xmm, c: Xmm, d: Xmm) -> Xmm {
        let f = _mm_xor_si128(d.0, _mm_and_si128(b.0, _mm_xor_si128(c.0, d.0)));
        Xmm(_mm_add_epi32(acc.0, f))
    }
    #[inline(always)]
    unsafe fn add_g(acc: Xmm, b: Xmm, c: Xmm, d: Xmm) -> Xmm {
        let early = pin128(_mm_add_epi32(acc.0, _mm_andnot_si128(d.0, c.0)));
        Xmm(_mm_add_epi32(early, _mm_and_si128(b.0, d.0)))
    }
    #[inline(always)]
    unsafe fn add_h(acc: Xmm, b: Xmm, c: Xmm, d: Xmm) -> Xmm {
        Xmm(_mm_add_epi32(acc.0, _mm_xor_si128(b.0, _mm_xor_si128(c.0, d.0))))
    }
    #[inline(always)]
    unsafe fn add_i(acc: Xmm, b: Xmm, c: Xmm, d: Xmm) -> Xmm {
        // c ^ (b | !d) is !(c ^ (!b & d)), which is -1 - that; the -1 sits in the constant.
        Xmm(_mm_sub_epi32(acc.0, _mm_xor_si128(c.0, _mm_andnot_si128(b.0, d.0))))
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut Xmm) {
        let mut q = 0;
        while q < 4 {
            let at = offset + 16 * q;
            let r0 = _mm_loadu_si128((*lanes).add(at).cast());
            let r1 = _mm_loadu_si128((*lanes.add(1)).add(at).cast());
            let r2 = _mm_loadu_si128((*lanes.add(2)).add(at).cast());
            let r3 = _mm_loadu_si128((*lanes.add(3)).add(at).cast());
            let t0 = _mm_unpacklo_epi32(r0, r1);
            let t1 = _mm_unpackhi_epi32(r0, r1);
            let t2 = _mm_unpacklo_epi32(r2, r3);
            let t3 = _mm_unpackhi_epi32(r2, r3);
            *out.add(4 * q) = Xmm(_mm_unpacklo_epi64(t0, t2));
            *out.add(4 * q + 1) = Xmm(_mm_unpackhi_epi64(t0, t2));
            *out.add(4 * q + 2) = Xmm(_mm_unpacklo_epi64(t1, t3));
            *out.add(4 * q + 3) = Xmm(_mm_unpackhi_epi64(t1, t3));
            q += 1;
        }
    }
    #[inline(always)]
    unsafe fn prefetch(address: *const u8) {
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
}
