//! Which failure is worth another try.

use crate::base::{Code, Duration, Error};
use crate::text::date;

/// With the numbers of `enum aws_retry_error_type`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Kind {
    /// The way to the server failed, or the server stopped half way.
    Transient = 0,
    /// The server asks for less.
    Throttling = 1,
    /// The server is at fault.
    Server = 2,
    /// The request was wrong, and has been mended.
    Client = 3,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Retry(Kind),
    Fail,
}

/// A complete answer that is no success: its status, the S3 code of its `<Error>` document (empty
/// without one) and the code that stands for both. An `<Error>` may come under status 200.
pub fn classify_answer(status: u16, s3_code: &str, code: Code) -> Class {
    let is_one_of = |list: &[&str]| list.iter().any(|c| c.eq_ignore_ascii_case(s3_code));
    if is_one_of(THROTTLING) {
        return Class::Retry(Kind::Throttling);
    }
    if is_one_of(SERVER) {
        return Class::Retry(Kind::Server);
    }
    if is_one_of(TRANSIENT) {
        return Class::Retry(Kind::Transient);
    }
    match status {
        408 => Class::Retry(Kind::Transient),
        429 | 503 | 509 => Class::Retry(Kind::Throttling),
        500 | 502 | 504 => Class::Retry(Kind::Server),
        _ if code == Code::S3_SLOW_DOWN => Class::Retry(Kind::Throttling),
        _ => Class::Fail,
    }
}

/// The keys of the request are no longer good: worth another try only if the provider has others.
pub fn wants_new_keys(s3_code: &str) -> bool {
    EXPIRED.iter().any(|c| c.eq_ignore_ascii_case(s3_code))
}

/// A request that got no complete answer.
pub fn classify(error: &Error) -> Class {
    // A certificate does not get better by asking again.
    if error.call == CERTIFICATE { Class::Fail } else { classify_error(error.code) }
}

/// `classify` for a code alone. Only what another connection or moment may mend is retried.
pub fn classify_error(code: Code) -> Class {
    match code {
        Code::S3_SLOW_DOWN => Class::Retry(Kind::Throttling),
        Code::S3_INTERNAL_ERROR => Class::Retry(Kind::Server),
        code if LINK.contains(&code) => Class::Retry(Kind::Transient),
        _ => Class::Fail,
    }
}

/// `Retry-After`: seconds or a date (RFC 9110 section 10.2.3), bounded by `RETRY_AFTER_MAX`.
pub fn parse_retry_after(value: &[u8], unix_seconds: u64) -> Option<Duration> {
    let value = value.trim_ascii();
    let seconds = if !value.is_empty() && value.iter().all(u8::is_ascii_digit) {
        // More digits than a number holds mean "very long".
        std::str::from_utf8(value).ok()?.parse().unwrap_or(u64::MAX)
    } else {
        let date = u64::try_from(date::parse_http(value)?).ok()?;
        date.saturating_sub(unix_seconds)
    };
    Some(Duration::from_secs(seconds).min(RETRY_AFTER_MAX))
}

/// The longest that a server may make a client wait.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(300);
/// `Error::call` of a TLS failure that lies in the peer's certificate.
pub const CERTIFICATE: &str = "certificate";

const THROTTLING: &[&str] = &[
    "SlowDown",
    "ServiceUnavailable",
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "TooManyRequests",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "BandwidthLimitExceeded",
    "PriorRequestNotComplete",
];

const SERVER: &[&str] = &["InternalError", "InternalErrors", "InternalServerError"];

const TRANSIENT: &[&str] =
    &["RequestTimeout", "RequestTimeoutException", "RequestTimeTooSkewed", "IncompleteBody"];

const EXPIRED: &[&str] = &["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"];

/// Failures of the link to the server.
const LINK: &[Code] = &[
    Code::IO_SOCKET_CONNECTION_REFUSED,
    Code::IO_SOCKET_TIMEOUT,
    Code::IO_SOCKET_NO_ROUTE_TO_HOST,
    Code::IO_SOCKET_NETWORK_DOWN,
    Code::IO_SOCKET_CLOSED,
    Code::IO_SOCKET_NOT_CONNECTED,
    Code::IO_SOCKET_CONNECT_ABORTED,
    Code::IO_BROKEN_PIPE,
    Code::IO_DNS_QUERY_FAILED,
    Code::IO_DNS_NO_ADDRESS_FOR_HOST,
    Code::IO_DNS_HOST_REMOVED_FROM_CACHE,
    Code::IO_TLS_ERROR_NEGOTIATION_FAILURE,
    Code::IO_TLS_NEGOTIATION_TIMEOUT,
    Code::IO_TLS_ERROR_WRITE_FAILURE,
    Code::IO_TLS_ALERT_NOT_GRACEFUL,
    Code::IO_EVENT_LOOP_SHUTDOWN,
    Code::HTTP_UNKNOWN,
    Code::HTTP_CONNECTION_CLOSED,
    Code::HTTP_SERVER_CLOSED,
    Code::HTTP_PROTOCOL_ERROR,
    Code::HTTP_CHANNEL_THROUGHPUT_FAILURE,
    Code::HTTP_RESPONSE_FIRST_BYTE_TIMEOUT,
    Code::HTTP_CONNECTION_MANAGER_ACQUISITION_TIMEOUT,
    Code::HTTP_PROXY_CONNECT_FAILED,
    Code::HTTP_PROXY_CONNECT_FAILED_RETRYABLE,
    Code::HTTP_GOAWAY_RECEIVED,
    Code::HTTP_RST_STREAM_RECEIVED,
    Code::S3_REQUEST_TIMEOUT,
    Code::S3_REQUEST_TIME_TOO_SKEWED,
];
