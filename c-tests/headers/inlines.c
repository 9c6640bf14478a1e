/* What the macros and inline functions of the headers do: callers compile them into themselves, so
 * they are tested as callers use them, as C and as C++. */
#include <aws/common/array_list.h>
#include <aws/common/atomics.h>
#include <aws/common/byte_buf.h>
#include <aws/common/byte_order.h>
#include <aws/common/clock.h>
#include <aws/common/linked_list.h>
#include <aws/common/logging.h>
#include <aws/common/math.h>
#include <aws/common/string.h>
#include <aws/common/zero.h>

static int s_passed, s_failed;

#define HOLDS(cond)                                           \
    do {                                                      \
        if (cond) {                                           \
            ++s_passed;                                       \
        } else {                                              \
            ++s_failed;                                       \
            printf("FAILED: line %d: %s\n", __LINE__, #cond); \
        }                                                     \
    } while (0)

/* A call that must fail with the given error. */
#define RAISES(call, error)                                         \
    do {                                                            \
        aws_raise_error(AWS_ERROR_UNKNOWN);                         \
        HOLDS((call) == AWS_OP_ERR && aws_last_error() == (error)); \
    } while (0)

static void s_array_list(void) {
    struct aws_allocator *allocator = aws_default_allocator();
    struct aws_array_list list;
    HOLDS(aws_array_list_init_dynamic(&list, allocator, 2, sizeof(int)) == AWS_OP_SUCCESS);
    int value = 0;
    RAISES(aws_array_list_front(&list, &value), AWS_ERROR_LIST_EMPTY);
    RAISES(aws_array_list_back(&list, &value), AWS_ERROR_LIST_EMPTY);
    RAISES(aws_array_list_pop_back(&list), AWS_ERROR_LIST_EMPTY);
    RAISES(aws_array_list_pop_front(&list), AWS_ERROR_LIST_EMPTY);
    for (int i = 0; i < 100; ++i) {
        HOLDS(aws_array_list_push_back(&list, &i) == AWS_OP_SUCCESS);
    }
    HOLDS(aws_array_list_length(&list) == 100 && aws_array_list_capacity(&list) >= 100);
    HOLDS(aws_array_list_is_valid(&list));
    HOLDS(aws_array_list_get_at(&list, &value, 41) == AWS_OP_SUCCESS && value == 41);
    RAISES(aws_array_list_get_at(&list, &value, 100), AWS_ERROR_INVALID_INDEX);
    int *at = NULL;
    HOLDS(aws_array_list_get_at_ptr(&list, (void **)&at, 99) == AWS_OP_SUCCESS && *at == 99);
    value = -1;
    HOLDS(aws_array_list_push_front(&list, &value) == AWS_OP_SUCCESS);
    HOLDS(aws_array_list_front(&list, &value) == AWS_OP_SUCCESS && value == -1);
    HOLDS(aws_array_list_pop_front(&list) == AWS_OP_SUCCESS);
    HOLDS(aws_array_list_front(&list, &value) == AWS_OP_SUCCESS && value == 0);
    aws_array_list_pop_front_n(&list, 10);
    HOLDS(aws_array_list_length(&list) == 90);
    HOLDS(aws_array_list_front(&list, &value) == AWS_OP_SUCCESS && value == 10);
    HOLDS(aws_array_list_erase(&list, 1) == AWS_OP_SUCCESS);
    HOLDS(aws_array_list_get_at(&list, &value, 1) == AWS_OP_SUCCESS && value == 12);
    HOLDS(aws_array_list_pop_back(&list) == AWS_OP_SUCCESS);
    HOLDS(aws_array_list_back(&list, &value) == AWS_OP_SUCCESS && value == 98);
    value = 7;
    HOLDS(aws_array_list_set_at(&list, &value, 500) == AWS_OP_SUCCESS);
    HOLDS(aws_array_list_length(&list) == 501);
    aws_array_list_pop_front_n(&list, 1000);
    HOLDS(aws_array_list_length(&list) == 0);

    struct aws_array_list other;
    HOLDS(aws_array_list_init_dynamic(&other, allocator, 0, sizeof(int)) == AWS_OP_SUCCESS);
    value = 3;
    HOLDS(aws_array_list_push_back(&other, &value) == AWS_OP_SUCCESS);
    aws_array_list_swap_contents(&list, &other);
    HOLDS(aws_array_list_length(&list) == 1 && aws_array_list_length(&other) == 0);
    aws_array_list_clean_up(&other);
    aws_array_list_clean_up_secure(&list);
    HOLDS(list.data == NULL && list.alloc == NULL);

    int room[3] = {5, 6, 7};
    struct aws_array_list fixed;
    aws_array_list_init_static_from_initialized(&fixed, room, 3, sizeof(int));
    HOLDS(aws_array_list_length(&fixed) == 3);
    RAISES(aws_array_list_push_back(&fixed, &value), AWS_ERROR_LIST_EXCEEDS_MAX_SIZE);
    RAISES(aws_array_list_push_front(&fixed, &value), AWS_ERROR_LIST_EXCEEDS_MAX_SIZE);
    aws_array_list_init_static(&fixed, room, 3, sizeof(int));
    HOLDS(aws_array_list_length(&fixed) == 0 && aws_array_list_capacity(&fixed) == 3);
    HOLDS(aws_array_list_push_back(&fixed, &value) == AWS_OP_SUCCESS && room[0] == 3);
    RAISES(aws_array_list_init_dynamic(&fixed, allocator, SIZE_MAX, 2), AWS_ERROR_OVERFLOW_DETECTED);
}

struct item {
    int number;
    struct aws_linked_list_node node;
};

/* The numbers of a list as digits, read forward; -1 where reading backward differs. */
static int s_digits(const struct aws_linked_list *list) {
    int forward = 0, backward = 0, scale = 1;
    const struct aws_linked_list_node *at;
    for (at = aws_linked_list_begin(list); at != aws_linked_list_end(list); at = aws_linked_list_next(at)) {
        forward = forward * 10 + AWS_CONTAINER_OF(at, struct item, node)->number;
    }
    for (at = aws_linked_list_rbegin(list); at != aws_linked_list_rend(list); at = aws_linked_list_prev(at)) {
        backward += scale * AWS_CONTAINER_OF(at, struct item, node)->number;
        scale *= 10;
    }
    return forward == backward && aws_linked_list_is_valid_deep(list) ? forward : -1;
}

static void s_linked_list(void) {
    struct item items[6];
    struct aws_linked_list list, other;
    aws_linked_list_init(&list);
    aws_linked_list_init(&other);
    HOLDS(aws_linked_list_empty(&list) && aws_linked_list_is_valid(&list));
    for (int i = 0; i < 6; ++i) {
        items[i].number = i + 1;
        aws_linked_list_node_reset(&items[i].node);
        HOLDS(!aws_linked_list_node_is_in_list(&items[i].node));
    }
    for (int i = 0; i < 3; ++i) {
        aws_linked_list_push_back(&list, &items[i].node);
        aws_linked_list_push_front(&other, &items[i + 3].node);
    }
    HOLDS(s_digits(&list) == 123 && s_digits(&other) == 654);
    HOLDS(aws_linked_list_node_is_in_list(&items[0].node));
    aws_linked_list_swap_nodes(&items[0].node, &items[2].node);
    HOLDS(s_digits(&list) == 321);
    aws_linked_list_swap_nodes(&items[2].node, &items[1].node);
    HOLDS(s_digits(&list) == 231);
    aws_linked_list_swap_nodes(&items[2].node, &items[1].node);
    HOLDS(s_digits(&list) == 321);
    aws_linked_list_swap_nodes(&items[1].node, &items[1].node);
    aws_linked_list_swap_nodes(&items[0].node, &items[4].node);
    HOLDS(s_digits(&list) == 325 && s_digits(&other) == 614);
    aws_linked_list_swap_contents(&list, &other);
    HOLDS(s_digits(&list) == 614 && s_digits(&other) == 325);
    aws_linked_list_move_all_back(&list, &other);
    HOLDS(s_digits(&list) == 614325 && aws_linked_list_empty(&other));
    aws_linked_list_push_back(&other, aws_linked_list_pop_front(&list));
    aws_linked_list_push_back(&other, aws_linked_list_pop_back(&list));
    aws_linked_list_move_all_front(&list, &other);
    HOLDS(s_digits(&list) == 651432);
    aws_linked_list_move_all_front(&list, &other);
    aws_linked_list_remove(&items[4].node);
    HOLDS(s_digits(&list) == 61432 && items[4].node.next == NULL);
    aws_linked_list_insert_after(&items[5].node, &items[4].node);
    aws_linked_list_remove(&items[0].node);
    aws_linked_list_insert_before(&items[5].node, &items[0].node);
    HOLDS(s_digits(&list) == 165432);
    HOLDS(aws_linked_list_front(&list) == &items[0].node && aws_linked_list_back(&list) == &items[1].node);
}

static void s_math(void) {
    uint64_t r64 = 5;
    uint32_t r32 = 5;
    size_t size = 5;
    HOLDS(aws_add_u64_checked(1, 2, &r64) == AWS_OP_SUCCESS && r64 == 3);
    RAISES(aws_add_u64_checked(UINT64_MAX, 1, &r64), AWS_ERROR_OVERFLOW_DETECTED);
    RAISES(aws_mul_u64_checked(UINT64_MAX, 2, &r64), AWS_ERROR_OVERFLOW_DETECTED);
    RAISES(aws_sub_u64_checked(1, 2, &r64), AWS_ERROR_OVERFLOW_DETECTED);
    HOLDS(r64 == 3);
    RAISES(aws_add_u32_checked(UINT32_MAX, 1, &r32), AWS_ERROR_OVERFLOW_DETECTED);
    RAISES(aws_mul_u32_checked(65536, 65536, &r32), AWS_ERROR_OVERFLOW_DETECTED);
    HOLDS(aws_sub_u32_checked(9, 2, &r32) == AWS_OP_SUCCESS && r32 == 7);
    RAISES(aws_mul_size_checked(SIZE_MAX / 2 + 1, 2, &size), AWS_ERROR_OVERFLOW_DETECTED);
    HOLDS(aws_add_size_checked(9, 2, &size) == AWS_OP_SUCCESS && size == 11);
    HOLDS(aws_add_u64_saturating(UINT64_MAX, 1) == UINT64_MAX && aws_sub_u64_saturating(1, 2) == 0);
    HOLDS(aws_mul_u32_saturating(65536, 65536) == UINT32_MAX && aws_add_u32_saturating(1, 2) == 3);
    HOLDS(aws_mul_size_saturating(SIZE_MAX, 3) == SIZE_MAX && aws_sub_size_saturating(5, 2) == 3);
    HOLDS(aws_is_power_of_two(64) && !aws_is_power_of_two(0) && !aws_is_power_of_two(65));
    HOLDS(aws_round_up_to_power_of_two(0, &size) == AWS_OP_SUCCESS && size == 1);
    HOLDS(aws_round_up_to_power_of_two(64, &size) == AWS_OP_SUCCESS && size == 64);
    HOLDS(aws_round_up_to_power_of_two(65, &size) == AWS_OP_SUCCESS && size == 128);
    HOLDS(aws_round_up_to_power_of_two(SIZE_MAX_POWER_OF_TWO, &size) == AWS_OP_SUCCESS);
    RAISES(aws_round_up_to_power_of_two(SIZE_MAX, &size), AWS_ERROR_OVERFLOW_DETECTED);
    HOLDS(aws_clz_u32(0) == 32 && aws_clz_u64(1) == 63 && aws_ctz_u32(8) == 3 && aws_ctz_u64(0) == 64);
    HOLDS(aws_clz_i32(-1) == 0 && aws_ctz_i64(-2) == 1 && aws_clz_size(1) == 63);
    HOLDS(aws_min_u64(1, 2) == 1 && aws_max_int(-1, 2) == 2 && aws_min_i8(-1, 1) == -1);
    HOLDS(aws_max_size(3, 2) == 3 && aws_min_double(1.5, 2) == 1.5);
}

static void s_clock(void) {
    uint64_t rest = 7;
    HOLDS(aws_timestamp_convert(1500, AWS_TIMESTAMP_MILLIS, AWS_TIMESTAMP_SECS, &rest) == 1 && rest == 500);
    HOLDS(aws_timestamp_convert(2, AWS_TIMESTAMP_SECS, AWS_TIMESTAMP_NANOS, &rest) == 2000000000 && rest == 0);
    HOLDS(aws_timestamp_convert(UINT64_MAX, AWS_TIMESTAMP_SECS, AWS_TIMESTAMP_NANOS, NULL) == UINT64_MAX);
    HOLDS(aws_timestamp_convert_u64(10, 3, 7, &rest) == 23 && rest == 0);
    HOLDS(aws_timestamp_convert(UINT64_MAX, AWS_TIMESTAMP_NANOS, AWS_TIMESTAMP_NANOS, NULL) == UINT64_MAX);
}

static void s_atomics(void) {
    struct aws_atomic_var number = AWS_ATOMIC_INIT_INT(5);
    HOLDS(aws_atomic_load_int(&number) == 5);
    HOLDS(aws_atomic_fetch_add(&number, 3) == 5 && aws_atomic_fetch_sub(&number, 1) == 8);
    HOLDS(aws_atomic_fetch_or(&number, 8) == 7 && aws_atomic_fetch_and(&number, 12) == 15);
    HOLDS(aws_atomic_fetch_xor(&number, 4) == 12 && aws_atomic_exchange_int(&number, 1) == 8);
    size_t expected = 9;
    HOLDS(!aws_atomic_compare_exchange_int(&number, &expected, 2) && expected == 1);
    HOLDS(aws_atomic_compare_exchange_int(&number, &expected, 2) && aws_atomic_load_int(&number) == 2);
    aws_atomic_store_int_explicit(&number, 4, aws_memory_order_release);
    HOLDS(aws_atomic_load_int_explicit(&number, aws_memory_order_acquire) == 4);
    aws_atomic_thread_fence(aws_memory_order_seq_cst);

    int a = 0, b = 0;
    struct aws_atomic_var pointer;
    aws_atomic_init_ptr(&pointer, &a);
    HOLDS(aws_atomic_exchange_ptr(&pointer, &b) == &a);
    void *seen = &a;
    HOLDS(!aws_atomic_compare_exchange_ptr(&pointer, &seen, NULL) && seen == &b);
    aws_atomic_store_ptr(&pointer, NULL);
    HOLDS(aws_atomic_load_ptr(&pointer) == NULL);
}

AWS_STATIC_STRING_FROM_LITERAL(s_name, "a name");

static void s_strings_and_memory(void) {
    HOLDS(s_name->len == 6 && strcmp(aws_string_c_str(s_name), "a name") == 0);
    HOLDS(aws_string_is_valid(s_name) && !aws_string_is_valid(NULL) && aws_c_string_is_valid(""));
    HOLDS(aws_string_bytes(s_name)[2] == 'n');
    HOLDS(aws_char_is_space('\v') && aws_char_is_space(' ') && !aws_char_is_space('x') && !aws_char_is_space(0x85));
    struct aws_byte_cursor cursor = aws_byte_cursor_from_c_str("text");
    char text[16];
    snprintf(text, sizeof(text), "<" PRInSTR ">", AWS_BYTE_CURSOR_PRI(cursor));
    HOLDS(strcmp(text, "<text>") == 0);
#if !defined(__cplusplus) || __cplusplus >= 202002L
    struct aws_byte_cursor literal = AWS_BYTE_CUR_INIT_FROM_STRING_LITERAL("abc");
    HOLDS(literal.len == 3 && memcmp(literal.ptr, "abc", 3) == 0);
#endif
    int zeros[40];
    AWS_ZERO_ARRAY(zeros);
    HOLDS(aws_is_mem_zeroed(zeros, sizeof(zeros)) && AWS_ARRAY_SIZE(zeros) == 40);
    zeros[39] = 1;
    HOLDS(!aws_is_mem_zeroed(zeros, sizeof(zeros)));
    AWS_ZERO_STRUCT(cursor);
    HOLDS(AWS_IS_ZEROED(cursor));
    uint8_t bytes[8];
    uint64_t wide = aws_hton64(0x0102030405060708);
    memcpy(bytes, &wide, 8);
    HOLDS(bytes[0] == 1 && bytes[7] == 8 && aws_ntoh64(wide) == 0x0102030405060708);
    HOLDS(aws_ntoh32(aws_hton32(0xdeadbeef)) == 0xdeadbeef && aws_ntoh16(aws_hton16(0x1234)) == 0x1234);
    HOLDS(aws_ntohf64(aws_htonf64(1.5)) == 1.5 && aws_ntohf32(aws_htonf32(-2.5f)) == -2.5f);
}

static int s_lines;

static int s_log(
    struct aws_logger *logger,
    enum aws_log_level level,
    aws_log_subject_t subject,
    const char *format,
    ...) {
    (void)logger;
    (void)format;
    s_lines += level == AWS_LL_ERROR && subject == 3 ? 1 : 100;
    return AWS_OP_SUCCESS;
}

static enum aws_log_level s_level(struct aws_logger *logger, aws_log_subject_t subject) {
    (void)logger;
    return subject == 3 ? AWS_LL_WARN : AWS_LL_NONE;
}

static void s_clean(struct aws_logger *logger) {
    (void)logger;
}

static void s_logging(void) {
    struct aws_logger_vtable table = {s_log, s_level, s_clean, NULL};
    struct aws_logger logger = {&table, NULL, NULL};
    AWS_LOGF_ERROR(3, "nobody listens %d", 1);
    aws_logger_set(&logger);
    HOLDS(aws_logger_get() == &logger);
    AWS_LOGF_ERROR(3, "heard %d", 2);
    AWS_LOGF_INFO(3, "above the level %d", 3);
    AWS_LOGF_ERROR(4, "another subject %s", "x");
    HOLDS(s_lines == 1);
    aws_logger_set(NULL);
    AWS_LOGF_ERROR(3, "nobody listens %d", 4);
    HOLDS(s_lines == 1);
}

int main(void) {
    s_array_list();
    s_linked_list();
    s_math();
    s_clock();
    s_atomics();
    s_strings_and_memory();
    s_logging();
    printf("%d passed, %d failed\n", s_passed, s_failed);
    return s_failed != 0;
}
