/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_SDKUTILS_API)
#    define AWS_SDKUTILS_API
#endif
