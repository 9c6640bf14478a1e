//! Where bytes come from and go to: the caller's streams, files in both directions.
//!
//! A loop that owns sockets never waits for a file: opening, stat, reading what is not in the page
//! cache, writing and closing happen on the reader pool.

mod chunk_part;
mod file_sink;
mod file_source;
mod source;

pub use crate::buffer::Chunk;
pub use chunk_part::ChunkPart;
pub use file_sink::{FileSink, FileTarget, SinkMode};
pub use file_source::{FilePart, SourceFile};
pub use source::{AsyncInput, InputStream, StreamStatus, WriteOutcome, WriteQueue};
