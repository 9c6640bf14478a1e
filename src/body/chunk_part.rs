//! A body in memory: chunks in order, sent with as few writes as possible.

use std::collections::VecDeque;
use std::io::IoSlice;

use crate::base::{Result, SendStep};
use crate::buffer::Chunk;
use crate::sys::Socket;

/// Slices handed to one write.
const SLICES_MAX: usize = 16;

pub struct ChunkPart {
    chunks: VecDeque<Chunk>,
    left: u64,
}

impl ChunkPart {
    pub fn new(chunks: impl IntoIterator<Item = Chunk>) -> ChunkPart {
        let chunks: VecDeque<Chunk> = chunks.into_iter().filter(|c| !c.is_empty()).collect();
        let left = chunks.iter().map(|c| c.len() as u64).sum();
        ChunkPart { chunks, left }
    }

    pub fn left(&self) -> u64 {
        self.left
    }

    /// One write: `head` and as many chunks as fit.
    pub fn send(&mut self, socket: &Socket, head: &[u8]) -> Result<SendStep> {
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        let mut used = 0;
        if !head.is_empty() {
            slices[0] = IoSlice::new(head);
            used = 1;
        }
        for chunk in self.chunks.iter().take(SLICES_MAX - used) {
            slices[used] = IoSlice::new(chunk.bytes());
            used += 1;
        }
        let Some(sent) = socket.sendmsg(&slices[..used])? else {
            return Ok(SendStep::SocketFull);
        };
        let mut of_body = sent.saturating_sub(head.len());
        self.left -= of_body as u64;
        while let Some(front) = self.chunks.front_mut() {
            let n = of_body.min(front.len());
            front.split_front(n);
            of_body -= n;
            if !front.is_empty() {
                break;
            }
            self.chunks.pop_front();
        }
        Ok(SendStep::Sent(sent as u64))
    }
}
