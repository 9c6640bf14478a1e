//! The three CRCs as numbers: continued from an earlier value, and combined.

use super::{Algorithm, DigestValue};
use crc_fast::CrcAlgorithm;

/// The CRC of everything so far, given that of what came before (`previous`, 0 at the start).
pub fn crc32(previous: u32, data: &[u8]) -> u32 {
    continued(CrcAlgorithm::Crc32IsoHdlc, u64::from(!previous), data) as u32
}

/// As [`crc32`], for the Castagnoli polynomial.
pub fn crc32c(previous: u32, data: &[u8]) -> u32 {
    continued(CrcAlgorithm::Crc32Iscsi, u64::from(!previous), data) as u32
}

/// As [`crc32`], for the 64 bits of NVMe.
pub fn crc64nvme(previous: u64, data: &[u8]) -> u64 {
    continued(CrcAlgorithm::Crc64Nvme, !previous, data)
}

/// All three start from and end with a complement, so a value is a complemented state.
fn continued(algorithm: CrcAlgorithm, state: u64, data: &[u8]) -> u64 {
    let mut digest = crc_fast::Digest::new_with_init_state(algorithm, state);
    digest.update(data);
    digest.finalize()
}

/// The CRC of `a` followed by `b`, from the CRC of each and the length of `b`.
/// `None` for an algorithm whose values do not combine, or a value of the wrong length.
pub fn combine(
    algorithm: Algorithm,
    a: &DigestValue,
    b: &DigestValue,
    b_len: u64,
) -> Option<DigestValue> {
    let crc = engine(algorithm)?;
    let (a, b) = (number(algorithm, a)?, number(algorithm, b)?);
    if b_len == 0 {
        // Nothing follows: the empty value is 0, and the library's matrix needs a length.
        return Some(value(algorithm, a));
    }
    Some(value(algorithm, crc_fast::checksum_combine(crc, a, b, b_len)))
}

/// As [`combine`], on plain numbers for callers that keep them so.
pub fn combine_numbers(algorithm: Algorithm, a: u64, b: u64, b_len: u64) -> Option<u64> {
    let crc = engine(algorithm)?;
    if b_len == 0 {
        return Some(a);
    }
    Some(crc_fast::checksum_combine(crc, a, b, b_len))
}

pub(super) fn engine(algorithm: Algorithm) -> Option<CrcAlgorithm> {
    match algorithm {
        Algorithm::Crc32c => Some(CrcAlgorithm::Crc32Iscsi),
        Algorithm::Crc32 => Some(CrcAlgorithm::Crc32IsoHdlc),
        Algorithm::Crc64Nvme => Some(CrcAlgorithm::Crc64Nvme),
        _ => None,
    }
}

pub(super) fn value(algorithm: Algorithm, number: u64) -> DigestValue {
    DigestValue::new(&number.to_be_bytes()[8 - algorithm.len_bytes()..])
}

fn number(algorithm: Algorithm, value: &DigestValue) -> Option<u64> {
    let len = algorithm.len_bytes();
    if value.as_bytes().len() != len {
        return None;
    }
    let mut bytes = [0; 8];
    bytes[8 - len..].copy_from_slice(value);
    Some(u64::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::digest;

    const CHECK: &[u8] = b"123456789";

    #[test]
    fn continued_in_pieces_gives_the_catalogue_check_values() {
        for cut in 0..=CHECK.len() {
            let (a, b) = CHECK.split_at(cut);
            assert_eq!(crc32(crc32(0, a), b), 0xcbf4_3926);
            assert_eq!(crc32c(crc32c(0, a), b), 0xe306_9283);
            assert_eq!(crc64nvme(crc64nvme(0, a), b), 0xae8b_1486_0a79_9888);
        }
    }

    #[test]
    fn combine_equals_digest_of_the_whole() {
        let data: Vec<u8> = (0..5000u32).map(|i| (i * 31 + i / 7) as u8).collect();
        for algorithm in Algorithm::ALL {
            for cut in [0, 1, 63, 64, 1000, 4095, 4096, 4999, 5000] {
                let (a, b) = data.split_at(cut);
                let (da, db) = (digest(algorithm, a), digest(algorithm, b));
                let got = combine(algorithm, &da, &db, b.len() as u64);
                let want = algorithm.combines().then(|| digest(algorithm, &data));
                assert_eq!(got, want, "{algorithm:?} at {cut}");
            }
        }
    }

    #[test]
    fn combine_of_terabytes_does_not_depend_on_the_grouping() {
        for algorithm in [Algorithm::Crc32, Algorithm::Crc32c, Algorithm::Crc64Nvme] {
            let tail = digest(algorithm, b"the end");
            let block = digest(algorithm, &vec![7; 1 << 20]);
            // 2^40 bytes by doubling, then the tail ...
            let (mut all, mut len) = (block, 1u64 << 20);
            let mut pieces = vec![(block, len)];
            while len < 1 << 40 {
                all = combine(algorithm, &all, &all, len).unwrap();
                len *= 2;
                pieces.push((all, len));
            }
            let left = combine(algorithm, &all, &tail, 7).unwrap();
            // ... against the same bytes grouped from the right, in uneven pieces.
            let (mut right, mut right_len) = (tail, 7u64);
            for (piece, piece_len) in pieces.iter().rev().skip(1).chain([&pieces[0]]) {
                right = combine(algorithm, piece, &right, right_len).unwrap();
                right_len += piece_len;
            }
            assert_eq!(right_len, (1 << 40) + 7);
            assert_eq!(left, right, "{algorithm:?}");
        }
    }

    #[test]
    fn combine_of_wrong_lengths_is_none() {
        let four = DigestValue::new(&[0; 4]);
        let eight = DigestValue::new(&[0; 8]);
        assert_eq!(combine(Algorithm::Crc32, &four, &eight, 1), None);
        assert_eq!(combine(Algorithm::Crc64Nvme, &four, &four, 1), None);
        assert_eq!(combine(Algorithm::Sha1, &four, &four, 1), None);
    }
}
