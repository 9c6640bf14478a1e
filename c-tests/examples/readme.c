/* get http://127.0.0.1:9000 /bucket/key file: an object to a file. Keys: AWS_ACCESS_KEY_ID etc. */
#include <aws/auth/credentials.h>
#include <aws/http/request_response.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>
#include <aws/io/host_resolver.h>
#include <aws/io/uri.h>
#include <aws/s3/s3_client.h>
#include <semaphore.h>
#include <stdio.h>
static sem_t done;
static int error;
static void on_finish(struct aws_s3_meta_request *m, const struct aws_s3_meta_request_result *r, void *user_data) {
    (void)m, (void)user_data, error = r->error_code;
}
static void on_shutdown(void *user_data) { (void)user_data, sem_post(&done); }
int main(int argc, char **argv) {
    if (argc != 4 || sem_init(&done, 0, 0)) return 2;
    struct aws_allocator *a = aws_default_allocator();
    aws_s3_library_init(a);
    struct aws_event_loop_group *loops = aws_event_loop_group_new_default(a, 0, NULL);
    struct aws_host_resolver *resolver = aws_host_resolver_new_default(a, &(struct aws_host_resolver_default_options){.el_group = loops, .max_entries = 8});
    struct aws_client_bootstrap *bootstrap = aws_client_bootstrap_new(a, &(struct aws_client_bootstrap_options){.event_loop_group = loops, .host_resolver = resolver});
    struct aws_credentials_provider *keys = aws_credentials_provider_new_environment(a, &(struct aws_credentials_provider_environment_options){0});
    struct aws_byte_cursor region = aws_byte_cursor_from_c_str("us-east-1"), url = aws_byte_cursor_from_c_str(argv[1]);
    struct aws_signing_config_aws signing;
    aws_s3_init_default_signing_config(&signing, region, keys);
    struct aws_s3_client *client = aws_s3_client_new(a, &(struct aws_s3_client_config){.client_bootstrap = bootstrap, .region = region,
        .signing_config = &signing, .tls_mode = AWS_MR_TLS_DISABLED, .shutdown_callback = on_shutdown});
    struct aws_uri endpoint;
    struct aws_http_message *get = aws_http_message_new_request(a);
    if (!client || aws_uri_init_parse(&endpoint, a, &url)) return 2;
    aws_http_message_set_request_method(get, aws_http_method_get);
    aws_http_message_set_request_path(get, aws_byte_cursor_from_c_str(argv[2]));
    struct aws_s3_meta_request *transfer = aws_s3_client_make_meta_request(client, &(struct aws_s3_meta_request_options){
        .type = AWS_S3_META_REQUEST_TYPE_GET_OBJECT, .message = get, .endpoint = &endpoint,
        .recv_filepath = aws_byte_cursor_from_c_str(argv[3]), .finish_callback = on_finish});
    if (!transfer) error = aws_last_error();
    aws_s3_meta_request_release(transfer), aws_http_message_release(get), aws_uri_clean_up(&endpoint);
    aws_s3_client_release(client), sem_wait(&done); /* the client is gone when all its transfers are */
    aws_credentials_provider_release(keys), aws_client_bootstrap_release(bootstrap);
    aws_host_resolver_release(resolver), aws_event_loop_group_release(loops);
    printf("%s\n", aws_error_debug_str(error));
    aws_s3_library_clean_up();
    return error != 0;
}
