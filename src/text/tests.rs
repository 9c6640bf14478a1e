use super::*;
use crate::base::Code;

fn part<'a>(text: &'a str, range: &std::ops::Range<usize>) -> &'a str {
    &text[range.clone()]
}

#[test]
fn uri_with_every_part_is_cut() {
    let text = "https://user:pa:ss@host.example:8080/a%20b//c?x=1&y#z";
    let uri = uri::parse(text.as_bytes()).unwrap();
    assert_eq!(part(text, &uri.scheme), "https");
    assert_eq!(part(text, &uri.authority), "user:pa:ss@host.example:8080");
    assert_eq!(part(text, &uri.userinfo), "user:pa:ss");
    assert_eq!(part(text, &uri.user), "user");
    assert_eq!(part(text, &uri.password), "pa:ss");
    assert_eq!(part(text, &uri.host), "host.example");
    assert_eq!(uri.port, 8080);
    assert_eq!(part(text, &uri.path), "/a%20b//c");
    assert_eq!(part(text, &uri.query), "x=1&y#z");
    assert_eq!(part(text, &uri.path_and_query), "/a%20b//c?x=1&y#z");
}

#[test]
fn uri_with_parts_left_out_is_cut() {
    for (text, scheme, host, port, path, query) in [
        ("localhost", "", "localhost", 0, "", ""),
        ("localhost:8080", "", "localhost", 8080, "", ""),
        ("host:", "", "host", 0, "", ""),
        ("/path/to?q", "", "", 0, "/path/to", "q"),
        ("/key:/odd://x", "", "", 0, "/key:/odd://x", ""),
        ("host?q=/a:/b", "", "host", 0, "", "q=/a:/b"),
        ("http://h?q", "http", "h", 0, "", "q"),
        ("http://[::1]:90/x", "http", "::1", 90, "/x", ""),
        ("[fe80::1]", "", "fe80::1", 0, "", ""),
        ("u@h/", "", "h", 0, "/", ""),
        ("h/?", "", "h", 0, "/", ""),
        ("h:4294967295", "", "h", u32::MAX, "", ""),
    ] {
        let uri = uri::parse(text.as_bytes()).unwrap();
        let found = (
            part(text, &uri.scheme),
            part(text, &uri.host),
            uri.port,
            part(text, &uri.path),
            part(text, &uri.query),
        );
        assert_eq!(found, (scheme, host, port, path, query), "{text}");
    }
}

#[test]
fn uri_that_is_malformed_is_refused() {
    for text in ["", "https://", "https:/h", "h:8x", "h:4294967296", "[::1", "[::1]x", "h:-1"] {
        let code = uri::parse(text.as_bytes()).unwrap_err().code;
        assert_eq!(code, Code::MALFORMED_INPUT_STRING, "{text}");
    }
}

#[test]
fn query_params_with_gaps_are_listed() {
    let found: Vec<_> = uri::params(b"a=1&&b&=c&d=e=f&").collect();
    let expected: [(&[u8], &[u8]); 4] = [(b"a", b"1"), (b"b", b""), (b"", b"c"), (b"d", b"e=f")];
    assert_eq!(found, expected);
}

#[test]
fn percent_encoding_of_every_byte_comes_back() {
    let all: Vec<u8> = (0..=255).collect();
    let (mut path, mut param, mut back) = (Vec::new(), Vec::new(), Vec::new());
    percent::encode_path(&all, &mut path);
    percent::encode_param(&all, &mut param);
    assert_eq!(path.len() + 2, param.len(), "only the slash differs");
    percent::decode(&param, &mut back).unwrap();
    assert_eq!(back, all);
    let mut out = Vec::new();
    percent::encode_path(b"/a b+c~", &mut out);
    assert_eq!(out, b"/a%20b%2Bc~");
}

#[test]
fn percent_decoding_of_a_broken_escape_is_refused() {
    for text in ["%", "%4", "%4x", "a%zz", "%%41"] {
        assert!(percent::decode(text.as_bytes(), &mut Vec::new()).is_err(), "{text}");
    }
}

#[test]
fn http_date_in_three_forms_is_read() {
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ] {
        assert_eq!(date::parse_http(text.as_bytes()), Some(784_111_777), "{text}");
    }
    assert_eq!(date::format_http(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

#[test]
fn http_date_that_is_none_is_refused() {
    for text in [
        "",
        "now",
        "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 99999 08:49:37 GMT",
        "a b c d e f g h",
    ] {
        assert_eq!(date::parse_http(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn iso_date_in_its_forms_is_read() {
    for text in [
        "2015-08-30T12:36:00Z",
        "20150830T123600Z",
        "2015-08-30T12:36:00.000Z",
        "2015-08-30T12:36:00.123456789012Z",
        "2015-08-30T14:36:00+02:00",
        "2015-08-30T07:06:00-0530",
        "2015-08-30 12:36:00Z",
    ] {
        assert_eq!(date::parse_iso8601(text.as_bytes()), Some(1_440_938_160), "{text}");
    }
    assert_eq!(date::parse_iso8601(b"1970-01-01"), Some(0));
    assert_eq!(date::format_iso8601(1_440_938_160), "2015-08-30T12:36:00Z");
}

#[test]
fn iso_date_that_is_none_is_refused() {
    for text in [
        "",
        "2015",
        "2015-8-30T12:36:00Z",
        "2015-08-30T12:36",
        "2015-08-30T12:36:00+99:00",
        "2015-02-29T00:00:00Z",
        "20150830T1236",
        "\u{fc}\u{fc}2015T",
        "2015-08-30T12:36:00.xZ",
    ] {
        assert_eq!(date::parse_iso8601(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn dates_of_four_centuries_come_back() {
    for day in (-80_000..80_000).step_by(13) {
        let unix = day * 86_400 + 86_399;
        assert_eq!(date::parse_http(date::format_http(unix).as_bytes()), Some(unix));
        assert_eq!(date::parse_iso8601(date::format_iso8601(unix).as_bytes()), Some(unix));
    }
}

#[test]
fn xml_document_becomes_a_tree() {
    let text = b"\n <?xml version=\"1.0\"?>\n<!-- c --><s3:R xmlns:s3=\"u\" a='1&amp;2'>\
        <K>a&lt;b&#x41;<![CDATA[<raw>]]></K><E/><K>2</K></s3:R>\n";
    let root = xml::parse(text).unwrap();
    assert_eq!(root.name, "R");
    assert_eq!(root.attributes[1], ("a".to_owned(), "1&2".to_owned()));
    let keys: Vec<_> = root.children_named("K").map(|k| k.text.as_str()).collect();
    assert_eq!(keys, ["a<bA<raw>", "2"]);
    assert_eq!(&text[root.child("K").unwrap().body.clone()], b"a&lt;b&#x41;<![CDATA[<raw>]]>");
    assert_eq!(root.at(&["E"]).unwrap().text, "");
    assert!(root.at(&["E", "F"]).is_none());
}

#[test]
fn xml_that_is_not_well_formed_is_refused() {
    for text in [
        "",
        "   ",
        "text",
        "<a>",
        "<a></b>",
        "</a>",
        "<a/><b/>",
        "<a></a>x",
        "x<a/>",
        "<a>&unknown;</a>",
        "<a>&#0;</a>",
        "<a>&#xD800;</a>",
        "<a b=1/>",
        "<a b='1' b='2'/>",
        "<a",
        "<a>&lt</a>",
        "<></>",
        "<a><![CDATA[x</a>",
        "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
    ] {
        let code = xml::parse(text.as_bytes()).map_err(|e| e.code);
        assert_eq!(code, Err(Code::INVALID_XML), "{text}");
    }
    assert!(xml::parse(b"<a>\xff</a>").is_err());
}

#[test]
fn xml_cut_anywhere_is_refused() {
    let text = b"<?xml version=\"1.0\"?><R><ETag>&quot;x&quot;</ETag></R>";
    for cut in 0..text.len() {
        assert!(xml::parse(&text[..cut]).is_err(), "{cut}");
    }
    assert_eq!(xml::parse(text).unwrap().text_of("ETag"), Some("\"x\""));
}

#[test]
fn xml_beyond_a_bound_is_refused() {
    let deep = "<a>".repeat(30) + &"</a>".repeat(30);
    assert!(xml::parse(deep.as_bytes()).is_err());
    let limits = xml::Limits { bytes_max: 100, depth_max: 2, elements_max: 3 };
    assert!(xml::parse_within(b"<a><b/><b/></a>", limits).is_ok());
    assert!(xml::parse_within(b"<a><b/><b/><b/></a>", limits).is_err());
    assert!(xml::parse_within(b"<a><b><c/></b></a>", limits).is_err());
    assert!(xml::parse_within(&[b' '; 101], limits).is_err());
}

#[test]
fn xml_escape_comes_back() {
    let mut out = b"<a>".to_vec();
    xml::escape(b"\"a&b<c>'", &mut out);
    assert_eq!(out, b"<a>&quot;a&amp;b&lt;c&gt;&apos;");
    out.extend_from_slice(b"</a>");
    assert_eq!(xml::parse(&out).unwrap().text, "\"a&b<c>'");
}

#[test]
fn fuzz_text_corpus_never_panics() {
    let seeds: &[&[u8]] = &[
        b"https://u:p@[::1]:80/a%20?x=1&y",
        b"Sun, 06 Nov 1994 08:49:37 GMT",
        b"2015-08-30T12:36:00.5+02:00",
        b"<?xml version='1.0'?><a b='c'>&amp;<d/><![CDATA[x]]><!--y--></a>",
    ];
    for seed in seeds {
        for at in 0..=seed.len() {
            fuzz_text(&seed[..at]);
            for byte in [0, b'<', b'>', b'&', b'%', b':', b'-', b'"', 0xc3, 0xff] {
                let mut changed = seed.to_vec();
                changed.insert(at, byte);
                fuzz_text(&changed);
            }
        }
    }
}
