/* makebook add: several at once, and what it says when it cannot. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>

#include <cmocka.h>

#include "makebook.h"

static int set_up(void **state)
{
    (void)state;
    return create_folder();
}

static const char *const first_moves[] = {"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3",
                                          "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"};
enum { FIRST_MOVES = sizeof first_moves / sizeof *first_moves };

static struct process *start_adding(const char *book, const char *word)
{
    const char *const arguments[] = {
        process_binary("MAKEBOOK_BINARY"), "add", path_of(book), "startpos", word, "9", NULL};
    return process_start(arguments);
}

static void several_at_once_lose_no_move(void **state)
{
    (void)state;
    static const char *const books[] = {"race.bin", "race.pgn", "race.epd"};
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        struct process *adding[FIRST_MOVES];
        for (int j = 0; j < FIRST_MOVES; j++)
            adding[j] = start_adding(books[i], first_moves[j]);
        for (int j = 0; j < FIRST_MOVES; j++) {
            assert_int_equal(process_wait(adding[j]), 0);
            process_destroy(adding[j]);
        }
        assert_int_equal(RUN("show", path_of(books[i])), 0);
        for (int j = 0; j < FIRST_MOVES; j++)
            assert_says(result.output, first_moves[j]);
    }
}

static void one_waits_for_another(void **state)
{
    (void)state;
    enum { LONG_ENOUGH_MS = 200 };
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(lock >= 0);
    if (flock(lock, LOCK_EX) != 0)
        skip(); /* a file system without locks */
    struct process *adding = start_adding("wait.bin", "e4");
    assert_true(process_is_silent(adding, "", LONG_ENOUGH_MS));
    assert_false(exists("wait.bin"));
    assert_int_equal(close(lock), 0);
    assert_non_null(process_read_line(adding));
    assert_int_equal(process_wait(adding), 0);
    process_destroy(adding);
    assert_true(exists("wait.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_at_once_lose_no_move),
        cmocka_unit_test(one_waits_for_another),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
