//! Hand-written C that Rust cannot say, cut at its `//!` lines.
//!
//! `//! before` (also a file's beginning): after the includes, before the types. `//! after`: behind
//! all declarations. `//! replace NAME`: instead of what would be printed for NAME.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use crate::headers::files_below;
use crate::text::{ident_at_end, ident_at_start};

#[derive(Default)]
pub struct Piece {
    pub path: String,
    pub before: String,
    pub after: String,
    pub replace: Vec<(String, String)>,
    /// Tags and typedefs the piece defines, for other headers.
    pub tags: Vec<(String, &'static str)>,
    pub typedefs: Vec<String>,
    /// Functions it defines inline: their prototypes are left out.
    pub inlines: HashSet<String>,
}

pub fn load_pieces(dir: &Path) -> Result<BTreeMap<String, Piece>, String> {
    let mut pieces = BTreeMap::new();
    for file in files_below(dir, &["h", "inl"])? {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let inner = file.strip_prefix(dir).map_err(|e| format!("{e}"))?;
        let inner = inner.to_str().ok_or("a path that is no UTF-8")?;
        let header = match inner.strip_prefix("s3fast") {
            Some(_) => format!("s3fast/{inner}"),
            None => format!("aws/{inner}"),
        };
        let piece = cut(&text, format!("src/ffi/c/{inner}"));
        // An inline in `x.inl` also stands for the prototype in `x.h`.
        pieces.insert(header, piece);
    }
    Ok(pieces)
}

fn cut(text: &str, path: String) -> Piece {
    let mut piece = Piece { path, ..Default::default() };
    let mut section = "before".to_owned();
    let mut part = String::new();
    for line in text.lines().chain(["//! end"]) {
        let Some(next) = line.strip_prefix("//! ") else {
            part += line;
            part.push('\n');
            continue;
        };
        let mut done = std::mem::take(&mut part).trim().to_owned();
        if !done.is_empty() {
            done.push('\n');
        }
        match section.split_once(' ') {
            Some(("replace", name)) => piece.replace.push((name.trim().to_owned(), done)),
            _ if section == "after" => piece.after += &done,
            _ => piece.before += &done,
        }
        section = next.trim().to_owned();
    }
    piece.learn(text);
    piece
}

impl Piece {
    fn learn(&mut self, text: &str) {
        for line in text.lines() {
            for (word, tag) in [("struct ", "struct"), ("enum ", "enum"), ("union ", "union")] {
                if let Some(rest) = line.strip_prefix(word) {
                    let name = ident_at_start(rest);
                    if !name.is_empty() && rest[name.len()..].trim_start().starts_with('{') {
                        self.tags.push((name.to_owned(), tag));
                    }
                }
            }
            if let Some(rest) = line.strip_prefix("typedef ") {
                let name = match rest.find("(*").map(|at| at + 2).or(rest.find('(').map(|a| a + 1))
                {
                    Some(at) => ident_at_start(&rest[at..]),
                    None => ident_at_end(rest.trim_end().trim_end_matches(';')),
                };
                self.typedefs.push(name.to_owned());
            }
        }
        for (at, _) in text.match_indices("AWS_STATIC_IMPL") {
            let rest = &text[at..];
            // A definition, not a prototype: its body opens before the next `;`.
            let brace = rest.find('{').unwrap_or(usize::MAX);
            if let Some(open) = rest.find('(')
                && brace < rest.find(';').unwrap_or(usize::MAX)
            {
                self.inlines.insert(ident_at_end(&rest[..open]).to_owned());
            }
        }
    }
}
