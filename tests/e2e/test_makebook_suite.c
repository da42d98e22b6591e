/* makebook convert --suite: openings of a book for tournaments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

/* Two lines of four plies that transpose, a longer one, and a move that is never played. */
static const char lines[] = "[Event \"x\"]\n\n1. Nf3 {[%weight 9]} d5 2. d4 Nf6 3. c4 e6 *\n\n"
                            "1. d4 {[%weight 5]} Nf6 {[%weight 2]} 2. Nf3 d5 *\n\n"
                            "1. d4 d5 {[%weight 1]} 2. c4 e6 *\n\n"
                            "1. e4 {[%weight 0]} e5 2. Nf3 Nc6 *\n";

static int set_up(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("book.pgn", lines);
    return MAKEBOOK("convert", "book.pgn", "book.bin", "-q");
}

static void each_position_stands_once(void **state)
{
    (void)state;
    assert_int_equal(RUN("convert", path_of("book.bin"), path_of("suite.epd"), "--suite", "4"), 0);
    assert_says(result.output, "suite.epd: 2 positions after 4 plies\n");
    assert_file("suite.epd",
                "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - hmvc 1; fmvn 3; "
                "id \"D02 Queen's Pawn Game: Symmetrical Variation\";\n"
                "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 3; "
                "id \"D30 Queen's Gambit Declined\";\n");
    /* Lines that are shorter are left out. */
    assert_int_equal(RUN("convert", path_of("book.bin"), path_of("suite.epd"), "--suite", "6"), 0);
    assert_says(result.output, "suite.epd: 1 position after 6 plies\n");
    /* A small suite says which would be larger. */
    assert_says(result.output, "  few lines are so long: --suite 3 gives 3; a book with a smaller "
                               "--min-games, --min-score or --min-share has more\n");
    assert_int_equal(RUN("convert", path_of("book.bin"), path_of("suite.epd"), "--suite", "3"), 0);
    assert_null(strstr(result.output, "few lines"));
    assert_int_equal(RUN("convert", path_of("book.bin"), path_of("suite.epd"), "--suite", "7"), 1);
    assert_says(result.errors, "no line of the book has 7 plies from the start");
}

static void games_have_the_line(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("convert", "book.bin", "suite.pgn", "--suite", "4", "-q"), 0);
    assert_string_equal(result.output, "");
    char text[FILE_MAX];
    text[read_bytes("suite.pgn", text)] = '\0';
    assert_says(text, "[ECO \"D02\"]");
    assert_says(text, "\n1. Nf3 d5 2. d4 Nf6 *\n");
    assert_says(text, "\n1. d4 d5 2. c4 e6 *\n");
    assert_null(strstr(text, "e4"));
}

/* A repertoire of White's moves: Black's replies are those that it has an answer to. */
static void replies_to_a_repertoire_are_followed(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("convert", "book.bin", "white.pgn", "--color", "white", "--suite", "5", "-q"), 0);
    char text[FILE_MAX];
    text[read_bytes("white.pgn", text)] = '\0';
    assert_says(text, "\n1. Nf3 d5 2. d4 Nf6 3. c4 *\n");
}

static void statistics_are_weighed_first(void **state)
{
    (void)state;
    write_text("games.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                            "[Result \"0-1\"]\n\n1. e4 e5 2. Nc3 0-1\n\n"
                            "[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 1-0\n");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "all.wld", "-q"), 0);
    assert_int_equal(RUN("convert", path_of("all.wld"), path_of("suite.epd"), "--suite", "3",
                         "--min-games", "1", "--weight", "games"),
                     0);
    assert_says(result.output, "suite.epd: 3 positions after 3 plies\n");
    assert_int_equal(RUN("convert", path_of("all.wld"), path_of("suite.epd"), "--suite", "3",
                         "--min-games", "1", "--weight", "games", "--min-share", "40"),
                     0);
    assert_says(result.output, "suite.epd: 2 positions after 3 plies\n");
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("convert", "book.bin", "suite.bin", "--suite", "4"), 2);
    assert_says(result.errors, "--suite writes .epd or .pgn");
    assert_int_equal(MAKEBOOK("convert", "book.bin", "suite.pgn", "--suite", "0"), 2);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "suite", "--suite", "3"), 2);
    assert_says(result.errors, "what kind of book?");
    assert_false(exists("suite"));
    assert_false(exists("suite.bin"));
    /* A suite is no book. */
    assert_int_equal(MAKEBOOK("convert", "book.bin", "suite.epd", "--suite", "4", "-q"), 0);
    assert_int_equal(MAKEBOOK("stats", "suite.epd"), 1);
    assert_says(result.errors, "suite.epd:1:1: no move (bm): a list of positions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_position_stands_once),
        cmocka_unit_test(games_have_the_line),
        cmocka_unit_test(replies_to_a_repertoire_are_followed),
        cmocka_unit_test(statistics_are_weighed_first),
        cmocka_unit_test(other_kinds_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
