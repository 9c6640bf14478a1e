//! The body of a request as a connection wants it.

use super::request::Request;
use crate::base::ByteRange;
use crate::base::{Result, SendStep};
use crate::body::{ChunkPart, FilePart};
use crate::buffer::Chunk;
use crate::conn::PartSource;
use crate::meta::Op;
use crate::sys::Socket;

/// `text` is a body that was composed with the head.
pub(super) fn body_of(request: &Request, text: Option<Vec<u8>>) -> Option<Box<dyn PartSource>> {
    if let Some(text) = text {
        return Some(Box::new(ChunkPart::new([Chunk::from_vec(text)])));
    }
    let (part, range) = match &request.send.op {
        Op::Put { len } => (0, ByteRange::new(0, *len)),
        Op::UploadPart { number, range } => (*number, *range),
        Op::Default => (0, ByteRange::default()),
        _ => return None,
    };
    match &request.meta.file_source {
        Some(file) => Some(Box::new(FilePart::new(file.clone(), range))),
        None => Some(Box::new(ChunkPart::new(request.meta.part_chunks(part)))),
    }
}

impl PartSource for ChunkPart {
    fn left(&self) -> u64 {
        self.left()
    }
    fn send(&mut self, socket: &Socket, head: &[u8]) -> Result<SendStep> {
        self.send(socket, head)
    }
    fn wait(&mut self, wake: Box<dyn FnOnce() + Send>) {
        wake();
    }
}

impl PartSource for FilePart {
    fn left(&self) -> u64 {
        self.left()
    }
    fn send(&mut self, socket: &Socket, head: &[u8]) -> Result<SendStep> {
        self.send(socket, head)
    }
    fn wait(&mut self, wake: Box<dyn FnOnce() + Send>) {
        self.wait(wake);
    }
}
