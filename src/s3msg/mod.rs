//! S3 on the wire, sans-io: which request says what, and what an answer means.
//!
//! ```text
//! caller's Message + facts (range, part, upload id) --requests--> Message of one request
//! reply head + body  --range, replies, errors--> values that machines understand
//! ```
//!
//! Nothing here sends, signs, retries or waits. The inclusive range form `bytes=a-b` lives in
//! `range` only; ETags are opaque bytes and pass through unchanged; a success that cannot be read
//! is an error.

mod chunked;
mod copy_source;
mod errors;
mod fields;
mod message;
mod parts;
mod range;
mod replies;
mod requests;

pub use chunked::AwsChunked;
pub use copy_source::CopySource;
pub use errors::{
    BODY_BYTES_SHOWN_MAX, ReplyIds, S3Error, code_of_s3_error, code_of_status,
    looks_like_error_document, parse_error,
};
pub use fields::{Operation, goes_on, is_checksum_value_header};
pub use message::Message;
pub use parts::{
    OBJECT_BYTES_MAX, PART_BYTES_MAX, PART_BYTES_MIN, PARTS_MAX, PartPlan, next_part_size,
    parts_of_etag, plan_upload, range_size_of_client, range_size_of_request,
};
pub use range::{ContentRange, RangeRequest, format_range, parse_content_range, push_range};
pub use replies::{
    CompletedUpload, CopiedPart, ListedObject, ListedPart, ObjectPage, PartPage, SessionKeys,
    parse_completed, parse_copied, parse_create_session, parse_created_upload, parse_object_page,
    parse_part_page,
};
pub use requests::{
    CompletedPart, UploadChecksum, abort_upload, add_trailer_headers, complete_body,
    complete_upload, copy_object, create_session, create_upload, encode_upload_id, get_object,
    head_object, list_parts, put_object, set_checksum_header, set_content_length, source_head,
    upload_part, upload_part_copy,
};

/// For fuzzing: every parser of the room takes any bytes.
pub fn fuzz_s3msg(input: &[u8]) {
    let _ = RangeRequest::parse(input);
    let _ = parse_content_range(input);
    let _ = parts_of_etag(input);
    let _ = parse_error(input);
    let _ = looks_like_error_document(input);
    let _ = parse_created_upload(input);
    let _ = parse_completed(input);
    let _ = parse_copied(input);
    let _ = parse_part_page(input);
    let _ = parse_object_page(input);
    let _ = parse_create_session(input);
    if let Ok(source) = CopySource::parse(input) {
        let again = CopySource::parse(&source.header_value()).expect("an encoded source parses");
        assert_eq!(source, again, "encoding a copy source twice changes it");
    }
}

#[cfg(test)]
mod tests;
