/** Libraries that share one numbering of errors and log subjects. */
#define AWS_PACKAGE_SLOTS 32
#define AWS_C_COMMON_PACKAGE_ID 0
