#define _GNU_SOURCE
#include "harness.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- tests ---- */
static volatile int failures;
static char folder[64];

void test_fail(const char *file, int line, const char *cond, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *name = strrchr(file, '/');
    printf("  %s:%d: %s: %s\n", name ? name + 1 : file, line, cond, text);
    fflush(stdout);
    __atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}
static void remove_folder(void) {
    if (folder[0]) nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    folder[0] = 0;
}
/* Not exit(): a test that failed in the middle leaves threads and callbacks behind. */
void test_end(void) {
    fflush(stdout);
    remove_folder();
    _exit(1);
}
const char *test_folder(void) {
    if (!folder[0]) {
        const char *base = getenv("S3FAST_TEST_DIR");
        snprintf(folder, sizeof folder, "%s/s3fast-test-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(folder)) {
            perror(folder);
            exit(2);
        }
    }
    return folder;
}

int run_tests(int argc, char **argv, const struct test *tests, size_t count) {
    int passed = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++) wanted = wanted || strstr(tests[i].name, argv[a]);
        if (!wanted) continue;
        const char *slow = getenv("S3FAST_TEST_SLOW"); /* valgrind and sanitizers: times as many seconds */
        int limit = (tests[i].limit_s ? tests[i].limit_s : 60) * (slow ? atoi(slow) : 1);
        double begun = now_s();
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            alarm(limit);
            tests[i].run();
            remove_folder();
            /* exit() and not _exit(): leak checkers report at exit. */
            exit(failures ? 1 : 0);
        }
        int status = 0;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        double took = now_s() - begun;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            printf("ok %s (%.2f s)\n", tests[i].name, took);
            passed++;
            continue;
        }
        failed++;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) printf("FAILED %s: not done after %d s\n", tests[i].name, limit);
        else if (WIFSIGNALED(status)) printf("FAILED %s: signal %d (%s)\n", tests[i].name, WTERMSIG(status), strsignal(WTERMSIG(status)));
        else printf("FAILED %s: exit status %d (%.2f s)\n", tests[i].name, WEXITSTATUS(status), took);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed;
}

double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
void sleep_ms(int ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&t, &t) && errno == EINTR) {
    }
}
static double status_value(const char *name) {
    char line[256];
    double v = 0;
    size_t n = strlen(name);
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, n)) v = strtod(line + n + 1, NULL);
    if (f) fclose(f);
    return v;
}
int count_threads(void) { return (int)status_value("Threads"); }
double peak_mib(void) { return status_value("VmHWM") / 1024; }
void reset_peak(void) {
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (write(fd, "5", 1) != 1) perror("clear_refs");
        close(fd);
    }
}
int count_descriptors(void) {
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n - 3; /* ".", "..", and the folder's own */
}

/* ---- content ---- */
#define PERIOD ((1u << 20) - 3 * 64)
static uint8_t pattern[PERIOD];
static void pattern_fill(void) {
    static bool filled;
    if (filled) return;
    uint64_t x = 0x9e3779b97f4a7c15ull;
    for (size_t i = 0; i < PERIOD / 8; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(pattern + 8 * i, &x, 8);
    }
    filled = true;
}
uint64_t content_phase(const char *path) {
    pattern_fill();
    size_t n = strcspn(path, "?");
    size_t at = n;
    while (at > 0 && path[at - 1] != '/') at--;
    uint64_t h = 0xcbf29ce484222325ull;
    for (; at < n; at++) h = (h ^ (uint8_t)path[at]) * 0x100000001b3ull;
    return (h ^ h >> 32) % (PERIOD / 64) * 64;
}
void content_fill(uint64_t phase, uint64_t offset, uint8_t *to, size_t n) {
    while (n) {
        size_t at = (phase + offset) % PERIOD, k = PERIOD - at < n ? PERIOD - at : n;
        memcpy(to, pattern + at, k);
        to += k, offset += k, n -= k;
    }
}
bool content_is(uint64_t phase, uint64_t offset, const uint8_t *bytes, size_t n) {
    while (n) {
        size_t at = (phase + offset) % PERIOD, k = PERIOD - at < n ? PERIOD - at : n;
        if (memcmp(bytes, pattern + at, k)) return false;
        bytes += k, offset += k, n -= k;
    }
    return true;
}
void content_file(const char *file, const char *path, uint64_t size) {
    static uint8_t buf[1 << 20];
    uint64_t phase = content_phase(path);
    FILE *f = fopen(file, "wb");
    REQUIRE(f, "%s: %s", file, strerror(errno));
    for (uint64_t at = 0; at < size; at += sizeof buf) {
        size_t n = size - at < sizeof buf ? size - at : sizeof buf;
        content_fill(phase, at, buf, n);
        REQUIRE(fwrite(buf, 1, n, f) == n, "%s: %s", file, strerror(errno));
    }
    REQUIRE(fclose(f) == 0, "%s: %s", file, strerror(errno));
}
bool file_has_content(const char *file, const char *path, uint64_t size) {
    static uint8_t buf[1 << 20];
    uint64_t phase = content_phase(path), at = 0;
    FILE *f = fopen(file, "rb");
    if (!f) return false;
    size_t n;
    bool good = true;
    while (good && (n = fread(buf, 1, sizeof buf, f)) > 0) {
        good = content_is(phase, at, buf, n);
        at += n;
    }
    fclose(f);
    return good && at == size;
}

/* ---- servers ---- */
static void start_program(struct server *s, const char *program, char **args) {
    int out[2];
    memset(s, 0, sizeof *s);
    REQUIRE(pipe2(out, O_CLOEXEC) == 0, "pipe: %s", strerror(errno));
    fflush(stdout);
    s->pid = fork();
    if (s->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out[1], 1);
        args[0] = (char *)program;
        execv(program, args);
        perror(program);
        _exit(127);
    }
    close(out[1]);
    s->out = out[0];
    char line[256] = "";
    size_t n = 0;
    while (n + 1 < sizeof line && read(s->out, line + n, 1) == 1 && line[n] != '\n') n++;
    line[n] = 0;
    REQUIRE(sscanf(line, "endpoint %63s", s->endpoint) == 1, "%s did not start: %s", program, line);
    s->port = atoi(strrchr(s->endpoint, ':') + 1);
}
static const char *program_at(const char *variable, const char *otherwise) {
    const char *value = getenv(variable);
    return value ? value : otherwise;
}
void s3_server_start(struct server *s, ...) {
    char *args[32] = {NULL, "--bucket", "bucket"};
    size_t n = 3;
    va_list list;
    va_start(list, s);
    for (char *a; n + 1 < sizeof args / sizeof *args && (a = va_arg(list, char *));) args[n++] = a;
    va_end(list);
    start_program(s, program_at("S3FAST_SERVER", "c-tests/server/target/release/s3fast-test-server"), args);
}
void fault_start(struct server *s, const struct server *upstream) {
    char *args[4] = {NULL};
    if (upstream) args[1] = "--upstream", args[2] = (char *)upstream->endpoint;
    start_program(s, program_at("S3FAST_FAULT", "c-tests/fault/target/release/s3fast-fault"), args);
}
void server_kill(struct server *s) {
    if (s->pid > 0) {
        kill(s->pid, SIGKILL);
        while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        close(s->out);
    }
    s->pid = 0;
}

char *fault_ask(const struct server *s, const char *method, const char *what, const char *body) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(s->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0, "fault layer: %s", strerror(errno));
    char *request = NULL;
    int n = asprintf(&request, "%s /__fault/%s HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n%s", method, what, body ? strlen(body) : 0, body ? body : "");
    REQUIRE(n > 0 && write(fd, request, n) == n, "fault layer: %s", strerror(errno));
    free(request);
    shutdown(fd, SHUT_WR);
    size_t len = 0, cap = 1 << 16;
    char *text = malloc(cap);
    ssize_t got;
    while ((got = read(fd, text + len, cap - len - 1)) > 0)
        if ((len += got) + 1 == cap) text = realloc(text, cap *= 2);
    close(fd);
    text[len] = 0;
    char *end = strstr(text, "\r\n\r\n");
    REQUIRE(end && !strncmp(text, "HTTP/1.1 200", 12), "fault layer refuses %s %s: %s", method, what, end ? end + 4 : text);
    memmove(text, end + 4, len - (end + 4 - text) + 1);
    return text;
}
void fault_script(const struct server *s, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    REQUIRE(vasprintf(&text, format, args) > 0, "no memory");
    va_end(args);
    free(fault_ask(s, "PUT", "script", text));
    free(text);
}

/* A value of JSON ends here. Enough for what the fault layer writes. */
static const char *json_skip(const char *p) {
    if (*p == '"') {
        for (p++; *p && *p != '"'; p++)
            if (*p == '\\' && p[1]) p++;
        return *p ? p + 1 : p;
    }
    if (*p == '{' || *p == '[') {
        int depth = 0;
        while (*p) {
            if (*p == '"') {
                p = json_skip(p);
                continue;
            }
            if (*p == '{' || *p == '[') depth++;
            if (*p == '}' || *p == ']') depth--;
            p++;
            if (!depth) break;
        }
        return p;
    }
    return p + strcspn(p, ",}]");
}
static const char *json_find(const char *p, const char *name, size_t n) {
    if (*p != '{') return NULL;
    p++;
    while (*p == '"') {
        const char *end = json_skip(p);
        const char *value = end + 1;
        if ((size_t)(end - p) == n + 2 && !strncmp(p + 1, name, n)) return value;
        p = json_skip(value);
        if (*p == ',') p++;
    }
    return NULL;
}
bool json_get(const char *json, const char *name, char *to, size_t cap) {
    const char *p = json;
    while (p) {
        size_t n = strcspn(name, ".");
        p = json_find(p, name, n);
        if (!name[n]) break;
        name += n + 1;
    }
    if (!p || !strncmp(p, "null", 4)) return false;
    const char *end = json_skip(p);
    if (*p == '"') p++, end--;
    size_t n = 0;
    for (; p < end && n + 1 < cap; p++) {
        if (*p == '\\' && p + 1 < end) p++;
        to[n++] = *p;
    }
    to[n] = 0;
    return true;
}
double json_number(const char *json, const char *name) {
    char text[64];
    return json_get(json, name, text, sizeof text) ? strtod(text, NULL) : -1;
}
struct fault_log fault_log(const struct server *s) {
    struct fault_log log = {.text = fault_ask(s, "GET", "log", NULL)};
    for (char *p = log.text; *p; p++) log.count += *p == '\n';
    log.lines = calloc(log.count + 1, sizeof *log.lines);
    char *p = log.text;
    for (size_t i = 0; i < log.count; i++) {
        log.lines[i] = p;
        p = strchr(p, '\n');
        *p++ = 0;
    }
    return log;
}
void fault_log_free(struct fault_log *log) {
    free(log->lines);
    free(log->text);
}
size_t fault_log_count(const struct fault_log *log, ...) {
    size_t found = 0;
    for (size_t i = 0; i < log->count; i++) {
        va_list args;
        va_start(args, log);
        bool all = true;
        for (const char *name; (name = va_arg(args, const char *));) {
            const char *value = va_arg(args, const char *);
            char is[1024];
            all = all && json_get(log->lines[i], name, is, sizeof is) && !strcmp(is, value);
        }
        va_end(args);
        found += all;
    }
    return found;
}
size_t fault_hits(const struct server *s, const char *rule) {
    char *stats = fault_ask(s, "GET", "stats", NULL), hits[1024];
    size_t n = 0;
    if (json_get(stats, "hits", hits, sizeof hits)) {
        const char *at = strstr(stats, "\"hits\":");
        const char *value = json_find(at + 7, rule, strlen(rule));
        n = value ? strtoul(value, NULL, 10) : 0;
    }
    free(stats);
    return n;
}

/* ---- rig ---- */
static struct rig *down_rig;
static void on_down(void *flag) {
    struct rig *rig = down_rig;
    pthread_mutex_lock(&rig->lock);
    *(int *)flag += 1;
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->lock);
}
/* Waits until *flag is not 0, by the rig's lock. */
static bool wait_for(struct rig *rig, const int *flag, double seconds) {
    pthread_mutex_lock(&rig->lock);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    while (!*flag && pthread_cond_timedwait(&rig->changed, &rig->lock, &until) == 0) {
    }
    bool set = *flag != 0;
    pthread_mutex_unlock(&rig->lock);
    return set;
}
static struct aws_byte_cursor cursor(const char *text) {
    return text ? aws_byte_cursor_from_c_str(text) : (struct aws_byte_cursor){0};
}
void rig_start(struct rig *rig, const struct rig_options *options) {
    static const struct rig_options none;
    const struct rig_options *o = options ? options : &none;
    memset(rig, 0, sizeof *rig);
    pattern_fill();
    rig->threads_before = count_threads();
    rig->descriptors_before = count_descriptors();
    rig->allocator = aws_mem_tracer_new(aws_default_allocator(), NULL, AWS_MEMTRACE_STACKS, 12);
    REQUIRE(rig->allocator, "no tracer");
    aws_s3_library_init(rig->allocator);
    const char *level = getenv("S3FAST_TEST_LOG");
    if (level) {
        static struct aws_logger logger;
        struct aws_logger_standard_options lo = {.level = !strcmp(level, "trace") ? AWS_LL_TRACE : AWS_LL_DEBUG, .file = stderr};
        if (!aws_logger_init_standard(&logger, aws_default_allocator(), &lo)) aws_logger_set(&logger);
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&rig->changed, &monotonic);
    pthread_mutex_init(&rig->lock, NULL);
    down_rig = rig;
    struct aws_allocator *a = rig->allocator;
    struct aws_shutdown_callback_options loops_down = {.shutdown_callback_fn = on_down, .shutdown_callback_user_data = &rig->loops_down};
    struct aws_shutdown_callback_options resolver_down = {.shutdown_callback_fn = on_down, .shutdown_callback_user_data = &rig->resolver_down};
    rig->loops = aws_event_loop_group_new_default(a, o->loops ? o->loops : 1, &loops_down);
    REQUIRE(rig->loops, "loops: %s", aws_error_name(aws_last_error()));
    struct aws_host_resolver_default_options ro = {.max_entries = 8, .el_group = rig->loops, .shutdown_options = &resolver_down};
    rig->resolver = aws_host_resolver_new_default(a, &ro);
    REQUIRE(rig->resolver, "resolver: %s", aws_error_name(aws_last_error()));
    struct aws_client_bootstrap_options bo = {.event_loop_group = rig->loops, .host_resolver = rig->resolver};
    rig->bootstrap = aws_client_bootstrap_new(a, &bo);
    REQUIRE(rig->bootstrap, "bootstrap: %s", aws_error_name(aws_last_error()));
    if (o->anonymous) {
        rig->credentials = aws_credentials_provider_new_anonymous(a, NULL);
    } else {
        struct aws_credentials_provider_static_options so = {
            .access_key_id = cursor(o->access_key ? o->access_key : "AKIDEXAMPLE"),
            .secret_access_key = cursor(o->secret_key ? o->secret_key : "examplesecret"),
            .session_token = cursor(o->session_token)};
        rig->credentials = aws_credentials_provider_new_static(a, &so);
    }
    REQUIRE(rig->credentials, "credentials: %s", aws_error_name(aws_last_error()));
    const char *region = o->region ? o->region : "us-east-1";
    aws_s3_init_default_signing_config(&rig->signing, cursor(region), rig->credentials);
    struct aws_s3_client_config config = {
        .client_bootstrap = rig->bootstrap,
        .region = cursor(region),
        .tls_mode = AWS_MR_TLS_DISABLED,
        .signing_config = &rig->signing,
        .part_size = o->part_size,
        .memory_limit_in_bytes = o->memory_limit,
        .throughput_target_gbps = o->gbps,
        .max_active_connections_override = o->max_connections,
        .enable_read_backpressure = o->window != 0,
        .initial_read_window = o->window,
        .shutdown_callback = on_down,
        .shutdown_callback_user_data = &rig->client_down,
    };
    if (o->configure) o->configure(&config, o->user_data);
    rig->client = aws_s3_client_new(a, &config);
    REQUIRE(rig->client, "client: %s", aws_error_name(aws_last_error()));
}
void rig_end(struct rig *rig) {
    aws_s3_client_release(rig->client);
    REQUIRE(wait_for(rig, &rig->client_down, 30), "the client's shutdown callback does not come");
    aws_credentials_provider_release(rig->credentials);
    aws_client_bootstrap_release(rig->bootstrap);
    aws_host_resolver_release(rig->resolver);
    REQUIRE(wait_for(rig, &rig->resolver_down, 30), "the resolver's shutdown callback does not come");
    aws_event_loop_group_release(rig->loops);
    REQUIRE(wait_for(rig, &rig->loops_down, 30), "the group's shutdown callback does not come");
    sleep_ms(20); /* for callbacks that come twice */
    CHECK(rig->client_down == 1 && rig->resolver_down == 1 && rig->loops_down == 1, "shutdown callbacks: client %d, resolver %d, loops %d", rig->client_down, rig->resolver_down, rig->loops_down);
    aws_thread_set_managed_join_timeout_ns(5000000000ull);
    CHECK(aws_thread_join_all_managed() == AWS_OP_SUCCESS, "threads do not join");
    pthread_mutex_destroy(&rig->lock);
    pthread_cond_destroy(&rig->changed);
    aws_s3_library_clean_up();
    double end = now_s() + 3;
    while ((count_threads() > rig->threads_before || count_descriptors() > rig->descriptors_before) && now_s() < end) sleep_ms(10);
    CHECK(count_threads() <= rig->threads_before, "%d threads, %d at the start", count_threads(), rig->threads_before);
    /* The reference keeps one for its random numbers; tests run on it to show that they can fail. */
    int kept = getenv("S3FAST_TEST_REFERENCE") ? 1 : 0;
    CHECK(count_descriptors() <= kept + rig->descriptors_before, "%d descriptors, %d at the start", count_descriptors(), rig->descriptors_before);
    size_t bytes = aws_mem_tracer_bytes(rig->allocator), count = aws_mem_tracer_count(rig->allocator);
    CHECK(bytes == 0, "%zu bytes in %zu allocations are left", bytes, count);
    if (bytes && getenv("S3FAST_TEST_DUMP")) aws_mem_tracer_dump(rig->allocator);
    aws_mem_tracer_destroy(rig->allocator);
}

/* ---- transfers ---- */
struct content_source {
    struct aws_input_stream base;
    struct aws_allocator *allocator;
    uint64_t size, at, phase;
    int read_ms;
};
static int source_seek(struct aws_input_stream *s, int64_t offset, enum aws_stream_seek_basis basis) {
    struct content_source *c = s->impl;
    c->at = basis == AWS_SSB_BEGIN ? (uint64_t)offset : c->size + (uint64_t)offset;
    return AWS_OP_SUCCESS;
}
static int source_read(struct aws_input_stream *s, struct aws_byte_buf *to) {
    struct content_source *c = s->impl;
    if (c->read_ms) sleep_ms(c->read_ms);
    size_t n = to->capacity - to->len;
    if (n > c->size - c->at) n = c->size - c->at;
    content_fill(c->phase, c->at, to->buffer + to->len, n);
    to->len += n;
    c->at += n;
    return AWS_OP_SUCCESS;
}
static int source_status(struct aws_input_stream *s, struct aws_stream_status *status) {
    struct content_source *c = s->impl;
    status->is_end_of_stream = c->at == c->size;
    status->is_valid = true;
    return AWS_OP_SUCCESS;
}
static int source_length(struct aws_input_stream *s, int64_t *length) {
    *length = (int64_t)((struct content_source *)s->impl)->size;
    return AWS_OP_SUCCESS;
}
static void source_destroy(void *p) {
    struct content_source *c = p;
    aws_mem_release(c->allocator, c);
}
static const struct aws_input_stream_vtable source_vtable = {
    .seek = source_seek, .read = source_read, .get_status = source_status, .get_length = source_length};
struct aws_input_stream *content_stream(struct aws_allocator *allocator, const char *path, uint64_t size, int read_ms) {
    struct content_source *c = aws_mem_calloc(allocator, 1, sizeof *c);
    c->base.vtable = &source_vtable;
    c->base.impl = c;
    c->allocator = allocator;
    c->size = size;
    c->phase = content_phase(path);
    c->read_ms = read_ms;
    aws_ref_count_init(&c->base.ref_count, c, source_destroy);
    return &c->base;
}

static void copy_text(char *to, size_t cap, const void *from, size_t n) {
    if (n >= cap) n = cap - 1;
    if (n) memcpy(to, from, n);
    to[n] = 0;
}
static void after_finish(struct transfer *t) { t->late = t->late || t->finish_calls; }
static int on_headers(struct aws_s3_meta_request *m, const struct aws_http_headers *headers, int status, void *u) {
    (void)m;
    struct transfer *t = u;
    after_finish(t);
    t->headers_calls++;
    t->headers_status = status;
    struct aws_byte_cursor etag;
    if (!aws_http_headers_get(headers, aws_byte_cursor_from_c_str("ETag"), &etag)) copy_text(t->etag, sizeof t->etag, etag.ptr, etag.len);
    return AWS_OP_SUCCESS;
}
static int on_body(struct aws_s3_meta_request *m, const struct aws_byte_cursor *body, uint64_t start, void *u) {
    (void)m;
    struct transfer *t = u;
    after_finish(t);
    t->body_calls++;
    if (start != t->next && !t->any_content) {
        test_fail(__FILE__, __LINE__, "order", "%s: bytes from %" PRIu64 ", %" PRIu64 " were next", t->path, start, t->next);
        t->wrong = true;
    }
    if (!t->any_content && !content_is(t->phase, start, body->ptr, body->len)) {
        test_fail(__FILE__, __LINE__, "content", "%s: wrong bytes in %" PRIu64 "+%zu", t->path, start, body->len);
        t->wrong = true;
    }
    t->next = start + body->len;
    t->bytes += body->len;
    return t->on_body ? t->on_body(t, body, start) : AWS_OP_SUCCESS;
}
static void on_progress(struct aws_s3_meta_request *m, const struct aws_s3_meta_request_progress *p, void *u) {
    (void)m;
    struct transfer *t = u;
    after_finish(t);
    t->progress_calls++;
    t->progress += p->bytes_transferred;
}
static void on_finish(struct aws_s3_meta_request *m, const struct aws_s3_meta_request_result *r, void *u) {
    (void)m;
    struct transfer *t = u;
    t->error = r->error_code;
    t->status = r->response_status;
    t->did_validate = r->did_validate;
    t->algorithm = r->validation_algorithm;
    if (r->error_response_body) copy_text(t->error_body, sizeof t->error_body, r->error_response_body->buffer, r->error_response_body->len);
    if (r->error_response_operation_name) copy_text(t->operation, sizeof t->operation, aws_string_c_str(r->error_response_operation_name), r->error_response_operation_name->len);
    t->finished_s = now_s();
    if (t->on_finish) t->on_finish(t, r);
    pthread_mutex_lock(&t->rig->lock);
    t->finish_calls++;
    pthread_cond_broadcast(&t->rig->changed);
    pthread_mutex_unlock(&t->rig->lock);
}
static void on_shutdown(void *u) {
    struct transfer *t = u;
    struct rig *rig = t->rig;
    pthread_mutex_lock(&rig->lock);
    t->shutdown_calls++;
    t->down = 1;
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->lock);
}
static void add_header(struct aws_http_message *m, const char *name, const char *value) {
    struct aws_http_header h = {.name = cursor(name), .value = cursor(value)};
    aws_http_message_add_header(m, h);
}
bool transfer_start(struct transfer *t) {
    struct aws_allocator *a = t->rig->allocator;
    bool put = t->type == AWS_S3_META_REQUEST_TYPE_PUT_OBJECT || (t->method && !strcmp(t->method, "PUT"));
    t->phase = content_phase(t->path);
    t->next = t->offset;
    struct aws_uri uri;
    struct aws_byte_cursor endpoint = cursor(t->server->endpoint);
    REQUIRE(!aws_uri_init_parse(&uri, a, &endpoint), "%s is no URI", t->server->endpoint);
    struct aws_http_message *m = aws_http_message_new_request(a);
    aws_http_message_set_request_method(m, cursor(t->method ? t->method : put ? "PUT" : "GET"));
    aws_http_message_set_request_path(m, cursor(t->path));
    add_header(m, "Host", strstr(t->server->endpoint, "://") + 3);
    for (size_t i = 0; i + 1 < sizeof t->headers / sizeof *t->headers && t->headers[i]; i += 2) add_header(m, t->headers[i], t->headers[i + 1]);
    struct aws_input_stream *made = NULL;
    if (put) {
        char length[32];
        snprintf(length, sizeof length, "%" PRIu64, t->size);
        if (!t->no_content_length) add_header(m, "Content-Length", length);
        if (!t->send_file && !t->stream) made = content_stream(a, t->path, t->size, 0);
        if (!t->send_file) aws_http_message_set_body_stream(m, made ? made : t->stream);
    }
    struct aws_s3_meta_request_options o = {
        .type = t->type,
        .message = m,
        .endpoint = &uri,
        .part_size = t->part_size,
        .checksum_config = t->checksum,
        .headers_callback = on_headers,
        .body_callback = t->recv_file ? NULL : on_body,
        .progress_callback = on_progress,
        .finish_callback = on_finish,
        .shutdown_callback = on_shutdown,
        .user_data = t,
    };
    if (t->type == AWS_S3_META_REQUEST_TYPE_DEFAULT) o.operation_name = cursor(t->method && !strcmp(t->method, "DELETE") ? "DeleteObject" : put ? "PutObject" : t->method && !strcmp(t->method, "HEAD") ? "HeadObject" : "GetObject");
    if (t->send_file) o.send_filepath = cursor(t->send_file);
    if (t->recv_file) o.recv_filepath = cursor(t->recv_file);
    if (t->change) t->change(&o, t);
    t->started_s = now_s();
    t->request = aws_s3_client_make_meta_request(t->rig->client, &o);
    int error = t->request ? 0 : aws_last_error();
    aws_http_message_release(m);
    if (made) aws_input_stream_release(made);
    aws_uri_clean_up(&uri);
    if (!t->request) {
        t->error = error;
        aws_raise_error(error);
    }
    return t->request != NULL;
}
/* The request is released at the first wait: the shutdown callback comes only after the last release. */
static void release(struct transfer *t) {
    if (t->request) aws_s3_meta_request_release(t->request);
    t->request = NULL;
}
bool transfer_wait_finish(struct transfer *t, double seconds) { return wait_for(t->rig, &t->finish_calls, seconds); }
bool transfer_wait(struct transfer *t, double seconds) {
    release(t);
    return wait_for(t->rig, &t->down, seconds);
}
void transfer_cancel(struct transfer *t) {
    if (t->request) aws_s3_meta_request_cancel(t->request);
}
void transfer_check(struct transfer *t) {
    CHECK(t->finish_calls == 1, "%s: the finish callback came %d times", t->path, t->finish_calls);
    CHECK(t->shutdown_calls == 1, "%s: the shutdown callback came %d times", t->path, t->shutdown_calls);
    CHECK(!t->late, "%s: a callback came after the finish callback", t->path);
    CHECK(!t->wrong, "%s: wrong bytes", t->path);
}
int transfer_run(struct transfer *t) {
    if (!transfer_start(t)) return t->error;
    REQUIRE(transfer_wait(t, 50), "%s does not end; %" PRIu64 " bytes, finish callbacks: %d", t->path, t->bytes, t->finish_calls);
    transfer_check(t);
    return t->error;
}
