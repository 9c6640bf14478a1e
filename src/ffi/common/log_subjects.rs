//! The names of log subjects, as they stand in the lines of the standard logger.

use std::ffi::CStr;

const UNKNOWN: &CStr = c"Unknown";

/// Names by library: entry n belongs to the library's first subject plus n.
static NAMES: &[(u32, &[&CStr])] = &[
    (
        0,
        &[
            c"aws-c-common",
            c"task-scheduler",
            c"thread",
            c"memtrace",
            c"xml-parser",
            c"common-io",
            c"bus",
            c"test",
            c"json-parser",
            c"cbor",
        ],
    ),
    (
        1024,
        &[
            c"aws-c-io",
            c"event-loop",
            c"socket",
            c"socket-handler",
            c"tls-handler",
            c"alpn",
            c"dns",
            c"pki-utils",
            c"channel",
            c"channel-bootstrap",
            c"file-utils",
            c"shared-library",
            c"exp-backoff-strategy",
            c"standard-retry-strategy",
            c"pkcs11",
            c"pem",
        ],
    ),
    (
        2048,
        &[
            c"http",
            c"http-connection",
            c"http-encoder",
            c"http-decoder",
            c"http-server",
            c"http-stream",
            c"connection-manager",
            c"http2-stream-manager",
            c"websocket",
            c"websocket-setup",
            c"proxy-negotiation",
        ],
    ),
    (6144, &[c"AuthGeneral", c"AuthProfile", c"AuthCredentialsProvider", c"AuthSigning"]),
    (
        7168,
        &[c"aws-c-cal", c"ecc", c"hash", c"hmac", c"der", c"libcrypto_resolve", c"rsa", c"ed25519"],
    ),
    (
        14336,
        &[
            c"S3General",
            c"S3Client",
            c"S3ClientStats",
            c"S3Request",
            c"S3MetaRequest",
            c"S3Endpoint",
        ],
    ),
    (
        15360,
        &[
            c"SDKUtils",
            c"AWSProfile",
            c"AWSEndpointsParsing",
            c"AWSEndpointsResolution",
            c"AWSEndpoints",
            c"AWSEndpoints",
            c"AWSEndpoints",
        ],
    ),
];

/// The name of a subject.
pub fn name(subject: u32) -> &'static CStr {
    NAMES
        .iter()
        .find_map(|(first, names)| names.get(subject.checked_sub(*first)? as usize).copied())
        .unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_have_the_names_of_their_place() {
        assert_eq!(name(0), c"aws-c-common");
        assert_eq!(name(1026), c"socket");
        assert_eq!(name(14340), c"S3MetaRequest");
        for unknown in [10, 1023, 1040, 6148, u32::MAX] {
            assert_eq!(name(unknown), UNKNOWN);
        }
    }
}
