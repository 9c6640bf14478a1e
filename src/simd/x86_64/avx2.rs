//! Eight lanes in a 256-bit register, without AVX-512's rotates and three-way logic.
#![allow(unsafe_op_in_unsafe_fn, reason = "one contract for the whole file: see `Lanes`")]

use super::isa::*;
use crate::simd::generic::Lanes;

#[derive(Clone, Copy)]
pub(crate) struct Ymm(__m256i);

impl Lanes for Ymm {
    const LANES: usize = 8;
    const I_BIAS: u32 = u32::MAX;

    #[inline(always)]
    unsafe fn splat(x: u32) -> Ymm {
        Ymm(_mm256_set1_epi32(x as i32))
    }
    #[inline(always)]
    unsafe fn load(words: *const u32) -> Ymm {
        Ymm(_mm256_loadu_si256(words.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        _mm256_storeu_si256(words.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn add(self, other: Ymm) -> Ymm {
        Ymm(_mm256_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn pin(self) -> Ymm {
        Ymm(pin256(self.0))
    }
    #[inline(always)]
    unsafe fn rotate<const L: i32, const R: i32>(self) -> Ymm {
        if L == 16 {
            let swap = _mm256_set_epi64x(SWAP_HIGH, SWAP_LOW, SWAP_HIGH, SWAP_LOW);
            return Ymm(_mm256_shuffle_epi8(self.0, swap));
        }
        Ymm(_mm256_or_si256(_mm256_slli_epi32::<L>(self.0), _mm256_srli_epi32::<R>(self.0)))
    }
    #[inline(always)]
    unsafe fn add_f(acc: Ymm, b: Ymm, c: Ymm, d: Ymm) -> Ymm {
        let f = _mm256_xor_si256(d.0, _mm256_and_si256(b.0, _mm256_xor_si256(c.0, d.0)));
        Ymm(_mm256_add_epi32(acc.0, f))
    }
    #[inline(always)]
    unsafe fn add_g(acc: Ymm, b: Ymm, c: Ymm, d: Ymm) -> Ymm {
        let early = pin256(_mm256_add_epi32(acc.0, _mm256_andnot_si256(d.0, c.0)));
        Ymm(_mm256_add_epi32(early, _mm256_and_si256(b.0, d.0)))
    }
    #[inline(always)]
    unsafe fn add_h(acc: Ymm, b: Ymm, c: Ymm, d: Ymm) -> Ymm {
        Ymm(_mm256_add_epi32(acc.0, _mm256_xor_si256(b.0, _mm256_xor_si256(c.0, d.0))))
    }
    #[inline(always)]
    unsafe fn add_i(acc: Ymm, b: Ymm, c: Ymm, d: Ymm) -> Ymm {
        // As in sse2.rs: -1 - (c ^ (!b & d)), the -1 being in the constant.
        Ymm(_mm256_sub_epi32(acc.0, _mm256_xor_si256(c.0, _mm256_andnot_si256(b.0, d.0))))
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut Ymm) {
        let mut q = 0;
        while q < 4 {
            let at = offset + 16 * q;
            // Lanes n and n + 4 share a register from the load on: the insert takes its half from
            // memory on any port, where crossing halves later would queue on the one shuffle port.
            let r0 = pair(lanes, 0, at);
            let r1 = pair(lanes, 1, at);
            let r2 = pair(lanes, 2, at);
            let r3 = pair(lanes, 3, at);
            let t0 = _mm256_unpacklo_epi32(r0, r1);
            let t1 = _mm256_unpackhi_epi32(r0, r1);
            let t2 = _mm256_unpacklo_epi32(r2, r3);
            let t3 = _mm256_unpackhi_epi32(r2, r3);
            *out.add(4 * q) = Ymm(_mm256_unpacklo_epi64(t0, t2));
            *out.add(4 * q + 1) = Ymm(_mm256_unpackhi_epi64(t0, t2));
            *out.add(4 * q + 2) = Ymm(_mm256_unpacklo_epi64(t1, t3));
            *out.add(4 * q + 3) = Ymm(_mm256_unpackhi_epi64(t1, t3));
            q += 1;
        }
    }
    #[inline(always)]
    unsafe fn prefetch(address: *const u8) {
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
}

/// Byte indices that swap the 16-bit halves of each word.
const SWAP_LOW: i64 = 0x0504_0706_0100_0302;
const SWAP_HIGH: i64 = 0x0d0c_0f0e_0908_0b0a;

/// 16 bytes of lane `n` below 16 bytes of lane `n + 4`.
#[inline(always)]
unsafe fn pair(lanes: *const *const u8, n: usize, at: usize) -> __m256i {
    let low = _mm_loadu_si128((*lanes.add(n)).add(at).cast());
    let high = _mm_loadu_si128((*lanes.add(n + 4)).add(at).cast());
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
}
