//! `aws/checksums/crc.h`: the three CRCs of S3 as functions of bytes.
//!
//! All of them are pure and may be called on any thread. A value goes on from an earlier one:
//! `crc(b, crc(a, 0))` is the CRC of `a` followed by `b`.

use std::ffi::c_int;

use crate::checksum::{Algorithm, crc};
use crate::ffi::handle;

/// CRC32 (the polynomial of Ethernet and zip) of `length` bytes, continued from `previous_crc32`.
///
/// `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes; below 0 counts
/// as 0. `previous_crc32`: the CRC of what came before, 0 at the start.
/// Returns the CRC of everything so far; `previous_crc32` itself where `input` is NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_checksums_crc32(
    input: *const u8,
    length: c_int,
    previous_crc32: u32,
) -> u32 {
    ffi_fn!({
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: the caller's bytes.
        unsafe { crc32_of(input, length, previous_crc32) }
    })
}

/// As aws_checksums_crc32(), for any length.
///
/// `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes.
/// `previous_crc32`: the CRC of what came before, 0 at the start.
/// Returns the CRC of everything so far; `previous_crc32` itself where `input` is NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_checksums_crc32_ex(
    input: *const u8,
    length: usize,
    previous_crc32: u32,
) -> u32 {
    // SAFETY: the caller's bytes.
    ffi_fn!({ unsafe { crc32_of(input, length, previous_crc32) } })
}

/// CRC32C (Castagnoli) of `length` bytes, continued from `previous_crc32c`.
///
/// `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes; below 0 counts
/// as 0. `previous_crc32c`: the CRC of what came before, 0 at the start.
/// Returns the CRC of everything so far; `previous_crc32c` itself where `input` is NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_checksums_crc32c(
    input: *const u8,
    length: c_int,
    previous_crc32c: u32,
) -> u32 {
    ffi_fn!({
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: the caller's bytes.
        unsafe { crc32c_of(input, length, previous_crc32c) }
    })
}

/// As aws_checksums_crc32c(), for any length.
///
/// `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes.
/// `previous_crc32c`: the CRC of what came before, 0 at the start.
/// Returns the CRC of everything so far; `previous_crc32c` itself where `input` is NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_checksums_crc32c_ex(
    input: *const u8,
    length: usize,
    previous_crc32c: u32,
) -> u32 {
    // SAFETY: the caller's bytes.
    ffi_fn!({ unsafe { crc32c_of(input, length, previous_crc32c) } })
}

/// CRC64-NVME of `length` bytes, continued from `previous_crc64`.
///
/// `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes; below 0 counts
/// as 0. `previous_crc64`: the CRC of what came before, 0 at the start.
/// Returns the CRC of everything so far; `previous_crc64` itself where `input` is NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_checksums_crc64nvme(
    input: *const u8,
    length: c_int,
    previous_crc64: u64,
) -> u64 {
    ffi_fn!({
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: the caller's bytes.
        unsafe { crc64nvme_of(input, length, previous_crc64) }
    })
}

/// As aws_checksums_crc64nvme(), for any length.
///
/// `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes.
/// `previous_crc64`: the CRC of what came before, 0 at the start.
/// Returns the CRC of everything so far; `previous_crc64` itself where `input` is NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_checksums_crc64nvme_ex(
    input: *const u8,
    length: usize,
    previous_crc64: u64,
) -> u64 {
    // SAFETY: the caller's bytes.
    ffi_fn!({ unsafe { crc64nvme_of(input, length, previous_crc64) } })
}

/// CRC32 (the polynomial of Ethernet and zip) of two runs of bytes, one behind the other, from the CRC of each.
///
/// `crc1`: of the first run. `crc2`: of the second, started at 0. `len2`: bytes of the second.
/// Returns the CRC of both. Takes no longer for long runs. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_checksums_crc32_combine(crc1: u32, crc2: u32, len2: u64) -> u32 {
    ffi_fn!({ combined(Algorithm::Crc32, u64::from(crc1), u64::from(crc2), len2) as u32 })
}

/// CRC32C (Castagnoli) of two runs of bytes, one behind the other, from the CRC of each.
///
/// `crc1`: of the first run. `crc2`: of the second, started at 0. `len2`: bytes of the second.
/// Returns the CRC of both. Takes no longer for long runs. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_checksums_crc32c_combine(crc1: u32, crc2: u32, len2: u64) -> u32 {
    ffi_fn!({ combined(Algorithm::Crc32c, u64::from(crc1), u64::from(crc2), len2) as u32 })
}

/// CRC64-NVME of two runs of bytes, one behind the other, from the CRC of each.
///
/// `crc1`: of the first run. `crc2`: of the second, started at 0. `len2`: bytes of the second.
/// Returns the CRC of both. Takes no longer for long runs. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn aws_checksums_crc64nvme_combine(crc1: u64, crc2: u64, len2: u64) -> u64 {
    ffi_fn!({ combined(Algorithm::Crc64Nvme, crc1, crc2, len2) })
}

fn combined(algorithm: Algorithm, a: u64, b: u64, b_len: u64) -> u64 {
    crc::combine_numbers(algorithm, a, b, b_len).expect("the three CRCs combine")
}

/// # Safety
/// `input` is NULL or points to `length` readable bytes.
unsafe fn crc32_of(input: *const u8, length: usize, previous: u32) -> u32 {
    // SAFETY: by the contract.
    match unsafe { handle::bytes(input, length) } {
        Some(bytes) if !bytes.is_empty() => crc::crc32(previous, bytes),
        _ => previous,
    }
}

/// # Safety
/// `input` is NULL or points to `length` readable bytes.
unsafe fn crc32c_of(input: *const u8, length: usize, previous: u32) -> u32 {
    // SAFETY: by the contract.
    match unsafe { handle::bytes(input, length) } {
        Some(bytes) if !bytes.is_empty() => crc::crc32c(previous, bytes),
        _ => previous,
    }
}

/// # Safety
/// `input` is NULL or points to `length` readable bytes.
unsafe fn crc64nvme_of(input: *const u8, length: usize, previous: u64) -> u64 {
    // SAFETY: by the contract.
    match unsafe { handle::bytes(input, length) } {
        Some(bytes) if !bytes.is_empty() => crc::crc64nvme(previous, bytes),
        _ => previous,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECK: &[u8] = b"123456789";

    #[test]
    fn check_string_gives_the_catalogued_values() {
        let (p, n) = (CHECK.as_ptr(), CHECK.len());
        // SAFETY: the bytes are live.
        unsafe {
            assert_eq!(aws_checksums_crc32(p, n as c_int, 0), 0xCBF4_3926);
            assert_eq!(aws_checksums_crc32c(p, n as c_int, 0), 0xE306_9283);
            assert_eq!(aws_checksums_crc64nvme(p, n as c_int, 0), 0xAE8B_1486_0A79_9888);
            assert_eq!(aws_checksums_crc32_ex(p, n, 0), 0xCBF4_3926);
            assert_eq!(aws_checksums_crc32c_ex(p, n, 0), 0xE306_9283);
            assert_eq!(aws_checksums_crc64nvme_ex(p, n, 0), 0xAE8B_1486_0A79_9888);
        }
    }

    #[test]
    fn pieces_continue_and_combine_to_the_whole() {
        for cut in 0..=CHECK.len() {
            let (a, b) = CHECK.split_at(cut);
            // SAFETY: the bytes are live.
            unsafe {
                let first = aws_checksums_crc32_ex(a.as_ptr(), a.len(), 0);
                assert_eq!(aws_checksums_crc32_ex(b.as_ptr(), b.len(), first), 0xCBF4_3926);
                let second = aws_checksums_crc32_ex(b.as_ptr(), b.len(), 0);
                let both = aws_checksums_crc32_combine(first, second, b.len() as u64);
                assert_eq!(both, 0xCBF4_3926);
                let first = aws_checksums_crc64nvme_ex(a.as_ptr(), a.len(), 0);
                let second = aws_checksums_crc64nvme_ex(b.as_ptr(), b.len(), 0);
                let both = aws_checksums_crc64nvme_combine(first, second, b.len() as u64);
                assert_eq!(both, 0xAE8B_1486_0A79_9888);
                let first = aws_checksums_crc32c_ex(a.as_ptr(), a.len(), 0);
                let second = aws_checksums_crc32c_ex(b.as_ptr(), b.len(), 0);
                let both = aws_checksums_crc32c_combine(first, second, b.len() as u64);
                assert_eq!(both, 0xE306_9283);
            }
        }
    }

    #[test]
    fn nothing_to_read_gives_the_previous_value() {
        // SAFETY: NULL, and lengths that are not looked at.
        unsafe {
            assert_eq!(aws_checksums_crc32(std::ptr::null(), 0, 7), 7);
            assert_eq!(aws_checksums_crc32(std::ptr::null(), 5, 7), 7);
            assert_eq!(aws_checksums_crc32c(CHECK.as_ptr(), -1, 7), 7);
            assert_eq!(aws_checksums_crc64nvme_ex(std::ptr::null(), usize::MAX, 7), 7);
        }
    }
}
