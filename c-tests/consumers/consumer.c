/* What a project that uses the library needs of the installed tree: headers of every library, a
 * client that comes up and goes down, a transfer that fails for a reason that is told. */
#include <aws/auth/credentials.h>
#include <aws/checksums/crc.h>
#include <aws/common/error.h>
#include <aws/common/thread.h>
#include <aws/http/request_response.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>
#include <aws/io/host_resolver.h>
#include <aws/io/uri.h>
#include <aws/s3/s3_client.h>
#ifdef WITH_S3FAST_HEADER
#    include <s3fast/s3fast.h>
#endif

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int error = -1, client_down;

static void on_finish(struct aws_s3_meta_request *m, const struct aws_s3_meta_request_result *result, void *u) {
    (void)m;
    (void)u;
    error = result->error_code;
}

static void on_down(void *flag) {
    pthread_mutex_lock(&lock);
    *(int *)flag = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* How many different files with this in their names are mapped. */
static int mapped(const char *name) {
    char line[1024], path[512], last[512] = "";
    int count = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%*s %*s %*s %*s %*s %511s", path) == 1 && strstr(path, name) && strcmp(path, last)) {
            strcpy(last, path);
            count++;
        }
    }
    if (f) fclose(f);
    return count;
}

int main(int argc, char **argv) {
    struct aws_allocator *a = aws_default_allocator();
    aws_s3_library_init(a);
#ifdef WITH_S3FAST_HEADER
    if (strncmp(s3fast_version(), "0.", 2)) return 10;
#endif
    if (aws_checksums_crc32((const uint8_t *)"123456789", 9, 0) != 0xCBF43926) return 11;
    struct aws_event_loop_group *loops = aws_event_loop_group_new_default(a, 1, NULL);
    struct aws_host_resolver_default_options ro = {.max_entries = 4, .el_group = loops};
    struct aws_host_resolver *resolver = aws_host_resolver_new_default(a, &ro);
    struct aws_client_bootstrap_options bo = {.event_loop_group = loops, .host_resolver = resolver};
    struct aws_client_bootstrap *bootstrap = aws_client_bootstrap_new(a, &bo);
    struct aws_credentials_provider *keys = aws_credentials_provider_new_anonymous(a, NULL);
    struct aws_signing_config_aws signing;
    aws_s3_init_default_signing_config(&signing, aws_byte_cursor_from_c_str("us-east-1"), keys);
    struct aws_s3_client_config config = {
        .client_bootstrap = bootstrap,
        .region = aws_byte_cursor_from_c_str("us-east-1"),
        .tls_mode = AWS_MR_TLS_DISABLED,
        .signing_config = &signing,
        .retry_config = {.max_retries = 1},
        .shutdown_callback = on_down,
        .shutdown_callback_user_data = &client_down,
    };
    struct aws_s3_client *client = aws_s3_client_new(a, &config);
    if (!client) return 12;
    struct aws_http_message *message = aws_http_message_new_request(a);
    aws_http_message_set_request_method(message, aws_http_method_get);
    aws_http_message_set_request_path(message, aws_byte_cursor_from_c_str("/bucket/key"));
    struct aws_uri uri;
    /* Port 1 of this host: nobody listens. */
    struct aws_byte_cursor url = aws_byte_cursor_from_c_str("http://127.0.0.1:1");
    if (aws_uri_init_parse(&uri, a, &url)) return 13;
    struct aws_s3_meta_request_options options = {
        .type = AWS_S3_META_REQUEST_TYPE_GET_OBJECT,
        .message = message,
        .endpoint = &uri,
        .finish_callback = on_finish,
    };
    aws_s3_meta_request_release(aws_s3_client_make_meta_request(client, &options));
    aws_http_message_release(message);
    aws_uri_clean_up(&uri);
    aws_s3_client_release(client);
    pthread_mutex_lock(&lock);
    while (!client_down) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    aws_credentials_provider_release(keys);
    aws_client_bootstrap_release(bootstrap);
    aws_host_resolver_release(resolver);
    aws_event_loop_group_release(loops);
    aws_thread_join_all_managed();
    int shared = mapped("libs3fast.so"), theirs = mapped("libaws-");
    printf("%s, libs3fast.so mapped: %d\n", aws_error_name(error), shared);
    int want = argc > 1 ? !strcmp(argv[1], "shared") : shared;
    if (error != AWS_IO_SOCKET_CONNECTION_REFUSED) return 14;
    aws_s3_library_clean_up();
    return shared == want && theirs == 0 ? 0 : 15;
}
