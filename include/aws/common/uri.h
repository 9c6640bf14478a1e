/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/uri.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_URI_H
#define AWS_COMMON_URI_H

#include <aws/common/byte_buf.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;

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

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_URI_H */
