//! Reading a caller's stream, part by part, on a serial queue of the delivery pool: a stream may
//! block, and is never called by two threads at a time.

use std::sync::Arc;

use crate::base::sync::Mutex;

use super::transfer::MetaRequest;
use crate::base::{Code, Error, Result};
use crate::body::InputStream;
use crate::buffer::{Account, Chunk, SEGMENT_BYTES};
use crate::delivery::{SerialQueue, Work};

/// Bodies up to this live on the heap: a segment would be mostly empty.
pub(super) const HEAP_BYTES_MAX: u64 = 64 << 10;
/// Reads in a row that bring nothing while the stream does not say that it has ended.
const EMPTY_READS_MAX: u32 = 10_000;

pub(super) struct Reading {
    queue: SerialQueue,
    stream: Arc<Mutex<Box<dyn InputStream>>>,
}

impl Reading {
    pub(super) fn new(queue: SerialQueue, stream: Box<dyn InputStream>) -> Reading {
        Reading { queue, stream: Arc::new(Mutex::new(stream)) }
    }

    /// Reads up to `len_max` bytes; `MetaRequest::part_read` is told.
    pub(super) fn read(
        &self,
        meta: &Arc<MetaRequest>,
        account: Option<Arc<Account>>,
        part: u32,
        len_max: u64,
    ) {
        let read = PartRead {
            meta: meta.clone(),
            queue: self.queue.clone(),
            stream: self.stream.clone(),
            account,
            part,
            state: Mutex::new(Fill { left: len_max, chunks: Vec::new(), over: false }),
        };
        self.queue.push(Box::new(Job(Arc::new(read))));
    }
}

/// One part being read; a job that found no memory is followed by another one.
struct PartRead {
    meta: Arc<MetaRequest>,
    queue: SerialQueue,
    stream: Arc<Mutex<Box<dyn InputStream>>>,
    account: Option<Arc<Account>>,
    part: u32,
    state: Mutex<Fill>,
}

struct Fill {
    left: u64,
    chunks: Vec<Chunk>,
    /// Told: a job that was woken later has nothing to do.
    over: bool,
}

struct Job(Arc<PartRead>);

enum Filled {
    /// The part is whole, or the stream has ended (`true`).
    Part(bool),
    /// No memory now: the rest of the read is queued again when there is some.
    Later,
}

impl Work for Job {
    fn run(&mut self) {
        let read = &self.0;
        let mut fill = read.state.lock();
        if fill.over {
            return read.pass_on();
        }
        let result = match read.fill(&mut fill) {
            Ok(Filled::Later) => return,
            Ok(Filled::Part(last)) => Ok((std::mem::take(&mut fill.chunks), last)),
            Err(e) => Err(e),
        };
        fill.over = true;
        drop(fill);
        if result.is_err() {
            read.pass_on();
        }
        read.meta.part_read(read.part, result);
    }
}

impl PartRead {
    /// It was woken for memory that it does not want any more.
    fn pass_on(&self) {
        if let Some(account) = &self.account {
            account.pool().pass_on();
        }
    }

    fn fill(self: &Arc<PartRead>, fill: &mut Fill) -> Result<Filled> {
        let mut stream = self.stream.lock();
        let mut ended = false;
        while fill.left > 0 && !ended {
            if self.meta.is_ending() {
                return Err(Error::new(Code::S3_CANCELED));
            }
            if fill.chunks.is_empty() && fill.left <= HEAP_BYTES_MAX {
                let mut bytes = vec![0; fill.left as usize];
                let n = read_full(&mut **stream, &mut bytes, &mut ended)?;
                bytes.truncate(n);
                fill.left -= n as u64;
                fill.chunks.push(Chunk::from_vec(bytes));
                continue;
            }
            let account = self.account.as_ref().ok_or(Error::new(Code::S3_EXCEEDS_MEMORY_LIMIT))?;
            let again = self.clone();
            let segment = account.take_or_wait(false, move || {
                Box::new(move || {
                    again.queue.push(Box::new(Job(again.clone())));
                })
            })?;
            let Some(mut segment) = segment else {
                // Whoever ends the transfer wakes this read: look again, now that it is known.
                if self.meta.is_ending() {
                    return Err(Error::new(Code::S3_CANCELED));
                }
                return Ok(Filled::Later);
            };
            let want = fill.left.min(SEGMENT_BYTES as u64) as usize;
            let n = read_full(&mut **stream, &mut segment.bytes_mut()[..want], &mut ended)?;
            fill.left -= n as u64;
            if n > 0 {
                fill.chunks.push(segment.freeze(n));
            }
        }
        Ok(Filled::Part(ended || stream.status()?.is_end))
    }
}

/// Reads until `into` is full or the stream says that it has ended.
fn read_full(stream: &mut dyn InputStream, into: &mut [u8], ended: &mut bool) -> Result<usize> {
    let (mut at, mut empty) = (0, 0);
    while at < into.len() {
        let n = stream.read(&mut into[at..])?;
        at += n;
        if n == 0 {
            let status = stream.status()?;
            if !status.is_valid {
                return Err(Error::new(Code::IO_STREAM_READ_FAILED));
            }
            if status.is_end {
                *ended = true;
                break;
            }
            empty += 1;
            if empty == EMPTY_READS_MAX {
                return Err(Error::new(Code::IO_STREAM_READ_FAILED));
            }
        }
    }
    Ok(at)
}
