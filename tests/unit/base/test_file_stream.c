/* A stream that remembers why a write failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/file_stream.h"

static void what_is_written_is_read(void **state)
{
    (void)state;
    char path[] = "/tmp/caxton-stream-XXXXXX";
    char text[8] = "";
    struct file_stream stream = {.file = mkstemp(path)};
    assert_true(stream.file >= 0);
    assert_int_equal(unlink(path), 0);
    FILE *file = file_stream_open(&stream);
    assert_non_null(file);
    assert_int_equal(fputs("abcdef", file) >= 0, 1);
    assert_int_equal(file_stream_flush(&stream, file), 0);
    assert_int_equal(fseek(file, 2, SEEK_SET), 0);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 4);
    assert_string_equal(text, "cdef");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(write(stream.file, "x", 1), -1); /* closed */
}

static void the_reason_is_kept(void **state)
{
    (void)state;
    struct file_stream stream = {.file = open("/dev/full", O_WRONLY)};
    if (stream.file < 0)
        skip();
    FILE *file = file_stream_open(&stream);
    assert_non_null(file);
    for (int i = 0; i < 1 << 17; i++)
        (void)fputc('x', file);
    errno = 0;
    assert_int_equal(file_stream_flush(&stream, file), ENOSPC);
    (void)fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_reason_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
