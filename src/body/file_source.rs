//! An upload's file. One descriptor, opened on the reader pool by the first part that is sent;
//! size, inode and time are compared with those seen when the transfer was made.
//!
//! Plain HTTP sends a part by sendfile: the kernel copies from the page cache, a truncated file is
//! a short count. The loop sends only windows whose pages are in memory; others are populated by
//! the reader pool first.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::base::{ByteRange, Code, Done, Error, Result, SendStep};
use crate::delivery::{Pool, Work, job};
use crate::log;
use crate::sys::{File, FileMode, FileStat, Mapping, Socket};

/// Bytes looked at, populated and sent at a time.
const WINDOW_BYTES: u64 = 1 << 20;

pub struct SourceFile {
    path: PathBuf,
    seen: FileStat,
    readers: Pool,
    opened: OnceLock<Result<File>>,
}

impl SourceFile {
    /// Looks at the file; blocks, so not for a loop.
    pub fn new(path: &Path, readers: &Pool) -> Result<Arc<SourceFile>> {
        let file = File::open(path, FileMode::Read)?;
        let seen = file.fstat()?;
        Ok(Arc::new(SourceFile {
            path: path.to_owned(),
            seen,
            readers: readers.clone(),
            opened: OnceLock::new(),
        }))
    }

    pub fn len(&self) -> u64 {
        self.seen.size
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn readers(&self) -> &Pool {
        &self.readers
    }

    /// Opens it if nobody has; blocks.
    pub fn open(&self) -> Result<&File> {
        let result = self.opened.get_or_init(|| {
            let file = File::open(&self.path, FileMode::Read)?;
            self.check(&file)?;
            Ok(file)
        });
        result.as_ref().map_err(|e| *e)
    }

    /// Looks on the reader pool whether it is still the same file; `done` runs there.
    pub fn check_later(self: &Arc<SourceFile>, done: Done<()>) {
        let file = self.clone();
        self.readers.spawn(job(move || done(file.open().and_then(|opened| file.check(opened)))));
    }

    /// The same file as when the transfer was made?
    fn check(&self, file: &File) -> Result<()> {
        let now = file.fstat()?;
        if (now.size, now.inode, now.mtime_nanos)
            != (self.seen.size, self.seen.inode, self.seen.mtime_nanos)
        {
            log!(
                S3MetaRequest,
                Error,
                0,
                "{}: the file changed while it was uploaded: {} bytes expected, {} found",
                self.path.display(),
                self.seen.size,
                now.size
            );
            return Err(Error::new(Code::S3_FILE_MODIFIED));
        }
        Ok(())
    }

    /// The file came to its end `got` bytes before that of the part.
    fn short(&self, offset: u64, expected: u64) -> Error {
        log!(
            S3MetaRequest,
            Error,
            0,
            "{}: the file ends at {offset}, {expected} more bytes were expected",
            self.path.display()
        );
        Error::new(Code::S3_FILE_MODIFIED)
    }
}

/// Bytes `range` of the file, sent without coming to user space.
pub struct FilePart {
    file: Arc<SourceFile>,
    at: u64,
    end: u64,
    resident: u64,
}

impl FilePart {
    pub fn new(file: Arc<SourceFile>, range: ByteRange) -> FilePart {
        FilePart { file, at: range.start, end: range.end, resident: range.start }
    }

    fn window(&self) -> ByteRange {
        ByteRange::new(self.at, self.end.min(self.at + WINDOW_BYTES))
    }

    pub fn left(&self) -> u64 {
        self.end - self.at
    }

    /// Sends what can be sent now: `head` first, with the promise of more.
    pub fn send(&mut self, socket: &Socket, head: &[u8]) -> Result<SendStep> {
        if !head.is_empty() {
            let sent = if self.left() > 0 { socket.send_more(head)? } else { socket.send(head)? };
            return Ok(sent.map_or(SendStep::SocketFull, |n| SendStep::Sent(n as u64)));
        }
        let Some(opened) = self.file.opened.get() else { return Ok(SendStep::NotReady) };
        let file = opened.as_ref().map_err(|e| *e)?;
        if self.resident <= self.at {
            let window = self.window();
            if !Mapping::is_resident(file, window.start, window.len() as usize)? {
                return Ok(SendStep::NotReady);
            }
            self.resident = window.end;
        }
        let want = self.resident - self.at;
        match socket.sendfile(file, self.at, want as usize)? {
            None => Ok(SendStep::SocketFull),
            Some(0) => Err(self.file.short(self.at, self.end - self.at)),
            Some(n) => {
                self.at += n as u64;
                Ok(SendStep::Sent(n as u64))
            }
        }
    }

    /// `wake` is called on the pool when `send` can go on.
    pub fn wait(&mut self, wake: Box<dyn FnOnce() + Send>) {
        // Whatever the pool finds, the next `send` meets: it must not ask for the window again.
        let window = self.window();
        self.resident = if self.file.opened.get().is_some() { window.end } else { self.resident };
        let job = Populate { file: self.file.clone(), window, wake: Some(wake) };
        self.file.readers.spawn(Box::new(job));
    }
}

struct Populate {
    file: Arc<SourceFile>,
    window: ByteRange,
    wake: Option<Box<dyn FnOnce() + Send>>,
}

impl Work for Populate {
    fn run(&mut self) {
        if let Ok(file) = self.file.open() {
            // An error here (a truncated file) is met again, exactly, by sendfile.
            let _ = Mapping::new(file, self.window.start, self.window.len() as usize)
                .and_then(|m| m.populate(0..self.window.len() as usize));
        }
        if let Some(wake) = self.wake.take() {
            wake();
        }
    }
}
