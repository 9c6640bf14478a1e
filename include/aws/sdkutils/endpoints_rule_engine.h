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

#ifdef __cplusplus
}
#endif

#endif /* AWS_SDKUTILS_ENDPOINTS_RULE_ENGINE_H */
