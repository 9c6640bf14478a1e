//! Objects and uploads as files.
//!
//! ```text
//! ROOT/BUCKET/o/HASH.json        one for each object: key (as it was sent), headers, segments
//! ROOT/BUCKET/u/ID.json          one for each open upload;  ID.parts: a JSON line for each part
//! ROOT/BUCKET/d/ID/FILE          the bytes: ID is an object's version, or an upload
//! ```
//! The file name of an object is the SHA-256 of its key, so any key can be stored, to the byte.
//! A multipart object keeps its parts as they came; completing it moves no byte. What is read is
//! held open by reference counts: an object replaced or deleted loses its files with its last
//! reader. Everything on disk is found again by a server started later on the same folder.

use crate::sums::{self, Algorithm, Hashers, Sums};
use bytes::Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How much one read of a file takes.
const BLOCK: usize = 512 << 10;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Segment {
    pub file: String,
    pub size: u64,
    pub part_number: i32,
    pub sums: Sums,
}

/// Headers that a GET gives back as they were given with the PUT, names in lower case.
pub type Headers = Vec<(String, String)>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meta {
    pub key: String,
    pub data: String,
    pub etag: String,
    pub size: u64,
    pub modified_ms: u64,
    pub segments: Vec<Segment>,
    pub headers: Headers,
    /// Base64, with "-N" where composite.
    pub checksums: BTreeMap<Algorithm, String>,
    pub composite: bool,
    pub multipart: bool,
}

pub struct Object {
    pub meta: Meta,
    folder: PathBuf,
    doomed: AtomicBool,
}

impl Drop for Object {
    fn drop(&mut self) {
        if *self.doomed.get_mut() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Upload {
    pub id: String,
    pub key: String,
    pub initiated_ms: u64,
    pub headers: Headers,
    pub algorithm: Option<Algorithm>,
    pub full_object: bool,
    #[serde(skip)]
    pub parts: BTreeMap<i32, Part>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    pub number: i32,
    pub file: String,
    pub size: u64,
    pub md5: String,
    pub sums: Sums,
    pub modified_ms: u64,
}

#[derive(Default)]
pub struct Bucket {
    pub created_ms: u64,
    pub objects: BTreeMap<String, Arc<Object>>,
    pub uploads: BTreeMap<String, Upload>,
    /// Uploads that became an object: S3 answers a repeated Complete with success for a while.
    pub completed: HashMap<String, Arc<Object>>,
}

pub struct Store {
    root: PathBuf,
    state: Mutex<BTreeMap<String, Bucket>>,
    next: AtomicU64,
}

/// Bytes that were written to a file, and what they hash to.
pub struct Written {
    pub size: u64,
    pub sums: Sums,
}

impl Store {
    pub fn open(root: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&root)?;
        let mut buckets = BTreeMap::new();
        for entry in fs::read_dir(&root)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                let name = entry.file_name().to_string_lossy().into_owned();
                buckets.insert(name, load_bucket(&entry.path())?);
            }
        }
        Ok(Self { root, state: Mutex::new(buckets), next: AtomicU64::new(0) })
    }

    pub fn state(&self) -> MutexGuard<'_, BTreeMap<String, Bucket>> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub fn fresh_id(&self) -> String {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{:x}{:08x}{n:06x}", now_nanos(), std::process::id())
    }

    pub fn create_bucket(&self, name: &str) -> io::Result<bool> {
        let mut state = self.state();
        if state.contains_key(name) {
            return Ok(false);
        }
        for sub in ["o", "u", "d"] {
            fs::create_dir_all(self.root.join(name).join(sub))?;
        }
        state.insert(name.into(), Bucket { created_ms: now_ms(), ..Bucket::default() });
        Ok(true)
    }

    pub fn delete_bucket(&self, name: &str) -> io::Result<()> {
        self.state().remove(name);
        fs::remove_dir_all(self.root.join(name))
    }

    /// The folder for the bytes of a version or an upload; made if it is not there.
    pub fn data_folder(&self, bucket: &str, id: &str) -> io::Result<PathBuf> {
        let folder = self.root.join(bucket).join("d").join(id);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Puts an object in its place; the caller has checked its conditions under the same lock.
    pub fn put(&self, bucket: &str, state: &mut Bucket, meta: Meta) -> io::Result<Arc<Object>> {
        let home = self.root.join(bucket);
        save(&home.join("o").join(file_of(&meta.key)), &meta)?;
        let object = Arc::new(Object {
            folder: home.join("d").join(&meta.data),
            meta,
            doomed: AtomicBool::new(false),
        });
        if let Some(old) = state.objects.insert(object.meta.key.clone(), object.clone()) {
            old.doomed.store(true, Ordering::Relaxed);
        }
        Ok(object)
    }

    pub fn delete(&self, bucket: &str, state: &mut Bucket, key: &str) -> bool {
        let _ = fs::remove_file(self.root.join(bucket).join("o").join(file_of(key)));
        match state.objects.remove(key) {
            Some(old) => {
                old.doomed.store(true, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    pub fn save_upload(&self, bucket: &str, upload: &Upload) -> io::Result<()> {
        self.data_folder(bucket, &upload.id)?;
        save(&self.root.join(bucket).join("u").join(format!("{}.json", upload.id)), upload)
    }

    /// Adds a part; one with the same number that came before loses its file.
    pub fn add_part(&self, bucket: &str, upload: &mut Upload, part: Part) -> io::Result<()> {
        let list = self.root.join(bucket).join("u").join(format!("{}.parts", upload.id));
        let mut line = serde_json::to_vec(&part)?;
        line.push(b'\n');
        File::options().append(true).create(true).open(list)?.write_all(&line)?;
        if let Some(old) = upload.parts.insert(part.number, part) {
            let folder = self.root.join(bucket).join("d").join(&upload.id);
            let _ = fs::remove_file(folder.join(old.file));
        }
        Ok(())
    }

    /// Forgets an upload. Its bytes go too, unless they are an object's now.
    pub fn drop_upload(&self, bucket: &str, id: &str, with_bytes: bool) {
        let home = self.root.join(bucket);
        let _ = fs::remove_file(home.join("u").join(format!("{id}.json")));
        let _ = fs::remove_file(home.join("u").join(format!("{id}.parts")));
        if with_bytes {
            let _ = fs::remove_dir_all(home.join("d").join(id));
        }
    }

    pub fn remove_unlisted(&self, bucket: &str, meta: &Meta) {
        let folder = self.root.join(bucket).join("d").join(&meta.data);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if !meta.segments.iter().any(|s| name == s.file.as_str()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Object {
    /// Calls `sink` with the bytes of `range` in order, in large blocks, until it says stop.
    pub fn read(&self, range: Range<u64>, mut sink: impl FnMut(Bytes) -> bool) -> io::Result<()> {
        let mut start = 0;
        for segment in &self.meta.segments {
            let end = start + segment.size;
            let (mut at, stop) = (range.start.max(start), range.end.min(end));
            if at < stop {
                let file = File::open(self.folder.join(&segment.file))?;
                while at < stop {
                    let mut block = vec![0; BLOCK.min((stop - at) as usize)];
                    file.read_exact_at(&mut block, at - start)?;
                    at += block.len() as u64;
                    if !sink(Bytes::from(block)) {
                        return Ok(());
                    }
                }
            }
            start = end;
        }
        Ok(())
    }

    /// Copies a range to a new file.
    pub fn copy_to(
        &self,
        range: Range<u64>,
        to: &Path,
        wanted: &[Algorithm],
    ) -> io::Result<Written> {
        let mut file = File::create(to)?;
        let mut hashers = Hashers::new(wanted);
        let (mut size, mut fault) = (0, None);
        self.read(range, |block| {
            hashers.update(&block);
            size += block.len() as u64;
            fault = file.write_all(&block).err();
            fault.is_none()
        })?;
        match fault {
            Some(e) => Err(e),
            None => Ok(Written { size, sums: hashers.finish() }),
        }
    }
}

fn load_bucket(home: &Path) -> io::Result<Bucket> {
    let mut bucket = Bucket { created_ms: now_ms(), ..Bucket::default() };
    let mut kept = std::collections::HashSet::new();
    for sub in ["o", "u", "d"] {
        fs::create_dir_all(home.join(sub))?;
    }
    for entry in fs::read_dir(home.join("o"))? {
        // A file that was being written when the server was killed is no object.
        let Some(meta) = load::<Meta>(&entry?.path()) else { continue };
        kept.insert(meta.data.clone());
        let folder = home.join("d").join(&meta.data);
        let object = Object { folder, doomed: AtomicBool::new(false), meta };
        bucket.objects.insert(object.meta.key.clone(), Arc::new(object));
    }
    for entry in fs::read_dir(home.join("u"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let Some(mut upload) = load::<Upload>(&path) else { continue };
        if kept.contains(&upload.id) {
            continue; // completed, and killed before the upload was forgotten
        }
        kept.insert(upload.id.clone());
        if let Ok(list) = File::open(path.with_extension("parts")) {
            for line in io::BufReader::new(list).lines().map_while(Result::ok) {
                if let Ok(part) = serde_json::from_str::<Part>(&line) {
                    upload.parts.insert(part.number, part);
                }
            }
        }
        bucket.uploads.insert(upload.id.clone(), upload);
    }
    for entry in fs::read_dir(home.join("d"))? {
        let entry = entry?;
        if !kept.contains(&*entry.file_name().to_string_lossy()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(bucket)
}

fn load<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn save<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, serde_json::to_vec(value)?)?;
    fs::rename(new, path)
}

fn file_of(key: &str) -> String {
    format!("{}.json", sums::hex(&sums::digest(Algorithm::Sha256, key.as_bytes())))
}

pub fn now_nanos() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

pub fn now_ms() -> u64 {
    (now_nanos() / 1_000_000) as u64
}

pub fn time_of(ms: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(ms)
}
