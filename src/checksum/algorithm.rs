//! Which checksums there are, and what S3 calls them.

/// An object checksum; the numbers are those of `enum aws_s3_checksum_algorithm`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u32)]
pub enum Algorithm {
    Crc32c = 1,
    Crc32 = 2,
    Sha1 = 3,
    Sha256 = 4,
    Crc64Nvme = 5,
    Sha512 = 6,
    XxHash64 = 7,
    XxHash3 = 8,
    XxHash128 = 9,
}

use Algorithm::*;

impl Algorithm {
    pub const ALL: [Algorithm; 9] =
        [Crc32c, Crc32, Sha1, Sha256, Crc64Nvme, Sha512, XxHash64, XxHash3, XxHash128];

    /// The algorithm with this C number; 0 is "none" and gives `None` as any unknown one does.
    pub fn from_number(number: u32) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|a| *a as u32 == number)
    }

    /// The value of `x-amz-checksum-algorithm`.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// The header (or trailer) that carries a value.
    pub fn header(self) -> &'static str {
        self.names().1
    }

    /// The element of a part in the body of CompleteMultipartUpload.
    pub fn element(self) -> &'static str {
        self.names().2
    }

    #[rustfmt::skip]
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Crc32c => ("CRC32C", "x-amz-checksum-crc32c", "ChecksumCRC32C"),
            Crc32 => ("CRC32", "x-amz-checksum-crc32", "ChecksumCRC32"),
            Sha1 => ("SHA1", "x-amz-checksum-sha1", "ChecksumSHA1"),
            Sha256 => ("SHA256", "x-amz-checksum-sha256", "ChecksumSHA256"),
            Crc64Nvme => ("CRC64NVME", "x-amz-checksum-crc64nvme", "ChecksumCRC64NVME"),
            Sha512 => ("SHA512", "x-amz-checksum-sha512", "ChecksumSHA512"),
            XxHash64 => ("XXHASH64", "x-amz-checksum-xxhash64", "ChecksumXXHASH64"),
            XxHash3 => ("XXHASH3", "x-amz-checksum-xxhash3", "ChecksumXXHASH3"),
            XxHash128 => ("XXHASH128", "x-amz-checksum-xxhash128", "ChecksumXXHASH128"),
        }
    }

    /// By its name, in any case.
    pub fn from_name(name: &str) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|a| a.name().eq_ignore_ascii_case(name))
    }

    /// By its header name, in any case.
    pub fn from_header(header: &[u8]) -> Option<Algorithm> {
        let same = |a: &Algorithm| a.header().as_bytes().eq_ignore_ascii_case(header);
        Algorithm::ALL.into_iter().find(same)
    }

    /// Bytes of a value.
    pub fn len_bytes(self) -> usize {
        match self {
            Crc32c | Crc32 => 4,
            Crc64Nvme | XxHash64 | XxHash3 => 8,
            XxHash128 => 16,
            Sha1 => 20,
            Sha256 => 32,
            Sha512 => 64,
        }
    }

    /// Characters of a value in base64, with padding.
    pub fn len_base64(self) -> usize {
        self.len_bytes().div_ceil(3) * 4
    }

    /// Whether the value of a whole follows from the values of its pieces (the CRCs).
    pub fn combines(self) -> bool {
        matches!(self, Crc32c | Crc32 | Crc64Nvme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_number_finds_all_and_nothing_else() {
        for (i, algorithm) in (1..)
            .zip([Crc32c, Crc32, Sha1, Sha256, Crc64Nvme, Sha512, XxHash64, XxHash3, XxHash128])
        {
            assert_eq!(Algorithm::from_number(i), Some(algorithm));
        }
        assert_eq!(Algorithm::from_number(0), None);
        assert_eq!(Algorithm::from_number(10), None);
    }

    #[test]
    fn names_round_trip_in_any_case() {
        for algorithm in Algorithm::ALL {
            assert_eq!(Algorithm::from_name(&algorithm.name().to_lowercase()), Some(algorithm));
            let header = algorithm.header().to_uppercase();
            assert_eq!(Algorithm::from_header(header.as_bytes()), Some(algorithm));
            assert_eq!(algorithm.element(), format!("Checksum{}", algorithm.name()));
            let suffix = algorithm.name().to_lowercase();
            assert_eq!(algorithm.header(), format!("x-amz-checksum-{suffix}"));
        }
        assert_eq!(Algorithm::from_name("CRC"), None);
        assert_eq!(Algorithm::from_header(b"x-amz-checksum-algorithm"), None);
        assert_eq!(Algorithm::from_header(b"x-amz-checksum-crc32c "), None);
    }
}
