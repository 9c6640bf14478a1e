//! The result of a digest, by value: bytes in the order of the wire, and their base64 text.

use super::Algorithm;
use ::base64::Engine as _;
use ::base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::ops::Deref;

const LEN_MAX: usize = 64;
const TEXT_MAX: usize = LEN_MAX.div_ceil(3) * 4;

/// Up to 64 bytes; integers most significant byte first, as S3 sends them.
#[derive(Clone, Copy)]
pub struct DigestValue {
    bytes: [u8; LEN_MAX],
    len: u8,
}

impl DigestValue {
    /// Panics above 64 bytes; there is no longer digest.
    pub fn new(value: &[u8]) -> DigestValue {
        let mut bytes = [0; LEN_MAX];
        bytes[..value.len()].copy_from_slice(value);
        DigestValue { bytes, len: value.len() as u8 }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The text of a checksum header.
    pub fn to_base64(&self) -> Base64 {
        base64(self.as_bytes())
    }

    /// Reads the text of a checksum header; `None` unless it is base64 of the right length.
    pub fn from_base64(algorithm: Algorithm, text: &[u8]) -> Option<DigestValue> {
        let mut bytes = [0; LEN_MAX + 2];
        let n = STANDARD.decode_slice(text, &mut bytes).ok()?;
        (n == algorithm.len_bytes()).then(|| DigestValue::new(&bytes[..n]))
    }
}

impl Deref for DigestValue {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for DigestValue {
    fn eq(&self, other: &DigestValue) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for DigestValue {}

impl fmt::Debug for DigestValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_base64())
    }
}

/// Base64 text without an allocation.
#[derive(Clone, Copy)]
pub struct Base64 {
    text: [u8; TEXT_MAX],
    len: u8,
}

/// Encodes up to 64 bytes; panics above.
pub fn base64(bytes: &[u8]) -> Base64 {
    let mut text = [0; TEXT_MAX];
    let len = STANDARD.encode_slice(bytes, &mut text).expect("at most 64 bytes are encoded");
    Base64 { text, len: len as u8 }
}

impl Deref for Base64 {
    type Target = str;
    fn deref(&self) -> &str {
        std::str::from_utf8(&self.text[..usize::from(self.len)]).expect("base64 is ASCII")
    }
}

impl AsRef<[u8]> for Base64 {
    fn as_ref(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }
}

impl fmt::Display for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_round_trips_every_algorithm() {
        for algorithm in Algorithm::ALL {
            let bytes: Vec<u8> = (0..algorithm.len_bytes() as u8).map(|i| i ^ 0xa5).collect();
            let text = DigestValue::new(&bytes).to_base64();
            assert_eq!(text.len(), algorithm.len_base64());
            let back = DigestValue::from_base64(algorithm, text.as_bytes());
            assert_eq!(back, Some(DigestValue::new(&bytes)));
        }
    }

    #[test]
    fn from_base64_of_wrong_text_is_none() {
        let wrong: [&[u8]; 6] =
            [b"", b"AAAA", b"AAAAAA", b"AAAAAA=", b"AAAAAAA=A", b"\xff\xff\xff\xff\xff\xff=="];
        for text in wrong {
            assert_eq!(DigestValue::from_base64(Algorithm::Crc32, text), None, "{text:?}");
        }
        assert!(DigestValue::from_base64(Algorithm::Crc32, b"AAAAAA==").is_some());
        assert_eq!(DigestValue::from_base64(Algorithm::Sha512, &[b'A'; 400]), None);
        assert_eq!(DigestValue::from_base64(Algorithm::Sha512, &[b'A'; 88]), None);
    }
}
