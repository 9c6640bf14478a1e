/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_IO_API)
#    define AWS_IO_API
#endif
