/** Whether `bufsize` bytes are all zero. */
AWS_STATIC_IMPL bool aws_is_mem_zeroed(const void *buf, size_t bufsize) {
    const uint8_t *at = (const uint8_t *)buf;
    const uint8_t *end = at + bufsize;
    while (at != end && *at == 0) {
        ++at;
    }
    return at == end;
}
