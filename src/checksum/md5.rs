//! MD5 of one message, and the synchronous calls that hash several messages at once.
//!
//! MD5 is no protection against anybody; S3 wants it in Content-MD5 and gives it in the ETag of
//! a single-part object, so it must be cheap. One message cannot use more than one lane: who
//! has several uses [`md5_batch`], [`md5_update_many`] or the lane servers.

use super::lanes::{Job, Outcome, Scheduler};
use super::{Base64, base64};
use crate::simd::md5::{BLOCK, Engine, INITIAL};

pub const MD5_LEN: usize = 16;

/// A finished MD5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Md5Digest(pub [u8; MD5_LEN]);

impl Md5Digest {
    /// The text of a Content-MD5 header.
    pub fn to_base64(self) -> Base64 {
        base64(&self.0)
    }

    /// 32 lower-case digits: an ETag without its quotation marks.
    pub fn to_hex(self) -> [u8; 2 * MD5_LEN] {
        let digit = |n: u8| b"0123456789abcdef"[usize::from(n)];
        let mut text = [0; 2 * MD5_LEN];
        for (two, byte) in text.chunks_exact_mut(2).zip(self.0) {
            two.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        text
    }
}

/// Where a message stands between two blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chain {
    pub(super) state: [u32; 4],
    pub(super) bytes: u64,
}

impl Chain {
    /// Before the first byte.
    pub const START: Chain = Chain { state: INITIAL, bytes: 0 };

    /// Bytes hashed so far, a multiple of 64.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Default for Chain {
    fn default() -> Chain {
        Chain::START
    }
}

/// One message, in order and in any pieces.
#[derive(Clone)]
pub struct Md5 {
    chain: Chain,
    pending: [u8; BLOCK],
    pending_len: usize,
}

impl Md5 {
    pub fn new() -> Md5 {
        Md5 { chain: Chain::START, pending: [0; BLOCK], pending_len: 0 }
    }

    pub fn update(&mut self, data: &[u8]) {
        let (whole, rest) = self.take_pending(data);
        self.compress(whole);
        self.keep_pending(rest);
    }

    pub fn finish(self) -> Md5Digest {
        let mut scratch = [0; 2 * BLOCK];
        scratch[..BLOCK].copy_from_slice(&self.pending);
        let total = self.chain.bytes.wrapping_add(self.pending_len as u64);
        let end = pad(&mut scratch, self.pending_len, total);
        let mut state = self.chain.state;
        Engine::here().compress(&mut state, &scratch[..end]);
        to_digest(state)
    }

    fn compress(&mut self, whole: &[u8]) {
        Engine::here().compress(&mut self.chain.state, whole);
        self.chain.bytes = self.chain.bytes.wrapping_add(whole.len() as u64);
    }

    /// Completes a started block from `data`, then splits the rest into whole blocks and a start.
    fn take_pending<'a>(&mut self, mut data: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        if self.pending_len > 0 {
            let n = data.len().min(BLOCK - self.pending_len);
            self.pending[self.pending_len..][..n].copy_from_slice(&data[..n]);
            self.pending_len += n;
            data = &data[n..];
            if self.pending_len < BLOCK {
                return (&[], &[]);
            }
            let block = self.pending;
            self.pending_len = 0;
            self.compress(&block);
        }
        data.split_at(data.len() - data.len() % BLOCK)
    }

    fn keep_pending(&mut self, rest: &[u8]) {
        if !rest.is_empty() {
            self.pending[..rest.len()].copy_from_slice(rest);
            self.pending_len = rest.len();
        }
    }
}

impl Default for Md5 {
    fn default() -> Md5 {
        Md5::new()
    }
}

/// The MD5 of one message in memory.
pub fn md5(data: &[u8]) -> Md5Digest {
    let mut md5 = Md5::new();
    md5.update(data);
    md5.finish()
}

/// The MD5 of each message, computed together on the calling thread; in the order given.
pub fn md5_batch(messages: &[&[u8]]) -> Vec<Md5Digest> {
    md5_batch_on(Engine::here(), messages)
}

pub(super) fn md5_batch_on(engine: &'static Engine, messages: &[&[u8]]) -> Vec<Md5Digest> {
    let mut digests = vec![Md5Digest([0; MD5_LEN]); messages.len()];
    // Long ones first: what is left at the end is then short, and few lanes run empty for long.
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_unstable_by_key(|i| std::cmp::Reverse(messages[*i].len()));
    let mut lanes = Scheduler::with_capacity(engine, messages.len());
    for i in order {
        lanes.push(Job::whole(messages[i], i));
    }
    while lanes.turn(|i, _, outcome| {
        if let Outcome::Digest(digest) = outcome {
            digests[i] = digest;
        }
    }) {}
    digests
}

/// Feeds one piece to each of several messages, computed together on the calling thread.
pub fn md5_update_many(pieces: &mut [(&mut Md5, &[u8])]) {
    let mut lanes = Scheduler::with_capacity(Engine::here(), pieces.len());
    for (i, (md5, data)) in pieces.iter_mut().enumerate() {
        let (whole, rest) = md5.take_pending(data);
        md5.keep_pending(rest);
        lanes.push(Job { message: whole, from: md5.chain, last: false, tag: i });
    }
    while lanes.turn(|i: usize, _, outcome| {
        if let Outcome::Chain(chain) = outcome {
            pieces[i].0.chain = chain;
        }
    }) {}
}

/// Ends a message: behind its last `len` bytes (less than a block) come the bit that ends it,
/// zeros, and its length of `total` bytes. Returns how many bytes of the scratch that makes.
pub(super) fn pad(scratch: &mut [u8; 2 * BLOCK], len: usize, total: u64) -> usize {
    // 0x80 and eight bytes of length must fit behind the rest.
    let end = if len + 9 <= BLOCK { BLOCK } else { 2 * BLOCK };
    scratch[len] = 0x80;
    scratch[len + 1..end - 8].fill(0);
    // "In the unlikely event that b is greater than 2^64, then only the low-order 64 bits of b
    // are used" (RFC 1321, section 3.2).
    scratch[end - 8..end].copy_from_slice(&total.wrapping_mul(8).to_le_bytes());
    end
}

pub(super) fn to_digest(state: [u32; 4]) -> Md5Digest {
    let mut bytes = [0; MD5_LEN];
    for (four, word) in bytes.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_le_bytes());
    }
    Md5Digest(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::tests::{Random, naive_md5};

    fn text(digest: Md5Digest) -> String {
        String::from_utf8(digest.to_hex().to_vec()).unwrap()
    }

    #[test]
    fn md5_gives_the_vectors_of_rfc_1321() {
        let vectors = [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f",
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a",
            ),
        ];
        for (message, want) in vectors {
            assert_eq!(text(md5(message.as_bytes())), want);
        }
        assert_eq!(&*md5(b"").to_base64(), "1B2M2Y8AsgTpgAmY7PhCfg==");
    }

    #[test]
    fn update_in_any_pieces_gives_the_same_digest() {
        let data: Vec<u8> = (0..1024u32).map(|i| (i * 7 + i / 5) as u8).collect();
        let mut random = Random(9);
        for len in 0..=data.len() {
            let mut md5 = Md5::new();
            let mut rest = &data[..len];
            while !rest.is_empty() {
                let (now, later) = rest.split_at(1 + random.below(rest.len().min(150)));
                md5.update(now);
                rest = later;
            }
            assert_eq!(md5.finish().0, naive_md5(&data[..len]), "{len} bytes");
        }
    }

    #[test]
    fn update_many_equals_update_one_by_one() {
        let mut random = Random(10);
        let data: Vec<u8> = (0..70_000).map(|_| random.next() as u8).collect();
        for n in [0, 1, 2, 5, 24, 40] {
            let mut together = vec![Md5::new(); n];
            let mut fed: Vec<Vec<u8>> = vec![Vec::new(); n];
            for round in 0..6 {
                let mut pieces: Vec<(&mut Md5, &[u8])> = Vec::new();
                for (md5, fed) in together.iter_mut().zip(&mut fed) {
                    let len = random.below([1, 64, 65, 300, 4000, 1 << 14][round] + 1);
                    let piece = &data[random.below(1000)..][..len];
                    fed.extend_from_slice(piece);
                    pieces.push((md5, piece));
                }
                md5_update_many(&mut pieces);
            }
            for (md5, fed) in together.into_iter().zip(fed) {
                assert_eq!(md5.finish().0, naive_md5(&fed));
            }
        }
    }

    #[test]
    fn batch_keeps_the_order_of_its_input() {
        let mut random = Random(11);
        let data: Vec<u8> = (0..5000).map(|_| random.next() as u8).collect();
        for n in [0, 1, 2, 3, 31, 32, 33, 200] {
            let messages: Vec<&[u8]> = (0..n).map(|i| &data[i..][..random.below(3000)]).collect();
            let digests = md5_batch(&messages);
            assert_eq!(digests.len(), n);
            for (digest, message) in digests.iter().zip(messages) {
                assert_eq!(digest.0, naive_md5(message));
            }
        }
    }
}
