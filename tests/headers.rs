//! The checked-in headers are those that build.rs makes from the sources. Where they differ, the
//! sources changed: `make headers` writes include/ anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn checked_in_headers_equal_the_generated_ones() {
    let made = read_all(&Path::new(env!("OUT_DIR")).join("include"));
    let kept = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
    assert!(made.len() >= 100, "only {} headers were made: see the build's warnings", made.len());
    let mut differ = Vec::new();
    for (name, text) in &made {
        match kept.get(name) {
            None => differ.push(format!("{name}: not in include/")),
            Some(other) if other != text => differ.push(format!("{name}: {}", first(text, other))),
            Some(_) => {}
        }
    }
    differ.extend(kept.keys().filter(|n| !made.contains_key(*n)).map(|n| format!("{n}: stale")));
    assert!(differ.is_empty(), "run `make headers`:\n{}", differ.join("\n"));
}

#[test]
fn every_header_has_a_guard_of_its_own() {
    let kept = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
    let mut guards = BTreeMap::new();
    for (name, text) in kept {
        let guard = text.lines().find_map(|l| l.strip_prefix("#ifndef ")).map(str::to_owned);
        let guard = guard.unwrap_or_else(|| panic!("{name} has no guard"));
        assert_eq!(guards.insert(guard.clone(), name.clone()), None, "{guard} of {name} is taken");
    }
}

fn first(made: &str, kept: &str) -> String {
    let pair = made.lines().zip(kept.lines()).find(|(a, b)| a != b);
    match pair {
        Some((a, b)) => format!("made `{a}`, kept `{b}`"),
        None => format!("{} lines made, {} kept", made.lines().count(), kept.lines().count()),
    }
}

fn read_all(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = vec![dir.to_owned()];
    while let Some(folder) = open.pop() {
        let list = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in list {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(dir).expect("below the folder").display().to_string();
            found.insert(name, fs::read_to_string(&path).expect("a readable header"));
        }
    }
    found
}
