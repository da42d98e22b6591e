/* Output that is there whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/append_file.h"
#include "base/atomic_file.h"

struct place {
    char folder[64];
    char file[128];
};

static int set_up(void **state)
{
    static struct place place;
    (void)snprintf(place.folder, sizeof place.folder, "/tmp/caxton-atomic-XXXXXX");
    if (!mkdtemp(place.folder))
        return -1;
    (void)snprintf(place.file, sizeof place.file, "%s/book.bin", place.folder);
    *state = &place;
    return 0;
}

/* How many files are in the folder; with `remove` they are taken away. */
static int count_files(const struct place *place, bool remove)
{
    DIR *folder = opendir(place->folder);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        if (remove)
            assert_int_equal(unlinkat(dirfd(folder), entry->d_name, 0), 0);
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

static int tear_down(void **state)
{
    const struct place *place = *state;
    (void)count_files(place, true);
    return rmdir(place->folder);
}

static void assert_holds(const char *path, const char *wanted)
{
    char text[100] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    (void)fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, wanted);
}

static struct atomic_file *write_text(const char *path, const char *text)
{
    struct atomic_file *file = NULL;
    struct diag diag = {.text = ""};
    assert_int_equal(atomic_file_create(path, &file, &diag), STATUS_OK);
    assert_true(fputs(text, atomic_file_stream(file)) >= 0);
    return file;
}

static void commit_replaces(void **state)
{
    const struct place *place = *state;
    assert_int_equal(atomic_file_commit(write_text(place->file, "old"), NULL), STATUS_OK);
    struct atomic_file *file = write_text(place->file, "new");
    assert_int_equal(fflush(atomic_file_stream(file)), 0);
    assert_holds(place->file, "old");
    assert_int_equal(atomic_file_commit(file, NULL), STATUS_OK);
    assert_holds(place->file, "new");
    assert_int_equal(count_files(place, false), 1);
}

/* Files that belong together: all are finished before one replaces what was there. */
static void finished_is_not_yet_replaced(void **state)
{
    const struct place *place = *state;
    assert_int_equal(atomic_file_commit(write_text(place->file, "old"), NULL), STATUS_OK);
    struct atomic_file *file = write_text(place->file, "new");
    assert_int_equal(atomic_file_finish(file, NULL), STATUS_OK);
    assert_holds(place->file, "old");
    assert_int_equal(atomic_file_commit(file, NULL), STATUS_OK);
    assert_holds(place->file, "new");
    file = write_text(place->file, "never");
    assert_int_equal(atomic_file_finish(file, NULL), STATUS_OK);
    atomic_file_abort(file);
    assert_holds(place->file, "new");
    assert_int_equal(count_files(place, false), 1);
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct diag diag = {.text = ""};
    file = write_text("/dev/full", "x");
    assert_int_equal(atomic_file_finish(file, &diag), STATUS_IO);
    assert_string_equal(diag.text, "/dev/full: cannot write: No space left on device");
    atomic_file_abort(file);
}

static void abort_leaves_nothing(void **state)
{
    const struct place *place = *state;
    atomic_file_abort(NULL);
    atomic_file_abort(write_text(place->file, "never"));
    assert_int_equal(count_files(place, false), 0);
    assert_int_equal(atomic_file_commit(write_text(place->file, "old"), NULL), STATUS_OK);
    atomic_file_abort(write_text(place->file, "never"));
    assert_holds(place->file, "old");
}

static void interruption_removes_all(void **state)
{
    const struct place *place = *state;
    char second[160];
    (void)snprintf(second, sizeof second, "%s/second", place->folder);
    struct atomic_file *files[] = {write_text(place->file, "a"), write_text(second, "b")};
    assert_int_equal(count_files(place, false), 2);
    atomic_file_remove_all();
    assert_int_equal(count_files(place, false), 0);
    for (int i = 0; i < 2; i++) {
        struct diag diag = {.text = ""};
        assert_int_equal(atomic_file_commit(files[i], &diag), STATUS_IO);
        assert_non_null(strstr(diag.text, place->folder));
    }
    atomic_file_remove_all();
}

static void usual_permissions(void **state)
{
    const struct place *place = *state;
    struct stat info;
    mode_t before = umask(027);
    assert_int_equal(atomic_file_commit(write_text(place->file, "x"), NULL), STATUS_OK);
    (void)umask(before);
    assert_int_equal(stat(place->file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    /* A replaced file hands its own on. */
    assert_int_equal(chmod(place->file, 0600), 0);
    assert_int_equal(atomic_file_commit(write_text(place->file, "y"), NULL), STATUS_OK);
    assert_int_equal(stat(place->file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

/* Only root may give a file to another user. */
static void owner_and_group_are_kept(void **state)
{
    enum { OWNER = 1234, GROUP = 4321 };
    const struct place *place = *state;
    assert_int_equal(atomic_file_commit(write_text(place->file, "x"), NULL), STATUS_OK);
    if (chown(place->file, OWNER, GROUP) != 0)
        skip();
    assert_int_equal(chmod(place->file, 0640), 0);
    assert_int_equal(atomic_file_commit(write_text(place->file, "y"), NULL), STATUS_OK);
    struct stat info;
    assert_int_equal(stat(place->file, &info), 0);
    assert_int_equal(info.st_uid, OWNER);
    assert_int_equal(info.st_gid, GROUP);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_holds(place->file, "y");
}

static void links_are_followed(void **state)
{
    const struct place *place = *state;
    char name[160];
    (void)snprintf(name, sizeof name, "%s/link", place->folder);
    assert_int_equal(atomic_file_commit(write_text(place->file, "old"), NULL), STATUS_OK);
    assert_int_equal(symlink("book.bin", name), 0);
    assert_int_equal(atomic_file_commit(write_text(name, "new"), NULL), STATUS_OK);
    assert_holds(place->file, "new");
    struct stat info;
    assert_int_equal(lstat(name, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

/* In a folder like /tmp nobody else's link leads what we write away; the kernel need not help. */
static void links_of_others_are_not_followed(void **state)
{
    const struct place *place = *state;
    enum { OTHER = 4711 };
    char link[160];
    char ours[160];
    if (geteuid() != 0)
        skip();
    (void)snprintf(link, sizeof link, "%s/link", place->folder);
    (void)snprintf(ours, sizeof ours, "%s/ours", place->folder);
    assert_int_equal(atomic_file_commit(write_text(place->file, "kept"), NULL), STATUS_OK);
    assert_int_equal(symlink(place->file, link), 0);
    assert_int_equal(symlink(link, ours), 0);
    assert_int_equal(lchown(link, OTHER, OTHER), 0);
    for (int sticky = 0; sticky < 2; sticky++) {
        struct atomic_file *file = NULL;
        struct append_file *journal = NULL;
        struct diag diag = {.text = ""};
        assert_int_equal(chmod(place->folder, sticky ? 01777 : 0700), 0);
        for (int i = 0; i < 2; i++) {
            enum caxton_status wanted = sticky ? STATUS_IO : STATUS_OK;
            const char *path = i ? ours : link;
            assert_int_equal(atomic_file_create(path, &file, &diag), wanted);
            assert_int_equal(append_file_open(path, &journal, &diag), wanted);
            if (sticky) {
                assert_non_null(strstr(diag.text, "Permission denied"));
            } else {
                atomic_file_abort(file);
                append_file_close(journal);
            }
        }
    }
    /* A link of the folder's owner is as good as one of ours. */
    struct atomic_file *file = NULL;
    assert_int_equal(chown(place->folder, OTHER, OTHER), 0);
    assert_int_equal(atomic_file_create(link, &file, NULL), STATUS_OK);
    atomic_file_abort(file);
    assert_holds(place->file, "kept");
}

/* A link to a file that is not there yet: that file is made, and the link stays. */
static void dangling_links_are_followed(void **state)
{
    const struct place *place = *state;
    char first[160];
    char second[160];
    (void)snprintf(first, sizeof first, "%s/first", place->folder);
    (void)snprintf(second, sizeof second, "%s/second", place->folder);
    assert_int_equal(symlink("second", first), 0);
    assert_int_equal(symlink(place->file, second), 0);
    assert_int_equal(atomic_file_try(first, NULL), STATUS_OK);
    assert_int_equal(count_files(place, false), 2);
    assert_int_equal(atomic_file_commit(write_text(first, "new"), NULL), STATUS_OK);
    assert_holds(place->file, "new");
    struct stat info;
    assert_int_equal(lstat(first, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(second, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(count_files(place, false), 3);
}

static void devices_stay_devices(void **state)
{
    (void)state;
    assert_int_equal(atomic_file_commit(write_text("/dev/null", "gone"), NULL), STATUS_OK);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void full_disk_is_reported(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct diag diag = {.text = ""};
    assert_int_equal(atomic_file_commit(write_text("/dev/full", "x"), &diag), STATUS_IO);
    assert_string_equal(diag.text, "/dev/full: cannot write: No space left on device");
}

/* Of a write that failed long before the file is given up. */
static void the_first_reason_is_kept(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct diag diag = {.text = ""};
    struct atomic_file *file = write_text("/dev/full", "x");
    assert_false(atomic_file_has_failed(file, &diag));
    assert_int_not_equal(fflush(atomic_file_stream(file)), 0);
    errno = ENOENT;
    assert_true(atomic_file_has_failed(file, &diag));
    assert_string_equal(diag.text, "/dev/full: cannot write: No space left on device");
    atomic_file_abort(file);
}

static void assert_refused(const char *path)
{
    struct atomic_file *file = NULL;
    struct diag diag = {.text = ""};
    assert_int_equal(atomic_file_create(path, &file, &diag), STATUS_IO);
    assert_null(file);
    assert_memory_equal(diag.text, path, strlen(path));
    assert_int_equal(atomic_file_create(path, &file, NULL), STATUS_IO);
}

static void bad_places_are_refused(void **state)
{
    const struct place *place = *state;
    char path[192];
    assert_refused(place->folder);
    assert_refused("");
    (void)snprintf(path, sizeof path, "%s/missing/book.bin", place->folder);
    assert_refused(path);
    assert_int_equal(atomic_file_commit(write_text(place->file, "x"), NULL), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/below", place->file);
    assert_refused(path);
    assert_int_equal(count_files(place, false), 1);
}

static void too_many_are_refused(void **state)
{
    const struct place *place = *state;
    struct atomic_file *files[ATOMIC_FILES_MAX];
    char path[192];
    for (int i = 0; i < ATOMIC_FILES_MAX; i++) {
        (void)snprintf(path, sizeof path, "%s/%d", place->folder, i);
        files[i] = write_text(path, "x");
    }
    assert_refused(place->file);
    for (int i = 0; i < ATOMIC_FILES_MAX; i++)
        atomic_file_abort(files[i]);
    atomic_file_abort(write_text(place->file, "room again"));
    assert_int_equal(count_files(place, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commit_replaces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finished_is_not_yet_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(abort_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interruption_removes_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(usual_permissions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(owner_and_group_are_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dangling_links_are_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_are_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_of_others_are_not_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(devices_stay_devices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(full_disk_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_reason_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_places_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
