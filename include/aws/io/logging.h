/* SPDX-License-Identifier: Apache-2.0 */
/* Made from src/ffi/io/logging.rs; `make headers` writes it anew. */
#ifndef AWS_IO_LOGGING_H
#define AWS_IO_LOGGING_H

#include <aws/io/io.h>
#include <aws/common/logging.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Log subjects of the io library. */
enum aws_io_log_subject {
    AWS_LS_IO_GENERAL = 1024,
    AWS_LS_IO_EVENT_LOOP = 1025,
    AWS_LS_IO_SOCKET = 1026,
    AWS_LS_IO_SOCKET_HANDLER = 1027,
    AWS_LS_IO_TLS = 1028,
    AWS_LS_IO_ALPN = 1029,
    AWS_LS_IO_DNS = 1030,
    AWS_LS_IO_PKI = 1031,
    AWS_LS_IO_CHANNEL = 1032,
    AWS_LS_IO_CHANNEL_BOOTSTRAP = 1033,
    AWS_LS_IO_FILE_UTILS = 1034,
    AWS_LS_IO_SHARED_LIBRARY = 1035,
    AWS_LS_IO_EXPONENTIAL_BACKOFF_RETRY_STRATEGY = 1036,
    AWS_LS_IO_STANDARD_RETRY_STRATEGY = 1037,
    AWS_LS_IO_PKCS11 = 1038,
    AWS_LS_IO_PEM = 1039,
    AWS_IO_LS_LAST = 2047,
};

#ifdef __cplusplus
}
#endif

#endif /* AWS_IO_LOGGING_H */
