/* Files that grow: what was added is there again, and one program at a time has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/append_file.h"

static char path[] = "/tmp/caxton-append.XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    int status = unlink(path);
    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
    return status;
}

static void bytes_are_there_again(void **state)
{
    (void)state;
    struct append_file *file;
    char bytes[8] = "";
    assert_int_equal(append_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(append_file_add(file, "abc", 3, NULL), STATUS_OK);
    assert_int_equal(append_file_add(file, "def", 3, NULL), STATUS_OK);
    assert_int_equal(append_file_sync(file, NULL), STATUS_OK);
    append_file_close(file);
    assert_int_equal(append_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(append_file_size(file), 6);
    assert_int_equal(append_file_cut(file, 4, NULL), STATUS_OK);
    assert_int_equal(append_file_add(file, "xy", 2, NULL), STATUS_OK);
    assert_int_equal(append_file_read(file, 1, bytes, 5, NULL), STATUS_OK);
    assert_string_equal(bytes, "bcdxy");
    struct diag diag;
    assert_int_equal(append_file_read(file, 1, bytes, 6, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "ended before its size"));
    append_file_close(file);
}

static void one_at_a_time(void **state)
{
    (void)state;
    struct append_file *file;
    struct append_file *other;
    struct diag diag;
    assert_int_equal(append_file_open(path, &file, NULL), STATUS_OK);
    assert_int_equal(append_file_open(path, &other, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "is in use by another program"));
    append_file_close(file);
    assert_int_equal(append_file_open(path, &other, &diag), STATUS_OK);
    append_file_close(other);
    append_file_close(NULL);
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    struct append_file *file;
    struct diag diag;
    assert_int_equal(append_file_open("/tmp", &file, &diag), STATUS_IO);
    assert_string_equal(diag.text, "/tmp: Is a directory");
    assert_int_equal(append_file_open("/dev/null", &file, &diag), STATUS_IO);
    assert_string_equal(diag.text, "/dev/null: is a pipe or a device, not a file");
    assert_int_equal(append_file_open("/no/such/file", &file, &diag), STATUS_IO);
    assert_int_equal(unlink(path), 0);
    if (mkfifo(path, 0600) != 0) { /* a system or a file system without pipes that have names */
        assert_int_equal(append_file_open(path, &file, &diag), STATUS_OK);
        append_file_close(file);
        skip();
    }
    assert_int_equal(append_file_open(path, &file, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "is a pipe or a device"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_are_there_again, make_file, remove_file),
        cmocka_unit_test_setup_teardown(one_at_a_time, make_file, remove_file),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, make_file, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
