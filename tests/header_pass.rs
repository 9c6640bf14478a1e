//! The pass between cbindgen's text and the headers, on a small house of its own: every shape it is
//! there for, and what it must leave alone.

#[path = "../cbindgen/headers.rs"]
mod headers;
#[path = "../cbindgen/items.rs"]
mod items;
#[path = "../cbindgen/layout.rs"]
mod layout;
#[path = "../cbindgen/pieces.rs"]
mod pieces;
#[path = "../cbindgen/scan.rs"]
mod scan;
#[path = "../cbindgen/text.rs"]
mod text;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that goes with the test.
struct House(PathBuf);

impl House {
    fn new(files: &[(&str, &str)]) -> House {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("pass-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("below the root")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        for needed in ["src/ctypes", "src/ffi/c"] {
            fs::create_dir_all(root.join(needed)).expect("a folder");
        }
        let table = root.join("src/ffi/c/includes.txt");
        if !table.exists() {
            fs::write(table, "").expect("a file");
        }
        House(root)
    }

    /// The named header, from what cbindgen would have said.
    fn header(&self, cbindgen: &str, name: &str) -> String {
        let out = self.0.join("out");
        let said = cbindgen.to_owned();
        headers::generate(&self.0, &out, |_| Ok(said)).expect("headers");
        fs::read_to_string(out.join(name)).expect("the header was written")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no\n{part}\nin\n{text}");
}

fn has_not(text: &str, part: &str) {
    assert!(!text.contains(part), "{part} stands in\n{text}");
}

#[test]
fn function_type_loses_its_pointer_and_its_uses_gain_one() {
    let house = House::new(&[(
        "src/ffi/s3/a.rs",
        "pub type aws_x_fn = ();\npub struct aws_a;\npub unsafe extern \"C\" fn aws_do(f: aws_x_fn) {}\n",
    )]);
    let said = "typedef int (*aws_x_fn)(struct aws_a *a, void *user_data);\n\n\
                struct aws_a {\n    aws_x_fn on_x;\n    aws_x_fn *all;\n};\n\n\
                void aws_do(aws_x_fn f);\n";
    let text = house.header(said, "aws/s3/a.h");
    has(&text, "typedef int (aws_x_fn)(struct aws_a *a, void *user_data);");
    has(&text, "    aws_x_fn *on_x;");
    has(&text, "    aws_x_fn **all;");
    has(&text, "void aws_do(aws_x_fn *f);");
    let (tag, function) = (text.find("struct aws_a;"), text.find("typedef int"));
    assert!(tag.is_some() && tag < function, "the tag is declared before the function type");
}

#[test]
fn newtype_with_constants_becomes_an_enum_used_with_its_tag() {
    let house = House::new(&[(
        "src/ffi/s3/a.rs",
        "#[repr(transparent)]\n#[derive(Clone, Copy)]\npub struct aws_kind(pub u32);\n\
         pub unsafe extern \"C\" fn aws_f(k: aws_kind) {}\n",
    )]);
    let said = "// Which kind.\ntypedef uint32_t aws_kind;\n// The first.\n#define aws_kind_AWS_KIND_A 0\n\
                #define aws_kind_AWS_KIND_ALIAS 0\n\nenum aws_kind_unused {\n    X,\n};\n\n\
                aws_kind aws_f(aws_kind k, const aws_kind *all);\n";
    let text = house.header(said, "aws/s3/a.h");
    has(&text, "/** Which kind. */\nenum aws_kind {\n    /** The first. */\n    AWS_KIND_A = 0,\n");
    has(&text, "    AWS_KIND_ALIAS = 0,\n};");
    has(&text, "enum aws_kind aws_f(enum aws_kind k, const enum aws_kind *all);");
    has_not(&text, "typedef uint32_t");
    has_not(&text, "aws_kind_unused");
}

#[test]
fn anonymous_types_stand_where_their_fields_are() {
    let house = House::new(&[(
        "src/ffi/s3/a.rs",
        "pub struct aws_a;\npub struct anon_retry;\npub union anon_inner;\n",
    )]);
    let said = "union anon_inner {\n    uint32_t x;\n    void *y;\n};\n\n\
                struct anon_retry {\n    // How often.\n    size_t times;\n    union anon_inner u;\n};\n\n\
                struct aws_a {\n    struct anon_retry retry_config;\n    bool last;\n};\n";
    let text = house.header(said, "aws/s3/a.h");
    has(
        &text,
        "struct aws_a {\n    struct {\n        /** How often. */\n        size_t times;\n        \
         union {\n            uint32_t x;\n            void *y;\n        } u;\n    } retry_config;\n    \
         bool last;\n};",
    );
    has_not(&text, "anon_");
}

#[test]
fn const_marker_makes_fields_const_in_their_own_way() {
    let house = House::new(&[("src/ffi/common/s.rs", "pub struct aws_s;\n")]);
    let said = "struct aws_s {\n    // [const]\n    size_t len;\n    // The owner.\n    // [const]\n    \
                struct aws_a *owner;\n    // [const]\n    int (*log)(void);\n    uint8_t free;\n};\n";
    let text = house.header(said, "aws/common/s.h");
    has(&text, "    const size_t len;\n");
    has(&text, "    /** The owner. */\n    struct aws_a *const owner;\n");
    has(&text, "    int (*const log)(void);\n");
    has(&text, "    uint8_t free;\n");
    has_not(&text, "[const]");
}

#[test]
fn safety_section_stays_in_rust_and_long_prototypes_wrap() {
    let house = House::new(&[(
        "src/ffi/s3/a.rs",
        "pub unsafe extern \"C\" fn aws_long() {}\npub unsafe extern \"C\" fn aws_short() {}\n",
    )]);
    let long =
        format!("int aws_long({}, int (*f)(int, int), int last);", "void *argument".repeat(7));
    let said = format!(
        "// Does it.\n//\n// See [`aws_short`].\n// # Safety\n// None.\n{long}\n\nvoid aws_short(void);\n"
    );
    let text = house.header(&said, "aws/s3/a.h");
    has(&text, "/**\n * Does it.\n *\n * See `aws_short`.\n */\nint aws_long(\n    void *argument");
    has(&text, ",\n    int (*f)(int, int),\n    int last);\n");
    has(&text, "void aws_short(void);\n");
    has_not(&text, "Safety");
}

#[test]
fn pieces_go_before_after_and_instead() {
    let house = House::new(&[
        (
            "src/ffi/common/a.rs",
            "pub struct aws_flags;\npub unsafe extern \"C\" fn aws_inline(x: i32) {}\n\
             pub unsafe extern \"C\" fn aws_variadic() {}\n",
        ),
        (
            "src/ffi/c/common/a.h",
            "#define AWS_FIRST 1\n//! replace aws_flags\nstruct aws_flags {\n    uint32_t a : 1;\n};\n\
             //! replace aws_variadic\nint aws_variadic(int x, ...);\n//! after\n#define AWS_LAST 2\n",
        ),
        ("src/ffi/c/common/a.inl", "AWS_STATIC_IMPL int aws_inline(int x) {\n    return x;\n}\n"),
        (
            "src/ffi/c/includes.txt",
            "# a comment\naws/common/a.h: aws/common/b.h stddef.h aws/common/a.inl\naws/common/b.h:\n\
             aws/common/a.inl: aws/common/a.h\n",
        ),
    ]);
    let said = "// Docs.\nstruct aws_flags {\n    uint32_t raw;\n};\n\nint aws_inline(int x);\n\n\
                int aws_variadic(void);\n";
    let text = house.header(said, "aws/common/a.h");
    has(&text, "#include <aws/common/b.h>\n\n#include <stddef.h>\n");
    has(&text, "/** Docs. */\nstruct aws_flags {\n    uint32_t a : 1;\n};\n");
    has(&text, "int aws_variadic(int x, ...);\n");
    has_not(&text, "raw");
    has_not(&text, "int aws_inline");
    let order: Vec<_> =
        ["AWS_FIRST 1", "struct aws_flags {", "AWS_LAST 2", "a.inl>", "#endif /* AWS"]
            .iter()
            .map(|part| text.find(part).unwrap_or_else(|| panic!("no {part} in\n{text}")))
            .collect();
    assert!(order.is_sorted(), "{order:?} in\n{text}");
    let inline = house.header(said, "aws/common/a.inl");
    has(&inline, "#include <aws/common/a.h>\n");
    has(&inline, "#ifndef AWS_COMMON_A_INL\n");
}

#[test]
fn container_goes_to_the_header_that_exports_it_again() {
    let house = House::new(&[
        (
            "src/ctypes/buf.rs",
            "#[repr(C)]\npub struct aws_buf {}\n#[repr(C)]\npub struct aws_view {}\n",
        ),
        ("src/ctypes/mod.rs", "pub mod buf;\n"),
        ("src/ffi/common/byte_buf.rs", "pub use crate::ctypes::{\n    buf::{aws_buf},\n};\n"),
        ("src/ffi/common/rest.rs", "pub use crate::ctypes::buf::*;\n"),
        (
            "src/ffi/s3/user.rs",
            "#[repr(C)]\npub struct aws_user {}\npub struct aws_hidden { _private: [u8; 0] }\n",
        ),
    ]);
    let said = "struct aws_buf {\n    size_t len;\n};\n\nstruct aws_view {\n    size_t len;\n};\n\n\
                struct aws_hidden {\n    uint8_t _private[0];\n};\n\n\
                struct aws_user {\n    struct aws_buf buf;\n    struct aws_view *view;\n    \
                struct aws_hidden *hidden;\n};\n\nstruct Inner {\n    int x;\n};\n";
    has(&house.header(said, "aws/common/byte_buf.h"), "struct aws_buf {");
    has(&house.header(said, "aws/common/rest.h"), "struct aws_view {");
    let text = house.header(said, "aws/s3/user.h");
    has(&text, "#include <aws/common/byte_buf.h>\n");
    has(&text, "struct aws_view;\n");
    has(&text, "struct aws_hidden;\n");
    has_not(&text, "rest.h");
    has_not(&text, "_private");
    has_not(&text, "Inner");
}

#[test]
fn type_nobody_declares_is_noted() {
    let house =
        House::new(&[("src/ffi/s3/a.rs", "pub unsafe extern \"C\" fn aws_f(x: *mut u8) {}\n")]);
    let out = house.0.join("out");
    let said = "void aws_f(aws_nowhere *x);\n".to_owned();
    let notes = headers::generate(&house.0, &out, |_| Ok(said)).expect("headers");
    assert_eq!(notes, ["aws_f names the unknown type aws_nowhere"]);
}

#[test]
fn declaration_without_an_end_is_an_error() {
    let house = House::new(&[("src/ffi/s3/a.rs", "pub struct aws_a;\n")]);
    let said = "struct aws_a {\n    int x;\n".to_owned();
    assert!(headers::generate(&house.0, &house.0.join("out"), |_| Ok(said)).is_err());
}

#[test]
fn layouts_are_asserted_for_what_is_declared() {
    let house = House::new(&[
        (
            "src/ffi/s3/a.rs",
            "#[repr(C)]\npub struct aws_a {}\npub struct aws_opaque { _p: [u8; 0] }\n",
        ),
        (
            "layouts.tsv",
            "aws_a\tstruct\t16\t8\naws_a.type\t0\t4\tint\naws_a.b.c\t8\t8\tint\n\
             aws_a.bit\t0\tbitfield:0:1\tint\naws_opaque\tstruct\t9\t8\naws_absent\tstruct\t1\t1\n",
        ),
    ]);
    let sources = scan::scan(&house.0).expect("sources");
    assert_eq!(sources.types(), ["aws_a", "aws_opaque"]);
    let text = layout::assertions(&house.0.join("layouts.tsv"), &sources).expect("a table");
    has(&text, "assert!(size_of::<crate::ffi::s3::a::aws_a>() == 16);");
    has(&text, "assert!(align_of::<crate::ffi::s3::a::aws_a>() == 8);");
    has(&text, "offset_of!(crate::ffi::s3::a::aws_a, r#type) == 0);");
    has(&text, "offset_of!(crate::ffi::s3::a::aws_a, b.c) == 8);");
    has_not(&text, "bit)");
    has_not(&text, "aws_opaque");
    has_not(&text, "aws_absent");
}
