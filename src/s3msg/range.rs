//! `Range` and `Content-Range` (RFC 9110 sections 14.1 and 14.4): the inclusive form, once each way.

use crate::base::{ByteRange, Code, Result};
use crate::http1::push_decimal;

/// A caller's `Range` field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeRequest {
    /// `bytes=a-b`; half-open here.
    Bytes(ByteRange),
    /// `bytes=a-`
    From(u64),
    /// `bytes=-n`: the last `n` bytes.
    Last(u64),
}

impl RangeRequest {
    /// Several ranges in one field are refused like a malformed one.
    pub fn parse(value: &[u8]) -> Result<RangeRequest> {
        let value = value.trim_ascii();
        let Some((unit, set)) = split_once(value, b'=') else {
            return Err(Code::S3_INVALID_RANGE_HEADER.into());
        };
        if !unit.eq_ignore_ascii_case(b"bytes") {
            return Err(Code::S3_INVALID_RANGE_HEADER.into());
        }
        let parsed = split_once(set, b'-').and_then(|(first, last)| {
            Some(match (first.is_empty(), last.is_empty()) {
                (false, false) => {
                    let (first, last) = (number(first)?, number(last)?);
                    let end = last.checked_add(1).filter(|end| *end > first)?;
                    RangeRequest::Bytes(ByteRange::new(first, end))
                }
                (false, true) => RangeRequest::From(number(first)?),
                (true, false) => RangeRequest::Last(number(last)?),
                (true, true) => return None,
            })
        });
        parsed.ok_or_else(|| Code::S3_INVALID_RANGE_HEADER.into())
    }

    /// The bytes of an object of that size, or `None` where the server answers 416.
    pub fn of_object(self, object_size: u64) -> Option<ByteRange> {
        let range = match self {
            RangeRequest::Bytes(range) => {
                ByteRange::new(range.start.min(object_size), range.end.min(object_size))
            }
            RangeRequest::From(start) => ByteRange::new(start.min(object_size), object_size),
            RangeRequest::Last(len) => ByteRange::new(object_size.saturating_sub(len), object_size),
        };
        Some(range).filter(|r| !r.is_empty())
    }
}

/// The value of a `Content-Range` field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContentRange {
    /// Empty at 0 for `bytes */total`, the answer of a 416.
    pub range: ByteRange,
    /// `None` where the server wrote `*`.
    pub total: Option<u64>,
}

/// `bytes first-last/total`. A range that is not inside its total is refused.
pub fn parse_content_range(value: &[u8]) -> Result<ContentRange> {
    content_range(value.trim_ascii()).ok_or_else(|| Code::S3_INVALID_CONTENT_RANGE_HEADER.into())
}

/// Appends `bytes=first-last`; the range must not be empty.
pub fn push_range(range: ByteRange, out: &mut Vec<u8>) {
    assert!(!range.is_empty(), "an empty range has no form on the wire");
    out.extend_from_slice(b"bytes=");
    push_decimal(range.start, out);
    out.push(b'-');
    push_decimal(range.end - 1, out);
}

pub fn format_range(range: ByteRange) -> Vec<u8> {
    let mut out = Vec::with_capacity(48);
    push_range(range, &mut out);
    out
}

fn content_range(value: &[u8]) -> Option<ContentRange> {
    let (unit, rest) = split_once(value, b' ')?;
    if !unit.eq_ignore_ascii_case(b"bytes") {
        return None;
    }
    let (range, total) = split_once(rest.trim_ascii_start(), b'/')?;
    let total = match total {
        b"*" => None,
        digits => Some(number(digits)?),
    };
    if range == b"*" {
        return Some(ContentRange { range: ByteRange::default(), total: Some(total?) });
    }
    let (first, last) = split_once(range, b'-')?;
    let (first, last) = (number(first)?, number(last)?);
    let end = last.checked_add(1).filter(|end| *end > first)?;
    if total.is_some_and(|total| end > total) {
        return None;
    }
    Some(ContentRange { range: ByteRange::new(first, end), total })
}

fn split_once(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let index = text.iter().position(|&b| b == at)?;
    Some((&text[..index], &text[index + 1..]))
}

/// Digits only, in 64 bits.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |n, &b| {
        let digit = b.is_ascii_digit().then(|| u64::from(b - b'0'))?;
        n.checked_mul(10)?.checked_add(digit)
    })
}
