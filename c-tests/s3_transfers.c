/* Whole ways of a byte: sizes, sources, destinations, errors, against the S3 server of the tests. */
#include "harness.h"
#include <sys/stat.h>

#define GET AWS_S3_META_REQUEST_TYPE_GET_OBJECT
#define PUT AWS_S3_META_REQUEST_TYPE_PUT_OBJECT
#define DEFAULT AWS_S3_META_REQUEST_TYPE_DEFAULT

static const uint64_t sizes[] = {0, 1, 4096, KiB(256) + 1, MiB(5) - 1, MiB(5), MiB(5) + 1, MiB(8), MiB(24) + 17};
#define SIZES (sizeof sizes / sizeof *sizes)

static void put_and_get(struct rig *rig, const struct server *s, const char *path, uint64_t size, int kind) {
    char file[256], back[256];
    snprintf(file, sizeof file, "%s/source", test_folder());
    snprintf(back, sizeof back, "%s/back", test_folder());
    struct transfer put = {.rig = rig, .server = s, .type = PUT, .path = path, .size = size};
    if (kind == 1) {
        content_file(file, path, size);
        put.send_file = file;
    }
    CHECK(transfer_run(&put) == 0, "put %s of %" PRIu64 " bytes: %s (%d) %s", path, size, aws_error_name(put.error), put.status, put.error_body);
    CHECK(put.status == 200, "status %d", put.status);
    CHECK(put.progress == size || put.error, "progress told %" PRIu64 " of %" PRIu64, put.progress, size);
    struct transfer get = {.rig = rig, .server = s, .type = GET, .path = path};
    if (kind == 1) get.recv_file = back;
    CHECK(transfer_run(&get) == 0, "get %s of %" PRIu64 " bytes: %s (%d)", path, size, aws_error_name(get.error), get.status);
    CHECK(get.headers_calls == 1, "headers callback: %d times", get.headers_calls);
    CHECK(get.status == 200 || get.status == 206, "status %d", get.status);
    if (kind == 1) CHECK(file_has_content(back, path, size), "%s is not what was sent", back);
    else CHECK(get.bytes == size, "%" PRIu64 " bytes of %" PRIu64, get.bytes, size);
}

static void objects_of_every_size_go_up_and_down(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    for (size_t i = 0; i < SIZES; i++) {
        char path[64];
        snprintf(path, sizeof path, "/bucket/stream-%" PRIu64, sizes[i]);
        put_and_get(&rig, &s, path, sizes[i], 0);
    }
    rig_end(&rig);
    server_kill(&s);
}
static void files_of_every_size_go_up_and_down(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5), .loops = 2});
    for (size_t i = 0; i < SIZES; i++) {
        char path[64];
        snprintf(path, sizeof path, "/bucket/file-%" PRIu64, sizes[i]);
        put_and_get(&rig, &s, path, sizes[i], 1);
    }
    rig_end(&rig);
    server_kill(&s);
}
static void keys_are_sent_as_the_caller_wrote_them(void) {
    static const char *paths[] = {"/bucket/a//b", "/bucket/a/../b", "/bucket/./x", "/bucket/with%20space", "/bucket/%C3%BC%E2%82%AC", "/bucket/plus%2B%26%3D%3F%23%25", "/bucket/dir/", "/bucket/quote%22%3C%3E", "/bucket/~tilde-._"};
    struct server s;
    struct rig rig;
    s3_server_start(&s, NULL);
    rig_start(&rig, NULL);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) put_and_get(&rig, &s, paths[i], 1000 + i, 0);
    rig_end(&rig);
    server_kill(&s);
}
static void default_requests_pass_through(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, NULL);
    rig_start(&rig, NULL);
    struct transfer put = {.rig = &rig, .server = &s, .type = DEFAULT, .method = "PUT", .path = "/bucket/d", .size = 70000};
    CHECK(transfer_run(&put) == 0, "%s", aws_error_name(put.error));
    struct transfer head = {.rig = &rig, .server = &s, .type = DEFAULT, .method = "HEAD", .path = "/bucket/d"};
    CHECK(transfer_run(&head) == 0, "%s", aws_error_name(head.error));
    CHECK(head.headers_status == 200 && head.bytes == 0 && head.etag[0] == '"', "status %d, etag %s", head.headers_status, head.etag);
    struct transfer get = {.rig = &rig, .server = &s, .type = DEFAULT, .path = "/bucket/d"};
    CHECK(transfer_run(&get) == 0 && get.bytes == 70000, "%s, %" PRIu64 " bytes", aws_error_name(get.error), get.bytes);
    struct transfer gone = {.rig = &rig, .server = &s, .type = DEFAULT, .method = "DELETE", .path = "/bucket/d"};
    CHECK(transfer_run(&gone) == 0, "%s", aws_error_name(gone.error));
    struct transfer missing = {.rig = &rig, .server = &s, .type = DEFAULT, .path = "/bucket/d", .any_content = true};
    CHECK(transfer_run(&missing) != 0 && missing.status == 404, "error %s, status %d", aws_error_name(missing.error), missing.status);
    rig_end(&rig);
    server_kill(&s);
}
static void errors_carry_status_body_and_operation(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, NULL);
    rig_start(&rig, &(struct rig_options){.part_size = MiB(5)});
    struct transfer get = {.rig = &rig, .server = &s, .type = GET, .path = "/bucket/missing"};
    CHECK(transfer_run(&get) == AWS_ERROR_S3_INVALID_RESPONSE_STATUS, "%s", aws_error_name(get.error));
    CHECK(get.status == 404 && strstr(get.error_body, "NoSuchKey"), "status %d, body %s", get.status, get.error_body);
    CHECK(get.bytes == 0, "%" PRIu64 " bytes of an error were delivered", get.bytes);
    CHECK(!strcmp(get.operation, "GetObject"), "operation %s", get.operation);
    struct transfer put = {.rig = &rig, .server = &s, .type = PUT, .path = "/nobucket/k", .size = MiB(12)};
    CHECK(transfer_run(&put) == AWS_ERROR_S3_INVALID_RESPONSE_STATUS, "%s", aws_error_name(put.error));
    CHECK(put.status == 404 && !strcmp(put.operation, "CreateMultipartUpload"), "status %d, operation %s", put.status, put.operation);
    char file[256];
    snprintf(file, sizeof file, "%s/none/source", test_folder());
    struct transfer none = {.rig = &rig, .server = &s, .type = PUT, .path = "/bucket/k", .size = 10, .send_file = file};
    CHECK(transfer_run(&none) != 0, "a file that is not there was sent");
    snprintf(file, sizeof file, "%s/none/destination", test_folder());
    struct transfer nowhere = {.rig = &rig, .server = &s, .type = GET, .path = "/bucket/missing", .recv_file = file};
    CHECK(transfer_run(&nowhere) != 0, "received to a folder that is not there");
    rig_end(&rig);
    server_kill(&s);
}
static void wrong_secret_is_refused_by_the_server(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, NULL);
    rig_start(&rig, &(struct rig_options){.secret_key = "another"});
    struct transfer get = {.rig = &rig, .server = &s, .type = GET, .path = "/bucket/k"};
    CHECK(transfer_run(&get) != 0 && get.status == 403 && strstr(get.error_body, "SignatureDoesNotMatch"), "status %d, body %s", get.status, get.error_body);
    rig_end(&rig);
    server_kill(&s);
}
static void session_token_and_region_are_signed(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, "--session-token", "to/ken+==", "--region", "eu-central-1", NULL);
    rig_start(&rig, &(struct rig_options){.session_token = "to/ken+==", .region = "eu-central-1"});
    put_and_get(&rig, &s, "/bucket/k", 5000, 0);
    rig_end(&rig);
    server_kill(&s);
}
static void anonymous_requests_carry_no_signature(void) {
    struct server s, f;
    struct rig rig;
    s3_server_start(&s, "--anonymous", NULL);
    fault_start(&f, &s);
    rig_start(&rig, &(struct rig_options){.anonymous = true});
    put_and_get(&rig, &f, "/bucket/k", 5000, 0);
    struct fault_log log = fault_log(&f);
    CHECK(log.count > 1, "%zu requests", log.count);
    char value[64];
    for (size_t i = 0; i < log.count; i++) CHECK(!json_get(log.lines[i], "headers.authorization", value, sizeof value), "signed");
    fault_log_free(&log);
    rig_end(&rig);
    server_kill(&f);
    server_kill(&s);
}
static void virtual_host_style_reaches_the_bucket(void) {
    struct server s;
    struct rig rig;
    s3_server_start(&s, "--host-bucket", "localhost=bucket", NULL);
    rig_start(&rig, NULL);
    struct server named = s;
    snprintf(named.endpoint, sizeof named.endpoint, "http://localhost:%d", s.port);
    put_and_get(&rig, &named, "/virtual", 3000, 0);
    struct transfer get = {.rig = &rig, .server = &s, .type = GET, .path = "/bucket/virtual"};
    CHECK(transfer_run(&get) == 0 && get.bytes == 3000, "%s (%d), %" PRIu64 " bytes", aws_error_name(get.error), get.status, get.bytes);
    rig_end(&rig);
    server_kill(&s);
}

TESTS(
    {"objects_of_every_size_go_up_and_down", objects_of_every_size_go_up_and_down},
    {"files_of_every_size_go_up_and_down", files_of_every_size_go_up_and_down},
    {"keys_are_sent_as_the_caller_wrote_them", keys_are_sent_as_the_caller_wrote_them},
    {"default_requests_pass_through", default_requests_pass_through},
    {"errors_carry_status_body_and_operation", errors_carry_status_body_and_operation},
    {"wrong_secret_is_refused_by_the_server", wrong_secret_is_refused_by_the_server},
    {"session_token_and_region_are_signed", session_token_and_region_are_signed},
    {"anonymous_requests_carry_no_signature", anonymous_requests_carry_no_signature},
    {"virtual_host_style_reaches_the_bucket", virtual_host_style_reaches_the_bucket})
