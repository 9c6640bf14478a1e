//! The small encodings that signing needs: hex, percent encoding in the canonical form, dates.

use crate::base::{Code, Result};

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() * 2);
    push_hex(bytes, &mut out);
    out
}

/// The SHA-256 of `bytes` as 64 lower-case hex digits.
pub fn sha256_hex(bytes: &[u8]) -> [u8; 64] {
    hex_of(ring::digest::digest(&ring::digest::SHA256, bytes).as_ref())
}

/// `YYYYMMDDTHHMMSSZ`, the form of `x-amz-date`; the first eight bytes are the day.
pub fn amz_date(unix_seconds: u64) -> [u8; 16] {
    // Beyond the year 9999 the form has no room; nobody signs there.
    let seconds = unix_seconds.min(253_402_300_799);
    let (day, time) = (seconds / 86_400, (seconds % 86_400) as u32);
    let (year, month, mday) = civil_from_days(day);
    let mut out = *b"00000000T000000Z";
    put_digits(&mut out[0..4], year);
    put_digits(&mut out[4..6], month);
    put_digits(&mut out[6..8], mday);
    put_digits(&mut out[9..11], time / 3600);
    put_digits(&mut out[11..13], time / 60 % 60);
    put_digits(&mut out[13..15], time % 60);
    out
}

/// 32 bytes in, 64 digits out.
pub(super) fn hex_of(digest: &[u8]) -> [u8; 64] {
    let mut out = [0u8; 64];
    let mut at = 0;
    for &byte in &digest[..32] {
        out[at] = HEX_LOWER[usize::from(byte >> 4)];
        out[at + 1] = HEX_LOWER[usize::from(byte & 15)];
        at += 2;
    }
    out
}

pub(super) fn push_hex(bytes: &[u8], out: &mut Vec<u8>) {
    for byte in bytes {
        out.push(HEX_LOWER[usize::from(byte >> 4)]);
        out.push(HEX_LOWER[usize::from(byte & 15)]);
    }
}

/// Percent encoding of SigV4: all but the unreserved characters, hex in capitals.
pub(super) fn push_encoded(bytes: &[u8], keep_slash: bool, out: &mut Vec<u8>) {
    for &byte in bytes {
        push_encoded_byte(byte, keep_slash, out);
    }
}

/// Decodes and encodes again in one pass, so that every spelling of a parameter gets one form.
pub(super) fn push_recoded(bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        let byte = if byte == b'%' {
            let [high, low, ..] = *tail else {
                return Err(Code::MALFORMED_INPUT_STRING.into());
            };
            rest = &tail[2..];
            hex_value(high)? << 4 | hex_value(low)?
        } else {
            byte
        };
        push_encoded_byte(byte, false, out);
    }
    Ok(())
}

fn push_encoded_byte(byte: u8, keep_slash: bool, out: &mut Vec<u8>) {
    if is_unreserved(byte) || (keep_slash && byte == b'/') {
        out.push(byte);
    } else {
        out.extend_from_slice(&[
            b'%',
            HEX_UPPER[usize::from(byte >> 4)],
            HEX_UPPER[usize::from(byte & 15)],
        ]);
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~')
}

fn hex_value(digit: u8) -> Result<u8> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(Code::MALFORMED_INPUT_STRING.into()),
    }
}

fn put_digits(out: &mut [u8], mut value: u32) {
    for digit in out.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
    }
}

/// Days since 1970 to (year, month, day) of the proleptic Gregorian calendar, counted in 400-year
/// eras of 146,097 days that begin on 1 March.
fn civil_from_days(days: u64) -> (u32, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year as u32, month as u32, day as u32)
}

const HEX_LOWER: &[u8; 16] = b"0123456789abcdef";
const HEX_UPPER: &[u8; 16] = b"0123456789ABCDEF";
