/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_CAL_API)
#    define AWS_CAL_API
#endif
