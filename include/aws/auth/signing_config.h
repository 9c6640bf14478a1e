/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/signing_config.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_SIGNING_CONFIG_H
#define AWS_AUTH_SIGNING_CONFIG_H

#include <aws/auth/auth.h>
#include <aws/common/byte_buf.h>
#include <aws/common/date_time.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which struct a signing config is. */
enum aws_signing_config_type {
    AWS_SIGNING_CONFIG_AWS = 1,
};

/** How to sign. */
enum aws_signing_algorithm {
    AWS_SIGNING_ALGORITHM_V4 = 0,
    AWS_SIGNING_ALGORITHM_V4_ASYMMETRIC = 1,
    AWS_SIGNING_ALGORITHM_V4_S3EXPRESS = 2,
};

/** What to sign and where the signature goes. */
enum aws_signature_type {
    AWS_ST_HTTP_REQUEST_HEADERS = 0,
    AWS_ST_HTTP_REQUEST_QUERY_PARAMS = 1,
    AWS_ST_HTTP_REQUEST_CHUNK = 2,
    AWS_ST_HTTP_REQUEST_EVENT = 3,
    AWS_ST_CANONICAL_REQUEST_HEADERS = 4,
    AWS_ST_CANONICAL_REQUEST_QUERY_PARAMS = 5,
    AWS_ST_HTTP_REQUEST_TRAILING_HEADERS = 6,
};

/** Whether the payload hash is added as a header. */
enum aws_signed_body_header_type {
    AWS_SBHT_NONE = 0,
    AWS_SBHT_X_AMZ_CONTENT_SHA256 = 1,
};

struct aws_byte_cursor;
struct aws_credentials;
struct aws_credentials_provider;

/**
 * Whether to sign this header. Called during signing for headers that are not forbidden; `name` is
 * valid during the call.
 */
typedef bool (aws_should_sign_header_fn)(const struct aws_byte_cursor *name, void *userdata);

/** Head of every signing config. */
struct aws_signing_config_base {
    enum aws_signing_config_type config_type;
};

/** How to sign one thing. All zero but for the required fields is a valid start. */
struct aws_signing_config_aws {
    /** AWS_SIGNING_CONFIG_AWS. */
    enum aws_signing_config_type config_type;
    enum aws_signing_algorithm algorithm;
    enum aws_signature_type signature_type;
    /** Region, or region set. Required. */
    struct aws_byte_cursor region;
    /** Service name, such as `s3`. Required. */
    struct aws_byte_cursor service;
    /** The time the signature is made for. */
    struct aws_date_time date;
    /** Optional. Decides for each header whether it is signed. */
    aws_should_sign_header_fn *should_sign_header;
    void *should_sign_header_ud;
    struct {
        /** Encode the path once more; every service but S3 wants it. */
        uint32_t use_double_uri_encode : 1;
        /** Resolve dots and double slashes of the path; every service but S3 wants it. */
        uint32_t should_normalize_uri_path : 1;
        /** Add the session token after signing instead of signing it. */
        uint32_t omit_session_token : 1;
    } flags;
    /** Text that stands for the payload's hash; empty: the hash of the payload is computed. */
    struct aws_byte_cursor signed_body_value;
    enum aws_signed_body_header_type signed_body_header;
    /** Credentials to sign with; win over `credentials_provider`. */
    const struct aws_credentials *credentials;
    /** Asked for credentials where `credentials` is NULL. */
    struct aws_credentials_provider *credentials_provider;
    /** Lifetime in seconds of a signature in query parameters; 0: not stated. */
    uint64_t expiration_in_seconds;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_SIGNING_CONFIG_H */
