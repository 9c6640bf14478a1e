/* The common headers as a C program uses them: macros, inlines, variable arguments, callbacks; and
 * what happens to NULL, empty and absurd arguments. */
#include "harness.h"

#include <aws/common/array_list.h>
#include <aws/common/atomics.h>
#include <aws/common/clock.h>
#include <aws/common/command_line_parser.h>
#include <aws/common/common.h>
#include <aws/common/condition_variable.h>
#include <aws/common/cross_process_lock.h>
#include <aws/common/environment.h>
#include <aws/common/file.h>
#include <aws/common/hash_table.h>
#include <aws/common/linked_list.h>
#include <aws/common/mutex.h>
#include <aws/common/ref_count.h>
#include <aws/common/system_info.h>
#include <aws/common/system_resource_util.h>
#include <aws/common/task_scheduler.h>
#include <aws/common/thread_scheduler.h>
#include <aws/common/uri.h>

#include <stdarg.h>
#include <unistd.h>

AWS_STATIC_STRING_FROM_LITERAL(s_literal, "a literal");

#define IS(expr, expected) CHECK((expr) == (expected), "%lld", (long long)(expr))
#define RAISED(expr, code)                                                                       \
    do {                                                                                         \
        aws_reset_error();                                                                       \
        CHECK(expr, "succeeded");                                                                \
        CHECK(aws_last_error() == (code), "raised %s", aws_error_name(aws_last_error()));        \
    } while (0)

static struct aws_allocator *traced(void) {
    return aws_mem_tracer_new(aws_default_allocator(), NULL, AWS_MEMTRACE_STACKS, 4);
}
static void untraced(struct aws_allocator *a) {
    IS(aws_mem_tracer_bytes(a), 0u);
    IS(aws_mem_tracer_count(a), 0u);
    CHECK(aws_mem_tracer_destroy(a) == aws_default_allocator(), "another allocator");
}

/* ---- an allocator that fails from its n-th call on ---- */
static size_t calls_left;
static void *stingy_acquire(struct aws_allocator *a, size_t size) {
    (void)a;
    return calls_left ? calls_left--, malloc(size) : NULL;
}
static void stingy_release(struct aws_allocator *a, void *p) {
    (void)a;
    free(p);
}
static struct aws_allocator *stingy(size_t calls) {
    static struct aws_allocator a = {.mem_acquire = stingy_acquire, .mem_release = stingy_release};
    calls_left = calls;
    return &a;
}

static void memory_is_counted_and_named(void) {
    struct aws_allocator *a = traced();
    void *p = aws_mem_acquire(a, 100), *q = aws_mem_calloc(a, 10, 10);
    CHECK(p && q && !memcmp(q, (char[100]){0}, 100), "no memory, or not zeroed");
    IS(aws_mem_tracer_bytes(a), 200u);
    IS(aws_mem_tracer_count(a), 2u);

    char name[128];
    snprintf(name, sizeof name, "%s/log", test_folder());
    struct aws_logger logger;
    struct aws_logger_standard_options options = {.level = AWS_LL_TRACE, .filename = name};
    REQUIRE(!aws_logger_init_standard(&logger, aws_default_allocator(), &options), "no logger");
    aws_logger_set(&logger);
    aws_mem_tracer_dump(a);
    aws_logger_set(NULL);
    aws_logger_clean_up(&logger);
    char text[16384] = {0};
    FILE *f = fopen(name, "r");
    REQUIRE(f && fread(text, 1, sizeof text - 1, f) > 0, "no log");
    fclose(f);
    CHECK(strstr(text, "[TRACE] [20") && strstr(text, "[memtrace] - "), "%s", text);
    CHECK(strstr(text, "tracer: 200 bytes still allocated in 2 allocations"), "%s", text);
    CHECK(strstr(text, "ALLOC 100 bytes, stacktrace:"), "%s", text);

    aws_mem_release(a, p);
    aws_mem_release(a, q);
    aws_mem_release(a, NULL);
    untraced(a);
}

static void failed_memory_is_an_error(void) {
    RAISED(!aws_mem_acquire(stingy(0), 1), AWS_ERROR_OOM);
    RAISED(!aws_mem_calloc(stingy(0), 1, 1), AWS_ERROR_OOM);
    RAISED(!aws_mem_calloc(stingy(9), SIZE_MAX, 2), AWS_ERROR_OVERFLOW_DETECTED);
    RAISED(!aws_mem_acquire(NULL, 1), AWS_ERROR_INVALID_ARGUMENT);
    RAISED(!aws_mem_acquire(stingy(9), 0), AWS_ERROR_INVALID_ARGUMENT);
    struct aws_byte_buf buf;
    RAISED(aws_byte_buf_init(&buf, stingy(0), 10), AWS_ERROR_OOM);
    RAISED(!aws_string_new_from_c_str(stingy(0), "x"), AWS_ERROR_OOM);
    struct aws_hash_table table;
    RAISED(aws_hash_table_init(&table, stingy(0), 1, aws_hash_ptr, aws_ptr_eq, NULL, NULL), AWS_ERROR_OOM);
    struct aws_array_list list;
    REQUIRE(!aws_array_list_init_dynamic(&list, stingy(1), 1, sizeof(int)), "no list");
    int n = 1;
    IS(aws_array_list_push_back(&list, &n), 0);
    RAISED(aws_array_list_push_back(&list, &n), AWS_ERROR_OOM);
    IS(aws_array_list_length(&list), 1u);
    aws_array_list_clean_up(&list);
    struct aws_uri uri;
    struct aws_byte_cursor text = aws_byte_cursor_from_c_str("http://h/");
    RAISED(aws_uri_init_parse(&uri, stingy(0), &text), AWS_ERROR_OOM);
    RAISED(!aws_thread_scheduler_new(stingy(0), NULL), AWS_ERROR_OOM);
}

static void buffers_grow_and_cursors_move(void) {
    struct aws_allocator *a = traced();
    struct aws_byte_buf buf, copy;
    REQUIRE(!aws_byte_buf_init(&buf, a, 2), "no buffer");
    struct aws_byte_cursor part = AWS_BYTE_CUR_INIT_FROM_STRING_LITERAL("chunk;");
    for (int i = 0; i < 100; i++) IS(aws_byte_buf_append_dynamic(&buf, &part), 0);
    IS(aws_byte_buf_append_byte_dynamic(&buf, '!'), 0);
    IS(buf.len, 601u);
    IS(aws_byte_buf_init_copy(&copy, a, &buf), 0);
    CHECK(copy.capacity == buf.capacity && !memcmp(copy.buffer, buf.buffer, 601), "another copy");
    struct aws_array_list pieces;
    aws_array_list_init_dynamic(&pieces, a, 4, sizeof(struct aws_byte_cursor));
    struct aws_byte_cursor all = aws_byte_cursor_from_buf(&buf);
    IS(aws_byte_cursor_split_on_char(&all, ';', &pieces), 0);
    IS(aws_array_list_length(&pieces), 101u);
    struct aws_byte_cursor last;
    IS(aws_array_list_get_at(&pieces, &last, 100), 0);
    char text[32];
    snprintf(text, sizeof text, PRInSTR, AWS_BYTE_CURSOR_PRI(last));
    CHECK(!strcmp(text, "!"), "%s", text);
    RAISED(aws_array_list_get_at(&pieces, &last, 101), AWS_ERROR_INVALID_INDEX);
    struct aws_byte_cursor head = aws_byte_cursor_advance(&all, 5), upper = aws_byte_cursor_from_c_str("CHUNK");
    CHECK(aws_byte_cursor_eq_ignore_case(&head, &upper), "not equal");
    IS(aws_byte_cursor_advance(&all, 1000).len, 0u);
    aws_array_list_clean_up(&pieces);
    aws_byte_buf_clean_up(&buf);
    aws_byte_buf_clean_up_secure(&copy);
    untraced(a);
}

static void cursors_are_gathered_by_variable_arguments(void) {
    struct aws_allocator *a = traced();
    struct aws_byte_cursor c[8];
    char text[8][8];
    for (int i = 0; i < 8; i++) {
        snprintf(text[i], sizeof text[i], "part%d", i);
        c[i] = aws_byte_cursor_from_c_str(text[i]);
    }
    struct aws_byte_cursor none = {0};
    struct aws_byte_buf buf;
    IS(aws_byte_buf_init_cache_and_update_cursors(
           &buf, a, &c[0], &c[1], &c[2], &none, &c[3], &c[4], &c[5], &c[6], &c[7], NULL), 0);
    IS(buf.len, 40u);
    CHECK(!memcmp(buf.buffer, "part0part1part2part3part4part5part6part7", 40), "other bytes");
    for (int i = 0; i < 8; i++) CHECK(c[i].ptr == buf.buffer + 5 * i && c[i].len == 5, "cursor %d", i);
    aws_byte_buf_clean_up(&buf);
    IS(aws_byte_buf_init_cache_and_update_cursors(&buf, a, NULL), 0);
    aws_byte_buf_clean_up(&buf);
    RAISED(aws_byte_buf_init_cache_and_update_cursors(NULL, a, NULL), AWS_ERROR_INVALID_ARGUMENT);
    untraced(a);
}

static void strings_live_in_one_block(void) {
    struct aws_allocator *a = traced();
    CHECK(aws_string_eq_c_str(s_literal, "a literal"), "another text");
    CHECK(aws_string_clone_or_reuse(a, s_literal) == s_literal, "copied");
    struct aws_string *s = aws_string_new_from_array(a, (const uint8_t *)"x\0y", 3);
    IS(s->len, 3u);
    IS(strlen(aws_string_c_str(s)), 1u);
    IS(aws_string_c_str(s)[3], 0);
    IS(aws_mem_tracer_count(a), 1u);
    aws_string_destroy(s);
    aws_string_destroy((struct aws_string *)(void *)(uintptr_t)s_literal);
    aws_string_destroy(NULL);
    untraced(a);
}

struct item {
    int n;
    struct aws_linked_list_node node;
};
static void lists_and_counters_are_inline(void) {
    struct aws_linked_list list;
    aws_linked_list_init(&list);
    struct item items[3] = {{.n = 0}, {.n = 1}, {.n = 2}};
    for (int i = 0; i < 3; i++) aws_linked_list_push_back(&list, &items[i].node);
    aws_linked_list_remove(&items[1].node);
    IS(AWS_CONTAINER_OF(aws_linked_list_pop_front(&list), struct item, node)->n, 0);
    IS(AWS_CONTAINER_OF(aws_linked_list_pop_front(&list), struct item, node)->n, 2);
    CHECK(aws_linked_list_empty(&list), "not empty");

    struct aws_atomic_var v = AWS_ATOMIC_INIT_INT(5);
    IS(aws_atomic_fetch_add(&v, 3), 5u);
    size_t expected = 8;
    CHECK(aws_atomic_compare_exchange_int(&v, &expected, 1), "not exchanged");
    IS(aws_atomic_load_int(&v), 1u);

    uint64_t sum = 0, rest = 0;
    RAISED(aws_add_u64_checked(UINT64_MAX, 1, &sum), AWS_ERROR_OVERFLOW_DETECTED);
    RAISED(aws_sub_u64_checked(1, 2, &sum), AWS_ERROR_OVERFLOW_DETECTED);
    IS(aws_timestamp_convert(1234567, AWS_TIMESTAMP_MICROS, AWS_TIMESTAMP_MILLIS, &rest), 1234u);
    IS(rest, 567u);
    uint64_t t1, t2;
    IS(aws_high_res_clock_get_ticks(&t1) | aws_high_res_clock_get_ticks(&t2), 0);
    CHECK(t2 >= t1, "time goes back");
}

static int zeros;
static void on_zero(void *object) {
    zeros += *(int *)object;
}
static void references_end_once(void) {
    int one = 1;
    struct aws_ref_count count;
    aws_ref_count_init(&count, &one, on_zero);
    CHECK(aws_ref_count_acquire(&count) == &one, "another object");
    IS(aws_ref_count_release(&count), 1u);
    IS(zeros, 0);
    IS(aws_ref_count_release(&count), 0u);
    IS(zeros, 1);
}

static void tables_hold_pointers(void) {
    struct aws_allocator *a = traced();
    struct aws_hash_table table;
    REQUIRE(!aws_hash_table_init(&table, a, 10, aws_hash_ptr, aws_ptr_eq, NULL, NULL), "no table");
    static int keys[1000];
    int created;
    for (int i = 0; i < 1000; i++) IS(aws_hash_table_put(&table, &keys[i], &keys[999 - i], &created), 0);
    struct aws_hash_element *found;
    for (int i = 0; i < 1000; i++) {
        aws_hash_table_find(&table, &keys[i], &found);
        CHECK(found && found->value == &keys[999 - i], "key %d", i);
    }
    int seen = 0;
    for (struct aws_hash_iter it = aws_hash_iter_begin(&table); !aws_hash_iter_done(&it); aws_hash_iter_next(&it)) seen++;
    IS(seen, 1000);
    aws_hash_table_clean_up(&table);
    untraced(a);
}

/* ---- a program's own logger ---- */
static char lines[4096];
static int own_log(struct aws_logger *l, enum aws_log_level level, aws_log_subject_t subject, const char *format, ...) {
    (void)l;
    size_t n = strlen(lines);
    n += snprintf(lines + n, sizeof lines - n, "%d %u ", level, subject);
    va_list args;
    va_start(args, format);
    n += vsnprintf(lines + n, sizeof lines - n, format, args);
    va_end(args);
    snprintf(lines + n, sizeof lines - n, "\n");
    return AWS_OP_SUCCESS;
}
static enum aws_log_level own_level(struct aws_logger *l, aws_log_subject_t subject) {
    (void)l;
    return subject == AWS_LS_COMMON_MEMTRACE ? AWS_LL_TRACE : AWS_LL_WARN;
}
static void own_logger_gets_lines_through_its_table(void) {
    struct aws_logger_vtable table = {.log = own_log, .get_log_level = own_level};
    struct aws_logger logger = {.vtable = &table};
    aws_logger_set(&logger);
    CHECK(aws_logger_get() == &logger, "not installed");
    AWS_LOGF_ERROR(AWS_LS_COMMON_GENERAL, "%d and %s", 1, "two");
    AWS_LOGF_INFO(AWS_LS_COMMON_GENERAL, "not wanted");
    struct aws_allocator *a = traced();
    void *p = aws_mem_acquire(a, 7);
    aws_mem_tracer_dump(a);
    aws_mem_release(a, p);
    aws_logger_set(NULL);
    AWS_LOGF_ERROR(AWS_LS_COMMON_GENERAL, "nobody listens");
    CHECK(strstr(lines, "2 0 1 and two\n"), "%s", lines);
    CHECK(strstr(lines, "6 3 ALLOC 7 bytes"), "%s", lines);
    CHECK(!strstr(lines, "not wanted") && !strstr(lines, "nobody"), "%s", lines);
    RAISED(aws_logger_set_log_level(&logger, AWS_LL_INFO), AWS_ERROR_UNIMPLEMENTED);
    CHECK(!strcmp(aws_log_subject_name(AWS_LS_COMMON_THREAD), "thread"), "another name");
    untraced(a);
}

static const struct aws_error_info own_errors[] = {
    AWS_DEFINE_ERROR_INFO(AWS_ERROR_ENUM_BEGIN_RANGE(31), "my own", "mine"),
};
static const struct aws_error_info_list own_list = {.error_list = own_errors, .count = 1};
static void errors_have_names(void) {
    CHECK(!strcmp(aws_error_name(AWS_ERROR_S3_CANCELED), "AWS_ERROR_S3_CANCELED"), "another name");
    CHECK(!strcmp(aws_error_lib_name(AWS_ERROR_OOM), "aws-c-common"), "another library");
    CHECK(strstr(aws_error_debug_str(AWS_ERROR_OOM), "aws-c-common: AWS_ERROR_OOM, "), "another line");
    CHECK(!strcmp(aws_error_name(12345678), "Unknown Error Code"), "known");
    CHECK(!strcmp(aws_error_str(-1), "Unknown Error Code"), "known");
    aws_register_error_info(&own_list);
    CHECK(!strcmp(aws_error_str(31 * 1024), "my own"), "not registered");
    IS(aws_raise_error(31 * 1024), AWS_OP_ERR);
    IS(aws_last_error(), 31 * 1024);
    aws_reset_error();
    IS(aws_last_error(), AWS_ERROR_SUCCESS);
}

/* ---- threads ---- */
static struct aws_mutex mutex = AWS_MUTEX_INIT;
static struct aws_condition_variable changed = AWS_CONDITION_VARIABLE_INIT;
static int ran;
static void on_task(struct aws_task *task, void *arg, enum aws_task_status status) {
    (void)task;
    aws_mutex_lock(&mutex);
    ran += status == AWS_TASK_STATUS_RUN_READY ? *(int *)arg : 100;
    aws_mutex_unlock(&mutex);
    aws_condition_variable_notify_one(&changed);
}
static bool ran_three(void *unused) {
    (void)unused;
    return ran == 3;
}
static void tasks_run_on_a_scheduler(void) {
    struct aws_allocator *a = traced();
    struct aws_thread_options options = *aws_default_thread_options();
    options.name = aws_byte_cursor_from_c_str("tasks");
    struct aws_thread_scheduler *s = aws_thread_scheduler_new(a, &options);
    REQUIRE(s, "no scheduler");
    struct aws_task now, later, never;
    int one = 1, two = 2;
    uint64_t t;
    aws_high_res_clock_get_ticks(&t);
    aws_task_init(&now, on_task, &one, "now");
    aws_task_init(&later, on_task, &two, "later");
    aws_task_init(&never, on_task, &one, "never");
    aws_thread_scheduler_schedule_future(s, &never, t + 3600ull * AWS_TIMESTAMP_NANOS);
    aws_thread_scheduler_schedule_future(s, &later, t + 10000000);
    aws_thread_scheduler_schedule_now(s, &now);
    aws_mutex_lock(&mutex);
    IS(aws_condition_variable_wait_pred(&changed, &mutex, ran_three, NULL), 0);
    aws_mutex_unlock(&mutex);
    aws_thread_scheduler_release(s);
    IS(ran, 103);
    aws_task_run(&now, AWS_TASK_STATUS_RUN_READY);
    IS(ran, 104);
    struct aws_string *name = NULL;
    IS(aws_thread_current_name(a, &name), 0);
    CHECK(name && name->len > 0, "no name");
    aws_string_destroy(name);
    aws_thread_set_managed_join_timeout_ns(1000000000);
    IS(aws_thread_join_all_managed(), 0);
    untraced(a);
}

/* ---- command line ---- */
static int on_command(int argc, char *const argv[], const char *name, void *user_data) {
    CHECK(argc == 3 && !strcmp(argv[0], "copy") && !strcmp(name, "copy"), "%d %s", argc, argv[0]);
    *(int *)user_data = 1;
    struct aws_cli_option options[] = {
        {.name = "region", .has_arg = AWS_CLI_OPTIONS_REQUIRED_ARGUMENT, .val = 'r'},
        {.name = NULL, .val = 0},
    };
    int index = -1;
    aws_cli_reset_state();
    IS(aws_cli_getopt_long(argc, argv, "r:", options, &index), 'r');
    CHECK(index == 0 && !strcmp(aws_cli_optarg, "eu"), "%d", index);
    IS(aws_cli_getopt_long(argc, argv, "r:", options, &index), -1);
    char *words[] = {"prog", "file", NULL};
    aws_cli_reset_state();
    IS(aws_cli_getopt_long(2, words, "r:", options, &index), 0x02);
    CHECK(!strcmp(aws_cli_positional_arg, "file"), "another argument");
    return 9;
}
static void command_lines_are_parsed(void) {
    char *argv[] = {"prog", "copy", "--region", "eu", NULL};
    struct aws_cli_subcommand_dispatch table[] = {{.subcommand_fn = on_command, .command_name = "COPY"}};
    int called = 0;
    IS(aws_cli_dispatch_on_subcommand(4, argv, table, 1, &called), 9);
    IS(called, 1);
    argv[1] = "move";
    RAISED(aws_cli_dispatch_on_subcommand(4, argv, table, 1, &called), AWS_ERROR_UNIMPLEMENTED);
    RAISED(aws_cli_dispatch_on_subcommand(1, argv, table, 1, &called), AWS_ERROR_INVALID_ARGUMENT);
}

/* ---- files and the system ---- */
static bool on_file(const struct aws_directory_entry *entry, void *user_data) {
    int *sum = user_data;
    *sum += entry->file_type == AWS_FILE_TYPE_DIRECTORY ? 1000 : (int)entry->file_size;
    return *sum < 100000;
}
static void files_are_found(void) {
    struct aws_allocator *a = traced();
    char path[128];
    snprintf(path, sizeof path, "%s/dir", test_folder());
    struct aws_string *dir = aws_string_new_from_c_str(a, path), *top = aws_string_new_from_c_str(a, test_folder());
    IS(aws_directory_create(dir), 0);
    CHECK(aws_directory_exists(dir), "not there");
    snprintf(path, sizeof path, "%s/dir/file", test_folder());
    struct aws_string *file = aws_string_new_from_c_str(a, path), *mode = aws_string_new_from_c_str(a, "w+");
    FILE *f = aws_fopen_safe(file, mode);
    REQUIRE(f, "not opened");
    fputs("12345", f);
    fflush(f);
    int64_t length = 0;
    IS(aws_file_get_length(f, &length), 0);
    IS(length, 5);
    fclose(f);
    int sum = 0;
    IS(aws_directory_traverse(a, top, true, on_file, &sum), 0);
    IS(sum, 1005);
    sum = 99999;
    RAISED(aws_directory_traverse(a, top, true, on_file, &sum), AWS_ERROR_OPERATION_INTERUPTED);
    struct aws_string *gone = aws_string_new_from_c_str(a, "/nowhere/at/all");
    RAISED(!aws_fopen_safe(gone, mode), AWS_ERROR_FILE_INVALID_PATH);
    aws_string_destroy(gone);
    aws_string_destroy(mode);
    aws_string_destroy(file);
    aws_string_destroy(dir);
    aws_string_destroy(top);
    untraced(a);
}

static void the_system_is_described(void) {
    struct aws_allocator *a = traced();
    setenv("S3FAST_TEST_VALUE", "value", 1);
    struct aws_string *name = aws_string_new_from_c_str(a, "S3FAST_TEST_VALUE"), *value = NULL;
    IS(aws_get_environment_value(a, name, &value), 0);
    CHECK(value && aws_string_eq_c_str(value, "value"), "another value");
    aws_string_destroy(value);
    unsetenv("S3FAST_TEST_VALUE");
    IS(aws_get_environment_value(a, name, &value), 0);
    CHECK(!value, "still there");
    aws_string_destroy(name);
    CHECK(aws_get_cpu_group_count() >= 1 && aws_get_cpu_count_for_group(0) >= 1, "no CPU");
    struct aws_memory_usage_stats usage;
    IS(aws_init_memory_usage_for_current_process(&usage), 0);
    CHECK(usage.maxrss > 0, "no memory");
    FILE *f = tmpfile();
    aws_backtrace_print(f, NULL);
    CHECK(ftell(f) > 0, "no call stack");
    fclose(f);
    char text[64];
    snprintf(text, sizeof text, "s3fast-test-%d", (int)getpid());
    struct aws_byte_cursor nonce = aws_byte_cursor_from_c_str(text);
    struct aws_cross_process_lock *lock = aws_cross_process_lock_try_acquire(a, nonce);
    CHECK(lock, "not locked");
    RAISED(!aws_cross_process_lock_try_acquire(a, nonce), AWS_ERROR_MUTEX_CALLER_NOT_OWNER);
    aws_cross_process_lock_release(lock);
    snprintf(text, sizeof text, "/tmp/aws_crt_cross_process_lock/s3fast-test-%d.lock", (int)getpid());
    unlink(text);
    untraced(a);
}

static void uris_are_taken_apart(void) {
    struct aws_allocator *a = traced();
    struct aws_uri uri;
    struct aws_byte_cursor text = aws_byte_cursor_from_c_str("https://h.example:8443/a%20b?x=1");
    IS(aws_uri_init_parse(&uri, a, &text), 0);
    struct aws_byte_cursor host = aws_byte_cursor_from_c_str("H.EXAMPLE");
    CHECK(aws_byte_cursor_eq_ignore_case(aws_uri_host_name(&uri), &host), "another host");
    IS(aws_uri_port(&uri), 8443u);
    IS(aws_uri_path(&uri)->len, 6u);
    IS(aws_uri_query_string(&uri)->len, 3u);
    aws_uri_clean_up(&uri);
    aws_uri_clean_up(&uri);
    struct aws_byte_buf buf;
    aws_byte_buf_init(&buf, a, 1);
    struct aws_byte_cursor odd = aws_byte_cursor_from_c_str("a/b c");
    IS(aws_byte_buf_append_encoding_uri_param(&buf, &odd), 0);
    CHECK(buf.len == 9 && !memcmp(buf.buffer, "a%2Fb%20c", 9), PRInSTR, AWS_BYTE_BUF_PRI(buf));
    aws_byte_buf_clean_up(&buf);
    untraced(a);
}

/* ---- nothing of this crashes ---- */
static void hostile_arguments_are_refused(void) {
    struct aws_allocator *a = aws_default_allocator();
    struct aws_byte_cursor null_cursor = {.len = 5, .ptr = NULL}, absurd = {.len = SIZE_MAX, .ptr = (uint8_t *)"x"};
    struct aws_byte_buf buf = {0}, null_buf = {.len = 5};
    struct aws_array_list list;
    AWS_ZERO_STRUCT(list);
    struct aws_uri uri;
    int64_t length;
    const int bad = AWS_ERROR_INVALID_ARGUMENT;
    RAISED(aws_byte_buf_init(NULL, a, 1), bad);
    RAISED(aws_byte_buf_init(&buf, NULL, 1), bad);
    RAISED(aws_byte_buf_init_copy(&buf, a, NULL), bad);
    RAISED(aws_byte_buf_init_copy(&buf, a, &null_buf), bad);
    RAISED(aws_byte_buf_init_copy_from_cursor(&buf, a, null_cursor), bad);
    RAISED(aws_byte_buf_init_copy_from_cursor(&buf, a, absurd), bad);
    RAISED(aws_byte_buf_append_dynamic(NULL, &null_cursor), bad);
    RAISED(aws_byte_buf_append_dynamic(&buf, NULL), bad);
    RAISED(aws_byte_buf_append_dynamic(&buf, &absurd), bad);
    RAISED(aws_byte_buf_append_byte_dynamic(NULL, 0), bad);
    RAISED(aws_byte_cursor_split_on_char(NULL, ',', &list), bad);
    RAISED(aws_byte_cursor_split_on_char(&absurd, ',', &list), bad);
    RAISED(aws_byte_buf_append_encoding_uri_param(NULL, &absurd), bad);
    RAISED(aws_array_list_ensure_capacity(NULL, 1), bad);
    RAISED(aws_array_list_ensure_capacity(&list, 1), bad);
    RAISED(!aws_string_new_from_c_str(a, NULL), bad);
    RAISED(!aws_string_new_from_array(a, NULL, 1), bad);
    RAISED(!aws_string_new_from_cursor(a, NULL), bad);
    RAISED(!aws_string_new_from_cursor(a, &absurd), bad);
    RAISED(!aws_string_new_from_buf(a, &null_buf), bad);
    RAISED(aws_uri_init_parse(&uri, a, NULL), bad);
    RAISED(aws_uri_init_parse(&uri, a, &absurd), bad);
    RAISED(aws_uri_init_parse(NULL, a, &null_cursor), bad);
    RAISED(aws_hash_table_find(NULL, NULL, NULL), bad);
    RAISED(aws_hash_table_put(NULL, NULL, NULL, NULL), bad);
    RAISED(aws_hash_table_init(NULL, a, 1, aws_hash_ptr, aws_ptr_eq, NULL, NULL), bad);
    RAISED(aws_mutex_init(NULL), bad);
    RAISED(aws_mutex_lock(NULL), bad);
    RAISED(aws_mutex_unlock(NULL), bad);
    RAISED(aws_condition_variable_notify_one(NULL), bad);
    RAISED(aws_condition_variable_wait_pred(NULL, NULL, NULL, NULL), bad);
    RAISED(aws_high_res_clock_get_ticks(NULL), bad);
    RAISED(aws_logger_init_standard(NULL, a, NULL), bad);
    RAISED(aws_logger_set_log_level(NULL, AWS_LL_INFO), bad);
    RAISED(aws_get_environment_value(a, NULL, NULL), bad);
    RAISED(aws_init_memory_usage_for_current_process(NULL), bad);
    RAISED(aws_thread_current_name(a, NULL), bad);
    RAISED(aws_directory_create(NULL), bad);
    RAISED(aws_directory_traverse(a, NULL, true, on_file, NULL), bad);
    RAISED(aws_file_get_length(NULL, &length), bad);
    RAISED(!aws_fopen_safe(NULL, NULL), bad);
    RAISED(!aws_cross_process_lock_try_acquire(a, absurd), bad);
    RAISED(!aws_thread_scheduler_new(NULL, NULL), bad);
    RAISED(!aws_mem_tracer_new(NULL, NULL, AWS_MEMTRACE_BYTES, 0), bad);
    IS(aws_byte_cursor_from_c_str(NULL).len, 0u);
    IS(aws_byte_cursor_from_buf(NULL).len, 0u);
    IS(aws_byte_cursor_from_string(NULL).len, 0u);
    IS(aws_byte_cursor_advance(NULL, 1).len, 0u);
    IS(aws_byte_cursor_advance(&absurd, 1).len, 0u);
    CHECK(!aws_byte_cursor_is_valid(NULL) && !aws_byte_cursor_is_valid(&null_cursor), "valid");
    CHECK(aws_byte_cursor_eq_ignore_case(NULL, NULL), "not equal");
    CHECK(!aws_directory_exists(NULL), "there");
    CHECK(aws_hash_iter_done(NULL), "not done");
    IS(aws_uri_port(NULL), 0u);
    IS(aws_mem_tracer_bytes(NULL), 0u);
    IS(aws_mem_tracer_bytes(a), 0u);
    aws_byte_buf_clean_up(NULL);
    aws_byte_buf_clean_up_secure(NULL);
    aws_string_destroy(NULL);
    aws_uri_clean_up(NULL);
    aws_mutex_clean_up(NULL);
    aws_condition_variable_clean_up(NULL);
    aws_logger_clean_up(NULL);
    aws_ref_count_init(NULL, NULL, NULL);
    aws_ref_count_acquire(NULL);
    aws_ref_count_release(NULL);
    aws_hash_iter_next(NULL);
    aws_task_init(NULL, NULL, NULL, NULL);
    aws_task_run(NULL, AWS_TASK_STATUS_CANCELED);
    aws_thread_scheduler_release(NULL);
    aws_thread_scheduler_schedule_now(NULL, NULL);
    aws_cross_process_lock_release(NULL);
    aws_register_error_info(NULL);
    aws_mem_tracer_dump(NULL);
    aws_backtrace_print(NULL, NULL);
    aws_common_library_init(NULL);
    aws_common_library_clean_up();
}

TESTS(
    {"memory_is_counted_and_named", memory_is_counted_and_named},
    {"failed_memory_is_an_error", failed_memory_is_an_error},
    {"buffers_grow_and_cursors_move", buffers_grow_and_cursors_move},
    {"cursors_are_gathered_by_variable_arguments", cursors_are_gathered_by_variable_arguments},
    {"strings_live_in_one_block", strings_live_in_one_block},
    {"lists_and_counters_are_inline", lists_and_counters_are_inline},
    {"references_end_once", references_end_once},
    {"tables_hold_pointers", tables_hold_pointers},
    {"own_logger_gets_lines_through_its_table", own_logger_gets_lines_through_its_table},
    {"errors_have_names", errors_have_names},
    {"tasks_run_on_a_scheduler", tasks_run_on_a_scheduler},
    {"command_lines_are_parsed", command_lines_are_parsed},
    {"files_are_found", files_are_found},
    {"the_system_is_described", the_system_is_described},
    {"uris_are_taken_apart", uris_are_taken_apart},
    {"hostile_arguments_are_refused", hostile_arguments_are_refused})
