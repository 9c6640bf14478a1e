/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/auth/aws_imds_client.rs; `make headers` writes it anew. */
#ifndef AWS_AUTH_AWS_IMDS_CLIENT_H
#define AWS_AUTH_AWS_IMDS_CLIENT_H

#include <aws/auth/auth.h>
#include <aws/auth/credentials.h>
#include <aws/common/array_list.h>
#include <aws/common/date_time.h>
#include <aws/http/connection_manager.h>
#include <aws/io/retry_strategy.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_array_list;
struct aws_auth_http_system_vtable;
struct aws_byte_buf;
struct aws_byte_cursor;
struct aws_client_bootstrap;
struct aws_credentials;
struct aws_imds_client;
struct aws_imds_client_options;
struct aws_imds_iam_profile;
struct aws_imds_instance_info;
struct aws_retry_strategy;
struct proxy_env_var_settings;

/** An instance metadata client is gone. Any thread; called once. */
typedef void (aws_imds_client_shutdown_completed_fn)(void *user_data);

/** A metadata resource arrived, or not. Any thread; `resource` is valid during the call. */
typedef void (aws_imds_client_on_get_resource_callback_fn)(
    const struct aws_byte_buf *resource,
    int error_code,
    void *user_data);

/** A list arrived, or not. Any thread; `array` is valid during the call. */
typedef void (aws_imds_client_on_get_array_callback_fn)(
    const struct aws_array_list *array,
    int error_code,
    void *user_data);

/** Credentials arrived, or not. Any thread; acquire them to keep them. */
typedef void (aws_imds_client_on_get_credentials_callback_fn)(
    const struct aws_credentials *credentials,
    int error_code,
    void *user_data);

/** A profile arrived, or not. Any thread; valid during the call. */
typedef void (aws_imds_client_on_get_iam_profile_callback_fn)(
    const struct aws_imds_iam_profile *iam_profile_info,
    int error_code,
    void *user_data);

/** The instance's description arrived, or not. Any thread; valid during the call. */
typedef void (aws_imds_client_on_get_instance_info_callback_fn)(
    const struct aws_imds_instance_info *instance_info,
    int error_code,
    void *user_data);

/** A client of the instance metadata service. Opaque; counted. */
struct aws_imds_client;

/** Callback for when an instance metadata client is gone. */
struct aws_imds_client_shutdown_options {
    aws_imds_client_shutdown_completed_fn *shutdown_callback;
    void *shutdown_user_data;
};

/** Options of aws_imds_client_new(). */
struct aws_imds_client_options {
    struct aws_imds_client_shutdown_options shutdown_options;
    /** Required. The client keeps a reference. */
    struct aws_client_bootstrap *bootstrap;
    /** Optional. NULL: a standard strategy. */
    struct aws_retry_strategy *retry_strategy;
    const struct proxy_env_var_settings *proxy_ev_settings;
    enum aws_imds_protocol_version imds_version;
    /** Refuses version 1 of the service. */
    bool ec2_metadata_v1_disabled;
    struct aws_byte_cursor imds_endpoint;
    enum aws_imds_endpoint_mode imds_endpoint_mode;
    struct aws_auth_http_system_vtable *function_table;
};

/** The instance's IAM profile. */
struct aws_imds_iam_profile {
    struct aws_date_time last_updated;
    struct aws_byte_cursor instance_profile_arn;
    struct aws_byte_cursor instance_profile_id;
};

/** The instance's description. */
struct aws_imds_instance_info {
    struct aws_array_list marketplace_product_codes;
    struct aws_byte_cursor availability_zone;
    struct aws_byte_cursor private_ip;
    struct aws_byte_cursor version;
    struct aws_byte_cursor instance_id;
    struct aws_array_list billing_products;
    struct aws_byte_cursor instance_type;
    struct aws_byte_cursor account_id;
    struct aws_byte_cursor image_id;
    struct aws_date_time pending_time;
    struct aws_byte_cursor architecture;
    struct aws_byte_cursor kernel_id;
    struct aws_byte_cursor ramdisk_id;
    struct aws_byte_cursor region;
};

/**
 * A client of the instance metadata service. Not there yet.
 *
 * Returns NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED. Any thread.
 */
struct aws_imds_client *aws_imds_client_new(
    struct aws_allocator *allocator,
    const struct aws_imds_client_options *options);

/** Gives one reference back. NULL does nothing. Not there yet: no client exists. */
void aws_imds_client_release(struct aws_imds_client *client);

/**
 * Asks for a resource. Not there yet: no client exists.
 *
 * Returns AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_UNIMPLEMENTED; no callback comes.
 */
int aws_imds_client_get_resource_async(
    struct aws_imds_client *client,
    struct aws_byte_cursor resource_path,
    aws_imds_client_on_get_resource_callback_fn *callback,
    void *user_data);

#ifdef __cplusplus
}
#endif

#endif /* AWS_AUTH_AWS_IMDS_CLIENT_H */
