//! Logging through one hook. The level is checked before anything is formatted; the text is
//! formatted into a stack buffer, so that a log line never allocates.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{PoisonError, RwLock};

/// Levels with the numbers of `enum aws_log_level`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Level {
    Fatal = 1,
    Error = 2,
    Warn = 3,
    Info = 4,
    Debug = 5,
    Trace = 6,
}

/// What a line is about; the number is the `aws_log_subject_t` of the C headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Subject {
    CommonGeneral = 0,
    CommonThread = 2,
    IoGeneral = 1024,
    EventLoop = 1025,
    Socket = 1026,
    Tls = 1028,
    Dns = 1030,
    ExponentialBackoff = 1036,
    StandardRetry = 1037,
    HttpGeneral = 2048,
    HttpConnection = 2049,
    HttpDecoder = 2051,
    HttpStream = 2053,
    ConnectionManager = 2054,
    AuthGeneral = 6144,
    AuthProfile = 6145,
    CredentialsProvider = 6146,
    AuthSigning = 6147,
    S3General = 14336,
    S3Client = 14337,
    S3ClientStats = 14338,
    S3Request = 14339,
    S3MetaRequest = 14340,
    S3Endpoint = 14341,
}

/// Receives a finished line (no newline at its end). `id` is the pointer printed by upstream.
pub type LogHook = fn(Level, Subject, &str);

/// Says how verbose a subject may be; for a logger that decides anew for each line.
pub type LevelHook = fn(Subject) -> u8;

static LEVEL: AtomicU8 = AtomicU8::new(0);
static ASKS: AtomicBool = AtomicBool::new(false);
static LEVEL_HOOK: RwLock<Option<LevelHook>> = RwLock::new(None);
static HOOK: RwLock<Option<LogHook>> = RwLock::new(None);

/// Installs the hook and the most verbose level it wants (0 = nothing).
pub fn set_log_hook(hook: Option<LogHook>, level: u8) {
    let level = if hook.is_some() { level } else { 0 };
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
    LEVEL.store(level, Ordering::Release);
}

/// Has each line that passes the level of `set_log_hook` asked about as well; `None` for none.
pub fn set_level_hook(hook: Option<LevelHook>) {
    *LEVEL_HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
    ASKS.store(hook.is_some(), Ordering::Release);
}

/// Whether the installed logger wants a line of this level about this subject.
#[inline]
pub fn log_wanted(level: Level, subject: Subject) -> bool {
    log_enabled(level) && (!ASKS.load(Ordering::Relaxed) || ask(level, subject))
}

#[cold]
fn ask(level: Level, subject: Subject) -> bool {
    let hook = *LEVEL_HOOK.read().unwrap_or_else(PoisonError::into_inner);
    hook.is_none_or(|hook| level as u8 <= hook(subject))
}

#[inline]
pub fn log_enabled(level: Level) -> bool {
    level as u8 <= LEVEL.load(Ordering::Relaxed)
}

/// Formats and hands over; called by `log!` after the level check.
#[cold]
pub fn log_write(level: Level, subject: Subject, id: usize, args: fmt::Arguments<'_>) {
    let mut line = Line { buf: [0; 1024], len: 0 };
    let _ = fmt::Write::write_fmt(&mut line, format_args!("id={id:#x}: "));
    let _ = fmt::Write::write_fmt(&mut line, args);
    let text = match std::str::from_utf8(&line.buf[..line.len]) {
        Ok(t) => t,
        Err(e) => std::str::from_utf8(&line.buf[..e.valid_up_to()]).unwrap_or(""),
    };
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(hook) = hook {
        hook(level, subject, text);
    }
}

struct Line {
    buf: [u8; 1024],
    len: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let n = s.len().min(self.buf.len() - self.len);
        self.buf[self.len..self.len + n].copy_from_slice(&s.as_bytes()[..n]);
        self.len += n;
        Ok(())
    }
}

/// `log!(S3Client, Info, id, "text {}", x)`: one line, formatted only when the level is on.
/// Never secrets, never signed headers, nothing per body slice.
#[macro_export]
macro_rules! log {
    ($subject:ident, $level:ident, $id:expr, $($arg:tt)+) => {
        if $crate::base::log_wanted(
            $crate::base::Level::$level,
            $crate::base::Subject::$subject,
        ) {
            $crate::base::log_write(
                $crate::base::Level::$level,
                $crate::base::Subject::$subject,
                $id as usize,
                format_args!($($arg)+),
            );
        }
    };
}
