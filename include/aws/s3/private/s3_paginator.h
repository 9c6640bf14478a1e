/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/s3/private/s3_paginator.rs; `make headers` writes it anew. */
#ifndef AWS_S3_PRIVATE_S3_PAGINATOR_H
#define AWS_S3_PRIVATE_S3_PAGINATOR_H

#include <aws/auth/signing_config.h>
#include <aws/common/common.h>
#include <aws/s3/s3_client.h>

#ifdef __cplusplus
extern "C" {
#endif

struct aws_s3_paginator;
struct aws_signing_config_aws;

/** A list that comes in pages. Counted. */
struct aws_s3_paginator;

/**
 * Gives up a reference. A page under way goes on. NULL is nothing. Any thread, callbacks included.
 */
void aws_s3_paginator_release(struct aws_s3_paginator *paginator);

/**
 * Asks for the next page. Its objects are handed over, then its end is told, on a delivery thread.
 * `signing_config` is copied; NULL = the client's. AWS_OP_ERR with AWS_ERROR_INVALID_STATE while a
 * page is under way, after the last one and after a failure; or with what
 * `aws_s3_client_make_meta_request` raises. Any thread, the callback of a page's end included.
 */
int aws_s3_paginator_continue(
    struct aws_s3_paginator *paginator,
    const struct aws_signing_config_aws *signing_config);

/** Whether there is another page. False before the first one came. Any thread. */
bool aws_s3_paginator_has_more_results(const struct aws_s3_paginator *paginator);

#ifdef __cplusplus
}
#endif

#endif /* AWS_S3_PRIVATE_S3_PAGINATOR_H */
