//! before
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
