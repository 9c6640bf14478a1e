//! Link arguments of the shared library, the C shims and the generated headers.

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libs3fast.so.0");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,defs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
    println!("cargo:rerun-if-changed=build.rs");
}
