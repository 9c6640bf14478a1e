/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_CHECKSUMS_API)
#    define AWS_CHECKSUMS_API
#endif
