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
struct aws_input_stream;
struct aws_signable;
struct aws_signable_vtable;
struct aws_string;

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

/** A named property of what is to be signed. Valid as long as the signable. */
typedef int (aws_signable_get_property_fn)(
    const struct aws_signable *signable,
    const struct aws_string *name,
    struct aws_byte_cursor *out_value);

/** A name and value of a signable's property list. */
struct aws_signable_property_list_pair {
    struct aws_byte_cursor name;
    struct aws_byte_cursor value;
};

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

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_SIGNABLE_H */
