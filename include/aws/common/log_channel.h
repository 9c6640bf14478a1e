/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/common/log_channel.rs; `make headers` writes it anew. */
#ifndef AWS_COMMON_LOG_CHANNEL_H
#define AWS_COMMON_LOG_CHANNEL_H

#include <aws/common/common.h>
#include <aws/common/logging.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_allocator;
struct aws_log_channel;
struct aws_log_channel_vtable;
struct aws_log_writer;
struct aws_string;

/** Frees what the channel holds. */
typedef void (aws_log_channel_clean_up_fn)(struct aws_log_channel *channel);

/** Takes a line; the channel frees it. */
typedef int (aws_log_channel_send_fn)(struct aws_log_channel *channel, struct aws_string *output);

/** What a channel can do. */
struct aws_log_channel_vtable {
    aws_log_channel_send_fn *send;
    aws_log_channel_clean_up_fn *clean_up;
};

/** A channel in the caller's memory. */
struct aws_log_channel {
    struct aws_log_channel_vtable *vtable;
    struct aws_allocator *allocator;
    struct aws_log_writer *writer;
    void *impl;
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_LOG_CHANNEL_H */
