//! Header `aws/auth/signing.h`: signing.
//!
//! The configuration is checked and copied at the call; keys come from it or from its provider, on
//! whatever thread that answers on; there the signature is made and the callback called.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use crate::base::{Code, Error, Result};
use crate::ctypes::aws_allocator;
use crate::ffi::auth::credentials::{
    aws_credentials, keys_of, provider_acquire, provider_get, provider_release,
};
use crate::ffi::auth::signable::{
    CANONICAL_REQUEST, HEADERS, METHOD, PARAMS, PREVIOUS_SIGNATURE, SIGNATURE, Signable, URI,
    aws_signable,
};
use crate::ffi::auth::signing_config::{
    aws_should_sign_header_fn, aws_signing_config_aws, aws_signing_config_base,
};
use crate::ffi::auth::signing_result::aws_signing_result;
use crate::ffi::handle::UserData;
use crate::ffi::io::stream::Stream;
use crate::ffi::place::{bytes_of, cursor_of, enum_value};
use crate::ffi::raise::{AWS_OP_SUCCESS, raise};
use crate::log;
use crate::sigv4::{Keys, PayloadHash, RequestParts, Signer, Style, hex};

/// Signing is done. Any thread, also before aws_sign_request_aws() has returned. `result` is valid during
/// the call; NULL when `error_code` is not 0.
pub type aws_signing_complete_fn = Option<
    unsafe extern "C" fn(result: *mut aws_signing_result, error_code: c_int, userdata: *mut c_void),
>;

/// What a signature is made of, copied from the caller's configuration.
struct Work {
    allocator: *mut aws_allocator,
    signable: *const aws_signable,
    kind: Kind,
    region: Vec<u8>,
    service: Vec<u8>,
    style: Style,
    unix_seconds: u64,
    millis: u64,
    should_sign: aws_should_sign_header_fn,
    should_sign_data: UserData,
    /// Empty: the hash of the payload is computed.
    payload: Vec<u8>,
    expires_seconds: u64,
    on_complete: aws_signing_complete_fn,
    user_data: UserData,
}

/// Values of `enum aws_signature_type`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Headers,
    Query,
    Chunk,
    Event,
    CanonicalHeaders,
    CanonicalQuery,
    Trailers,
}

const ALGORITHM_V4: i32 = 0;
const ALGORITHM_V4_ASYMMETRIC: i32 = 1;
const ALGORITHM_V4_EXPRESS: i32 = 2;

/// Where the keys come from.
enum Source {
    /// `None`: anonymous.
    Known(Option<Arc<Keys>>),
    Provider(*mut crate::ffi::auth::credentials::aws_credentials_provider),
}

/// Checks a configuration and copies it.
unsafe fn read_config(config: &aws_signing_config_aws) -> Result<(Kind, Style, Source)> {
    let wrong = |what: &str| {
        log!(AuthSigning, Error, &raw const *config, "{what}");
        Error::new(Code::AUTH_SIGNING_INVALID_CONFIGURATION)
    };
    let kind = match enum_value(config.signature_type) {
        0 => Kind::Headers,
        1 => Kind::Query,
        2 => Kind::Chunk,
        3 => Kind::Event,
        4 => Kind::CanonicalHeaders,
        5 => Kind::CanonicalQuery,
        6 => Kind::Trailers,
        _ => return Err(Error::new(Code::AUTH_SIGNING_UNSUPPORTED_SIGNATURE_TYPE)),
    };
    let algorithm = enum_value(config.algorithm);
    if !(ALGORITHM_V4..=ALGORITHM_V4_EXPRESS).contains(&algorithm) {
        return Err(wrong("unknown signing algorithm"));
    }
    if kind == Kind::Event && algorithm != ALGORITHM_V4 {
        return Err(wrong("events are signed by Sigv4 only"));
    }
    if !matches!(kind, Kind::Headers | Kind::Query) && config.credentials.is_null() {
        return Err(wrong("a part of a request is signed with the keys of the whole: give them"));
    }
    if config.region.len == 0 || config.service.len == 0 {
        return Err(wrong("the region or the service is missing"));
    }
    if config.credentials.is_null() && config.credentials_provider.is_null() {
        return Err(wrong("there are neither credentials nor a provider of them"));
    }
    if algorithm == ALGORITHM_V4_ASYMMETRIC {
        log!(AuthSigning, Error, 0, "Sigv4a signing is not implemented in this version");
        return Err(Error::new(Code::UNIMPLEMENTED));
    }
    let express = algorithm == ALGORITHM_V4_EXPRESS;
    let source = match config.credentials.is_null() {
        true => Source::Provider(config.credentials_provider),
        // SAFETY: the exports' contract: the credentials are live.
        false => Source::Known(unsafe { keys_of(config.credentials)? }),
    };
    if let Source::Known(keys) = &source {
        check_keys(keys.as_deref(), express)?;
    }
    let bits = config.flags.bits;
    let style = Style {
        double_encode: bits & 1 != 0,
        normalize_path: bits & 2 != 0,
        omit_session_token: bits & 4 != 0,
        content_sha256_header: enum_value(config.signed_body_header) == 1,
        express,
    };
    Ok((kind, style, source))
}

/// S3 Express signs with the keys of a session, which have a token.
fn check_keys(keys: Option<&Keys>, express: bool) -> Result<()> {
    let has_token = keys.is_some_and(|k| k.token.as_ref().is_some_and(|t| !t.is_empty()));
    match express && !has_token {
        true => Err(Error::new(Code::AUTH_SIGNING_INVALID_CREDENTIALS)),
        false => Ok(()),
    }
}

impl Work {
    /// Makes the signature and tells.
    ///
    /// # Safety
    /// The signable is live; called once.
    unsafe fn finish(self, keys: Result<Option<Arc<Keys>>>) {
        let (tell, user_data) = (self.on_complete, self.user_data);
        // SAFETY: by the contract.
        let mut made = unsafe { self.sign(keys) };
        drop(self);
        // SAFETY: the caller's callback with its own data; the result lives during the call.
        unsafe {
            match (&mut made, tell) {
                (Ok(result), Some(tell)) => tell(result, 0, user_data.0),
                (Err(error), Some(tell)) => tell(null_mut(), error.code.0, user_data.0),
                _ => {}
            }
            if let Ok(result) = &mut made {
                result.clean_up();
            }
        }
    }

    unsafe fn sign(&self, keys: Result<Option<Arc<Keys>>>) -> Result<aws_signing_result> {
        let keys = keys.map_err(|error| {
            log!(AuthSigning, Error, self.signable, "no credentials to sign with: {error}");
            Error::new(Code::AUTH_SIGNING_NO_CREDENTIALS)
        })?;
        check_keys(keys.as_deref(), self.style.express)?;
        // SAFETY: by the contract of `finish`.
        unsafe {
            let mut result = aws_signing_result::new(self.allocator)?;
            // Anonymous: there is nothing to add, and that is success.
            if let Some(keys) = keys
                && let Err(error) = self.sign_with(&keys, &mut result)
            {
                result.clean_up();
                return Err(error);
            }
            Ok(result)
        }
    }

    unsafe fn sign_with(&self, keys: &Keys, result: &mut aws_signing_result) -> Result<()> {
        // SAFETY: by the contract of `finish`.
        let signable = unsafe { Signable::of(self.signable)? };
        let mut signer = Signer::new(&self.region, &self.service, self.style);
        let at = self.unix_seconds;
        // SAFETY: the result is live.
        unsafe {
            let signature = match self.kind {
                Kind::Headers | Kind::Query => {
                    let request = RequestParts {
                        method: signable.property(&METHOD)?,
                        target: signable.property(&URI)?,
                    };
                    let headers = self.headers_to_sign(signable)?;
                    let headers = headers.into_iter();
                    let payload = self.payload_text(signable)?;
                    let payload = PayloadHash::Text(&payload);
                    if self.kind == Kind::Headers {
                        let signed = signer.sign_headers(&request, headers, keys, at, payload)?;
                        for (name, value) in signed.headers() {
                            result.append(&HEADERS, name, value)?;
                        }
                        signed.signature
                    } else {
                        let expires = self.expires_seconds;
                        let signed =
                            signer.sign_query(&request, headers, keys, at, payload, expires)?;
                        for (name, value) in signed.params() {
                            result.append(&PARAMS, name, value)?;
                        }
                        signed.signature
                    }
                }
                Kind::CanonicalHeaders | Kind::CanonicalQuery => {
                    let canonical = signable.property(&CANONICAL_REQUEST)?;
                    let (authorization, signature) =
                        signer.sign_canonical_request(canonical, keys, at);
                    if self.kind == Kind::CanonicalHeaders {
                        result.append(&HEADERS, b"Authorization", authorization)?;
                    } else {
                        result.append(&PARAMS, b"X-Amz-Signature", &signature)?;
                    }
                    signature
                }
                Kind::Chunk => {
                    let previous = self.previous(signable)?;
                    signer.sign_chunk(keys, at, previous, &digits(self.payload_text(signable)?)?)
                }
                Kind::Event => {
                    let previous = self.previous(signable)?;
                    let hash = digits(self.payload_text(signable)?)?;
                    let millis = at.saturating_mul(1000).saturating_add(self.millis);
                    signer.sign_event(keys, millis, previous, &hash)
                }
                Kind::Trailers => {
                    let previous = self.previous(signable)?;
                    let pairs = signable.list(&HEADERS)?;
                    let mut trailers = Vec::with_capacity(pairs.len());
                    for pair in pairs {
                        trailers.push((bytes_of(pair.name)?, bytes_of(pair.value)?));
                    }
                    signer.sign_trailers(keys, at, previous, trailers.into_iter())?
                }
            };
            result.set(&SIGNATURE, &signature)
        }
    }

    fn previous<'a>(&self, signable: Signable<'a>) -> Result<&'a [u8]> {
        match signable.property(&PREVIOUS_SIGNATURE) {
            Ok([]) | Err(_) => Err(Error::new(Code::AUTH_SIGNING_MISSING_PREVIOUS_SIGNATURE)),
            found => found,
        }
    }

    /// The request's headers without those that the caller does not want signed.
    fn headers_to_sign<'a>(&self, signable: Signable<'a>) -> Result<Vec<(&'a [u8], &'a [u8])>> {
        let pairs = signable.list(&HEADERS)?;
        let mut headers = Vec::with_capacity(pairs.len());
        for pair in pairs {
            // SAFETY: the signable's pairs live as long as it does.
            let (name, value) = unsafe { (bytes_of(pair.name)?, bytes_of(pair.value)?) };
            // A header that signing itself makes is refused, whether it would be signed or not.
            let reserved = crate::sigv4::is_reserved_header(name);
            let wanted = match self.should_sign {
                // SAFETY: the caller's function with its own data.
                Some(ask) if !reserved => unsafe { ask(&cursor_of(name), self.should_sign_data.0) },
                _ => true,
            };
            if wanted {
                headers.push((name, value));
            }
        }
        Ok(headers)
    }

    /// The line that stands for the payload: the caller's text, or the payload's hash in hex. The
    /// stream is read from its begin, and is there again afterwards.
    fn payload_text(&self, signable: Signable<'_>) -> Result<Vec<u8>> {
        if !self.payload.is_empty() {
            return Ok(self.payload.clone());
        }
        let mut hash = ring::digest::Context::new(&ring::digest::SHA256);
        let raw = signable.payload()?;
        if !raw.is_null() {
            // SAFETY: the signable keeps its stream alive.
            let mut stream = unsafe { Stream::share(raw)? };
            stream.seek(0)?;
            let mut block = vec![0; 64 << 10];
            loop {
                let n = stream.read(&mut block)?;
                hash.update(&block[..n]);
                if stream.at_end()? {
                    break;
                }
            }
            stream.seek(0)?;
        }
        Ok(hex(hash.finish().as_ref()))
    }
}

fn digits(text: Vec<u8>) -> Result<[u8; 64]> {
    text.try_into().map_err(|_| Error::new(Code::AUTH_SIGNING_INVALID_CONFIGURATION))
}

/// A signature that waits for its keys.
struct Waiting {
    work: Work,
    /// A reference.
    provider: *mut crate::ffi::auth::credentials::aws_credentials_provider,
}

unsafe extern "C" fn keys_arrived(
    credentials: *mut aws_credentials,
    error_code: c_int,
    user_data: *mut c_void,
) {
    // SAFETY: the box that `sign_request` handed over, given once; the credentials live during the
    // call.
    unsafe {
        let Waiting { work, provider } = *Box::from_raw(user_data.cast::<Waiting>());
        let keys = match credentials.is_null() {
            true => Err(Error::new(Code(error_code))),
            false => keys_of(credentials),
        };
        work.finish(keys);
        provider_release(provider);
    }
}

unsafe fn sign_request(
    allocator: *mut aws_allocator,
    signable: *const aws_signable,
    config: &aws_signing_config_aws,
    on_complete: aws_signing_complete_fn,
    user_data: UserData,
) -> Result<()> {
    if allocator.is_null() || on_complete.is_none() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: the export's contract: pointers are NULL or live, and the signable lives until the
    // callback has been called.
    unsafe {
        Signable::of(signable)?;
        let (kind, style, source) = read_config(config)?;
        let work = Work {
            allocator,
            signable,
            kind,
            region: bytes_of(config.region)?.to_vec(),
            service: bytes_of(config.service)?.to_vec(),
            style,
            unix_seconds: u64::try_from(config.date.timestamp).unwrap_or(0),
            millis: u64::from(config.date.milliseconds),
            should_sign: config.should_sign_header,
            should_sign_data: UserData(config.should_sign_header_ud),
            payload: bytes_of(config.signed_body_value)?.to_vec(),
            expires_seconds: config.expiration_in_seconds,
            on_complete,
            user_data,
        };
        match source {
            Source::Known(keys) => work.finish(Ok(keys)),
            Source::Provider(provider) => {
                provider_acquire(provider);
                let waiting = Box::into_raw(Box::new(Waiting { work, provider }));
                if let Err(error) = provider_get(provider, Some(keys_arrived), waiting.cast()) {
                    drop(Box::from_raw(waiting));
                    provider_release(provider);
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}

/// Signs something by Signature Version 4.
///
/// `allocator`: required; the result's memory comes from it. `signable`: required; must live, unchanged,
/// until the callback has been called. `base_config`: required; an aws_signing_config_aws, copied during
/// the call. `on_complete`: required; called once if and only if this returns AWS_OP_SUCCESS, before it
/// returns where the keys are known, else on the thread of the credentials provider. A body without given
/// hash is read and rewound, which may block.
///
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_AUTH_SIGNING_MISMATCHED_CONFIGURATION,
/// AWS_AUTH_SIGNING_INVALID_CONFIGURATION, AWS_AUTH_SIGNING_INVALID_CREDENTIALS,
/// AWS_AUTH_SIGNING_UNSUPPORTED_SIGNATURE_TYPE, AWS_ERROR_UNIMPLEMENTED (Sigv4a),
/// AWS_ERROR_INVALID_ARGUMENT or the provider's error. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_sign_request_aws(
    allocator: *mut aws_allocator,
    signable: *const aws_signable,
    base_config: *const aws_signing_config_base,
    on_complete: aws_signing_complete_fn,
    userdata: *mut c_void,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            let base = arg!(base_config);
            if enum_value(base.config_type) != 1 {
                return raise(Code::AUTH_SIGNING_MISMATCHED_CONFIGURATION);
            }
            let config = &*base_config.cast::<aws_signing_config_aws>();
            ok!(sign_request(allocator, signable, config, on_complete, UserData(userdata)));
        }
        AWS_OP_SUCCESS
    })
}

#[cfg(test)]
mod tests;
