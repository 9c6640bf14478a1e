//! A caller's input stream as a source of upload bytes.

use std::sync::Arc;

use crate::base::sync::Mutex;

use crate::base::{Code, Error, Result};
use crate::body::{InputStream, StreamStatus};
use crate::ffi::io::stream::Stream;

/// The reference to a caller's stream, shared by the engine's reader and the transfer's handle: the
/// handle empties it before the shutdown callback, whatever the engine still holds then.
pub(crate) type StreamSlot = Arc<Mutex<Option<Stream>>>;

/// Reads a caller's stream.
pub(crate) struct CallerStream(pub StreamSlot);

impl CallerStream {
    fn with<T>(&mut self, f: impl FnOnce(&mut Stream) -> Result<T>) -> Result<T> {
        // Taken out while the caller's code runs, so that no lock is held there.
        let taken = self.0.lock().take();
        let Some(mut stream) = taken else {
            return Err(Error::new(Code::S3_REQUEST_HAS_COMPLETED));
        };
        let result = f(&mut stream);
        *self.0.lock() = Some(stream);
        result
    }
}

impl InputStream for CallerStream {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        self.with(|s| s.read(into))
    }
    fn status(&mut self) -> Result<StreamStatus> {
        Ok(StreamStatus { is_end: self.with(Stream::at_end)?, is_valid: true })
    }
    fn seek_to(&mut self, offset: u64) -> Result<()> {
        self.with(|s| s.seek(offset))
    }
    fn length(&mut self) -> Result<u64> {
        self.with(Stream::length)
    }
}

/// Bytes that the caller keeps unchanged until the shutdown callback.
pub(crate) struct CallerBytes {
    at: *const u8,
    len: usize,
    read: usize,
}

// SAFETY: the caller promises that nobody changes the bytes.
unsafe impl Send for CallerBytes {}

impl CallerBytes {
    pub(crate) fn new(bytes: &[u8]) -> CallerBytes {
        CallerBytes { at: bytes.as_ptr(), len: bytes.len(), read: 0 }
    }
    fn bytes(&self) -> &[u8] {
        // SAFETY: by the caller's promise.
        unsafe { std::slice::from_raw_parts(self.at, self.len) }
    }
}

impl InputStream for CallerBytes {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let left = &self.bytes()[self.read..];
        let n = left.len().min(into.len());
        into[..n].copy_from_slice(&left[..n]);
        self.read += n;
        Ok(n)
    }
    fn status(&mut self) -> Result<StreamStatus> {
        Ok(StreamStatus { is_end: self.read == self.len, is_valid: true })
    }
    fn seek_to(&mut self, offset: u64) -> Result<()> {
        match usize::try_from(offset) {
            Ok(at) if at <= self.len => {
                self.read = at;
                Ok(())
            }
            _ => Err(Error::new(Code::IO_STREAM_INVALID_SEEK_POSITION)),
        }
    }
    fn length(&mut self) -> Result<u64> {
        Ok(self.len as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_bytes_are_read_in_pieces_and_again_after_a_seek() {
        let text = b"abcdefg".to_vec();
        let mut s = CallerBytes::new(&text);
        let mut piece = [0; 4];
        assert_eq!(s.read(&mut piece), Ok(4));
        assert_eq!(&piece, b"abcd");
        assert_eq!(s.status().map(|s| s.is_end), Ok(false));
        assert_eq!(s.read(&mut piece), Ok(3));
        assert_eq!(s.status().map(|s| s.is_end), Ok(true));
        assert_eq!(s.seek_to(6), Ok(()));
        assert_eq!(s.read(&mut piece), Ok(1));
        assert_eq!(piece[0], b'g');
        assert!(s.seek_to(8).is_err());
        assert_eq!(s.length(), Ok(7));
    }
}
