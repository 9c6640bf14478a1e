/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_AUTH_API)
#    define AWS_AUTH_API
#endif
