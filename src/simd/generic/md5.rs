//! The MD5 compression (RFC 1321, section 3.4) over `S` sets of lanes at once.
//!
//! One set is bound by the latency of 64 dependent steps; two or three independent sets fill the
//! execution units in between. More spill registers and gain nothing.
#![allow(unsafe_op_in_unsafe_fn, reason = "one contract for the whole file: see `Lanes`")]

use super::Lanes;
use std::mem::MaybeUninit;

/// Words of chaining state live as `[word][lane]`; this is the distance between words.
pub(crate) const STRIDE: usize = 32;

/// How far ahead a lane is prefetched when asked. Measured: 256 bytes, four blocks.
const AHEAD: usize = 256;

/// Round constants: `floor(abs(sin(i + 1)) * 2^32)`.
#[rustfmt::skip]
static K: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// One step in every set: `a = b + rotl(a + mix(b, c, d) + m + k, l)`.
macro_rules! step {
    ($mix:ident, $a:ident $b:ident $c:ident $d:ident, ($m:ident, $k:ident)[$g:expr], $i:expr,
     $l:literal, $r:literal) => {
        let k = V::splat(*$k.add($i));
        let mut s = 0;
        while s < S {
            // The message and the constant are ready long before `b`: keep them off its path.
            let word = *$m.add(16 * s + $g);
            let sum = $a[s].add(word.add(k)).pin();
            let mixed = V::$mix(sum, $b[s], $c[s], $d[s]);
            $a[s] = $b[s].add(mixed.rotate::<$l, $r>());
            s += 1;
        }
    };
}

/// Four steps of a round, after which the registers have their old names again.
macro_rules! quad {
    ($mix:ident, $a:ident $b:ident $c:ident $d:ident, ($m:ident, $k:ident), $i:expr,
     [$g0:expr, $g1:expr, $g2:expr, $g3:expr],
     $l0:literal/$r0:literal $l1:literal/$r1:literal $l2:literal/$r2:literal $l3:literal/$r3:literal
    ) => {
        step!($mix, $a $b $c $d, ($m, $k)[$g0], $i, $l0, $r0);
        step!($mix, $d $a $b $c, ($m, $k)[$g1], $i + 1, $l1, $r1);
        step!($mix, $c $d $a $b, ($m, $k)[$g2], $i + 2, $l2, $r2);
        step!($mix, $b $c $d $a, ($m, $k)[$g3], $i + 3, $l3, $r3);
    };
}

/// Compresses `count` blocks of each of `S * V::LANES` messages into their states.
///
/// # Safety
/// - The instruction set of `V` is available.
/// - `states` points at four rows of `STRIDE` words; `lanes` at `S * V::LANES` pointers, each
///   readable for `count * 64` bytes.
#[inline(always)]
pub(crate) unsafe fn run<V: Lanes, const S: usize>(
    states: *mut u32,
    lanes: *const *const u8,
    count: usize,
    prefetch: bool,
) {
    let zero = V::splat(0);
    let (mut a, mut b, mut c, mut d) = ([zero; S], [zero; S], [zero; S], [zero; S]);
    let mut s = 0;
    while s < S {
        a[s] = V::load(states.add(s * V::LANES));
        b[s] = V::load(states.add(STRIDE + s * V::LANES));
        c[s] = V::load(states.add(2 * STRIDE + s * V::LANES));
        d[s] = V::load(states.add(3 * STRIDE + s * V::LANES));
        s += 1;
    }
    let constants = const { constants(V::I_BIAS) };
    let mut work = MaybeUninit::<Work<V, S>>::uninit();

    let mut block = 0;
    while block < count {
        let offset = block * 64;
        if prefetch {
            let mut lane = 0;
            while lane < S * V::LANES {
                V::prefetch((*lanes.add(lane)).wrapping_add(offset + AHEAD));
                lane += 1;
            }
        }
        let mut m = work.as_mut_ptr().cast::<V>();
        let mut s = 0;
        while s < S {
            V::load_block(lanes.add(s * V::LANES), offset, m.add(16 * s));
            s += 1;
        }
        let mut k = constants.as_ptr();
        if V::FROM_MEMORY {
            settle(&mut m, &mut k);
        }

        quad!(add_f, a b c d, (m, k), 0, [0, 1, 2, 3], 7/25 12/20 17/15 22/10);
        quad!(add_f, a b c d, (m, k), 4, [4, 5, 6, 7], 7/25 12/20 17/15 22/10);
        quad!(add_f, a b c d, (m, k), 8, [8, 9, 10, 11], 7/25 12/20 17/15 22/10);
        quad!(add_f, a b c d, (m, k), 12, [12, 13, 14, 15], 7/25 12/20 17/15 22/10);

        quad!(add_g, a b c d, (m, k), 16, [1, 6, 11, 0], 5/27 9/23 14/18 20/12);
        quad!(add_g, a b c d, (m, k), 20, [5, 10, 15, 4], 5/27 9/23 14/18 20/12);
        quad!(add_g, a b c d, (m, k), 24, [9, 14, 3, 8], 5/27 9/23 14/18 20/12);
        quad!(add_g, a b c d, (m, k), 28, [13, 2, 7, 12], 5/27 9/23 14/18 20/12);

        quad!(add_h, a b c d, (m, k), 32, [5, 8, 11, 14], 4/28 11/21 16/16 23/9);
        quad!(add_h, a b c d, (m, k), 36, [1, 4, 7, 10], 4/28 11/21 16/16 23/9);
        quad!(add_h, a b c d, (m, k), 40, [13, 0, 3, 6], 4/28 11/21 16/16 23/9);
        quad!(add_h, a b c d, (m, k), 44, [9, 12, 15, 2], 4/28 11/21 16/16 23/9);

        quad!(add_i, a b c d, (m, k), 48, [0, 7, 14, 5], 6/26 10/22 15/17 21/11);
        quad!(add_i, a b c d, (m, k), 52, [12, 3, 10, 1], 6/26 10/22 15/17 21/11);
        quad!(add_i, a b c d, (m, k), 56, [8, 15, 6, 13], 6/26 10/22 15/17 21/11);
        quad!(add_i, a b c d, (m, k), 60, [4, 11, 2, 9], 6/26 10/22 15/17 21/11);

        let mut s = 0;
        while s < S {
            let row = states.add(s * V::LANES);
            a[s] = a[s].add(V::load(row));
            b[s] = b[s].add(V::load(row.add(STRIDE)));
            c[s] = c[s].add(V::load(row.add(2 * STRIDE)));
            d[s] = d[s].add(V::load(row.add(3 * STRIDE)));
            a[s].store(row);
            b[s].store(row.add(STRIDE));
            c[s].store(row.add(2 * STRIDE));
            d[s].store(row.add(3 * STRIDE));
            s += 1;
        }
        block += 1;
    }
}

/// The transposed block, on whole cache lines: a register spilled across two lines costs more
/// than the step that uses it, and a frame is aligned to 16 bytes only unless something asks.
#[repr(C, align(64))]
struct Work<V, const S: usize>([[V; 16]; S]);

/// `K` with the bias of the lane type in round 4.
const fn constants(bias: u32) -> &'static [u32; 64] {
    match bias {
        0 => &K,
        u32::MAX => &K_LESS_ONE,
        _ => panic!("a bias without its table"),
    }
}

static K_LESS_ONE: [u32; 64] = {
    let mut k = K;
    let mut i = 48;
    while i < 64 {
        k[i] = k[i].wrapping_sub(1);
        i += 1;
    }
    k
};

/// From here on the block is in memory and the constants are anywhere. Without this the optimiser
/// keeps both in registers that do not exist: it spills what it has just loaded, and broadcasts
/// all 64 constants to the stack before the first block.
#[inline(always)]
unsafe fn settle<V>(m: &mut *mut V, k: &mut *const u32) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    std::arch::asm!(
        "/* {0} {1} */",
        inout(reg) * m,
        inout(reg) * k,
        options(nostack, preserves_flags)
    );
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (m, k);
}
