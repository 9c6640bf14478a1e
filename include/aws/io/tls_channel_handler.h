/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/tls_channel_handler.rs; `make headers` writes it anew. */
#ifndef AWS_IO_TLS_CHANNEL_HANDLER_H
#define AWS_IO_TLS_CHANNEL_HANDLER_H

#include <aws/common/byte_buf.h>
#include <aws/common/ref_count.h>
#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Tag of the channel message that carries a negotiated protocol. */
#define AWS_TLS_NEGOTIATED_PROTOCOL_MESSAGE 0x01

/** Lowest TLS version a connection may use. */
enum aws_tls_versions {
    AWS_IO_SSLv3 = 0,
    AWS_IO_TLSv1 = 1,
    AWS_IO_TLSv1_1 = 2,
    AWS_IO_TLSv1_2 = 3,
    AWS_IO_TLSv1_3 = 4,
    AWS_IO_TLS_VER_SYS_DEFAULTS = 128,
};

/** Which ciphers a connection offers. Values stay reserved when they are no longer offered. */
enum aws_tls_cipher_pref {
    AWS_IO_TLS_CIPHER_PREF_SYSTEM_DEFAULT = 0,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_TLSv1_0_2019_06 = 1,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_SIKE_TLSv1_0_2019_11 = 2,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_TLSv1_0_2020_02 = 3,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_SIKE_TLSv1_0_2020_02 = 4,
    AWS_IO_TLS_CIPHER_PREF_KMS_PQ_TLSv1_0_2020_07 = 5,
    AWS_IO_TLS_CIPHER_PREF_PQ_TLSv1_0_2021_05 = 6,
    AWS_IO_TLS_CIPHER_PREF_PQ_TLSV1_2_2024_10 = 7,
    AWS_IO_TLS_CIPHER_PREF_PQ_DEFAULT = 8,
    AWS_IO_TLS_CIPHER_PREF_TLSV1_2_2025_07 = 9,
    AWS_IO_TLS_CIPHER_PREF_TLSV1_0_2023_06 = 10,
    AWS_IO_TLS_CIPHER_PREF_NON_PQ_DEFAULT = 11,
    AWS_IO_TLS_CIPHER_PREF_END_RANGE = 65535,
};

/** Digest of a private-key operation. */
enum aws_tls_hash_algorithm {
    AWS_TLS_HASH_UNKNOWN = 0,
    AWS_TLS_HASH_SHA1 = 1,
    AWS_TLS_HASH_SHA224 = 2,
    AWS_TLS_HASH_SHA256 = 3,
    AWS_TLS_HASH_SHA384 = 4,
    AWS_TLS_HASH_SHA512 = 5,
};

/** Signature of a private-key operation. */
enum aws_tls_signature_algorithm {
    AWS_TLS_SIGNATURE_UNKNOWN = 0,
    AWS_TLS_SIGNATURE_RSA = 1,
    AWS_TLS_SIGNATURE_ECDSA = 2,
};

/** Kind of a private-key operation. */
enum aws_tls_key_operation_type {
    AWS_TLS_KEY_OPERATION_UNKNOWN = 0,
    AWS_TLS_KEY_OPERATION_SIGN = 1,
    AWS_TLS_KEY_OPERATION_DECRYPT = 2,
};

/** How far a TLS handshake is. */
enum aws_tls_negotiation_status {
    AWS_TLS_NEGOTIATION_STATUS_NONE = 0,
    AWS_TLS_NEGOTIATION_STATUS_ONGOING = 1,
    AWS_TLS_NEGOTIATION_STATUS_SUCCESS = 2,
    AWS_TLS_NEGOTIATION_STATUS_FAILURE = 3,
};

struct aws_allocator;
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_channel_handler;
struct aws_channel_slot;
struct aws_custom_key_op_handler;
struct aws_custom_key_op_handler_vtable;
struct aws_pkcs11_lib;
struct aws_string;
struct aws_tls_connection_options;
struct aws_tls_ctx;
struct aws_tls_ctx_options;
struct aws_tls_ctx_pkcs11_options;
struct aws_tls_key_operation;

/** A handshake ended. Event-loop thread. */
typedef void (aws_tls_on_negotiation_result_fn)(
    struct aws_channel_handler *handler,
    struct aws_channel_slot *slot,
    int error_code,
    void *user_data);

/** Decrypted bytes arrived. Event-loop thread; `buffer` is valid during the call. */
typedef void (aws_tls_on_data_read_fn)(
    struct aws_channel_handler *handler,
    struct aws_channel_slot *slot,
    struct aws_byte_buf *buffer,
    void *user_data);

/** A TLS error. Event-loop thread. */
typedef void (aws_tls_on_error_fn)(
    struct aws_channel_handler *handler,
    struct aws_channel_slot *slot,
    int err,
    const char *message,
    void *user_data);

/** A loaded PKCS#11 library. Opaque. */
struct aws_pkcs11_lib;

/** One private-key operation. Opaque. */
struct aws_tls_key_operation;

/** TLS settings that many connections share. Made by aws_tls_client_ctx_new(). */
struct aws_tls_ctx {
    struct aws_allocator *alloc;
    void *impl;
    struct aws_ref_count ref_count;
};

/** TLS settings of one connection. Clean up with aws_tls_connection_options_clean_up(). */
struct aws_tls_connection_options {
    /** Protocols offered, joined by `;`. NULL: those of `ctx`. */
    struct aws_string *alpn_list;
    /** Name for SNI and for checking the certificate. */
    struct aws_string *server_name;
    aws_tls_on_negotiation_result_fn *on_negotiation_result;
    aws_tls_on_data_read_fn *on_data_read;
    aws_tls_on_error_fn *on_error;
    void *user_data;
    /** The shared settings; holds a reference. */
    struct aws_tls_ctx *ctx;
    bool advertise_alpn_message;
    /** Milliseconds a handshake may take. 0: no limit. */
    uint32_t timeout_ms;
};

/** What a handler of private-key operations does. */
struct aws_custom_key_op_handler_vtable {
    void (*on_key_operation)(struct aws_custom_key_op_handler *key_op_handler, struct aws_tls_key_operation *operation);
};

/** Does private-key operations outside the library. Callers implement it. */
struct aws_custom_key_op_handler {
    void *impl;
    const struct aws_custom_key_op_handler_vtable *vtable;
    struct aws_ref_count ref_count;
};

/**
 * Settings to make an aws_tls_ctx of. Start with an init function, end with
 * aws_tls_ctx_options_clean_up(); a context made of them keeps its own copies.
 */
struct aws_tls_ctx_options {
    struct aws_allocator *allocator;
    enum aws_tls_versions minimum_tls_version;
    enum aws_tls_cipher_pref cipher_pref;
    /** Trusted certificates (PEM, ended by a NUL outside its length); empty: the system's. */
    struct aws_byte_buf ca_file;
    /** Folder of trusted certificates. */
    struct aws_string *ca_path;
    /** Protocols offered, joined by `;`. */
    struct aws_string *alpn_list;
    /** Own certificate chain (PEM). */
    struct aws_byte_buf certificate;
    /** Own private key (PEM). */
    struct aws_byte_buf private_key;
    /** Largest record in bytes. */
    size_t max_fragment_size;
    /** Whether the peer's certificate is checked. Default: true. */
    bool verify_peer;
    /** Passed through to the caller's own TLS code; unused here. */
    void *ctx_options_extension;
    /** Does the private-key operations; holds a reference. */
    struct aws_custom_key_op_handler *custom_key_op_handler;
    /** Switches revocation checks off. */
    bool no_certificate_revocation;
};

/** A client certificate whose private key lives in a PKCS#11 token. */
struct aws_tls_ctx_pkcs11_options {
    struct aws_pkcs11_lib *pkcs11_lib;
    struct aws_byte_cursor user_pin;
    const uint64_t *slot_id;
    struct aws_byte_cursor token_label;
    struct aws_byte_cursor private_key_object_label;
    struct aws_byte_cursor cert_file_path;
    struct aws_byte_cursor cert_file_contents;
};

/**
 * Fills in options for a client: the system's trust store, the peer is checked.
 *
 * `options`: overwritten, not cleaned up before. `allocator`: kept; what the options hold comes from it.
 * Clean up with aws_tls_ctx_options_clean_up(). One thread at a time may use the options.
 */
void aws_tls_ctx_options_init_default_client(
    struct aws_tls_ctx_options *options,
    struct aws_allocator *allocator);

/**
 * Frees what the options hold and zeroes them. NULL and zeroed options are allowed. One thread at a time may use the options.
 */
void aws_tls_ctx_options_clean_up(struct aws_tls_ctx_options *options);

/**
 * Fills in options for a client that shows a certificate.
 *
 * `cert`, `pkey`: PEM, copied. Returns AWS_OP_SUCCESS, or AWS_OP_ERR (`options` are then zeroed) with
 * AWS_ERROR_PEM_MALFORMED, AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
 */
int aws_tls_ctx_options_init_client_mtls(
    struct aws_tls_ctx_options *options,
    struct aws_allocator *allocator,
    const struct aws_byte_cursor *cert,
    const struct aws_byte_cursor *pkey);

/**
 * Certificates of the Windows certificate store: not on this platform.
 *
 * Returns AWS_OP_ERR with AWS_ERROR_PLATFORM_NOT_SUPPORTED, and zeroes `options`.
 */
int aws_tls_ctx_options_init_client_mtls_from_system_path(
    struct aws_tls_ctx_options *options,
    struct aws_allocator *allocator,
    const char *cert_reg_path);

/**
 * Certificates in PKCS#12 files: not on this platform.
 *
 * Returns AWS_OP_ERR with AWS_ERROR_PLATFORM_NOT_SUPPORTED, and zeroes `options`.
 */
int aws_tls_ctx_options_init_client_mtls_pkcs12_from_path(
    struct aws_tls_ctx_options *options,
    struct aws_allocator *allocator,
    const char *pkcs12_path,
    const struct aws_byte_cursor *pkcs_pwd);

/**
 * Private keys in PKCS#11 tokens: refused, this library loads no PKCS#11 modules.
 *
 * Returns AWS_OP_ERR with AWS_ERROR_PLATFORM_NOT_SUPPORTED, and zeroes `options`.
 */
int aws_tls_ctx_options_init_client_mtls_with_pkcs11(
    struct aws_tls_ctx_options *options,
    struct aws_allocator *allocator,
    const struct aws_tls_ctx_pkcs11_options *pkcs11_options);

/**
 * Sets the protocols to offer.
 *
 * `alpn_list`: required, ended by a NUL, protocols joined by `;`; copied. Returns AWS_OP_SUCCESS, or
 * AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
 */
int aws_tls_ctx_options_set_alpn_list(struct aws_tls_ctx_options *options, const char *alpn_list);

/**
 * Trusts other certificates than the system's.
 *
 * `ca_path`: a folder of certificates, or NULL. `ca_file`: a PEM file, read now, or NULL. Returns
 * AWS_OP_SUCCESS, or AWS_OP_ERR (`options` are then unchanged) with AWS_ERROR_INVALID_STATE where that
 * was done before, AWS_ERROR_PEM_MALFORMED, AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_OOM or the error of
 * opening. One thread at a time may use the options. May wait for the disk.
 */
int aws_tls_ctx_options_override_default_trust_store_from_path(
    struct aws_tls_ctx_options *options,
    const char *ca_path,
    const char *ca_file);

/**
 * Trusts the certificates of a PEM text instead of the system's.
 *
 * `ca_file`: required, copied. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_STATE where
 * that was done before, AWS_ERROR_PEM_MALFORMED, AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
 */
int aws_tls_ctx_options_override_default_trust_store(
    struct aws_tls_ctx_options *options,
    const struct aws_byte_cursor *ca_file);

/**
 * Makes the shared TLS settings of clients.
 *
 * `alloc`: required; outlives the context. `options`: required; checked and copied, stays the caller's.
 * Returns a context with one reference, to be given back with aws_tls_ctx_release(); NULL with
 * AWS_ERROR_INVALID_ARGUMENT, AWS_IO_TLS_CTX_ERROR (certificates that are none),
 * AWS_IO_TLS_CIPHER_PREF_UNSUPPORTED, AWS_IO_TLS_VERSION_UNSUPPORTED, AWS_ERROR_UNIMPLEMENTED (custom
 * private-key operations) or AWS_ERROR_OOM. Any thread.
 */
struct aws_tls_ctx *aws_tls_client_ctx_new(
    struct aws_allocator *alloc,
    const struct aws_tls_ctx_options *options);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_tls_ctx *aws_tls_ctx_acquire(struct aws_tls_ctx *ctx);

/** Gives one reference back. NULL does nothing. Any thread. */
void aws_tls_ctx_release(struct aws_tls_ctx *ctx);

/**
 * Fills in options of a connection that uses `ctx`: a handshake may take 10 seconds, all else as the
 * context says.
 *
 * `conn_options`: overwritten, not cleaned up before; keeps a reference to `ctx`. Clean up with
 * aws_tls_connection_options_clean_up(). One thread at a time may use the options.
 */
void aws_tls_connection_options_init_from_ctx(
    struct aws_tls_connection_options *conn_options,
    struct aws_tls_ctx *ctx);

/**
 * Frees what the options hold, gives their reference to the context back and zeroes them. NULL and
 * zeroed options are allowed. One thread at a time may use the options.
 */
void aws_tls_connection_options_clean_up(struct aws_tls_connection_options *connection_options);

/**
 * Sets the name for SNI and for checking the peer's certificate.
 *
 * `server_name`: required; copied with `allocator`. Returns AWS_OP_SUCCESS, or AWS_OP_ERR with
 * AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
 */
int aws_tls_connection_options_set_server_name(
    struct aws_tls_connection_options *conn_options,
    struct aws_allocator *allocator,
    const struct aws_byte_cursor *server_name);

/**
 * Sets the protocols this connection offers.
 *
 * `alpn_list`: required, ended by a NUL, protocols joined by `;`; copied with `allocator`. Returns
 * AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time may use the options.
 */
int aws_tls_connection_options_set_alpn_list(
    struct aws_tls_connection_options *conn_options,
    struct aws_allocator *allocator,
    const char *alpn_list);

/** Whether protocols can be negotiated: always true. */
bool aws_tls_is_alpn_available(void);

/**
 * Whether a context can be made with this cipher preference; false for numbers outside the enum. Any
 * thread.
 */
bool aws_tls_is_cipher_pref_supported(enum aws_tls_cipher_pref cipher_pref);

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_TLS_CHANNEL_HANDLER_H */
