use super::*;
use crate::base::{ByteRange, Code};
use crate::checksum::Algorithm;
use crate::http1::HeaderList;
use crate::text::xml;

fn bytes(start: u64, end: u64) -> ByteRange {
    ByteRange::new(start, end)
}

fn message(method: &'static str, target: &str, fields: &[(&str, &str)]) -> Message {
    let mut message = Message::new(method, target);
    for (name, value) in fields {
        message.headers.push(name.as_bytes(), value.as_bytes());
    }
    message
}

fn names(message: &Message) -> Vec<String> {
    message.headers.iter().map(|(n, _)| String::from_utf8_lossy(n).to_lowercase()).collect()
}

#[test]
fn range_in_every_form_is_read() {
    for (text, expected) in [
        ("bytes=0-0", RangeRequest::Bytes(bytes(0, 1))),
        ("bytes=5242880-5242880", RangeRequest::Bytes(bytes(5_242_880, 5_242_881))),
        ("bytes=10485759-", RangeRequest::From(10_485_759)),
        ("bytes=-1", RangeRequest::Last(1)),
        ("bytes=-0", RangeRequest::Last(0)),
        ("Bytes=1-2", RangeRequest::Bytes(bytes(1, 3))),
    ] {
        assert_eq!(RangeRequest::parse(text.as_bytes()), Ok(expected), "{text}");
    }
}

#[test]
fn range_that_is_malformed_is_refused() {
    for text in [
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=2-1",
        "bytes=1",
        "bytes=1-2-3",
        "bytes= 1-2",
        "items=0-1",
        "bytes=0-18446744073709551615",
        "bytes=+1-2",
        "bytes=--1",
        "bytes=0-1,4-5",
    ] {
        let code = RangeRequest::parse(text.as_bytes()).map_err(|e| e.code);
        assert_eq!(code, Err(Code::S3_INVALID_RANGE_HEADER), "{text}");
    }
}

#[test]
fn range_of_an_object_is_clamped_or_none() {
    let of = |text: &str, size| RangeRequest::parse(text.as_bytes()).unwrap().of_object(size);
    assert_eq!(of("bytes=0-0", 1), Some(bytes(0, 1)));
    assert_eq!(of("bytes=0-99", 10), Some(bytes(0, 10)));
    assert_eq!(of("bytes=9-", 10), Some(bytes(9, 10)));
    assert_eq!(of("bytes=-3", 10), Some(bytes(7, 10)));
    assert_eq!(of("bytes=-30", 10), Some(bytes(0, 10)));
    assert_eq!(of("bytes=10-", 10), None);
    assert_eq!(of("bytes=-0", 10), None);
    assert_eq!(of("bytes=0-0", 0), None);
}

#[test]
fn range_written_is_the_range_read() {
    for range in [bytes(0, 1), bytes(5, 10), bytes(u64::MAX - 1, u64::MAX)] {
        let text = format_range(range);
        assert_eq!(RangeRequest::parse(&text), Ok(RangeRequest::Bytes(range)));
    }
    assert_eq!(format_range(bytes(8_388_608, 16_777_216)), b"bytes=8388608-16777215");
}

#[test]
fn content_range_is_read() {
    let read = |text: &str| parse_content_range(text.as_bytes()).ok();
    assert_eq!(read("bytes 0-0/10"), Some(ContentRange { range: bytes(0, 1), total: Some(10) }));
    assert_eq!(read("bytes 5-9/10"), Some(ContentRange { range: bytes(5, 10), total: Some(10) }));
    assert_eq!(read("bytes 5-9/*"), Some(ContentRange { range: bytes(5, 10), total: None }));
    assert_eq!(read("bytes */10"), Some(ContentRange { range: bytes(0, 0), total: Some(10) }));
    for text in [
        "",
        "bytes",
        "bytes 0-0",
        "0-0/10",
        "bytes=0-0/10",
        "bytes 5-4/10",
        "bytes 5-10/10",
        "bytes */*",
        "bytes a-b/c",
        "bytes 0-18446744073709551615/*",
        "bytes 0-1/1 ,",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn h17_part_plan_of_any_size_keeps_the_limits() {
    let tib = 1u64 << 40;
    let sizes = [
        1,
        PART_BYTES_MIN,
        10_000 * (8 << 20),
        10_000 * (8 << 20) + 1,
        tib + 1,
        5 * tib,
        48 * tib,
        OBJECT_BYTES_MAX,
    ];
    for size in sizes {
        for asked in [0, 1, PART_BYTES_MIN + 1, 8 << 20, 10_000_000, PART_BYTES_MAX, u64::MAX] {
            let plan = plan_upload(size, asked).unwrap();
            assert!(plan.parts <= PARTS_MAX && plan.part_size <= PART_BYTES_MAX, "{plan:?}");
            assert!(plan.parts == 1 || plan.part_size >= PART_BYTES_MIN, "{plan:?}");
            assert!(size.div_ceil(10_000) > asked || plan.part_size <= asked.max(PART_BYTES_MIN));
            let mut end = 0;
            for index in [0, 1, plan.parts / 2, plan.parts - 1] {
                if index < plan.parts {
                    let range = plan.range(index);
                    assert_eq!(range.start, u64::from(index) * plan.part_size);
                    assert!(!range.is_empty());
                    end = range.end;
                }
            }
            assert_eq!(end, size, "the last part ends with the object");
        }
    }
    assert_eq!(plan_upload(0, 8 << 20).unwrap().parts, 0);
    let code = plan_upload(OBJECT_BYTES_MAX + 1, 8 << 20).map_err(|e| e.code);
    assert_eq!(code, Err(Code::INVALID_ARGUMENT));
}

#[test]
fn h97_part_size_of_no_round_number_is_taken() {
    assert_eq!(plan_upload(1 << 30, 10_000_000).unwrap().part_size, 10_000_000);
    assert_eq!(plan_upload(1 << 30, PART_BYTES_MIN + 1).unwrap().part_size, PART_BYTES_MIN + 1);
}

#[test]
fn h18_unknown_length_grows_its_parts_before_the_wall() {
    let total = |first, parts| -> u64 {
        (0..parts).map(|done| next_part_size(first, done, parts).unwrap()).sum()
    };
    assert!(total(PART_BYTES_MIN, 20) >= 400 << 20);
    assert!(total(PART_BYTES_MIN, PARTS_MAX) > 4 << 40);
    assert_eq!(next_part_size(PART_BYTES_MIN, 20, 20), None);
    assert_eq!(next_part_size(8 << 20, 4_999, PARTS_MAX), Some(8 << 20));
    assert_eq!(next_part_size(8 << 20, 5_000, PARTS_MAX), Some(16 << 20));
    assert_eq!(next_part_size(u64::MAX, 9_999, PARTS_MAX), Some(PART_BYTES_MAX));
    let mut last = 0;
    for done in 0..PARTS_MAX {
        let size = next_part_size(8 << 20, done, PARTS_MAX).unwrap();
        assert!(size >= last);
        last = size;
    }
}

#[test]
fn parts_of_an_etag_are_counted() {
    assert_eq!(parts_of_etag(b"\"abc\""), Ok(1));
    assert_eq!(parts_of_etag(b" \"abc-17\" "), Ok(17));
    assert_eq!(parts_of_etag(b"abc-10000"), Ok(10_000));
    for etag in ["", "\"\"", "abc-0", "abc-10001", "a-b-1", "abc-x", "abc-"] {
        assert!(parts_of_etag(etag.as_bytes()).is_err(), "{etag}");
    }
}

#[test]
fn range_size_follows_memory_and_stored_parts() {
    let mib = 1u64 << 20;
    assert_eq!(range_size_of_client(3000 * mib, 10), Ok(100 * mib));
    assert_eq!(range_size_of_client(mib, 10), Ok(8 * mib));
    assert_eq!(range_size_of_client(u64::MAX, 1), Ok(5 << 30));
    assert!(range_size_of_client(0, 1).is_err() && range_size_of_client(1, 0).is_err());
    assert_eq!(range_size_of_request(100 * mib, 50 * mib, false), Ok(50 * mib));
    assert_eq!(range_size_of_request(100 * mib, 1, false), Ok(8 * mib));
    assert_eq!(range_size_of_request(5 << 30, 0, false), Ok(2 << 30));
    assert_eq!(range_size_of_request(5 << 30, 0, true), Ok(128 * mib));
    assert!(range_size_of_request(0, 0, true).is_err());
}

#[test]
fn get_of_a_range_is_pinned_and_keeps_the_callers_fields() {
    let base =
        message("GET", "/k?versionId=v", &[("Host", "h"), ("range", "bytes=0-99"), ("x-y", "z")]);
    let get = get_object(&base, Some(bytes(5, 10)), Some(b"W/\"x\""));
    assert_eq!(get.header("Range"), Some(&b"bytes=5-9"[..]));
    assert_eq!(get.header("If-Match"), Some(&b"W/\"x\""[..]));
    assert_eq!(get.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(b"range")).count(), 1);
    assert_eq!((get.target.as_str(), get.header("x-y")), ("/k?versionId=v", Some(&b"z"[..])));
    let mut out = Vec::new();
    head_object(&base).encode(&mut out).unwrap();
    assert!(out.starts_with(b"HEAD /k?versionId=v HTTP/1.1\r\nHost: h\r\n"));
}

#[test]
fn h54_requests_without_a_body_have_no_content_length() {
    let base = message("GET", "/k", &[("Host", "h"), ("Content-Length", "0")]);
    let none = UploadChecksum::default();
    for message in [
        get_object(&base, None, None),
        head_object(&base),
        abort_upload(&base, "id"),
        list_parts(&base, "id", None, &none),
    ] {
        assert_eq!(message.header("Content-Length"), None, "{}", message.method);
    }
}

/// A PUT with every field that S3 documents for PutObject, and two it does not.
fn full_put() -> Message {
    message(
        "PUT",
        "/bucket/key",
        &[
            ("Host", "h"),
            ("Content-Length", "25165824"),
            ("Content-MD5", "x"),
            ("Content-Type", "text/plain"),
            ("Content-Encoding", "gzip"),
            ("Cache-Control", "no-cache"),
            ("Expires", "0"),
            ("If-None-Match", "*"),
            ("x-amz-acl", "private"),
            ("X-Amz-Meta-A", "b"),
            ("x-amz-tagging", "a=b"),
            ("x-amz-storage-class", "STANDARD"),
            ("x-amz-server-side-encryption", "aws:kms"),
            ("x-amz-server-side-encryption-customer-key", "k"),
            ("x-amz-request-payer", "requester"),
            ("x-amz-expected-bucket-owner", "1"),
            ("x-amz-checksum-future9", "Zm9v"),
            ("x-amz-sdk-checksum-algorithm", "CRC32"),
            ("x-amz-object-lock-mode", "GOVERNANCE"),
            ("x-custom", "1"),
        ],
    )
}

#[test]
fn h20_fields_go_only_on_the_requests_that_take_them() {
    let base = full_put();
    let none = UploadChecksum::default();
    let future = UploadChecksum { unknown: Some("FUTURE9"), full_object: Some("Zm9v"), ..none };
    assert_eq!(
        names(&create_upload(&base, &none)),
        [
            "host",
            "content-type",
            "content-encoding",
            "cache-control",
            "expires",
            "x-amz-acl",
            "x-amz-meta-a",
            "x-amz-tagging",
            "x-amz-storage-class",
            "x-amz-server-side-encryption",
            "x-amz-server-side-encryption-customer-key",
            "x-amz-request-payer",
            "x-amz-expected-bucket-owner",
            "x-amz-object-lock-mode",
            "x-custom",
            "content-length"
        ]
    );
    assert_eq!(
        names(&upload_part(&base, "id", 1, 5)),
        [
            "host",
            "x-amz-server-side-encryption-customer-key",
            "x-amz-request-payer",
            "x-amz-expected-bucket-owner",
            "x-amz-sdk-checksum-algorithm",
            "x-custom",
            "content-length"
        ]
    );
    assert_eq!(
        names(&complete_upload(&base, "id", None, &none, 9)),
        [
            "host",
            "if-none-match",
            "x-amz-request-payer",
            "x-amz-expected-bucket-owner",
            "x-amz-checksum-future9",
            "x-custom",
            "content-length"
        ]
    );
    assert_eq!(
        names(&complete_upload(&base, "id", Some(7), &future, 9)),
        [
            "host",
            "if-none-match",
            "x-amz-server-side-encryption-customer-key",
            "x-amz-request-payer",
            "x-amz-expected-bucket-owner",
            "x-amz-checksum-future9",
            "x-custom",
            "x-amz-checksum-type",
            "x-amz-mp-object-size",
            "content-length"
        ]
    );
    assert_eq!(
        names(&abort_upload(&base, "id")),
        ["host", "x-amz-request-payer", "x-amz-expected-bucket-owner", "x-custom"]
    );
    assert_eq!(
        names(&list_parts(&base, "id", None, &none)),
        ["host", "x-amz-request-payer", "x-amz-expected-bucket-owner", "x-custom"]
    );
}

#[test]
fn h19_create_upload_says_that_it_has_no_body() {
    let create = create_upload(&full_put(), &UploadChecksum::default());
    assert_eq!(create.header("Content-Length"), Some(&b"0"[..]));
    assert_eq!((&*create.method, create.target.as_str()), ("POST", "/bucket/key?uploads"));
}

#[test]
fn requests_of_an_upload_have_method_and_target() {
    let base = message("PUT", "/k?versionId=1", &[("Host", "h")]);
    let none = UploadChecksum::default();
    let head = |m: Message| format!("{} {}", m.method, m.target);
    assert_eq!(
        head(upload_part(&base, "a+b/c=", 3, 0)),
        "PUT /k?versionId=1&partNumber=3&uploadId=a%2Bb%2Fc%3D"
    );
    assert_eq!(
        head(complete_upload(&base, "id", None, &none, 0)),
        "POST /k?versionId=1&uploadId=id"
    );
    assert_eq!(head(abort_upload(&base, "id")), "DELETE /k?versionId=1&uploadId=id");
    assert_eq!(
        head(list_parts(&base, "id", Some(1000), &none)),
        "GET /k?versionId=1&uploadId=id&part-number-marker=1000"
    );
}

#[test]
fn full_object_checksum_goes_on_create_and_complete() {
    let base = message("PUT", "/k", &[("Host", "h"), ("x-amz-checksum-crc32", "AAAAAA==")]);
    let checksum = UploadChecksum {
        algorithm: Some(Algorithm::Crc32),
        unknown: None,
        full_object: Some("AAAAAA=="),
    };
    let create = create_upload(&base, &checksum);
    assert_eq!(create.header("x-amz-checksum-algorithm"), Some(&b"CRC32"[..]));
    assert_eq!(create.header("x-amz-checksum-type"), Some(&b"FULL_OBJECT"[..]));
    assert_eq!(create.header("x-amz-checksum-crc32"), None);
    assert_eq!(upload_part(&base, "id", 1, 1).header("x-amz-checksum-crc32"), None);
    let complete = complete_upload(&base, "id", Some(1), &checksum, 1);
    assert_eq!(complete.header("x-amz-checksum-crc32"), Some(&b"AAAAAA=="[..]));
    assert_eq!(complete.header("x-amz-mp-object-size"), Some(&b"1"[..]));
}

#[test]
fn h21_copied_part_has_no_content_md5_and_its_range() {
    let base = message(
        "PUT",
        "/k",
        &[("Host", "h"), ("Content-MD5", "x"), ("x-amz-copy-source", "b/k"), ("x-amz-acl", "a")],
    );
    let source = CopySource::parse(b"b/a+b c").unwrap();
    let part = upload_part_copy(&base, &source, "id", 2, bytes(10, 20));
    assert_eq!(
        names(&part),
        ["host", "x-amz-copy-source", "x-amz-copy-source-range", "content-length"]
    );
    assert_eq!(part.header("x-amz-copy-source"), Some(&b"b/a%2Bb%20c"[..]));
    assert_eq!(part.header("x-amz-copy-source-range"), Some(&b"bytes=10-19"[..]));
}

#[test]
fn h24_copy_source_in_any_spelling_is_one_key() {
    for text in
        ["bucket/a+b c.txt", "/bucket/a+b c.txt", "bucket/a%2Bb%20c.txt", "/bucket/a%2Bb c.txt"]
    {
        let source = CopySource::parse(text.as_bytes()).unwrap();
        assert_eq!(source.bucket, "bucket");
        assert_eq!(source.key, "a%2Bb%20c.txt", "{text}");
        assert_eq!(source.header_value(), b"bucket/a%2Bb%20c.txt");
        assert_eq!(source.target(false), "/a%2Bb%20c.txt");
        assert_eq!(source.target(true), "/bucket/a%2Bb%20c.txt");
    }
    let lead = CopySource::parse(b"bucket//lead").unwrap();
    assert_eq!(lead.target(false), "//lead");
    let version = CopySource::parse(b"b/k?x?versionId=v1").unwrap();
    assert_eq!((version.key.as_str(), version.query.as_str()), ("k%3Fx", "versionId=v1"));
    assert_eq!(version.target(true), "/b/k%3Fx?versionId=v1");
    let arn = CopySource::parse(b"arn:aws:s3:r:1:accesspoint/p/object/a b").unwrap();
    assert_eq!(arn.header_value(), b"arn:aws:s3:r:1:accesspoint/p/object/a%20b");
    for text in ["", "/", "bucket", "bucket/", "//k", "arn:aws:s3:r:1:accesspoint/p"] {
        assert!(CopySource::parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn source_head_carries_what_opens_the_source() {
    let base = message(
        "PUT",
        "/dst",
        &[
            ("Host", "dst"),
            ("x-amz-request-payer", "requester"),
            ("x-amz-source-expected-bucket-owner", "2"),
            ("x-amz-expected-bucket-owner", "1"),
        ],
    );
    let source = CopySource::parse(b"b/k").unwrap();
    let head = source_head(&base, &source, "b.host", false);
    assert_eq!((&*head.method, head.target.as_str()), ("HEAD", "/k"));
    assert_eq!(head.header("Host"), Some(&b"b.host"[..]));
    assert_eq!(head.header("x-amz-expected-bucket-owner"), Some(&b"2"[..]));
    assert_eq!(names(&head).len(), 3);
}

#[test]
fn h95_create_session_carries_only_its_own_fields() {
    let session = create_session(&full_put(), "b.host");
    assert_eq!(session.target, "/?session");
    assert_eq!(names(&session), ["host", "x-amz-server-side-encryption"]);
}

#[test]
fn h52_trailer_keeps_the_callers_encoding() {
    let mut put = message("PUT", "/k", &[("Content-Encoding", "gzip")]);
    add_trailer_headers(&mut put, Algorithm::Crc32c, 10, 57).unwrap();
    assert_eq!(put.header("Content-Encoding"), Some(&b"aws-chunked,gzip"[..]));
    assert_eq!(put.header("x-amz-trailer"), Some(&b"x-amz-checksum-crc32c"[..]));
    assert_eq!(put.header("x-amz-decoded-content-length"), Some(&b"10"[..]));
    assert_eq!(put.header("Content-Length"), Some(&b"57"[..]));
    let mut twice = message("PUT", "/k", &[("Content-Encoding", "gzip, AWS-Chunked")]);
    let code = add_trailer_headers(&mut twice, Algorithm::Crc32c, 1, 1).map_err(|e| e.code);
    assert_eq!(code, Err(Code::INVALID_ARGUMENT));
}

#[test]
fn unsigned_chunked_body_has_the_length_it_announced() {
    for len in [0u64, 1, 15, 16, 65_535, 65_536] {
        for algorithm in Algorithm::ALL {
            let mut framing = AwsChunked::unsigned(len, algorithm);
            let announced = framing.encoded_len();
            let mut out = Vec::new();
            if len > 0 {
                assert_eq!(framing.begin_chunk(None, &mut out), len);
                out.resize(out.len() + len as usize, b'x');
            }
            assert_eq!(framing.next_len(), 0);
            let value = "A".repeat(algorithm.len_base64());
            framing.finish(None, Some(&value), None, &mut out);
            assert_eq!(out.len() as u64, announced, "{len} {algorithm:?}");
            let end = format!("0\r\n{}:{value}\r\n\r\n", algorithm.header());
            assert!(out.ends_with(end.as_bytes()));
        }
    }
    let mut framing = AwsChunked::unsigned(5, Algorithm::Crc32);
    let mut out = Vec::new();
    framing.begin_chunk(None, &mut out);
    out.extend_from_slice(b"hello");
    framing.finish(None, Some("NhCmhg=="), None, &mut out);
    assert_eq!(out, b"5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n");
}

#[test]
fn signed_chunked_body_has_the_length_that_s3_documents() {
    // The worked example: 66,560 bytes in chunks of 64 KiB are 66,824 bytes on the wire.
    assert_eq!(AwsChunked::signed(66_560, 65_536, None).encoded_len(), 66_824);
    for trailer in [None, Some(Algorithm::Sha256)] {
        for len in [0u64, 1, 99, 100, 101, 250] {
            let mut framing = AwsChunked::signed(len, 100, trailer);
            let announced = framing.encoded_len();
            let (mut out, mut given) = (Vec::new(), 0);
            let signature = [b's'; 64];
            while framing.next_len() > 0 {
                let chunk = framing.begin_chunk(Some(&signature), &mut out);
                out.resize(out.len() + chunk as usize, b'x');
                given += chunk;
            }
            let value = "A".repeat(44);
            let value = trailer.map(|_| value.as_str());
            framing.finish(Some(&signature), value, trailer.map(|_| &signature), &mut out);
            assert_eq!((given, out.len() as u64), (len, announced));
        }
    }
}

#[test]
fn h06_complete_body_carries_etags_unchanged_but_escaped() {
    let etags: [&[u8]; 4] = [b"\"abc\"", b"abc-no-quotes", b"W/\"x\"", b"a<&>b"];
    let parts = etags.iter().enumerate().map(|(index, etag)| CompletedPart {
        number: index as u32 + 1,
        etag,
        checksum: Some((Algorithm::Crc64Nvme, "AAAAAAAAAAA=")),
    });
    let mut body = Vec::new();
    complete_body(parts, &mut body);
    let root = xml::parse(&body).unwrap();
    assert_eq!(root.name, "CompleteMultipartUpload");
    let read: Vec<_> = root
        .children_named("Part")
        .map(|p| (p.text_of("PartNumber").unwrap(), p.text_of("ETag").unwrap().as_bytes()))
        .collect();
    assert_eq!(read, [("1", etags[0]), ("2", etags[1]), ("3", etags[2]), ("4", etags[3])]);
    assert_eq!(root.at(&["Part", "ChecksumCRC64NVME"]).unwrap().text, "AAAAAAAAAAA=");
    assert!(memchr::memmem::find(&body, b"<ETag>\"abc\"</ETag>").is_some());
}

#[test]
fn created_upload_gives_its_id_or_an_error() {
    let body = b"<?xml version=\"1.0\"?>\n<InitiateMultipartUploadResult xmlns=\"u\">\
        <Bucket>b</Bucket><UploadId> a&amp;b </UploadId></InitiateMultipartUploadResult>";
    assert_eq!(parse_created_upload(body), Ok("a&b".to_owned()));
    for cut in 0..body.len() {
        let code = parse_created_upload(&body[..cut]).map_err(|e| e.code);
        assert_eq!(code, Err(Code::S3_MISSING_UPLOAD_ID));
    }
    assert!(parse_created_upload(b"<X><UploadId>1</UploadId></X>").is_err());
}

#[test]
fn completed_upload_is_done_refused_or_unclear() {
    let done =
        b"\n\n<?xml version=\"1.0\"?><CompleteMultipartUploadResult><ETag>&quot;a-3&quot;</ETag>\
        <ChecksumCRC32>AAAAAA==-3</ChecksumCRC32></CompleteMultipartUploadResult>";
    let CompletedUpload::Done { etag, checksum, .. } = parse_completed(done) else { panic!() };
    assert_eq!(etag, "\"a-3\"");
    assert_eq!(checksum, Some((Algorithm::Crc32, "AAAAAA==-3".to_owned())));
    for cut in 0..done.len() {
        assert_eq!(parse_completed(&done[..cut]), CompletedUpload::Unclear, "{cut}");
    }
    let refused = b"<?xml version=\"1.0\"?><Error><Code>InternalError</Code></Error>";
    let CompletedUpload::Refused(error) = parse_completed(refused) else { panic!() };
    assert_eq!(error.code, "InternalError");
    let without = b"<CompleteMultipartUploadResult></CompleteMultipartUploadResult>";
    assert_eq!(parse_completed(without), CompletedUpload::Unclear);
}

#[test]
fn copied_part_is_done_refused_or_unclear() {
    let done = b"<CopyPartResult><ETag>\"e\"</ETag></CopyPartResult>";
    assert_eq!(parse_copied(done), CopiedPart::Done { etag: "\"e\"".to_owned(), checksum: None });
    let slow = b"<Error><Code>SlowDown</Code></Error>";
    assert!(matches!(parse_copied(slow), CopiedPart::Refused(e) if e.code == "SlowDown"));
    for body in [&b""[..], b"<CopyPartResult/>", b"<html/>", b"<CopyObjectResult><ETag>x"] {
        assert_eq!(parse_copied(body), CopiedPart::Unclear);
    }
}

#[test]
fn h28_part_page_says_where_the_next_begins() {
    let page = parse_part_page(
        b"<ListPartsResult><IsTruncated>true</IsTruncated>\
          <NextPartNumberMarker>1000</NextPartNumberMarker>\
          <Part><PartNumber>999</PartNumber><Size>5</Size><ETag>\"a\"</ETag>\
          <LastModified>2015-08-30T12:36:00.000Z</LastModified>\
          <ChecksumSHA256>x</ChecksumSHA256></Part>\
          <Part><PartNumber>1000</PartNumber><Size>6</Size></Part></ListPartsResult>",
    )
    .unwrap();
    assert_eq!(page.next_marker, Some(1000));
    assert_eq!(page.parts[0].last_modified, Some(1_440_938_160));
    assert_eq!(page.parts[0].checksum, Some((Algorithm::Sha256, "x".to_owned())));
    assert_eq!((page.parts[1].number, page.parts[1].size), (1000, 6));
    for body in [
        &b"<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>"[..],
        b"<ListPartsResult><Part><Size>1</Size></Part></ListPartsResult>",
        b"<ListPartsResult><Part><PartNumber>1</PartNumber></Part></ListPartsResult>",
        b"<Other/>",
        b"",
    ] {
        let code = parse_part_page(body).map_err(|e| e.code);
        assert_eq!(code, Err(Code::S3_LIST_PARTS_PARSE_FAILED));
    }
}

#[test]
fn object_page_is_read_with_encoded_keys() {
    let page = parse_object_page(
        b"<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>\
          <NextContinuationToken>t==</NextContinuationToken>\
          <Contents><Key>a+b%2Bc%20%26</Key><Size>7</Size><ETag>\"e\"</ETag>\
          <StorageClass>STANDARD</StorageClass><Owner><ID>i</ID></Owner></Contents>\
          <CommonPrefixes><Prefix>p%2F</Prefix></CommonPrefixes></ListBucketResult>",
    )
    .unwrap();
    assert_eq!(page.objects[0].key, "a b+c &");
    assert_eq!((page.objects[0].size, page.objects[0].owner_id.as_str()), (7, "i"));
    assert_eq!(page.common_prefixes, ["p/"]);
    assert_eq!(page.next_token.as_deref(), Some("t=="));
    assert!(
        parse_object_page(b"<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>")
            .is_err()
    );
}

#[test]
fn session_without_all_its_keys_is_refused() {
    let body = "<CreateSessionResult><Credentials><SessionToken>t</SessionToken>\
        <SecretAccessKey>s</SecretAccessKey><AccessKeyId>a</AccessKeyId>\
        <Expiration>1970-01-01T00:01:00Z</Expiration></Credentials></CreateSessionResult>";
    let keys = parse_create_session(body.as_bytes()).unwrap();
    assert_eq!((keys.access.as_str(), keys.expiration), ("a", Some(60)));
    let without = body.replace("<SecretAccessKey>s</SecretAccessKey>", "");
    let code = parse_create_session(without.as_bytes()).err().map(|e| e.code);
    assert_eq!(code, Some(Code::S3EXPRESS_CREATE_SESSION_FAILED));
}

#[test]
fn h38_error_document_gives_code_ids_and_region() {
    let error = parse_error(
        b"<?xml version=\"1.0\"?><Error><Code>PermanentRedirect</Code><Message>m</Message>\
          <RequestId>r</RequestId><HostId>h</HostId><Endpoint>e</Endpoint>\
          <Region>eu-west-1</Region></Error>",
    )
    .unwrap();
    assert_eq!((error.code.as_str(), error.message.as_str()), ("PermanentRedirect", "m"));
    assert_eq!((error.request_id.as_str(), error.host_id.as_str()), ("r", "h"));
    assert_eq!((error.region.as_str(), error.endpoint.as_str()), ("eu-west-1", "e"));
    let mut headers = HeaderList::new();
    headers.push(b"X-Amz-Bucket-Region", b"eu-west-1");
    headers.push(b"x-amz-id-2", b"h2");
    let ids = ReplyIds::of(&headers);
    assert_eq!(ids.bucket_region.as_deref(), Some("eu-west-1"));
    assert_eq!((ids.host_id.as_deref(), ids.request_id), (Some("h2"), None));
}

#[test]
fn h49_body_that_is_no_error_document_gives_none() {
    for body in [&b""[..], b"<html><body>400</body></html>", b"oops", b"<Error><Code>x", b"\xff"] {
        assert_eq!(parse_error(body), None);
    }
    let wrapped =
        b"<ErrorResponse><Error><Code>C</Code></Error><RequestId>r</RequestId></ErrorResponse>";
    let error = parse_error(wrapped).unwrap();
    assert_eq!((error.code.as_str(), error.request_id.as_str()), ("C", "r"));
}

#[test]
fn h15_error_under_status_200_is_seen() {
    for body in [
        &b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<Error><Code>InternalError</Code></Error>"
            [..],
        b"<Error>",
        b"  <!-- c --> <Error xmlns=\"x\">",
        b"<s3:Error/>",
        b"\xef\xbb\xbf<Error",
    ] {
        assert!(looks_like_error_document(body), "{}", String::from_utf8_lossy(body));
    }
    for body in [
        &b""[..],
        b"<Errors>",
        b"<CopyObjectResult><Error/></CopyObjectResult>",
        b"Error",
        b"<?xml",
        b"<",
    ] {
        assert!(!looks_like_error_document(body), "{}", String::from_utf8_lossy(body));
    }
}

#[test]
fn codes_of_s3_and_of_statuses_are_those_of_the_headers() {
    assert_eq!(code_of_s3_error("slowdown"), Some(Code::S3_SLOW_DOWN));
    assert_eq!(code_of_s3_error("InternalErrors"), Some(Code::S3_INTERNAL_ERROR));
    assert_eq!(code_of_s3_error("RequestTimeTooSkewed"), Some(Code::S3_REQUEST_TIME_TOO_SKEWED));
    assert_eq!(code_of_s3_error("RequestTimeout"), Some(Code::S3_REQUEST_TIMEOUT));
    assert_eq!(code_of_s3_error("AccessDenied"), None);
    for (status, code) in [
        (200, Code::SUCCESS),
        (206, Code::SUCCESS),
        (500, Code::S3_INTERNAL_ERROR),
        (502, Code::S3_INTERNAL_ERROR),
        (503, Code::S3_SLOW_DOWN),
        (504, Code::S3_INTERNAL_ERROR),
        (301, Code::S3_INVALID_RESPONSE_STATUS),
        (403, Code::S3_INVALID_RESPONSE_STATUS),
        (0, Code::S3_INVALID_RESPONSE_STATUS),
    ] {
        assert_eq!(code_of_status(status), code, "{status}");
    }
}

#[test]
fn debug_of_a_message_shows_no_value() {
    let put = message(
        "PUT",
        "/k?X-Amz-Signature=s",
        &[("x-amz-server-side-encryption-customer-key", "SECRET")],
    );
    let text = format!("{put:?}");
    assert!(!text.contains("SECRET") && !text.contains("Signature"), "{text}");
}

#[test]
fn message_params_are_found_by_name() {
    let get = message("GET", "/k?partNumber=2&x", &[]);
    assert!(get.has_param("partNumber") && get.has_param("x"));
    assert!(!get.has_param("part") && !get.has_param("2"));
    assert_eq!((get.path(), get.query()), ("/k", "partNumber=2&x"));
}

#[test]
fn fuzz_s3msg_corpus_never_panics() {
    let seeds: &[&[u8]] = &[
        b"bytes=0-10",
        b"bytes 0-9/10",
        b"\"abc-12\"",
        b"<Error><Code>SlowDown</Code></Error>",
        b"<ListPartsResult><Part><PartNumber>1</PartNumber><Size>2</Size></Part></ListPartsResult>",
        b"/bucket/a%20b?versionId=x",
        b"arn:aws:s3:r:1:accesspoint/p/object/k",
    ];
    for seed in seeds {
        for at in 0..=seed.len() {
            fuzz_s3msg(&seed[..at]);
            for byte in [0, b'-', b'/', b'<', b'>', b'%', b'9', b' ', 0xff] {
                let mut changed = seed.to_vec();
                changed.insert(at, byte);
                fuzz_s3msg(&changed);
            }
        }
    }
}
