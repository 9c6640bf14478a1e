/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_S3_API)
#    define AWS_S3_API
#endif
