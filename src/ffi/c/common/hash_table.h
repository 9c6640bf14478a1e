/* What a visitor of aws_hash_table_foreach returns, or-ed together. */
enum {
    /** Go on with the next element. */
    AWS_COMMON_HASH_TABLE_ITER_CONTINUE = 1,
    /** Remove the element just seen. */
    AWS_COMMON_HASH_TABLE_ITER_DELETE = 2,
    /** Stop, and let the whole call fail with the error raised. */
    AWS_COMMON_HASH_TABLE_ITER_ERROR = 4
};
