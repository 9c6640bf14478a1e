/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/http/proxy.rs; `make headers` writes it anew. */
#ifndef AWS_HTTP_PROXY_H
#define AWS_HTTP_PROXY_H

#include <aws/common/ref_count.h>
#include <aws/http/http.h>
#include <aws/http/request_response.h>
#include <aws/http/status_code.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to authenticate with a proxy (old form; a proxy strategy takes its place). */
enum aws_http_proxy_authentication_type {
    AWS_HPAT_NONE = 0,
    AWS_HPAT_BASIC = 1,
};

/** Whether the HTTP_PROXY and HTTPS_PROXY environment variables are looked at. */
enum aws_http_proxy_env_var_type {
    AWS_HPEV_DISABLE = 0,
    AWS_HPEV_ENABLE = 1,
};

/** How a proxy is used. LEGACY: a tunnel with TLS, else forwarding. */
enum aws_http_proxy_connection_type {
    AWS_HPCT_HTTP_LEGACY = 0,
    AWS_HPCT_HTTP_FORWARD = 1,
    AWS_HPCT_HTTP_TUNNEL = 2,
};

/** What to do after CONNECT was refused. */
enum aws_http_proxy_negotiation_retry_directive {
    AWS_HPNRD_STOP = 0,
    AWS_HPNRD_NEW_CONNECTION = 1,
    AWS_HPNRD_CURRENT_CONNECTION = 2,
};

struct aws_allocator;
struct aws_byte_cursor;
struct aws_http_header;
struct aws_http_message;
struct aws_http_proxy_negotiator;
struct aws_http_proxy_negotiator_forwarding_vtable;
struct aws_http_proxy_negotiator_tunnelling_vtable;
struct aws_http_proxy_strategy;
struct aws_http_proxy_strategy_tunneling_kerberos_options;
struct aws_http_proxy_strategy_tunneling_ntlm_options;
struct aws_http_proxy_strategy_vtable;
struct aws_string;
struct aws_tls_connection_options;

/** Changes a request that is forwarded through a proxy. */
typedef int (aws_http_proxy_negotiation_http_request_transform_fn)(
    struct aws_http_proxy_negotiator *proxy_negotiator,
    struct aws_http_message *message);

/** Ends a CONNECT negotiation with an error. */
typedef void (aws_http_proxy_negotiation_terminate_fn)(
    struct aws_http_message *message,
    int error_code,
    void *internal_proxy_user_data);

/** Lets a CONNECT request go out. */
typedef void (aws_http_proxy_negotiation_http_request_forward_fn)(
    struct aws_http_message *message,
    void *internal_proxy_user_data);

/** Changes a CONNECT request; calls one of the two callbacks, now or later. */
typedef void (aws_http_proxy_negotiation_http_request_transform_async_fn)(
    struct aws_http_proxy_negotiator *proxy_negotiator,
    struct aws_http_message *message,
    aws_http_proxy_negotiation_terminate_fn *negotiation_termination_callback,
    aws_http_proxy_negotiation_http_request_forward_fn *negotiation_http_request_forward_callback,
    void *internal_proxy_user_data);

/** Headers of the answer to CONNECT. */
typedef int (aws_http_proxy_negotiation_connect_on_incoming_headers_fn)(
    struct aws_http_proxy_negotiator *proxy_negotiator,
    enum aws_http_header_block header_block,
    const struct aws_http_header *header_array,
    size_t num_headers);

/** Status of the answer to CONNECT. */
typedef int (aws_http_proxy_negotiator_connect_status_fn)(
    struct aws_http_proxy_negotiator *proxy_negotiator,
    enum aws_http_status_code status_code);

/** Body of the answer to CONNECT. */
typedef int (aws_http_proxy_negotiator_connect_on_incoming_body_fn)(
    struct aws_http_proxy_negotiator *proxy_negotiator,
    const struct aws_byte_cursor *data);

/** Asks a negotiator what to do after CONNECT was refused. */
typedef enum aws_http_proxy_negotiation_retry_directive (aws_http_proxy_negotiator_get_retry_directive_fn)(
    struct aws_http_proxy_negotiator *proxy_negotiator);

/** Makes the negotiator of one connection. */
typedef struct aws_http_proxy_negotiator *(aws_http_proxy_strategy_create_negotiator_fn)(
    struct aws_http_proxy_strategy *proxy_strategy,
    struct aws_allocator *allocator);

/** Returns a new token for the proxy, or NULL with `out_error_code` set. Event-loop thread. */
typedef struct aws_string *(aws_http_proxy_negotiation_get_token_sync_fn)(
    void *user_data,
    int *out_error_code);

/** Returns a new token that answers the proxy's challenge, or NULL with `out_error_code` set. */
typedef struct aws_string *(aws_http_proxy_negotiation_get_challenge_token_sync_fn)(
    void *user_data,
    const struct aws_byte_cursor *challenge_context,
    int *out_error_code);

/** How the proxy environment variables are used. */
struct proxy_env_var_settings {
    enum aws_http_proxy_env_var_type env_var_type;
    enum aws_http_proxy_connection_type connection_type;
    const struct aws_tls_connection_options *tls_options;
};

/** Members of a negotiator for forwarding. */
struct aws_http_proxy_negotiator_forwarding_vtable {
    aws_http_proxy_negotiation_http_request_transform_fn *forward_request_transform;
};

/** Members of a negotiator for tunnels. */
struct aws_http_proxy_negotiator_tunnelling_vtable {
    aws_http_proxy_negotiation_http_request_transform_async_fn *connect_request_transform;
    aws_http_proxy_negotiation_connect_on_incoming_headers_fn *on_incoming_headers_callback;
    aws_http_proxy_negotiator_connect_status_fn *on_status_callback;
    aws_http_proxy_negotiator_connect_on_incoming_body_fn *on_incoming_body_callback;
    aws_http_proxy_negotiator_get_retry_directive_fn *get_retry_directive;
};

/** Negotiates with a proxy for one connection. */
struct aws_http_proxy_negotiator {
    struct aws_ref_count ref_count;
    void *impl;
    union {
        struct aws_http_proxy_negotiator_forwarding_vtable *forwarding_vtable;
        struct aws_http_proxy_negotiator_tunnelling_vtable *tunnelling_vtable;
    } strategy_vtable;
};

/** What a proxy strategy does. */
struct aws_http_proxy_strategy_vtable {
    aws_http_proxy_strategy_create_negotiator_fn *create_negotiator;
};

/** How to negotiate with a proxy. Callers may implement one. */
struct aws_http_proxy_strategy {
    struct aws_ref_count ref_count;
    struct aws_http_proxy_strategy_vtable *vtable;
    void *impl;
    enum aws_http_proxy_connection_type proxy_connection_type;
};

/** Options of connecting through a proxy. */
struct aws_http_proxy_options {
    enum aws_http_proxy_connection_type connection_type;
    struct aws_byte_cursor host;
    uint32_t port;
    const struct aws_tls_connection_options *tls_options;
    /** Optional. How to negotiate; it wins over `auth_type`. */
    struct aws_http_proxy_strategy *proxy_strategy;
    enum aws_http_proxy_authentication_type auth_type;
    struct aws_byte_cursor auth_username;
    struct aws_byte_cursor auth_password;
    /** Hosts that bypass the proxy, joined by commas. */
    struct aws_byte_cursor no_proxy_hosts;
};

/** Options of basic authentication with a proxy. */
struct aws_http_proxy_strategy_basic_auth_options {
    enum aws_http_proxy_connection_type proxy_connection_type;
    struct aws_byte_cursor user_name;
    struct aws_byte_cursor password;
};

/** Options of Kerberos authentication with a proxy. */
struct aws_http_proxy_strategy_tunneling_kerberos_options {
    aws_http_proxy_negotiation_get_token_sync_fn *get_token;
    void *get_token_user_data;
};

/** Options of NTLM authentication with a proxy. */
struct aws_http_proxy_strategy_tunneling_ntlm_options {
    aws_http_proxy_negotiation_get_token_sync_fn *get_token;
    aws_http_proxy_negotiation_get_challenge_token_sync_fn *get_challenge_token;
    void *get_challenge_token_user_data;
};

/** Options of trying authentication kinds one after the other. */
struct aws_http_proxy_strategy_tunneling_adaptive_options {
    struct aws_http_proxy_strategy_tunneling_kerberos_options *kerberos_options;
    struct aws_http_proxy_strategy_tunneling_ntlm_options *ntlm_options;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_HTTP_PROXY_H */
