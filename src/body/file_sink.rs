//! A download's file. Pieces are written at their offset as they come, in any order, on one
//! serial queue of the reader pool; the file is opened by the first of them, and closed (with the
//! result of close looked at) before the transfer is told its end.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::sync::Mutex;

use crate::base::{Done, Error, Result};
use crate::buffer::Chunk;
use crate::delivery::{Pool, SerialQueue, Work};
use crate::sys::{File, FileMode};

#[derive(Clone, Debug)]
pub struct FileTarget {
    pub path: PathBuf,
    pub mode: SinkMode,
    /// First byte of the object goes there (`WriteToPosition` only).
    pub position: u64,
    pub delete_on_failure: bool,
    pub direct_io: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SinkMode {
    CreateOrReplace,
    CreateNew,
    CreateOrAppend,
    WriteToPosition,
}

pub struct FileSink {
    target: FileTarget,
    queue: SerialQueue,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    file: Option<File>,
    /// Where offset 0 of the object stands in the file.
    base: u64,
    failed: Option<Error>,
}

impl FileSink {
    pub fn new(target: FileTarget, readers: &Pool) -> Arc<FileSink> {
        Arc::new(FileSink { target, queue: readers.queue(), state: Mutex::default() })
    }

    /// Writes `chunk` at `offset` of the object; `done` runs on the pool.
    pub fn write(self: &Arc<FileSink>, offset: u64, chunk: Chunk, done: Done<()>) {
        self.push(Job::Write { offset, chunk: Some(chunk), done: Some(done) });
    }

    /// Closes the file after all that was queued; on failure removes it where that was asked for.
    /// A success without a single byte creates the empty file.
    pub fn finish(self: &Arc<FileSink>, success: bool, done: Done<()>) {
        self.push(Job::Finish { success, done: Some(done) });
    }

    fn push(self: &Arc<FileSink>, job: Job) {
        self.queue.push(Box::new(Task { sink: self.clone(), job }));
    }

    fn open(&self, state: &mut State) -> Result<()> {
        if let Some(e) = state.failed {
            return Err(e);
        }
        if state.file.is_some() {
            return Ok(());
        }
        let mode = match self.target.mode {
            SinkMode::CreateOrReplace => FileMode::CreateOrReplace,
            SinkMode::CreateNew => FileMode::CreateNew,
            SinkMode::CreateOrAppend => FileMode::CreateOrKeep,
            SinkMode::WriteToPosition => FileMode::WriteExisting,
        };
        let opened = File::open(&self.target.path, mode).and_then(|file| {
            let base = match self.target.mode {
                SinkMode::CreateOrAppend => file.fstat()?.size,
                SinkMode::WriteToPosition => self.target.position,
                SinkMode::CreateOrReplace | SinkMode::CreateNew => 0,
            };
            Ok((file, base))
        });
        match opened {
            Ok((file, base)) => {
                state.file = Some(file);
                state.base = base;
                Ok(())
            }
            Err(e) => {
                state.failed = Some(e);
                Err(e)
            }
        }
    }

    fn write_now(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut state = self.state.lock();
        self.open(&mut state)?;
        let at = state.base + offset;
        let result = match &state.file {
            Some(file) => file.pwrite_all(bytes, at),
            None => Ok(()),
        };
        if let Err(e) = result {
            state.failed = Some(e);
        }
        result
    }

    fn finish_now(&self, success: bool) -> Result<()> {
        let mut state = self.state.lock();
        let mut result = match success {
            true => self.open(&mut state),
            false => Ok(()),
        };
        let opened = state.file.is_some();
        if let Some(file) = state.file.take() {
            let closed = file.close();
            result = result.and(closed);
        }
        // Only what this transfer opened is its to remove.
        if opened && (!success || result.is_err()) && self.target.delete_on_failure {
            let _ = File::remove(&self.target.path);
        }
        result
    }
}

enum Job {
    Write { offset: u64, chunk: Option<Chunk>, done: Option<Done<()>> },
    Finish { success: bool, done: Option<Done<()>> },
}

struct Task {
    sink: Arc<FileSink>,
    job: Job,
}

impl Work for Task {
    fn run(&mut self) {
        match &mut self.job {
            Job::Write { offset, chunk, done } => {
                let result = match chunk {
                    Some(c) => self.sink.write_now(*offset, c.bytes()),
                    None => Ok(()),
                };
                // The memory goes back before anybody is told.
                *chunk = None;
                if let Some(done) = done.take() {
                    done(result);
                }
            }
            Job::Finish { success, done } => {
                let result = self.sink.finish_now(*success);
                if let Some(done) = done.take() {
                    done(result);
                }
            }
        }
    }
}
