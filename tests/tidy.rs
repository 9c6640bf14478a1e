//! The rules of the house that a compiler does not hold: which room may import which, where `unsafe`
//! may stand, what a sans-io room may not touch, and that every export goes through the one guard.
//! Reads the sources as text; each rule is proved on planted faults below.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Who may import whom, as `src/lib.rs` draws it. Every room may import `base`.
const IMPORTS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("sys", &["base"]),
    ("simd", &["base"]),
    ("ctypes", &["base"]),
    ("text", &["base"]),
    ("retry", &["base", "text"]),
    ("endpoint", &["base", "text"]),
    ("checksum", &["base", "simd"]),
    ("http1", &["base"]),
    ("sigv4", &["base", "checksum"]),
    ("placement", &["base"]),
    ("s3msg", &["base", "http1", "checksum", "text"]),
    ("meta", &["base", "s3msg", "checksum"]),
    ("reactor", &["base", "sys", "placement"]),
    ("buffer", &["base", "sys", "placement"]),
    ("delivery", &["base", "sys"]),
    ("hashing", &["base", "sys", "checksum", "buffer"]),
    ("body", &["base", "sys", "reactor", "buffer", "checksum", "delivery"]),
    ("identity", &["base", "text", "sigv4", "retry", "conn", "reactor"]),
    ("conn", &["base", "sys", "reactor", "http1"]),
    (
        "client",
        &[
            "base",
            "sys",
            "simd",
            "ctypes",
            "text",
            "retry",
            "endpoint",
            "checksum",
            "http1",
            "sigv4",
            "placement",
            "s3msg",
            "meta",
            "reactor",
            "buffer",
            "delivery",
            "hashing",
            "body",
            "identity",
            "conn",
        ],
    ),
    (
        "ffi",
        &[
            "base",
            "sys",
            "simd",
            "ctypes",
            "text",
            "retry",
            "endpoint",
            "checksum",
            "http1",
            "sigv4",
            "placement",
            "s3msg",
            "meta",
            "reactor",
            "buffer",
            "delivery",
            "hashing",
            "body",
            "identity",
            "conn",
            "client",
        ],
    ),
];

/// Rooms that hold raw pointers, system calls or vector instructions.
const UNSAFE_ROOMS: &[&str] = &["ffi", "sys", "simd", "ctypes"];

/// Rooms without input, output, clock, thread or lock.
const SANS_IO: &[&str] =
    &["meta", "s3msg", "http1", "sigv4", "retry", "endpoint", "text", "checksum", "placement"];

const SANS_IO_WORDS: &[&str] = &[
    "std::net",
    "std::fs",
    "std::thread",
    "std::os::fd",
    "libc::",
    "Instant::now",
    "SystemTime::now",
    "Mutex",
    "RwLock",
    "Condvar",
    "parking_lot",
];

/// Constant tables computed once are no lock anybody waits for.
const SANS_IO_ALLOWED: &[&str] = &["OnceLock", "LazyLock"];

struct Source {
    room: String,
    path: String,
    text: String,
}

#[test]
fn rooms_import_only_what_the_table_allows() {
    assert_clean(&import_faults(&sources()));
}

#[test]
fn unsafe_stands_in_its_rooms_only() {
    assert_clean(&unsafe_faults(&sources()));
}

#[test]
fn sans_io_rooms_touch_nothing_outside() {
    assert_clean(&sans_io_faults(&sources()));
}

#[test]
fn exports_stand_in_ffi_behind_the_guard() {
    assert_clean(&export_faults(&sources()));
}

#[test]
fn every_room_is_in_the_table() {
    let rooms: BTreeMap<String, ()> =
        sources().into_iter().filter(|s| s.room != "lib").map(|s| (s.room, ())).collect();
    for room in rooms.keys() {
        assert!(IMPORTS.iter().any(|(r, _)| r == room), "{room} is in no row of the table");
    }
    assert!(rooms.len() >= 20, "only {} rooms were read", rooms.len());
}

#[test]
fn planted_faults_are_seen() {
    let plant = |room: &str, text: &str| {
        vec![Source { room: room.into(), path: format!("{room}/x.rs"), text: text.into() }]
    };
    assert_eq!(import_faults(&plant("meta", "use crate::sys::clock;")).len(), 1);
    assert_eq!(import_faults(&plant("meta", "use crate::{base::Code, conn::Pool};")).len(), 1);
    assert_eq!(import_faults(&plant("conn", "fn f() { crate::ffi::raise::raise(x) }")).len(), 1);
    assert_eq!(import_faults(&plant("meta", "use crate::s3msg::Head; // crate::sys")).len(), 0);
    assert_eq!(unsafe_faults(&plant("conn", "fn f() { unsafe { g() } }")).len(), 1);
    assert_eq!(unsafe_faults(&plant("conn", "#![deny(unsafe_code)] // unsafe")).len(), 0);
    assert_eq!(sans_io_faults(&plant("http1", "use std::net::TcpStream;")).len(), 1);
    assert_eq!(sans_io_faults(&plant("retry", "let t = Instant::now();")).len(), 1);
    assert_eq!(sans_io_faults(&plant("retry", "static T: LazyLock<u8> = x;")).len(), 0);
    let bare = "#[unsafe(no_mangle)]\npub extern \"C\" fn aws_x() -> c_int {\n    0\n}\n";
    assert_eq!(export_faults(&plant("ffi", bare)).len(), 1);
    let guarded = "#[unsafe(no_mangle)]\npub extern \"C\" fn aws_x() -> c_int {\n    \
                   ffi_fn!({ 0 })\n}\n";
    assert_eq!(export_faults(&plant("ffi", guarded)).len(), 0);
    assert_eq!(export_faults(&plant("conn", guarded)).len(), 1);
}

fn import_faults(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|s| s.room != "lib") {
        let allowed = IMPORTS.iter().find(|(r, _)| *r == source.room).map_or(&[][..], |(_, a)| a);
        for name in crate_paths(&product(&source.text)) {
            let room = IMPORTS.iter().any(|(r, _)| *r == name);
            if room && name != source.room && !allowed.contains(&name.as_str()) {
                faults.push(format!("{}: {} may not import {name}", source.path, source.room));
            }
        }
    }
    faults
}

/// The rooms named after `crate::`, also in `crate::{a::b, c}`.
fn crate_paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` in a macro names the room of its own text.
        let rest = &code[at + "crate::".len()..];
        let Some(inner) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (i, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    found.push(word(&inner[i..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

fn unsafe_faults(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|s| !UNSAFE_ROOMS.contains(&s.room.as_str())) {
        for (number, line) in code(&source.text).lines().enumerate() {
            if words(line).any(|w| w == "unsafe") {
                faults.push(format!("{}:{}: unsafe", source.path, number + 1));
            }
        }
    }
    faults
}

fn sans_io_faults(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|s| SANS_IO.contains(&s.room.as_str())) {
        for (number, line) in product(&source.text).lines().enumerate() {
            let mut line = line.to_owned();
            for allowed in SANS_IO_ALLOWED {
                line = line.replace(allowed, "");
            }
            for banned in SANS_IO_WORDS.iter().filter(|w| line.contains(**w)) {
                faults.push(format!("{}:{}: {banned}", source.path, number + 1));
            }
        }
    }
    faults
}

/// `no_mangle` outside ffi, and exported functions whose body is not the guard.
fn export_faults(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for source in sources {
        let text = code(&source.text);
        for (at, _) in text.match_indices("no_mangle") {
            let line = text[..at].lines().count();
            if source.room != "ffi" {
                faults.push(format!("{}:{line}: an export outside ffi", source.path));
                continue;
            }
            // From the attribute to the body of the function it stands on.
            let rest = &text[at..];
            let Some(head) = rest.find(" fn ").filter(|f| {
                // A static has no body; its `fn` would be the next function's.
                !rest[..*f].contains(" static ")
            }) else {
                continue;
            };
            let name = word(&rest[head + 4..]);
            let open = rest[head..].find('{').map_or(rest.len(), |o| head + o + 1);
            let body = rest[open..].trim_start();
            // A naked function is one jump to a C shim: no frame of ours, nothing to guard.
            let naked =
                rest[..head].contains("naked") || attributes_before(&text, at).contains("naked");
            if !body.starts_with("ffi_fn!") && !naked {
                faults.push(format!("{}:{line}: {name} is not behind ffi_fn!", source.path));
            }
        }
    }
    faults
}

fn attributes_before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind("\n\n").unwrap_or(0);
    &text[start..at]
}

/// The text without comments and string contents, lines kept.
fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                for c in chars.by_ref() {
                    if c == '\n' {
                        out.push(c);
                    }
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '"' => {
                out.push('"');
                while let Some(c) = chars.next() {
                    match c {
                        '\\' => out.extend(chars.next().filter(|c| *c == '\n')),
                        '"' => break,
                        '\n' => out.push('\n'),
                        _ => {}
                    }
                }
                out.push('"');
            }
            // A character such as '"' must not open a string; a lifetime has no closing quote.
            '\'' => {
                out.push('\'');
                let mut ahead = chars.clone();
                if ahead.next() == Some('\\') {
                    ahead.next();
                }
                let plain = chars.clone().nth(1) == Some('\'');
                if plain || chars.peek() == Some(&'\\') {
                    while let Some(c) = chars.next() {
                        match c {
                            '\\' => {
                                chars.next();
                            }
                            '\'' => break,
                            _ => {}
                        }
                    }
                }
            }
            c => out.push(c),
        }
    }
    out
}

/// The code without its unit tests: tests may look where the product may not.
fn product(text: &str) -> String {
    let code = code(text);
    match code.find("#[cfg(test)]\nmod ") {
        Some(at) => code[..at].to_owned(),
        None => code,
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a readable folder") {
            let path: PathBuf = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inner = path.strip_prefix(&root).expect("below src");
                let first = inner.components().next().expect("a name").as_os_str();
                let room = first.to_string_lossy().trim_end_matches(".rs").to_owned();
                // Tests in files of their own may look where the product may not.
                let name = inner.file_name().map(|n| n.to_string_lossy().into_owned());
                let name = name.unwrap_or_default();
                if name == "tests.rs"
                    || name.ends_with("_tests.rs")
                    || inner.iter().any(|p| p == "tests")
                {
                    continue;
                }
                let text = fs::read_to_string(&path).expect("a readable source");
                found.push(Source { room, path: inner.display().to_string(), text });
            }
        }
    }
    assert!(found.len() > 50, "only {} sources were read", found.len());
    found
}

fn assert_clean(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
