/* What a client must live through: cancels at any moment, callbacks that wait for other transfers,
 * a server that dies. */
#define _GNU_SOURCE
#include "harness.h"
#include <sched.h>

#define GET AWS_S3_META_REQUEST_TYPE_GET_OBJECT
#define PUT AWS_S3_META_REQUEST_TYPE_PUT_OBJECT
#define DEFAULT AWS_S3_META_REQUEST_TYPE_DEFAULT

/* Replayable: S3FAST_TEST_SEED. */
static uint64_t random_state;
static uint64_t random_below(uint64_t n) {
    if (!random_state) {
        const char *seed = getenv("S3FAST_TEST_SEED");
        random_state = seed ? strtoull(seed, NULL, 0) : 0x5eed;
    }
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % n;
}

static void one_thousand_cancels_finish_once_each(void) {
    enum { COUNT = 1000, AT_ONCE = 20 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    /* Every phase takes a while, so that a cancel can fall into each. */
    fault_script(&f, "{\"rules\":[{\"match\":{\"op\":\"*Upload*\"},\"do\":{\"delay_head_ms\":3}},"
                     "{\"chance\":0.5,\"do\":{\"delay_head_ms\":5,\"delay_body_ms\":3}}]}");
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .loops = 2});
    static struct transfer t[COUNT];
    static char paths[COUNT][64];
    int cancelled = 0, finished = 0;
    for (int first = 0; first < COUNT; first += AT_ONCE) {
        for (int i = first; i < first + AT_ONCE; i++) {
            uint64_t size = random_below(3) ? random_below(KiB(64)) : MiB(5) + random_below(MiB(6));
            snprintf(paths[i], sizeof paths[i], "/bucket/o%d-%" PRIu64, i, size);
            t[i] = (struct transfer){.rig = &rig, .server = &f, .path = paths[i], .size = size};
            t[i].type = random_below(2) ? GET : PUT;
            if (random_below(4) == 0) t[i].type = DEFAULT;
            REQUIRE(transfer_start(&t[i]), "%s", aws_error_name(aws_last_error()));
        }
        /* In another order than they were started in, over up to 30 ms. */
        for (int k = 0; k < AT_ONCE; k++) {
            if (random_below(3) == 0) sleep_ms(random_below(5));
            struct transfer *one = &t[first + (k * 7 + 3) % AT_ONCE];
            transfer_cancel(one);
            if (random_below(4) == 0) transfer_cancel(one); /* a second cancel is no fault */
        }
        for (int i = first; i < first + AT_ONCE; i++) {
            REQUIRE(transfer_wait(&t[i], 30), "%s does not end", t[i].path);
            cancelled += t[i].error == AWS_ERROR_S3_CANCELED;
            finished += t[i].error == 0;
            CHECK(t[i].error == 0 || t[i].error == AWS_ERROR_S3_CANCELED, "%s: %s", t[i].path, aws_error_name(t[i].error));
        }
    }
    sleep_ms(100);
    for (int i = 0; i < COUNT; i++) transfer_check(&t[i]);
    CHECK(cancelled > COUNT / 4, "only %d of %d were cancelled in time (%d finished)", cancelled, COUNT, finished);
    rig_end(&rig);
    server_kill(&f);
}

/* ---- a callback that waits for another transfer ---- */
struct nested {
    struct transfer outer, inner;
    char outer_path[64], inner_path[64];
};
static int start_inner_and_wait(struct transfer *t, const struct aws_byte_cursor *body, uint64_t start) {
    (void)body;
    struct nested *n = t->user_data;
    if (start == 0) {
        if (!transfer_start(&n->inner)) test_fail(__FILE__, __LINE__, "start", "%s", aws_error_name(aws_last_error()));
        else CHECK(transfer_wait(&n->inner, 10), "%s does not end inside a callback", n->inner_path);
    }
    return AWS_OP_SUCCESS;
}
static void gets_that_wait_for_gets_in_their_callbacks_finish(void) {
    enum { COUNT = 32 };
    cpu_set_t one;
    CPU_ZERO(&one);
    cpu_set_t mine;
    REQUIRE(sched_getaffinity(0, sizeof mine, &mine) == 0, "sched_getaffinity");
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET(c, &mine)) {
            CPU_SET(c, &one);
            break;
        }
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
    rig_start(&rig, &(struct rig_options){.loops = 1});
    static struct nested n[COUNT];
    double begun = now_s();
    for (int i = 0; i < COUNT; i++) {
        snprintf(n[i].outer_path, sizeof n[i].outer_path, "/bucket/outer%d-100000", i);
        snprintf(n[i].inner_path, sizeof n[i].inner_path, "/bucket/inner%d-50000", i);
        n[i].inner = (struct transfer){.rig = &rig, .server = &f, .type = GET, .path = n[i].inner_path};
        n[i].outer = (struct transfer){.rig = &rig, .server = &f, .type = GET, .path = n[i].outer_path, .on_body = start_inner_and_wait, .user_data = &n[i]};
        REQUIRE(transfer_start(&n[i].outer), "%s", aws_error_name(aws_last_error()));
    }
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(transfer_wait(&n[i].outer, 15), "%s does not end", n[i].outer_path);
        transfer_check(&n[i].outer);
        transfer_check(&n[i].inner);
        CHECK(n[i].outer.error == 0 && n[i].outer.bytes == 100000, "%s: %s", n[i].outer_path, aws_error_name(n[i].outer.error));
        CHECK(n[i].inner.error == 0 && n[i].inner.bytes == 50000, "%s: %s", n[i].inner_path, aws_error_name(n[i].inner.error));
    }
    double took = now_s() - begun;
    CHECK(took < 10, "32 nested transfers took %.1f s", took);
    rig_end(&rig);
    server_kill(&f);
}

/* ---- a server that dies ---- */
/* From the thread that started it: a child ends with the thread that started it. */
static void kill_and_restart(struct server *s, const char *root, int down_ms) {
    char port[16];
    snprintf(port, sizeof port, "%d", s->port);
    sleep_ms(150);
    server_kill(s);
    sleep_ms(down_ms);
    s3_server_start(s, "--root", root, "--port", port, NULL);
}
static void server_killed_and_restarted_ends_in_success_or_a_named_cause(void) {
    struct server s;
    struct rig rig;
    char file[256], root[256];
    snprintf(root, sizeof root, "%s/root", test_folder());
    snprintf(file, sizeof file, "%s/source", test_folder());
    const char *path = "/bucket/killed";
    uint64_t size = MiB(96);
    content_file(file, path, size);
    s3_server_start(&s, "--root", root, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .max_connections = 4});
    for (int round = 0; round < 4; round++) {
        int down_ms = round % 2 ? 300 : 0;
        struct transfer put = {.rig = &rig, .server = &s, .type = PUT, .path = path, .size = size, .send_file = file};
        REQUIRE(transfer_start(&put), "%s", aws_error_name(aws_last_error()));
        kill_and_restart(&s, root, down_ms);
        REQUIRE(transfer_wait(&put, 60), "put does not end, %" PRIu64 " bytes are up", put.progress);
        transfer_check(&put);
        printf("  put: %s\n", put.error ? aws_error_name(put.error) : "ok");
        CHECK(put.error != AWS_ERROR_UNKNOWN, "the error names no cause");
        if (put.error) {
            struct transfer again = {.rig = &rig, .server = &s, .type = PUT, .path = path, .size = size, .send_file = file};
            CHECK(transfer_run(&again) == 0, "the client does not recover: %s", aws_error_name(again.error));
        }
        struct transfer get = {.rig = &rig, .server = &s, .type = GET, .path = path};
        REQUIRE(transfer_start(&get), "%s", aws_error_name(aws_last_error()));
        kill_and_restart(&s, root, down_ms);
        REQUIRE(transfer_wait(&get, 60), "get does not end, %" PRIu64 " bytes came", get.bytes);
        transfer_check(&get);
        printf("  get: %s\n", get.error ? aws_error_name(get.error) : "ok");
        CHECK(get.error || get.bytes == size, "%" PRIu64 " bytes were called success", get.bytes);
        CHECK(get.error != AWS_ERROR_UNKNOWN, "the error names no cause");
    }
    /* What was called success is there. */
    struct transfer last = {.rig = &rig, .server = &s, .type = GET, .path = path};
    CHECK(transfer_run(&last) == 0 && last.bytes == size, "%s, %" PRIu64 " bytes", aws_error_name(last.error), last.bytes);
    rig_end(&rig);
    server_kill(&s);
}

/* ---- connections cut in each phase ---- */
static void connections_cut_in_any_phase_are_tried_again(void) {
    static const struct {
        const char *what, *get, *put;
    } cuts[] = {
        {"at connect", "\"match\":{\"on\":\"accept\"},\"times\":2,\"do\":{\"reset\":true}", NULL},
        {"before the answer", "\"match\":{\"op\":\"GetObject\"},\"times\":2,\"do\":{\"reset\":true}", "\"match\":{\"op\":\"UploadPart\"},\"times\":2,\"do\":{\"reset\":true}"},
        {"in the head", "\"match\":{\"op\":\"GetObject\"},\"times\":2,\"do\":{\"cut_head_after\":30}", "\"match\":{\"op\":\"UploadPart\"},\"times\":2,\"do\":{\"cut_head_after\":30}"},
        {"in the body", "\"match\":{\"op\":\"GetObject\"},\"times\":2,\"do\":{\"cut_after\":1000000}", "\"match\":{\"op\":\"UploadPart\"},\"times\":2,\"do\":{\"cut_request_after\":1000000,\"reset\":true}"},
        {"in the reply", NULL, "\"match\":{\"op\":\"CompleteMultipartUpload\"},\"times\":1,\"do\":{\"cut_after\":20}"},
        {"in place of the reply", NULL, "\"match\":{\"op\":\"CompleteMultipartUpload\"},\"times\":1,\"do\":{\"execute\":true,\"reset\":true}"},
    };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        char path[64];
        for (int put = 0; put < 2; put++) {
            const char *rule = put ? cuts[i].put : cuts[i].get;
            if (!rule) continue;
            fault_script(&f, "{\"rules\":[{\"name\":\"cut\",%s}]}", rule);
            uint64_t size = MiB(18) + i;
            snprintf(path, sizeof path, "/bucket/cut-%" PRIu64, size);
            struct transfer t = {.rig = &rig, .server = &f, .type = put ? PUT : GET, .path = path, .size = size};
            CHECK(transfer_run(&t) == 0, "%s cut %s: %s (%d)", put ? "put" : "get", cuts[i].what, aws_error_name(t.error), t.status);
            CHECK(put || t.bytes == size, "%" PRIu64 " bytes of %" PRIu64, t.bytes, size);
            CHECK(fault_hits(&f, "cut") > 0, "the cut %s was not served", cuts[i].what);
            if (put) {
                struct transfer get = {.rig = &rig, .server = &f, .type = GET, .path = path};
                CHECK(transfer_run(&get) == 0 && get.bytes == size, "what was put is not there: %s", aws_error_name(get.error));
            }
        }
    }
    rig_end(&rig);
    server_kill(&f);
}

static void a_server_error_is_tried_again_and_then_told(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    fault_script(&f, "{\"rules\":[{\"name\":\"500\",\"match\":{\"op\":\"GetObject\"},\"skip\":1,\"times\":2,\"do\":{\"status\":500,"
                     "\"headers\":{\"Content-Type\":\"application/xml\"},\"body\":\"<Error><Code>InternalError</Code></Error>\"}}]}");
    struct transfer get = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-20000000"};
    CHECK(transfer_run(&get) == 0 && get.bytes == 20000000, "%s, %" PRIu64 " bytes", aws_error_name(get.error), get.bytes);
    CHECK(fault_hits(&f, "500") == 2, "%zu answers of 500", fault_hits(&f, "500"));
    fault_script(&f, "{\"rules\":[{\"name\":\"403\",\"match\":{\"op\":\"GetObject\"},\"do\":{\"status\":403,\"body\":\"<Error><Code>AccessDenied</Code></Error>\"}}]}");
    struct transfer denied = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-20000000"};
    CHECK(transfer_run(&denied) != 0 && denied.status == 403 && denied.bytes == 0, "%s (%d)", aws_error_name(denied.error), denied.status);
    CHECK(strstr(denied.error_body, "AccessDenied"), "body: %s", denied.error_body);
    CHECK(fault_hits(&f, "403") == 1, "a refusal was tried again: %zu requests", fault_hits(&f, "403"));
    rig_end(&rig);
    server_kill(&f);
}

TESTS(
    {"one_thousand_cancels_finish_once_each", one_thousand_cancels_finish_once_each, 180},
    {"gets_that_wait_for_gets_in_their_callbacks_finish", gets_that_wait_for_gets_in_their_callbacks_finish},
    {"server_killed_and_restarted_ends_in_success_or_a_named_cause", server_killed_and_restarted_ends_in_success_or_a_named_cause, 240},
    {"connections_cut_in_any_phase_are_tried_again", connections_cut_in_any_phase_are_tried_again, 120},
    {"a_server_error_is_tried_again_and_then_told", a_server_error_is_tried_again_and_then_told})
