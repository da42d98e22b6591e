/* makebook build --half-life and --elo-weight, and the books and statistics that they lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "makebook.h"

/* With half of it every 400 years before 2000.01.01: 1.e4 half a win, a draw and no loss, for its
 * game has no date; 1.d4 a quarter of a loss. */
static const char first_games[] = "[Event \"1\"]\n[Date \"1600.01.01\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                                  "[Event \"2\"]\n[Date \"2000.01.01\"]\n\n1. e4 c5 1/2-1/2\n\n";
static const char second_games[] = "[Event \"3\"]\n[Date \"????.??.??\"]\n\n1. e4 g5 0-1\n\n"
                                   "[Event \"4\"]\n[Date \"1200.01.01\"]\n\n1. d4 d5 0-1\n\n";

#define AGED "--half-life", "400", "--as-of", "2000.01.01"

static int make_folder(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    char all[sizeof first_games + sizeof second_games];
    (void)snprintf(all, sizeof all, "%s%s", first_games, second_games);
    write_text("1.pgn", first_games);
    write_text("2.pgn", second_games);
    write_text("all.pgn", all);
    assert_int_equal(MAKEBOOK("build", "1.pgn", "--stats", "1.wld", AGED, "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--stats", "2.wld", AGED, "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "all.pgn", "--stats", "all.wld", AGED, "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "1.pgn", "--stats", "whole.wld", "-q"), 0);
    return 0;
}

static void show_divides_by_the_unit(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "all.wld"), 0);
    assert_says(result.output, "e4        1.50 ");
    assert_says(result.output, "%    33.3%   66.7%    0.0%   66.7%");
    assert_says(result.output, " 85.7%  ");
    assert_says(result.output, "d4        0.25 ");
    assert_says(result.output, "%     0.0%    0.0%  100.0%    0.0%");
    assert_says(result.output, " 14.3%  ");
    assert_int_equal(MAKEBOOK("show", "all.wld", "--json", "d4"), 0);
    assert_says(result.output, "\"games\": 0.25000, \"wins\": 0.25000, \"draws\": 0.00000, "
                               "\"losses\": 0.00000, \"share_permille\": 1000");
    assert_int_equal(MAKEBOOK("verify", "all.wld"), 0);
    assert_says(
        result.output,
        "as-of 20000101\nfacets rating,speed,month\nhalf-life 400.000\nmax-ply 40\nunit 65536\n");
}

static void the_report_tells_what_games_counted(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", AGED, "--min-games", "0"), 0);
    assert_says(result.output, "games used                  3\n"
                               "  counted as             1.75  whole games, aged to 2000.01.01\n");
    assert_says(result.output, "           1  without a date, so of unknown age\n");
    assert_int_equal(
        MAKEBOOK("build", "all.pgn", "-o", "a.bin", AGED, "--json", "--min-games", "1"), 0);
    assert_says(result.output, "\"used\": 3,");
    assert_says(result.output, "\"undated\": 1,");
    assert_says(result.output, "\"unit\": 65536, \"amount\": 114688, \"as_of\": 20000101,");
    /* 1.e4 counts 1.5, 1...c5 counts 1, everything else less. */
    assert_says(result.output, "\"moves\": 2,");
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--json"), 0);
    assert_says(result.output, "\"unit\": 1, \"amount\": 4, \"plies\": ");
}

static void shards_merge_to_the_bytes_of_one_run(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("merge", "2.wld", "1.wld", "-o", "m.wld"), 0);
    assert_same_files("m.wld", "all.wld");
    assert_int_equal(MAKEBOOK("build", "2.pgn", "1.pgn", "--stats", "m.wld", AGED, "-j", "3",
                              "--memory", "1", "-q"),
                     0);
    assert_same_files("m.wld", "all.wld");
}

static void converting_equals_building(void **state)
{
    (void)state;
    static const char *const kinds[] = {"score", "games", "expectation", "wilson", "performance"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", AGED, "--min-games", "1",
                                  "--weight", kinds[i]),
                         0);
        assert_int_equal(
            MAKEBOOK("convert", "all.wld", "b.bin", "--min-games", "1", "--weight", kinds[i]), 0);
        assert_same_files("a.bin", "b.bin");
    }
}

static void aged_and_whole_games_do_not_add(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("merge", "1.wld", "whole.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "do not add: one counts whole games, the other parts of them");
    assert_int_equal(MAKEBOOK("merge", "whole.wld", "1.wld", "-o", "no.wld", "--force"), 1);
    assert_false(exists("no.wld"));
    /* Another day is another option, which --force lets through. */
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--stats", "late.wld", "--half-life", "400",
                              "--as-of", "2001", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "late.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "were counted with different options (as-of 20000101");
    assert_false(exists("no.wld"));
    assert_int_equal(MAKEBOOK("merge", "1.wld", "late.wld", "-o", "forced.wld", "--force", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("show", "forced.wld", "--json"), 0);
    assert_says(result.output, "\"games\": 1.50000");
}

static void elo_weighs_games(void **state)
{
    (void)state;
    write_text("elo.pgn", "[WhiteElo \"2600\"]\n[BlackElo \"2600\"]\n\n1. e4 1-0\n\n"
                          "[WhiteElo \"2400\"]\n\n1. d4 1-0\n\n");
    assert_int_equal(MAKEBOOK("build", "elo.pgn", "--stats", "elo.wld", "--elo-weight", "100"), 0);
    assert_says(result.output, "  counted as             2.00  whole games\n");
    assert_says(result.output, "by players of unknown Elo, so of unknown weight\n");
    assert_int_equal(MAKEBOOK("build", "elo.pgn", "--stats", "elo.wld", "--elo-weight", "100",
                              "--elo-unknown", "2200", "--elo-reference", "2400", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("show", "elo.wld"), 0);
    assert_says(result.output, "e4        4.00 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    assert_says(result.output, "d4        0.50 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    assert_int_equal(MAKEBOOK("verify", "elo.wld"), 0);
    assert_says(result.output, "elo-reference 2400\nelo-unknown 2200\nelo-weight 100\n");
}

/* Books, unlike statistics, may be aged to today, which then is in the report. */
static void today_is_the_day_unless_told(void **state)
{
    (void)state;
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "946684800", 1), 0); /* 2000-01-01 */
    assert_int_equal(
        MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--half-life", "400", "--min-games", "1"), 0);
    assert_says(result.output, "aged to 2000.01.01\n");
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "no.bin", "--half-life", "400"), 1);
    assert_says(result.errors, "use --as-of DATE\n");
    assert_false(exists("no.bin"));
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    assert_int_equal(
        MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--half-life", "400", "--min-games", "1"), 0);
    assert_says(result.output, "whole games, aged to 2");
}

static void misuse_is_told(void **state)
{
    (void)state;
    static const char *const wrong[][4] = {
        {"--half-life", "0"},
        {"--half-life", "-1"},
        {"--half-life", "1000.001"},
        {"--half-life", "7.1234"},
        {"--half-life", "soon"},
        {"--half-life", ""},
        {"--half-life", "7."},
        {"--half-life", ".5"},
        {"--half-life=1e3"},
        {"--as-of", "2000.01.01"},
        {"--elo-weight", "0"},
        {"--elo-weight", "-200"},
        {"--elo-weight", "10001"},
        {"--elo-reference", "2000"},
        {"--elo-unknown", "2000"},
        {"--half-life", "5", "--as-of", "2000.13"},
        {"--half-life", "5", "--as-of", ""},
        {"--half-life", "5", "--as-of", "????"},
        {"--half-life"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const words[] = {"build",     "all.pgn",   "-o",        "no.bin", wrong[i][0],
                                     wrong[i][1], wrong[i][2], wrong[i][3], NULL};
        assert_int_equal(makebook(words), 2);
        assert_string_equal(strchr(result.errors, '\n'), "\n");
        assert_false(exists("no.bin"));
    }
    assert_int_equal(MAKEBOOK("build", "all.pgn", "--stats", "no.wld", "--half-life", "5"), 2);
    assert_says(result.errors, "wants --as-of DATE");
    assert_false(exists("no.wld"));
}

/* The lines 1.e4 e5 2.Nf3, 1.e4 c5, 1.e4 g5 and 1.d4 d5. */
static void leaves_end_lines(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--min-games", "1", "--weight", "games"), 0);
    assert_says(result.output,
                "leaves                      4  moves that end lines from the start\n");
    assert_null(strstr(result.output, "not looked at"));
    /* Of White's moves alone 1.d4 and 2.Nf3 end lines; 1.e4 does not, for after 1...e5 there is
     * more. */
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--min-games", "1", "--weight",
                              "games", "--color", "white", "--json"),
                     0);
    assert_says(result.output, "\"moves\": 3, \"leaves\": 2, \"positions_not_looked_at\": 0,");
    /* Without 1.e4 no line leads to what follows it: three replies, and 2.Nf3, in two positions. */
    write_text("no_e4.txt", "e4 : never\n");
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--min-games", "1", "--weight",
                              "games", "--override", "no_e4.txt", "--json"),
                     0);
    assert_says(result.output, "\"leaves\": 1, \"positions_not_looked_at\": 2,");
    /* Other moves lead there: verify finds nothing that is out of reach. */
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--min-games", "1", "--weight",
                              "games", "--override", "no_e4.txt"),
                     0);
    assert_says(result.output, "  not looked at             2  positions that the book's own moves "
                               "do not reach: kept, others lead there\n");
    assert_int_equal(MAKEBOOK("verify", "a.bin"), 0);
    assert_says(result.output, ", 0 not reached");
    /* From the start that was asked for. */
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--min-games", "1", "--weight",
                              "games", "--start", "e4", "--json"),
                     0);
    assert_says(result.output, "\"leaves\": 3, \"positions_not_looked_at\": 0,");
    /* Lines of Chess960 begin at its starts, as those of stats do. */
    write_text("960.pgn", "[Event \"5\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN "
                          "\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n"
                          "1. e4 e5 2. f4 1-0\n");
    assert_int_equal(MAKEBOOK("build", "960.pgn", "-o", "960.bin", "--min-games", "1", "--weight",
                              "games", "--variant", "chess960", "--json"),
                     0);
    assert_says(result.output, "\"leaves\": 1, \"positions_not_looked_at\": 0,");
    assert_int_equal(MAKEBOOK("stats", "960.bin", "--json"), 0);
    assert_says(result.output, "\"leaves_by_own_moves\": 1,");
    /* Standard output cannot be read again, and statistics are no book. */
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "-", "--min-games", "1", "--json"), 0);
    assert_says(result.errors, "\"moves\": ");
    assert_null(strstr(result.errors, "leaves"));
}

/* A book that nothing could play from is not written, least of all over one that is there. */
static void empty_input_is_no_book(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n\n", "; nothing\n% at all\n{ but a\ncomment }\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text("empty.pgn", texts[i]);
        write_text("e.bin", "a book");
        assert_int_equal(MAKEBOOK("build", "empty.pgn", "-o", "e.bin"), 1);
        assert_says(result.errors, "no games found\n");
        assert_says(result.errors,
                    "no move is left for the book: there are no games; nothing is written\n");
        process_result_free(&result);
        result = process_run((const char *const[]){process_binary("MAKEBOOK_BINARY"), "build", "-",
                                                   "-o", path_of("e.bin"), NULL},
                             texts[i]);
        assert_int_equal(result.status, 1);
        assert_says(result.errors, "standard input: no games found\n");
        char kept[FILE_MAX];
        assert_int_equal(read_bytes("e.bin", kept), 6);
    }
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "e.bin", "--player", "Nobody"), 1);
    assert_int_equal(MAKEBOOK("build", "empty.pgn", "--stats", "none.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "none.wld", "e.bin"), 1);
    assert_says(result.errors, "no move is left\n");
    write_text("e.wld", "statistics");
    assert_int_equal(MAKEBOOK("build", "empty.pgn", "--stats", "e.wld"), 1);
    assert_says(result.errors,
                "no move is left for the statistics: there are no games; nothing is written\n");
    char kept[FILE_MAX];
    assert_int_equal(read_bytes("e.wld", kept), 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(show_divides_by_the_unit),
        cmocka_unit_test(the_report_tells_what_games_counted),
        cmocka_unit_test(shards_merge_to_the_bytes_of_one_run),
        cmocka_unit_test(converting_equals_building),
        cmocka_unit_test(aged_and_whole_games_do_not_add),
        cmocka_unit_test(elo_weighs_games),
        cmocka_unit_test(today_is_the_day_unless_told),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(leaves_end_lines),
        cmocka_unit_test(empty_input_is_no_book),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
