//! `aws/common/file.h`: files and directories.

use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use super::logging;
use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_byte_cursor, aws_string};
use crate::ffi::handle::bytes;
use crate::ffi::raise::{AWS_OP_SUCCESS, op, raise, raise_null};

/// What kind of thing a path names; flags.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_file_type {
    AWS_FILE_TYPE_FILE = 1,
    AWS_FILE_TYPE_SYM_LINK = 2,
    AWS_FILE_TYPE_DIRECTORY = 4,
}

/// One thing found in a directory. The cursors live as long as the callback runs.
#[repr(C)]
pub struct aws_directory_entry {
    /// The absolute path, links resolved; empty where that failed.
    pub path: aws_byte_cursor,
    /// The path as begun by the caller.
    pub relative_path: aws_byte_cursor,
    /// Of enum aws_file_type; 0 for other things.
    pub file_type: c_int,
    /// Bytes in it, for a file.
    pub file_size: i64,
}

/// Called for each entry, on the thread that walks; false ends the walk. The entry and what it
/// points to live until this returns.
pub type aws_on_directory_entry =
    Option<unsafe extern "C" fn(entry: *const aws_directory_entry, user_data: *mut c_void) -> bool>;

/// Opens a file.
///
/// `file_path`, `mode`: as for fopen(), borrowed for the call.
/// Returns the stream, closed with fclose(), or NULL with AWS_ERROR_FILE_INVALID_PATH,
/// AWS_ERROR_NO_PERMISSION, AWS_ERROR_MAX_FDS_EXCEEDED, AWS_ERROR_FILE_OPEN_FAILURE or
/// AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_fopen_safe(
    file_path: *const aws_string,
    mode: *const aws_string,
) -> *mut libc::FILE {
    ffi_fn!({
        if file_path.is_null() || mode.is_null() {
            return raise_null(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        let opened = unsafe { libc::fopen(aws_string::c_str(file_path), aws_string::c_str(mode)) };
        if opened.is_null() {
            let error = open_error("fopen");
            // SAFETY: by the argument rules.
            let path = unsafe { aws_string::text(file_path) }.unwrap_or(b"");
            let path = String::from_utf8_lossy(path);
            let line = format!("file '{path}' was not opened: {error}");
            logging::write(2, logging::SUBJECT_IO, line.as_bytes());
            raise(error.code);
        }
        opened
    })
}

/// Why opening a file just failed on this thread.
pub(crate) fn open_error(call: &'static str) -> Error {
    io_error(call, errno(), Code::FILE_OPEN_FAILURE)
}

fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The code for a failed file operation; `other` where the errno says nothing particular.
pub(crate) fn io_error(call: &'static str, errno: i32, other: Code) -> Error {
    let code = match errno {
        libc::EINVAL if other == Code::SYS_CALL_FAILURE => Code::INVALID_ARGUMENT,
        libc::EPERM | libc::EACCES => Code::NO_PERMISSION,
        libc::EISDIR | libc::ENAMETOOLONG | libc::ENOENT | libc::ENOTDIR => Code::FILE_INVALID_PATH,
        libc::EMFILE | libc::ENFILE => Code::MAX_FDS_EXCEEDED,
        libc::ENOMEM => Code::OOM,
        libc::ENOSPC => Code::NO_SPACE,
        libc::ENOTEMPTY => Code::DIRECTORY_NOT_EMPTY,
        _ => other,
    };
    Error::os(code, call, errno)
}

/// Makes a directory; one that exists already is fine.
///
/// `dir_path`: borrowed for the call; the directory around it must exist.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_FILE_INVALID_PATH, AWS_ERROR_NO_PERMISSION
/// and the like. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_directory_create(dir_path: *const aws_string) -> c_int {
    ffi_fn!({
        if dir_path.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        // SAFETY: by the argument rules.
        if unsafe { libc::mkdir(aws_string::c_str(dir_path), 0o777) } != 0 {
            match errno() {
                libc::EEXIST => {}
                errno => return raise(io_error("mkdir", errno, Code::SYS_CALL_FAILURE).code),
            }
        }
        AWS_OP_SUCCESS
    })
}

/// Whether a path names a directory; a link to one does not count.
///
/// `dir_path`: borrowed for the call; NULL gives false. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_directory_exists(dir_path: *const aws_string) -> bool {
    ffi_fn!({
        // SAFETY: by the argument rules.
        !dir_path.is_null()
            && unsafe { stat_of(CStr::from_ptr(aws_string::c_str(dir_path))) }
                .is_some_and(|s| s.st_mode & libc::S_IFMT == libc::S_IFDIR)
    })
}

fn stat_of(path: &CStr) -> Option<libc::stat> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: a C string, and a place for the result, which is read only where it was written.
    unsafe {
        match libc::lstat(path.as_ptr(), stat.as_mut_ptr()) {
            0 => Some(stat.assume_init()),
            _ => None,
        }
    }
}

/// Walks over everything in a directory, in no order; `.` and `..` are passed over.
///
/// `allocator`: not kept. `path`: borrowed for the call. `recursive`: walks into each directory
/// before reporting the directory itself; links are not followed. `on_entry`: called with
/// `user_data` on this thread, before this returns; it may remove the entry; false ends the walk.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OPERATION_INTERUPTED (ended by the
/// callback), AWS_ERROR_FILE_INVALID_PATH, AWS_ERROR_NO_PERMISSION or AWS_ERROR_INVALID_ARGUMENT.
/// Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_directory_traverse(
    allocator: *mut aws_allocator,
    path: *const aws_string,
    recursive: bool,
    on_entry: aws_on_directory_entry,
    user_data: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        let _ = allocator;
        let Some(on_entry) = on_entry else { return raise(Code::INVALID_ARGUMENT) };
        // SAFETY: by the argument rules.
        let path = match unsafe { aws_string::text(path) } {
            Some(path) if !path.is_empty() && !path.contains(&0) => path,
            Some([]) => return raise(Code::FILE_INVALID_PATH),
            _ => return raise(Code::INVALID_ARGUMENT),
        };
        let mut buffer = path.to_vec();
        if buffer.len() > 1 && buffer.last() == Some(&b'/') {
            buffer.pop();
        }
        buffer.push(0);
        // SAFETY: by the argument rules.
        op(walk(&mut buffer, recursive, &mut |entry| unsafe { on_entry(entry, user_data) }))
    })
}

/// `path` ends with a zero and is the same again when this returns.
fn walk(
    path: &mut Vec<u8>,
    recursive: bool,
    visit: &mut dyn FnMut(&aws_directory_entry) -> bool,
) -> Result<()> {
    let dir = Directory::open(path)?;
    let base = path.len() - 1;
    while let Some(name) = dir.next() {
        path.truncate(base);
        if path.last() != Some(&b'/') {
            path.push(b'/');
        }
        path.extend_from_slice(name.to_bytes_with_nul());
        let done = entry_at(path, recursive, visit);
        path.truncate(base);
        path.push(0);
        done?;
    }
    Ok(())
}

fn entry_at(
    path: &mut Vec<u8>,
    recursive: bool,
    visit: &mut dyn FnMut(&aws_directory_entry) -> bool,
) -> Result<()> {
    let Ok(c_path) = CStr::from_bytes_until_nul(path) else { return Ok(()) };
    // Gone meanwhile: not an entry.
    let Some(stat) = stat_of(c_path) else { return Ok(()) };
    let file_type = match stat.st_mode & libc::S_IFMT {
        libc::S_IFDIR => aws_file_type::AWS_FILE_TYPE_DIRECTORY as c_int,
        libc::S_IFLNK => aws_file_type::AWS_FILE_TYPE_SYM_LINK as c_int,
        libc::S_IFREG => aws_file_type::AWS_FILE_TYPE_FILE as c_int,
        _ => 0,
    };
    let is_file = file_type == aws_file_type::AWS_FILE_TYPE_FILE as c_int;
    // SAFETY: a C string; the result is NULL or a block of malloc.
    let full = unsafe { libc::realpath(c_path.as_ptr(), null_mut()) };
    let full = FullPath(full);
    if recursive && file_type == aws_file_type::AWS_FILE_TYPE_DIRECTORY as c_int {
        walk(path, true, visit)?;
    }
    let entry = aws_directory_entry {
        path: full.cursor(),
        relative_path: aws_byte_cursor { len: path.len() - 1, ptr: path.as_mut_ptr() },
        file_type,
        file_size: if is_file { stat.st_size } else { 0 },
    };
    match visit(&entry) {
        true => Ok(()),
        false => Err(Error::new(Code::OPERATION_INTERUPTED)),
    }
}

struct FullPath(*mut std::ffi::c_char);

impl FullPath {
    fn cursor(&self) -> aws_byte_cursor {
        // SAFETY: NULL or a C string.
        unsafe {
            let len = super::byte_buf::c_str_len(self.0);
            bytes(self.0.cast(), len).map_or(aws_byte_cursor::EMPTY, aws_byte_cursor::of)
        }
    }
}

impl Drop for FullPath {
    fn drop(&mut self) {
        // SAFETY: NULL or a block of malloc, freed once.
        unsafe { libc::free(self.0.cast()) };
    }
}

struct Directory(*mut libc::DIR);

impl Directory {
    fn open(path: &[u8]) -> Result<Directory> {
        // SAFETY: the path ends with a zero.
        let dir = unsafe { libc::opendir(path.as_ptr().cast()) };
        match dir.is_null() {
            true => Err(io_error("opendir", errno(), Code::SYS_CALL_FAILURE)),
            false => Ok(Directory(dir)),
        }
    }

    /// The next name, valid until the next call.
    fn next(&self) -> Option<&CStr> {
        loop {
            // SAFETY: an open directory; the name ends with a zero.
            let name = unsafe {
                let entry = libc::readdir(self.0);
                CStr::from_ptr(entry.as_ref()?.d_name.as_ptr())
            };
            if name != c"." && name != c".." {
                return Some(name);
            }
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // SAFETY: opened by us, closed once.
        unsafe { libc::closedir(self.0) };
    }
}

/// The length of an open file in bytes.
///
/// `length`: written. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_FILE_HANDLE,
/// AWS_ERROR_SYS_CALL_FAILURE or AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_file_get_length(file: *mut libc::FILE, length: *mut i64) -> c_int {
    ffi_fn!({
        if file.is_null() || length.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        let mut stat = MaybeUninit::<libc::stat>::uninit();
        // SAFETY: by the argument rules; the result is read only where it was written.
        unsafe {
            let fd = libc::fileno(file);
            if fd < 0 {
                return raise(Code::INVALID_FILE_HANDLE);
            }
            if libc::fstat(fd, stat.as_mut_ptr()) != 0 {
                return raise(io_error("fstat", errno(), Code::SYS_CALL_FAILURE).code);
            }
            *length = stat.assume_init().st_size;
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;
    use crate::ffi::raise::last_error;

    fn string(text: &str) -> *mut aws_string {
        // SAFETY: the default allocator lives for ever.
        unsafe { aws_string::new(default_allocator(), text.as_bytes()) }.expect("memory").as_ptr()
    }

    unsafe extern "C" fn collect(entry: *const aws_directory_entry, data: *mut c_void) -> bool {
        // SAFETY: called by the tests below.
        unsafe {
            let entry = &*entry;
            let path = entry.relative_path.bytes().expect("valid");
            let list = &mut *data.cast::<Vec<(String, c_int, i64)>>();
            let text = String::from_utf8_lossy(path).into_owned();
            assert!(entry.path.len > 0);
            list.push((text, entry.file_type, entry.file_size));
            list.len() < 3
        }
    }

    #[test]
    fn walk_reports_a_directory_after_what_is_in_it() {
        let root = std::env::temp_dir().join(format!("s3fast-walk-{}", std::process::id()));
        let root = root.to_str().expect("UTF-8").to_owned();
        let (top, sub, file) = (string(&root), string(&format!("{root}/sub")), "in it");
        let with_slash = string(&format!("{root}/"));
        // SAFETY: strings are destroyed once.
        unsafe {
            assert!(!aws_directory_exists(top));
            assert_eq!(aws_directory_create(sub), -1);
            assert_eq!(last_error(), Code::FILE_INVALID_PATH.0);
            assert_eq!(aws_directory_create(top), 0);
            assert_eq!(aws_directory_create(top), 0);
            assert_eq!(aws_directory_create(sub), 0);
            assert!(aws_directory_exists(sub));
            std::fs::write(format!("{root}/sub/file"), file).expect("written");
            let a = default_allocator();
            for path in [top, with_slash] {
                let mut found: Vec<(String, c_int, i64)> = Vec::new();
                let data = (&raw mut found).cast();
                assert_eq!(aws_directory_traverse(a, path, true, Some(collect), data), 0);
                let expected = [(format!("{root}/sub/file"), 1, 5), (format!("{root}/sub"), 4, 0)];
                assert_eq!(found, expected);
                assert_eq!(aws_directory_traverse(a, path, false, Some(collect), data), -1);
                assert_eq!(last_error(), Code::OPERATION_INTERUPTED.0);
                assert_eq!(aws_directory_traverse(a, path, false, None, data), -1);
            }
            let (path, mode) = (string(&format!("{root}/sub/file")), string("rb"));
            let stream = aws_fopen_safe(path, mode);
            let mut length = 0;
            assert_eq!(aws_file_get_length(stream, &mut length), 0);
            assert_eq!(length, 5);
            libc::fclose(stream);
            let gone = string("/nowhere/at/all");
            assert!(aws_fopen_safe(gone, mode).is_null());
            assert_eq!(last_error(), Code::FILE_INVALID_PATH.0);
            let none = null_mut();
            assert_eq!(aws_directory_traverse(a, gone, true, Some(collect), none), -1);
            for s in [top, sub, with_slash, path, mode, gone] {
                aws_string::destroy(s);
            }
        }
        let _ = std::fs::remove_dir_all(root);
    }

    #[test]
    fn null_arguments_are_invalid() {
        // SAFETY: NULL is refused.
        unsafe {
            let none = null_mut();
            assert!(aws_fopen_safe(none, none).is_null());
            assert_eq!(aws_directory_create(none), -1);
            assert!(!aws_directory_exists(none));
            assert_eq!(aws_file_get_length(null_mut(), null_mut()), -1);
            let a = default_allocator();
            assert_eq!(aws_directory_traverse(a, none, true, Some(collect), null_mut()), -1);
        }
    }
}
