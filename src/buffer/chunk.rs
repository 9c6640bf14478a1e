//! Bytes on their way: a piece of a segment, a small heap block or a caller's ticket.

use std::sync::Arc;

use super::ForeignTicket;
use super::pool::Account;
use crate::sys::Block;

/// Memory that is still being filled, owned by one place.
pub struct Segment {
    /// `Some` until dropped.
    block: Option<Block>,
    account: Arc<Account>,
    /// Taken by `take_ahead`: it leaves the guarantee alone.
    ahead: bool,
}

impl Segment {
    pub(super) fn new(block: Block, account: Arc<Account>, ahead: bool) -> Segment {
        Segment { block: Some(block), account, ahead }
    }
    pub fn bytes(&self) -> &[u8] {
        self.block.as_ref().map_or(&[], Block::bytes)
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.block.as_mut().map_or(&mut [], Block::bytes_mut)
    }
    pub fn capacity(&self) -> usize {
        self.bytes().len()
    }
    /// The first `len` bytes, now shared and read-only.
    pub fn freeze(self, len: usize) -> Chunk {
        assert!(len <= self.capacity(), "more bytes than the segment holds");
        Chunk { hold: Arc::new(Hold::Segment(self)), start: 0, end: len }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        if let Some(block) = self.block.take() {
            self.account.give_back(block, self.ahead);
        }
    }
}

/// What keeps a chunk's bytes alive.
pub enum Hold {
    Segment(Segment),
    Heap(Vec<u8>),
    Foreign(Box<dyn ForeignTicket>),
}

/// Shared read-only bytes. Cloning and cutting copy nothing.
#[derive(Clone)]
pub struct Chunk {
    hold: Arc<Hold>,
    start: usize,
    end: usize,
}

impl Chunk {
    pub fn from_vec(bytes: Vec<u8>) -> Chunk {
        let end = bytes.len();
        Chunk { hold: Arc::new(Hold::Heap(bytes)), start: 0, end }
    }
    /// The first `len` bytes of a caller's ticket.
    pub fn from_ticket(ticket: Box<dyn ForeignTicket>, len: usize) -> Chunk {
        assert!(len <= ticket.bytes().len(), "more bytes than the ticket holds");
        Chunk { hold: Arc::new(Hold::Foreign(ticket)), start: 0, end: len }
    }
    pub fn bytes(&self) -> &[u8] {
        let all: &[u8] = match &*self.hold {
            Hold::Segment(s) => s.bytes(),
            Hold::Heap(v) => v,
            Hold::Foreign(t) => t.bytes(),
        };
        &all[self.start..self.end]
    }
    pub fn len(&self) -> usize {
        self.end - self.start
    }
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
    /// Cuts off and returns the first `len` bytes.
    pub fn split_front(&mut self, len: usize) -> Chunk {
        assert!(len <= self.len(), "cut beyond the chunk's end");
        let front = Chunk { hold: self.hold.clone(), start: self.start, end: self.start + len };
        self.start += len;
        front
    }
    pub fn hold(&self) -> &Arc<Hold> {
        &self.hold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_front_shares_and_advances() {
        let mut c = Chunk::from_vec((0..10).collect());
        let front = c.split_front(3);
        assert_eq!(front.bytes(), &[0, 1, 2]);
        assert_eq!(c.bytes(), &[3, 4, 5, 6, 7, 8, 9]);
        drop(c);
        assert_eq!(front.bytes(), &[0, 1, 2]);
    }
}
