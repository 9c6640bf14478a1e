//! The signer: owns the buffers and the derived key, lends out what it wrote.

use super::canonical::{
    Fields, QueryScratch, is_reserved_header, is_unsigned_header, push_path, push_query,
    split_target,
};
use super::encode::{amz_date, hex_of, push_encoded, push_hex, sha256_hex};
use crate::base::{Code, Result};
use ring::hmac;

/// Credentials. Has no `Debug`: nothing may print it; the secret is wiped when it goes.
#[derive(Clone, PartialEq, Eq)]
pub struct Keys {
    pub access: Vec<u8>,
    pub secret: Vec<u8>,
    /// The session token of temporary credentials; an empty one counts as none.
    pub token: Option<Vec<u8>>,
}

impl Keys {
    pub fn new(
        access: impl Into<Vec<u8>>,
        secret: impl Into<Vec<u8>>,
        token: Option<&[u8]>,
    ) -> Keys {
        Keys { access: access.into(), secret: secret.into(), token: token.map(<[u8]>::to_vec) }
    }

    fn session_token(&self) -> Option<&[u8]> {
        self.token.as_deref().filter(|t| !t.is_empty())
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        wipe(&mut self.secret);
        if let Some(token) = &mut self.token {
            wipe(token);
        }
    }
}

/// What is signed besides the header fields.
#[derive(Clone, Copy)]
pub struct RequestParts<'a> {
    pub method: &'a [u8],
    /// Path and query, as they go out.
    pub target: &'a [u8],
}

/// The payload's line in the canonical request, and the value of `x-amz-content-sha256`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PayloadHash<'a> {
    /// `UNSIGNED-PAYLOAD`
    Unsigned,
    /// No body: the hash of zero bytes.
    Empty,
    /// 64 lower-case hex digits.
    Sha256(&'a [u8; 64]),
    /// `STREAMING-AWS4-HMAC-SHA256-PAYLOAD`
    Streaming,
    /// `STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER`
    StreamingTrailer,
    /// `STREAMING-UNSIGNED-PAYLOAD-TRAILER`
    StreamingUnsignedTrailer,
    /// Any other text, as a caller gave it.
    Text(&'a [u8]),
}

impl<'a> PayloadHash<'a> {
    pub fn as_bytes(self) -> &'a [u8] {
        match self {
            PayloadHash::Unsigned => b"UNSIGNED-PAYLOAD",
            PayloadHash::Empty => EMPTY_SHA256,
            PayloadHash::Sha256(hex) => hex,
            PayloadHash::Streaming => b"STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
            PayloadHash::StreamingTrailer => b"STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
            PayloadHash::StreamingUnsignedTrailer => b"STREAMING-UNSIGNED-PAYLOAD-TRAILER",
            PayloadHash::Text(text) => text,
        }
    }
}

/// How a service wants its requests signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Encode the (already encoded) path once more.
    pub double_encode: bool,
    /// Remove dot segments and doubled slashes before signing.
    pub normalize_path: bool,
    /// Send the session token, but do not sign it.
    pub omit_session_token: bool,
    /// Add and sign `x-amz-content-sha256`.
    pub content_sha256_header: bool,
    /// The token is an S3 Express session's and has its own field name.
    pub express: bool,
}

impl Style {
    /// S3: the path as sent, the payload's hash always told.
    pub const S3: Style = Style {
        double_encode: false,
        normalize_path: false,
        omit_session_token: false,
        content_sha256_header: true,
        express: false,
    };

    /// What most other services expect.
    pub const GENERIC: Style = Style {
        double_encode: true,
        normalize_path: true,
        omit_session_token: false,
        content_sha256_header: false,
        express: false,
    };
}

/// A signature as 64 lower-case hex digits.
pub type Signature = [u8; 64];

pub struct Signer {
    region: Vec<u8>,
    service: Vec<u8>,
    style: Style,
    derived: Option<DerivedKey>,
    fields: Fields,
    query: QueryScratch,
    canonical: Vec<u8>,
    string_to_sign: Vec<u8>,
    scope: Vec<u8>,
    /// `Authorization`, or the query parameters to add.
    out: Vec<u8>,
}

/// The key of one day and one secret: four HMACs that need not be done again for each request.
struct DerivedKey {
    day: [u8; 8],
    secret: Vec<u8>,
    key: hmac::Key,
}

impl Drop for DerivedKey {
    fn drop(&mut self) {
        wipe(&mut self.secret);
    }
}

/// The fields that a header-signed request gains.
pub struct Signed<'s> {
    pub date: [u8; 16],
    pub authorization: &'s [u8],
    pub content_sha256: Option<&'s [u8]>,
    /// Name and value of the session token's field.
    pub token: Option<(&'static str, &'s [u8])>,
    /// Seed of the first chunk signature.
    pub signature: Signature,
}

impl Signed<'_> {
    /// The fields to append to the request, in this order.
    pub fn headers(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let token = self.token.map(|(name, value)| (name.as_bytes(), value));
        let hash = self.content_sha256.map(|value| (&b"x-amz-content-sha256"[..], value));
        token
            .into_iter()
            .chain(Some((&b"X-Amz-Date"[..], &self.date[..])))
            .chain(hash)
            .chain(Some((&b"Authorization"[..], self.authorization)))
    }
}

/// The parameters that a query-signed request gains.
pub struct SignedQuery<'s> {
    /// `name=value&name=value..`, percent-encoded, to be put behind the target's own query.
    pub query: &'s [u8],
    pub signature: Signature,
}

impl SignedQuery<'_> {
    /// The parameters one by one, still percent-encoded.
    pub fn params(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.query.split(|&b| b == b'&').filter_map(|param| {
            let equals = memchr::memchr(b'=', param)?;
            Some((&param[..equals], &param[equals + 1..]))
        })
    }
}

impl Signer {
    pub fn new(region: impl AsRef<[u8]>, service: impl AsRef<[u8]>, style: Style) -> Signer {
        Signer {
            region: region.as_ref().to_vec(),
            service: service.as_ref().to_vec(),
            style,
            derived: None,
            fields: Fields::default(),
            query: QueryScratch::default(),
            canonical: Vec::new(),
            string_to_sign: Vec::new(),
            scope: Vec::new(),
            out: Vec::new(),
        }
    }

    pub fn for_s3(region: impl AsRef<[u8]>) -> Signer {
        Signer::new(region, "s3", Style::S3)
    }

    pub fn region(&self) -> &[u8] {
        &self.region
    }

    pub fn service(&self) -> &[u8] {
        &self.service
    }

    pub fn style(&self) -> Style {
        self.style
    }

    /// Signs in the Authorization field. `headers` are those of the message; the unsigned ones
    /// among them are passed over.
    pub fn sign_headers<'s, 'h>(
        &'s mut self,
        request: &RequestParts<'_>,
        headers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
        keys: &'s Keys,
        unix_seconds: u64,
        payload: PayloadHash<'s>,
    ) -> Result<Signed<'s>> {
        let date = amz_date(unix_seconds);
        self.take_fields(headers)?;
        let token = keys.session_token();
        let token_name = if self.style.express { EXPRESS_TOKEN_NAME } else { SECURITY_TOKEN_NAME };
        if let Some(token) = token
            && !self.style.omit_session_token
        {
            self.fields.push(token_name.as_bytes(), token)?;
        }
        self.fields.push(b"x-amz-date", &date)?;
        if self.style.content_sha256_header {
            self.fields.push(b"x-amz-content-sha256", payload.as_bytes())?;
        }
        self.fields.finish();
        self.build_canonical(request, &[], payload)?;
        self.build_scope(&date);
        let signature = self.sign_canonical_built(keys, &date);

        self.out.clear();
        self.push_authorization(keys, &signature);
        Ok(Signed {
            date,
            authorization: &self.out,
            content_sha256: self.style.content_sha256_header.then(|| payload.as_bytes()),
            token: token.map(|token| (token_name, token)),
            signature,
        })
    }

    /// Signs in the query (a presigned URL). `expires_seconds` of 0 leaves the parameter out.
    pub fn sign_query<'h>(
        &mut self,
        request: &RequestParts<'_>,
        headers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
        keys: &Keys,
        unix_seconds: u64,
        payload: PayloadHash<'_>,
        expires_seconds: u64,
    ) -> Result<SignedQuery<'_>> {
        let date = amz_date(unix_seconds);
        self.take_fields(headers)?;
        // VPC Lattice signs the payload's absence as a field, even in a query signature.
        let lattice = self.service == b"vpc-lattice-svcs";
        let payload = if lattice { PayloadHash::Unsigned } else { payload };
        if lattice {
            self.fields.push(b"x-amz-content-sha256", payload.as_bytes())?;
        }
        self.fields.finish();
        self.build_scope(&date);

        let mut out = std::mem::take(&mut self.out);
        out.clear();
        out.extend_from_slice(b"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=");
        push_encoded(&keys.access, false, &mut out);
        out.extend_from_slice(b"%2F");
        push_encoded(&self.scope, false, &mut out);
        out.extend_from_slice(b"&X-Amz-Date=");
        out.extend_from_slice(&date);
        out.extend_from_slice(b"&X-Amz-SignedHeaders=");
        push_encoded(&self.fields.names, false, &mut out);
        if expires_seconds > 0 {
            out.extend_from_slice(format!("&X-Amz-Expires={expires_seconds}").as_bytes());
        }
        let signed_len = out.len();
        if let Some(token) = keys.session_token() {
            let name = if self.style.express { EXPRESS_TOKEN_PARAM } else { SECURITY_TOKEN_PARAM };
            out.push(b'&');
            out.extend_from_slice(name);
            out.push(b'=');
            push_encoded(token, false, &mut out);
        }
        let signed_len = if self.style.omit_session_token { signed_len } else { out.len() };

        let built = self.build_canonical(request, &out[..signed_len], payload);
        self.out = out;
        built?;
        let signature = self.sign_canonical_built(keys, &date);
        self.out.extend_from_slice(b"&X-Amz-Signature=");
        self.out.extend_from_slice(&signature);
        Ok(SignedQuery { query: &self.out, signature })
    }

    /// Signs a canonical request that the caller built; the Authorization value and the signature.
    pub fn sign_canonical_request(
        &mut self,
        canonical: &[u8],
        keys: &Keys,
        unix_seconds: u64,
    ) -> (&[u8], Signature) {
        let date = amz_date(unix_seconds);
        self.canonical.clear();
        self.canonical.extend_from_slice(canonical);
        // The names of the signed fields are the last line but one.
        self.fields.clear();
        let names = canonical.rsplit(|&b| b == b'\n').nth(1).unwrap_or_default();
        self.fields.names.extend_from_slice(names);
        self.build_scope(&date);
        let signature = self.sign_canonical_built(keys, &date);
        self.out.clear();
        self.push_authorization(keys, &signature);
        (&self.out, signature)
    }

    /// One chunk of a `STREAMING-AWS4-HMAC-SHA256-PAYLOAD` body. `previous` is the signature of
    /// the chunk before, for the first one that of the request.
    pub fn sign_chunk(
        &mut self,
        keys: &Keys,
        unix_seconds: u64,
        previous: &[u8],
        chunk_sha256: &[u8; 64],
    ) -> Signature {
        self.sign_part(CHUNK_ALGORITHM, keys, unix_seconds, |text| {
            text.extend_from_slice(previous);
            text.push(b'\n');
            text.extend_from_slice(EMPTY_SHA256);
            text.push(b'\n');
            text.extend_from_slice(chunk_sha256);
        })
    }

    /// The trailer section that follows the last chunk.
    pub fn sign_trailers<'h>(
        &mut self,
        keys: &Keys,
        unix_seconds: u64,
        previous: &[u8],
        trailers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
    ) -> Result<Signature> {
        self.take_fields(trailers)?;
        self.fields.finish();
        let hash = sha256_hex(&self.fields.block);
        Ok(self.sign_part(TRAILER_ALGORITHM, keys, unix_seconds, |text| {
            text.extend_from_slice(previous);
            text.push(b'\n');
            text.extend_from_slice(&hash);
        }))
    }

    /// One message of an event stream. The only field that counts is its `:date`, a timestamp in
    /// milliseconds in the event-stream encoding.
    pub fn sign_event(
        &mut self,
        keys: &Keys,
        unix_millis: u64,
        previous: &[u8],
        payload_sha256: &[u8; 64],
    ) -> Signature {
        let mut date = [0u8; 15];
        date[0] = 5;
        date[1..6].copy_from_slice(b":date");
        date[6] = EVENT_TYPE_TIMESTAMP;
        date[7..].copy_from_slice(&unix_millis.to_be_bytes());
        self.sign_part(CHUNK_ALGORITHM, keys, unix_millis / 1000, |text| {
            text.extend_from_slice(previous);
            text.push(b'\n');
            push_hex(ring::digest::digest(&ring::digest::SHA256, &date).as_ref(), text);
            text.push(b'\n');
            text.extend_from_slice(payload_sha256);
        })
    }

    /// The canonical request of the last signature; for tests and for callers that compare.
    pub fn canonical_request(&self) -> &[u8] {
        &self.canonical
    }

    pub fn string_to_sign(&self) -> &[u8] {
        &self.string_to_sign
    }

    fn take_fields<'h>(
        &mut self,
        headers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
    ) -> Result<()> {
        self.fields.clear();
        for (name, value) in headers {
            let express_token =
                self.style.express && name.eq_ignore_ascii_case(EXPRESS_TOKEN_NAME.as_bytes());
            if is_reserved_header(name) || express_token {
                return Err(Code::AUTH_SIGNING_ILLEGAL_REQUEST_HEADER.into());
            }
            if !is_unsigned_header(name) {
                self.fields.push(name, value)?;
            }
        }
        Ok(())
    }

    fn build_canonical(
        &mut self,
        request: &RequestParts<'_>,
        extra_query: &[u8],
        payload: PayloadHash<'_>,
    ) -> Result<()> {
        let (path, query) = split_target(request.target);
        let out = &mut self.canonical;
        out.clear();
        out.extend_from_slice(request.method);
        out.push(b'\n');
        push_path(path, self.style.double_encode, self.style.normalize_path, out);
        out.push(b'\n');
        push_query(query, extra_query, &mut self.query, out)?;
        out.push(b'\n');
        out.extend_from_slice(&self.fields.block);
        out.push(b'\n');
        out.extend_from_slice(&self.fields.names);
        out.push(b'\n');
        out.extend_from_slice(payload.as_bytes());
        Ok(())
    }

    fn build_scope(&mut self, date: &[u8; 16]) {
        self.scope.clear();
        self.scope.extend_from_slice(&date[..8]);
        for part in [&self.region[..], &self.service[..], b"aws4_request"] {
            self.scope.push(b'/');
            self.scope.extend_from_slice(part);
        }
    }

    fn sign_canonical_built(&mut self, keys: &Keys, date: &[u8; 16]) -> Signature {
        let hash = sha256_hex(&self.canonical);
        self.sign_text(REQUEST_ALGORITHM, keys, date, |text| text.extend_from_slice(&hash))
    }

    fn sign_part(
        &mut self,
        algorithm: &[u8],
        keys: &Keys,
        unix_seconds: u64,
        payload: impl FnOnce(&mut Vec<u8>),
    ) -> Signature {
        let date = amz_date(unix_seconds);
        self.build_scope(&date);
        self.sign_text(algorithm, keys, &date, payload)
    }

    fn sign_text(
        &mut self,
        algorithm: &[u8],
        keys: &Keys,
        date: &[u8; 16],
        payload: impl FnOnce(&mut Vec<u8>),
    ) -> Signature {
        let mut text = std::mem::take(&mut self.string_to_sign);
        text.clear();
        for line in [algorithm, date, &self.scope] {
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        payload(&mut text);
        let signature = hex_of(hmac::sign(self.derived_key(keys, date), &text).as_ref());
        self.string_to_sign = text;
        signature
    }

    fn derived_key(&mut self, keys: &Keys, date: &[u8; 16]) -> &hmac::Key {
        let day: [u8; 8] = std::array::from_fn(|i| date[i]);
        let known = self.derived.as_ref().is_some_and(|d| d.day == day && d.secret == keys.secret);
        if !known {
            self.derived = None;
        }
        let (region, service) = (&self.region, &self.service);
        let derived = self.derived.get_or_insert_with(|| {
            let mut first = Vec::with_capacity(4 + keys.secret.len());
            first.extend_from_slice(b"AWS4");
            first.extend_from_slice(&keys.secret);
            let mut key = hmac::Key::new(hmac::HMAC_SHA256, &first);
            wipe(&mut first);
            for part in [&day[..], region, service, b"aws4_request"] {
                let tag = hmac::sign(&key, part);
                key = hmac::Key::new(hmac::HMAC_SHA256, tag.as_ref());
            }
            DerivedKey { day, secret: keys.secret.clone(), key }
        });
        &derived.key
    }

    fn push_authorization(&mut self, keys: &Keys, signature: &Signature) {
        let out = &mut self.out;
        out.extend_from_slice(REQUEST_ALGORITHM);
        out.extend_from_slice(b" Credential=");
        out.extend_from_slice(&keys.access);
        out.push(b'/');
        out.extend_from_slice(&self.scope);
        out.extend_from_slice(b", SignedHeaders=");
        out.extend_from_slice(&self.fields.names);
        out.extend_from_slice(b", Signature=");
        out.extend_from_slice(signature);
    }
}

/// Overwrites; the hint keeps the writes from being dropped as unread.
fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    std::hint::black_box(bytes);
}

/// For fuzzing: any method, target and fields either sign or fail with an error.
pub fn fuzz_sigv4(input: &[u8]) {
    let mut parts = input.splitn(4, |&b| b == 0);
    let mut next = || parts.next().unwrap_or_default();
    let (choice, method, target, fields) = (next(), next(), next(), next());
    let fields = || {
        fields.split(|&b| b == b'\n').map(|line| {
            let colon = memchr::memchr(b':', line).unwrap_or(line.len());
            (&line[..colon], line.get(colon + 1..).unwrap_or_default())
        })
    };
    let flag = |bit: u8| choice.first().copied().unwrap_or(0) >> bit & 1 == 1;
    let style = Style {
        double_encode: flag(0),
        normalize_path: flag(1),
        omit_session_token: flag(2),
        content_sha256_header: flag(3),
        express: flag(4),
    };
    let keys = Keys::new("AK", "SK", flag(5).then_some(b"T/="));
    let request = RequestParts { method, target };
    let mut signer = Signer::new("us-east-1", "s3", style);
    let first = signer
        .sign_headers(&request, fields(), &keys, 1, PayloadHash::Unsigned)
        .map(|s| s.signature);
    let again = signer
        .sign_headers(&request, fields(), &keys, 1, PayloadHash::Unsigned)
        .map(|s| s.signature);
    assert_eq!(first, again, "one request, two signatures");
    let presigned = signer.sign_query(&request, fields(), &keys, 1, PayloadHash::Empty, 60);
    if let Ok(presigned) = presigned {
        assert!(presigned.params().count() >= 6);
    }
}

/// The SHA-256 of no bytes.
pub const EMPTY_SHA256: &[u8; 64] =
    b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const REQUEST_ALGORITHM: &[u8] = b"AWS4-HMAC-SHA256";
const CHUNK_ALGORITHM: &[u8] = b"AWS4-HMAC-SHA256-PAYLOAD";
const TRAILER_ALGORITHM: &[u8] = b"AWS4-HMAC-SHA256-TRAILER";
const SECURITY_TOKEN_NAME: &str = "X-Amz-Security-Token";
const EXPRESS_TOKEN_NAME: &str = "x-amz-s3session-token";
const SECURITY_TOKEN_PARAM: &[u8] = b"X-Amz-Security-Token";
const EXPRESS_TOKEN_PARAM: &[u8] = b"X-Amz-S3session-Token";
const EVENT_TYPE_TIMESTAMP: u8 = 8;
