//! AVX-512: one three-way logic instruction for each mixing function and one for each rotate, on
//! 16 lanes, and through AVX-512VL on 8, 4 and 1.
//!
//! The single message runs in vector registers too: `vprold` and `vpternlogd` make a step four
//! dependent instructions, fewer than general registers need.
#![allow(unsafe_op_in_unsafe_fn, reason = "one contract for the whole file: see `Lanes`")]

use super::isa::*;
use crate::simd::generic::Lanes;

/// Truth tables of `vpternlogd`, bit `x << 2 | y << 1 | z` for operands `(x, y, z)`.
const SELECT: i32 = 0xca; // x ? y : z
const PARITY: i32 = 0x96; // x ^ y ^ z
const ROUND4: i32 = 0x39; // y ^ (x | !z)

/// The arithmetic of a lane type, which differs in names only.
macro_rules! arithmetic {
    ($name:ident, $set1:ident, $add:ident, $ternary:ident, $rotate:ident, $pin:ident) => {
        const I_BIAS: u32 = 0;

        #[inline(always)]
        unsafe fn splat(x: u32) -> $name {
            $name($set1(x as i32))
        }
        #[inline(always)]
        unsafe fn add(self, other: $name) -> $name {
            $name($add(self.0, other.0))
        }
        #[inline(always)]
        unsafe fn pin(self) -> $name {
            $name($pin(self.0))
        }
        #[inline(always)]
        unsafe fn rotate<const L: i32, const R: i32>(self) -> $name {
            $name($rotate::<L>(self.0))
        }
        #[inline(always)]
        unsafe fn add_f(acc: $name, b: $name, c: $name, d: $name) -> $name {
            $name($add(acc.0, $ternary::<SELECT>(b.0, c.0, d.0)))
        }
        #[inline(always)]
        unsafe fn add_g(acc: $name, b: $name, c: $name, d: $name) -> $name {
            $name($add(acc.0, $ternary::<SELECT>(d.0, b.0, c.0)))
        }
        #[inline(always)]
        unsafe fn add_h(acc: $name, b: $name, c: $name, d: $name) -> $name {
            $name($add(acc.0, $ternary::<PARITY>(b.0, c.0, d.0)))
        }
        #[inline(always)]
        unsafe fn add_i(acc: $name, b: $name, c: $name, d: $name) -> $name {
            $name($add(acc.0, $ternary::<ROUND4>(b.0, c.0, d.0)))
        }
        #[inline(always)]
        unsafe fn prefetch(address: *const u8) {
            _mm_prefetch::<_MM_HINT_T0>(address.cast());
        }
    };
}

/// Four rows of four words become four columns; the same within each 128-bit part of wider rows.
macro_rules! transpose4 {
    ($name:ident, $out:expr, $rows:expr, $lo32:ident $hi32:ident $lo64:ident $hi64:ident) => {
        let [r0, r1, r2, r3] = $rows;
        let t0 = $lo32(r0, r1);
        let t1 = $hi32(r0, r1);
        let t2 = $lo32(r2, r3);
        let t3 = $hi32(r2, r3);
        *$out.add(0) = $name($lo64(t0, t2));
        *$out.add(1) = $name($hi64(t0, t2));
        *$out.add(2) = $name($lo64(t1, t3));
        *$out.add(3) = $name($hi64(t1, t3));
    };
}

/// One message in lane 0 of a 128-bit register; the other lanes carry copies that nobody reads.
#[derive(Clone, Copy)]
pub(crate) struct SoloVl(__m128i);

impl Lanes for SoloVl {
    const LANES: usize = 1;
    /// The sixteen words fit beside the state.
    const FROM_MEMORY: bool = false;
    arithmetic!(
        SoloVl,
        _mm_set1_epi32,
        _mm_add_epi32,
        _mm_ternarylogic_epi32,
        _mm_rol_epi32,
        pin128
    );

    #[inline(always)]
    unsafe fn load(words: *const u32) -> SoloVl {
        SoloVl(_mm_set1_epi32(words.cast::<i32>().read_unaligned()))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        words.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(self.0));
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut SoloVl) {
        let words = (*lanes).add(offset).cast::<i32>();
        let mut i = 0;
        while i < 16 {
            // A broadcasting load costs no shuffle.
            *out.add(i) = SoloVl(_mm_set1_epi32(words.add(i).read_unaligned()));
            i += 1;
        }
    }
}

/// Four lanes.
#[derive(Clone, Copy)]
pub(crate) struct XmmVl(__m128i);

impl Lanes for XmmVl {
    const LANES: usize = 4;
    arithmetic!(
        XmmVl,
        _mm_set1_epi32,
        _mm_add_epi32,
        _mm_ternarylogic_epi32,
        _mm_rol_epi32,
        pin128
    );

    #[inline(always)]
    unsafe fn load(words: *const u32) -> XmmVl {
        XmmVl(_mm_loadu_si128(words.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        _mm_storeu_si128(words.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut XmmVl) {
        let mut q = 0;
        while q < 4 {
            let at = offset + 16 * q;
            let rows = [
                _mm_loadu_si128((*lanes).add(at).cast()),
                _mm_loadu_si128((*lanes.add(1)).add(at).cast()),
                _mm_loadu_si128((*lanes.add(2)).add(at).cast()),
                _mm_loadu_si128((*lanes.add(3)).add(at).cast()),
            ];
            let out = out.add(4 * q);
            transpose4!(XmmVl, out, rows, _mm_unpacklo_epi32 _mm_unpackhi_epi32
                _mm_unpacklo_epi64 _mm_unpackhi_epi64);
            q += 1;
        }
    }
}

/// Eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct YmmVl(__m256i);

impl Lanes for YmmVl {
    const LANES: usize = 8;
    arithmetic!(
        YmmVl,
        _mm256_set1_epi32,
        _mm256_add_epi32,
        _mm256_ternarylogic_epi32,
        _mm256_rol_epi32,
        pin256
    );

    #[inline(always)]
    unsafe fn load(words: *const u32) -> YmmVl {
        YmmVl(_mm256_loadu_si256(words.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        _mm256_storeu_si256(words.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut YmmVl) {
        let mut q = 0;
        while q < 4 {
            let at = offset + 16 * q;
            let rows =
                [pair(lanes, 0, at), pair(lanes, 1, at), pair(lanes, 2, at), pair(lanes, 3, at)];
            let out = out.add(4 * q);
            transpose4!(YmmVl, out, rows, _mm256_unpacklo_epi32 _mm256_unpackhi_epi32
                _mm256_unpacklo_epi64 _mm256_unpackhi_epi64);
            q += 1;
        }
    }
}

/// 16 bytes of lane `n` below 16 bytes of lane `n + 4`.
#[inline(always)]
unsafe fn pair(lanes: *const *const u8, n: usize, at: usize) -> __m256i {
    let low = _mm_loadu_si128((*lanes.add(n)).add(at).cast());
    let high = _mm_loadu_si128((*lanes.add(n + 4)).add(at).cast());
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
}

/// Sixteen lanes.
#[derive(Clone, Copy)]
pub(crate) struct Zmm(__m512i);

impl Lanes for Zmm {
    const LANES: usize = 16;
    arithmetic!(
        Zmm,
        _mm512_set1_epi32,
        _mm512_add_epi32,
        _mm512_ternarylogic_epi32,
        _mm512_rol_epi32,
        pin512
    );

    #[inline(always)]
    unsafe fn load(words: *const u32) -> Zmm {
        Zmm(_mm512_loadu_si512(words.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        _mm512_storeu_si512(words.cast(), self.0);
    }
    /// A block is one register: 16 rows of 16 words, transposed by 64 shuffles. Gathers were
    /// measured 20 to 45 percent slower.
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut Zmm) {
        // Step 1: rows 4g..4g+4 transposed within each 128-bit part. Part p of `t[4g + i]` then
        // holds word 4p + i of the four lanes of group g.
        let mut t = [Zmm(_mm512_setzero_si512()); 16];
        let mut g = 0;
        while g < 4 {
            let at = lanes.add(4 * g);
            let rows = [
                _mm512_loadu_si512((*at).add(offset).cast()),
                _mm512_loadu_si512((*at.add(1)).add(offset).cast()),
                _mm512_loadu_si512((*at.add(2)).add(offset).cast()),
                _mm512_loadu_si512((*at.add(3)).add(offset).cast()),
            ];
            let part = t.as_mut_ptr().add(4 * g);
            transpose4!(Zmm, part, rows, _mm512_unpacklo_epi32 _mm512_unpackhi_epi32
                _mm512_unpacklo_epi64 _mm512_unpackhi_epi64);
            g += 1;
        }
        // Step 2: for each i, a 4x4 transpose whose elements are the 128-bit parts.
        let mut i = 0;
        while i < 4 {
            let low01 = _mm512_shuffle_i32x4::<0b01_00_01_00>(t[i].0, t[4 + i].0);
            let high01 = _mm512_shuffle_i32x4::<0b11_10_11_10>(t[i].0, t[4 + i].0);
            let low23 = _mm512_shuffle_i32x4::<0b01_00_01_00>(t[8 + i].0, t[12 + i].0);
            let high23 = _mm512_shuffle_i32x4::<0b11_10_11_10>(t[8 + i].0, t[12 + i].0);
            *out.add(i) = Zmm(_mm512_shuffle_i32x4::<0b10_00_10_00>(low01, low23));
            *out.add(4 + i) = Zmm(_mm512_shuffle_i32x4::<0b11_01_11_01>(low01, low23));
            *out.add(8 + i) = Zmm(_mm512_shuffle_i32x4::<0b10_00_10_00>(high01, high23));
            *out.add(12 + i) = Zmm(_mm512_shuffle_i32x4::<0b11_01_11_01>(high01, high23));
            i += 1;
        }
    }
}
