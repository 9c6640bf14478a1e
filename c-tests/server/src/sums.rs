//! The checksums S3 knows, by their wire names, and how the checksum of a multipart object is made
//! from those of its parts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crc_fast::CrcAlgorithm;
use md5::Digest as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Algorithm {
    Crc32,
    Crc32c,
    Crc64nvme,
    Sha1,
    Sha256,
    Sha512,
    Md5,
    Xxhash64,
    Xxhash3,
    Xxhash128,
}

/// One value for each algorithm asked for.
pub type Sums = BTreeMap<Algorithm, Vec<u8>>;

impl Algorithm {
    pub const ALL: [Self; 10] = [
        Self::Crc32,
        Self::Crc32c,
        Self::Crc64nvme,
        Self::Sha1,
        Self::Sha256,
        Self::Sha512,
        Self::Md5,
        Self::Xxhash64,
        Self::Xxhash3,
        Self::Xxhash128,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Crc32 => "CRC32",
            Self::Crc32c => "CRC32C",
            Self::Crc64nvme => "CRC64NVME",
            Self::Sha1 => "SHA1",
            Self::Sha256 => "SHA256",
            Self::Sha512 => "SHA512",
            Self::Md5 => "MD5",
            Self::Xxhash64 => "XXHASH64",
            Self::Xxhash3 => "XXHASH3",
            Self::Xxhash128 => "XXHASH128",
        }
    }

    /// The header that carries the value, in lower case.
    pub fn header(self) -> String {
        format!("x-amz-checksum-{}", self.name().to_ascii_lowercase())
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|a| a.name().eq_ignore_ascii_case(name))
    }

    pub fn from_header(header: &str) -> Option<Self> {
        Self::from_name(header.strip_prefix("x-amz-checksum-")?)
    }

    fn crc(self) -> Option<CrcAlgorithm> {
        match self {
            Self::Crc32 => Some(CrcAlgorithm::Crc32IsoHdlc),
            Self::Crc32c => Some(CrcAlgorithm::Crc32Iscsi),
            Self::Crc64nvme => Some(CrcAlgorithm::Crc64Nvme),
            _ => None,
        }
    }

    /// Only CRCs can be computed for a whole object from its parts.
    pub fn can_be_full_object(self) -> bool {
        self.crc().is_some()
    }
}

enum State {
    Crc(crc_fast::Digest),
    Sha1(sha1::Sha1),
    Sha256(sha2::Sha256),
    Sha512(sha2::Sha512),
    Md5(md5::Md5),
    Xxhash64(xxhash_rust::xxh64::Xxh64),
    Xxhash3(xxhash_rust::xxh3::Xxh3),
    Xxhash128(xxhash_rust::xxh3::Xxh3),
}

impl State {
    fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Crc32 => Self::Crc(crc_fast::Digest::new(CrcAlgorithm::Crc32IsoHdlc)),
            Algorithm::Crc32c => Self::Crc(crc_fast::Digest::new(CrcAlgorithm::Crc32Iscsi)),
            Algorithm::Crc64nvme => Self::Crc(crc_fast::Digest::new(CrcAlgorithm::Crc64Nvme)),
            Algorithm::Sha1 => Self::Sha1(sha1::Sha1::new()),
            Algorithm::Sha256 => Self::Sha256(sha2::Sha256::new()),
            Algorithm::Sha512 => Self::Sha512(sha2::Sha512::new()),
            Algorithm::Md5 => Self::Md5(md5::Md5::new()),
            Algorithm::Xxhash64 => Self::Xxhash64(xxhash_rust::xxh64::Xxh64::new(0)),
            Algorithm::Xxhash3 => Self::Xxhash3(xxhash_rust::xxh3::Xxh3::new()),
            Algorithm::Xxhash128 => Self::Xxhash128(xxhash_rust::xxh3::Xxh3::new()),
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Crc(d) => d.update(bytes),
            Self::Sha1(d) => d.update(bytes),
            Self::Sha256(d) => d.update(bytes),
            Self::Sha512(d) => d.update(bytes),
            Self::Md5(d) => d.update(bytes),
            Self::Xxhash64(d) => d.update(bytes),
            Self::Xxhash3(d) | Self::Xxhash128(d) => d.update(bytes),
        }
    }

    fn finish(self, algorithm: Algorithm) -> Vec<u8> {
        match self {
            Self::Crc(d) if algorithm == Algorithm::Crc64nvme => {
                d.finalize().to_be_bytes().to_vec()
            }
            Self::Crc(d) => (d.finalize() as u32).to_be_bytes().to_vec(),
            Self::Sha1(d) => d.finalize().to_vec(),
            Self::Sha256(d) => d.finalize().to_vec(),
            Self::Sha512(d) => d.finalize().to_vec(),
            Self::Md5(d) => d.finalize().to_vec(),
            Self::Xxhash64(d) => d.digest().to_be_bytes().to_vec(),
            Self::Xxhash3(d) => d.digest().to_be_bytes().to_vec(),
            Self::Xxhash128(d) => d.digest128().to_be_bytes().to_vec(),
        }
    }
}

/// Several digests fed from the same bytes.
pub struct Hashers(Vec<(Algorithm, State)>);

impl Hashers {
    pub fn new(wanted: &[Algorithm]) -> Self {
        Self(wanted.iter().map(|&a| (a, State::new(a))).collect())
    }

    pub fn update(&mut self, bytes: &[u8]) {
        for (_, state) in &mut self.0 {
            state.update(bytes);
        }
    }

    pub fn finish(self) -> Sums {
        self.0.into_iter().map(|(a, s)| (a, s.finish(a))).collect()
    }
}

pub fn digest(algorithm: Algorithm, bytes: &[u8]) -> Vec<u8> {
    let mut state = State::new(algorithm);
    state.update(bytes);
    state.finish(algorithm)
}

/// "COMPOSITE": the digest of the parts' digests, with the number of parts behind a dash.
pub fn composite(algorithm: Algorithm, parts: &[&[u8]]) -> String {
    format!("{}-{}", to_text(&digest(algorithm, &parts.concat())), parts.len())
}

/// "FULL_OBJECT": the CRC of the whole from (CRC, length) of each part.
pub fn full_object(algorithm: Algorithm, parts: &[(&[u8], u64)]) -> Option<Vec<u8>> {
    let crc = algorithm.crc()?;
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |n, &b| n << 8 | u64::from(b));
    let mut whole: Option<u64> = None;
    for (sum, len) in parts {
        whole = Some(match whole {
            None => number(sum),
            Some(before) => crc_fast::checksum_combine(crc, before, number(sum), *len),
        });
    }
    let whole = whole?;
    Some(match algorithm {
        Algorithm::Crc64nvme => whole.to_be_bytes().to_vec(),
        _ => (whole as u32).to_be_bytes().to_vec(),
    })
}

pub fn to_text(value: &[u8]) -> String {
    STANDARD.encode(value)
}

pub fn from_text(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_check_values_of_123456789() {
        let of = |a| hex(&digest(a, b"123456789"));
        assert_eq!(of(Algorithm::Crc32), "cbf43926");
        assert_eq!(of(Algorithm::Crc32c), "e3069283");
        assert_eq!(of(Algorithm::Crc64nvme), "ae8b14860a799888");
        assert_eq!(of(Algorithm::Md5), "25f9e794323b453885f5181f1b624d0b");
    }

    #[test]
    fn full_object_crc_of_parts_is_the_crc_of_the_whole() {
        let whole: Vec<u8> = (0..100_000u32).map(|i| (i * 7 >> 3) as u8).collect();
        for a in [Algorithm::Crc32, Algorithm::Crc32c, Algorithm::Crc64nvme] {
            let sums: Vec<_> =
                whole.chunks(33_333).map(|p| (digest(a, p), p.len() as u64)).collect();
            let parts: Vec<_> = sums.iter().map(|(s, n)| (s.as_slice(), *n)).collect();
            assert_eq!(full_object(a, &parts), Some(digest(a, &whole)));
        }
        assert_eq!(full_object(Algorithm::Sha256, &[(&[0; 32], 1)]), None);
    }
}
