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

/* A position is named in the same ways everywhere. */
static void positions_are_named_by_moves(void **state)
{
    (void)state;
    static const char fen[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const char *book = path_of("named.bin");
    assert_int_equal(RUN("add", book, "1. e4 e5", "Nf3", "7"), 0);
    assert_int_equal(RUN("add", book, fen, "Nc3", "3"), 0);
    assert_int_equal(RUN("add", book, "startpos moves e2e4 e7e5", "f4", "1"), 0);
    assert_int_equal(RUN("show", book, "e4", "e5"), 0);
    assert_says(result.output, "3 moves in ");
    assert_int_equal(RUN("dump", book, "--fen", "1.e4 e5"), 0);
    assert_says(result.output, "start: Nf3 7 63.6%\n");
    assert_int_equal(RUN("verify", book, "--fen", "e4 e5"), 0);
    assert_says(result.output, "1 reached ");
    assert_int_equal(RUN("add", book, "1. e4 e4", "Nf3", "7"), 1);
    assert_says(result.errors, "ply 2: e4 is not legal here\n");
}

/* An Arena book is written anew, without the texts of its header: that is said. */
static void what_is_lost_is_said(void **state)
{
    (void)state;
    enum { COMMENT_AT = 12 };
    assert_int_equal(RUN("add", path_of("texts.abk"), "startpos", "e4", "1"), 0);
    assert_string_equal(result.errors, "");
    FILE *file = fopen(path_of("texts.abk"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, COMMENT_AT, SEEK_SET), 0);
    assert_int_equal(fwrite("\4mine", 1, 5, file), 5);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("add", path_of("texts.abk"), "startpos", "d4", "1"), 0);
    assert_says(result.errors, "warning: ");
    assert_says(result.errors, "texts.abk: 1 comment");
    assert_int_equal(RUN("add", path_of("texts.abk"), "startpos", "c4", "1"), 0);
    assert_string_equal(result.errors, "");
}

static void the_case_of_an_ending_does_not_matter(void **state)
{
    (void)state;
    assert_int_equal(RUN("add", path_of("X.ABK"), "startpos", "e4", "7"), 0);
    assert_int_equal(RUN("verify", path_of("X.ABK")), 0);
    assert_says(result.output, "X.ABK: Arena, 1 move, ");
    assert_int_equal(RUN("convert", path_of("X.ABK"), path_of("X.Bin"), "-q"), 0);
    assert_int_equal(RUN("verify", path_of("X.Bin")), 0);
    assert_int_equal(RUN("add", path_of("X.ABKX"), "startpos", "e4", "7"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_at_once_lose_no_move),
        cmocka_unit_test(one_waits_for_another),
        cmocka_unit_test(positions_are_named_by_moves),
        cmocka_unit_test(what_is_lost_is_said),
        cmocka_unit_test(the_case_of_an_ending_does_not_matter),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
