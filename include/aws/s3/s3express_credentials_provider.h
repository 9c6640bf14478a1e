/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/s3express_credentials_provider.rs; `make headers` writes it anew. */
#ifndef AWS_S3_S3EXPRESS_CREDENTIALS_PROVIDER_H
#define AWS_S3_S3EXPRESS_CREDENTIALS_PROVIDER_H

#include <aws/auth/credentials.h>
#include <aws/common/ref_count.h>
#include <aws/s3/s3.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_credentials;
struct aws_credentials_properties_s3express;
struct aws_http_headers;
struct aws_s3express_credentials_provider;
struct aws_s3express_credentials_provider_vtable;

/** What session credentials are for. */
struct aws_credentials_properties_s3express {
    /** Required. Host of the bucket. */
    struct aws_byte_cursor host;
    /** Region of the bucket; empty = the client's. */
    struct aws_byte_cursor region;
    /** Headers for CreateSession. May be NULL. */
    struct aws_http_headers *headers;
};

/** Functions of a provider. */
struct aws_s3express_credentials_provider_vtable {
    /**
     * Gets credentials, and calls `callback` with them once: any time, on any thread. Returns
     * AWS_OP_ERR with an error raised where the callback will not come. `original_credentials` and
     * `properties` are valid until it returns. Any thread.
     */
    int (*get_credentials)(struct aws_s3express_credentials_provider *provider, const struct aws_credentials *original_credentials, const struct aws_credentials_properties_s3express *properties, aws_on_get_credentials_callback_fn *callback, void *user_data);
    /** The last reference is gone. Ends in the provider's shutdown callback. Any thread. */
    void (*destroy)(struct aws_s3express_credentials_provider *provider);
};

/** A source of session credentials. Counted. */
struct aws_s3express_credentials_provider {
    struct aws_s3express_credentials_provider_vtable *vtable;
    struct aws_allocator *allocator;
    /** Called by the provider's own code when it has ended. May be NULL. */
    aws_simple_completion_callback *shutdown_complete_callback;
    void *shutdown_user_data;
    /** The provider's own. */
    void *impl;
    struct aws_ref_count ref_count;
};

/**
 * Gives up a reference; the last one starts the provider's destruction. NULL is nothing. Returns
 * NULL. Any thread.
 */
struct aws_s3express_credentials_provider *aws_s3express_credentials_provider_release(
    struct aws_s3express_credentials_provider *provider);

/**
 * Fills in the members of a provider of the caller's, with one reference whose end calls the
 * table's `destroy`. `shutdown_complete_callback` and `shutdown_user_data` become NULL: set them
 * afterwards. Any thread, before others use the provider.
 */
void aws_s3express_credentials_provider_init_base(
    struct aws_s3express_credentials_provider *provider,
    struct aws_allocator *allocator,
    struct aws_s3express_credentials_provider_vtable *vtable,
    void *impl);

/**
 * Gets session credentials for `properties` with the long-lived `original_credentials`. Both are
 * borrowed until it returns. `callback` is called once, any time, on any thread, if and only if
 * this returns AWS_OP_SUCCESS. Any thread.
 */
int aws_s3express_credentials_provider_get_credentials(
    struct aws_s3express_credentials_provider *provider,
    const struct aws_credentials *original_credentials,
    const struct aws_credentials_properties_s3express *properties,
    aws_on_get_credentials_callback_fn *callback,
    void *user_data);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_S3EXPRESS_CREDENTIALS_PROVIDER_H */
