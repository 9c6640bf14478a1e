/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/c/common/byte_order.inl; `make headers` writes it anew. */
#ifndef AWS_COMMON_BYTE_ORDER_INL
#define AWS_COMMON_BYTE_ORDER_INL

#include <aws/common/byte_order.h>
#include <aws/common/common.h>

#include <string.h>
#include <netinet/in.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whether this machine keeps the highest byte first. */
AWS_STATIC_IMPL int aws_is_big_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/** 64 bits from host to network order. */
AWS_STATIC_IMPL uint64_t aws_hton64(uint64_t x) {
    return aws_is_big_endian() ? x : __builtin_bswap64(x);
}

/** 64 bits from network to host order. */
AWS_STATIC_IMPL uint64_t aws_ntoh64(uint64_t x) {
    return aws_hton64(x);
}

/** 32 bits from host to network order. */
AWS_STATIC_IMPL uint32_t aws_hton32(uint32_t x) {
    return aws_is_big_endian() ? x : __builtin_bswap32(x);
}

/** 32 bits from network to host order. */
AWS_STATIC_IMPL uint32_t aws_ntoh32(uint32_t x) {
    return aws_hton32(x);
}

/** 32 bits from little-endian to host order. */
AWS_STATIC_IMPL uint32_t aws_letoh32(uint32_t x) {
    return aws_is_big_endian() ? __builtin_bswap32(x) : x;
}

/** 16 bits from host to network order. */
AWS_STATIC_IMPL uint16_t aws_hton16(uint16_t x) {
    return aws_is_big_endian() ? x : (uint16_t)((x << 8) | (x >> 8));
}

/** 16 bits from network to host order. */
AWS_STATIC_IMPL uint16_t aws_ntoh16(uint16_t x) {
    return aws_hton16(x);
}

/** 16 bits from little-endian to host order. */
AWS_STATIC_IMPL uint16_t aws_letoh16(uint16_t x) {
    return aws_is_big_endian() ? (uint16_t)((x << 8) | (x >> 8)) : x;
}

/** A float from host to network order. */
AWS_STATIC_IMPL float aws_htonf32(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits = aws_hton32(bits);
    memcpy(&x, &bits, sizeof(bits));
    return x;
}

/** A double from host to network order. */
AWS_STATIC_IMPL double aws_htonf64(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    bits = aws_hton64(bits);
    memcpy(&x, &bits, sizeof(bits));
    return x;
}

/** A float from network to host order. */
AWS_STATIC_IMPL float aws_ntohf32(float x) {
    return aws_htonf32(x);
}

/** A double from network to host order. */
AWS_STATIC_IMPL double aws_ntohf64(double x) {
    return aws_htonf64(x);
}

#ifdef __cplusplus
}
#endif

#endif /* AWS_COMMON_BYTE_ORDER_INL */
