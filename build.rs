//! Link arguments of the shared library, the C shims and the generated headers.

use std::path::PathBuf;

#[path = "cbindgen/headers.rs"]
mod headers;
#[path = "cbindgen/items.rs"]
mod items;
#[path = "cbindgen/layout.rs"]
mod layout;
#[path = "cbindgen/pieces.rs"]
mod pieces;
#[path = "cbindgen/scan.rs"]
mod scan;
#[path = "cbindgen/text.rs"]
mod text;

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libs3fast.so.0");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,defs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
    for source in ["build.rs", "cbindgen", "src/ffi", "src/ctypes", "c-tests/abi/layouts.tsv"] {
        println!("cargo:rerun-if-changed={source}");
    }
    compile_shims();
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    let asserted = scan::scan(&root)
        .and_then(|s| layout::assertions(&root.join("c-tests/abi/layouts.tsv"), &s))
        .expect("the table of layouts is part of the sources");
    std::fs::write(out.join("layout.rs"), asserted).expect("OUT_DIR can be written");
    match headers::generate(&root, &out.join("include"), run_cbindgen) {
        Ok(notes) => notes.iter().for_each(|note| println!("cargo:warning=headers: {note}")),
        // A source that does not parse: the compiler says so better, and the header test fails.
        Err(why) => println!("cargo:warning=headers: {why}"),
    }
}

/// One run over all sources, so that a tag is known wherever it is named.
fn run_cbindgen(sources: &scan::Scan) -> Result<String, String> {
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        style: cbindgen::Style::Tag,
        usize_is_size_t: true,
        no_includes: true,
        documentation_style: cbindgen::DocumentationStyle::C99,
        sort_by: cbindgen::SortKey::None,
        line_length: 1_000_000,
        tab_width: 4,
        ..Default::default()
    };
    config.function.sort_by = Some(cbindgen::SortKey::None);
    config.export.include = sources.types();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in &sources.files {
        builder = builder.with_src(file);
    }
    let mut text = Vec::new();
    builder.generate().map_err(|e| format!("{e}"))?.write(&mut text);
    String::from_utf8(text).map_err(|e| format!("{e}"))
}

/// The variadic definitions, which stable Rust cannot express: every C file below `src/ffi/c`.
fn compile_shims() {
    let sources = headers::files_below(std::path::Path::new("src/ffi/c"), &["c"])
        .expect("the shims are part of the sources");
    cc::Build::new()
        .files(sources)
        .std("c99")
        .warnings(true)
        .extra_warnings(true)
        .flag_if_supported("-fvisibility=hidden")
        .compile("s3fast_shims");
}
