//! Compile-time assertions: size, alignment and field offsets of every public struct, from the table
//! of the pinned interface. A struct the sources do not declare yet has no assertion; the check in
//! `c-tests/abi` holds the C side and sees what is missing.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::scan::Scan;

/// Writes the assertions as Rust text.
pub fn assertions(table: &Path, sources: &Scan) -> Result<String, String> {
    let facts = fs::read_to_string(table).map_err(|e| format!("{}: {e}", table.display()))?;
    let mut text = String::new();
    for line in facts.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, first, second, third] = columns[..] else { continue };
        let type_name = name.split('.').next().unwrap_or(name);
        let Some(path) = sources.rust_path(type_name) else { continue };
        match name.split_once('.') {
            None if first == "struct" && sources.opaque(name) => {}
            None => {
                let _ = writeln!(text, "const _: () = assert!(size_of::<{path}>() == {second});");
                let _ = writeln!(text, "const _: () = assert!(align_of::<{path}>() == {third});");
            }
            Some((_, field)) if !second.starts_with("bitfield") => {
                let field: Vec<String> = field.split('.').map(raw).collect();
                let field = field.join(".");
                let _ = writeln!(
                    text,
                    "const _: () = assert!(std::mem::offset_of!({path}, {field}) == {first});"
                );
            }
            Some(_) => {}
        }
    }
    Ok(text)
}

/// Field names of C that are words of Rust.
fn raw(field: &str) -> String {
    match field {
        "as" | "fn" | "impl" | "in" | "loop" | "match" | "mod" | "move" | "pub" | "ref"
        | "type" | "use" | "where" => format!("r#{field}"),
        _ => field.to_owned(),
    }
}
