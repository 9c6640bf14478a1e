//! Dates of HTTP (RFC 9110 section 5.6.7) and ISO 8601, as seconds since 1970 UTC.

/// The three forms of an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
pub fn parse_http(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let mut words = [""; 6];
    let mut count = 0;
    for word in text.split([' ', ',', '-']).filter(|w| !w.is_empty()) {
        *words.get_mut(count)? = word;
        count += 1;
    }
    let (day, month, year, time) = match count {
        // weekday day month year time zone
        6 if matches!(words[5], "GMT" | "UTC" | "Z") => (words[1], words[2], words[3], words[4]),
        // weekday month day time year
        5 => (words[2], words[1], words[4], words[3]),
        _ => return None,
    };
    let month = MONTHS.iter().position(|m| m.eq_ignore_ascii_case(month))? as u32 + 1;
    let year = match (year.len(), digits(year)?) {
        // Two digits: the century that makes it nearest to the Unix era.
        (2, year) => year + if year < 70 { 2000 } else { 1900 },
        (4, year) => year,
        _ => return None,
    };
    let mut clock = time.split(':');
    let (hour, minute, second) = (clock.next()?, clock.next()?, clock.next()?);
    if clock.next().is_some() {
        return None;
    }
    unix(year, month, digits(day)?, digits(hour)?, digits(minute)?, digits(second)?)
}

/// `2015-08-30T12:36:00Z` or `20150830T123600Z`, with or without a fraction or an offset.
pub fn parse_iso8601(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (date, rest) = text.split_once(['T', 't', ' ']).unwrap_or((text, "00:00:00Z"));
    let (year, month, day) = three(date, '-', 4)?;
    let (time, offset) = split_offset(rest)?;
    let time = match time.split_once(['.', ',']) {
        Some((time, fraction)) => {
            digits(fraction.get(..fraction.len().min(9))?)?;
            if !fraction.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            time
        }
        None => time,
    };
    let (hour, minute, second) = three(time, ':', 2)?;
    unix(year, month, day, hour, minute, second)?.checked_sub(offset)
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`
pub fn format_http(unix_seconds: i64) -> String {
    let (days, second) = (unix_seconds.div_euclid(86_400), unix_seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!(
        "{}, {day:02} {} {year:04} {:02}:{:02}:{:02} GMT",
        WEEKDAYS[(days + 4).rem_euclid(7) as usize],
        MONTHS[month as usize - 1],
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// `1994-11-06T08:49:37Z`
pub fn format_iso8601(unix_seconds: i64) -> String {
    let (days, second) = (unix_seconds.div_euclid(86_400), unix_seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

fn split_offset(rest: &str) -> Option<(&str, i64)> {
    if let Some(time) = rest.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(sign) = rest.rfind(['+', '-']) else {
        return Some((rest, 0));
    };
    let (hours, minutes) = match rest[sign + 1..].split_once(':') {
        Some(pair) => pair,
        None if rest.len() - sign == 5 => rest[sign + 1..].split_at_checked(2)?,
        None => (&rest[sign + 1..], "0"),
    };
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i64::from(hours * 3600 + minutes * 60);
    Some((&rest[..sign], if rest[sign..].starts_with('-') { -seconds } else { seconds }))
}

/// Three numbers with separators, or run together with the first one `first_len` digits long.
fn three(text: &str, separator: char, first_len: usize) -> Option<(u32, u32, u32)> {
    if text.contains(separator) {
        let mut parts = text.split(separator);
        let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || a.len() != first_len || b.len() != 2 || c.len() != 2 {
            return None;
        }
        return Some((digits(a)?, digits(b)?, digits(c)?));
    }
    if text.len() != first_len + 4 {
        return None;
    }
    let (a, rest) = text.split_at_checked(first_len)?;
    let (b, c) = rest.split_at_checked(2)?;
    Some((digits(a)?, digits(b)?, digits(c)?))
}

fn digits(text: &str) -> Option<u32> {
    if text.is_empty() || text.len() > 9 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// A leap second counts as the second before it.
fn unix(year: u32, month: u32, day: u32, hour: u32, minute: u32, second: u32) -> Option<i64> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let month_len = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return None,
    };
    if year > 9999 || day < 1 || day > month_len || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Years begin in March, so that the leap day is a year's last.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let (y, m, day) = (i64::from(y), i64::from(m), i64::from(day));
    let days = y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468;
    let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second.min(59));
    Some(days * 86_400 + seconds)
}

fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
