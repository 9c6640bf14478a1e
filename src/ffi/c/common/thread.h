/** Longest thread name that the system keeps whole. */
#define AWS_THREAD_NAME_RECOMMENDED_STRLEN 15
/** Initialiser of an aws_thread_once. */
#define AWS_THREAD_ONCE_STATIC_INIT PTHREAD_ONCE_INIT
/** Room for a thread id as text. */
#define AWS_THREAD_ID_T_REPR_BUFSZ (sizeof(aws_thread_id_t) * 2 + 1)
