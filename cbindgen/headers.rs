//! The C headers, made from the Rust sources of the C surface.
//!
//! cbindgen runs once over all of `src/ctypes` and `src/ffi` (one run a file loses tags). Its text is
//! cut into items, and each item goes to the header of the file that declares it or re-exports it.
//! On the way the items get the shape the C interface is pinned to: function types instead of
//! pointers to functions, tags, anonymous structs, enums, const fields. What Rust cannot say (macros,
//! static inlines, bit-fields) stands in small pieces under `src/ffi/c` and is spliced in.
//!
//! ```text
//! src/ffi/s3/s3_client.rs  +  src/ffi/c/s3/s3_client.h   ->   aws/s3/s3_client.h
//! src/ffi/c/includes.txt      which header includes which
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::items::{Item, Kind, parse};
use crate::pieces::{Piece, load_pieces};
use crate::scan::{Scan, scan};
use crate::text::{Next, ident_at_end, map_idents};

/// Tags of the C library that our prototypes name.
const FOREIGN_TAGS: &[&str] = &["tm"];

/// Writes every header below `out` and returns what a reader of the build should know. `declare`
/// is cbindgen: from the sources to one C text.
pub fn generate(
    root: &Path,
    out: &Path,
    declare: impl FnOnce(&Scan) -> Result<String, String>,
) -> Result<Vec<String>, String> {
    let sources = scan(root)?;
    let pieces = load_pieces(&root.join("src/ffi/c"))?;
    let text = declare(&sources)?;
    let mut house = House::new(&sources, &pieces);
    house.take(parse(&text)?);
    house.shape();
    let includes = read_includes(&root.join("src/ffi/c/includes.txt"))?;
    let files = house.render(&includes);
    match fs::remove_dir_all(out) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(format!("{e}")),
        _ => {}
    }
    for (name, text) in &files {
        let path = out.join(name);
        let dir = path.parent().ok_or("a header has a folder")?;
        fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(house.notes)
}

fn read_includes(path: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut table = BTreeMap::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let (header, list) = line.split_once(':').ok_or("includes.txt: `header: list`")?;
        table.insert(header.to_owned(), list.split_whitespace().map(str::to_owned).collect());
    }
    Ok(table)
}

/// All items on their way into headers.
struct House<'a> {
    sources: &'a Scan,
    pieces: &'a BTreeMap<String, Piece>,
    items: Vec<Item>,
    /// Which header defines a name.
    owner: HashMap<String, String>,
    /// `struct`, `enum` or `union` for a tag.
    tags: HashMap<String, &'static str>,
    /// Names of function types.
    functions: HashSet<String>,
    typedefs: HashSet<String>,
    notes: Vec<String>,
}

impl<'a> House<'a> {
    fn new(sources: &'a Scan, pieces: &'a BTreeMap<String, Piece>) -> Self {
        let mut house = House {
            sources,
            pieces,
            items: Vec::new(),
            owner: sources.owner.clone(),
            tags: FOREIGN_TAGS.iter().map(|t| ((*t).to_owned(), "struct")).collect(),
            functions: HashSet::new(),
            typedefs: HashSet::new(),
            notes: sources.notes.clone(),
        };
        for (header, piece) in pieces {
            for (name, tag) in &piece.tags {
                house.tags.insert(name.clone(), tag);
                house.owner.insert(name.clone(), header.clone());
            }
            for name in &piece.typedefs {
                house.typedefs.insert(name.clone());
                house.owner.insert(name.clone(), header.clone());
            }
        }
        house
    }

    /// Keeps the items that belong to the C surface, and joins the values of newtype enums.
    fn take(&mut self, items: Vec<Item>) {
        let mut values: HashMap<String, Vec<(Vec<String>, String, String)>> = HashMap::new();
        let mut kept = Vec::new();
        for item in items {
            if item.kind == Kind::Define
                && let Some((newtype, value)) = self.sources.newtype_of(&item.name)
            {
                let number = item.text.split_once(' ').and_then(|(_, rest)| rest.split_once(' '));
                let number = number.map_or("0", |(_, n)| n).trim().to_owned();
                values.entry(newtype.to_owned()).or_default().push((
                    item.docs.clone(),
                    value.to_owned(),
                    number,
                ));
                continue;
            }
            let inline = self.pieces.values().any(|p| p.inlines.contains(&item.name));
            if (self.owner.contains_key(&item.name) || item.name.starts_with("anon_")) && !inline {
                kept.push(item);
            }
        }
        for item in &mut kept {
            if let Some(list) = values.get(&item.name) {
                item.make_enum(list);
            }
            match item.kind {
                Kind::Struct => self.tags.insert(item.name.clone(), "struct"),
                Kind::Union => self.tags.insert(item.name.clone(), "union"),
                Kind::Enum => self.tags.insert(item.name.clone(), "enum"),
                _ => None,
            };
            match item.kind {
                Kind::FunctionType => self.functions.insert(item.name.clone()),
                Kind::Typedef => self.typedefs.insert(item.name.clone()),
                _ => false,
            };
        }
        self.items = kept;
    }

    /// Gives every item its pinned shape.
    fn shape(&mut self) {
        let replaced: HashMap<String, String> = self
            .pieces
            .values()
            .flat_map(|p| p.replace.iter().map(|(n, t)| (n.clone(), t.clone())))
            .collect();
        let anonymous: HashMap<String, String> = self
            .items
            .iter()
            .filter(|i| i.name.starts_with("anon_"))
            .map(|i| (i.name.clone(), i.text.clone()))
            .collect();
        self.items.retain(|i| !i.name.starts_with("anon_"));
        let mut unknown = BTreeSet::new();
        for item in &mut self.items {
            if let Some(text) = replaced.get(&item.name) {
                if text.trim_start().starts_with("/*") {
                    item.docs.clear();
                }
                item.text = text.trim_end().to_owned();
                item.spliced = true;
                continue;
            }
            item.hide_private();
            item.inline_anonymous(&anonymous);
            item.constant_fields();
            if item.kind == Kind::FunctionType {
                let pointer = format!("(*{})", item.name);
                item.text = item.text.replacen(&pointer, &format!("({})", item.name), 1);
            }
            item.text = map_idents(&item.text, |before, name, next| {
                let in_type_place = matches!(next, Next::Ident | Next::Star)
                    || matches!(before.token, "(" | ",")
                        && matches!(next, Next::Comma | Next::Close);
                if !in_type_place || name == item.name {
                    return None;
                }
                if self.functions.contains(name) {
                    return Some(format!("{name} *"));
                }
                let tagged = matches!(before.token, "struct" | "enum" | "union");
                match self.tags.get(name) {
                    Some(_) if tagged => None,
                    Some(tag) => Some(format!("{tag} {name}")),
                    None if name.starts_with("aws_") && !tagged => {
                        if self.typedefs.contains(name) {
                            return None;
                        }
                        unknown.insert(format!("{} names the unknown type {name}", item.name));
                        Some(format!("struct {name}"))
                    }
                    None => None,
                }
            });
        }
        self.notes.extend(unknown);
    }

    fn render(&mut self, includes: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, String> {
        let mut headers: BTreeMap<String, Vec<Item>> = BTreeMap::new();
        for item in self.items.drain(..) {
            headers.entry(self.owner[&item.name].clone()).or_default().push(item);
        }
        for header in self.pieces.keys().chain(includes.keys()) {
            headers.entry(header.clone()).or_default();
        }
        let known: HashSet<String> = headers.keys().cloned().collect();
        let mut files = BTreeMap::new();
        for (header, items) in headers {
            let text = self.render_one(&header, items, includes, &known);
            files.insert(header, text);
        }
        files
    }

    fn render_one(
        &mut self,
        header: &str,
        items: Vec<Item>,
        includes: &BTreeMap<String, Vec<String>>,
        known: &HashSet<String>,
    ) -> String {
        let mut list: Vec<String> = match includes.get(header) {
            Some(list) => list.clone(),
            None if header == "aws/common/common.h" => Vec::new(),
            None => vec!["aws/common/common.h".into()],
        };
        list.retain(|i| !i.starts_with("aws/") || known.contains(i));
        let reach = reachable(&list, includes);
        let mut forward = BTreeSet::new();
        for item in &items {
            for needed in self.needs(item) {
                let owner = self.owner.get(needed.name).map_or("", String::as_str);
                if owner == header {
                    if needed.pointer && needed.tag == "struct" {
                        forward.insert(needed.name.to_owned());
                    }
                } else if needed.pointer {
                    if needed.tag == "struct" {
                        forward.insert(needed.name.to_owned());
                    }
                } else if !owner.is_empty() && !reach.contains(owner) {
                    let from = vec![owner.to_owned()];
                    if reachable(&from, includes).contains(header) {
                        self.notes.push(format!("{header} and {owner} need each other"));
                    }
                    list.push(owner.to_owned());
                }
            }
        }
        let mut seen = HashSet::new();
        list.retain(|i| seen.insert(i.clone()));
        let piece = self.pieces.get(header);
        let mut text = String::new();
        let source = self.sources.source_of(header);
        let source = match (&source, piece) {
            (Some(file), _) => file.clone(),
            (None, Some(piece)) => piece.path.clone(),
            (None, None) => "src/ffi/c/includes.txt".into(),
        };
        let guard: String = header
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
            .collect();
        text += &format!(
            "/* SPDX-License-Identifier: Apache-2.0 */\n/* Made from {source}; `make headers` \
             writes it anew. */\n#ifndef {guard}\n#define {guard}\n\n"
        );
        // Inlines need what their header declares; among themselves they need each other first.
        let late = |i: &String| i.ends_with(".inl") && header.ends_with(".h");
        let (late, early): (Vec<_>, Vec<_>) = list.into_iter().partition(late);
        let (own, system): (Vec<_>, Vec<_>) =
            early.into_iter().partition(|i| i.starts_with("aws/") || i.starts_with("s3fast/"));
        for group in [own, system] {
            for include in &group {
                text += &format!("#include <{include}>\n");
            }
            if !group.is_empty() {
                text += "\n";
            }
        }
        let mut body = String::new();
        if let Some(piece) = piece.filter(|p| !p.before.is_empty()) {
            body += &piece.before;
            body += "\n";
        }
        body += &self.render_items(items, &forward);
        if let Some(piece) = piece.filter(|p| !p.after.is_empty()) {
            body += &piece.after;
            body += "\n";
        }
        if only_preprocessor(&body) {
            text += &body;
        } else {
            text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
            text += &body;
            text += "#ifdef __cplusplus\n}\n#endif\n\n";
        }
        for include in &late {
            text += &format!("#include <{include}>\n");
        }
        if !late.is_empty() {
            text += "\n";
        }
        text += &format!("#endif /* {guard} */\n");
        text
    }

    /// Values first, then tags, function types (they name structs by pointer), structs, functions.
    fn render_items(&self, items: Vec<Item>, forward: &BTreeSet<String>) -> String {
        let mut groups: [Vec<Item>; 5] = Default::default();
        for item in items {
            if item.kind == Kind::Struct && item.is_opaque() && item.docs.is_empty() {
                continue;
            }
            let group = match item.kind {
                Kind::Define | Kind::Enum => 0,
                Kind::Typedef => 1,
                Kind::FunctionType => 2,
                Kind::Struct | Kind::Union => 3,
                Kind::Variable | Kind::Function => 4,
            };
            groups[group].push(item);
        }
        for group in [0, 4] {
            groups[group].sort_by_key(|i| self.sources.place.get(&i.name).copied());
        }
        sort_types(&mut groups[2]);
        let mut text = String::new();
        for (number, group) in groups.iter().enumerate() {
            if number == 1 {
                for name in forward {
                    text += &format!("struct {name};\n");
                }
                if !forward.is_empty() {
                    text += "\n";
                }
            }
            let mut previous = None;
            for item in group {
                let plain = item.kind == Kind::Define && item.docs.is_empty();
                if previous == Some(true) && !plain {
                    text += "\n";
                }
                text += &item.render();
                if !plain {
                    text += "\n";
                }
                previous = Some(plain);
            }
            if previous == Some(true) {
                text += "\n";
            }
        }
        text
    }

    /// What an item names, and whether a forward declaration is enough.
    fn needs<'i>(&self, item: &'i Item) -> Vec<Need<'i>> {
        let mut needs: Vec<Need<'i>> = Vec::new();
        let prototype = matches!(item.kind, Kind::Function | Kind::FunctionType);
        map_idents(&item.text, |_, name, next| {
            if name != item.name {
                if let Some(tag) = self.tags.get(name) {
                    let pointer = matches!(next, Next::Star) && *tag != "enum";
                    // A prototype may name an incomplete struct by value.
                    let pointer = pointer || prototype && *tag == "struct";
                    needs.push(Need { name: slice_in(&item.text, name), tag, pointer });
                } else if self.functions.contains(name) || self.typedefs.contains(name) {
                    needs.push(Need { name: slice_in(&item.text, name), tag: "", pointer: false });
                }
            }
            None
        });
        needs
    }
}

struct Need<'i> {
    name: &'i str,
    tag: &'static str,
    pointer: bool,
}

fn slice_in<'t>(text: &'t str, part: &str) -> &'t str {
    let at = text.find(part).unwrap_or(0);
    text.get(at..at + part.len()).unwrap_or("")
}

/// Every header that including `list` brings in.
fn reachable(list: &[String], includes: &BTreeMap<String, Vec<String>>) -> HashSet<String> {
    let mut seen = HashSet::new();
    let mut open: Vec<String> = list.to_vec();
    while let Some(header) = open.pop() {
        if seen.insert(header.clone()) {
            open.extend(includes.get(&header).into_iter().flatten().cloned());
        }
    }
    seen
}

/// Function types that name other function types come after them.
fn sort_types(items: &mut Vec<Item>) {
    let names: HashSet<String> = items.iter().map(|i| i.name.clone()).collect();
    let mut done: HashSet<String> = HashSet::new();
    let mut sorted = Vec::new();
    while !items.is_empty() {
        let before = items.len();
        let mut rest = Vec::new();
        for item in items.drain(..) {
            let mut ready = true;
            map_idents(&item.text, |_, name, _| {
                ready &= name == item.name || !names.contains(name) || done.contains(name);
                None
            });
            if ready {
                done.insert(item.name.clone());
                sorted.push(item);
            } else {
                rest.push(item);
            }
        }
        let stuck = rest.len() == before;
        *items = rest;
        if stuck {
            sorted.append(items);
        }
    }
    *items = sorted;
}

fn only_preprocessor(body: &str) -> bool {
    let mut in_comment = false;
    let mut continued = false;
    body.lines().all(|line| {
        let line = line.trim();
        let free = line.is_empty() || line.starts_with('#') || continued || in_comment;
        let free = free || line.starts_with("/*") || line.starts_with("//");
        continued = line.ends_with('\\');
        if line.starts_with("/*") {
            in_comment = true;
        }
        if line.ends_with("*/") {
            in_comment = false;
        }
        free
    })
}

/// All files below a folder, sorted, with one of the given endings.
pub fn files_below(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        let list = fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        for entry in list {
            let path = entry.map_err(|e| format!("{e}"))?.path();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if path.is_dir() {
                open.push(path);
            } else if endings.contains(&ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The name a declaration declares: its last word before `;`, `[` or nothing.
pub fn declared(text: &str) -> &str {
    let text = text.trim_end().trim_end_matches(';');
    let text = match text.rfind('[') {
        Some(at) if text.ends_with(']') => &text[..at],
        _ => text,
    };
    ident_at_end(text)
}
