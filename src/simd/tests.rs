//! Every kernel this processor can run, forced, against an MD5 written again from the RFC.

use super::cpu::Tier;
use super::md5::{BLOCK, Engine, INITIAL, Kernel, LANES_MAX, States};
use std::sync::OnceLock;

/// RFC 1321 in its plainest form, with constants computed instead of copied from the kernels.
pub(crate) fn naive_md5(message: &[u8]) -> [u8; 16] {
    let mut state = INITIAL;
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&((message.len() as u64) * 8).to_le_bytes());
    for block in padded.chunks_exact(64) {
        naive_compress(&mut state, block);
    }
    to_bytes(state)
}

fn naive_compress(state: &mut [u32; 4], block: &[u8]) {
    const TURNS: [[u32; 4]; 4] =
        [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    static SINES: OnceLock<[u32; 64]> = OnceLock::new();
    let sine = |i| (f64::from(i as u32 + 1).sin().abs() * 4_294_967_296.0) as u32;
    let sines = SINES.get_or_init(|| std::array::from_fn(sine));
    let [mut a, mut b, mut c, mut d] = *state;
    for i in 0..64 {
        let (f, g) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((b & d) | (c & !d), (5 * i + 1) % 16),
            2 => (b ^ c ^ d, (3 * i + 5) % 16),
            _ => (c ^ (b | !d), (7 * i) % 16),
        };
        let k = sines[i];
        let m = u32::from_le_bytes(block[4 * g..4 * g + 4].try_into().unwrap());
        let turned =
            a.wrapping_add(f).wrapping_add(k).wrapping_add(m).rotate_left(TURNS[i / 16][i % 4]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d]) {
        *word = word.wrapping_add(new);
    }
}

fn to_bytes(state: [u32; 4]) -> [u8; 16] {
    let mut out = [0; 16];
    for (four, word) in out.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_le_bytes());
    }
    out
}

fn engines() -> Vec<&'static Engine> {
    Tier::ALL.into_iter().filter_map(Engine::of).collect()
}

/// A page-aligned area followed by a page that must not be touched.
struct Guarded {
    base: *mut u8,
    usable: usize,
    page: usize,
}

impl Guarded {
    fn new(pages: usize) -> Guarded {
        // SAFETY: a constant question.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap();
        let usable = pages * page;
        // SAFETY: a fresh anonymous mapping.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                usable + 2 * page,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(base, libc::MAP_FAILED);
        let base = base.cast::<u8>();
        for guard in [0, page + usable] {
            // SAFETY: whole pages inside our own mapping.
            let rc = unsafe { libc::mprotect(base.add(guard).cast(), page, libc::PROT_NONE) };
            assert_eq!(rc, 0);
        }
        Guarded { base, usable, page }
    }
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the readable middle of our own mapping, borrowed through &mut self.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(self.page), self.usable) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: unmaps exactly what `new` mapped.
        unsafe { libc::munmap(self.base.cast(), self.usable + 2 * self.page) };
    }
}

pub(crate) fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut random = Random(seed | 1);
    (0..len).map(|_| random.next() as u8).collect()
}

/// xorshift64*: repeatable and good enough to choose test inputs.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

pub(crate) fn naive_states(state: [u32; 4], data: &[u8], blocks: usize) -> [u32; 4] {
    let mut state = state;
    for block in data.chunks_exact(BLOCK).take(blocks) {
        naive_compress(&mut state, block);
    }
    state
}

/// Runs a kernel on `messages` with distinct starting states and compares every lane.
fn check(kernel: &Kernel, messages: &[&[u8]], blocks: usize, prefetch: bool) {
    let mut states = States::new();
    let start = |lane: usize| INITIAL.map(|w| w.wrapping_mul(2 * lane as u32 + 1));
    for lane in 0..messages.len() {
        states.set(lane, start(lane));
    }
    kernel.run(&mut states, messages, blocks, prefetch);
    for (lane, message) in messages.iter().enumerate() {
        let want = naive_states(start(lane), message, blocks);
        assert_eq!(states.get(lane), want, "{} lane {lane} blocks {blocks}", kernel.name());
    }
}

#[test]
fn oracle_gives_the_vectors_of_rfc_1321() {
    let hex = |m: &[u8]| naive_md5(m).iter().map(|b| format!("{b:02x}")).collect::<String>();
    assert_eq!(hex(b""), "d41d8cd98f00b204e9800998ecf8427e");
    assert_eq!(hex(b"abc"), "900150983cd24fb0d6963f7d28e17f72");
    assert_eq!(hex(b"message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
    let digits = b"1234567890".repeat(8);
    assert_eq!(hex(&digits), "57edf4a22be3c955ac49da2e2107b67a");
}

#[test]
fn kernel_with_every_occupancy_matches_oracle() {
    let data = noise(1, LANES_MAX * 300 + 64);
    for engine in engines() {
        for kernel in engine.kernels() {
            for n in 1..=kernel.lanes() {
                let messages: Vec<&[u8]> = (0..n).map(|i| &data[i * 300..][..256]).collect();
                check(kernel, &messages, 1 + n % 4, n % 2 == 0);
            }
        }
    }
}

#[test]
fn kernel_at_every_alignment_matches_oracle() {
    let data = noise(2, LANES_MAX * 200 + 128 + 64);
    for engine in engines() {
        for kernel in engine.kernels() {
            for shift in 0..64 {
                let messages: Vec<&[u8]> = (0..kernel.lanes())
                    .map(|i| &data[i * 200 + (shift + i * 7) % 64..][..128])
                    .collect();
                check(kernel, &messages, 2, false);
            }
        }
    }
}

#[test]
fn kernel_between_guard_pages_reads_nothing_outside() {
    let mut low = Guarded::new(1);
    let mut high = Guarded::new(1);
    for area in [&mut low, &mut high] {
        let filled = noise(3, area.usable);
        area.bytes().copy_from_slice(&filled);
    }
    let (low, high) = (low.bytes(), high.bytes());
    let (first, last) = (&low[..64 * 3], &high[high.len() - 64 * 3..]);
    for engine in engines() {
        for kernel in engine.kernels() {
            for blocks in 1..=3 {
                // Ends at the upper guard and starts at the lower one; spare lanes too.
                let ends: Vec<&[u8]> = (0..kernel.lanes())
                    .map(|i| if i % 2 == 0 { &last[64 * (3 - blocks)..] } else { first })
                    .collect();
                check(kernel, &ends, blocks, true);
                check(kernel, &ends[..1], blocks, true);
            }
        }
    }
}

#[test]
fn kernel_for_takes_the_narrowest_with_room() {
    for engine in engines() {
        for n in 1..=engine.lanes_max() {
            let kernel = engine.kernel_for(n);
            assert!(kernel.lanes() >= n);
            assert!(engine.kernels().iter().all(|k| k.lanes() < n || k.lanes() >= kernel.lanes()));
        }
        assert_eq!(engine.kernel_for(1000).lanes(), engine.lanes_max());
        assert!(engine.kernels().is_sorted_by(|a, b| a.lanes() < b.lanes()));
        assert_eq!(engine.kernels()[0].lanes(), 1);
        assert!(engine.lanes_max() <= LANES_MAX);
    }
}

#[test]
#[should_panic(expected = "a message ends inside the run")]
fn run_with_short_message_is_refused() {
    let long = [0; 128];
    Engine::here().kernel_for(1).run(&mut States::new(), &[&long[..127]], 2, false);
}

#[test]
#[should_panic(expected = "more messages than lanes")]
fn run_with_too_many_messages_is_refused() {
    let block = [0; 64];
    let many = [&block[..]; LANES_MAX + 1];
    Engine::here().kernel_for(1).run(&mut States::new(), &many, 1, false);
}

#[test]
fn compress_is_the_single_kernel() {
    let data = noise(4, 64 * 5);
    for engine in engines() {
        let mut state = INITIAL;
        engine.compress(&mut state, &[]);
        assert_eq!(state, INITIAL);
        engine.compress(&mut state, &data);
        assert_eq!(state, naive_states(INITIAL, &data, 5));
    }
}
