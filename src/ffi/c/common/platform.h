#if defined(__APPLE__)
#    define AWS_OS_APPLE
#    define AWS_OS_MACOS
#elif defined(__linux__)
#    define AWS_OS_LINUX
#endif
#if defined(__ANDROID__)
#    define AWS_OS_ANDROID
#endif
