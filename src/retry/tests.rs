use super::*;
use crate::base::{Code, Duration, Error};

fn options(jitter: Jitter) -> BackoffOptions {
    BackoffOptions {
        retries_max: 8,
        scale: Duration::from_millis(100),
        delay_max: Duration::from_secs(2),
        jitter,
    }
}

/// The delays in ms, with the numbers that the generator gives.
fn delays(options: &BackoffOptions, random: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut backoff = Backoff::new(options).unwrap();
    let mut calls = 0;
    let mut generate = || {
        calls += 1;
        random(calls)
    };
    let mut out = Vec::new();
    while let Ok(delay) = backoff.next(Kind::Transient, &mut generate) {
        out.push(delay.as_millis() as u64);
        assert!(out.len() < 100);
    }
    out
}

#[test]
fn backoff_without_jitter_doubles_up_to_its_bound() {
    let found = delays(&options(Jitter::None), |_| panic!("no randomness needed"));
    assert_eq!(found, [100, 200, 400, 800, 1600, 2000, 2000, 2000]);
}

#[test]
fn backoff_with_full_jitter_stays_below_the_plain_delay() {
    let plain = [100, 200, 400, 800, 1600, 2000, 2000, 2000];
    for jitter in [Jitter::Full, Jitter::Default] {
        // The largest remainder: one nanosecond below the plain delay.
        let found = delays(&options(jitter), |call| plain[call as usize - 1] * 1_000_000 - 1);
        assert_eq!(found, plain.map(|d| d - 1));
        assert_eq!(delays(&options(jitter), |_| 0), [0; 8]);
        // A number far beyond the range is folded into it.
        let found = delays(&options(jitter), |_| 100_000_000 + 25_000_000);
        assert_eq!(found[0], 25);
    }
}

#[test]
fn backoff_with_decorrelated_jitter_grows_from_the_last_delay() {
    // First as full jitter; then between the scale and three times the last.
    let found = delays(&options(Jitter::Decorrelated), |call| match call {
        1 => 50_000_000,
        _ => 0,
    });
    // 50, then the range 100..150 gives 100, then 100..300 gives 100, and so on.
    assert_eq!(found, [50, 100, 100, 100, 100, 100, 100, 100]);
    let found = delays(&options(Jitter::Decorrelated), |call| match call {
        1 => 99_000_000,
        2 => 196_000_000,
        _ => 399_000_000,
    });
    // 99; 100 + 196 % 197 = 296; 100 + 399 % 788 = 499; 100 + 399 % 1397 = 499; ..
    assert_eq!(found[..4], [99, 296, 499, 499]);
}

#[test]
fn backoff_whose_range_is_empty_does_not_wait() {
    let options = BackoffOptions {
        scale: Duration::from_secs(2),
        delay_max: Duration::from_secs(2),
        ..options(Jitter::Decorrelated)
    };
    let found = delays(&options, |_| 1_999_000_000);
    assert_eq!(found[..3], [1999, 0, 1999]);
}

#[test]
fn backoff_with_no_options_takes_the_defaults() {
    let none = BackoffOptions { jitter: Jitter::None, ..BackoffOptions::default() };
    assert_eq!(delays(&none, |_| 0), [500, 1000, 2000, 4000, 8000]);
    let many = BackoffOptions { retries_max: 64, ..none };
    assert_eq!(Backoff::new(&many).err().map(|e| e.code), Some(Code::INVALID_ARGUMENT));
    let most = BackoffOptions { retries_max: 63, ..none };
    assert_eq!(delays(&most, |_| 0).len(), 63);
}

#[test]
fn backoff_after_the_last_try_is_an_error_that_says_so() {
    let one = BackoffOptions { retries_max: 1, ..options(Jitter::None) };
    let mut backoff = Backoff::new(&one).unwrap();
    let mut random = || 0;
    assert!(backoff.next(Kind::Throttling, &mut random).is_ok());
    assert_eq!(backoff.next(Kind::Client, &mut random), Ok(Duration::ZERO));
    let code = backoff.next(Kind::Server, &mut random).map_err(|e| e.code);
    assert_eq!(code, Err(Code::IO_MAX_RETRIES_EXCEEDED));
    assert_eq!(backoff.retries(), 1);
}

#[test]
fn bucket_pays_by_kind_and_runs_dry() {
    let mut bucket = Bucket::new(25);
    let mut cost = Cost::default();
    bucket.take(Kind::Transient, &mut cost).unwrap();
    assert_eq!(bucket.capacity(), 15);
    bucket.take(Kind::Throttling, &mut cost).unwrap();
    bucket.take(Kind::Server, &mut cost).unwrap();
    assert_eq!(bucket.capacity(), 5);
    bucket.take(Kind::Transient, &mut cost).unwrap();
    assert_eq!(bucket.capacity(), 0);
    let code = bucket.take(Kind::Transient, &mut cost).map_err(|e| e.code);
    assert_eq!(code, Err(Code::IO_RETRY_PERMISSION_DENIED));
    // The last retry could only pay 5.
    bucket.succeeded(&mut cost);
    assert_eq!(bucket.capacity(), 5);
    bucket.succeeded(&mut cost);
    assert_eq!(bucket.capacity(), 5, "a success pays back once");
}

#[test]
fn bucket_refills_slowly_by_successes_that_never_failed() {
    let mut bucket = Bucket::new(0);
    assert_eq!(bucket.capacity(), 500);
    let mut failing = Cost::default();
    for _ in 0..3 {
        bucket.take(Kind::Server, &mut failing).unwrap();
    }
    bucket.succeeded(&mut Cost::default());
    assert_eq!(bucket.capacity(), 486);
    for _ in 0..100 {
        bucket.succeeded(&mut Cost::default());
    }
    assert_eq!(bucket.capacity(), 500);
}

#[test]
fn bucket_takes_back_a_retry_that_does_not_happen() {
    let mut bucket = Bucket::new(100);
    let mut cost = Cost::default();
    let before = cost;
    bucket.take(Kind::Transient, &mut cost).unwrap();
    bucket.take_back(&mut cost, before);
    assert_eq!((bucket.capacity(), cost), (100, before));
    assert!(bucket.take(Kind::Client, &mut cost).is_err());
    assert_eq!(bucket.capacity(), 100);
}

#[test]
fn answers_worth_another_try_are_told_by_kind() {
    let unknown = Code::S3_INVALID_RESPONSE_STATUS;
    for (status, s3_code, expected) in [
        (408, "", Class::Retry(Kind::Transient)),
        (429, "", Class::Retry(Kind::Throttling)),
        (500, "", Class::Retry(Kind::Server)),
        (502, "<html>", Class::Retry(Kind::Server)),
        (503, "", Class::Retry(Kind::Throttling)),
        (503, "SlowDown", Class::Retry(Kind::Throttling)),
        (504, "", Class::Retry(Kind::Server)),
        (200, "InternalError", Class::Retry(Kind::Server)),
        (200, "SlowDown", Class::Retry(Kind::Throttling)),
        (200, "AccessDenied", Class::Fail),
        (400, "RequestTimeout", Class::Retry(Kind::Transient)),
        (403, "RequestTimeTooSkewed", Class::Retry(Kind::Transient)),
        (400, "ExpiredToken", Class::Fail),
        (400, "", Class::Fail),
        (403, "AccessDenied", Class::Fail),
        (404, "NoSuchKey", Class::Fail),
        (412, "PreconditionFailed", Class::Fail),
        (416, "InvalidRange", Class::Fail),
        (301, "PermanentRedirect", Class::Fail),
        (501, "NotImplemented", Class::Fail),
    ] {
        assert_eq!(classify_answer(status, s3_code, unknown), expected, "{status} {s3_code}");
    }
    assert!(wants_new_keys("ExpiredToken") && !wants_new_keys("AccessDenied"));
}

#[test]
fn failures_of_the_link_are_retried_and_mistakes_are_not() {
    for code in [
        Code::IO_SOCKET_CLOSED,
        Code::IO_SOCKET_TIMEOUT,
        Code::IO_SOCKET_CONNECTION_REFUSED,
        Code::HTTP_CONNECTION_CLOSED,
        Code::HTTP_RESPONSE_FIRST_BYTE_TIMEOUT,
        Code::IO_TLS_ERROR_NEGOTIATION_FAILURE,
        Code::IO_DNS_QUERY_FAILED,
    ] {
        assert_eq!(classify_error(code), Class::Retry(Kind::Transient), "{code}");
    }
    for code in [
        Code::S3_CANCELED,
        Code::S3_PAUSED,
        Code::S3_OBJECT_MODIFIED,
        Code::S3_RESPONSE_CHECKSUM_MISMATCH,
        Code::S3_INVALID_CONTENT_RANGE_HEADER,
        Code::FILE_WRITE_FAILURE,
        Code::AUTH_SIGNING_NO_CREDENTIALS,
        Code::INVALID_ARGUMENT,
        Code::OOM,
        Code::MAX_FDS_EXCEEDED,
        Code::IO_DNS_INVALID_NAME,
    ] {
        assert_eq!(classify_error(code), Class::Fail, "{code}");
    }
}

#[test]
fn h41_certificate_that_is_not_trusted_fails_at_once() {
    let reset = Error::new(Code::IO_TLS_ERROR_NEGOTIATION_FAILURE);
    assert_eq!(classify(&reset), Class::Retry(Kind::Transient));
    let untrusted = Error { call: CERTIFICATE, ..reset };
    assert_eq!(classify(&untrusted), Class::Fail);
}

#[test]
fn retry_after_is_read_and_bounded() {
    let read = |text: &str| parse_retry_after(text.as_bytes(), 784_111_770);
    assert_eq!(read("3"), Some(Duration::from_secs(3)));
    assert_eq!(read(" 0 "), Some(Duration::ZERO));
    assert_eq!(read("99999999999999999999999"), Some(RETRY_AFTER_MAX));
    assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::from_secs(7)));
    assert_eq!(read("Sun, 06 Nov 1994 08:49:00 GMT"), Some(Duration::ZERO));
    for text in ["", "-1", "1.5", "soon", "Sun, 06 Nov 1969 08:49:37 GMT"] {
        assert_eq!(read(text), None, "{text}");
    }
}
