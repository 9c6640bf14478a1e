/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/error.h; `make headers` writes it anew. */
#ifndef AWS_COMMON_ERROR_H
#define AWS_COMMON_ERROR_H

#include <aws/common/assert.h>
#include <aws/common/exports.h>
#include <aws/common/macros.h>
#include <aws/common/package.h>
#include <aws/common/stdint.h>

/** A function that returns `int` did its work. */
#define AWS_OP_SUCCESS (0)
/** A function that returns `int` failed; aws_last_error() says why. */
#define AWS_OP_ERR (-1)

/* Every library has 1024 error codes. */
#define AWS_ERROR_ENUM_STRIDE_BITS 10
#define AWS_ERROR_ENUM_STRIDE (1U << AWS_ERROR_ENUM_STRIDE_BITS)
#define AWS_ERROR_ENUM_BEGIN_RANGE(x) ((x) * AWS_ERROR_ENUM_STRIDE)
#define AWS_ERROR_ENUM_END_RANGE(x) (((x) + 1) * AWS_ERROR_ENUM_STRIDE - 1)

/** One entry of an aws_error_info table: constant, text, library name. */
#define AWS_DEFINE_ERROR_INFO(C, ES, LN)            \
    {                                               \
        .literal_name = #C, .error_code = (C),      \
        .error_str = (ES), .lib_name = (LN),        \
        .formatted_name = LN ": " #C ", " ES,       \
    }

#include <aws/common/error.inl>

#endif /* AWS_COMMON_ERROR_H */
