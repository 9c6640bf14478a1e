//! MD5 compression of several messages at once: the tables of kernels and the safe way in.
//!
//! Chaining states live as `[word][lane]`, so that a set of lanes is one load per word and a
//! change of width costs nothing. The caller keeps its messages in lanes `0..n`; an engine runs
//! the narrowest kernel that covers `n` and lets the lanes above read lane 0's bytes, whose
//! results are thrown away. Kernels read exactly `blocks * 64` bytes of each message.

use super::cpu::{Features, Tier};
use super::generic::md5::STRIDE;
use super::scalar;
use std::sync::OnceLock;

/// The most lanes any kernel has.
pub const LANES_MAX: usize = STRIDE;

/// Bytes of one MD5 block.
pub const BLOCK: usize = 64;

/// The chaining value before the first block (RFC 1321, section 3.3).
pub const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Messages from this size on gain from software prefetch: all lanes together no longer fit in a
/// core's own cache. Smaller ones lose 1 to 6 percent by it, larger ones gain 20 (measured).
pub const PREFETCH_FROM: usize = 128 << 10;

/// Chaining states of all lanes.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct States {
    words: [[u32; STRIDE]; 4],
}

impl States {
    pub fn new() -> States {
        States { words: [[0; STRIDE]; 4] }
    }
    pub fn set(&mut self, lane: usize, state: [u32; 4]) {
        for (row, word) in self.words.iter_mut().zip(state) {
            row[lane] = word;
        }
    }
    pub fn get(&self, lane: usize) -> [u32; 4] {
        [self.words[0][lane], self.words[1][lane], self.words[2][lane], self.words[3][lane]]
    }
}

impl Default for States {
    fn default() -> States {
        States::new()
    }
}

type Run = unsafe fn(states: *mut u32, lanes: *const *const u8, blocks: usize, prefetch: bool);

/// One kernel of a tier. Only reachable through an [`Engine`], which exists only where the
/// processor can run its kernels.
pub struct Kernel {
    name: &'static str,
    lanes: usize,
    run: Run,
}

impl Kernel {
    /// Instruction set, lanes and sets: `avx2 8x3`.
    pub fn name(&self) -> &'static str {
        self.name
    }
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Compresses the first `blocks` blocks of each message into the state of its lane. States
    /// of lanes beyond the messages become garbage.
    ///
    /// Panics when there are no messages, more than `lanes()`, or one shorter than `blocks`: all
    /// of them would read or write foreign memory.
    pub fn run(&self, states: &mut States, messages: &[&[u8]], blocks: usize, prefetch: bool) {
        assert!(!messages.is_empty() && messages.len() <= self.lanes, "more messages than lanes");
        let bytes = blocks.checked_mul(BLOCK).expect("a message is shorter than the address space");
        let mut lanes = [messages[0].as_ptr(); LANES_MAX];
        for (lane, message) in lanes.iter_mut().zip(messages) {
            assert!(message.len() >= bytes, "a message ends inside the run");
            *lane = message.as_ptr();
        }
        let states = states.words.as_mut_ptr().cast::<u32>();
        // SAFETY: the engine that lent this kernel was built for this processor. `states` is four
        // rows of STRIDE words; every pointer in `lanes`, used or spare, was checked to be
        // readable for `bytes`.
        unsafe { (self.run)(states, lanes.as_ptr(), blocks, prefetch) };
    }
}

/// The kernels of a tier, narrow to wide.
pub struct Engine {
    tier: Tier,
    kernels: &'static [Kernel],
}

impl Engine {
    /// The engine of this process: the best tier, or the one that `S3FAST_MD5_TIER` names.
    pub fn here() -> &'static Engine {
        static HERE: OnceLock<&'static Engine> = OnceLock::new();
        HERE.get_or_init(|| {
            let wish = std::env::var("S3FAST_MD5_TIER").ok();
            let tier = wish.as_deref().and_then(Tier::from_name);
            table(Tier::choose(Features::here(), tier)).unwrap_or(&SCALAR)
        })
    }

    /// The engine of a tier, if this processor can run it.
    pub fn of(tier: Tier) -> Option<&'static Engine> {
        if tier.runs_on(Features::here()) { table(tier) } else { None }
    }

    pub fn tier(&self) -> Tier {
        self.tier
    }
    pub fn kernels(&self) -> &'static [Kernel] {
        self.kernels
    }
    /// How many messages go at once at most.
    pub fn lanes_max(&self) -> usize {
        self.kernels.last().map_or(1, |k| k.lanes)
    }
    /// The narrowest kernel with room for `messages`; the widest when there is none.
    pub fn kernel_for(&self, messages: usize) -> &'static Kernel {
        let wide_enough = self.kernels.iter().find(|k| k.lanes >= messages);
        wide_enough.unwrap_or(&self.kernels[self.kernels.len() - 1])
    }

    /// One message, synchronously. Panics unless `data` is a whole number of blocks.
    pub fn compress(&self, state: &mut [u32; 4], data: &[u8]) {
        assert!(data.len().is_multiple_of(BLOCK), "part of a block cannot be compressed");
        if data.is_empty() {
            return;
        }
        let mut states = States::new();
        states.set(0, *state);
        self.kernels[0].run(&mut states, &[data], data.len() / BLOCK, false);
        *state = states.get(0);
    }
}

macro_rules! engine {
    ($tier:ident: $($name:literal, $lanes:literal, $run:path;)*) => {
        Engine {
            tier: Tier::$tier,
            kernels: &[$(Kernel { name: $name, lanes: $lanes, run: $run },)*],
        }
    };
}

static SCALAR: Engine = engine! { Scalar: "scalar 1x1", 1, scalar::md5_x1; };

#[cfg(target_arch = "x86_64")]
fn table(tier: Tier) -> Option<&'static Engine> {
    use super::x86_64::*;
    static SSE2: Engine = engine! { Sse2:
        "scalar 1x1", 1, scalar::md5_x1;
        "sse2 4x1", 4, md5_sse2_4x1;
        "sse2 4x2", 8, md5_sse2_4x2;
        "sse2 4x3", 12, md5_sse2_4x3;
    };
    static AVX2: Engine = engine! { Avx2:
        "scalar 1x1", 1, scalar::md5_x1;
        "avx2 4x1", 4, md5_avx2_4x1;
        "avx2 8x1", 8, md5_avx2_8x1;
        "avx2 8x2", 16, md5_avx2_8x2;
        "avx2 8x3", 24, md5_avx2_8x3;
    };
    static AVX512VL: Engine = engine! { Avx512Vl:
        "avx512vl 1x1", 1, md5_avx512vl_x1;
        "avx512vl 4x1", 4, md5_avx512vl_4x1;
        "avx512vl 4x2", 8, md5_avx512vl_4x2;
        "avx512vl 8x2", 16, md5_avx512vl_8x2;
        "avx512vl 8x3", 24, md5_avx512vl_8x3;
    };
    static AVX512: Engine = engine! { Avx512:
        "avx512vl 1x1", 1, md5_avx512vl_x1;
        "avx512vl 4x1", 4, md5_avx512vl_4x1;
        "avx512vl 4x2", 8, md5_avx512vl_4x2;
        "avx512 16x1", 16, md5_avx512_16x1;
        // Measured: 24 lanes of three short sets beat 24 of 32 wide ones.
        "avx512vl 8x3", 24, md5_avx512vl_8x3;
        "avx512 16x2", 32, md5_avx512_16x2;
    };
    match tier {
        Tier::Scalar => Some(&SCALAR),
        Tier::Sse2 => Some(&SSE2),
        Tier::Avx2 => Some(&AVX2),
        Tier::Avx512Vl => Some(&AVX512VL),
        Tier::Avx512 => Some(&AVX512),
        Tier::Neon => None,
    }
}

#[cfg(target_arch = "aarch64")]
fn table(tier: Tier) -> Option<&'static Engine> {
    use super::aarch64::*;
    static NEON: Engine = engine! { Neon:
        "scalar 1x1", 1, scalar::md5_x1;
        "neon 4x1", 4, md5_neon_4x1;
        "neon 4x2", 8, md5_neon_4x2;
        "neon 4x3", 12, md5_neon_4x3;
    };
    match tier {
        Tier::Scalar => Some(&SCALAR),
        Tier::Neon => Some(&NEON),
        _ => None,
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn table(tier: Tier) -> Option<&'static Engine> {
    (tier == Tier::Scalar).then_some(&SCALAR)
}
