/* makebook review: where games left a repertoire, by positions, and what it cost; the gaps as
 * games; one line for what cannot be. makebook coverage: see below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

#define GAME(white, black, result, site, moves)                                                    \
    "[Event \"?\"]\n[Site \"" site "\"]\n[Date \"2024.05.0" site "\"]\n[White \"" white            \
    "\"]\n[Black \"" black "\"]\n[Result \"" result "\"]\n\n" moves " " result "\n\n"

/* White's, with replies. */
static const char repertoire[] = "[Event \"White\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 "
                                 "3. d4) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *\n";

/* Left by 3. Bc4; by 2... Nc6; behind 4. Ba4, after other moves to there; as the first; not at all;
 * the last is of others. */
static const char games[] = GAME("Me", "A", "0-1", "1", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5")
    GAME("Me", "B", "1-0", "2", "1. e4 c5 2. Nf3 Nc6 3. d4 cxd4")
        GAME("Me", "C", "1/2-1/2", "3", "1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 4. Ba4 Nf6 5. O-O")
            GAME("Me", "D", "1/2-1/2", "4", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6")
                GAME("Me", "E", "1-0", "5", "1. e4 e5")
                    GAME("E", "Me", "1-0", "6", "1. e4 e5 2. Nf3")
                        GAME("F", "G", "1-0", "7", "1. d4 d5");

/* What is missing in games of mine. */
static const struct book_line whites[] = {
    {"e2e4", 1}, {"e2e4 e7e5 g1f3", 1}, {"e2e4 e7e5 g1f3 b8c6 f1b5", 1}, {"e2e4 c7c5 g1f3", 1}};

enum { WHITES = sizeof whites / sizeof *whites };

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0 || !book_write(path_of("whites.bin"), whites, WHITES))
        return -1;
    write_text("white.pgn", repertoire);
    write_text("games.pgn", games);
    return 0;
}

#define MINE "--player", "Me", "--color", "white"

static void each_game_is_judged_by_position(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", MINE, "--games"), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "as White: 5 games, 60.0 % of the points, 4.0 plies in the book\n");
    assert_says(result.output, "       2   40.0 %  by an own move, where the book has another: "
                               "-0.7 points\n"
                               "       1   20.0 %  by a reply that the book does not answer: +0.4 "
                               "points\n"
                               "       1   20.0 %  where the book's line ended: -0.1 points\n"
                               "       1   20.0 %  in the book to the end of the game\n"
                               "       1           came back to the book in another order");
    assert_says(result.output, "White, by an own move, where the book has another: 1. e4 e5 2. Nf3 "
                               "Nc6 3. Bc4\n");
    assert_says(result.output, "White, by a reply that the book does not answer: 1. e4 c5 2. Nf3 "
                               "Nc6\n");
    assert_says(result.output, "White, where the book's line ended: 1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 "
                               "4. Ba4 Nf6\n");
    assert_says(result.output, "White, in the book to the end of the game: 1. e4 e5\n");
}

static void positions_stand_by_cost(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", MINE), 0);
    assert_says(result.output, "  -0.70      2   25.0 %   60.0 %  deviation  1. e4 e5 2. Nf3 Nc6\n"
                               "      book Bb5; played Bc4 2 (25 %)\n"
                               "      game 1: Me - A 0-1 2024.05.01");
    assert_says(result.output,
                "  -0.10      1   50.0 %   60.0 %  book ended 1. Nf3 Nc6 2. e4 e5 3. "
                "Bb5 a6 4. Ba4\n      played Nf6 1 (50 %)\n");
    assert_says(result.output, "  +0.40      1  100.0 %   60.0 %  gap        1. e4 c5 2. Nf3 Nc6\n"
                               "      played d4 1 (100 %)\n");
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", MINE, "--limit", "1"),
                     0);
    assert_says(result.output, "... and 2 more; --limit 0 shows all\n");
    assert_null(strstr(result.output, "+0.40"));
}

static void as_json(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", MINE, "--json"), 0);
    assert_says(result.output, "\"white\": {\"games\": 5, \"points\": 3.0, \"plies\": 4.00, "
                               "\"deviation\": 2, \"gap\": 1, \"book_ended\": 1, \"in_book\": 1, "
                               "\"outside\": 0, \"came_back\": 1}");
    assert_says(result.output, "\"color\": \"white\", \"left\": \"gap\", \"plies\": 3, \"line\": "
                               "[\"e4\", \"c5\", \"Nf3\", \"Nc6\"]}");
    assert_says(result.output, "\"kind\": \"deviation\", \"color\": \"white\", \"fen\": ");
    assert_says(result.output, "\"games\": 2, \"points\": 0.5, \"expected\": 1.200, \"cost\": "
                               "0.700, \"line\": [\"e4\", \"e5\", \"Nf3\", \"Nc6\"], \"book\": "
                               "[\"Bb5\"], \"played\": [{\"move\": \"Bc4\", \"games\": 2, "
                               "\"points\": 0.5}], \"samples\": [");
}

/* A book of one side's moves: replies that it answers are known by what stands behind them. */
static void a_book_of_one_side(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "whites.bin", "--player", "Me"), 0);
    assert_says(result.output,
                "  not reviewed              1  of a color whose moves the book does "
                "not have\n");
    assert_says(result.output, "as White: 5 games");
    assert_null(strstr(result.output, "as Black"));
    /* 2. Nf3 is the last move there: no reply is answered. */
    assert_says(result.output, "book ended 1. e4 c5 2. Nf3\n");
    assert_says(result.output, "book ended 1. Nf3 Nc6 2. e4 e5 3. Bb5\n");
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "whites.bin"), 0);
    assert_says(result.output, "as White: 7 games");
    assert_says(result.output, "  not reviewed              7  of a color");
    assert_says(result.output, "the start\n      book e4; played d4 1 (100 %)\n");
}

/* Where the book counts games they say what was to be expected: 3. Bb5 scored 3 of 4. */
static void the_books_games_are_the_measure(void **state)
{
    (void)state;
#define SPANISH "1. e4 e5 2. Nf3 Nc6 3. Bb5"
    write_text("old.pgn",
               GAME("X", "A", "1-0", "1", SPANISH) GAME("X", "B", "1-0", "2", SPANISH)
                   GAME("X", "C", "1/2-1/2", "3", SPANISH) GAME("X", "D", "1/2-1/2", "4", SPANISH));
    assert_int_equal(
        RUN("build", path_of("old.pgn"), "--player", "X", "-o", path_of("old.wld"), "-q"), 0);
    assert_int_equal(RUN("review", path_of("games.pgn"), "--book", path_of("old.wld"), MINE), 0);
    assert_says(result.output,
                "  -1.00      2   25.0 %   75.0 %  deviation  1. e4 e5 2. Nf3 Nc6\n");
    /* Of games since a year: not asked of the statistics. */
    assert_int_equal(
        RUN("review", path_of("games.pgn"), "--book", path_of("old.wld"), MINE, "--since", "2024"),
        0);
}

static void searches_say_centipawns(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(RUN("review", path_of("games.pgn"), "--book", path_of("white.pgn"), MINE,
                             "--nodes", "2000", "--store", path_of("r.store"), "--gaps",
                             path_of("gaps.pgn")),
                         0);
        assert_says(result.output, "what it cost in centipawns, most first: 3 positions\n");
        assert_says(result.output, "      book Bb5 (");
        assert_says(result.output, "      best ");
        assert_says(result.output, i ? "searches made now: 0" : "searches made now: ");
        if (i == 0)
            assert_null(strstr(result.output, "searches made now: 0,"));
    }
    /* With the best answer, which makes it a book of answers. */
    assert_int_equal(RUN("show", path_of("gaps.pgn"), "e4 c5 Nf3 Nc6"), 0);
}

static void gaps_are_games_to_study(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("review", "games.pgn", "--book", "white.pgn", MINE, "--gaps", "study.pgn"), 0);
    assert_file("study.pgn",
                "[Event \"gap: 1 games, +0.40 points\"]\n[Site \"?\"]\n"
                "[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
                "[Black \"?\"]\n[Result \"*\"]\n\n1. e4 c5 2. Nf3 Nc6 {1 games, played "
                "d4 1} *\n\n");
}

#define REFUSES(status, text, ...)                                                                 \
    do {                                                                                           \
        assert_int_equal(MAKEBOOK("review", __VA_ARGS__), status);                                 \
        assert_says(result.errors, text);                                                          \
        assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));               \
        assert_string_equal(result.output, "");                                                    \
    } while (0)

static void one_line_for_what_cannot_be(void **state)
{
    (void)state;
    write_text("cut.pgn", "[Event \"x\"]\n\n1. e4 (");
    write_text("none.bin", "");
    REFUSES(2, "which repertoire? --book says it", "games.pgn");
    REFUSES(1, "no.bin", "games.pgn", "--book", "no.bin");
    REFUSES(1, "none.bin", "games.pgn", "--book", "none.bin");
    REFUSES(1, "no game is left to review: 1 of 1 games had faults", "cut.pgn", "--book",
            "white.pgn");
    REFUSES(1, "no.pgn", "no.pgn", "--book", "white.pgn");
    REFUSES(1, "no game is left to review: 7 of 7 games", "games.pgn", "--book", "white.pgn",
            "--player", "Nobody");
    REFUSES(1, "whites.bin plays no move of Black: no game is left to review", "games.pgn",
            "--book", "whites.bin", "--player", "Me", "--color", "black");
    REFUSES(2, "white.pgn", "games.pgn", "--book", "white.pgn", "--gaps", "white.pgn");
    REFUSES(2, "games.pgn", "games.pgn", "--book", "white.pgn", "--gaps", "games.pgn");
    REFUSES(2, "--engine", "games.pgn", "--book", "white.pgn", "--engine-option", "a=b");
    assert_file("white.pgn", repertoire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_is_judged_by_position),
        cmocka_unit_test(positions_stand_by_cost),
        cmocka_unit_test(as_json),
        cmocka_unit_test(a_book_of_one_side),
        cmocka_unit_test(the_books_games_are_the_measure),
        cmocka_unit_test(searches_say_centipawns),
        cmocka_unit_test(gaps_are_games_to_study),
        cmocka_unit_test(one_line_for_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
