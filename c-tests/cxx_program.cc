// A C++ program over the C headers: what it makes goes away by destructors.
#include <aws/common/byte_buf.h>
#include <aws/common/uri.h>
#include <aws/http/request_response.h>
#include <aws/io/channel_bootstrap.h>
#include <aws/io/event_loop.h>
#include <aws/io/host_resolver.h>
#include <aws/s3/s3.h>
#include <aws/s3/s3_client.h>

#include <cstdio>
#include <cstring>
#include <memory>

template <typename T, auto Release> struct Releaser {
    void operator()(T *p) const { Release(p); }
};
template <typename T, auto Release> using Held = std::unique_ptr<T, Releaser<T, Release>>;

int main() {
    aws_allocator *a = aws_default_allocator();
    aws_s3_library_init(a);
    int wrong = 0;
    {
        Held<aws_event_loop_group, aws_event_loop_group_release> loops(aws_event_loop_group_new_default(a, 1, nullptr));
        aws_host_resolver_default_options ro = {};
        ro.max_entries = 8;
        ro.el_group = loops.get();
        Held<aws_host_resolver, aws_host_resolver_release> resolver(aws_host_resolver_new_default(a, &ro));
        aws_client_bootstrap_options bo = {};
        bo.event_loop_group = loops.get();
        bo.host_resolver = resolver.get();
        Held<aws_client_bootstrap, aws_client_bootstrap_release> bootstrap(aws_client_bootstrap_new(a, &bo));
        Held<aws_http_message, aws_http_message_release> message(aws_http_message_new_request(a));
        wrong += !loops || !resolver || !bootstrap || !message;
        wrong += aws_http_message_set_request_path(message.get(), aws_byte_cursor_from_c_str("/bucket/key")) != AWS_OP_SUCCESS;
        aws_byte_cursor path;
        wrong += aws_http_message_get_request_path(message.get(), &path) != AWS_OP_SUCCESS;
        wrong += path.len != 11 || std::memcmp(path.ptr, "/bucket/key", 11) != 0;
    }
    aws_s3_library_clean_up();
    std::printf("%d passed, %d failed\n", wrong ? 0 : 1, wrong ? 1 : 0);
    return wrong ? 1 : 0;
}
