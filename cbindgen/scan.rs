//! Which file declares which C name, read from the sources line by line: public items stand at the
//! beginning of a line, and re-exports of `ctypes` say which header a container belongs to.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::headers::files_below;
use crate::text::ident_at_start;

#[derive(Default)]
pub struct Scan {
    pub files: Vec<PathBuf>,
    /// Name to header.
    pub owner: HashMap<String, String>,
    /// Where a name stands in its file, for the order of functions and values.
    pub place: HashMap<String, usize>,
    pub notes: Vec<String>,
    headers: BTreeMap<String, String>,
    /// Type to the module that declares it.
    modules: HashMap<String, String>,
    opaque: HashSet<String>,
    types: Vec<String>,
    newtypes: Vec<String>,
}

impl Scan {
    /// Types by name: cbindgen leaves out what no function reaches unless told.
    pub fn types(&self) -> Vec<String> {
        self.types.clone()
    }

    /// Where Rust finds a type.
    pub fn rust_path(&self, name: &str) -> Option<String> {
        self.modules.get(name).map(|module| format!("crate::{module}::{name}"))
    }

    /// Whether a struct shows C nothing.
    pub fn opaque(&self, name: &str) -> bool {
        self.opaque.contains(name)
    }

    pub fn source_of(&self, header: &str) -> Option<String> {
        self.headers.get(header).cloned()
    }

    /// `aws_x_AWS_X_A`, cbindgen's name of `aws_x::AWS_X_A`, in its two parts.
    pub fn newtype_of<'n>(&self, name: &'n str) -> Option<(&'n str, &'n str)> {
        let fits = |n: &&String| {
            name.strip_prefix(n.as_str()).and_then(|r| r.strip_prefix('_')).is_some_and(|r| {
                r.starts_with(|c: char| c.is_ascii_uppercase()) || r.starts_with("aws_")
            })
        };
        let newtype = self.newtypes.iter().filter(fits).max_by_key(|n| n.len())?;
        Some((&name[..newtype.len()], &name[newtype.len() + 1..]))
    }
}

pub fn scan(root: &Path) -> Result<Scan, String> {
    let mut scan = Scan::default();
    let ctypes = root.join("src/ctypes");
    let ffi = root.join("src/ffi");
    let mut modules: HashMap<String, Vec<String>> = HashMap::new();
    for file in files_below(&ctypes, &["rs"])? {
        if is_inner(&file) {
            continue;
        }
        let text = read(&file)?;
        let names = declarations(&text);
        let module = module_of(&file, &ctypes);
        scan.learn(&names, &format!("ctypes::{module}"));
        modules.insert(module, names.iter().map(|d| d.name.clone()).collect());
        scan.files.push(file);
    }
    let mut globs = Vec::new();
    for file in files_below(&ffi, &["rs"])? {
        let inner = file.strip_prefix(&ffi).map_err(|e| format!("{e}"))?.to_path_buf();
        let inner = inner.to_str().ok_or("a path that is no UTF-8")?.trim_end_matches(".rs");
        // `x/` holds more of `x.rs`, the file of the header.
        let whole = file.parent().map(|p| p.with_extension("rs")).filter(|p| p.is_file());
        let whole = whole.as_deref().and_then(|p| p.strip_prefix(&ffi).ok()?.to_str());
        let inner = whole.unwrap_or(inner).trim_end_matches(".rs");
        let header = match inner {
            "s3fast" => "s3fast/s3fast.h".to_owned(),
            // Files beside the folders of the libraries are tools of ours, as is `adapt`.
            _ if !inner.contains('/') || inner.starts_with("adapt/") || is_inner(&file) => continue,
            _ => header_of(inner),
        };
        let text = read(&file)?;
        let names = declarations(&text);
        scan.learn(&names, &format!("ffi::{}", inner.replace('/', "::")));
        for d in &names {
            if let Some(other) = scan.owner.insert(d.name.clone(), header.clone())
                && other != header
            {
                scan.notes.push(format!("{} is declared in {other} and {header}", d.name));
            }
        }
        for path in reexports(&text) {
            match path.rsplit_once("::") {
                Some((module, "*")) => globs.push((module.to_owned(), header.clone())),
                Some((_, name)) => {
                    scan.owner.insert(name.to_owned(), header.clone());
                }
                None if path != "*" => {
                    scan.owner.insert(path, header.clone());
                }
                None => {}
            }
        }
        // A header spread over files is named after the file of its own name.
        let main = header == format!("aws/{inner}.h") || inner == "s3fast";
        if main || !scan.headers.contains_key(&header) {
            scan.headers.insert(header, format!("src/ffi/{inner}.rs"));
        }
        scan.files.push(file);
    }
    for (module, header) in globs {
        for name in modules.get(&module).into_iter().flatten() {
            scan.owner.entry(name.clone()).or_insert_with(|| header.clone());
        }
    }
    Ok(scan)
}

impl Scan {
    fn learn(&mut self, names: &[Declaration], module: &str) {
        for (place, d) in names.iter().enumerate() {
            self.place.insert(d.name.clone(), place);
            if d.is_type {
                self.types.push(d.name.clone());
                self.modules.insert(d.name.clone(), module.to_owned());
            }
            if d.opaque {
                self.opaque.insert(d.name.clone());
            }
            if d.newtype {
                self.newtypes.push(d.name.clone());
            }
        }
    }
}

struct Declaration {
    name: String,
    is_type: bool,
    newtype: bool,
    opaque: bool,
}

/// `s3/s3_client` and `s3/s3_client/metrics` both belong to `aws/s3/s3_client.h`; the folder
/// `private` is one of the headers' own.
fn header_of(inner: &str) -> String {
    let parts: Vec<&str> = inner.split('/').collect();
    match parts[..] {
        [library, "private", name, ..] => format!("aws/{library}/private/{name}.h"),
        [library, name, ..] => format!("aws/{library}/{name}.h"),
        _ => format!("aws/{inner}.h"),
    }
}

fn is_inner(file: &Path) -> bool {
    matches!(file.file_name().and_then(|n| n.to_str()), Some("mod.rs" | "tests.rs"))
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

fn module_of(file: &Path, base: &Path) -> String {
    let inner = file.strip_prefix(base).unwrap_or(file).with_extension("");
    inner.to_string_lossy().replace('/', "::")
}

fn declarations(text: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut transparent = false;
    let mut repr_c = false;
    for line in text.lines() {
        transparent |= line.starts_with("#[repr(transparent)]");
        repr_c |= line.starts_with("#[repr(C");
        let Some(rest) = line.strip_prefix("pub ") else {
            // Attributes and docs may stand between the repr and the type.
            let between = line.starts_with("#[") || line.starts_with("//");
            transparent &= between;
            repr_c &= between;
            continue;
        };
        let mut words = rest.split(' ');
        let word = words.next().unwrap_or("");
        let name = match word {
            "struct" | "enum" | "union" | "type" | "const" => words.next(),
            "static" => words.find(|w| *w != "mut"),
            "unsafe" | "extern" => rest.split_once(" fn ").map(|(_, after)| after),
            _ => None,
        };
        let name = ident_at_start(name.unwrap_or("")).to_owned();
        let is_type = matches!(word, "struct" | "enum" | "union" | "type");
        // Types of Rust begin with a capital.
        let c_name = is_type && name.starts_with(|c: char| c.is_ascii_lowercase());
        if c_name || ["aws_", "AWS_", "s3fast_", "S3FAST_"].iter().any(|p| name.starts_with(p)) {
            found.push(Declaration {
                name,
                is_type,
                newtype: word == "struct" && transparent,
                opaque: word == "struct" && !transparent && !repr_c,
            });
        }
        transparent = false;
        repr_c = false;
    }
    found
}

/// The leaves of every `pub use crate::ctypes::..;`, as `module::name` or `module::*`.
fn reexports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("pub use crate::ctypes::") {
        let rest = &text[at + "pub use crate::ctypes::".len()..];
        let tree: String =
            rest[..rest.find(';').unwrap_or(0)].chars().filter(|c| !c.is_whitespace()).collect();
        leaves("", &tree, &mut found);
    }
    found
}

fn leaves(prefix: &str, tree: &str, found: &mut Vec<String>) {
    let join = |a: &str, b: &str| if a.is_empty() { b.to_owned() } else { format!("{a}::{b}") };
    let Some(open) = tree.find('{') else {
        if !tree.is_empty() {
            found.push(join(prefix, tree));
        }
        return;
    };
    let prefix = join(prefix, tree[..open].trim_end_matches("::"));
    let prefix = prefix.trim_end_matches("::");
    let inner = &tree[open + 1..tree.len().saturating_sub(1)];
    let mut depth = 0;
    let mut from = 0;
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                leaves(prefix, &inner[from..at], found);
                from = at + 1;
            }
            _ => {}
        }
    }
}
