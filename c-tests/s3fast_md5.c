/* MD5 of several messages at once, as s3fast.h offers it: buffers that end where the next page may
 * not be touched, streams fed together and alone, arguments that are refused. */
#include "harness.h"

#include <s3fast/s3fast.h>

#include <sys/mman.h>
#include <unistd.h>

/* RFC 1321, appendix A.5. */
static const struct {
    const char *message;
    const char *digest;
} s_vectors[] = {
    {"", "d41d8cd98f00b204e9800998ecf8427e"},
    {"a", "0cc175b9c0f1b6a831c399e269772661"},
    {"abc", "900150983cd24fb0d6963f7d28e17f72"},
    {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
    {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"},
    {"12345678901234567890123456789012345678901234567890123456789012345678901234567890", "57edf4a22be3c955ac49da2e2107b67a"},
};
enum { VECTORS = sizeof s_vectors / sizeof *s_vectors, MANY = 100 };

static bool same(const uint8_t *digest, const char *hex) {
    char text[2 * S3FAST_MD5_LEN + 1];
    for (int i = 0; i < S3FAST_MD5_LEN; ++i) {
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    }
    return strcmp(text, hex) == 0;
}

static void batch_gives_the_published_digests(void) {
    struct aws_byte_cursor messages[MANY];
    uint8_t digests[MANY * S3FAST_MD5_LEN];
    for (int count = 0; count <= MANY; ++count) {
        for (int i = 0; i < count; ++i) {
            messages[i] = aws_byte_cursor_from_c_str(s_vectors[i % VECTORS].message);
        }
        CHECK(s3fast_md5_batch(messages, count, digests) == AWS_OP_SUCCESS, "count %d", count);
        for (int i = 0; i < count; ++i) {
            CHECK(same(digests + i * S3FAST_MD5_LEN, s_vectors[i % VECTORS].digest), "%d of %d", i, count);
        }
    }
}

/* The bytes lie against a page without access on either side; a read of one byte more is a signal. */
static void batch_reads_nothing_beside_the_messages(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *area = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(area != MAP_FAILED, "no memory");
    for (size_t i = 0; i < page; ++i) {
        area[page + i] = (uint8_t)(i * 31 + i / 7);
    }
    mprotect(area, page, PROT_NONE);
    mprotect(area + 2 * page, page, PROT_NONE);
    for (size_t len = 0; len <= 200; ++len) {
        struct aws_byte_cursor messages[MANY];
        uint8_t digests[MANY * S3FAST_MD5_LEN], alone[2 * S3FAST_MD5_LEN];
        struct aws_byte_cursor ends[2] = {
            aws_byte_cursor_from_array(area + 2 * page - len, len), aws_byte_cursor_from_array(area + page, len)};
        for (int i = 0; i < MANY; ++i) {
            messages[i] = ends[i % 2];
        }
        CHECK(s3fast_md5_batch(messages, MANY, digests) == AWS_OP_SUCCESS, "len %zu", len);
        CHECK(s3fast_md5_batch(&ends[0], 1, alone) == AWS_OP_SUCCESS, "len %zu", len);
        CHECK(s3fast_md5_batch(&ends[1], 1, alone + S3FAST_MD5_LEN) == AWS_OP_SUCCESS, "len %zu", len);
        for (int i = 0; i < MANY; ++i) {
            const uint8_t *want = alone + i % 2 * S3FAST_MD5_LEN;
            CHECK(memcmp(digests + i * S3FAST_MD5_LEN, want, S3FAST_MD5_LEN) == 0, "len %zu lane %d", len, i);
        }
    }
    munmap(area, 3 * page);
}

static void streams_give_the_digests_of_their_messages(void) {
    struct aws_allocator *allocator = aws_mem_tracer_new(aws_default_allocator(), NULL, AWS_MEMTRACE_BYTES, 0);
    enum { STREAMS = 30, LEN = 20000 };
    static uint8_t data[STREAMS + LEN];
    for (size_t i = 0; i < sizeof data; ++i) {
        data[i] = (uint8_t)(i * 7 + i / 11);
    }
    struct s3fast_md5 *md5s[STREAMS];
    for (int i = 0; i < STREAMS; ++i) {
        md5s[i] = s3fast_md5_new(allocator);
        REQUIRE(md5s[i] != NULL, "stream %d", i);
    }
    size_t fed = 0;
    for (size_t step = 1; fed < LEN; step = step * 5 / 2 + 1) {
        size_t len = step < LEN - fed ? step : LEN - fed;
        struct aws_byte_cursor pieces[STREAMS];
        for (int i = 0; i < STREAMS; ++i) {
            pieces[i] = aws_byte_cursor_from_array(data + i + fed, len);
        }
        if (step % 2) {
            CHECK(s3fast_md5_update_many(md5s, pieces, STREAMS) == AWS_OP_SUCCESS, "%zu bytes", len);
        } else {
            for (int i = 0; i < STREAMS; ++i) {
                CHECK(s3fast_md5_update(md5s[i], pieces[i]) == AWS_OP_SUCCESS, "%zu bytes", len);
            }
        }
        fed += len;
    }
    for (int i = 0; i < STREAMS; ++i) {
        struct aws_byte_cursor whole = aws_byte_cursor_from_array(data + i, LEN);
        uint8_t digest[S3FAST_MD5_LEN], want[S3FAST_MD5_LEN];
        CHECK(s3fast_md5_finish(md5s[i], digest) == AWS_OP_SUCCESS, "stream %d", i);
        CHECK(s3fast_md5_batch(&whole, 1, want) == AWS_OP_SUCCESS, "stream %d", i);
        CHECK(memcmp(digest, want, sizeof want) == 0, "stream %d", i);
        /* Finished is fresh. */
        CHECK(s3fast_md5_finish(md5s[i], digest) == AWS_OP_SUCCESS && same(digest, s_vectors[0].digest), "stream %d", i);
        s3fast_md5_destroy(md5s[i]);
    }
    CHECK(aws_mem_tracer_bytes(allocator) == 0, "%zu bytes left", aws_mem_tracer_bytes(allocator));
    aws_mem_tracer_destroy(allocator);
}

#define REFUSED(expr)                                                                                                  \
    do {                                                                                                               \
        aws_reset_error();                                                                                             \
        CHECK((expr) != AWS_OP_SUCCESS, "succeeded");                                                                  \
        CHECK(aws_last_error() == AWS_ERROR_INVALID_ARGUMENT, "raised %s", aws_error_name(aws_last_error()));          \
    } while (0)

static void bad_arguments_are_refused(void) {
    struct aws_byte_cursor good = aws_byte_cursor_from_c_str("abc"), bad = {.len = 3, .ptr = NULL};
    uint8_t digest[S3FAST_MD5_LEN];
    struct s3fast_md5 *md5 = s3fast_md5_new(aws_default_allocator()), *twice[2] = {md5, md5}, *none = NULL;
    REQUIRE(md5 != NULL, "no memory");
    struct aws_byte_cursor two[2] = {good, good};
    REFUSED(s3fast_md5_batch(NULL, 1, digest));
    REFUSED(s3fast_md5_batch(&good, 1, NULL));
    REFUSED(s3fast_md5_batch(&bad, 1, digest));
    REFUSED(s3fast_md5_batch(&good, SIZE_MAX, digest));
    REFUSED(s3fast_md5_update(NULL, good));
    REFUSED(s3fast_md5_update(md5, bad));
    REFUSED(s3fast_md5_update_many(twice, two, 2));
    REFUSED(s3fast_md5_update_many(&none, &good, 1));
    REFUSED(s3fast_md5_update_many(NULL, &good, 1));
    REFUSED(s3fast_md5_update_many(&md5, NULL, 1));
    REFUSED(s3fast_md5_finish(md5, NULL));
    REFUSED(s3fast_md5_finish(NULL, digest));
    CHECK(s3fast_md5_new(NULL) == NULL, "made of nothing");
    CHECK(s3fast_md5_finish(md5, digest) == AWS_OP_SUCCESS && same(digest, s_vectors[0].digest), "took something");
    s3fast_md5_destroy(md5);
    s3fast_md5_destroy(NULL);
}

TESTS({"batch_gives_the_published_digests", batch_gives_the_published_digests},
      {"batch_reads_nothing_beside_the_messages", batch_reads_nothing_beside_the_messages},
      {"streams_give_the_digests_of_their_messages", streams_give_the_digests_of_their_messages},
      {"bad_arguments_are_refused", bad_arguments_are_refused})
