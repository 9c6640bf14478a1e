//! `aws/common/error.h`: the last error of a thread, and what error numbers mean.
//!
//! The numbers of all libraries whose place this one takes are known from the start; a program may
//! register those of its own.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::error_table::{Known, find};
use crate::base::Code;
use crate::ffi::raise::{self, Handler};

/// Error codes that all libraries share.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_common_error {
    /// The call succeeded.
    AWS_ERROR_SUCCESS = 0,
    /// Memory could not be allocated.
    AWS_ERROR_OOM = 1,
    /// The device has no space left.
    AWS_ERROR_NO_SPACE = 2,
    /// The cause is not known.
    AWS_ERROR_UNKNOWN = 3,
    /// The buffer is shorter than what it should hold.
    AWS_ERROR_SHORT_BUFFER = 4,
    /// A number went beyond what its type can hold.
    AWS_ERROR_OVERFLOW_DETECTED = 5,
    /// This operation is not supported here.
    AWS_ERROR_UNSUPPORTED_OPERATION = 6,
    /// The buffer's size does not fit the operation.
    AWS_ERROR_INVALID_BUFFER_SIZE = 7,
    /// The text is not valid hexadecimal.
    AWS_ERROR_INVALID_HEX_STR = 8,
    /// The text is not valid base64.
    AWS_ERROR_INVALID_BASE64_STR = 9,
    /// The index is outside of the list.
    AWS_ERROR_INVALID_INDEX = 10,
    /// The system refused the settings of the new thread.
    AWS_ERROR_THREAD_INVALID_SETTINGS = 11,
    /// The system has no resources for another thread.
    AWS_ERROR_THREAD_INSUFFICIENT_RESOURCE = 12,
    /// The settings of the thread need a permission that is missing.
    AWS_ERROR_THREAD_NO_PERMISSIONS = 13,
    /// The thread cannot be joined.
    AWS_ERROR_THREAD_NOT_JOINABLE = 14,
    /// There is no such thread.
    AWS_ERROR_THREAD_NO_SUCH_THREAD_ID = 15,
    /// Waiting would have blocked the thread for ever.
    AWS_ERROR_THREAD_DEADLOCK_DETECTED = 16,
    /// The mutex was not initialised.
    AWS_ERROR_MUTEX_NOT_INIT = 17,
    /// The mutex is held by somebody else.
    AWS_ERROR_MUTEX_TIMEOUT = 18,
    /// The caller does not hold the mutex.
    AWS_ERROR_MUTEX_CALLER_NOT_OWNER = 19,
    /// The mutex operation failed.
    AWS_ERROR_MUTEX_FAILED = 20,
    /// The condition variable could not be made.
    AWS_ERROR_COND_VARIABLE_INIT_FAILED = 21,
    /// Waiting on the condition variable took too long.
    AWS_ERROR_COND_VARIABLE_TIMED_OUT = 22,
    /// Waiting on the condition variable failed.
    AWS_ERROR_COND_VARIABLE_ERROR_UNKNOWN = 23,
    /// The clock could not be read.
    AWS_ERROR_CLOCK_FAILURE = 24,
    /// The list has no items.
    AWS_ERROR_LIST_EMPTY = 25,
    /// The destination has no room for the data.
    AWS_ERROR_DEST_COPY_TOO_SMALL = 26,
    /// The list has reached its largest size.
    AWS_ERROR_LIST_EXCEEDS_MAX_SIZE = 27,
    /// A list over foreign memory cannot shrink.
    AWS_ERROR_LIST_STATIC_MODE_CANT_SHRINK = 28,
    /// The priority queue is full.
    AWS_ERROR_PRIORITY_QUEUE_FULL = 29,
    /// The priority queue is empty.
    AWS_ERROR_PRIORITY_QUEUE_EMPTY = 30,
    /// The node is not in the priority queue.
    AWS_ERROR_PRIORITY_QUEUE_BAD_NODE = 31,
    /// The hash table has no such item.
    AWS_ERROR_HASHTBL_ITEM_NOT_FOUND = 32,
    /// The text is not a date of the expected form.
    AWS_ERROR_INVALID_DATE_STR = 33,
    /// An argument is not valid.
    AWS_ERROR_INVALID_ARGUMENT = 34,
    /// Random numbers could not be generated.
    AWS_ERROR_RANDOM_GEN_FAILED = 35,
    /// The input text is malformed.
    AWS_ERROR_MALFORMED_INPUT_STRING = 36,
    /// This capability is not available.
    AWS_ERROR_UNIMPLEMENTED = 37,
    /// The object's state does not allow this call.
    AWS_ERROR_INVALID_STATE = 38,
    /// The environment variable could not be read.
    AWS_ERROR_ENVIRONMENT_GET = 39,
    /// The environment variable could not be set.
    AWS_ERROR_ENVIRONMENT_SET = 40,
    /// The environment variable could not be removed.
    AWS_ERROR_ENVIRONMENT_UNSET = 41,
    /// The stream has no positions to go to.
    AWS_ERROR_STREAM_UNSEEKABLE = 42,
    /// The permission for this is missing.
    AWS_ERROR_NO_PERMISSION = 43,
    /// The path names nothing usable.
    AWS_ERROR_FILE_INVALID_PATH = 44,
    /// The process has no free file descriptors.
    AWS_ERROR_MAX_FDS_EXCEEDED = 45,
    /// A system call failed.
    AWS_ERROR_SYS_CALL_FAILURE = 46,
    /// The C string has no zero at its end.
    AWS_ERROR_C_STRING_BUFFER_NOT_NULL_TERMINATED = 47,
    /// The text searched for was not found.
    AWS_ERROR_STRING_MATCH_NOT_FOUND = 48,
    /// The divisor is zero.
    AWS_ERROR_DIVIDE_BY_ZERO = 49,
    /// The file handle is not valid.
    AWS_ERROR_INVALID_FILE_HANDLE = 50,
    /// The operation was interrupted.
    AWS_ERROR_OPERATION_INTERUPTED = 51,
    /// The directory is not empty.
    AWS_ERROR_DIRECTORY_NOT_EMPTY = 52,
    /// This platform does not support it.
    AWS_ERROR_PLATFORM_NOT_SUPPORTED = 53,
    /// The bytes are not valid UTF-8.
    AWS_ERROR_INVALID_UTF8 = 54,
    /// The home directory could not be found.
    AWS_ERROR_GET_HOME_DIRECTORY_FAILED = 55,
    /// The XML document is malformed.
    AWS_ERROR_INVALID_XML = 56,
    /// The file could not be opened.
    AWS_ERROR_FILE_OPEN_FAILURE = 57,
    /// The file could not be read.
    AWS_ERROR_FILE_READ_FAILURE = 58,
    /// The file could not be written.
    AWS_ERROR_FILE_WRITE_FAILURE = 59,
    /// The CBOR data is malformed.
    AWS_ERROR_INVALID_CBOR = 60,
    /// The CBOR item is not of the expected type.
    AWS_ERROR_CBOR_UNEXPECTED_TYPE = 61,
    /// The CBOR data goes beyond a limit.
    AWS_ERROR_CBOR_RESOURCE_LIMIT_EXCEEDED = 62,
    /// Something outside of the library asked for the shutdown.
    AWS_ERROR_EXTERNAL_REQUEST_SHUTDOWN = 63,
    /// The last number kept for these.
    AWS_ERROR_END_COMMON_RANGE = 1023,
}

/// What a number means. All texts live as long as the program.
#[repr(C)]
pub struct aws_error_info {
    pub error_code: c_int,
    /// The name of the constant.
    pub literal_name: *const c_char,
    /// A sentence.
    pub error_str: *const c_char,
    pub lib_name: *const c_char,
    /// All of it in one line.
    pub formatted_name: *const c_char,
}

/// The errors of one library: entry n stands for the library's first number plus n.
#[repr(C)]
pub struct aws_error_info_list {
    pub error_list: *const aws_error_info,
    pub count: u16,
}

/// Told of every error raised, on the thread that raises it. It must not raise errors itself.
pub type aws_error_handler_fn = Option<unsafe extern "C" fn(err: c_int, ctx: *mut c_void)>;

/// How many libraries can have numbers, and how many each has.
const LIBRARIES: usize = 32;
const NUMBERS: c_int = 1024;

static REGISTERED: [AtomicPtr<aws_error_info_list>; LIBRARIES] =
    [const { AtomicPtr::new(ptr::null_mut()) }; LIBRARIES];

/// The error that last happened on this thread; AWS_ERROR_SUCCESS if none did. A call that succeeds
/// does not change it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_last_error() -> c_int {
    ffi_fn!({ raise::last_error() })
}

/// A sentence about an error.
///
/// Never NULL; lives as long as the program. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_error_str(err: c_int) -> *const c_char {
    ffi_fn!({ describe(err, |i| i.error_str, |k| k.text) })
}

/// The name of an error's constant; as aws_error_str().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_error_name(err: c_int) -> *const c_char {
    ffi_fn!({ describe(err, |i| i.literal_name, |k| k.name) })
}

/// The name of the library that an error belongs to; as aws_error_str().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_error_lib_name(err: c_int) -> *const c_char {
    ffi_fn!({ describe(err, |i| i.lib_name, |k| k.library) })
}

/// Library, name and sentence of an error in one line; as aws_error_str().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_error_debug_str(err: c_int) -> *const c_char {
    ffi_fn!({ describe(err, |i| i.formatted_name, |k| k.whole) })
}

const UNKNOWN: &CStr = c"Unknown Error Code";

/// From the program's own registrations first, then from what is known here.
fn describe(
    err: c_int,
    registered: fn(&aws_error_info) -> *const c_char,
    known: fn(&Known) -> &'static CStr,
) -> *const c_char {
    if let Some(library) = library_of(err) {
        let list = REGISTERED[library].load(Ordering::Acquire);
        let place = (err % NUMBERS) as usize;
        // SAFETY: who registers a list keeps it and its entries alive.
        let text = unsafe {
            list.as_ref()
                .filter(|list| place < usize::from(list.count) && !list.error_list.is_null())
                .map(|list| registered(&*list.error_list.add(place)))
        };
        if let Some(text) = text.filter(|t| !t.is_null()) {
            return text;
        }
    }
    find(err).map_or(UNKNOWN, known).as_ptr()
}

fn library_of(err: c_int) -> Option<usize> {
    usize::try_from(err / NUMBERS).ok().filter(|&l| err >= 0 && l < LIBRARIES)
}

/// Makes an error the last one of this thread and tells the error handler, if one is installed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_raise_error_private(err: c_int) {
    ffi_fn!(calls_out {
        raise::raise(Code(err));
    })
}

/// As aws_raise_error_private(), and returns AWS_OP_ERR, so that a function can end with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_raise_error(err: c_int) -> c_int {
    ffi_fn!(calls_out { raise::raise(Code(err)) })
}

/// Sets the last error of this thread to AWS_ERROR_SUCCESS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_reset_error() {
    ffi_fn!({ raise::set_last_error(0) })
}

/// Sets the last error of this thread without telling the error handler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_restore_error(err: c_int) {
    ffi_fn!({ raise::set_last_error(err) })
}

/// Installs the error handler for all threads that have none of their own, and returns the one
/// before.
///
/// `handler`: may be NULL. `ctx`: given to it each time. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_set_global_error_handler_fn(
    handler: aws_error_handler_fn,
    ctx: *mut c_void,
) -> aws_error_handler_fn {
    ffi_fn!({ raise::set_global_handler(Handler { call: handler, context: ctx }).call })
}

/// Installs the error handler of this thread; as aws_set_global_error_handler_fn().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_set_thread_local_error_handler_fn(
    handler: aws_error_handler_fn,
    ctx: *mut c_void,
) -> aws_error_handler_fn {
    ffi_fn!({ raise::set_thread_handler(Handler { call: handler, context: ctx }).call })
}

/// Makes a program's own errors known.
///
/// `error_info`: kept, must live as long as the program, entries in order of their numbers without
/// gaps. A list whose numbers lie outside of what libraries can have is left out. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_register_error_info(error_info: *const aws_error_info_list) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { set_list(error_info, error_info.cast_mut()) } })
}

/// Takes back what aws_register_error_info() made known. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_unregister_error_info(error_info: *const aws_error_info_list) {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { set_list(error_info, ptr::null_mut()) } })
}

unsafe fn set_list(list: *const aws_error_info_list, value: *mut aws_error_info_list) {
    // SAFETY: by the caller's contract.
    let first = unsafe {
        match list.as_ref() {
            Some(list) if list.count > 0 => list.error_list.as_ref().map(|e| e.error_code),
            _ => None,
        }
    };
    if let Some(library) = first.and_then(library_of) {
        REGISTERED[library].store(value, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(p: *const c_char) -> String {
        // SAFETY: never NULL, ends with a zero.
        unsafe { CStr::from_ptr(p) }.to_str().expect("ASCII").to_owned()
    }

    #[test]
    fn known_errors_have_names_and_sentences() {
        // SAFETY: numbers only.
        unsafe {
            assert_eq!(text(aws_error_name(34)), "AWS_ERROR_INVALID_ARGUMENT");
            assert_eq!(text(aws_error_name(14347)), "AWS_ERROR_S3_CANCELED");
            assert_eq!(text(aws_error_lib_name(14347)), "aws-c-s3");
            assert_eq!(text(aws_error_str(1)), "Memory could not be allocated.");
            let whole = text(aws_error_debug_str(1));
            assert_eq!(whole, "aws-c-common: AWS_ERROR_OOM, Memory could not be allocated.");
            for unknown in [-1, i32::MIN, 64, 32768, i32::MAX] {
                assert_eq!(text(aws_error_str(unknown)), "Unknown Error Code");
                assert_eq!(text(aws_error_name(unknown)), "Unknown Error Code");
                assert_eq!(text(aws_error_lib_name(unknown)), "Unknown Error Code");
                assert_eq!(text(aws_error_debug_str(unknown)), "Unknown Error Code");
            }
        }
    }

    #[test]
    fn registered_errors_are_found_until_unregistered() {
        let info = aws_error_info {
            error_code: 30 * 1024,
            literal_name: c"MY_ERROR".as_ptr(),
            error_str: c"mine".as_ptr(),
            lib_name: c"my".as_ptr(),
            formatted_name: c"my: MY_ERROR, mine".as_ptr(),
        };
        let list = aws_error_info_list { error_list: &info, count: 1 };
        let far = aws_error_info { error_code: 32 * 1024, ..info };
        let far_list = aws_error_info_list { error_list: &far, count: 1 };
        let empty = aws_error_info_list { error_list: ptr::null(), count: 3 };
        // SAFETY: the lists live until they are unregistered.
        unsafe {
            aws_register_error_info(ptr::null());
            aws_register_error_info(&far_list);
            aws_register_error_info(&empty);
            aws_register_error_info(&list);
            assert_eq!(text(aws_error_name(30 * 1024)), "MY_ERROR");
            assert_eq!(text(aws_error_name(30 * 1024 + 1)), "Unknown Error Code");
            aws_unregister_error_info(&list);
            assert_eq!(text(aws_error_name(30 * 1024)), "Unknown Error Code");
        }
    }

    #[test]
    fn handler_is_told_of_raised_errors_only() {
        unsafe extern "C" fn note(err: c_int, ctx: *mut c_void) {
            // SAFETY: the context is the integer below.
            unsafe { *ctx.cast::<c_int>() = err };
        }
        let mut seen = 0;
        // SAFETY: the context outlives the handler.
        unsafe {
            let ctx = (&raw mut seen).cast();
            assert!(aws_set_thread_local_error_handler_fn(Some(note), ctx).is_none());
            assert_eq!(aws_raise_error(7), -1);
            aws_restore_error(9);
            assert_eq!((*ctx.cast::<c_int>(), aws_last_error()), (7, 9));
            aws_raise_error_private(8);
            assert_eq!(*ctx.cast::<c_int>(), 8);
            aws_reset_error();
            assert_eq!(aws_last_error(), 0);
            assert!(aws_set_thread_local_error_handler_fn(None, ptr::null_mut()).is_some());
        }
    }
}
