//! The published suite, the worked examples of the S3 documentation, and the rules of our own.

use super::*;
use crate::base::Code;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const SUITE: &[u8] = include_bytes!("testdata/suite.txt");
/// 2013-05-24T00:00:00Z, the day of the S3 documentation's examples.
const DOC_TIME: u64 = 1_369_353_600;
static DOC_KEYS: LazyLock<Keys> = LazyLock::new(|| {
    Keys::new("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", None)
});

type Fields = Vec<(Vec<u8>, Vec<u8>)>;

struct Case {
    files: BTreeMap<String, Vec<u8>>,
}

struct Request {
    method: Vec<u8>,
    target: Vec<u8>,
    headers: Fields,
    body: Vec<u8>,
}

impl Case {
    fn text(&self, file: &str) -> String {
        let bytes = self.files.get(file).unwrap_or_else(|| panic!("no file {file}"));
        String::from_utf8(bytes.clone()).unwrap()
    }

    /// A value of context.json, which is flat enough for a search by name.
    fn setting(&self, name: &str) -> Option<String> {
        let json = self.text("context.json");
        let rest = json.split_once(&format!("\"{name}\":"))?.1.trim_start();
        let end = match rest.strip_prefix('"') {
            Some(quoted) => return quoted.split('"').next().map(str::to_owned),
            None => rest.find([',', '\n', '}']).unwrap(),
        };
        Some(rest[..end].trim().to_owned())
    }

    fn request(&self) -> Request {
        let bytes = &self.files["request.txt"];
        let split = memchr::memmem::find(bytes, b"\n\n").unwrap_or(bytes.len());
        let body = bytes.get(split + 2..).unwrap_or_default().to_vec();
        let mut lines = bytes[..split].split(|&b| b == b'\n');
        let first = lines.next().unwrap();
        let space = first.iter().position(|&b| b == b' ').unwrap();
        let last = first.iter().rposition(|&b| b == b' ').unwrap();
        let mut headers = Fields::new();
        for line in lines.filter(|l| !l.is_empty()) {
            if line[0] == b' ' {
                let value = &mut headers.last_mut().unwrap().1;
                value.extend_from_slice(line);
            } else {
                let colon = line.iter().position(|&b| b == b':').unwrap();
                headers.push((line[..colon].to_vec(), line[colon + 1..].to_vec()));
            }
        }
        Request {
            method: first[..space].to_vec(),
            target: first[space + 1..last].to_vec(),
            headers,
            body,
        }
    }
}

fn suite() -> BTreeMap<String, Case> {
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    let mut rest = SUITE;
    while !rest.is_empty() {
        let line_end = rest.iter().position(|&b| b == b'\n').unwrap();
        let line = std::str::from_utf8(&rest[..line_end]).unwrap();
        let mut words = line.strip_prefix("==== ").unwrap().split(' ');
        let (case, file) = (words.next().unwrap(), words.next().unwrap());
        let len: usize = words.next().unwrap().parse().unwrap();
        let body = &rest[line_end + 1..line_end + 1 + len];
        cases
            .entry(case.to_owned())
            .or_insert_with(|| Case { files: BTreeMap::new() })
            .files
            .insert(file.to_owned(), body.to_vec());
        rest = &rest[line_end + 1 + len + 1..];
    }
    cases
}

fn pairs(fields: &Fields) -> impl Iterator<Item = (&[u8], &[u8])> {
    fields.iter().map(|(n, v)| (&n[..], &v[..]))
}

fn unix(timestamp: &str) -> u64 {
    assert_eq!(timestamp, "2015-08-30T12:36:00Z", "all cases carry the same time");
    1_440_938_160
}

#[test]
fn published_suite_every_case_signs_as_published() {
    let cases = suite();
    assert_eq!(cases.len(), 38);
    for (name, case) in &cases {
        let request = case.request();
        let setting = |name: &str| case.setting(name);
        let token = setting("token");
        let access = setting("access_key_id").unwrap();
        let secret = setting("secret_access_key").unwrap();
        let keys = Keys::new(access, secret, token.as_deref().map(str::as_bytes));
        let style = Style {
            // Most cases give a raw path, two an encoded one; both expect it encoded once.
            double_encode: !request.target.contains(&b'%'),
            normalize_path: setting("normalize").unwrap() == "true",
            omit_session_token: setting("omit_session_token").as_deref() == Some("true"),
            content_sha256_header: setting("sign_body").unwrap() == "true",
            express: false,
        };
        let time = unix(&setting("timestamp").unwrap());
        let hash = sha256_hex(&request.body);
        let payload = PayloadHash::Sha256(&hash);
        let mut signer =
            Signer::new(setting("region").unwrap(), setting("service").unwrap(), style);
        let parts = RequestParts { method: &request.method, target: &request.target };

        let signed =
            signer.sign_headers(&parts, pairs(&request.headers), &keys, time, payload).unwrap();
        let signature = String::from_utf8(signed.signature.to_vec()).unwrap();
        let authorization = String::from_utf8(signed.authorization.to_vec()).unwrap();
        let added: Vec<String> = signed
            .headers()
            .map(|(n, v)| format!("{}:{}", String::from_utf8_lossy(n), String::from_utf8_lossy(v)))
            .collect();
        assert_eq!(
            String::from_utf8_lossy(signer.canonical_request()),
            case.text("header-canonical-request.txt"),
            "{name}"
        );
        assert_eq!(
            String::from_utf8_lossy(signer.string_to_sign()),
            case.text("header-string-to-sign.txt"),
            "{name}"
        );
        assert_eq!(signature, case.text("header-signature.txt"), "{name}");
        assert!(case.text("header-signed-request.txt").contains(&authorization), "{name}");
        for line in added {
            let published = case.text("header-signed-request.txt");
            let found = published.lines().any(|l| l.eq_ignore_ascii_case(&line));
            assert!(found, "{name}: {line} in {published}");
        }

        let expires = setting("expiration_in_seconds").unwrap().parse().unwrap();
        let presigned = signer
            .sign_query(&parts, pairs(&request.headers), &keys, time, payload, expires)
            .unwrap();
        let query = String::from_utf8(presigned.query.to_vec()).unwrap();
        let signature = String::from_utf8(presigned.signature.to_vec()).unwrap();
        assert_eq!(
            String::from_utf8_lossy(signer.canonical_request()),
            case.text("query-canonical-request.txt"),
            "{name}"
        );
        assert_eq!(signature, case.text("query-signature.txt"), "{name}");
        assert!(case.text("query-signed-request.txt").contains(&query), "{name}: {query}");
    }
}

fn doc_signature(method: &str, target: &str, headers: &[(&str, &str)], hash: &str) -> String {
    let hash = hash.as_bytes();
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: method.as_bytes(), target: target.as_bytes() };
    let headers = headers.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes()));
    let signed =
        signer.sign_headers(&parts, headers, &DOC_KEYS, DOC_TIME, PayloadHash::Text(hash)).unwrap();
    String::from_utf8(signed.signature.to_vec()).unwrap()
}

#[test]
fn s3_documentation_get_with_range_signs_as_documented() {
    let empty = std::str::from_utf8(EMPTY_SHA256).unwrap();
    let host = ("Host", "examplebucket.s3.amazonaws.com");
    assert_eq!(
        doc_signature("GET", "/test.txt", &[host, ("Range", "bytes=0-9")], empty),
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    );
    assert_eq!(
        doc_signature("GET", "/?lifecycle", &[host], empty),
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    );
    assert_eq!(
        doc_signature("GET", "/?max-keys=2&prefix=J", &[host], empty),
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    );
}

#[test]
fn s3_documentation_put_with_body_signs_as_documented() {
    let hash = sha256_hex(b"Welcome to Amazon S3.");
    assert_eq!(
        doc_signature(
            "PUT",
            "/test%24file.text",
            &[
                ("Host", "examplebucket.s3.amazonaws.com"),
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            std::str::from_utf8(&hash).unwrap()
        ),
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    );
}

#[test]
fn s3_documentation_presigned_get_signs_as_documented() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"GET", target: b"/test.txt" };
    let headers = [(&b"Host"[..], &b"examplebucket.s3.amazonaws.com"[..])];
    let signed = signer
        .sign_query(&parts, headers.into_iter(), &DOC_KEYS, DOC_TIME, PayloadHash::Unsigned, 86_400)
        .unwrap();
    assert_eq!(
        &signed.signature[..],
        b"aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    );
    assert_eq!(signed.params().count(), 6);
}

#[test]
fn s3_documentation_signed_chunks_sign_as_documented() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"PUT", target: b"/examplebucket/chunkObject.txt" };
    let headers = [
        ("Host", "s3.amazonaws.com"),
        ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ("Content-Encoding", "aws-chunked"),
        ("x-amz-decoded-content-length", "66560"),
        ("Content-Length", "66824"),
    ];
    let headers = headers.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes()));
    let seed = signer
        .sign_headers(&parts, headers, &DOC_KEYS, DOC_TIME, PayloadHash::Streaming)
        .unwrap()
        .signature;
    assert_eq!(&seed[..], b"4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");
    let first = sha256_hex(&[b'a'; 65_536]);
    let first = signer.sign_chunk(&DOC_KEYS, DOC_TIME, &seed, &first);
    assert_eq!(&first[..], b"ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
    let second = sha256_hex(&[b'a'; 1024]);
    let second = signer.sign_chunk(&DOC_KEYS, DOC_TIME, &first, &second);
    assert_eq!(&second[..], b"0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
    let last = signer.sign_chunk(&DOC_KEYS, DOC_TIME, &second, EMPTY_SHA256);
    assert_eq!(&last[..], b"b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
}

#[test]
fn s3_documentation_signed_trailer_signs_as_documented() {
    let mut signer = Signer::for_s3("us-east-1");
    let last = b"2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992";
    let trailers = [(&b"x-amz-checksum-crc32c"[..], &b"sOO8/Q=="[..])];
    let signature = signer.sign_trailers(&DOC_KEYS, DOC_TIME, last, trailers.into_iter()).unwrap();
    assert_eq!(&signature[..], b"d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435");
}

#[test]
fn path_of_s3_with_odd_segments_is_signed_as_sent() {
    for target in ["/a//b", "//a", "/a/", "/a/./b", "/a/../b", "/a%20b+c", "/"] {
        let mut signer = Signer::for_s3("us-east-1");
        let parts = RequestParts { method: b"GET", target: target.as_bytes() };
        signer
            .sign_headers(&parts, std::iter::empty(), &DOC_KEYS, DOC_TIME, PayloadHash::Unsigned)
            .unwrap();
        let canonical = String::from_utf8_lossy(signer.canonical_request()).into_owned();
        assert_eq!(canonical.lines().nth(1), Some(target));
    }
}

#[test]
fn headers_that_proxies_change_are_not_signed() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"PUT", target: b"/k" };
    let headers = [
        ("Host", "h"),
        ("Expect", "100-continue"),
        ("Connection", "keep-alive"),
        ("Transfer-Encoding", "chunked"),
        ("User-Agent", "u"),
        ("X-Amzn-Trace-Id", "t"),
    ];
    let headers = headers.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes()));
    let signed =
        signer.sign_headers(&parts, headers, &DOC_KEYS, DOC_TIME, PayloadHash::Unsigned).unwrap();
    let text = String::from_utf8_lossy(signed.authorization).into_owned();
    assert!(text.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date,"), "{text}");
}

#[test]
fn headers_that_signing_writes_are_refused_from_the_caller() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"GET", target: b"/k" };
    for name in ["x-amz-date", "Authorization", "X-Amz-Security-Token", "x-amz-content-sha256"] {
        let headers = [(name.as_bytes(), &b"v"[..])];
        let result = signer.sign_headers(
            &parts,
            headers.into_iter(),
            &DOC_KEYS,
            DOC_TIME,
            PayloadHash::Unsigned,
        );
        let code = result.err().map(|e| e.code);
        assert_eq!(code, Some(Code::AUTH_SIGNING_ILLEGAL_REQUEST_HEADER), "{name}");
    }
    let parts = RequestParts { method: b"GET", target: b"/k?x-amz-%64ate=1" };
    let result = signer.sign_query(
        &parts,
        std::iter::empty(),
        &DOC_KEYS,
        DOC_TIME,
        PayloadHash::Unsigned,
        1,
    );
    assert_eq!(result.err().map(|e| e.code), Some(Code::AUTH_SIGNING_ILLEGAL_REQUEST_QUERY_PARAM));
}

#[test]
fn express_token_has_its_own_field() {
    let style = Style { express: true, ..Style::S3 };
    let mut signer = Signer::new("us-east-1", "s3express", style);
    let parts = RequestParts { method: b"GET", target: b"/k" };
    let keys = Keys::new("AK", "SK", Some(b"tok"));
    let signed = signer
        .sign_headers(&parts, std::iter::empty(), &keys, DOC_TIME, PayloadHash::Unsigned)
        .unwrap();
    let names: Vec<_> = signed.headers().map(|(n, _)| n.to_vec()).collect();
    assert_eq!(names[0], b"x-amz-s3session-token");
    assert!(String::from_utf8_lossy(signed.authorization).contains("x-amz-s3session-token"));
}

#[test]
fn derived_key_follows_day_and_secret() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"GET", target: b"/k" };
    let mut sign = |keys: &Keys, time| {
        signer
            .sign_headers(&parts, std::iter::empty(), keys, time, PayloadHash::Unsigned)
            .unwrap()
            .signature
    };
    let other = Keys::new("AKIAIOSFODNN7EXAMPLE", "other", None);
    let first = sign(&DOC_KEYS, DOC_TIME);
    assert_ne!(first, sign(&other, DOC_TIME));
    assert_ne!(first, sign(&DOC_KEYS, DOC_TIME + 86_400));
    assert_eq!(first, sign(&DOC_KEYS, DOC_TIME));
}

#[test]
fn canonical_request_given_by_the_caller_signs_the_same() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"GET", target: b"/k?a=b" };
    let headers = [(&b"Host"[..], &b"h"[..])];
    let signed = signer
        .sign_headers(&parts, headers.into_iter(), &DOC_KEYS, DOC_TIME, PayloadHash::Empty)
        .unwrap();
    let (signature, authorization) = (signed.signature, signed.authorization.to_vec());
    let canonical = signer.canonical_request().to_vec();
    let again = signer.sign_canonical_request(&canonical, &DOC_KEYS, DOC_TIME);
    assert_eq!(again, (&authorization[..], signature));
}

#[test]
fn amz_date_at_calendar_edges_is_right() {
    assert_eq!(&amz_date(0), b"19700101T000000Z");
    assert_eq!(&amz_date(951_782_400), b"20000229T000000Z");
    assert_eq!(&amz_date(4_107_542_399), b"21000228T235959Z");
    assert_eq!(&amz_date(4_107_542_400), b"21000301T000000Z");
    assert_eq!(&amz_date(u64::MAX), b"99991231T235959Z");
}

#[test]
fn fuzz_sigv4_corpus_neither_panics_nor_wavers() {
    let seeds: &[&[u8]] = &[
        b"\x00\0GET\0/a?b=c\0Host: x\nRange: bytes=0-1",
        b"\x3f\0GET\0/a/../b//?x=%zz&&=y&z\0Host: x",
        b"\x1f\0\0http://h/p?q\0a:\n:b\nA: 1\na:  2  3",
        b"\x00\0P\0\xff%41%\0\xff:\xff",
        b"",
    ];
    for seed in seeds {
        for cut in 0..=seed.len() {
            fuzz_sigv4(&seed[..cut]);
        }
        for at in 0..seed.len() {
            for byte in [0, b'%', b'&', b'/', 0xff] {
                let mut changed = seed.to_vec();
                changed[at] = byte;
                fuzz_sigv4(&changed);
            }
        }
    }
}

/// Run with `cargo test --profile quick sigv4::tests::speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement, not a check"]
fn speed_of_a_typical_get_is_printed() {
    let mut signer = Signer::for_s3("us-east-1");
    let parts = RequestParts { method: b"GET", target: b"/bucket/some/key/of-an-object.bin" };
    let headers = [
        ("Host", "bucket.s3.us-east-1.amazonaws.com"),
        ("Range", "bytes=8388608-16777215"),
        ("If-Match", "\"d41d8cd98f00b204e9800998ecf8427e\""),
        ("User-Agent", "libs3fast"),
        ("Accept", "*/*"),
    ];
    let rounds = 200_000u32;
    let start = std::time::Instant::now();
    for round in 0..rounds {
        let headers = headers.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes()));
        let time = DOC_TIME + u64::from(round % 1000);
        let signed = signer.sign_headers(&parts, headers, &DOC_KEYS, time, PayloadHash::Unsigned);
        std::hint::black_box(signed.unwrap().signature);
    }
    println!("{} ns a signature", start.elapsed().as_nanos() / u128::from(rounds));
}
