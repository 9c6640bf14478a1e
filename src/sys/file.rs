//! Files: opened once, read and written at offsets. Every call here may wait for a disk; only
//! `preadv2_nowait` may be called on a loop.

use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::hooks::{Call, check};
use crate::base::{Code, Error, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileMode {
    Read,
    /// Writes from an empty file on.
    CreateOrReplace,
    /// Fails with errno EEXIST where something has that name.
    CreateNew,
    /// Keeps what is there; the caller writes at the end (`stat().size`).
    CreateOrKeep,
    /// Fails with errno ENOENT where nothing has that name.
    WriteExisting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    Regular,
    Directory,
    /// A pipe, a terminal or another thing without offsets.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileStat {
    pub size: u64,
    pub device: u64,
    pub inode: u64,
    pub mtime_nanos: i128,
    pub kind: FileKind,
}

pub struct File {
    fd: OwnedFd,
    path: Box<Path>,
}

impl File {
    pub fn open(path: &Path, mode: FileMode) -> Result<File> {
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| Error::new(Code::FILE_INVALID_PATH))?;
        let flags = libc::O_CLOEXEC
            | match mode {
                FileMode::Read => libc::O_RDONLY,
                FileMode::CreateOrReplace => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
                FileMode::CreateNew => libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL,
                FileMode::CreateOrKeep => libc::O_WRONLY | libc::O_CREAT,
                FileMode::WriteExisting => libc::O_WRONLY,
            };
        let opened = check(Call::Open, "open", path, 0).and_then(|_| {
            // SAFETY: `name` is terminated; 0o666 is cut by the umask as fopen does.
            unsafe { syscall!(open(name.as_ptr(), flags, 0o666 as libc::c_uint)) }
        });
        let fd = opened.map_err(|f| f.file(Code::FILE_OPEN_FAILURE))?;
        // SAFETY: the new descriptor is ours alone.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        Ok(File { fd, path: path.into() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads at an offset; fewer bytes than asked for mean the end of the file, a device's whim or
    /// an error that the next read will tell. 0: the end.
    pub fn pread(&self, into: &mut [u8], offset: u64) -> Result<usize> {
        let read = check(Call::Read, "pread", &self.path, into.len()).and_then(|len| {
            let (fd, at) = (self.fd.as_raw_fd(), into.as_mut_ptr().cast());
            // SAFETY: `into` has room for `len` bytes.
            unsafe { syscall!(pread64(fd, at, len, offset as libc::off64_t)) }
        });
        Ok(read.map_err(|f| f.file(Code::FILE_READ_FAILURE))? as usize)
    }

    /// Reads until `into` is full or the file ends.
    pub fn pread_full(&self, into: &mut [u8], offset: u64) -> Result<usize> {
        let mut done = 0;
        while done < into.len() {
            match self.pread(&mut into[done..], offset + done as u64)? {
                0 => break,
                n => done += n,
            }
        }
        Ok(done)
    }

    /// As `pread`, but only what is in memory already: `None` where it would wait, or where the
    /// file system cannot tell.
    pub fn preadv2_nowait(&self, into: &mut [u8], offset: u64) -> Result<Option<usize>> {
        let read = check(Call::ReadNoWait, "preadv2", &self.path, into.len()).and_then(|len| {
            let iov = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: len };
            let (fd, at) = (self.fd.as_raw_fd(), offset as libc::off64_t);
            // SAFETY: the one vector is `into`, with room for `len` bytes.
            unsafe { syscall!(preadv64v2(fd, &iov, 1, at, libc::RWF_NOWAIT)) }
        });
        match read {
            Ok(n) => Ok(Some(n as usize)),
            Err(f) if f.would_block() => Ok(None),
            Err(f) if matches!(f.errno, libc::EOPNOTSUPP | libc::ENOSYS | libc::EINVAL) => Ok(None),
            Err(f) => Err(f.file(Code::FILE_READ_FAILURE)),
        }
    }

    /// Reads on from where the last read ended (pipes and the like).
    pub fn read(&self, into: &mut [u8]) -> Result<usize> {
        let read = check(Call::Read, "read", &self.path, into.len()).and_then(|len| {
            // SAFETY: `into` has room for `len` bytes.
            unsafe { syscall!(read(self.fd.as_raw_fd(), into.as_mut_ptr().cast(), len)) }
        });
        Ok(read.map_err(|f| f.file(Code::FILE_READ_FAILURE))? as usize)
    }

    /// Writes at an offset; may write less than asked for.
    pub fn pwrite(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        let written = check(Call::Write, "pwrite", &self.path, bytes.len()).and_then(|len| {
            let (fd, at) = (self.fd.as_raw_fd(), bytes.as_ptr().cast());
            // SAFETY: `bytes` holds `len` bytes.
            unsafe { syscall!(pwrite64(fd, at, len, offset as libc::off64_t)) }
        });
        Ok(written.map_err(|f| f.file(Code::FILE_WRITE_FAILURE))? as usize)
    }

    pub fn pwrite_all(&self, mut bytes: &[u8], mut offset: u64) -> Result<()> {
        while !bytes.is_empty() {
            match self.pwrite(bytes, offset)? {
                // A device that takes nothing and says nothing would be a loop without an end.
                0 => return Err(Error::os(Code::FILE_WRITE_FAILURE, "pwrite", libc::EIO)),
                n => {
                    bytes = &bytes[n..];
                    offset += n as u64;
                }
            }
        }
        Ok(())
    }

    pub fn fstat(&self) -> Result<FileStat> {
        let stat = check(Call::Stat, "fstat", &self.path, 0).and_then(|_| {
            // SAFETY: plain old data; the call fills it.
            let mut st: libc::stat64 = unsafe { std::mem::zeroed() };
            // SAFETY: `st` is a valid place.
            unsafe { syscall!(fstat64(self.fd.as_raw_fd(), &mut st)) }.map(|_| st)
        });
        let st = stat.map_err(|f| f.other())?;
        Ok(FileStat {
            size: u64::try_from(st.st_size).unwrap_or(0),
            device: st.st_dev,
            inode: st.st_ino,
            mtime_nanos: i128::from(st.st_mtime) * 1_000_000_000 + i128::from(st.st_mtime_nsec),
            kind: match st.st_mode & libc::S_IFMT {
                libc::S_IFREG => FileKind::Regular,
                libc::S_IFDIR => FileKind::Directory,
                _ => FileKind::Other,
            },
        })
    }

    pub fn truncate(&self, size: u64) -> Result<()> {
        let size = libc::off64_t::try_from(size)
            .map_err(|_| Error::os(Code::INVALID_ARGUMENT, "ftruncate", libc::EFBIG))?;
        let done = check(Call::Truncate, "ftruncate", &self.path, 0).and_then(|_| {
            // SAFETY: no pointers.
            unsafe { syscall!(ftruncate64(self.fd.as_raw_fd(), size)) }
        });
        done.map_err(|f| f.file(Code::FILE_WRITE_FAILURE)).map(drop)
    }

    pub fn fsync(&self) -> Result<()> {
        let done = check(Call::Sync, "fsync", &self.path, 0).and_then(|_| {
            // SAFETY: no pointers.
            unsafe { syscall!(fsync(self.fd.as_raw_fd())) }
        });
        done.map_err(|f| f.file(Code::FILE_WRITE_FAILURE)).map(drop)
    }

    /// Closes and tells what only the close can tell (a full disk on a network file system).
    pub fn close(self) -> Result<()> {
        let File { fd, path } = self;
        // Linux frees the descriptor even when close is interrupted: never a second try.
        let hooked = check(Call::Close, "close", &path, 0);
        let fd = ManuallyDrop::new(fd.into_raw_fd());
        // SAFETY: `into_raw_fd` made us the only owner, and it is closed once.
        let closed = unsafe { syscall!(once close(*fd)) };
        match hooked.and(closed) {
            Err(f) if f.errno != libc::EINTR => Err(f.file(Code::FILE_WRITE_FAILURE)),
            _ => Ok(()),
        }
    }

    /// Takes the name away; the file lives on while it is open.
    pub fn remove(path: &Path) -> Result<()> {
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| Error::new(Code::FILE_INVALID_PATH))?;
        // SAFETY: `name` is terminated.
        unsafe { syscall!(unlink(name.as_ptr())) }.map_err(|f| f.other()).map(drop)
    }
}

impl AsRawFd for File {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::hooks::{Hooks, Verdict, install};
    use std::path::PathBuf;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("s3fast-file-{}-{name}", std::process::id()))
    }

    #[test]
    fn bytes_written_at_offsets_come_back() {
        let path = scratch("offsets");
        let out = File::open(&path, FileMode::CreateOrReplace).unwrap();
        out.pwrite_all(b"world", 6).unwrap();
        out.pwrite_all(b"hello ", 0).unwrap();
        out.fsync().unwrap();
        out.close().unwrap();
        let file = File::open(&path, FileMode::Read).unwrap();
        let stat = file.fstat().unwrap();
        assert_eq!((stat.size, stat.kind), (11, FileKind::Regular));
        let mut buf = [0; 32];
        assert_eq!(file.pread_full(&mut buf, 0).unwrap(), 11);
        assert_eq!(&buf[..11], b"hello world");
        assert_eq!(file.pread(&mut buf, 11).unwrap(), 0);
        if let Some(n) = file.preadv2_nowait(&mut buf, 6).unwrap() {
            assert_eq!(&buf[..n], b"world");
        }
        File::remove(&path).unwrap();
    }

    #[test]
    fn modes_keep_their_promises() {
        let path = scratch("modes");
        let _ = File::remove(&path);
        let e = File::open(&path, FileMode::WriteExisting).err().unwrap();
        assert_eq!((e.code, e.errno), (Code::FILE_INVALID_PATH, libc::ENOENT));
        let new = File::open(&path, FileMode::CreateNew).unwrap();
        new.pwrite_all(b"abc", 0).unwrap();
        let e = File::open(&path, FileMode::CreateNew).err().unwrap();
        assert_eq!((e.call, e.errno), ("open", libc::EEXIST));
        let kept = File::open(&path, FileMode::CreateOrKeep).unwrap();
        assert_eq!(kept.fstat().unwrap().size, 3);
        kept.truncate(1).unwrap();
        assert_eq!(new.fstat().unwrap().size, 1);
        assert_eq!(File::open(&path, FileMode::CreateOrReplace).unwrap().fstat().unwrap().size, 0);
        File::remove(&path).unwrap();
    }

    #[test]
    fn hooks_fail_and_shorten_reads_of_one_path() {
        let path = scratch("hooked");
        let out = File::open(&path, FileMode::CreateOrReplace).unwrap();
        out.pwrite_all(&[7; 100], 0).unwrap();
        let hooked = path.clone();
        let turn = std::sync::atomic::AtomicUsize::new(0);
        let hooks = install(Hooks {
            on_call: Some(Box::new(move |site| {
                if site.call != Call::Read || site.path != hooked {
                    return Verdict::Go;
                }
                match turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
                    0 => Verdict::Short(10),
                    1 => Verdict::Fail(libc::EIO),
                    _ => Verdict::Go,
                }
            })),
            ..Hooks::default()
        });
        let file = File::open(&path, FileMode::Read).unwrap();
        let mut buf = [0; 100];
        assert_eq!(file.pread(&mut buf, 0).unwrap(), 10);
        let e = file.pread(&mut buf, 10).unwrap_err();
        assert_eq!(e, Error::os(Code::FILE_READ_FAILURE, "pread", libc::EIO));
        assert_eq!(file.pread(&mut buf, 0).unwrap(), 100);
        drop(hooks);
        File::remove(&path).unwrap();
    }
}
