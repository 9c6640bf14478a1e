/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/sdkutils/aws_profile.rs; `make headers` writes it anew. */
#ifndef AWS_SDKUTILS_AWS_PROFILE_H
#define AWS_SDKUTILS_AWS_PROFILE_H

#include <aws/common/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A parsed set of profiles. Opaque; counted. */
struct aws_profile_collection;

#ifdef __cplusplus
}
#endif

#endif /* AWS_SDKUTILS_AWS_PROFILE_H */
