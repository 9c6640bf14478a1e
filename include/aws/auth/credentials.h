/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/credentials.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_CREDENTIALS_H
#define AWS_AUTH_CREDENTIALS_H

#include <aws/auth/auth.h>
#include <aws/common/array_list.h>
#include <aws/common/atomics.h>
#include <aws/common/linked_list.h>
#include <aws/http/proxy.h>
#include <aws/io/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the instance metadata service to talk first. */
enum aws_imds_protocol_version {
    IMDS_PROTOCOL_V2 = 0,
    IMDS_PROTOCOL_V1 = 1,
};

/** Address family of the instance metadata service. */
enum aws_imds_endpoint_mode {
    AWS_IMDS_ENDPOINT_MODE_DEFAULT = 0,
    AWS_IMDS_ENDPOINT_MODE_IPV4 = 1,
    AWS_IMDS_ENDPOINT_MODE_IPV6 = 2,
};

struct aws_allocator;
struct aws_auth_http_system_vtable;
struct aws_byte_cursor;
struct aws_client_bootstrap;
struct aws_cognito_identity_provider_token_pair;
struct aws_credentials;
struct aws_credentials_provider;
struct aws_credentials_provider_cached_options;
struct aws_credentials_provider_chain_default_options;
struct aws_credentials_provider_chain_options;
struct aws_credentials_provider_cognito_options;
struct aws_credentials_provider_delegate_options;
struct aws_credentials_provider_environment_options;
struct aws_credentials_provider_process_options;
struct aws_credentials_provider_profile_options;
struct aws_credentials_provider_shutdown_options;
struct aws_credentials_provider_static_options;
struct aws_credentials_provider_vtable;
struct aws_credentials_provider_x509_options;
struct aws_http_proxy_options;
struct aws_profile_collection;
struct aws_tls_connection_options;
struct aws_tls_ctx;
struct proxy_env_var_settings;

/**
 * Credentials arrived, or not (`credentials` is NULL and `error_code` says why). Any thread, also
 * before the call that asked has returned. Borrowed during the call; acquire them to keep them.
 */
typedef void (aws_on_get_credentials_callback_fn)(
    struct aws_credentials *credentials,
    int error_code,
    void *user_data);

/**
 * Asks a provider for credentials. Returns AWS_OP_SUCCESS if and only if the callback was or will be
 * called, exactly once; else AWS_OP_ERR with an error raised.
 */
typedef int (aws_credentials_provider_get_credentials_fn)(
    struct aws_credentials_provider *provider,
    aws_on_get_credentials_callback_fn *callback,
    void *user_data);

/** Called once, when the last reference to a provider is given up. */
typedef void (aws_credentials_provider_destroy_fn)(struct aws_credentials_provider *provider);

/** A provider is gone. Called once, from whichever thread finished the shutdown. */
typedef void (aws_credentials_provider_shutdown_completed_fn)(void *user_data);

/**
 * A caller's own source of credentials; rules as for aws_credentials_provider_get_credentials_fn.
 */
typedef int (aws_credentials_provider_delegate_get_credentials_fn)(
    void *delegate_user_data,
    aws_on_get_credentials_callback_fn *callback,
    void *callback_user_data);

/** Hands logins over to the library, which copies them during the call. */
typedef void (aws_credentials_provider_cognito_get_token_pairs_completion_fn)(
    struct aws_cognito_identity_provider_token_pair *logins,
    size_t login_count,
    int error_code,
    void *completion_user_data);

/** Asks the caller for fresh logins; calls the completion now or later. */
typedef int (aws_credentials_provider_cognito_get_token_pairs_async_fn)(
    void *get_token_pairs_user_data,
    aws_credentials_provider_cognito_get_token_pairs_completion_fn *completion_callback,
    void *completion_user_data);

/** Stand-ins for HTTP functions in the reference's own tests. Opaque; ignored. */
struct aws_auth_http_system_vtable;

/**
 * Credentials. Opaque, never changed after they are made; counted with aws_credentials_acquire() and
 * aws_credentials_release().
 */
struct aws_credentials;

/** What a credentials provider does. Callers may implement one. */
struct aws_credentials_provider_vtable {
    aws_credentials_provider_get_credentials_fn *get_credentials;
    aws_credentials_provider_destroy_fn *destroy;
};

/** Callback for when a provider is gone. */
struct aws_credentials_provider_shutdown_options {
    aws_credentials_provider_shutdown_completed_fn *shutdown_callback;
    void *shutdown_user_data;
};

/** A source of credentials. The library always calls through `vtable`. */
struct aws_credentials_provider {
    struct aws_credentials_provider_vtable *vtable;
    struct aws_allocator *allocator;
    struct aws_credentials_provider_shutdown_options shutdown_options;
    void *impl;
    struct aws_atomic_var ref_count;
};

/** Options of aws_credentials_provider_new_static(). Cursors are copied. */
struct aws_credentials_provider_static_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    /** Required. */
    struct aws_byte_cursor access_key_id;
    /** Required. */
    struct aws_byte_cursor secret_access_key;
    /** Optional. */
    struct aws_byte_cursor session_token;
    /** Optional. */
    struct aws_byte_cursor account_id;
};

/** Options of aws_credentials_provider_new_environment(). */
struct aws_credentials_provider_environment_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
};

/** Options of aws_credentials_provider_new_delegate(). */
struct aws_credentials_provider_delegate_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    /** Required. */
    aws_credentials_provider_delegate_get_credentials_fn *get_credentials;
    void *delegate_user_data;
};

/** Options of aws_credentials_provider_new_cached(). */
struct aws_credentials_provider_cached_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    /** Required. The provider keeps a reference. */
    struct aws_credentials_provider *source;
    /** Milliseconds credentials without an expiry are kept. 0: for good. */
    uint64_t refresh_time_in_milliseconds;
    /** Optional. Clock for the age of credentials (tests). */
    aws_io_clock_fn *high_res_clock_fn;
    /** Optional. Clock for the expiry of credentials (tests). */
    aws_io_clock_fn *system_clock_fn;
};

/** Options of aws_credentials_provider_new_chain(). */
struct aws_credentials_provider_chain_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    /** The providers to ask, in order. The chain keeps a reference to each. */
    struct aws_credentials_provider **providers;
    size_t provider_count;
};

/** Options of aws_credentials_provider_new_chain_default(). */
struct aws_credentials_provider_chain_default_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    /** For the members that ask over the network. */
    struct aws_client_bootstrap *bootstrap;
    struct aws_tls_ctx *tls_ctx;
    struct aws_profile_collection *profile_collection_cached;
    struct aws_byte_cursor profile_name_override;
    /** Leaves the environment variables out. */
    bool skip_environment_credentials_provider;
    const struct proxy_env_var_settings *proxy_ev_settings;
};

/** Options of aws_credentials_provider_new_profile(). */
struct aws_credentials_provider_profile_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    /** Empty: AWS_PROFILE, else `default`. */
    struct aws_byte_cursor profile_name_override;
    /** Empty: AWS_CONFIG_FILE, else `~/.aws/config`. */
    struct aws_byte_cursor config_file_name_override;
    /** Empty: AWS_SHARED_CREDENTIALS_FILE, else `~/.aws/credentials`. */
    struct aws_byte_cursor credentials_file_name_override;
    struct aws_profile_collection *profile_collection_cached;
    struct aws_client_bootstrap *bootstrap;
    struct aws_tls_ctx *tls_ctx;
    struct aws_auth_http_system_vtable *function_table;
    struct proxy_env_var_settings *proxy_ev_settings;
};

/** Options of aws_credentials_provider_new_process(). */
struct aws_credentials_provider_process_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_byte_cursor profile_to_use;
    struct aws_profile_collection *config_profile_collection_cached;
};

/** Options of aws_credentials_provider_new_x509(). */
struct aws_credentials_provider_x509_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_client_bootstrap *bootstrap;
    const struct aws_tls_connection_options *tls_connection_options;
    struct aws_byte_cursor thing_name;
    struct aws_byte_cursor role_alias;
    struct aws_byte_cursor endpoint;
    const struct aws_http_proxy_options *proxy_options;
    const struct proxy_env_var_settings *proxy_ev_settings;
    struct aws_auth_http_system_vtable *function_table;
};

/** A login with an identity provider. */
struct aws_cognito_identity_provider_token_pair {
    struct aws_byte_cursor identity_provider_name;
    struct aws_byte_cursor identity_provider_token;
};

/** Options of aws_credentials_provider_new_cognito(). */
struct aws_credentials_provider_cognito_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_byte_cursor endpoint;
    struct aws_byte_cursor identity;
    struct aws_cognito_identity_provider_token_pair *logins;
    size_t login_count;
    struct aws_byte_cursor *custom_role_arn;
    struct aws_client_bootstrap *bootstrap;
    struct aws_tls_ctx *tls_ctx;
    const struct aws_http_proxy_options *http_proxy_options;
    const struct proxy_env_var_settings *proxy_ev_settings;
    struct aws_auth_http_system_vtable *function_table;
    aws_credentials_provider_cognito_get_token_pairs_async_fn *get_token_pairs;
    void *get_token_pairs_user_data;
};

/** Options of a provider that asks the instance metadata service. */
struct aws_credentials_provider_imds_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_client_bootstrap *bootstrap;
    enum aws_imds_protocol_version imds_version;
    bool ec2_metadata_v1_disabled;
    struct aws_auth_http_system_vtable *function_table;
    const struct proxy_env_var_settings *proxy_ev_settings;
    struct aws_byte_cursor imds_endpoint;
    enum aws_imds_endpoint_mode imds_endpoint_mode;
};

/** Options of a provider that trades a web identity token for credentials. */
struct aws_credentials_provider_sts_web_identity_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_client_bootstrap *bootstrap;
    struct aws_profile_collection *config_profile_collection_cached;
    struct aws_tls_ctx *tls_ctx;
    const struct proxy_env_var_settings *proxy_ev_settings;
    struct aws_auth_http_system_vtable *function_table;
    struct aws_byte_cursor profile_name_override;
    struct aws_byte_cursor region;
    struct aws_byte_cursor role_arn;
    struct aws_byte_cursor role_session_name;
    struct aws_byte_cursor token_file_path;
};

/** Options of a provider that assumes a role. */
struct aws_credentials_provider_sts_options {
    struct aws_client_bootstrap *bootstrap;
    struct aws_tls_ctx *tls_ctx;
    struct aws_credentials_provider *creds_provider;
    struct aws_byte_cursor role_arn;
    struct aws_byte_cursor session_name;
    struct aws_byte_cursor external_id;
    uint16_t duration_seconds;
    const struct aws_http_proxy_options *http_proxy_options;
    const struct proxy_env_var_settings *proxy_ev_settings;
    struct aws_profile_collection *profile_collection_cached;
    struct aws_byte_cursor profile_name_override;
    struct aws_byte_cursor config_file_name_override;
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_auth_http_system_vtable *function_table;
    aws_io_clock_fn *system_clock_fn;
};

/** Options of a provider that reads a console login session. */
struct aws_credentials_provider_login_options {
    /** Optional callback for when the provider is gone. */
    struct aws_credentials_provider_shutdown_options shutdown_options;
    struct aws_byte_cursor login_session;
    struct aws_byte_cursor login_region;
    struct aws_byte_cursor login_cache_directory_override;
    struct aws_byte_cursor profile_name_override;
    struct aws_byte_cursor config_file_name_override;
    struct aws_profile_collection *config_file_cached;
    struct aws_client_bootstrap *bootstrap;
    struct aws_tls_ctx *tls_ctx;
    const struct proxy_env_var_settings *proxy_ev_settings;
    struct aws_auth_http_system_vtable *function_table;
    aws_io_clock_fn *system_clock_fn;
};

/**
 * New credentials.
 *
 * `allocator`: required; outlives them. Cursors are copied; both keys are required, the token may be
 * empty. `expiration_timepoint_seconds`: since 1970, UINT64_MAX for ever. Returns credentials with one
 * reference, to be given back with aws_credentials_release(); NULL with AWS_ERROR_INVALID_ARGUMENT or
 * AWS_ERROR_OOM. Any thread.
 */
struct aws_credentials *aws_credentials_new(
    struct aws_allocator *allocator,
    struct aws_byte_cursor access_key_id_cursor,
    struct aws_byte_cursor secret_access_key_cursor,
    struct aws_byte_cursor session_token_cursor,
    uint64_t expiration_timepoint_seconds);

/**
 * New anonymous credentials: what is sent with them is not signed.
 *
 * `allocator`: required; outlives them. Returns credentials with one reference; NULL with
 * AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
 */
struct aws_credentials *aws_credentials_new_anonymous(struct aws_allocator *allocator);

/** Takes one more reference. NULL does nothing. Any thread. */
void aws_credentials_acquire(const struct aws_credentials *credentials);

/**
 * Gives one reference back; the last one wipes and frees the credentials. NULL does nothing. Any
 * thread.
 */
void aws_credentials_release(const struct aws_credentials *credentials);

/**
 * The access key id; empty where there is none.
 *
 * Valid as long as the credentials. NULL: empty with AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
 */
struct aws_byte_cursor aws_credentials_get_access_key_id(const struct aws_credentials *credentials);

/**
 * The secret access key; empty where there is none.
 *
 * Valid as long as the credentials. NULL: empty with AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
 */
struct aws_byte_cursor aws_credentials_get_secret_access_key(
    const struct aws_credentials *credentials);

/**
 * The session token; empty where there is none.
 *
 * Valid as long as the credentials. NULL: empty with AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
 */
struct aws_byte_cursor aws_credentials_get_session_token(const struct aws_credentials *credentials);

/**
 * When the credentials expire, in seconds since 1970; UINT64_MAX: never. NULL: 0 with
 * AWS_ERROR_INVALID_ARGUMENT raised. Any thread.
 */
uint64_t aws_credentials_get_expiration_timepoint_seconds(
    const struct aws_credentials *credentials);

/** Takes one more reference and returns its argument. NULL is allowed. Any thread. */
struct aws_credentials_provider *aws_credentials_provider_acquire(
    struct aws_credentials_provider *provider);

/**
 * Gives one reference back and returns NULL; the last one ends the provider, whose shutdown callback
 * is called when it is gone. NULL is allowed. Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_release(
    struct aws_credentials_provider *provider);

/**
 * Asks for credentials.
 *
 * Returns AWS_OP_SUCCESS if `callback` was or will be called, exactly once, possibly before this returns
 * and on any thread; else AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or the provider's error, and it is
 * not called. Any thread.
 */
int aws_credentials_provider_get_credentials(
    struct aws_credentials_provider *provider,
    aws_on_get_credentials_callback_fn *callback,
    void *user_data);

/**
 * A provider that always answers with the same keys, before the asking call returns.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT for an empty key, AWS_ERROR_OOM). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_static(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_static_options *options);

/**
 * A provider of anonymous credentials: what is sent with them is not signed.
 *
 * `allocator`: required; outlives the provider. `shutdown_options`: may be NULL; copied. Returns a
 * provider with one reference; NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_anonymous(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_shutdown_options *shutdown_options);

/**
 * A provider that reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN each time it is
 * asked; it answers before the asking call returns, with AWS_AUTH_CREDENTIALS_PROVIDER_INVALID_ENVIRONMENT
 * where a key is missing.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_OOM). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_environment(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_environment_options *options);

/**
 * A provider that asks a function of the caller's.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT without a function, AWS_ERROR_OOM). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_delegate(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_delegate_options *options);

/**
 * A provider that keeps what another one answered: until five minutes before it expires, else for the
 * refresh time. Everybody who asks meanwhile waits for the one question.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT without a source, AWS_ERROR_OOM). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_cached(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_cached_options *options);

/**
 * A provider that asks others in order, until one has credentials; the error is the last one's.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT for no or a NULL provider, AWS_ERROR_OOM). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_chain(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_chain_options *options);

/**
 * The default chain: environment variables, then profiles, web identity, container and instance
 * metadata, kept for 15 minutes. What comes after the environment is not there yet: asked without keys
 * in the environment, the provider answers with AWS_ERROR_UNIMPLEMENTED.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_OOM). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_chain_default(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_chain_default_options *options);

/**
 * A provider that reads the shared configuration files. Not there yet.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_profile(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_profile_options *options);

/**
 * A provider that runs the `credential_process` of a profile. Not there yet.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_process(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_process_options *options);

/**
 * A provider that asks AWS IoT with a client certificate. Not there yet.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_x509(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_x509_options *options);

/**
 * A provider that asks Amazon Cognito. Not there yet.
 *
 * `allocator`: required; outlives the provider. `options`: required, copied. Returns a provider with one
 * reference, to be given back with aws_credentials_provider_release(); NULL with an error raised
 * (AWS_ERROR_INVALID_ARGUMENT, AWS_ERROR_UNIMPLEMENTED). Any thread.
 */
struct aws_credentials_provider *aws_credentials_provider_new_cognito(
    struct aws_allocator *allocator,
    const struct aws_credentials_provider_cognito_options *options);

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_CREDENTIALS_H */
