//! `aws/common/logging.h`: the installed logger, and the standard one.
//!
//! One logger is installed for the whole process; all lines of this library go to it through its
//! table of functions, with no lock of ours held. A program's own logger is asked for its level
//! before a line is formatted; for the standard logger the level is known without asking.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::enum_number;
use super::log_sink::{Sink, level_name};
use super::log_subjects;
use crate::base::{self, Code, Level, Subject};
use crate::ctypes::{aws_allocator, aws_atomic_var};
use crate::ffi::c_call;
use crate::ffi::raise::{AWS_OP_SUCCESS, raise};

/// How important a line is, the most important first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_log_level {
    /// Nothing is logged.
    AWS_LL_NONE = 0,
    /// The program cannot go on.
    AWS_LL_FATAL = 1,
    /// Something failed.
    AWS_LL_ERROR = 2,
    /// Something is odd and may fail.
    AWS_LL_WARN = 3,
    /// What happens, roughly.
    AWS_LL_INFO = 4,
    /// What happens, in detail.
    AWS_LL_DEBUG = 5,
    /// Everything.
    AWS_LL_TRACE = 6,
    /// How many levels there are.
    AWS_LL_COUNT = 7,
}

/// What a line is about; each library has 1024 of them.
pub type aws_log_subject_t = u32;

/// A subject and its name.
#[repr(C)]
pub struct aws_log_subject_info {
    pub subject_id: aws_log_subject_t,
    pub subject_name: *const c_char,
    pub subject_description: *const c_char,
}

/// The subjects of one library, in order of their numbers.
#[repr(C)]
pub struct aws_log_subject_info_list {
    pub subject_list: *mut aws_log_subject_info,
    pub count: usize,
}

/// What the common headers' lines are about.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_common_log_subject {
    AWS_LS_COMMON_GENERAL = 0,
    AWS_LS_COMMON_TASK_SCHEDULER = 1,
    AWS_LS_COMMON_THREAD = 2,
    AWS_LS_COMMON_MEMTRACE = 3,
    AWS_LS_COMMON_XML_PARSER = 4,
    AWS_LS_COMMON_IO = 5,
    AWS_LS_COMMON_BUS = 6,
    AWS_LS_COMMON_TEST = 7,
    AWS_LS_COMMON_JSON_PARSER = 8,
    AWS_LS_COMMON_CBOR = 9,
    /// The last number kept for these.
    AWS_LS_COMMON_LAST = 1023,
}

/// What a logger can do. A program may fill it in for a logger of its own.
#[repr(C)]
pub struct aws_logger_vtable {
    pub log: Option<
        unsafe extern "C" fn(
            logger: *mut aws_logger,
            log_level: u32,
            subject: aws_log_subject_t,
            format: *const c_char,
            ...
        ) -> c_int,
    >,
    pub get_log_level:
        Option<unsafe extern "C" fn(logger: *mut aws_logger, subject: aws_log_subject_t) -> u32>,
    pub clean_up: Option<unsafe extern "C" fn(logger: *mut aws_logger)>,
    pub set_log_level: Option<unsafe extern "C" fn(logger: *mut aws_logger, level: u32) -> c_int>,
}

/// A logger in the caller's memory. It must live as long as it is installed.
#[repr(C)]
pub struct aws_logger {
    pub vtable: *mut aws_logger_vtable,
    pub allocator: *mut aws_allocator,
    /// The logger's own.
    pub p_impl: *mut c_void,
}

/// A logger made of parts: what formats a line, what carries it, what writes it.
#[repr(C)]
pub struct aws_logger_pipeline {
    pub formatter: *mut super::log_formatter::aws_log_formatter,
    pub channel: *mut super::log_channel::aws_log_channel,
    pub writer: *mut super::log_writer::aws_log_writer,
    pub allocator: *mut aws_allocator,
    pub level: aws_atomic_var,
}

/// What the standard logger writes, and where. Exactly one of `filename` and `file` is set.
#[repr(C)]
pub struct aws_logger_standard_options {
    /// The most verbose level that is written.
    pub level: MaybeUninit<aws_log_level>,
    /// A file to append to, opened and closed by the logger. Copied.
    pub filename: *const c_char,
    /// An open stream, which must stay open until the logger is cleaned up.
    pub file: *mut libc::FILE,
}

struct Table(aws_logger_vtable);

// SAFETY: a table of functions that any thread may call; nobody writes to it.
unsafe impl Sync for Table {}

struct Root(aws_logger);

// SAFETY: never written; its functions look at no state.
unsafe impl Sync for Root {}

unsafe extern "C" {
    /// Formats the line and calls `log_text`; in `c/common/logging.c`.
    fn s3fast_c_log(
        logger: *mut aws_logger,
        level: u32,
        subject: u32,
        format: *const c_char,
        ...
    ) -> c_int;
}

static STANDARD: Table = Table(aws_logger_vtable {
    log: Some(s3fast_c_log),
    get_log_level: Some(standard_level),
    clean_up: Some(standard_clean_up),
    set_log_level: Some(standard_set_level),
});

static NULL_TABLE: Table = Table(aws_logger_vtable {
    log: Some(s3fast_c_log),
    get_log_level: Some(null_level),
    clean_up: Some(null_clean_up),
    set_log_level: None,
});

/// Installed while no other logger is: it wants no line.
static NULL_LOGGER: Root = Root(aws_logger {
    vtable: (&raw const NULL_TABLE.0).cast_mut(),
    allocator: ptr::null_mut(),
    p_impl: ptr::null_mut(),
});

static INSTALLED: AtomicPtr<aws_logger> = AtomicPtr::new((&raw const NULL_LOGGER.0).cast_mut());

unsafe extern "C" fn null_level(_: *mut aws_logger, _: aws_log_subject_t) -> u32 {
    0
}

unsafe extern "C" fn null_clean_up(_: *mut aws_logger) {}

fn standard_table() -> *mut aws_logger_vtable {
    (&raw const STANDARD.0).cast_mut()
}

/// The sink of a standard logger.
unsafe fn sink<'a>(logger: *mut aws_logger) -> Option<&'a Sink> {
    // SAFETY: by the caller's contract; a logger with our table has a sink of ours, or NULL after
    // its clean-up.
    unsafe {
        let logger = logger.as_ref()?;
        if !ptr::eq(logger.vtable, standard_table()) {
            return None;
        }
        logger.p_impl.cast::<Sink>().as_ref()
    }
}

unsafe extern "C" fn standard_level(logger: *mut aws_logger, _: aws_log_subject_t) -> u32 {
    // SAFETY: called through a live logger.
    unsafe { sink(logger) }.map_or(0, |s| u32::from(s.level()))
}

unsafe extern "C" fn standard_set_level(logger: *mut aws_logger, level: u32) -> c_int {
    // SAFETY: called through a live logger.
    match unsafe { sink(logger) } {
        Some(sink) if level <= TRACE => {
            sink.set_level(level as u8);
            refresh();
            AWS_OP_SUCCESS
        }
        _ => raise(Code::INVALID_ARGUMENT),
    }
}

unsafe extern "C" fn standard_clean_up(logger: *mut aws_logger) {
    // SAFETY: called through a live logger, which gives its sink up.
    unsafe {
        let p = std::mem::replace(&mut (*logger).p_impl, ptr::null_mut()).cast::<Sink>();
        if !p.is_null() {
            drop(Box::from_raw(p));
        }
        (*logger).vtable = (&raw const NULL_TABLE.0).cast_mut();
    }
}

/// A formatted line from the C shim.
unsafe extern "C" fn log_text(
    logger: *mut aws_logger,
    level: u32,
    subject: u32,
    text: *const c_char,
    len: usize,
) -> c_int {
    ffi_fn!({
        // SAFETY: the shim passes its own buffer.
        unsafe {
            let Some(text) = crate::ffi::handle::bytes(text.cast(), len) else {
                return raise(Code::INVALID_ARGUMENT);
            };
            if let Some(sink) = sink(logger) {
                sink.line(level, subject, &String::from_utf8_lossy(text));
            }
        }
        AWS_OP_SUCCESS
    })
}

c_call::hidden! { s3fast_rs_log => log_text }

pub(crate) const TRACE: u32 = Level::Trace as u32;
pub(crate) const SUBJECT_IO: u32 = aws_common_log_subject::AWS_LS_COMMON_IO as u32;
pub(crate) const SUBJECT_MEMTRACE: u32 = aws_common_log_subject::AWS_LS_COMMON_MEMTRACE as u32;

/// Gives a line to the installed logger, if its level allows.
pub(crate) fn write(level: u32, subject: u32, text: &[u8]) {
    let logger = INSTALLED.load(Ordering::Acquire);
    if level_of(logger, subject) >= level {
        hand_over(logger, level, subject, text);
    }
}

fn level_of(logger: *mut aws_logger, subject: u32) -> u32 {
    // SAFETY: who installs a logger keeps it alive until another one is installed.
    unsafe {
        match logger.as_ref().and_then(|l| l.vtable.as_ref()?.get_log_level) {
            Some(ask) => ask(logger, subject),
            None => 0,
        }
    }
}

fn hand_over(logger: *mut aws_logger, level: u32, subject: u32, text: &[u8]) {
    // SAFETY: as above; the text goes with its length.
    unsafe {
        if let Some(sink) = sink(logger) {
            sink.line(level, subject, &String::from_utf8_lossy(text));
        } else if let Some(log) = logger.as_ref().and_then(|l| l.vtable.as_ref()?.log) {
            let len = c_int::try_from(text.len()).unwrap_or(c_int::MAX);
            log(logger, level, subject, c"%.*s".as_ptr(), len, text.as_ptr().cast::<c_char>());
        }
    }
}

/// The engine's lines.
fn hook(level: Level, subject: Subject, text: &str) {
    let logger = INSTALLED.load(Ordering::Acquire);
    hand_over(logger, level as u32, subject as u32, text.as_bytes());
}

fn ask_level(subject: Subject) -> u8 {
    level_of(INSTALLED.load(Ordering::Acquire), subject as u32).min(TRACE) as u8
}

/// Tells the engine what the installed logger wants.
fn refresh() {
    let logger = INSTALLED.load(Ordering::Acquire);
    // SAFETY: who installs a logger keeps it alive.
    let known = unsafe {
        match logger.as_ref().map(|l| l.vtable.cast_const()) {
            None => Some(0),
            Some(table) if ptr::eq(table, &raw const NULL_TABLE.0) => Some(0),
            Some(_) => sink(logger).map(Sink::level),
        }
    };
    match known {
        Some(level) => {
            base::set_level_hook(None);
            base::set_log_hook((level > 0).then_some(hook), level);
        }
        None => {
            base::set_level_hook(Some(ask_level));
            base::set_log_hook(Some(hook), TRACE as u8);
        }
    }
}

/// Installs a logger for the whole process.
///
/// `logger`: borrowed until another one is installed; NULL installs one that wants no line. Lines
/// may be on their way to the old logger while this runs. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_logger_set(logger: *mut aws_logger) {
    ffi_fn!({
        let logger = match logger.is_null() {
            true => (&raw const NULL_LOGGER.0).cast_mut(),
            false => logger,
        };
        INSTALLED.store(logger, Ordering::Release);
        refresh();
    })
}

/// The installed logger; never NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_logger_get() -> *mut aws_logger {
    ffi_fn!({ INSTALLED.load(Ordering::Acquire) })
}

/// Makes the standard logger: lines with level, time, thread and subject, written to a file by a
/// thread of their own.
///
/// `logger`: written. `allocator`: borrowed, must outlive the logger. `options`: copied.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or what opening the file
/// raised. Ended with aws_logger_clean_up(). Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_logger_init_standard(
    logger: *mut aws_logger,
    allocator: *mut aws_allocator,
    options: *mut aws_logger_standard_options,
) -> c_int {
    ffi_fn!({
        // SAFETY: by the argument rules.
        unsafe {
            let options = arg!(options);
            let level = enum_number(options.level);
            if logger.is_null() || allocator.is_null() || level > TRACE {
                return raise(Code::INVALID_ARGUMENT);
            }
            let sink = ok!(Sink::open(options.filename, options.file, level as u8));
            logger.write(aws_logger {
                vtable: standard_table(),
                allocator,
                p_impl: Box::into_raw(Box::new(sink)).cast(),
            });
        }
        AWS_OP_SUCCESS
    })
}

/// Ends a logger; every line given to it before has been written when this returns. If it is the
/// installed one, none is installed afterwards.
///
/// `logger`: NULL and a second call are nothing. No other thread may use it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_logger_clean_up(logger: *mut aws_logger) {
    ffi_fn!(calls_out {
        // SAFETY: by the argument rules.
        let clean_up = unsafe { logger.as_ref().and_then(|l| l.vtable.as_ref()?.clean_up) };
        let none = (&raw const NULL_LOGGER.0).cast_mut();
        let order = Ordering::AcqRel;
        if INSTALLED.compare_exchange(logger, none, order, Ordering::Relaxed).is_ok() {
            refresh();
        }
        if let Some(clean_up) = clean_up {
            // SAFETY: the logger's own function.
            unsafe { clean_up(logger) };
        }
    })
}

/// Changes the level of a logger.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT, with
/// AWS_ERROR_UNIMPLEMENTED where the logger cannot, or with what the logger raises. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_logger_set_log_level(
    logger: *mut aws_logger,
    level: MaybeUninit<aws_log_level>,
) -> c_int {
    ffi_fn!(calls_out {
        let level = enum_number(level);
        // SAFETY: by the argument rules.
        unsafe {
            match logger.as_ref().and_then(|l| l.vtable.as_ref()) {
                None => raise(Code::INVALID_ARGUMENT),
                Some(aws_logger_vtable { set_log_level: None, .. }) => raise(Code::UNIMPLEMENTED),
                Some(aws_logger_vtable { set_log_level: Some(set), .. }) => set(logger, level),
            }
        }
    })
}

/// The name of a log subject; "Unknown" for one that no library has. Lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_log_subject_name(subject: aws_log_subject_t) -> *const c_char {
    ffi_fn!({ subject_name(subject).as_ptr() })
}

/// The lists that programs have registered, one place for each library.
static REGISTERED: [AtomicPtr<aws_log_subject_info_list>; 32] =
    [const { AtomicPtr::new(ptr::null_mut()) }; 32];

fn subject_name(subject: u32) -> &'static CStr {
    let place = (subject % 1024) as usize;
    let list = REGISTERED
        .get((subject / 1024) as usize)
        .map_or(ptr::null_mut(), |list| list.load(Ordering::Acquire));
    // SAFETY: who registers a list keeps it and its entries alive.
    unsafe {
        if let Some(list) = list.as_ref()
            && place < list.count
            && let Some(info) = list.subject_list.add(place).as_ref()
            && !info.subject_name.is_null()
        {
            return CStr::from_ptr(info.subject_name);
        }
    }
    log_subjects::name(subject)
}

/// Makes a program's own log subjects known.
///
/// `log_subject_list`: kept, must live as long as the program, entries in order of their numbers
/// without gaps. A list whose numbers lie outside of what libraries can have is left out. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_register_log_subject_info_list(
    log_subject_list: *mut aws_log_subject_info_list,
) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        let first = unsafe {
            match log_subject_list.as_ref() {
                Some(list) if list.count > 0 => list.subject_list.as_ref().map(|i| i.subject_id),
                _ => None,
            }
        };
        if let Some(place) = first.and_then(|id| REGISTERED.get((id / 1024) as usize)) {
            place.store(log_subject_list, Ordering::Release);
        }
    })
}

/// The name of a level, for log lines of other files.
///
/// `level_string`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT
/// for a level that does not exist. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_log_level_to_string(
    log_level: MaybeUninit<aws_log_level>,
    level_string: *mut *const c_char,
) -> c_int {
    ffi_fn!({
        let level = enum_number(log_level);
        if level > TRACE {
            return raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        if let Some(out) = unsafe { level_string.as_mut() } {
            *out = level_name(level).as_ptr();
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::log;
    use std::sync::Mutex;

    /// The installed logger is one for the process: tests that install one take turns.
    static TURN: Mutex<()> = Mutex::new(());
    static SEEN: Mutex<Vec<(u32, u32, String)>> = Mutex::new(Vec::new());

    /// A program's own logger, as far as Rust can write one: it takes the two arguments that this
    /// library always passes.
    unsafe extern "C" fn own_log(
        _: *mut aws_logger,
        level: u32,
        subject: u32,
        format: *const c_char,
        len: c_int,
        text: *const c_char,
    ) -> c_int {
        // SAFETY: called by `hand_over` only.
        unsafe {
            assert_eq!(CStr::from_ptr(format), c"%.*s");
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), len as usize);
            let text = String::from_utf8_lossy(bytes).into_owned();
            SEEN.lock().expect("no panic").push((level, subject, text));
        }
        0
    }

    unsafe extern "C" fn own_level(_: *mut aws_logger, subject: u32) -> u32 {
        if subject == Subject::Dns as u32 { 6 } else { 2 }
    }

    #[test]
    fn own_logger_is_asked_by_subject_before_each_line() {
        type Fixed = unsafe extern "C" fn(
            *mut aws_logger,
            u32,
            u32,
            *const c_char,
            c_int,
            *const c_char,
        ) -> c_int;
        type Variadic =
            unsafe extern "C" fn(*mut aws_logger, u32, u32, *const c_char, ...) -> c_int;
        let _turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
        let mut table = aws_logger_vtable {
            // SAFETY: pointer arguments go the same way in both kinds of call on our targets.
            log: Some(unsafe { std::mem::transmute::<Fixed, Variadic>(own_log) }),
            get_log_level: Some(own_level),
            clean_up: None,
            set_log_level: None,
        };
        let mut logger = aws_logger {
            vtable: &raw mut table,
            allocator: default_allocator(),
            p_impl: ptr::null_mut(),
        };
        // SAFETY: the logger lives until none is installed.
        unsafe {
            aws_logger_set(&mut logger);
            log!(Dns, Trace, 1, "wanted {}", 1);
            log!(Socket, Warn, 1, "not wanted");
            write(2, Subject::Tls as u32, b"an error");
            write(3, Subject::Tls as u32, b"not wanted");
            let level = MaybeUninit::new(aws_log_level::AWS_LL_INFO);
            assert_eq!(aws_logger_set_log_level(&mut logger, level), -1);
            assert_eq!(crate::ffi::raise::last_error(), Code::UNIMPLEMENTED.0);
            aws_logger_clean_up(&mut logger);
            assert!(ptr::eq(aws_logger_get(), &raw const NULL_LOGGER.0));
            log!(Dns, Error, 1, "nobody listens");
        }
        let seen = std::mem::take(&mut *SEEN.lock().expect("no panic"));
        let ours = |s: &&(u32, u32, String)| s.2.contains("wanted") || s.2 == "an error";
        let seen: Vec<_> = seen.iter().filter(ours).collect();
        assert_eq!(seen.len(), 2);
        assert_eq!(*seen[0], (6, 1030, "id=0x1: wanted 1".to_owned()));
        assert_eq!(*seen[1], (2, 1028, "an error".to_owned()));
    }

    #[test]
    fn standard_logger_formats_lines_of_c() {
        let _turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
        let path = std::env::temp_dir().join(format!("s3fast-logger-{}", std::process::id()));
        let name = std::ffi::CString::new(path.to_str().expect("UTF-8")).expect("no zero");
        let mut options = aws_logger_standard_options {
            level: MaybeUninit::new(aws_log_level::AWS_LL_INFO),
            filename: name.as_ptr(),
            file: ptr::null_mut(),
        };
        let long = "x".repeat(3000);
        let long_c = std::ffi::CString::new(long.clone()).expect("no zero");
        // SAFETY: the logger lives until it is cleaned up.
        unsafe {
            let mut logger = std::mem::zeroed::<aws_logger>();
            assert_eq!(aws_logger_init_standard(&mut logger, default_allocator(), &mut options), 0);
            aws_logger_set(&mut logger);
            let log = (*logger.vtable).log.expect("a function");
            let (number, text) = (7 as c_int, c"seven".as_ptr());
            assert_eq!(log(&mut logger, 2, 14337, c"%d is %s".as_ptr(), number, text), 0);
            assert_eq!(log(&mut logger, 2, 9999, c"%s".as_ptr(), long_c.as_ptr()), 0);
            log!(S3Client, Debug, 5, "too much detail");
            let debug = MaybeUninit::new(aws_log_level::AWS_LL_DEBUG);
            assert_eq!(aws_logger_set_log_level(&mut logger, debug), 0);
            log!(S3Client, Debug, 5, "wanted now");
            let count = MaybeUninit::new(aws_log_level::AWS_LL_COUNT);
            assert_eq!(aws_logger_set_log_level(&mut logger, count), -1);
            aws_logger_clean_up(&mut logger);
            aws_logger_clean_up(&mut logger);
        }
        let text = std::fs::read_to_string(&path).expect("written");
        assert!(text.contains("] [S3Client] - 7 is seven\n"), "{text}");
        assert!(text.contains(&format!("] [Unknown] - {long}\n")));
        assert!(text.contains("[DEBUG] ") && text.contains(" - id=0x5: wanted now\n"));
        assert!(!text.contains("too much"));
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn hostile_arguments_are_invalid() {
        // SAFETY: NULL is refused or ignored.
        unsafe {
            let a = default_allocator();
            let none = ptr::null_mut();
            assert_eq!(aws_logger_init_standard(none, a, ptr::null_mut()), -1);
            let mut options = aws_logger_standard_options {
                level: MaybeUninit::new(aws_log_level::AWS_LL_INFO),
                filename: ptr::null(),
                file: ptr::null_mut(),
            };
            let mut logger = std::mem::zeroed::<aws_logger>();
            assert_eq!(aws_logger_init_standard(&mut logger, a, &mut options), -1);
            aws_logger_clean_up(none);
            aws_logger_clean_up(&mut logger);
            let level = MaybeUninit::new(aws_log_level::AWS_LL_INFO);
            assert_eq!(aws_logger_set_log_level(none, level), -1);
            assert_eq!(aws_logger_set_log_level(&mut logger, level), -1);
            aws_register_log_subject_info_list(ptr::null_mut());
            assert!(!aws_log_subject_name(u32::MAX).is_null());
        }
    }
}
