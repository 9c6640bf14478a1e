//! One message at a time in general registers: the tier that every processor has, and the
//! one-lane kernel of those tiers whose vectors gain nothing for one message.
#![allow(unsafe_op_in_unsafe_fn, reason = "one contract for the whole file: see `Lanes`")]

use super::generic::{Lanes, md5};

impl Lanes for u32 {
    const LANES: usize = 1;
    const I_BIAS: u32 = 0;
    const FROM_MEMORY: bool = false;

    #[inline(always)]
    unsafe fn splat(x: u32) -> u32 {
        x
    }
    #[inline(always)]
    unsafe fn load(words: *const u32) -> u32 {
        words.read_unaligned()
    }
    #[inline(always)]
    unsafe fn store(self, words: *mut u32) {
        words.write_unaligned(self);
    }
    #[inline(always)]
    unsafe fn add(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }
    #[inline(always)]
    unsafe fn pin(self) -> u32 {
        let mut x = self;
        #[cfg(target_arch = "x86_64")]
        std::arch::asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        std::arch::asm!("/* {0:w} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = &mut x;
        x
    }
    #[inline(always)]
    unsafe fn rotate<const L: i32, const R: i32>(self) -> u32 {
        self.rotate_left(L as u32)
    }
    #[inline(always)]
    unsafe fn add_f(acc: u32, b: u32, c: u32, d: u32) -> u32 {
        acc.wrapping_add(d ^ (b & (c ^ d)))
    }
    #[inline(always)]
    unsafe fn add_g(acc: u32, b: u32, c: u32, d: u32) -> u32 {
        // The two halves never share a bit, so `+` is `|`, and only one half waits for `b`.
        acc.wrapping_add(c & !d).pin().wrapping_add(b & d)
    }
    #[inline(always)]
    unsafe fn add_h(acc: u32, b: u32, c: u32, d: u32) -> u32 {
        acc.wrapping_add(b ^ (c ^ d))
    }
    #[inline(always)]
    unsafe fn add_i(acc: u32, b: u32, c: u32, d: u32) -> u32 {
        acc.wrapping_add(c ^ (b | !d))
    }
    #[inline(always)]
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut u32) {
        let words = (*lanes).add(offset).cast::<u32>();
        let mut i = 0;
        while i < 16 {
            *out.add(i) = u32::from_le(words.add(i).read_unaligned());
            i += 1;
        }
    }
    #[inline(always)]
    unsafe fn prefetch(_address: *const u8) {
        // One stream is what the hardware's own prefetcher is good at.
    }
}

/// # Safety
/// As `generic::md5::run` with one lane.
pub(crate) unsafe fn md5_x1(s: *mut u32, lanes: *const *const u8, n: usize, prefetch: bool) {
    md5::run::<u32, 1>(s, lanes, n, prefetch);
}
