/* The shipped books, and the games they come from where those are at hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/e2e/process.h"
#include "tests/support/shared_data.h"

#define BOOKS TEST_DATA_DIR "/../../books"

/* Runs makebook; false when it lacks the library that unpacks its input. */
static bool run_makebook(const char *const *words)
{
    const char *arguments[16] = {process_binary("MAKEBOOK_BINARY")};
    int count = 1;
    for (; *words; words++)
        arguments[count++] = *words;
    assert_true(count < 16);
    struct process_result result = process_run(arguments, NULL);
    bool unpacks = !strstr(result.errors, "built without");
    if (result.status != 0 && unpacks)
        fail_msg("exit status %d\n%s%s", result.status, result.output, result.errors);
    process_result_free(&result);
    return unpacks;
}

#define MAKEBOOK(...) run_makebook((const char *const[]){__VA_ARGS__, NULL})

static void shipped_books_are_sound(void **state)
{
    (void)state;
    assert_true(MAKEBOOK("verify", BOOKS "/default.bin"));
    assert_true(MAKEBOOK("verify", BOOKS "/masters.bin"));
    assert_true(MAKEBOOK("verify", BOOKS "/fischer.bin"));
    assert_true(MAKEBOOK("verify", BOOKS "/kasparov.bin"));
}

static void assert_same_file(const char *a, const char *b)
{
    FILE *first = fopen(a, "rb");
    FILE *second = fopen(b, "rb");
    assert_non_null(first);
    assert_non_null(second);
    long place = 0;
    for (int c; (c = getc(first)) == getc(second); place++) {
        if (c == EOF) {
            assert_int_equal(fclose(first) | fclose(second), 0);
            return;
        }
    }
    fail_msg("%s and %s differ at byte %ld", a, b, place);
}

/* books/README.md says how. */
static void masters_can_be_made_again(void **state)
{
    (void)state;
    static const char games[] = SHARED_DATA_DIR "/pgn/gnuchess_book_1.02.pgn.zst";
    shared_data_want(games);
    char again[] = "/tmp/caxton-masters-XXXXXX";
    int fd = mkstemp(again);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    bool built =
        MAKEBOOK("build", games, "-o", again, "--max-ply", "30", "--min-games", "8", "--quiet");
    if (built)
        assert_same_file(BOOKS "/masters.bin", again);
    assert_int_equal(unlink(again), 0);
    if (!built) {
        print_message("makebook was built without zstd: skipped\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_books_are_sound),
        cmocka_unit_test(masters_can_be_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
