#define AWS_ATOMIC_VAR_PTRVAL(var) ((var)->value)
#define AWS_ATOMIC_VAR_INTVAL(var) (*(aws_atomic_impl_int_t *)(var))
#define AWS_ATOMIC_INIT_INT(x) {.value = (void *)(uintptr_t)(x)}
#define AWS_ATOMIC_INIT_PTR(x) {.value = (void *)(x)}

/** The number a variable holds; it shares its place with the pointer. */
typedef size_t aws_atomic_impl_int_t;
