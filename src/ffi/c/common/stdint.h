/** A file offset; new code uses int64_t. */
typedef int64_t aws_off_t;
