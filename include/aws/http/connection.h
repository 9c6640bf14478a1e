/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/http/connection.rs; `make headers` writes it anew. */
#ifndef AWS_HTTP_CONNECTION_H
#define AWS_HTTP_CONNECTION_H

#include <aws/http/http.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many closed streams an HTTP/2 connection remembers by default. */
#define AWS_HTTP2_DEFAULT_MAX_CLOSED_STREAMS (32)

/** Bytes of an HTTP/2 ping's data. */
#define AWS_HTTP2_PING_DATA_SIZE (8)

/** How many HTTP/2 settings there are. */
#define AWS_HTTP2_SETTINGS_COUNT (6)

/** Where the options of aws_http_client_connect() start from. */
#define AWS_HTTP_CLIENT_CONNECTION_OPTIONS_INIT                                                    \
    {                                                                                              \
        .self_size = sizeof(struct aws_http_client_connection_options),                            \
        .initial_window_size = SIZE_MAX,                                                           \
    }

/** One HTTP/2 setting's number (RFC 9113, 6.5.2). */
enum aws_http2_settings_id {
    AWS_HTTP2_SETTINGS_BEGIN_RANGE = 1,
    AWS_HTTP2_SETTINGS_HEADER_TABLE_SIZE = 1,
    AWS_HTTP2_SETTINGS_ENABLE_PUSH = 2,
    AWS_HTTP2_SETTINGS_MAX_CONCURRENT_STREAMS = 3,
    AWS_HTTP2_SETTINGS_INITIAL_WINDOW_SIZE = 4,
    AWS_HTTP2_SETTINGS_MAX_FRAME_SIZE = 5,
    AWS_HTTP2_SETTINGS_MAX_HEADER_LIST_SIZE = 6,
    AWS_HTTP2_SETTINGS_END_RANGE = 7,
};

struct aws_allocator;
struct aws_array_list;
struct aws_byte_cursor;
struct aws_client_bootstrap;
struct aws_event_loop;
struct aws_hash_table;
struct aws_host_resolution_config;
struct aws_http1_connection_options;
struct aws_http2_connection_options;
struct aws_http2_setting;
struct aws_http_client_connection_options;
struct aws_http_connection;
struct aws_http_connection_monitoring_options;
struct aws_http_proxy_options;
struct aws_socket_options;
struct aws_tls_connection_options;
struct proxy_env_var_settings;

/** Receives a connection's statistics. Event-loop thread; the list is valid during the call. */
typedef void (aws_http_statistics_observer_fn)(
    size_t connection_nonce,
    const struct aws_array_list *stats_list,
    void *user_data);

/**
 * A connection was made, or not (`connection` is NULL and `error_code` says why). Event-loop thread.
 * On success the callee owns `connection` and must release it.
 */
typedef void (aws_http_on_client_connection_setup_fn)(
    struct aws_http_connection *connection,
    int error_code,
    void *user_data);

/**
 * A connection is closed. Event-loop thread; called once for each connection whose setup succeeded.
 */
typedef void (aws_http_on_client_connection_shutdown_fn)(
    struct aws_http_connection *connection,
    int error_code,
    void *user_data);

/** The peer answered a change of HTTP/2 settings. Event-loop thread. */
typedef void (aws_http2_on_change_settings_complete_fn)(
    struct aws_http_connection *http2_connection,
    int error_code,
    void *user_data);

/** The peer sent GOAWAY. Event-loop thread; `debug_data` is valid during the call. */
typedef void (aws_http2_on_goaway_received_fn)(
    struct aws_http_connection *http2_connection,
    uint32_t last_stream_id,
    uint32_t http2_error_code,
    struct aws_byte_cursor debug_data,
    void *user_data);

/** The peer changed its HTTP/2 settings. Event-loop thread; the array is valid during the call. */
typedef void (aws_http2_on_remote_settings_change_fn)(
    struct aws_http_connection *http2_connection,
    const struct aws_http2_setting *settings_array,
    size_t num_settings,
    void *user_data);

/** A connection. Opaque. */
struct aws_http_connection;

/** When a connection is closed because it is too slow. */
struct aws_http_connection_monitoring_options {
    /** Bytes a second below which a connection counts as failing; 0 switches the check off. */
    uint64_t minimum_throughput_bytes_per_second;
    /** Seconds in a row a connection may be failing. */
    uint32_t allowable_throughput_failure_interval_seconds;
    aws_http_statistics_observer_fn *statistics_observer_fn;
    void *statistics_observer_user_data;
};

/** Options of HTTP/1.1 connections. */
struct aws_http1_connection_options {
    /** Most bytes held back while the caller's window is closed. 0: 256 KiB. */
    size_t read_buffer_capacity;
};

/** One HTTP/2 setting. */
struct aws_http2_setting {
    enum aws_http2_settings_id id;
    uint32_t value;
};

/**
 * Options of HTTP/2 connections. The library negotiates HTTP/1.1; kept for callers that fill them in.
 */
struct aws_http2_connection_options {
    struct aws_http2_setting *initial_settings_array;
    size_t num_initial_settings;
    aws_http2_on_change_settings_complete_fn *on_initial_settings_completed;
    size_t max_closed_streams;
    aws_http2_on_goaway_received_fn *on_goaway_received;
    aws_http2_on_remote_settings_change_fn *on_remote_settings_change;
    bool conn_manual_window_management;
    uint32_t conn_window_size_threshold_to_send_update;
    uint32_t stream_window_size_threshold_to_send_update;
};

/** Options of aws_http_client_connect(). Start from AWS_HTTP_CLIENT_CONNECTION_OPTIONS_INIT. */
struct aws_http_client_connection_options {
    /** sizeof the struct the caller compiled with. */
    size_t self_size;
    struct aws_allocator *allocator;
    struct aws_client_bootstrap *bootstrap;
    /** Borrowed during the call. */
    struct aws_byte_cursor host_name;
    uint32_t port;
    const struct aws_socket_options *socket_options;
    const struct aws_tls_connection_options *tls_options;
    const struct aws_http_proxy_options *proxy_options;
    const struct proxy_env_var_settings *proxy_ev_settings;
    const struct aws_http_connection_monitoring_options *monitoring_options;
    /** Milliseconds to wait for a response's first byte; 0: no limit. */
    uint64_t response_first_byte_timeout_ms;
    /** Whether the caller opens the window itself. */
    bool manual_window_management;
    /** Bytes of window a stream starts with. */
    size_t initial_window_size;
    void *user_data;
    aws_http_on_client_connection_setup_fn *on_setup;
    aws_http_on_client_connection_shutdown_fn *on_shutdown;
    bool prior_knowledge_http2;
    struct aws_hash_table *alpn_string_map;
    const struct aws_http1_connection_options *http1_options;
    const struct aws_http2_connection_options *http2_options;
    /** Optional. The loop the connection shall live on. */
    struct aws_event_loop *requested_event_loop;
    const struct aws_host_resolution_config *host_resolution_config;
};

/**
 * Connects to a server; `options` is copied, the setup callback tells the outcome.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
 * Returns AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED; no callback comes.
 */
int aws_http_client_connect(const struct aws_http_client_connection_options *options);

/**
 * Gives a reference to a connection back. NULL does nothing.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
 */
void aws_http_connection_release(struct aws_http_connection *connection);

/**
 * Closes a connection; its streams end with an error. NULL does nothing.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
 */
void aws_http_connection_close(struct aws_http_connection *connection);

/**
 * Whether a connection takes new requests.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
 */
bool aws_http_connection_is_open(const struct aws_http_connection *connection);

/**
 * The protocol version of a connection.
 *
 * Not there yet: connections of the caller's own raise AWS_ERROR_UNIMPLEMENTED, so none exists.
 */
enum aws_http_version aws_http_connection_get_version(const struct aws_http_connection *connection);

/**
 * Opens an HTTP/2 connection's window. Connections always speak HTTP/1.1, where this does nothing.
 * NULL does nothing.
 */
void aws_http2_connection_update_window(
    struct aws_http_connection *http2_connection,
    uint32_t increment_size);

#ifdef __cplusplus
}
#endif

#endif /* AWS_HTTP_CONNECTION_H */
