/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/string.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_STRING_INL
#define AWS_COMMON_STRING_INL

#include <aws/common/string.h>

#include <ctype.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The bytes of a string; a NUL follows them. */
AWS_STATIC_IMPL const uint8_t *aws_string_bytes(const struct aws_string *str) {
    return str->bytes;
}

/** The string as a C string. It may hold NUL bytes of its own. */
AWS_STATIC_IMPL const char *aws_string_c_str(const struct aws_string *str) {
    return (const char *)str->bytes;
}

/** Whether the string ends with its NUL. */
AWS_STATIC_IMPL bool aws_string_is_valid(const struct aws_string *str) {
    return str != NULL && str->bytes[str->len] == 0;
}

/** Whether there is a C string at all. */
AWS_STATIC_IMPL bool aws_c_string_is_valid(const char *str) {
    return str != NULL;
}

/** Whether the byte is space in the C locale. */
AWS_STATIC_IMPL bool aws_char_is_space(uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_STRING_INL */
