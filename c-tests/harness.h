/* What every C test of libs3fast shares: a table of tests, each run in a process of its own with a
 * time limit; servers and the fault layer as child processes; a client with everything under it
 * (a "rig") whose memory, threads and descriptors are counted back to where they were; transfers
 * whose callbacks are counted and whose bytes are held against a rule.
 *
 *   static void get_returns_the_object(void) { ... CHECK(x == 1, "x is %d", x); ... }
 *   TESTS({"get_returns_the_object", get_returns_the_object})
 *
 * Only public headers are used. Programs take test names (or parts of them) as arguments; the last
 * line is "N passed, M failed".
 */
#ifndef S3FAST_HARNESS_H
#define S3FAST_HARNESS_H

#include <aws/auth/credentials.h>
#include <aws/auth/signing_config.h>
#include <aws/common/allocator.h>
#include <aws/common/byte_buf.h>
#include <aws/common/error.h>
#include <aws/common/logging.h>
#include <aws/common/string.h>
#include <aws/common/thread.h>
#include <aws/http/request_response.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>
#include <aws/io/host_resolver.h>
#include <aws/io/stream.h>
#include <aws/io/uri.h>
#include <aws/s3/s3_client.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define KiB(n) ((uint64_t)(n) << 10)
#define MiB(n) ((uint64_t)(n) << 20)
#define GiB(n) ((uint64_t)(n) << 30)

/* ---- tests ---- */
/* Tables name only what is not the default. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
struct test {
    const char *name;
    void (*run)(void);
    int limit_s; /* 0: 60 s */
};
int run_tests(int argc, char **argv, const struct test *tests, size_t count);
#define TESTS(...)                                                                                                     \
    int main(int argc, char **argv) {                                                                                  \
        static const struct test tests[] = {__VA_ARGS__};                                                              \
        return run_tests(argc, argv, tests, sizeof tests / sizeof *tests);                                             \
    }

/* A failed check is told, and the test goes on to its end as failed; a failed REQUIRE ends it. */
#define CHECK(cond, ...) ((cond) ? (void)0 : test_fail(__FILE__, __LINE__, #cond, __VA_ARGS__))
#define REQUIRE(cond, ...) ((cond) ? (void)0 : (test_fail(__FILE__, __LINE__, #cond, __VA_ARGS__), test_end()))
void test_fail(const char *file, int line, const char *cond, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void test_end(void) __attribute__((noreturn));
/* A folder of this test's own, removed at its end. */
const char *test_folder(void);

double now_s(void);
void sleep_ms(int ms);
int count_threads(void);
int count_descriptors(void);
/* VmHWM of this process in MiB; `reset_peak` begins anew. */
double peak_mib(void);
void reset_peak(void);

/* ---- content: byte i of the object with key k is pattern[(phase(k) + i) % PERIOD], as in bench/fastserver.c and in
 * the fault layer; the key is what follows the last slash of the path. ---- */
uint64_t content_phase(const char *path);
void content_fill(uint64_t phase, uint64_t offset, uint8_t *to, size_t n);
bool content_is(uint64_t phase, uint64_t offset, const uint8_t *bytes, size_t n);
/* Writes the content of the key to a file. */
void content_file(const char *file, const char *path, uint64_t size);
bool file_has_content(const char *file, const char *path, uint64_t size);

/* ---- servers ---- */
struct server {
    pid_t pid;
    int port;
    int out;
    char endpoint[64];
};
/* The S3 server of the tests; further options as a NULL-ended list. The bucket "bucket" is there. */
void s3_server_start(struct server *s, ...);
/* The fault layer; `upstream` may be NULL: then it answers itself. */
void fault_start(struct server *s, const struct server *upstream);
/* SIGKILL, no farewell. */
void server_kill(struct server *s);

/* A script for the fault layer, in JSON, with printf's formats. */
void fault_script(const struct server *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Any request to the layer itself; the answer's body, to be freed. */
char *fault_ask(const struct server *s, const char *method, const char *what, const char *body);

/* The log: lines of JSON. */
struct fault_log {
    char *text;
    char **lines;
    size_t count;
};
struct fault_log fault_log(const struct server *s);
void fault_log_free(struct fault_log *log);
/* How many log lines have these values: pairs of name (a.b for nesting) and text, NULL at the end. */
size_t fault_log_count(const struct fault_log *log, ...);
/* How often the rule with this name was served. */
size_t fault_hits(const struct server *s, const char *rule);
/* The value at a.b.c of a JSON object, as text (strings without quotes); false where there is none. */
bool json_get(const char *json, const char *name, char *to, size_t cap);
double json_number(const char *json, const char *name);

/* ---- a client and everything under it ---- */
struct rig_options {
    int loops; /* 0: 1 */
    uint64_t part_size;
    uint64_t memory_limit;
    size_t window; /* not 0: read back-pressure with this window */
    double gbps;
    const char *access_key, *secret_key, *session_token, *region;
    bool anonymous;
    int max_connections;
    /* May change the configuration before the client is made. */
    void (*configure)(struct aws_s3_client_config *config, void *user_data);
    void *user_data;
};
struct rig {
    struct aws_allocator *allocator; /* a tracer */
    struct aws_event_loop_group *loops;
    struct aws_host_resolver *resolver;
    struct aws_client_bootstrap *bootstrap;
    struct aws_credentials_provider *credentials;
    struct aws_signing_config_aws signing;
    struct aws_s3_client *client;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int client_down, loops_down, resolver_down;
    int threads_before, descriptors_before;
};
void rig_start(struct rig *rig, const struct rig_options *options);
/* Waits for every shutdown callback, then holds memory, threads and descriptors against the start. */
void rig_end(struct rig *rig);

/* ---- transfers ---- */
struct transfer {
    /* Set by the test before the start. */
    struct rig *rig;
    const struct server *server;
    enum aws_s3_meta_request_type type;
    const char *method;           /* NULL: by type */
    const char *path;             /* as on the wire, with the query */
    const char *headers[16];      /* name, value, name, value, ... */
    uint64_t size;                /* of what is uploaded, by the content rule */
    const char *send_file, *recv_file;
    struct aws_input_stream *stream; /* the body, in place of a stream made here; the test releases it */
    bool no_content_length;
    bool any_content;             /* bytes are counted, not compared */
    uint64_t part_size;
    uint64_t offset;              /* of the first byte that is to be delivered */
    struct aws_s3_checksum_config *checksum;
    int (*on_body)(struct transfer *t, const struct aws_byte_cursor *body, uint64_t start);
    void (*on_finish)(struct transfer *t, const struct aws_s3_meta_request_result *result);
    void (*change)(struct aws_s3_meta_request_options *options, struct transfer *t);
    void *user_data;

    /* Seen. */
    struct aws_s3_meta_request *request;
    uint64_t phase, next, bytes, progress;
    int headers_calls, body_calls, finish_calls, shutdown_calls, progress_calls;
    int status, headers_status, error;
    bool wrong, late, did_validate;
    enum aws_s3_checksum_algorithm algorithm;
    char etag[256];
    char error_body[2048];
    char operation[64];
    double started_s, finished_s;
    int down;
};
/* NULL with aws_last_error where the request was refused. */
bool transfer_start(struct transfer *t);
/* Waits for the shutdown callback; false after `seconds`. */
bool transfer_wait(struct transfer *t, double seconds);
bool transfer_wait_finish(struct transfer *t, double seconds);
void transfer_cancel(struct transfer *t);
/* Start, wait, the rules every transfer keeps checked; returns the error code. */
int transfer_run(struct transfer *t);
/* Finish exactly once, then shutdown exactly once, no callback after, no wrong byte. */
void transfer_check(struct transfer *t);
/* A stream over the content rule; `read_ms`: how long each read takes. */
struct aws_input_stream *content_stream(struct aws_allocator *allocator, const char *path, uint64_t size, int read_ms);

#endif
