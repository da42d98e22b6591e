/* makebook build --two-pass: the bytes of one pass, what it says, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

enum { GAMES = 40 };

/* All begin alike, most go their own way then. */
static int write_games(void **state)
{
    (void)state;
    static const char *const replies[] = {"e5", "c5", "c5 2. Nf3", "c5 2. Nf3 d6", "e6"};
    if (create_folder() != 0)
        return -1;
    FILE *file = fopen(path_of("games.pgn"), "wb");
    if (!file)
        return -1;
    for (int i = 0; i < GAMES; i++)
        (void)fprintf(file, "[White \"W%d\"]\n[Black \"B\"]\n\n1. e4 %s %s\n\n", i,
                      replies[i * i % 5], i % 3 ? "1-0" : "1/2-1/2");
    (void)fprintf(file, "[White \"X\"]\n[Black \"Y\"]\n\n1. d4 d5 2. Ke3 1-0\n");
    return fclose(file);
}

static void the_bytes_are_those_of_one_pass(void **state)
{
    (void)state;
    static const char *const least[] = {"2", "3", "8", "16", "300"};
    static const char *const names[] = {"one.bin", "one.wld"};
    static const char *const again[] = {"two.bin", "two.wld"};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        for (int kind = 0; kind < 2; kind++) {
            int one = MAKEBOOK("build", "games.pgn", "-o", names[kind], "--min-games", least[i]);
            int two = MAKEBOOK("build", "games.pgn", "-o", again[kind], "--min-games", least[i],
                               "--two-pass", "--jobs", "2");
            assert_int_equal(one, two);
            assert_int_equal(exists(names[kind]), exists(again[kind]));
            if (i < 4)
                assert_same_files(names[kind], again[kind]);
        }
}

static void it_says_what_was_not_counted(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", "two.bin", "--min-games", "10",
                              "--two-pass", "--json"),
                     0);
    assert_says(result.output, "\"plies_skipped\": ");
    assert_says(result.output, "\"first_pass_bytes\": ");
    /* A bad game is named once. */
    assert_says(result.output, "\"games\": 41, \"used\": 40");
    assert_says(result.output, "\"bad_games\": 1,");
    assert_int_equal(
        MAKEBOOK("build", "games.pgn", "-o", "two.bin", "--min-games", "10", "--two-pass"), 0);
    assert_says(result.output, "too few games, by a first pass in ");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", "one.bin", "--min-games", "10"), 0);
    assert_null(strstr(result.output, "first pass"));
}

/* What comes once cannot be read twice, and what keeps every move leaves none out. */
static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("pipe.pgn"), 0600), 0);
    assert_int_equal(MAKEBOOK("build", "pipe.pgn", "-o", "no.bin", "--two-pass"), 2);
    assert_says(result.errors, "pipe.pgn is no file");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-", "-o", "no.bin", "--two-pass"), 2);
    assert_says(result.errors, "standard input is no file");
    assert_int_equal(
        MAKEBOOK("build", "games.pgn", "-o", "no.bin", "--min-games", "1", "--two-pass"), 2);
    assert_says(result.errors, "--min-games of 2 or more");
    assert_int_equal(
        MAKEBOOK("build", "games.pgn", "-o", "no.bin", "--stats", "no.wld", "--two-pass"), 2);
    assert_says(result.errors, "keep every move");
    assert_false(exists("no.bin"));
    assert_false(exists("no.wld"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_of_one_pass),
        cmocka_unit_test(it_says_what_was_not_counted),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, write_games, remove_folder);
}
