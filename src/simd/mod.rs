//! Vector kernels and the choice between them.
//!
//! The algorithm stands once, in `generic`, over a lane trait; the files per instruction set only
//! say how a lane is added, mixed, rotated and loaded. `cpu` maps what a processor can do to a
//! tier, as a pure function, so that tests decide for processors we do not own. `md5` keeps one
//! table of function pointers per tier and is the only safe way in: it checks every length before
//! a kernel sees a pointer.
//!
//! ```text
//! checksum --&[&[u8]]--> md5::Engine --pointers--> x86_64 / aarch64 entry --> generic::run
//! ```
//!
//! The room knows neither jobs nor threads.

pub mod cpu;
mod generic;
pub mod md5;
mod scalar;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
pub(crate) mod tests;
