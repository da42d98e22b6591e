/* Reading files: what has no end, or is no file, is refused at once. */
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

#include "base/file.h"

static char folder[] = "/tmp/caxton-file-XXXXXX";
static struct diag diag;

static const char *path_of(const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused(const char *path, enum caxton_status status, const char *why)
{
    uint8_t *bytes;
    size_t size;
    assert_int_equal(file_read(path, 1 << 20, &bytes, &size, &diag), status);
    assert_non_null(strstr(diag.text, why));
    assert_int_equal(strncmp(diag.text, path, strlen(path)), 0);
}

static void whole_files(void **state)
{
    (void)state;
    uint8_t *bytes;
    size_t size;
    write_file("a", "abc");
    assert_int_equal(file_read(path_of("a"), 3, &bytes, &size, &diag), STATUS_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "abc", 3);
    free(bytes);
    write_file("empty", "");
    assert_int_equal(file_read(path_of("empty"), 3, &bytes, &size, &diag), STATUS_OK);
    assert_int_equal(size, 0);
    free(bytes);
}

static void what_is_no_file(void **state)
{
    (void)state;
    assert_refused("/dev/zero", STATUS_IO, "device");
    assert_refused(folder, STATUS_IO, "folder");
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    assert_refused(path_of("pipe"), STATUS_IO, "pipe");
    assert_refused(path_of("none"), STATUS_IO, "No such file");
}

static void too_large_files(void **state)
{
    (void)state;
    write_file("large", "");
    assert_int_equal(truncate(path_of("large"), (off_t)100 << 30), 0); /* takes no room */
    assert_refused(path_of("large"), STATUS_RANGE, "too large");
    assert_int_equal(unlink(path_of("large")), 0);
}

static void kinds_of_paths(void **state)
{
    (void)state;
    uint64_t size;
    write_file("b", "four");
    assert_int_equal(file_kind_of(path_of("b"), &size), FILE_REGULAR);
    assert_int_equal(size, 4);
    assert_int_equal(file_kind_of(folder, NULL), FILE_FOLDER);
    assert_int_equal(file_kind_of("/dev/null", NULL), FILE_OTHER);
    assert_int_equal(file_kind_of(path_of("none"), &size), FILE_ABSENT);
    assert_int_equal(size, 0);
}

static void the_same_file_by_other_names(void **state)
{
    (void)state;
    char other[160];
    write_file("c", "c");
    (void)snprintf(other, sizeof other, "%s/./c", folder);
    assert_true(file_is_same(path_of("c"), other));
    (void)snprintf(other, sizeof other, "%s/../%s/new", folder, folder + 5);
    assert_true(file_is_same(path_of("new"), other));
    assert_false(file_is_same(path_of("c"), other));
}

static void links_to_files_still_to_be_made(void **state)
{
    (void)state;
    char link[160];
    char path[4096];
    (void)snprintf(link, sizeof link, "%s", path_of("link"));
    assert_int_equal(symlink("./made", link), 0);
    assert_true(file_resolve(link, path, sizeof path));
    (void)snprintf(path + 2000, 200, "%s/./made", folder);
    assert_string_equal(path, path + 2000);
    assert_true(file_is_same(link, path_of("made")));
    assert_false(file_is_same(link, path_of("other")));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink("link", link), 0); /* round and round */
    assert_false(file_resolve(link, path, sizeof path));
    assert_false(file_resolve("", path, sizeof path));
    assert_false(file_resolve(link, path, 3));
    assert_int_equal(unlink(link), 0);
}

static void folders_are_made(void **state)
{
    (void)state;
    char path[160];
    (void)snprintf(path, sizeof path, "%s", path_of("sub"));
    assert_int_equal(file_make_folder(path, &diag), STATUS_OK);
    assert_int_equal(file_make_folder(path, &diag), STATUS_OK); /* it is there */
    assert_int_equal(file_kind_of(path, NULL), FILE_FOLDER);
    assert_int_equal(rmdir(path), 0);
    write_file("c", "c");
    assert_int_equal(file_make_folder(path_of("c"), &diag), STATUS_IO);
    assert_int_equal(file_make_folder(path_of("no/such/place"), &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "place: No such file"));
}

static void the_own_path(void **state)
{
    (void)state;
    char path[4096];
    if (!file_own_path(path, sizeof path))
        skip();
    assert_int_equal(file_kind_of(path, NULL), FILE_REGULAR);
    assert_false(file_own_path(path, 3));
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"a", "b", "c", "empty", "pipe", "large"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_files),
        cmocka_unit_test(what_is_no_file),
        cmocka_unit_test(too_large_files),
        cmocka_unit_test(kinds_of_paths),
        cmocka_unit_test(the_same_file_by_other_names),
        cmocka_unit_test(links_to_files_still_to_be_made),
        cmocka_unit_test(folders_are_made),
        cmocka_unit_test(the_own_path),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
