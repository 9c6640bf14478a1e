//! PEM text (RFC 7468): what is taken for a certificate or key, and what is kept of it.
//!
//! Files carry comments and other text around their objects; only the objects are kept. Whether an
//! object's inside makes sense is the business of whoever parses it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::base::{Code, Error, Result};

/// The objects of a text, each in the shape of the standard. A text without objects is
/// AWS_ERROR_INVALID_ARGUMENT when it is empty, else AWS_ERROR_PEM_MALFORMED.
pub fn sanitized(text: &[u8]) -> Result<Vec<u8>> {
    if text.is_empty() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    let malformed = Error::new(Code::PEM_MALFORMED);
    let text = std::str::from_utf8(text).map_err(|_| malformed)?;
    let mut kept = Vec::with_capacity(text.len());
    let mut open: Option<(&str, String)> = None;
    for line in text.lines().map(str::trim) {
        if let Some(label) = marker(line, "-----BEGIN ") {
            if open.is_some() {
                return Err(malformed);
            }
            open = Some((label, String::new()));
        } else if let Some(label) = marker(line, "-----END ") {
            let (begun, body) = open.take().ok_or(malformed)?;
            if begun != label || body.is_empty() || STANDARD.decode(&body).is_err() {
                return Err(malformed);
            }
            kept.extend_from_slice(format!("-----BEGIN {label}-----\n").as_bytes());
            for chunk in body.as_bytes().chunks(64) {
                kept.extend_from_slice(chunk);
                kept.push(b'\n');
            }
            kept.extend_from_slice(format!("-----END {label}-----\n").as_bytes());
        } else if let Some((_, body)) = &mut open {
            // Old encrypted keys have header lines, which have colons.
            if !line.contains(':') {
                body.extend(line.split_whitespace());
            }
        }
    }
    match kept.is_empty() || open.is_some() {
        true => Err(malformed),
        false => Ok(kept),
    }
}

/// Whether a sanitized text has an object whose label ends so.
pub fn holds(pem: &[u8], label_end: &str) -> bool {
    let text = std::str::from_utf8(pem).unwrap_or("");
    text.lines().filter_map(|l| marker(l, "-----BEGIN ")).any(|l| l.ends_with(label_end))
}

fn marker<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    line.strip_prefix(start)?.strip_suffix("-----")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_around_objects_is_dropped() {
        let text =
            b"subject=x\n-----BEGIN CERTIFICATE-----\nYWJj\nZGVm\n-----END CERTIFICATE-----\nbye";
        let kept = sanitized(text).expect("an object");
        assert_eq!(kept, b"-----BEGIN CERTIFICATE-----\nYWJjZGVm\n-----END CERTIFICATE-----\n");
        assert!(holds(&kept, "CERTIFICATE"));
        assert!(!holds(&kept, "PRIVATE KEY"));
        assert_eq!(sanitized(&kept).expect("stays"), kept);
    }

    #[test]
    fn what_is_no_object_is_malformed() {
        for text in [
            "hello",
            "-----BEGIN A-----\nYWJj",
            "-----BEGIN A-----\nYWJj\n-----END B-----",
            "-----BEGIN A-----\n!!!\n-----END A-----",
            "-----BEGIN A-----\n-----END A-----",
            "-----END A-----",
            "-----BEGIN A-----\n-----BEGIN A-----\nYWJj\n-----END A-----",
        ] {
            assert_eq!(
                sanitized(text.as_bytes()).err(),
                Some(Code::PEM_MALFORMED.into()),
                "{text}"
            );
        }
        assert_eq!(sanitized(b"").err(), Some(Code::INVALID_ARGUMENT.into()));
        assert_eq!(sanitized(b"\xff").err(), Some(Code::PEM_MALFORMED.into()));
    }
}
