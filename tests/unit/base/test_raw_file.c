/* Files read without a buffer, and temporary files read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/raw_file.h"
#include "base/temp_file.h"
#include "base/thread.h"

static void a_file_is_read_to_its_end(void **state)
{
    (void)state;
    struct raw_file file;
    struct diag diag;
    char bytes[4096];
    size_t sum = 0;
    size_t got = 1;
    assert_int_equal(raw_file_open(TEST_DATA_DIR "/packed/games.pgn", &file, &diag), STATUS_OK);
    for (; got > 0; sum += got)
        assert_int_equal(raw_file_read(&file, bytes, sizeof bytes, &got, &diag), STATUS_OK);
    assert_int_equal(sum, file.size);
    raw_file_close(&file);
}

static void what_cannot_be_read_is_refused(void **state)
{
    (void)state;
    struct raw_file file;
    struct diag diag;
    assert_int_equal(raw_file_open(TEST_DATA_DIR, &file, &diag), STATUS_IO);
    assert_string_equal(diag.text, "is a folder");
    assert_int_equal(raw_file_open("/dev/zero", &file, &diag), STATUS_IO);
    assert_string_equal(diag.text, "is a device, not a file");
    assert_int_equal(raw_file_open("/no/such/file", &file, &diag), STATUS_IO);
    assert_string_equal(diag.text, "No such file or directory");
}

static void temporary_bytes_come_back(void **state)
{
    (void)state;
    int file;
    char bytes[4] = "";
    struct diag diag = {.text = ""};
    assert_int_equal(temp_file_open(temp_folder(), &file, &diag), STATUS_OK);
    assert_int_equal(temp_file_write(file, "abcdef", 6, "x", &diag), STATUS_OK);
    assert_int_equal(temp_file_read(file, 2, bytes, 3, "x", &diag), STATUS_OK);
    assert_string_equal(bytes, "cde");
    assert_int_equal(temp_file_read(file, 4, bytes, 3, "x", &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "x: cannot read a temporary file"));
    temp_file_close(file);
}

static void there_is_a_processor(void **state)
{
    (void)state;
    assert_in_range(thread_processors(256), 1, 256);
    assert_int_equal(thread_processors(1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_to_its_end),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(temporary_bytes_come_back),
        cmocka_unit_test(there_is_a_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
