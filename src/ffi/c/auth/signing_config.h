//! replace aws_signing_config_aws
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
