//! Texts of the outside world: URIs, percent encoding, dates, XML.
//!
//! Parsers here take bytes, never panic, bound what they build, and give offsets or owned values.
//! They know nothing of S3, of HTTP messages or of C structs; those rooms give the meaning.

pub mod date;
pub mod percent;
pub mod uri;
pub mod xml;

pub use uri::UriParts;

/// For fuzzing: any bytes are parsed or refused by every parser of the room.
pub fn fuzz_text(input: &[u8]) {
    if let Ok(parts) = uri::parse(input) {
        assert!(input.get(parts.path_and_query.clone()).is_some());
        for (name, value) in uri::params(&input[parts.query]) {
            assert!(name.len() + value.len() <= input.len());
        }
    }
    let mut encoded = Vec::new();
    percent::encode_param(input, &mut encoded);
    let mut decoded = Vec::new();
    assert!(percent::decode(&encoded, &mut decoded).is_ok() && decoded == input);
    decoded.clear();
    let _ = percent::decode(input, &mut decoded);
    let _ = date::parse_http(input);
    let _ = date::parse_iso8601(input);
    if let Ok(root) = xml::parse(input) {
        assert!(input.get(root.body.clone()).is_some());
    }
}

#[cfg(test)]
mod tests;
