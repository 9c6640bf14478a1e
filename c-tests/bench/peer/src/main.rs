//! Only its dependency matters: building it builds the reference's static libraries, which the
//! benchmark's C program is then linked with.
fn main() {}
