/* Games told apart by rating, speed and month: what is asked for is what counts, everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

#define GAME(elo, control, date, moves)                                                            \
    "[White \"A\"]\n[Black \"B\"]\n[Date \"" date "\"]\n[WhiteElo \"" elo "\"]\n"                  \
    "[BlackElo \"" elo "\"]\n[TimeControl \"" control "\"]\n\n" moves "\n\n"

static const char games[] = GAME("1650", "180+2", "2024.03.01", "1. e4 e5 1-0")
    GAME("1700", "180+2", "2024.05.09", "1. e4 c5 0-1")
        GAME("2300", "60", "2025.01.01", "1. e4 1-0")
            GAME("2600", "600", "2025.??.??", "1. d4 1/2-1/2")
                GAME("?", "?", "????.??.??", "1. d4 1-0");

static int make_folder(void **state)
{
    (void)state;
    return create_folder();
}

static void make_statistics(const char *name)
{
    write_text("games.pgn", games);
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", name, "-q"), 0);
}

static void show_answers_what_is_asked(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        const char *value;
        const char *e4; /* games and wins; NULL: the move is not there */
        const char *d4;
    } rows[] = {
        {"--rating", "1600..1800", "\"games\": 2, \"wins\": 1", NULL},
        {"--rating", "1600..", "\"games\": 3, \"wins\": 2", "\"games\": 1, \"wins\": 0"},
        {"--rating", "..2500", "\"games\": 3, \"wins\": 2", NULL},
        {"--speed", "blitz", "\"games\": 2, \"wins\": 1", NULL},
        {"--speed", "Bullet,rapid", "\"games\": 1, \"wins\": 1", "\"games\": 1, \"wins\": 0"},
        {"--since", "2024-05", "\"games\": 2, \"wins\": 1", "\"games\": 1, \"wins\": 0"},
        {"--until", "2024", "\"games\": 2, \"wins\": 1", NULL},
        {"--since", "2025-01", "\"games\": 1, \"wins\": 1", "\"games\": 1, \"wins\": 0"},
        {"--since", "2025-02", NULL, NULL}, /* a year alone is not wholly behind it */
    };
    make_statistics("all.wld");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = MAKEBOOK("show", "all.wld", "--json", rows[i].option, rows[i].value);
        const char *e4 = strstr(result.output, "\"san\": \"e4\"");
        const char *d4 = strstr(result.output, "\"san\": \"d4\"");
        assert_int_equal(status, rows[i].e4 || rows[i].d4 ? 0 : 1);
        assert_true((e4 != NULL) == (rows[i].e4 != NULL));
        assert_true((d4 != NULL) == (rows[i].d4 != NULL));
        if (e4)
            assert_non_null(strstr(e4, rows[i].e4));
        if (d4)
            assert_non_null(strstr(d4, rows[i].d4));
    }
}

static void ratings_and_dates_are_told(void **state)
{
    (void)state;
    make_statistics("all.wld");
    assert_int_equal(MAKEBOOK("show", "all.wld", "--json", "--until", "2024"), 0);
    assert_says(result.output, "\"rating\": 1675, \"opponent_rating\": 1675, \"first\": "
                               "\"2024-03\", \"last\": \"2024-05\"");
    assert_int_equal(MAKEBOOK("show", "all.wld"), 0);
    assert_says(result.output, "rating opponent    first     last");
    assert_says(result.output, "    2600     2600     2025     2025");
}

static void books_are_made_of_a_band(void **state)
{
    (void)state;
    make_statistics("all.wld");
    assert_int_equal(MAKEBOOK("convert", "all.wld", "band.bin", "--rating", "1600..1800", "--speed",
                              "blitz", "--min-games", "1"),
                     0);
    assert_int_equal(MAKEBOOK("show", "band.bin"), 0);
    assert_says(result.output, "1 move in");
    assert_says(result.output, "e4");
    assert_int_equal(MAKEBOOK("explore", "all.wld", "-o", "page.html", "--rating", "2500.."), 0);
    assert_int_equal(MAKEBOOK("diff", "all.wld", "all.wld", "--since", "2025"), 0);
}

/* With facets and without, the same book. */
static void facets_change_no_sum(void **state)
{
    (void)state;
    make_statistics("all.wld");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", "plain.wld", "--facets", "none", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "a.bin", "--min-games", "1", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "plain.wld", "b.bin", "--min-games", "1", "-q"), 0);
    assert_same_files("a.bin", "b.bin");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--add-to", "plain.wld", "-q"), 1);
    assert_int_equal(
        MAKEBOOK("build", "games.pgn", "-o", "old.wld", "--facets", "none", "--updatable", "-q"),
        0);
    assert_int_equal(
        MAKEBOOK("build", "games.pgn", "-o", "new.wld", "--facets", "none", "--updatable", "-q"),
        0);
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--add-to", "new.wld", "-q"), 0);
    assert_same_files("old.wld", "new.wld");
}

/* Which of two games came first is a matter of chance: they are one only if all that is kept of
 * them is the same. */
static void order_changes_nothing(void **state)
{
    (void)state;
    static const char a[] = GAME("1500", "60", "2024.03.01", "1. e4 e5 1-0");
    static const char b[] = GAME("2500", "60", "2024.03.01", "1. e4 e5 1-0");
    write_text("a.pgn", a);
    write_text("b.pgn", b);
    assert_int_equal(MAKEBOOK("build", "a.pgn", "b.pgn", "a.pgn", "-o", "ab.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "b.pgn", "a.pgn", "b.pgn", "-o", "ba.wld", "-q"), 0);
    assert_same_files("ab.wld", "ba.wld");
    assert_int_equal(MAKEBOOK("show", "ab.wld", "--json"), 0);
    assert_says(result.output, "\"games\": 2, ");
    assert_int_equal(
        MAKEBOOK("build", "a.pgn", "b.pgn", "-o", "one.wld", "--facets", "month", "-q"), 0);
    assert_int_equal(MAKEBOOK("show", "one.wld", "--json"), 0);
    assert_says(result.output, "\"games\": 1, ");
}

static void wrong_use_is_told(void **state)
{
    (void)state;
    make_statistics("all.wld");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", "month.wld", "--facets", "month", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("show", "month.wld", "--since", "2025"), 0);
    assert_int_equal(MAKEBOOK("show", "month.wld", "--rating", "1600.."), 1);
    assert_says(result.errors, "month.wld: its games are not told apart by rating");
    assert_int_equal(MAKEBOOK("show", "all.wld", "--rating", "1700..1800"), 1);
    assert_says(result.errors, "--rating 1700..1800: ");
    assert_int_equal(MAKEBOOK("show", "all.wld", "--rating", "1800..1800"), 1);
    assert_int_equal(MAKEBOOK("show", "all.wld", "--rating", "1800"), 1);
    assert_int_equal(MAKEBOOK("show", "all.wld", "--speed", "blitz,"), 1);
    assert_int_equal(MAKEBOOK("show", "all.wld", "--speed", "fast"), 1);
    assert_int_equal(MAKEBOOK("show", "all.wld", "--since", "soon"), 1);
    assert_int_equal(MAKEBOOK("show", "all.wld", "--since", "2025.05.05"), 1); /* a month is kept */
    assert_says(result.errors, "--since 2025.05.05 --until ..: months");
    assert_int_equal(MAKEBOOK("show", "all.wld", "--since", "2025", "--until", "2024"), 1);
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", "x.bin", "--facets", "month"), 2);
    assert_int_equal(MAKEBOOK("build", "games.pgn", "-o", "x.wld", "--facets", "years"), 2);
    assert_false(exists("x.bin"));
    assert_false(exists("x.wld"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(show_answers_what_is_asked), cmocka_unit_test(ratings_and_dates_are_told),
        cmocka_unit_test(books_are_made_of_a_band),   cmocka_unit_test(facets_change_no_sum),
        cmocka_unit_test(order_changes_nothing),      cmocka_unit_test(wrong_use_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
