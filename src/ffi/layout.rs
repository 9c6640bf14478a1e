//! Holds every public struct against the pinned interface while the library compiles: size,
//! alignment and the offset of each field. The assertions are made by build.rs from
//! `c-tests/abi/layouts.tsv`, so that a new struct is held as soon as it is declared.

include!(concat!(env!("OUT_DIR"), "/layout.rs"));
