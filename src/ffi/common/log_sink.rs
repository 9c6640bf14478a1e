//! Where the standard logger's lines go: one buffer, filled by whoever logs, and one thread that
//! writes it to a file. A slow disk or a full pipe holds that thread up, and nobody else.
//!
//! The buffer is bounded. Lines that find it full are counted, and the count is a line of its own.

use std::ffi::{CStr, c_char};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::base::sync::{Condvar, Mutex};

use super::log_subjects;
use crate::base::{Code, Error, Result};
use crate::sys::thread::{JoinHandle, Options, current_id, launch_fn};
use crate::sys::{clock, process};
use crate::text::date;

/// Bytes that may wait to be written.
const WAITING_MAX: usize = 16 << 20;

pub struct Sink {
    shared: Arc<Shared>,
    writer: Option<JoinHandle>,
    level: AtomicU8,
    /// The process whose writer it is: a forked child has the sink without the thread, and with a
    /// lock that may never open.
    born: u64,
}

struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
    file: File,
}

#[derive(Default)]
struct Queue {
    lines: String,
    dropped: u64,
    ended: bool,
    /// The writer sleeps and must be woken.
    asleep: bool,
}

/// A C stream, closed at the end if it is our own.
struct File {
    stream: *mut libc::FILE,
    own: bool,
}

// SAFETY: the C library locks its streams; who lends one keeps it open.
unsafe impl Send for File {}
// SAFETY: as above.
unsafe impl Sync for File {}

impl Drop for File {
    fn drop(&mut self) {
        if self.own {
            // SAFETY: opened by us, closed once.
            unsafe { libc::fclose(self.stream) };
        }
    }
}

impl File {
    fn write(&self, text: &[u8]) {
        // SAFETY: the stream is open; the slice is live.
        unsafe {
            libc::fwrite(text.as_ptr().cast(), 1, text.len(), self.stream);
            libc::fflush(self.stream);
        }
    }
}

impl Sink {
    /// Lines go to the end of the file called `name`, or to an open stream; one of the two is given.
    ///
    /// # Safety
    /// `name` is NULL or a C string; `stream` is NULL or open until the sink has ended.
    pub unsafe fn open(name: *const c_char, stream: *mut libc::FILE, level: u8) -> Result<Sink> {
        let file = match (name.is_null(), stream.is_null()) {
            (true, false) => File { stream, own: false },
            (false, true) => {
                // SAFETY: by the contract.
                let opened = unsafe { libc::fopen(name, c"a+".as_ptr()) };
                if opened.is_null() {
                    return Err(super::file::open_error("fopen"));
                }
                File { stream: opened, own: true }
            }
            _ => return Err(Error::new(Code::INVALID_ARGUMENT)),
        };
        let shared = Arc::new(Shared { queue: Mutex::default(), news: Condvar::new(), file });
        let theirs = shared.clone();
        let options = Options { name: "AwsLogger".into(), ..Options::default() };
        let writer = launch_fn(&options, move || theirs.write_all())?;
        let born = process::watch_forks();
        Ok(Sink { shared, writer: Some(writer), level: AtomicU8::new(level), born })
    }

    pub fn level(&self) -> u8 {
        self.level.load(Ordering::Relaxed)
    }

    pub fn set_level(&self, level: u8) {
        self.level.store(level, Ordering::Relaxed);
    }

    fn is_orphan(&self) -> bool {
        process::generation() != self.born
    }

    /// Queues one line and returns at once; a forked child writes it by itself.
    pub fn line(&self, level: u32, subject: u32, text: &str) {
        let name = level_name(level).to_str().unwrap_or("");
        let time = date::format_iso8601(clock::unix_seconds() as i64);
        let subject = log_subjects::name(subject).to_str().unwrap_or("");
        let thread = current_id();
        let head = format_args!("[{name}] [{time}] [{thread:016x}] [{subject}] - ");
        if self.is_orphan() {
            return self.shared.file.write(format!("{head}{text}\n").as_bytes());
        }
        let mut queue = self.shared.queue.lock();
        if queue.lines.len() + text.len() > WAITING_MAX {
            queue.dropped += 1;
            return;
        }
        // Writing to a string does not fail.
        let _ = writeln!(queue.lines, "{head}{text}");
        if std::mem::take(&mut queue.asleep) {
            drop(queue);
            self.shared.news.notify_one();
        }
    }
}

impl Drop for Sink {
    /// Returns when every queued line has been written.
    fn drop(&mut self) {
        if self.is_orphan() {
            // The parent's lines are the parent's; what this process has of them stays unwritten.
            std::mem::forget(self.writer.take());
            std::mem::forget(self.shared.clone());
            return;
        }
        self.shared.queue.lock().ended = true;
        self.shared.news.notify_one();
        if let Some(writer) = self.writer.take()
            && !writer.is_current()
        {
            let _ = writer.join();
        }
    }
}

impl Shared {
    fn write_all(&self) {
        let mut batch = String::new();
        loop {
            let mut queue = self.queue.lock();
            while queue.lines.is_empty() && !queue.ended {
                queue.asleep = true;
                self.news.wait(&mut queue);
            }
            if queue.lines.is_empty() {
                return;
            }
            std::mem::swap(&mut batch, &mut queue.lines);
            let dropped = std::mem::take(&mut queue.dropped);
            drop(queue);
            if dropped > 0 {
                let _ =
                    writeln!(batch, "[WARN] {dropped} log lines were lost: the file is too slow");
            }
            self.file.write(batch.as_bytes());
            batch.clear();
        }
    }
}

/// The name of a level as it stands in log lines.
pub fn level_name(level: u32) -> &'static CStr {
    match level {
        0 => c"NONE",
        1 => c"FATAL",
        2 => c"ERROR",
        3 => c"WARN",
        4 => c"INFO",
        5 => c"DEBUG",
        6 => c"TRACE",
        _ => c"?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::testing::in_child;
    use std::ffi::CString;

    #[test]
    fn lines_are_in_the_file_when_the_sink_has_ended() {
        let path = std::env::temp_dir().join(format!("s3fast-log-{}", std::process::id()));
        let name = CString::new(path.to_str().expect("UTF-8")).expect("no zero");
        // SAFETY: a C string.
        let sink = unsafe { Sink::open(name.as_ptr(), std::ptr::null_mut(), 4) }.expect("a file");
        for i in 0..1000 {
            sink.line(4, 14337, &format!("line {i}"));
        }
        drop(sink);
        let text = std::fs::read_to_string(&path).expect("written");
        assert_eq!(text.lines().count(), 1000);
        let last = text.lines().last().expect("a line");
        assert!(last.starts_with("[INFO] [2"), "{last}");
        assert!(last.ends_with("] [S3Client] - line 999"), "{last}");
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn child_after_a_fork_writes_and_ends_without_the_thread() {
        let path = std::env::temp_dir().join(format!("s3fast-fork-{}", std::process::id()));
        let name = CString::new(path.to_str().expect("UTF-8")).expect("no zero");
        // SAFETY: a C string.
        let sink = unsafe { Sink::open(name.as_ptr(), std::ptr::null_mut(), 4) }.expect("a file");
        // The child has a copy of its own; the parent's is not touched.
        let sink = std::mem::ManuallyDrop::new(sink);
        let at = (&raw const *sink).expose_provenance();
        let left = in_child(move || {
            let sink = std::ptr::with_exposed_provenance::<Sink>(at);
            // SAFETY: the child's own memory, dropped once.
            unsafe {
                (*sink).line(2, 0, "from the child");
                drop(sink.read());
            }
            7
        });
        assert_eq!(left, Some(7));
        sink.line(2, 0, "from the parent");
        drop(std::mem::ManuallyDrop::into_inner(sink));
        let text = std::fs::read_to_string(&path).expect("written");
        assert!(text.contains("from the child\n") && text.contains("from the parent\n"), "{text}");
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn sink_needs_exactly_one_target() {
        // SAFETY: NULL, and a path that cannot be opened.
        unsafe {
            let none = Sink::open(std::ptr::null(), std::ptr::null_mut(), 4).err();
            assert_eq!(none, Some(Error::new(Code::INVALID_ARGUMENT)));
            let bad = Sink::open(c"/nowhere/at/all".as_ptr(), std::ptr::null_mut(), 4).err();
            assert_eq!(bad.map(|e| e.code), Some(Code::FILE_INVALID_PATH));
        }
    }
}
