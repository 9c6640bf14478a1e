/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/checksums/crc.rs; `make headers` writes it anew. */
#ifndef AWS_CHECKSUMS_CRC_H
#define AWS_CHECKSUMS_CRC_H

#include <aws/checksums/exports.h>
#include <aws/common/macros.h>
#include <aws/common/stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * CRC32 (the polynomial of Ethernet and zip) of `length` bytes, continued from `previous_crc32`.
 *
 * `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes; below 0 counts
 * as 0. `previous_crc32`: the CRC of what came before, 0 at the start.
 * Returns the CRC of everything so far; `previous_crc32` itself where `input` is NULL. Any thread.
 */
uint32_t aws_checksums_crc32(const uint8_t *input, int length, uint32_t previous_crc32);

/**
 * As aws_checksums_crc32(), for any length.
 *
 * `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes.
 * `previous_crc32`: the CRC of what came before, 0 at the start.
 * Returns the CRC of everything so far; `previous_crc32` itself where `input` is NULL. Any thread.
 */
uint32_t aws_checksums_crc32_ex(const uint8_t *input, size_t length, uint32_t previous_crc32);

/**
 * CRC32C (Castagnoli) of `length` bytes, continued from `previous_crc32c`.
 *
 * `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes; below 0 counts
 * as 0. `previous_crc32c`: the CRC of what came before, 0 at the start.
 * Returns the CRC of everything so far; `previous_crc32c` itself where `input` is NULL. Any thread.
 */
uint32_t aws_checksums_crc32c(const uint8_t *input, int length, uint32_t previous_crc32c);

/**
 * As aws_checksums_crc32c(), for any length.
 *
 * `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes.
 * `previous_crc32c`: the CRC of what came before, 0 at the start.
 * Returns the CRC of everything so far; `previous_crc32c` itself where `input` is NULL. Any thread.
 */
uint32_t aws_checksums_crc32c_ex(const uint8_t *input, size_t length, uint32_t previous_crc32c);

/**
 * CRC64-NVME of `length` bytes, continued from `previous_crc64`.
 *
 * `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes; below 0 counts
 * as 0. `previous_crc64`: the CRC of what came before, 0 at the start.
 * Returns the CRC of everything so far; `previous_crc64` itself where `input` is NULL. Any thread.
 */
uint64_t aws_checksums_crc64nvme(const uint8_t *input, int length, uint64_t previous_crc64);

/**
 * As aws_checksums_crc64nvme(), for any length.
 *
 * `input`: borrowed for the call; may be NULL where `length` is 0. `length`: bytes.
 * `previous_crc64`: the CRC of what came before, 0 at the start.
 * Returns the CRC of everything so far; `previous_crc64` itself where `input` is NULL. Any thread.
 */
uint64_t aws_checksums_crc64nvme_ex(const uint8_t *input, size_t length, uint64_t previous_crc64);

/**
 * CRC32 (the polynomial of Ethernet and zip) of two runs of bytes, one behind the other, from the CRC of each.
 *
 * `crc1`: of the first run. `crc2`: of the second, started at 0. `len2`: bytes of the second.
 * Returns the CRC of both. Takes no longer for long runs. Any thread.
 */
uint32_t aws_checksums_crc32_combine(uint32_t crc1, uint32_t crc2, uint64_t len2);

/**
 * CRC32C (Castagnoli) of two runs of bytes, one behind the other, from the CRC of each.
 *
 * `crc1`: of the first run. `crc2`: of the second, started at 0. `len2`: bytes of the second.
 * Returns the CRC of both. Takes no longer for long runs. Any thread.
 */
uint32_t aws_checksums_crc32c_combine(uint32_t crc1, uint32_t crc2, uint64_t len2);

/**
 * CRC64-NVME of two runs of bytes, one behind the other, from the CRC of each.
 *
 * `crc1`: of the first run. `crc2`: of the second, started at 0. `len2`: bytes of the second.
 * Returns the CRC of both. Takes no longer for long runs. Any thread.
 */
uint64_t aws_checksums_crc64nvme_combine(uint64_t crc1, uint64_t crc2, uint64_t len2);

#ifdef __cplusplus
}
#endif

#endif /* AWS_CHECKSUMS_CRC_H */
