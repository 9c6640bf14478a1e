#!/usr/bin/env python3
"""errors.py > errors.c: a C program that holds every error code of the pinned interface: its value in
the headers, its name, and that it has a text and a library."""
import os

facts = os.path.dirname(os.path.abspath(__file__))
# Several constants share a number; aws_error_name() gives the first of each.
ALIASES = {
    "AWS_AUTH_PROFILE_PARSE_RECOVERABLE_ERROR": "AWS_ERROR_SDKUTILS_PARSE_RECOVERABLE",
    "AWS_AUTH_PROFILE_PARSE_FATAL_ERROR": "AWS_ERROR_SDKUTILS_PARSE_FATAL",
    "AWS_ERROR_S3_INTERNAL_PART_SIZE_MISMATCH_RETRYING_WITH_RANGE":
        "AWS_ERROR_S3_INTERNAL_BUFFER_SIZE_MISMATCH_RETRYING_WITH_RANGE",
    "AWS_IO_INVALID_FILE_HANDLE": "AWS_ERROR_INVALID_FILE_HANDLE",
}
# Their headers are no part of the core surface; the numbers and names hold all the same.
BY_NUMBER = ("AWS_ERROR_CAL_", "AWS_ERROR_COMPRESSION_")

rows = [line.rstrip("\n").split("\t") for line in open(os.path.join(facts, "errors.tsv"))]
print(r'''#include <aws/auth/auth.h>
#include <aws/http/http.h>
#include <aws/io/io.h>
#include <aws/s3/s3.h>
#include <aws/sdkutils/sdkutils.h>
#include <stdio.h>
#include <string.h>

static int s_passed, s_failed;

static void s_hold(const char *constant, int value, int number, const char *name) {
    const char *said = aws_error_name(number);
    const char *text = aws_error_str(number);
    const char *library = aws_error_lib_name(number);
    const char *whole = aws_error_debug_str(number);
    if (value == number && strcmp(said, name) == 0 && strlen(text) > 5 && strncmp(library, "aws-", 4) == 0 &&
        strstr(whole, name) != NULL && strstr(whole, library) != NULL) {
        ++s_passed;
        return;
    }
    ++s_failed;
    printf("FAILED: %s is %d, not %d; name %s, not %s; text \"%s\", library %s, whole \"%s\"\n", constant, value,
           number, said, name, text, library, whole);
}

int main(void) {
    aws_s3_library_init(aws_default_allocator());''')
for constant, value, library in rows:
    name = ALIASES.get(constant, constant)
    code = value if constant.startswith(BY_NUMBER) else constant
    print(f'    s_hold("{constant}", {code}, {value}, "{name}");')
print(r'''    /* No code of ours: a name that says so, and no crash. */
    if (strcmp(aws_error_name(1 << 30), "") != 0 && strlen(aws_error_str(-5)) > 0) {
        ++s_passed;
    } else {
        ++s_failed;
    }
    aws_s3_library_clean_up();
    printf("%d passed, %d failed\n", s_passed, s_failed);
    return s_failed != 0;
}''')
assert len(rows) > 380, "the table was not read"
