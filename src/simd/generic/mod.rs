//! Algorithms over lanes, written once. An instruction set joins in by implementing [`Lanes`].

pub(crate) mod md5;

/// A register of 32-bit lanes, each lane belonging to another message.
///
/// # Safety
/// Every method may be called only while the instruction set behind the type is available; that
/// is the one contract of all of them, kept by the `#[target_feature]` entry that inlines them.
/// Pointers are as wide as each method says.
pub(crate) trait Lanes: Copy {
    const LANES: usize;
    /// Added to the constants of round 4, so that `add_i` may be the cheaper `acc - x - 1` form.
    const I_BIAS: u32;
    /// Whether words and constants are better read from memory where they are used. In general
    /// registers constants are immediates and the message is where it was.
    const FROM_MEMORY: bool = true;

    unsafe fn splat(x: u32) -> Self;
    /// Reads `LANES` words, unaligned.
    unsafe fn load(words: *const u32) -> Self;
    /// Writes `LANES` words, unaligned.
    unsafe fn store(self, words: *mut u32);
    unsafe fn add(self, other: Self) -> Self;
    /// The same value, opaque to the optimiser: it may not regroup a sum across it. Left alone it
    /// sorts the late operand of a step to the front, which made one set 20 percent slower.
    unsafe fn pin(self) -> Self;
    /// Rotates each lane left by `L`; `R` is `32 - L`.
    unsafe fn rotate<const L: i32, const R: i32>(self) -> Self;
    /// `acc + ((b & c) | (!b & d))`
    unsafe fn add_f(acc: Self, b: Self, c: Self, d: Self) -> Self;
    /// `acc + ((b & d) | (c & !d))`
    unsafe fn add_g(acc: Self, b: Self, c: Self, d: Self) -> Self;
    /// `acc + (b ^ c ^ d)`
    unsafe fn add_h(acc: Self, b: Self, c: Self, d: Self) -> Self;
    /// `acc + (c ^ (b | !d)) - I_BIAS`
    unsafe fn add_i(acc: Self, b: Self, c: Self, d: Self) -> Self;
    /// Reads 64 bytes at `offset` behind each of `LANES` pointers and transposes them: word `i` of
    /// every lane ends up in `out[i]`. Reads exactly those bytes, writes 16 registers.
    unsafe fn load_block(lanes: *const *const u8, offset: usize, out: *mut Self);
    /// A hint only; the address need not be readable.
    unsafe fn prefetch(address: *const u8);
}
