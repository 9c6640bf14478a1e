/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_HTTP_API)
#    define AWS_HTTP_API
#endif
