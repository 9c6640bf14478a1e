//! Buffers to hash: shared, and "coloured": equal page offsets would make all lanes fight for one
//! set of the cache, so each starts three lines further than the one before, as the library's
//! part memory does.

use s3fast::checksum::lanes::Message;
use std::sync::Arc;

const PAGE: usize = 4096;
const COLOUR: usize = 192;

pub struct Buffers {
    size: usize,
    bytes: Arc<Vec<Vec<u8>>>,
}

impl Buffers {
    pub fn new(count: usize, size: usize) -> Buffers {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut fill = |len: usize| {
            let mut bytes = vec![0; len];
            for eight in bytes.chunks_exact_mut(8) {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                eight.copy_from_slice(&random.to_le_bytes());
            }
            bytes
        };
        let bytes = (0..count).map(|_| fill(size + 2 * PAGE)).collect();
        Buffers { size, bytes: Arc::new(bytes) }
    }

    pub fn slice(&self, i: usize) -> &[u8] {
        coloured(&self.bytes[i], i, self.size)
    }
    pub fn slices(&self, count: usize) -> Vec<&[u8]> {
        (0..count).map(|i| self.slice(i)).collect()
    }
    pub fn handle(&self, i: usize) -> Handle {
        Handle { bytes: Arc::clone(&self.bytes), i, size: self.size }
    }
}

fn coloured(bytes: &[u8], i: usize, size: usize) -> &[u8] {
    let to_page = bytes.as_ptr().align_offset(PAGE);
    &bytes[to_page + i * COLOUR % PAGE..][..size]
}

/// A buffer as the servers want it: owned, counted.
#[derive(Clone)]
pub struct Handle {
    bytes: Arc<Vec<Vec<u8>>>,
    i: usize,
    size: usize,
}

impl Message for Handle {
    fn piece(&self, index: usize) -> Option<&[u8]> {
        (index == 0).then(|| coloured(&self.bytes[self.i], self.i, self.size))
    }
}
