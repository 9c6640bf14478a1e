//! Four lanes in a NEON register: `bsl` selects, `orn` spares a complement, `sri` ends a rotate.
#![allow(unsafe_op_in_unsafe_fn, reason = "one contract for the whole file: see `Lanes`")]

use crate::simd::generic::Lanes;
use std::arch::aarch64::*;

#[derive(Clone, Copy)]
pub(crate) struct Quad(uint32x4_t);

impl Lanes for Quad {
    const LANES: usize = 4;
    const I_BIAS: u32 = 0;

    #[inline(always)]
    unsafe fn splat(x: u32) -> Quad {
        Quad(vdupq_n_u32(x))
    }
    #[inline(always)]
    unsafe fn load(words: *const u32) -> Quad {
        Quad(vld1q_u32(words))
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        vst1q_u32(words, self.0);
    }
    #[inline(always)]
    unsafe fn add(self, other: Quad) -> Quad {
        Quad(vaddq_u32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn pin(self) -> Quad {
        Quad(pin(self.0))
    }
    #[inline(always)]
    unsafe fn rotate<const L: i32, const R: i32>(self) -> Quad {
        if L == 16 {
            return Quad(vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(self.0))));
        }
        Quad(vsriq_n_u32::<R>(vshlq_n_u32::<L>(self.0), self.0))
    }
    #[inline(always)]
    unsafe fn add_f(acc: Quad, b: Quad, c: Quad, d: Quad) -> Quad {
        Quad(vaddq_u32(acc.0, vbslq_u32(b.0, c.0, d.0)))
    }
    #[inline(always)]
    unsafe fn add_g(acc: Quad, b: Quad, c: Quad, d: Quad) -> Quad {
        Quad(vaddq_u32(acc.0, vbslq_u32(d.0, b.0, c.0)))
    }
    #[inline(always)]
    unsafe fn add_h(acc: Quad, b: Quad, c: Quad, d: Quad) -> Quad {
        Quad(vaddq_u32(acc.0, veorq_u32(b.0, veorq_u32(c.0, d.0))))
    }
    #[inline(always)]
    unsafe fn add_i(acc: Quad, b: Quad, c: Quad, d: Quad) -> Quad {
        Quad(vaddq_u32(acc.0, veorq_u32(c.0, vornq_u32(b.0, d.0))))
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut Quad) {
        let mut q = 0;
        while q < 4 {
            let at = offset + 16 * q;
            // Byte loads are right on either byte order of the pointer's alignment; AArch64 Linux
            // is little-endian, as MD5 wants its words.
            let r0 = vreinterpretq_u32_u8(vld1q_u8((*lanes).add(at)));
            let r1 = vreinterpretq_u32_u8(vld1q_u8((*lanes.add(1)).add(at)));
            let r2 = vreinterpretq_u32_u8(vld1q_u8((*lanes.add(2)).add(at)));
            let r3 = vreinterpretq_u32_u8(vld1q_u8((*lanes.add(3)).add(at)));
            let t0 = vreinterpretq_u64_u32(vtrn1q_u32(r0, r1));
            let t1 = vreinterpretq_u64_u32(vtrn2q_u32(r0, r1));
            let t2 = vreinterpretq_u64_u32(vtrn1q_u32(r2, r3));
            let t3 = vreinterpretq_u64_u32(vtrn2q_u32(r2, r3));
            *out.add(4 * q) = Quad(vreinterpretq_u32_u64(vtrn1q_u64(t0, t2)));
            *out.add(4 * q + 1) = Quad(vreinterpretq_u32_u64(vtrn1q_u64(t1, t3)));
            *out.add(4 * q + 2) = Quad(vreinterpretq_u32_u64(vtrn2q_u64(t0, t2)));
            *out.add(4 * q + 3) = Quad(vreinterpretq_u32_u64(vtrn2q_u64(t1, t3)));
            q += 1;
        }
    }
    #[inline(always)]
    unsafe fn prefetch(address: *const u8) {
        // The intrinsic is not stable yet. A prefetch touches no memory that a program can see.
        std::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) address,
            options(nostack, readonly, preserves_flags)
        );
    }
}

#[inline]
#[target_feature(enable = "neon")]
unsafe fn pin(x: uint32x4_t) -> uint32x4_t {
    let mut x = x;
    std::arch::asm!("/* {0:v} */", inout(vreg) x, options(pure, nomem, nostack, preserves_flags));
    x
}
