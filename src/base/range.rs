//! Half-open byte ranges. The inclusive form of the wire exists only in `s3msg`.

/// Bytes `start..end` of an object or part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct ByteRange {
    pub start: u64,
    pub end: u64,
}

impl ByteRange {
    pub fn new(start: u64, end: u64) -> ByteRange {
        assert!(start <= end, "a range ends before it starts");
        ByteRange { start, end }
    }
    pub fn len(self) -> u64 {
        self.end - self.start
    }
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
    pub fn contains(self, other: ByteRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}
