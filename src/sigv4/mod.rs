//! AWS Signature Version 4: a request in, the header fields or query parameters to add out.
//!
//! ```text
//! request -> canonical request -> string to sign -> signature
//!            (canonical.rs)       (signer.rs)       key derived once a day and secret
//! ```
//!
//! The date and the keys are arguments; nothing here reads a clock or keeps a credential longer
//! than the derived key's cache needs. S3 signs the path exactly as it is sent: no decoding, no
//! removal of dots or doubled slashes; other services may ask for both through `Style`.
//! Chunk and trailer signatures of the `aws-chunked` body framing are here too.

mod canonical;
mod encode;
mod signer;

pub use canonical::{is_reserved_header, is_unsigned_header};
pub use encode::{amz_date, hex, sha256_hex};
pub use signer::{
    EMPTY_SHA256, Keys, PayloadHash, RequestParts, Signature, Signed, SignedQuery, Signer, Style,
    fuzz_sigv4,
};

#[cfg(test)]
mod tests;
