//! Part sizes by the limits of S3: 5 MiB to 5 GiB a part (the last may be smaller), 10,000 parts.

use crate::base::{ByteRange, Code, Result};

pub const PARTS_MAX: u32 = 10_000;
pub const PART_BYTES_MIN: u64 = 5 << 20;
pub const PART_BYTES_MAX: u64 = 5 << 30;
/// 10,000 parts of 5 GiB: what the limits of parts allow (48.8 TiB).
pub const OBJECT_BYTES_MAX: u64 = PARTS_MAX as u64 * PART_BYTES_MAX;

/// How an object of known length is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartPlan {
    pub object_size: u64,
    pub part_size: u64,
    pub parts: u32,
}

impl PartPlan {
    /// Bytes of part `index` (0-based).
    pub fn range(&self, index: u32) -> ByteRange {
        assert!(index < self.parts, "a part beyond the plan");
        let start = u64::from(index) * self.part_size;
        ByteRange::new(start, (start + self.part_size).min(self.object_size))
    }
}

/// Parts as large as asked for, larger where 10,000 of them would not do.
pub fn plan_upload(object_size: u64, part_size_asked: u64) -> Result<PartPlan> {
    if object_size > OBJECT_BYTES_MAX {
        return Err(Code::INVALID_ARGUMENT.into());
    }
    if object_size == 0 {
        return Ok(PartPlan { object_size, part_size: 0, parts: 0 });
    }
    let least = object_size.div_ceil(u64::from(PARTS_MAX));
    let part_size =
        part_size_asked.clamp(PART_BYTES_MIN, PART_BYTES_MAX).max(least).min(object_size);
    let parts = object_size.div_ceil(part_size);
    assert!(parts <= u64::from(PARTS_MAX), "the least part size was taken into account");
    Ok(PartPlan { object_size, part_size, parts: parts as u32 })
}

/// The size of the next part where the length is unknown: as asked for the first half of the
/// parts, then doubled with every further twentieth of them, so that an upload grows to terabytes
/// before it meets the wall. `None` when no part is left.
pub fn next_part_size(part_size_first: u64, parts_done: u32, parts_max: u32) -> Option<u64> {
    if parts_done >= parts_max {
        return None;
    }
    let first = part_size_first.clamp(PART_BYTES_MIN, PART_BYTES_MAX);
    let half = parts_max / 2;
    let step = (parts_max / 20).max(1);
    let doublings = match parts_done.checked_sub(half) {
        Some(beyond) if half > 0 => (1 + beyond / step).min(20),
        _ => 0,
    };
    Some(first.saturating_mul(1 << doublings).min(PART_BYTES_MAX))
}

/// The number of parts that an ETag `hash-N` tells; 1 for one without a dash.
pub fn parts_of_etag(etag: &[u8]) -> Result<u32> {
    let trim = |text: &[u8]| -> Option<(usize, usize)> {
        let plain = |b: &u8| *b != b'"' && *b != b' ';
        Some((text.iter().position(plain)?, text.iter().rposition(plain)? + 1))
    };
    let (start, end) = trim(etag).ok_or(Code::INVALID_ARGUMENT)?;
    let mut pieces = etag[start..end].split(|&b| b == b'-');
    match (pieces.next(), pieces.next(), pieces.next()) {
        (Some(_), None, _) => Ok(1),
        (Some(_), Some(count), None) => super::range::number(count)
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| (1..=PARTS_MAX).contains(n))
            .ok_or_else(|| Code::INVALID_ARGUMENT.into()),
        _ => Err(Code::INVALID_ARGUMENT.into()),
    }
}

/// The largest range that a client reads in one request: a third of its memory for each connection.
pub fn range_size_of_client(memory_limit: u64, connections: u32) -> Result<u64> {
    if memory_limit == 0 || connections == 0 {
        return Err(Code::INVALID_ARGUMENT.into());
    }
    let share = memory_limit / u64::from(connections) / 3;
    Ok(share.clamp(RANGE_BYTES_MIN, PART_BYTES_MAX))
}

/// The range of one request: that of the client, but not more than the stored part is thought to
/// be (0 = unknown), nor than one stored part can serve at full speed.
pub fn range_size_of_request(client: u64, stored_part: u64, is_express: bool) -> Result<u64> {
    if client == 0 {
        return Err(Code::INVALID_ARGUMENT.into());
    }
    let wanted = if stored_part > 0 { client.min(stored_part) } else { client };
    let most = if is_express { 128 << 20 } else { 2 << 30 };
    Ok(wanted.max(RANGE_BYTES_MIN).min(most))
}

const RANGE_BYTES_MIN: u64 = 8 << 20;
