/* The variable arguments of aws_byte_buf_init_cache_and_update_cursors, one by one to Rust. */
#include <stdarg.h>
#include <stddef.h>

struct aws_allocator;
struct aws_byte_buf;
struct aws_byte_cursor;

#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN size_t s3fast_rs_cache_measure(size_t sum, const struct aws_byte_cursor *cursor);
HIDDEN int s3fast_rs_cache_begin(struct aws_byte_buf *dest, struct aws_allocator *allocator, size_t sum);
HIDDEN int s3fast_rs_cache_add(struct aws_byte_buf *dest, struct aws_byte_cursor *cursor);

HIDDEN int s3fast_c_init_cache(struct aws_byte_buf *dest, struct aws_allocator *allocator, ...);

int s3fast_c_init_cache(struct aws_byte_buf *dest, struct aws_allocator *allocator, ...) {
    struct aws_byte_cursor *cursor;
    size_t sum = 0;
    va_list args;
    va_start(args, allocator);
    while ((cursor = va_arg(args, struct aws_byte_cursor *)) != NULL && sum != (size_t)-1) {
        sum = s3fast_rs_cache_measure(sum, cursor);
    }
    va_end(args);

    int failed = s3fast_rs_cache_begin(dest, allocator, sum);
    va_start(args, allocator);
    while (!failed && (cursor = va_arg(args, struct aws_byte_cursor *)) != NULL) {
        failed = s3fast_rs_cache_add(dest, cursor);
    }
    va_end(args);
    return failed;
}
