/** The two printf arguments of PRInSTR for a cursor. */
#define AWS_BYTE_CURSOR_PRI(C) ((int)(C).len < 0 ? 0 : (int)(C).len), (const char *)(C).ptr
/** The two printf arguments of PRInSTR for a buffer. */
#define AWS_BYTE_BUF_PRI(B) ((int)(B).len < 0 ? 0 : (int)(B).len), (const char *)(B).buffer
/** Initialiser of a cursor over a string literal. */
#define AWS_BYTE_CUR_INIT_FROM_STRING_LITERAL(literal) \
    {.len = sizeof(literal) - 1, .ptr = (uint8_t *)(const char *)(literal)}

//! replace aws_byte_buf_init_cache_and_update_cursors
int aws_byte_buf_init_cache_and_update_cursors(
    struct aws_byte_buf *dest,
    struct aws_allocator *allocator,
    ...);
