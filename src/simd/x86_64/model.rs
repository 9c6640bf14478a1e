//! `avx512.rs` compiled a second time, over intrinsics written out as plain loops, so that its
//! shuffles and truth tables are tested on processors that lack the instructions.
#![allow(unsafe_op_in_unsafe_fn, reason = "the model keeps the signatures of the real ones")]

use crate::simd::generic::Lanes;
use crate::simd::generic::md5::{STRIDE, run};
use crate::simd::md5::{BLOCK, INITIAL, LANES_MAX};
use crate::simd::tests::{naive_states, noise};

#[path = "avx512.rs"]
#[allow(clippy::duplicate_mod, reason = "the point of the model is to compile it twice")]
mod avx512;

/// What Intel's manual says of each instruction, in 32-bit words.
#[allow(non_camel_case_types, reason = "the names of the real ones")]
mod isa {
    #[derive(Clone, Copy)]
    pub(crate) struct Words<const N: usize>([u32; N]);
    pub(crate) type __m128i = Words<4>;
    pub(crate) type __m256i = Words<8>;
    pub(crate) type __m512i = Words<16>;
    pub(crate) const _MM_HINT_T0: i32 = 3;

    fn each<const N: usize>(f: impl Fn(usize) -> u32) -> Words<N> {
        Words(std::array::from_fn(f))
    }
    /// Interleaves words `from` and `from + 1` of each 128-bit part.
    fn unpack32<const N: usize>(a: Words<N>, b: Words<N>, from: usize) -> Words<N> {
        each(|i| if i % 2 == 0 { a } else { b }.0[i / 4 * 4 + from + i % 4 / 2])
    }
    /// Interleaves one 64-bit half of each 128-bit part.
    fn unpack64<const N: usize>(a: Words<N>, b: Words<N>, half: usize) -> Words<N> {
        each(|i| if i % 4 < 2 { a } else { b }.0[i / 4 * 4 + 2 * half + i % 2])
    }
    fn ternary<const N: usize>(table: i32, x: Words<N>, y: Words<N>, z: Words<N>) -> Words<N> {
        each(|i| {
            (0..32).fold(0, |word, bit| {
                let at = |w: Words<N>| w.0[i] >> bit & 1;
                let index = at(x) << 2 | at(y) << 1 | at(z);
                word | (table as u32 >> index & 1) << bit
            })
        })
    }

    macro_rules! width {
        ($register:ident: $set1:ident $add:ident $ternary:ident $rotate:ident $load:ident
         $store:ident $lo32:ident $hi32:ident $lo64:ident $hi64:ident $pin:ident) => {
            pub(crate) unsafe fn $set1(x: i32) -> $register {
                each(|_| x as u32)
            }
            pub(crate) unsafe fn $add(a: $register, b: $register) -> $register {
                each(|i| a.0[i].wrapping_add(b.0[i]))
            }
            pub(crate) unsafe fn $ternary<const T: i32>(
                x: $register,
                y: $register,
                z: $register,
            ) -> $register {
                ternary(T, x, y, z)
            }
            pub(crate) unsafe fn $rotate<const L: i32>(a: $register) -> $register {
                each(|i| a.0[i].rotate_left(L as u32))
            }
            pub(crate) unsafe fn $load(from: *const $register) -> $register {
                from.read_unaligned()
            }
            pub(crate) unsafe fn $store(to: *mut $register, a: $register) {
                to.write_unaligned(a);
            }
            pub(crate) unsafe fn $lo32(a: $register, b: $register) -> $register {
                unpack32(a, b, 0)
            }
            pub(crate) unsafe fn $hi32(a: $register, b: $register) -> $register {
                unpack32(a, b, 2)
            }
            pub(crate) unsafe fn $lo64(a: $register, b: $register) -> $register {
                unpack64(a, b, 0)
            }
            pub(crate) unsafe fn $hi64(a: $register, b: $register) -> $register {
                unpack64(a, b, 1)
            }
            pub(crate) unsafe fn $pin(a: $register) -> $register {
                a
            }
        };
    }

    width!(__m128i: _mm_set1_epi32 _mm_add_epi32 _mm_ternarylogic_epi32 _mm_rol_epi32
        _mm_loadu_si128 _mm_storeu_si128 _mm_unpacklo_epi32 _mm_unpackhi_epi32
        _mm_unpacklo_epi64 _mm_unpackhi_epi64 pin128);
    width!(__m256i: _mm256_set1_epi32 _mm256_add_epi32 _mm256_ternarylogic_epi32 _mm256_rol_epi32
        _mm256_loadu_si256 _mm256_storeu_si256 _mm256_unpacklo_epi32 _mm256_unpackhi_epi32
        _mm256_unpacklo_epi64 _mm256_unpackhi_epi64 pin256);
    width!(__m512i: _mm512_set1_epi32 _mm512_add_epi32 _mm512_ternarylogic_epi32 _mm512_rol_epi32
        _mm512_loadu_si512 _mm512_storeu_si512 _mm512_unpacklo_epi32 _mm512_unpackhi_epi32
        _mm512_unpacklo_epi64 _mm512_unpackhi_epi64 pin512);

    pub(crate) unsafe fn _mm_cvtsi128_si32(a: __m128i) -> i32 {
        a.0[0] as i32
    }
    pub(crate) unsafe fn _mm256_castsi128_si256(a: __m128i) -> __m256i {
        // The upper half is undefined: anything but zeros.
        each(|i| if i < 4 { a.0[i] } else { 0xdead_beef })
    }
    pub(crate) unsafe fn _mm256_inserti128_si256<const UPPER: i32>(
        a: __m256i,
        b: __m128i,
    ) -> __m256i {
        each(|i| if i / 4 == UPPER as usize { b.0[i % 4] } else { a.0[i] })
    }
    pub(crate) unsafe fn _mm512_setzero_si512() -> __m512i {
        each(|_| 0)
    }
    pub(crate) unsafe fn _mm512_shuffle_i32x4<const M: i32>(a: __m512i, b: __m512i) -> __m512i {
        each(|i| {
            let part = (M >> (2 * (i / 4)) & 3) as usize;
            if i < 8 { a } else { b }.0[4 * part + i % 4]
        })
    }
    pub(crate) unsafe fn _mm_prefetch<const HINT: i32>(_address: *const i8) {}
}

fn check<V: Lanes, const S: usize>() {
    let lanes = S * V::LANES;
    let blocks = 3;
    let data = noise(31, lanes * 250);
    let messages: Vec<&[u8]> = (0..lanes).map(|i| &data[i * 250..][..blocks * BLOCK]).collect();
    let pointers: Vec<*const u8> = messages.iter().map(|m| m.as_ptr()).collect();
    let mut states = [[0; STRIDE]; 4];
    for lane in 0..LANES_MAX {
        for (row, word) in states.iter_mut().zip(INITIAL) {
            row[lane] = word.wrapping_mul(2 * lane as u32 + 1);
        }
    }
    let before = states;
    // SAFETY: plain loops run everywhere; four rows of STRIDE words and one pointer a lane, each
    // readable for the blocks.
    unsafe { run::<V, S>(states.as_mut_ptr().cast(), pointers.as_ptr(), blocks, true) };
    for lane in 0..LANES_MAX {
        let column = |rows: &[[u32; STRIDE]; 4]| std::array::from_fn(|word| rows[word][lane]);
        let want = match messages.get(lane) {
            Some(message) => naive_states(column(&before), message, blocks),
            None => column(&before),
        };
        assert_eq!(column(&states), want, "lane {lane} of {lanes}");
    }
}

#[test]
fn avx512_over_the_model_matches_oracle() {
    check::<avx512::SoloVl, 1>();
    check::<avx512::XmmVl, 1>();
    check::<avx512::XmmVl, 2>();
    check::<avx512::YmmVl, 2>();
    check::<avx512::YmmVl, 3>();
    check::<avx512::Zmm, 1>();
    check::<avx512::Zmm, 2>();
}
