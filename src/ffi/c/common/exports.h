/* The marker callers may put on their own declarations; the library exports by itself. */
#if !defined(AWS_COMMON_API)
#    define AWS_COMMON_API
#endif

/* How the functions of the .inl files are linked. Define it empty to see them as plain functions. */
#if !defined(AWS_STATIC_IMPL)
#    if defined(AWS_NO_STATIC_IMPL)
#        define AWS_STATIC_IMPL AWS_COMMON_API
#    else
#        define AWS_STATIC_IMPL static inline
#    endif
#endif
