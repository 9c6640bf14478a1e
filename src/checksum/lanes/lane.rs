//! A message on its way through a lane: which bytes come next, and from where.
//!
//! Whole blocks are read where they lie. A block that spans two pieces, and the end of the
//! message with its padding, are put together in a scratch of the lane's own; nothing is ever read
//! from behind a piece.

use super::{Job, Message, Outcome};
use crate::checksum::md5::{Chain, pad, to_digest};
use crate::simd::md5::{BLOCK, PREFETCH_FROM};

pub(super) struct Lane<M, T> {
    message: M,
    tag: T,
    last: bool,
    /// Bytes of the message that were given to a run or wait in `scratch`.
    total: u64,
    /// What `total` must come to.
    end: u64,
    piece: usize,
    /// Next byte of the piece.
    at: usize,
    scratch: [u8; 2 * BLOCK],
    /// Bytes in `scratch` that do not make a block yet.
    pending: usize,
    source: Source,
    /// Whole blocks left in the source.
    left: usize,
    large: bool,
    /// The chaining state while the job has no lane.
    pub(super) state: [u32; 4],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Piece,
    /// A block that spans pieces.
    Stitch,
    /// The end of the message; `at` counts in the scratch.
    Tail,
}

impl<M: Message, T> Lane<M, T> {
    /// Stands before the first run. If nothing is `left()`, `advance(0)` finds out why.
    pub(super) fn new(job: Job<M, T>) -> Lane<M, T> {
        let lens = (0..).map_while(|i| job.message.piece(i).map(<[u8]>::len));
        let (mut first, mut end) = (None, job.from.bytes);
        for len in lens {
            first = first.or(Some(len));
            end = end.wrapping_add(len as u64);
        }
        assert!(job.last || end.is_multiple_of(BLOCK as u64), "a job cuts a block of its message");
        let first = first.unwrap_or(0);
        Lane {
            message: job.message,
            tag: job.tag,
            last: job.last,
            total: job.from.bytes,
            end,
            piece: 0,
            at: 0,
            scratch: [0; 2 * BLOCK],
            pending: 0,
            source: Source::Piece,
            left: first / BLOCK,
            large: first >= PREFETCH_FROM,
            state: job.from.state,
        }
    }

    /// The bytes of the next run, `left()` whole blocks.
    pub(super) fn rest(&self) -> &[u8] {
        match self.source {
            Source::Piece => {
                let piece = self.message.piece(self.piece);
                &piece.expect("a message keeps its pieces")[self.at..]
            }
            Source::Stitch => &self.scratch[..BLOCK],
            Source::Tail => &self.scratch[self.at..],
        }
    }
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.left
    }
    /// Whether prefetching is worth its while.
    #[inline]
    pub(super) fn is_large(&self) -> bool {
        self.large
    }

    /// Counts `blocks` as hashed, and finds what comes next if nothing of the source is left.
    /// False when the job is done.
    #[inline]
    pub(super) fn advance(&mut self, blocks: usize) -> bool {
        self.left -= blocks;
        match self.source {
            Source::Piece => {
                self.at += blocks * BLOCK;
                self.total = self.total.wrapping_add((blocks * BLOCK) as u64);
            }
            Source::Stitch => {}
            Source::Tail => self.at += blocks * BLOCK,
        }
        self.left > 0 || self.next_source()
    }

    fn next_source(&mut self) -> bool {
        if self.source == Source::Tail {
            return false;
        }
        while self.total != self.end {
            let Some(piece) = self.message.piece(self.piece) else { break };
            let rest = &piece[self.at..];
            if self.pending == 0 && rest.len() >= BLOCK {
                self.source = Source::Piece;
                self.left = rest.len() / BLOCK;
                self.large = piece.len() >= PREFETCH_FROM;
                return true;
            }
            let n = rest.len().min(BLOCK - self.pending);
            self.scratch[self.pending..][..n].copy_from_slice(&rest[..n]);
            self.pending += n;
            self.total = self.total.wrapping_add(n as u64);
            self.at += n;
            if self.pending == BLOCK {
                self.pending = 0;
                self.source = Source::Stitch;
                self.left = 1;
                return true;
            }
            self.piece += 1;
            self.at = 0;
        }
        // A digest of other bytes than were handed over must not go out.
        assert_eq!(self.total, self.end, "a message keeps its length");
        if self.last {
            self.source = Source::Tail;
            self.left = pad(&mut self.scratch, self.pending, self.total) / BLOCK;
            self.at = 0;
            self.large = false;
        }
        self.last
    }

    /// What the job came to, if `state` is that of its lane at its end.
    pub(super) fn outcome(&self, state: [u32; 4]) -> Outcome {
        if self.last {
            Outcome::Digest(to_digest(state))
        } else {
            Outcome::Chain(Chain { state, bytes: self.total })
        }
    }

    pub(super) fn into_parts(self) -> (T, M) {
        (self.tag, self.message)
    }
}
