//! Link arguments of the shared library, the C shims and the generated headers.

use std::path::PathBuf;

#[path = "build/headers.rs"]
mod headers;
#[path = "build/items.rs"]
mod items;
#[path = "build/pieces.rs"]
mod pieces;
#[path = "build/scan.rs"]
mod scan;
#[path = "build/text.rs"]
mod text;

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libs3fast.so.0");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,defs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
    for source in ["build.rs", "build", "src/ffi", "src/ctypes"] {
        println!("cargo:rerun-if-changed={source}");
    }
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    match headers::generate(&root, &out.join("include")) {
        Ok(notes) => notes.iter().for_each(|note| println!("cargo:warning=headers: {note}")),
        // A source that does not parse: the compiler says so better, and the header test fails.
        Err(why) => println!("cargo:warning=headers: {why}"),
    }
}
