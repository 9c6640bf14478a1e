/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/signable.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_SIGNABLE_H
#define AWS_AUTH_SIGNABLE_H

#include <aws/auth/auth.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_array_list;
struct aws_byte_cursor;
struct aws_http_message;
struct aws_input_stream;
struct aws_signable;
struct aws_signable_vtable;
struct aws_string;

/** A named property of what is to be signed. Valid as long as the signable. */
typedef int (aws_signable_get_property_fn)(
    const struct aws_signable *signable,
    const struct aws_string *name,
    struct aws_byte_cursor *out_value);

/** A named list of aws_signable_property_list_pair. Valid as long as the signable. */
typedef int (aws_signable_get_property_list_fn)(
    const struct aws_signable *signable,
    const struct aws_string *name,
    struct aws_array_list **out_list);

/** The body, or NULL. Borrowed. */
typedef int (aws_signable_get_payload_stream_fn)(
    const struct aws_signable *signable,
    struct aws_input_stream **out_input_stream);

/** Frees a signable. */
typedef void (aws_signable_destroy_fn)(struct aws_signable *signable);

/** What a signable does. Callers may implement one. */
struct aws_signable_vtable {
    aws_signable_get_property_fn *get_property;
    aws_signable_get_property_list_fn *get_property_list;
    aws_signable_get_payload_stream_fn *get_payload_stream;
    aws_signable_destroy_fn *destroy;
};

/** Something that can be signed. */
struct aws_signable {
    struct aws_allocator *allocator;
    void *impl;
    struct aws_signable_vtable *vtable;
};

/** A name and value of a signable's property list. */
struct aws_signable_property_list_pair {
    struct aws_byte_cursor name;
    struct aws_byte_cursor value;
};

/**
 * Makes a request signable.
 *
 * `allocator`: required; outlives the signable. `request`: required; a reference is kept. Its headers are
 * those of now, and must stay until the signable is destroyed. Returns a signable, to be destroyed with
 * aws_signable_destroy(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time
 * may use the request.
 */
struct aws_signable *aws_signable_new_http_request(
    struct aws_allocator *allocator,
    struct aws_http_message *request);

/** Destroys a signable through its table. NULL does nothing. Not while it is being signed. */
void aws_signable_destroy(struct aws_signable *signable);

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_SIGNABLE_H */
