/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/http/connection_manager.rs; `make headers` writes it anew. */
#ifndef AWS_HTTP_CONNECTION_MANAGER_H
#define AWS_HTTP_CONNECTION_MANAGER_H

#include <aws/http/http.h>
#include <aws/common/byte_buf.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_byte_cursor;
struct aws_client_bootstrap;
struct aws_http2_setting;
struct aws_http_connection;
struct aws_http_connection_monitoring_options;
struct aws_http_proxy_options;
struct aws_socket_options;
struct aws_tls_connection_options;
struct proxy_env_var_settings;

/** A connection was leased from a manager, or not. Event-loop thread. */
typedef void (aws_http_connection_manager_on_connection_setup_fn)(
    struct aws_http_connection *connection,
    int error_code,
    void *user_data);

/** A connection manager is gone. */
typedef void (aws_http_connection_manager_shutdown_complete_fn)(void *user_data);

/** A connection pool. Opaque. */
struct aws_http_connection_manager;

/** Counters of a connection pool. */
struct aws_http_manager_metrics {
    size_t available_concurrency;
    size_t pending_concurrency_acquires;
    size_t leased_concurrency;
};

/** Options of a connection pool. */
struct aws_http_connection_manager_options {
    struct aws_client_bootstrap *bootstrap;
    size_t initial_window_size;
    const struct aws_socket_options *socket_options;
    uint64_t response_first_byte_timeout_ms;
    const struct aws_tls_connection_options *tls_connection_options;
    bool http2_prior_knowledge;
    const struct aws_http_connection_monitoring_options *monitoring_options;
    struct aws_byte_cursor host;
    uint32_t port;
    const struct aws_http2_setting *initial_settings_array;
    size_t num_initial_settings;
    size_t max_closed_streams;
    bool http2_conn_manual_window_management;
    const struct aws_http_proxy_options *proxy_options;
    const struct proxy_env_var_settings *proxy_ev_settings;
    size_t max_connections;
    void *shutdown_complete_user_data;
    aws_http_connection_manager_shutdown_complete_fn *shutdown_complete_callback;
    bool enable_read_back_pressure;
    uint64_t max_connection_idle_in_milliseconds;
    uint64_t connection_acquisition_timeout_ms;
    uint64_t max_pending_connection_acquisitions;
    const struct aws_byte_cursor *network_interface_names_array;
    size_t num_network_interface_names;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_HTTP_CONNECTION_MANAGER_H */
