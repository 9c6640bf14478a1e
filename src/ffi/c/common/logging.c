/* The variable arguments of a log line, formatted for Rust. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct aws_logger;

#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN int s3fast_rs_log(struct aws_logger *logger, int level, uint32_t subject, const char *text, size_t len);

HIDDEN int s3fast_c_log(struct aws_logger *logger, int level, uint32_t subject, const char *format, ...);

int s3fast_c_log(struct aws_logger *logger, int level, uint32_t subject, const char *format, ...) {
    char line[1024];
    char *text = line;
    va_list args;
    va_start(args, format);
    int len = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    if (len >= (int)sizeof(line)) {
        text = malloc((size_t)len + 1);
        if (text) {
            va_start(args, format);
            len = vsnprintf(text, (size_t)len + 1, format, args);
            va_end(args);
        } else { /* better the line's beginning than nothing */
            text = line;
            len = (int)sizeof(line) - 1;
        }
    }
    int result = s3fast_rs_log(logger, level, subject, text, len < 0 ? (size_t)-1 : (size_t)len);
    if (text != line) {
        free(text);
    }
    return result;
}
