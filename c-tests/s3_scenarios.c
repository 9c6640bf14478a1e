/* What a client must live through: cancels at any moment, callbacks that wait for other transfers,
 * a server that dies. */
#define _GNU_SOURCE
#include "harness.h"
#include <sched.h>
#include <unistd.h>

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

/* ---- ends that must not be mistaken ---- */
static int sleep_in_body(struct transfer *t, const struct aws_byte_cursor *body, uint64_t start) {
    (void)body, (void)start;
    sleep_ms(*(int *)t->user_data);
    return AWS_OP_SUCCESS;
}
static void a_cancel_while_the_last_bytes_are_delivered_is_no_short_success(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    int cut = 0;
    for (int i = 0; i < 12; i++) {
        /* All has come long before the caller took it. */
        int pause = 40;
        struct transfer t = {.rig = &rig, .server = &f, .type = i % 2 ? GET : DEFAULT, .path = "/bucket/k-1000000", .on_body = sleep_in_body, .user_data = &pause};
        REQUIRE(transfer_start(&t), "%s", aws_error_name(aws_last_error()));
        sleep_ms(15 * i);
        transfer_cancel(&t);
        REQUIRE(transfer_wait(&t, 10), "a canceled transfer does not end");
        transfer_check(&t);
        CHECK(t.error == AWS_ERROR_S3_CANCELED || (t.error == 0 && t.bytes == 1000000), "%s with %" PRIu64 " bytes", aws_error_name(t.error), t.bytes);
        cut += t.bytes > 0 && t.bytes < 1000000;
    }
    CHECK(cut > 0, "no cancel fell between the first byte and the last");
    rig_end(&rig);
    server_kill(&f);
}
static void an_answer_before_the_request_is_sent_is_no_success(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    fault_script(&f, "{\"rules\":[{\"match\":{\"op\":\"UploadPart\"},\"do\":{\"status\":403,\"early\":true,\"close\":true,\"body\":\"<Error><Code>AccessDenied</Code></Error>\"}}]}");
    struct transfer refused = {.rig = &rig, .server = &f, .type = PUT, .path = "/bucket/early403", .size = MiB(20)};
    CHECK(transfer_run(&refused) != 0, "a refused upload succeeded");
    CHECK(refused.status == 403 || refused.status == 0, "status %d", refused.status);
    fault_script(&f, "{\"rules\":[{\"match\":{\"op\":\"UploadPart\"},\"do\":{\"status\":200,\"early\":true,\"close\":true,\"headers\":{\"ETag\":\"\\\"x\\\"\"}}}]}");
    for (int i = 0; i < 2; i++) {
        struct transfer t = {.rig = &rig, .server = &f, .type = PUT, .path = "/bucket/early200", .size = MiB(20)};
        CHECK(transfer_run(&t) != 0, "an upload whose bytes nobody read succeeded");
    }
    rig_end(&rig);
    server_kill(&f);
}
static void answers_that_make_no_sense_end_with_an_error(void) {
    static const char *heads[] = {
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-99/100\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5000000-5000099/10\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 99-0/100\r\nContent-Length: 100\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 18446744073709551615-18446744073709551615/18446744073709551615\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes */0\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nx",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\n\r\n",
        "HTTP/1.1 99999 X\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "\r\n\r\n\r\n",
    };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char raw[512], *to = raw;
        for (const char *from = heads[i]; *from; from++) to += *from == '\r' ? sprintf(to, "\\r") : *from == '\n' ? sprintf(to, "\\n") : sprintf(to, "%c", *from);
        fault_script(&f, "{\"rules\":[{\"match\":{\"on\":\"request\"},\"do\":{\"raw\":\"%s\"}}]}", raw);
        struct transfer t = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-6000000", .headers = {"Range", "bytes=5000000-5999999"}, .any_content = true};
        REQUIRE(transfer_start(&t), "%s", aws_error_name(aws_last_error()));
        REQUIRE(transfer_wait(&t, 20), "answer %zu: no end", i);
        transfer_check(&t);
        CHECK(t.error != 0 && t.error != AWS_ERROR_S3_CANCELED, "answer %zu: %s", i, aws_error_name(t.error));
    }
    fault_script(&f, "{}");
    struct transfer last = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-6000000"};
    CHECK(transfer_run(&last) == 0 && last.bytes == 6000000, "the client does not go on: %s", aws_error_name(last.error));
    rig_end(&rig);
    server_kill(&f);
}
static void an_error_document_of_any_size_is_cut_and_told(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, NULL);
    fault_script(&f, "{\"rules\":[{\"do\":{\"status\":403,\"body\":\"<Error><Code>AccessDenied</Code></Error>\",\"body_size\":3000000}}]}");
    struct transfer t = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-1000"};
    CHECK(transfer_run(&t) != 0 && t.status == 403 && t.bytes == 0, "%s (%d)", aws_error_name(t.error), t.status);
    fault_script(&f, "{}");
    struct transfer again = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-1000"};
    CHECK(transfer_run(&again) == 0, "%s", aws_error_name(again.error));
    rig_end(&rig);
    server_kill(&f);
}

/* ---- memory ---- */
static void a_slow_reader_gets_the_last_small_part_at_once(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    for (int extra = 1; extra <= 5001; extra += 1000) {
        char path[64];
        int pause = 10;
        uint64_t size = MiB(15) + extra;
        snprintf(path, sizeof path, "/bucket/tail-%" PRIu64, size);
        struct transfer t = {.rig = &rig, .server = &f, .type = GET, .path = path, .on_body = sleep_in_body, .user_data = &pause};
        double begun = now_s();
        CHECK(transfer_run(&t) == 0 && t.bytes == size, "%s, %" PRIu64 " bytes", aws_error_name(t.error), t.bytes);
        CHECK(now_s() - begun < 10, "%.1f s", now_s() - begun);
    }
    rig_end(&rig);
    server_kill(&f);
}
static void an_upload_that_fails_while_a_read_waits_for_memory_ends(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .memory_limit = MiB(16)});
    for (int i = 0; i < 6; i++) {
        fault_script(&f, "{\"rules\":[{\"match\":{\"op\":\"UploadPart\"},\"do\":{\"status\":403,\"delay_head_ms\":300,\"body\":\"<Error><Code>AccessDenied</Code></Error>\"}}]}");
        struct transfer t = {.rig = &rig, .server = &f, .type = PUT, .path = "/bucket/waits", .size = MiB(40)};
        REQUIRE(transfer_start(&t), "%s", aws_error_name(aws_last_error()));
        if (i % 2) {
            sleep_ms(100);
            transfer_cancel(&t);
        }
        REQUIRE(transfer_wait(&t, 10), "%s upload does not end", i % 2 ? "a canceled" : "a refused");
        transfer_check(&t);
        CHECK(t.error != 0, "no error");
    }
    rig_end(&rig);
    server_kill(&f);
}
static void sixty_four_transfers_keep_the_memory_limit(void) {
    enum { COUNT = 64 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .memory_limit = MiB(64)});
    static struct transfer t[COUNT];
    static char paths[COUNT][64];
    reset_peak();
    for (int i = 0; i < COUNT; i++) {
        uint64_t size = i % 2 ? MiB(24) + i : MiB(16) + i;
        snprintf(paths[i], sizeof paths[i], "/bucket/m%d-%" PRIu64, i, size);
        t[i] = (struct transfer){.rig = &rig, .server = &f, .type = i % 2 ? GET : PUT, .path = paths[i], .size = size};
        REQUIRE(transfer_start(&t[i]), "%s", aws_error_name(aws_last_error()));
    }
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(transfer_wait(&t[i], 60), "%s does not end", paths[i]);
        transfer_check(&t[i]);
        CHECK(t[i].error == 0, "%s: %s", paths[i], aws_error_name(t[i].error));
        CHECK(!(i % 2) || t[i].bytes == t[i].size, "%s: %" PRIu64 " bytes", paths[i], t[i].bytes);
    }
    printf("  peak %.1f MiB\n", peak_mib());
    CHECK(peak_mib() <= 64 + 16, "%.1f MiB", peak_mib());
    rig_end(&rig);
    server_kill(&f);
}
/* Ten times the limit is asked for at once, and every caller is slow. */
static void slow_callers_share_a_small_memory(void) {
    enum { COUNT = 32 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(8), .memory_limit = MiB(24), .loops = 2});
    static struct transfer t[COUNT];
    static char paths[COUNT][64];
    int pause = 1;
    for (int i = 0; i < COUNT; i++) {
        snprintf(paths[i], sizeof paths[i], "/bucket/s%d-33554432", i);
        t[i] = (struct transfer){.rig = &rig, .server = &f, .type = GET, .path = paths[i], .on_body = sleep_in_body, .user_data = &pause};
        REQUIRE(transfer_start(&t[i]), "%s", aws_error_name(aws_last_error()));
    }
    double begun = now_s();
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(transfer_wait(&t[i], 50), "%s does not end", paths[i]);
        transfer_check(&t[i]);
        CHECK(t[i].error == 0 && t[i].bytes == MiB(32), "%s: %s, %" PRIu64 " bytes", paths[i], aws_error_name(t[i].error), t[i].bytes);
    }
    printf("  %.1f s\n", now_s() - begun);
    rig_end(&rig);
    server_kill(&f);
}

struct keeper {
    struct transfer t;
    struct aws_s3_buffer_ticket *tickets[256];
    int kept;
};
static int keep_ticket(struct aws_s3_meta_request *m, const struct aws_byte_cursor *body, struct aws_s3_meta_request_receive_body_extra_info info, void *u) {
    (void)m;
    struct keeper *k = u;
    k->t.bytes += body->len;
    if (info.ticket && k->kept < 256) k->tickets[k->kept++] = aws_s3_buffer_ticket_acquire(info.ticket);
    return AWS_OP_SUCCESS;
}
static void use_tickets(struct aws_s3_meta_request_options *o, struct transfer *t) {
    (void)t;
    o->body_callback = NULL;
    o->body_callback_ex = keep_ticket;
}
static void callers_that_keep_all_memory_get_an_error_and_no_hang(void) {
    enum { COUNT = 64 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .memory_limit = MiB(64)});
    static struct keeper k[COUNT];
    static char paths[COUNT][64];
    for (int i = 0; i < COUNT; i++) {
        snprintf(paths[i], sizeof paths[i], "/bucket/kept%d-6000000", i);
        k[i].t = (struct transfer){.rig = &rig, .server = &f, .type = GET, .path = paths[i], .change = use_tickets};
        REQUIRE(transfer_start(&k[i].t), "%s", aws_error_name(aws_last_error()));
    }
    int good = 0, refused = 0;
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(transfer_wait_finish(&k[i].t, 90), "%s does not end (%d succeeded, %d failed)", paths[i], good, refused);
        good += k[i].t.error == 0;
        refused += k[i].t.error == AWS_ERROR_S3_EXCEEDS_MEMORY_LIMIT;
        CHECK(k[i].t.error == 0 ? k[i].t.bytes == 6000000 : k[i].t.error == AWS_ERROR_S3_EXCEEDS_MEMORY_LIMIT, "%s: %s, %" PRIu64 " bytes", paths[i], aws_error_name(k[i].t.error), k[i].t.bytes);
    }
    printf("  %d succeeded, %d found no memory\n", good, refused);
    CHECK(refused > 0, "384 MB were kept within 64 MiB");
    for (int i = 0; i < COUNT; i++)
        for (int n = 0; n < k[i].kept; n++) aws_s3_buffer_ticket_release(k[i].tickets[n]);
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(transfer_wait(&k[i].t, 10), "%s: no shutdown callback", paths[i]);
        transfer_check(&k[i].t);
    }
    struct transfer after = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/after-6000000"};
    CHECK(transfer_run(&after) == 0 && after.bytes == 6000000, "%s", aws_error_name(after.error));
    rig_end(&rig);
    server_kill(&f);
}

/* ---- 500 rounds of cuts by chance ---- */
static void cuts_by_chance_end_in_every_byte_or_an_error(void) {
    enum { ROUNDS = 500, AT_ONCE = 10 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .loops = 2});
    static struct transfer t[AT_ONCE];
    static char paths[AT_ONCE][64];
    int good = 0, bad = 0;
    for (int round = 0; round < ROUNDS; round += AT_ONCE) {
        fault_script(&f, "{\"seed\":%" PRIu64 ",\"rules\":["
            "{\"chance\":0.08,\"do\":{\"reset\":true}},"
            "{\"chance\":0.08,\"do\":{\"cut_head_after\":%d}},"
            "{\"chance\":0.1,\"do\":{\"cut_after\":%d,\"reset\":%s}},"
            "{\"match\":{\"method\":\"PUT\"},\"chance\":0.1,\"do\":{\"cut_request_after\":%d,\"reset\":true}},"
            "{\"match\":{\"method\":\"POST\"},\"chance\":0.1,\"do\":{\"execute\":true,\"reset\":true}},"
            "{\"chance\":0.1,\"do\":{\"close\":true}}]}",
            random_below(1u << 30), (int)random_below(200), (int)random_below(3000000), random_below(2) ? "true" : "false", (int)random_below(3000000));
        for (int i = 0; i < AT_ONCE; i++) {
            uint64_t size = random_below(2) ? random_below(KiB(200)) : random_below(MiB(12));
            snprintf(paths[i], sizeof paths[i], "/bucket/cut%d-%" PRIu64, round + i, size);
            t[i] = (struct transfer){.rig = &rig, .server = &f, .type = random_below(2) ? GET : PUT, .path = paths[i], .size = size};
            REQUIRE(transfer_start(&t[i]), "%s", aws_error_name(aws_last_error()));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            REQUIRE(transfer_wait(&t[i], 40), "round %d: %s %s does not end", round, t[i].type == GET ? "get" : "put", paths[i]);
            transfer_check(&t[i]);
            CHECK(t[i].error != AWS_ERROR_UNKNOWN && t[i].error != AWS_ERROR_S3_CANCELED, "%s: %s", paths[i], aws_error_name(t[i].error));
            if (t[i].error) bad++;
            else good++;
            if (!t[i].error && t[i].type == GET) CHECK(t[i].bytes == t[i].size, "%s: %" PRIu64 " bytes were called success", paths[i], t[i].bytes);
        }
        fault_script(&f, "{}");
        for (int i = 0; i < AT_ONCE; i++) {
            if (t[i].error || t[i].type != PUT) continue;
            struct transfer get = {.rig = &rig, .server = &f, .type = GET, .path = paths[i]};
            CHECK(transfer_run(&get) == 0 && get.bytes == t[i].size, "%s was called put: %s, %" PRIu64 " bytes", paths[i], aws_error_name(get.error), get.bytes);
        }
    }
    printf("  %d succeeded, %d failed\n", good, bad);
    CHECK(good > ROUNDS / 2, "only %d of %d succeeded", good, ROUNDS);
    rig_end(&rig);
    server_kill(&f);
}

/* ---- ends from outside ---- */
static void a_client_released_with_transfers_running_ends_after_them(void) {
    enum { COUNT = 24 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    fault_script(&f, "{\"rules\":[{\"do\":{\"delay_head_ms\":30,\"delay_body_ms\":60}}]}");
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .loops = 2});
    static struct transfer t[COUNT];
    static char paths[COUNT][64];
    for (int i = 0; i < COUNT; i++) {
        uint64_t size = i % 3 ? 100000 : MiB(12);
        snprintf(paths[i], sizeof paths[i], "/bucket/left%d-%" PRIu64, i, size);
        t[i] = (struct transfer){.rig = &rig, .server = &f, .type = i % 2 ? GET : PUT, .path = paths[i], .size = size};
        REQUIRE(transfer_start(&t[i]), "%s", aws_error_name(aws_last_error()));
        aws_s3_meta_request_release(t[i].request);
        t[i].request = NULL;
    }
    rig_end(&rig); /* waits for the client's end, and counts what is left */
    for (int i = 0; i < COUNT; i++) {
        transfer_check(&t[i]);
        CHECK(t[i].error == 0, "%s: %s", paths[i], aws_error_name(t[i].error));
    }
    server_kill(&f);
}
static void release_in_finish(struct transfer *t, const struct aws_s3_meta_request_result *r) {
    (void)r;
    struct aws_s3_meta_request *request = t->request;
    t->request = NULL;
    aws_s3_meta_request_cancel(request);
    aws_s3_meta_request_release(request);
}
static int cancel_in_body(struct transfer *t, const struct aws_byte_cursor *body, uint64_t start) {
    (void)body;
    if (start >= MiB(1)) aws_s3_meta_request_cancel(t->user_data);
    return AWS_OP_SUCCESS;
}
static int refuse_in_body(struct transfer *t, const struct aws_byte_cursor *body, uint64_t start) {
    (void)t, (void)body;
    return start >= MiB(6) ? aws_raise_error(AWS_ERROR_FILE_WRITE_FAILURE) : AWS_OP_SUCCESS;
}
static int hold_first_body(struct transfer *t, const struct aws_byte_cursor *body, uint64_t start) {
    (void)start;
    while (!t->request) sleep_ms(1);
    t->user_data = t->request;
    t->on_body = cancel_in_body;
    return cancel_in_body(t, body, start);
}
static void callbacks_may_cancel_refuse_and_release(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    fault_script(&f, "{\"rules\":[{\"do\":{\"delay_head_ms\":20}}]}");
    for (int i = 0; i < 20; i++) {
        struct transfer t = {.rig = &rig, .server = &f, .type = GET, .path = "/bucket/k-30000000", .on_body = i % 2 ? hold_first_body : refuse_in_body};
        if (i % 4 < 2) t.on_finish = release_in_finish;
        REQUIRE(transfer_start(&t), "%s", aws_error_name(aws_last_error()));
        REQUIRE(transfer_wait_finish(&t, 10), "no end");
        REQUIRE(transfer_wait(&t, 10), "no shutdown");
        transfer_check(&t);
        CHECK(t.error == (i % 2 ? AWS_ERROR_S3_CANCELED : AWS_ERROR_FILE_WRITE_FAILURE), "%s", aws_error_name(t.error));
        CHECK(t.bytes < 30000000, "all bytes came");
    }
    rig_end(&rig);
    server_kill(&f);
}
static void a_server_that_says_nothing_delays_no_cancel(void) {
    static const char *ops[] = {"GetObject", "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "*Upload*"};
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        fault_script(&f, "{\"rules\":[{\"match\":{\"op\":\"%s\"},\"do\":{\"cut_head_after\":0,\"hang\":true}}]}", ops[i]);
        struct transfer t = {.rig = &rig, .server = &f, .type = i ? PUT : GET, .path = "/bucket/mute-20000000", .size = 20000000};
        REQUIRE(transfer_start(&t), "%s", aws_error_name(aws_last_error()));
        sleep_ms(400);
        double begun = now_s();
        transfer_cancel(&t);
        REQUIRE(transfer_wait(&t, 20), "%s hangs: no end", ops[i]);
        transfer_check(&t);
        CHECK(t.error == AWS_ERROR_S3_CANCELED, "%s: %s", ops[i], aws_error_name(t.error));
        CHECK(now_s() - begun < 5, "%s hangs: the cancel took %.1f s", ops[i], now_s() - begun);
    }
    rig_end(&rig);
    server_kill(&f);
}
static void connections_closed_while_idle_cost_nothing(void) {
    enum { COUNT = 10 };
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .loops = 2});
    static struct transfer t[COUNT];
    for (int silent = 0; silent < 2; silent++) {
        fault_script(&f, "{\"keep_alive_max\":2,\"silent_close\":%s}", silent ? "true" : "false");
        double begun = now_s();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < COUNT; i++) {
                t[i] = (struct transfer){.rig = &rig, .server = &f, .type = i % 2 ? GET : PUT, .path = "/bucket/k-20000", .size = 20000};
                REQUIRE(transfer_start(&t[i]), "%s", aws_error_name(aws_last_error()));
            }
            for (int i = 0; i < COUNT; i++) {
                REQUIRE(transfer_wait(&t[i], 10), "no end");
                transfer_check(&t[i]);
                CHECK(t[i].error == 0, "%s", aws_error_name(t[i].error));
            }
        }
        CHECK(now_s() - begun < 15, "%.1f s", now_s() - begun);
    }
    rig_end(&rig);
    server_kill(&f);
}

/* ---- files ---- */
static void a_file_cut_or_written_while_it_is_sent_is_no_success(void) {
    struct server f;
    struct rig rig;
    char file[256];
    snprintf(file, sizeof file, "%s/changes", test_folder());
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .max_connections = 2});
    for (int how = 0; how < 3; how++) {
        fault_script(&f, "{\"rules\":[{\"match\":{\"op\":\"UploadPart\"},\"do\":{\"delay_head_ms\":100}}]}");
        content_file(file, "/bucket/changes", MiB(48));
        struct transfer t = {.rig = &rig, .server = &f, .type = PUT, .path = "/bucket/changes", .size = MiB(48), .send_file = file};
        REQUIRE(transfer_start(&t), "%s", aws_error_name(aws_last_error()));
        sleep_ms(200);
        if (how == 0) CHECK(truncate(file, MiB(20)) == 0, "truncate");
        if (how == 1) CHECK(truncate(file, 0) == 0, "truncate");
        if (how == 2) {
            FILE *more = fopen(file, "ab");
            CHECK(more && fputs("more", more) >= 0 && fclose(more) == 0, "append");
        }
        REQUIRE(transfer_wait(&t, 30), "no end");
        transfer_check(&t);
        CHECK(t.error != 0, "a file that changed was sent with success");
        printf("  %s\n", aws_error_name(t.error));
    }
    rig_end(&rig);
    server_kill(&f);
}
static void a_file_that_cannot_be_written_is_told(void) {
    struct server f;
    struct rig rig;
    fault_start(&f, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    static const char *paths[] = {"/bucket/full-20000000", "/bucket/full-1000"};
    for (int i = 0; i < 2; i++) {
        struct transfer t = {.rig = &rig, .server = &f, .type = GET, .path = paths[i], .recv_file = "/dev/full"};
        CHECK(transfer_run(&t) != 0, "a full disk took %s", paths[i]);
        printf("  %s\n", aws_error_name(t.error));
        CHECK(t.error != AWS_ERROR_UNKNOWN && t.error != AWS_ERROR_S3_CANCELED, "%s", aws_error_name(t.error));
    }
    rig_end(&rig);
    server_kill(&f);
}

TESTS(
    {"one_thousand_cancels_finish_once_each", one_thousand_cancels_finish_once_each, 180},
    {"gets_that_wait_for_gets_in_their_callbacks_finish", gets_that_wait_for_gets_in_their_callbacks_finish},
    {"server_killed_and_restarted_ends_in_success_or_a_named_cause", server_killed_and_restarted_ends_in_success_or_a_named_cause, 240},
    {"connections_cut_in_any_phase_are_tried_again", connections_cut_in_any_phase_are_tried_again, 120},
    {"a_server_error_is_tried_again_and_then_told", a_server_error_is_tried_again_and_then_told},
    {"a_cancel_while_the_last_bytes_are_delivered_is_no_short_success", a_cancel_while_the_last_bytes_are_delivered_is_no_short_success},
    {"an_answer_before_the_request_is_sent_is_no_success", an_answer_before_the_request_is_sent_is_no_success},
    {"answers_that_make_no_sense_end_with_an_error", answers_that_make_no_sense_end_with_an_error, 120},
    {"an_error_document_of_any_size_is_cut_and_told", an_error_document_of_any_size_is_cut_and_told},
    {"a_slow_reader_gets_the_last_small_part_at_once", a_slow_reader_gets_the_last_small_part_at_once},
    {"an_upload_that_fails_while_a_read_waits_for_memory_ends", an_upload_that_fails_while_a_read_waits_for_memory_ends},
    {"sixty_four_transfers_keep_the_memory_limit", sixty_four_transfers_keep_the_memory_limit, 90},
    {"slow_callers_share_a_small_memory", slow_callers_share_a_small_memory},
    {"callers_that_keep_all_memory_get_an_error_and_no_hang", callers_that_keep_all_memory_get_an_error_and_no_hang, 120},
    {"cuts_by_chance_end_in_every_byte_or_an_error", cuts_by_chance_end_in_every_byte_or_an_error, 240},
    {"a_client_released_with_transfers_running_ends_after_them", a_client_released_with_transfers_running_ends_after_them},
    {"callbacks_may_cancel_refuse_and_release", callbacks_may_cancel_refuse_and_release},
    {"a_server_that_says_nothing_delays_no_cancel", a_server_that_says_nothing_delays_no_cancel, 120},
    {"connections_closed_while_idle_cost_nothing", connections_closed_while_idle_cost_nothing},
    {"a_file_cut_or_written_while_it_is_sent_is_no_success", a_file_cut_or_written_while_it_is_sent_is_no_success, 120},
    {"a_file_that_cannot_be_written_is_told", a_file_that_cannot_be_written_is_told})
