/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/sdkutils/endpoints_rule_engine.rs; `make headers` writes it anew. */
#ifndef AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H
#define AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H

#include <aws/common/byte_buf.h>
#include <aws/sdkutils/sdkutils.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What kind of answer the rules gave. */
enum aws_endpoints_resolved_endpoint_type {
    /** An endpoint: a URL with properties and headers. */
    AWS_ENDPOINTS_RESOLVED_ENDPOINT = 0,
    /** A text that says why the parameters have no endpoint. */
    AWS_ENDPOINTS_RESOLVED_ERROR = 1,
};

/** What kind of value a parameter takes. */
enum aws_endpoints_parameter_type {
    AWS_ENDPOINTS_PARAMETER_STRING = 0,
    AWS_ENDPOINTS_PARAMETER_BOOLEAN = 1,
    AWS_ENDPOINTS_PARAMETER_STRING_ARRAY = 2,
};

struct aws_allocator;
struct aws_byte_cursor;
struct aws_endpoints_request_context;
struct aws_endpoints_resolved_endpoint;
struct aws_endpoints_rule_engine;

/** What the rules are asked with: named values. Opaque; counted. */
struct aws_endpoints_request_context;

/** What the rules answered: an endpoint, or why there is none. Opaque; counted. */
struct aws_endpoints_resolved_endpoint;

/** Rules that can be asked for an endpoint. Opaque; counted. */
struct aws_endpoints_rule_engine;

/** Rules of a service, parsed. Opaque; counted. */
struct aws_endpoints_ruleset;

/** Partitions of the cloud and their regions, parsed. Opaque; counted. */
struct aws_partitions_config;

/**
 * Makes parameters without a value.
 *
 * `allocator`: borrowed, must outlive the parameters.
 * Returns one reference, given back with aws_endpoints_request_context_release(), or NULL with
 * AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
struct aws_endpoints_request_context *aws_endpoints_request_context_new(
    struct aws_allocator *allocator);

/**
 * One more reference.
 *
 * `request_context`: borrowed; may be NULL. Returns its argument. Any thread.
 */
struct aws_endpoints_request_context *aws_endpoints_request_context_acquire(
    struct aws_endpoints_request_context *request_context);

/**
 * One reference less; the last one frees the parameters.
 *
 * `request_context`: given up; may be NULL. Returns NULL. Any thread.
 */
struct aws_endpoints_request_context *aws_endpoints_request_context_release(
    struct aws_endpoints_request_context *request_context);

/**
 * Sets a text; a value of the same name is replaced.
 *
 * `allocator`: not used, but must not be NULL. `context`: borrowed. `name`, `value`: copied.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_endpoints_request_context_add_string(
    struct aws_allocator *allocator,
    struct aws_endpoints_request_context *context,
    struct aws_byte_cursor name,
    struct aws_byte_cursor value);

/**
 * Sets a truth value; a value of the same name is replaced.
 *
 * `allocator`: not used, but must not be NULL. `context`: borrowed. `name`: copied.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_endpoints_request_context_add_boolean(
    struct aws_allocator *allocator,
    struct aws_endpoints_request_context *context,
    struct aws_byte_cursor name,
    bool value);

/**
 * Sets a list of texts; a value of the same name is replaced.
 *
 * `allocator`: not used, but must not be NULL. `context`: borrowed. `name`: copied.
 * `value_array`: `len` texts, copied; may be NULL where `len` is 0.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
 */
int aws_endpoints_request_context_add_string_array(
    struct aws_allocator *allocator,
    struct aws_endpoints_request_context *context,
    struct aws_byte_cursor name,
    const struct aws_byte_cursor *value_array,
    size_t len);

/**
 * One reference less; the last one frees the engine.
 *
 * `rule_engine`: given up; may be NULL. Returns NULL. Any thread.
 */
struct aws_endpoints_rule_engine *aws_endpoints_rule_engine_release(
    struct aws_endpoints_rule_engine *rule_engine);

/**
 * Asks the rules for an endpoint.
 *
 * `engine`, `context`: borrowed. `out_resolved_endpoint`: one reference to the answer, given back
 * with aws_endpoints_resolved_endpoint_release(); NULL where the call fails.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or an
 * AWS_ERROR_SDKUTILS_ENDPOINTS_ error. Any thread.
 */
int aws_endpoints_rule_engine_resolve(
    struct aws_endpoints_rule_engine *engine,
    const struct aws_endpoints_request_context *context,
    struct aws_endpoints_resolved_endpoint **out_resolved_endpoint);

/**
 * One more reference.
 *
 * `resolved_endpoint`: borrowed; may be NULL. Returns its argument. Any thread.
 */
struct aws_endpoints_resolved_endpoint *aws_endpoints_resolved_endpoint_acquire(
    struct aws_endpoints_resolved_endpoint *resolved_endpoint);

/**
 * One reference less; the last one frees the answer and every cursor into it.
 *
 * `resolved_endpoint`: given up; may be NULL. Returns NULL. Any thread.
 */
struct aws_endpoints_resolved_endpoint *aws_endpoints_resolved_endpoint_release(
    struct aws_endpoints_resolved_endpoint *resolved_endpoint);

/**
 * Whether the answer is an endpoint or an error; an error where `resolved_endpoint` is NULL.
 *
 * `resolved_endpoint`: borrowed. Any thread.
 */
enum aws_endpoints_resolved_endpoint_type aws_endpoints_resolved_endpoint_get_type(
    const struct aws_endpoints_resolved_endpoint *resolved_endpoint);

/**
 * The URL of an endpoint.
 *
 * `resolved_endpoint`: borrowed. `out_url`: a view that lives as long as the answer.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT where the answer is an
 * error. Any thread.
 */
int aws_endpoints_resolved_endpoint_get_url(
    const struct aws_endpoints_resolved_endpoint *resolved_endpoint,
    struct aws_byte_cursor *out_url);

/**
 * The properties of an endpoint, such as how to sign for it, as JSON text; empty where there are
 * none.
 *
 * `resolved_endpoint`: borrowed. `out_properties`: a view that lives as long as the answer.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT where the answer is an
 * error. Any thread.
 */
int aws_endpoints_resolved_endpoint_get_properties(
    const struct aws_endpoints_resolved_endpoint *resolved_endpoint,
    struct aws_byte_cursor *out_properties);

/**
 * Why there is no endpoint.
 *
 * `resolved_endpoint`: borrowed. `out_error`: a view that lives as long as the answer.
 * Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT where the answer is an
 * endpoint. Any thread.
 */
int aws_endpoints_resolved_endpoint_get_error(
    const struct aws_endpoints_resolved_endpoint *resolved_endpoint,
    struct aws_byte_cursor *out_error);

#ifdef __cplusplus
}
#endif

#endif /* AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H */
