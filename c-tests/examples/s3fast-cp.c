/* s3fast-cp: copies one file to S3 or back.
 *
 *   s3fast-cp photo.jpg s3://bucket/2024/photo.jpg
 *   s3fast-cp --endpoint http://127.0.0.1:9000 s3://bucket/key copy.bin
 *
 * It shows the whole life of a client: loops, resolver, bootstrap, credentials, client, one
 * transfer, and the way down in the opposite order. Callbacks run on threads of the library, never
 * on the one that started the transfer; here they only note what they were told, and main() waits.
 */
#include <aws/auth/credentials.h>
#include <aws/auth/signing_config.h>
#include <aws/common/error.h>
#include <aws/common/string.h>
#include <aws/common/thread.h>
#include <aws/http/request_response.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>
#include <aws/io/host_resolver.h>
#include <aws/io/uri.h>
#include <aws/s3/s3_client.h>

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };
#define TICK_NS 100000000
#define TEXT_MAX 4096

static const char HELP[] =
    "usage: s3fast-cp [options] FILE s3://BUCKET[/KEY]\n"
    "       s3fast-cp [options] s3://BUCKET/KEY FILE\n"
    "\n"
    "  --endpoint URL     the server, such as http://127.0.0.1:9000 (path style)\n"
    "                     default: https://BUCKET.s3.REGION.amazonaws.com\n"
    "  --region NAME      default: AWS_REGION, AWS_DEFAULT_REGION, us-east-1\n"
    "  --part-size MIB    bytes of a part in MiB; default: the library chooses\n"
    "  --gbps N           the throughput to aim at; default: 10\n"
    "  --anonymous        do not sign\n"
    "  --quiet            print errors only\n"
    "\n"
    "A KEY that is missing or ends in / gets the file's name. Keys are taken as they are: nothing in\n"
    "them is decoded. The keys to sign with come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and\n"
    "AWS_SESSION_TOKEN.\n"
    "Exit status: 0 copied, 1 failed, 2 wrong usage.\n";

struct options {
    const char *endpoint;
    const char *region;
    uint64_t part_size;
    double gbps;
    bool anonymous;
    bool quiet;
    const char *from;
    const char *to;
};

/* What the callbacks tell main(). Everything is behind the lock. */
struct state {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t moved;
    uint64_t size;
    bool finished;
    bool transfer_down;
    bool client_down;
    bool loops_down;
    bool resolver_down;
    int error;
    int status;
    char operation[64];
    char body[TEXT_MAX];
};

static struct state state = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- callbacks ---- */

static void raise_flag(void *flag) {
    pthread_mutex_lock(&state.lock);
    *(bool *)flag = true;
    pthread_cond_broadcast(&state.changed);
    pthread_mutex_unlock(&state.lock);
}

static void on_progress(
    struct aws_s3_meta_request *request,
    const struct aws_s3_meta_request_progress *progress,
    void *user_data) {
    (void)request;
    (void)user_data;
    pthread_mutex_lock(&state.lock);
    state.moved += progress->bytes_transferred;
    if (progress->content_length) {
        state.size = progress->content_length;
    }
    pthread_mutex_unlock(&state.lock);
}

static void copy_text(char *to, size_t capacity, const void *from, size_t length) {
    if (length > capacity - 1) {
        length = capacity - 1;
    }
    if (length) {
        memcpy(to, from, length);
    }
    to[length] = 0;
}

/* The result is gone when this returns, so that what main() prints later is copied. */
static void on_finish(
    struct aws_s3_meta_request *request,
    const struct aws_s3_meta_request_result *result,
    void *user_data) {
    (void)request;
    (void)user_data;
    pthread_mutex_lock(&state.lock);
    state.error = result->error_code;
    state.status = result->response_status;
    if (result->error_response_operation_name) {
        const struct aws_string *name = result->error_response_operation_name;
        copy_text(state.operation, sizeof state.operation, aws_string_bytes(name), name->len);
    }
    if (result->error_response_body) {
        const struct aws_byte_buf *body = result->error_response_body;
        copy_text(state.body, sizeof state.body, body->buffer, body->len);
    }
    state.finished = true;
    pthread_cond_broadcast(&state.changed);
    pthread_mutex_unlock(&state.lock);
}

/* ---- waiting ---- */

static void wait_for(bool *flag) {
    pthread_mutex_lock(&state.lock);
    while (!*flag) {
        pthread_cond_wait(&state.changed, &state.lock);
    }
    pthread_mutex_unlock(&state.lock);
}

static void draw(uint64_t moved, uint64_t size, double seconds) {
    char bar[31];
    double share = size ? (double)moved / (double)size : 0;
    if (share > 1) {
        share = 1;
    }
    for (size_t i = 0; i < sizeof bar - 1; i++) {
        bar[i] = (double)i < share * (double)(sizeof bar - 1) ? '#' : '.';
    }
    bar[sizeof bar - 1] = 0;
    fprintf(
        stderr,
        "\r[%s] %3.0f %%  %.1f MiB  %.2f Gb/s ",
        bar,
        share * 100,
        (double)moved / 1048576,
        seconds > 0 ? (double)moved * 8 / seconds / 1e9 : 0);
    fflush(stderr);
}

static void watch(struct aws_s3_meta_request *request, double started, bool with_bar) {
    bool canceled = false;
    pthread_mutex_lock(&state.lock);
    while (!state.finished) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&state.changed, &state.lock, &until);
        uint64_t moved = state.moved, size = state.size;
        /* Not with the lock held: a callback may be waiting for it. */
        pthread_mutex_unlock(&state.lock);
        if (with_bar) {
            draw(moved, size, now_s() - started);
        }
        if (interrupted && !canceled) {
            canceled = true;
            aws_s3_meta_request_cancel(request);
        }
        pthread_mutex_lock(&state.lock);
    }
    pthread_mutex_unlock(&state.lock);
    if (with_bar) {
        fputc('\n', stderr);
    }
}

/* ---- what was asked for ---- */

static int usage(const char *what, const char *value) {
    fprintf(stderr, "s3fast-cp: %s%s\n%s", what, value, HELP);
    return EXIT_USAGE;
}

static bool is_s3(const char *text) {
    return strncmp(text, "s3://", 5) == 0;
}

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int parse(int argc, char **argv, struct options *o) {
    const char *region = getenv("AWS_REGION");
    if (!region || !*region) {
        region = getenv("AWS_DEFAULT_REGION");
    }
    o->region = region && *region ? region : "us-east-1";
    const char *names[2];
    int count = 0;
    bool only_names = false;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (only_names || strncmp(arg, "--", 2) != 0) {
            if (count == 2) {
                return usage("one source and one destination, not also ", arg);
            }
            names[count++] = arg;
        } else if (!strcmp(arg, "--")) {
            only_names = true;
        } else if (!strcmp(arg, "--help")) {
            fputs(HELP, stdout);
            exit(EXIT_DONE);
        } else if (!strcmp(arg, "--anonymous")) {
            o->anonymous = true;
        } else if (!strcmp(arg, "--quiet")) {
            o->quiet = true;
        } else if (
            !strcmp(arg, "--endpoint") || !strcmp(arg, "--region") || !strcmp(arg, "--part-size") ||
            !strcmp(arg, "--gbps")) {
            if (++i == argc) {
                return usage("a value is missing after ", arg);
            }
            char *end = argv[i];
            if (!strcmp(arg, "--endpoint")) {
                o->endpoint = argv[i];
            } else if (!strcmp(arg, "--region")) {
                o->region = argv[i];
            } else {
                double number = strtod(argv[i], &end);
                if (*end || end == argv[i] || !(number > 0) || number > 1e6) {
                    return usage("this is no sensible number: ", argv[i]);
                }
                if (!strcmp(arg, "--gbps")) {
                    o->gbps = number;
                } else {
                    o->part_size = (uint64_t)(number * 1048576);
                }
            }
        } else {
            return usage("unknown option ", arg);
        }
    }
    if (count != 2) {
        return usage("a source and a destination are needed", "");
    }
    o->from = names[0];
    o->to = names[1];
    if (is_s3(o->from) == is_s3(o->to)) {
        return usage("one of the two must be s3://BUCKET/KEY, the other a file", "");
    }
    return 0;
}

static void *must(void *made, const char *what) {
    if (!made) {
        int code = aws_last_error();
        fprintf(stderr, "s3fast-cp: %s: %s (%s)\n", what, aws_error_name(code), aws_error_str(code));
        exit(EXIT_FAILED);
    }
    return made;
}

static char *text(const char *a, const char *b, const char *c) {
    size_t length = strlen(a) + strlen(b) + strlen(c) + 1;
    char *made = malloc(length);
    if (!made) {
        abort();
    }
    snprintf(made, length, "%s%s%s", a, b, c);
    return made;
}

/* Every byte that is not plain is sent as %XX; slashes stay, two in a row as well. */
static char *encoded(const char *key) {
    char *made = malloc(strlen(key) * 3 + 1), *p = made;
    if (!made) {
        abort();
    }
    for (; *key; key++) {
        unsigned char c = (unsigned char)*key;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-_.~/", c);
        p += plain ? sprintf(p, "%c", c) : sprintf(p, "%%%02X", c);
    }
    *p = 0;
    return made;
}

static void add_header(struct aws_http_message *message, const char *name, struct aws_byte_cursor value) {
    struct aws_http_header header = {.name = aws_byte_cursor_from_c_str(name), .value = value};
    if (aws_http_message_add_header(message, header)) {
        must(NULL, name);
    }
}

/* The text of <NAME>...</NAME> in a body, or an empty one. */
static void element(const char *body, const char *name, char *to, size_t capacity) {
    char open[32], close[32];
    snprintf(open, sizeof open, "<%s>", name);
    snprintf(close, sizeof close, "</%s>", name);
    to[0] = 0;
    const char *start = strstr(body, open);
    const char *end = start ? strstr(start, close) : NULL;
    if (end) {
        start += strlen(open);
        copy_text(to, capacity, start, (size_t)(end - start));
    }
}

static void tell_failure(const char *from, const char *to) {
    char code[128], message[512];
    element(state.body, "Code", code, sizeof code);
    element(state.body, "Message", message, sizeof message);
    fprintf(
        stderr,
        "s3fast-cp: %s -> %s failed: %s (%s)",
        from,
        to,
        aws_error_name(state.error),
        aws_error_str(state.error));
    if (state.operation[0]) {
        fprintf(stderr, "; request %s", state.operation);
    }
    if (state.status) {
        fprintf(stderr, "; HTTP status %d", state.status);
    }
    if (code[0]) {
        fprintf(stderr, "; S3 says %s%s%s", code, message[0] ? ": " : "", message);
    }
    fputc('\n', stderr);
}

static double peak_mib(void) {
    char line[256];
    double kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "VmHWM: %lf", &kib) == 1) {
            break;
        }
    }
    if (f) {
        fclose(f);
    }
    return kib / 1024;
}

int main(int argc, char **argv) {
    struct options o = {0};
    int wrong = parse(argc, argv, &o);
    if (wrong) {
        return wrong;
    }
    bool upload = is_s3(o.to);

    /* BUCKET and KEY. */
    char *bucket = text((upload ? o.to : o.from) + 5, "", "");
    char *slash = strchr(bucket, '/');
    const char *name = slash ? slash + 1 : "";
    if (slash) {
        *slash = 0;
    }
    bool is_folder = !*name || name[strlen(name) - 1] == '/';
    char *key = upload && is_folder ? text(name, last_name(o.from), "") : text(name, "", "");
    if (!*bucket || !*key) {
        return usage("a bucket and a key are needed: ", upload ? o.to : o.from);
    }

    /* The file. A download goes to a file beside the one asked for, which it replaces when all is
     * there: what was there before is kept where the transfer fails. */
    char *target = NULL, *file;
    struct stat st;
    uint64_t size = 0;
    if (upload) {
        if (stat(o.from, &st)) {
            fprintf(stderr, "s3fast-cp: %s: %s\n", o.from, strerror(errno));
            return EXIT_FAILED;
        }
        if (!S_ISREG(st.st_mode)) {
            fprintf(stderr, "s3fast-cp: %s is not a regular file\n", o.from);
            return EXIT_FAILED;
        }
        size = state.size = (uint64_t)st.st_size;
        file = text(o.from, "", "");
    } else {
        bool there = stat(o.to, &st) == 0;
        if (there && S_ISDIR(st.st_mode)) {
            if (!*last_name(key)) {
                return usage("this key names no file: ", key);
            }
            target = text(o.to, "/", last_name(key));
            there = stat(target, &st) == 0;
        } else {
            target = text(o.to, "", "");
        }
        char suffix[32];
        snprintf(suffix, sizeof suffix, ".part-%ld", (long)getpid());
        /* A device or a pipe is written to as it is. */
        file = there && !S_ISREG(st.st_mode) ? text(target, "", "") : text(target, suffix, "");
    }

    /* Where to send it: the bucket is in the path with --endpoint, in the host's name without. */
    struct aws_allocator *allocator = aws_default_allocator();
    aws_s3_library_init(allocator);
    char *coded = encoded(key);
    char *url, *path;
    if (o.endpoint) {
        url = text(o.endpoint, "", "");
        char *begin = text("/", bucket, "/");
        path = text(begin, coded, "");
        free(begin);
    } else {
        char *host = text("https://", bucket, ".s3.");
        url = text(host, o.region, ".amazonaws.com");
        path = text("/", coded, "");
        free(host);
    }
    struct aws_uri endpoint;
    struct aws_byte_cursor url_cursor = aws_byte_cursor_from_c_str(url);
    if (aws_uri_init_parse(&endpoint, allocator, &url_cursor) || !endpoint.host_name.len || !endpoint.scheme.len) {
        return usage("this is no URL: ", url);
    }
    struct aws_byte_cursor https = aws_byte_cursor_from_c_str("https");
    bool tls = aws_byte_cursor_eq_ignore_case(&endpoint.scheme, &https);

    /* The client and what it stands on. */
    struct aws_shutdown_callback_options loops_down = {
        .shutdown_callback_fn = raise_flag, .shutdown_callback_user_data = &state.loops_down};
    struct aws_event_loop_group *loops =
        must(aws_event_loop_group_new_default(allocator, 0, &loops_down), "event loops");
    struct aws_shutdown_callback_options resolver_down = {
        .shutdown_callback_fn = raise_flag, .shutdown_callback_user_data = &state.resolver_down};
    struct aws_host_resolver_default_options resolver_options = {
        .max_entries = 8, .el_group = loops, .shutdown_options = &resolver_down};
    struct aws_host_resolver *resolver =
        must(aws_host_resolver_new_default(allocator, &resolver_options), "host resolver");
    struct aws_client_bootstrap_options bootstrap_options = {
        .event_loop_group = loops, .host_resolver = resolver};
    struct aws_client_bootstrap *bootstrap =
        must(aws_client_bootstrap_new(allocator, &bootstrap_options), "bootstrap");
    struct aws_credentials_provider *credentials;
    if (o.anonymous) {
        credentials = must(aws_credentials_provider_new_anonymous(allocator, NULL), "credentials");
    } else {
        struct aws_credentials_provider_environment_options from_environment = {0};
        credentials = must(
            aws_credentials_provider_new_environment(allocator, &from_environment), "credentials");
    }
    struct aws_signing_config_aws signing;
    aws_s3_init_default_signing_config(&signing, aws_byte_cursor_from_c_str(o.region), credentials);
    struct aws_s3_client_config config = {
        .client_bootstrap = bootstrap,
        .region = aws_byte_cursor_from_c_str(o.region),
        .tls_mode = tls ? AWS_MR_TLS_ENABLED : AWS_MR_TLS_DISABLED,
        .signing_config = &signing,
        .part_size = o.part_size,
        .throughput_target_gbps = o.gbps,
        .shutdown_callback = raise_flag,
        .shutdown_callback_user_data = &state.client_down,
    };
    struct aws_s3_client *client = must(aws_s3_client_new(allocator, &config), "client");

    /* The request. */
    struct aws_http_message *message = must(aws_http_message_new_request(allocator), "request");
    aws_http_message_set_request_method(message, upload ? aws_http_method_put : aws_http_method_get);
    aws_http_message_set_request_path(message, aws_byte_cursor_from_c_str(path));
    add_header(message, "Host", endpoint.authority);
    if (upload) {
        char length[32];
        snprintf(length, sizeof length, "%" PRIu64, size);
        add_header(message, "Content-Length", aws_byte_cursor_from_c_str(length));
    }
    struct aws_s3_meta_request_options request_options = {
        .type = upload ? AWS_S3_META_REQUEST_TYPE_PUT_OBJECT : AWS_S3_META_REQUEST_TYPE_GET_OBJECT,
        .message = message,
        .endpoint = &endpoint,
        .progress_callback = on_progress,
        .finish_callback = on_finish,
        .shutdown_callback = raise_flag,
        .user_data = &state.transfer_down, /* what the shutdown callback gets */
    };
    if (upload) {
        request_options.send_filepath = aws_byte_cursor_from_c_str(file);
    } else {
        request_options.recv_filepath = aws_byte_cursor_from_c_str(file);
        request_options.recv_file_option = AWS_S3_RECV_FILE_CREATE_OR_REPLACE;
    }

    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    double started = now_s(), seconds = 0;
    struct aws_s3_meta_request *request = aws_s3_client_make_meta_request(client, &request_options);
    if (request) {
        watch(request, started, !o.quiet && isatty(STDERR_FILENO));
        seconds = now_s() - started;
        aws_s3_meta_request_release(request);
        wait_for(&state.transfer_down); /* the file is closed from here on */
    } else {
        state.error = aws_last_error();
    }

    /* Down again: each thing after what uses it. */
    aws_http_message_release(message);
    aws_uri_clean_up(&endpoint);
    aws_s3_client_release(client);
    wait_for(&state.client_down);
    aws_credentials_provider_release(credentials);
    aws_client_bootstrap_release(bootstrap);
    aws_host_resolver_release(resolver);
    wait_for(&state.resolver_down);
    aws_event_loop_group_release(loops);
    wait_for(&state.loops_down);
    aws_thread_join_all_managed();

    int status = EXIT_DONE;
    bool beside = !upload && strcmp(file, target) != 0;
    if (state.error) {
        tell_failure(o.from, o.to);
        status = EXIT_FAILED;
    } else if (beside && rename(file, target)) {
        fprintf(stderr, "s3fast-cp: %s: %s\n", target, strerror(errno));
        status = EXIT_FAILED;
    }
    if (status != EXIT_DONE && beside) {
        unlink(file);
    } else if (status == EXIT_DONE && !o.quiet) {
        if (!upload) {
            size = stat(target, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : state.moved;
        }
        printf(
            "%s %s -> %s: %" PRIu64 " bytes in %.3f s, %.2f Gb/s, peak memory %.1f MiB\n",
            upload ? "uploaded" : "downloaded",
            o.from,
            o.to,
            size,
            seconds,
            seconds > 0 ? (double)size * 8 / seconds / 1e9 : 0,
            peak_mib());
    }
    aws_s3_library_clean_up();
    free(bucket);
    free(key);
    free(coded);
    free(url);
    free(path);
    free(file);
    free(target);
    return status;
}
