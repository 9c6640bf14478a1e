//! Signing options, credentials and their provider as the engine's signing.

use std::sync::Arc;

use crate::base::{Code, Done, Error, Result};
use crate::client::{Credentials, Signing};
use crate::ffi::auth::credentials::{Provider, keys_of};
use crate::ffi::auth::signing_config::{aws_signing_algorithm, aws_signing_config_aws};
use crate::ffi::place::{bytes_of, enum_value};
use crate::log;
use crate::sigv4::Keys;

/// Keys that never change; `None` = anonymous.
struct Fixed(Option<Arc<Keys>>);

impl Credentials for Fixed {
    fn get(&self, done: Done<Option<Arc<Keys>>>) {
        done(Ok(self.0.clone()));
    }
    fn now(&self) -> Option<Option<Arc<Keys>>> {
        Some(self.0.clone())
    }
}

/// A provider, asked for each request.
struct FromProvider(Provider);

impl Credentials for FromProvider {
    fn get(&self, done: Done<Option<Arc<Keys>>>) {
        self.0.get(done);
    }
    fn now(&self) -> Option<Option<Arc<Keys>>> {
        self.0.now()
    }
}

/// Whether options ask for S3 Express session credentials.
pub(crate) fn is_express(config: &aws_signing_config_aws) -> bool {
    enum_value(config.algorithm) == aws_signing_algorithm::AWS_SIGNING_ALGORITHM_V4_S3EXPRESS as i32
}

/// Translates signing options. An empty region takes `region`, an empty service "s3". Where neither
/// credentials nor a provider are set, `fallback` provides the keys.
///
/// # Safety
/// What the options point to is live.
pub(crate) unsafe fn signing(
    config: &aws_signing_config_aws,
    region: &str,
    fallback: Option<&Signing>,
    log_id: usize,
) -> Result<Signing> {
    let algorithm = enum_value(config.algorithm);
    if algorithm != aws_signing_algorithm::AWS_SIGNING_ALGORITHM_V4 as i32 {
        log!(S3Client, Error, log_id, "signing algorithm {algorithm} is not implemented");
        return Err(Error::new(Code::UNIMPLEMENTED));
    }
    if config.should_sign_header.is_some() {
        log!(S3Client, Error, log_id, "choosing the signed headers is not implemented");
        return Err(Error::new(Code::UNIMPLEMENTED));
    }
    // SAFETY: by the contract.
    unsafe {
        let credentials: Arc<dyn Credentials> = if !config.credentials.is_null() {
            Arc::new(Fixed(keys_of(config.credentials)?))
        } else if !config.credentials_provider.is_null() {
            Arc::new(FromProvider(Provider::share(config.credentials_provider)?))
        } else {
            match fallback {
                Some(other) => other.credentials.clone(),
                None => return Err(Error::new(Code::INVALID_ARGUMENT)),
            }
        };
        let text = |cursor| -> Result<Option<String>> {
            let bytes = bytes_of(cursor)?;
            match std::str::from_utf8(bytes) {
                Ok("") => Ok(None),
                Ok(text) => Ok(Some(text.to_owned())),
                Err(_) => Err(Error::new(Code::INVALID_ARGUMENT)),
            }
        };
        Ok(Signing {
            credentials,
            region: text(config.region)?.unwrap_or_else(|| region.to_owned()),
            service: text(config.service)?.unwrap_or_else(|| "s3".to_owned()),
            double_encode: config.flags.bits & 1 != 0,
            normalize_path: config.flags.bits & 2 != 0,
            payload_hash: text(config.signed_body_value)?.filter(|v| v != "UNSIGNED-PAYLOAD"),
        })
    }
}
