/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/uri.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_URI_H
#define AWS_COMMON_URI_H

#include <aws/common/byte_buf.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_array_list;
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_uri;
struct aws_uri_builder_options;

/**
 * A URI and cursors into its text. Made by `aws_uri_init_parse` or `aws_uri_init_from_builder_options`,
 * ended by `aws_uri_clean_up`.
 */
struct aws_uri {
    size_t self_size;
    struct aws_allocator *allocator;
    /** The whole text. */
    struct aws_byte_buf uri_str;
    struct aws_byte_cursor scheme;
    /** User, host and port. */
    struct aws_byte_cursor authority;
    struct aws_byte_cursor userinfo;
    struct aws_byte_cursor user;
    struct aws_byte_cursor password;
    /** Without the brackets of an IPv6 address. */
    struct aws_byte_cursor host_name;
    /** 0 where the text has none. */
    uint32_t port;
    struct aws_byte_cursor path;
    struct aws_byte_cursor query_string;
    struct aws_byte_cursor path_and_query;
};

/**
 * What a URI is built of. Empty parts are left out; of the two forms of the query at most one is
 * given.
 */
struct aws_uri_builder_options {
    struct aws_byte_cursor scheme;
    struct aws_byte_cursor path;
    struct aws_byte_cursor host_name;
    /** 0 = none. */
    uint32_t port;
    /** A list of aws_uri_param, or NULL. */
    struct aws_array_list *query_params;
    struct aws_byte_cursor query_string;
};

/** One parameter of a query. */
struct aws_uri_param {
    struct aws_byte_cursor key;
    struct aws_byte_cursor value;
};

/**
 * Copies a URI and takes it apart. Nothing is decoded.
 *
 * `uri`: written. `allocator`: borrowed, must outlive it. `uri_str`: borrowed for the call.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR, `uri` being zeroed, with AWS_ERROR_MALFORMED_INPUT_STRING,
 * AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Ended with aws_uri_clean_up(). Any thread.
 */
int aws_uri_init_parse(
    struct aws_uri *uri,
    struct aws_allocator *allocator,
    const struct aws_byte_cursor *uri_str);

/**
 * Builds a URI of its parts, which are not encoded.
 *
 * `options`: borrowed for the call. Else as aws_uri_init_parse(); AWS_ERROR_INVALID_ARGUMENT where
 * both forms of the query are given.
 */
int aws_uri_init_from_builder_options(
    struct aws_uri *uri,
    struct aws_allocator *allocator,
    struct aws_uri_builder_options *options);

/** Frees a URI's text and zeroes the struct; NULL and a second call are nothing. Any thread. */
void aws_uri_clean_up(struct aws_uri *uri);

/**
 * The scheme, such as `https`; empty where the text has none.
 *
 * `uri`: borrowed; the result lives as long as it. NULL gives NULL. Any thread.
 */
const struct aws_byte_cursor *aws_uri_scheme(const struct aws_uri *uri);

/** User, host and port as written; as aws_uri_scheme(). */
const struct aws_byte_cursor *aws_uri_authority(const struct aws_uri *uri);

/** The path as written, with its first slash; as aws_uri_scheme(). */
const struct aws_byte_cursor *aws_uri_path(const struct aws_uri *uri);

/** The query as written, without its question mark; as aws_uri_scheme(). */
const struct aws_byte_cursor *aws_uri_query_string(const struct aws_uri *uri);

/** Path and query as written; as aws_uri_scheme(). */
const struct aws_byte_cursor *aws_uri_path_and_query(const struct aws_uri *uri);

/** The host, an IPv6 address without its brackets; as aws_uri_scheme(). */
const struct aws_byte_cursor *aws_uri_host_name(const struct aws_uri *uri);

/** The port; 0 where the text has none, and for NULL. Any thread. */
uint32_t aws_uri_port(const struct aws_uri *uri);

/**
 * Appends bytes percent-encoded as a query parameter: all but letters, digits and `-_.~`.
 *
 * `buffer`: a buffer with an allocator; grows. `cursor`: borrowed for the call.
 * Returns as aws_byte_buf_append_dynamic(). Any thread.
 */
int aws_byte_buf_append_encoding_uri_param(
    struct aws_byte_buf *buffer,
    const struct aws_byte_cursor *cursor);

/**
 * Appends bytes percent-encoded as a path: as aws_byte_buf_append_encoding_uri_param(), but
 * slashes stay.
 */
int aws_byte_buf_append_encoding_uri_path(
    struct aws_byte_buf *buffer,
    const struct aws_byte_cursor *cursor);

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_URI_H */
