//! Digests of object bytes.
//!
//! [`Digest`] streams any checksum that S3 knows as an object checksum; [`DigestValue`] is its
//! result, as bytes and as the base64 text of the wire. `crc` continues and combines the three
//! CRCs. [`Md5`] is what Content-MD5 and ETags need: one message at a time, and [`md5_batch`] or
//! [`lanes::Scheduler`] for many at once.
//!
//! Pure functions of bytes: the room knows no thread, no clock and no header parsing.

mod algorithm;
pub mod crc;
mod digest;
pub mod lanes;
mod md5;
mod value;

pub use crate::simd::md5::Engine as Md5Engine;
pub use algorithm::Algorithm;
pub use digest::{Digest, digest};
pub use md5::{Chain, MD5_LEN, Md5, Md5Digest, md5, md5_batch, md5_update_many};
pub use value::{Base64, DigestValue, base64};
