/* Faults on purpose, to prove that the sanitizer sees them through the library:
 * `planted overrun` writes behind a buffer, `planted leak` loses one, `planted none` does neither. */
#include <aws/common/allocator.h>
#include <aws/common/byte_buf.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *fault = argc > 1 ? argv[1] : "none";
    struct aws_byte_buf buf;
    if (aws_byte_buf_init(&buf, aws_default_allocator(), 32)) return 2;
    volatile uint8_t *bytes = buf.buffer;
    if (!strcmp(fault, "overrun")) bytes[buf.capacity] = 1;
    if (!strcmp(fault, "leak")) memset(&buf, 0, sizeof buf);
    aws_byte_buf_clean_up(&buf);
    printf("planted: %s\n", fault);
    return 0;
}
