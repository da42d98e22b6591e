/* What a repertoire is expected to score against a database: show, prune, convert and explore;
 * worked out by hand; one line for what cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

#define GAME(result, round, elo, moves)                                                            \
    "[Event \"?\"]\n[Round \"" round "\"]\n[Result \"" result "\"]\n[WhiteElo \"" elo              \
    "\"]\n[BlackElo \"" elo "\"]\n\n" moves " " result "\n\n"

/* Behind 1. e4 c5 2. Nf3, in both orders of moves: d6, White has 2.5 of 3; Nc6, 0 of 1. 1. d4
 * scored nothing, 1. g4 all. The games of 2000 are those with 2... d6. */
static const char games[] = GAME("1-0", "1", "2000", "1. e4 c5 2. Nf3 d6 3. d4")
    GAME("1/2-1/2", "2", "2000", "1. e4 c5 2. Nf3 d6 3. Bb5+")
        GAME("1-0", "3", "2000", "1. Nf3 c5 2. e4 d6")
            GAME("0-1", "4", "1500", "1. e4 c5 2. Nf3 Nc6")
                GAME("1-0", "5", "1500", "1. e4 e5 2. Nc3 Nf6")
                    GAME("0-1", "6", "1500", "1. d4 d5 2. c4") GAME("1-0", "7", "1500", "1. g4 d5");

/* White's. */
static const struct book_line mine[] = {
    {"e2e4", 3},           {"g1f3", 1},           {"d2d4", 4}, {"e2e4 c7c5", 9},
    {"e2e4 c7c5 g1f3", 1}, {"g1f3 c7c5 e2e4", 1}, {"a2a3", 0}};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0 || !book_write(path_of("mine.bin"), mine, sizeof mine / sizeof *mine))
        return -1;
    write_text("games.pgn", games);
    return RUN("build", path_of("games.pgn"), "-o", path_of("games.wld"), "--facets", "rating",
               "-q") == 0
               ? 0
               : -1;
}

#define REPLIES "--replies", "games.wld", "--color", "white"

/* After 1. e4, c5 three times: .75 * .8333 = .625, by 1. Nf3 the same; e5 once, 1; together .71875.
 * 1. d4 d5: 0. The start: 3/8 .71875 + 1/8 .625 + 1/2 0. */
static void scores_by_hand(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "mine.bin", REPLIES), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "expected score of White with ");
    assert_says(result.output, ": 34.8 %, at least ");
    assert_says(result.output,
                "d4         50.0 %      0.0 %      0.0 %          1          1   0.0 %  A40 ");
    assert_says(result.output, "e4         37.5 %     71.9 %");
    assert_says(result.output, "         4          4  62.5 %  B00 King's Pawn Game\n");
    assert_says(result.output,
                "Nf3        12.5 %     62.5 %      8.3 %          1          1 100.0 %");
    assert_null(strstr(result.output, "\na3 "));
    /* Where the others move: their replies, as White scores. */
    assert_int_equal(MAKEBOOK("show", "mine.bin", "e4", "c5", "Nf3", REPLIES, "--json"), 0);
    assert_says(result.output, "\"color\": \"white\", ");
    assert_says(result.output, "\"expected\": 62.500000, \"at_least\": ");
    assert_says(result.output, "\"worth\": 4.000000, \"moves\": [\n  {\"san\": \"d6\", \"share\": "
                               "75.000000, \"expected\": 83.333333, \"at_least\": 30.99");
    assert_says(result.output, "\"worth\": 3.000000, \"games\": 3.00, \"score\": 83.333333, ");
}

static void some_of_the_games(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "mine.bin", "e4", "c5", "Nf3", REPLIES, "--rating", "1800.."),
                     0);
    assert_says(result.output, "with ");
    assert_says(result.output, ": 83.3 %, at least 31.0 %, as of 3 games\n");
    assert_null(strstr(result.output, "Nc6"));
    assert_int_equal(MAKEBOOK("show", "mine.bin", REPLIES, "--rating", "2500.."), 1);
    assert_string_equal(result.output, "");
    assert_says(result.errors, "mine.bin: no game by ");
    assert_says(result.errors, "games.wld that passes the filter comes to a move of White\n");
    /* A stream has no index to look games up in. */
    assert_int_equal(RUN("merge", path_of("games.wld"), "-o", path_of("copy.wld"), "-q"), 0);
    assert_int_equal(MAKEBOOK("show", "mine.bin", "--replies", "copy.wld", "--color", "white"), 0);
    assert_says(result.output, ": 34.8 %, at least ");
}

/* By expected scores 1. d4 is worst, which has the most weight. */
static void what_scores_worse_falls(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("prune", "mine.bin", "-o", "pruned.bin", REPLIES, "--min-score", "50"), 0);
    assert_says(result.output, "1. d4: scored too little\n");
    assert_says(result.output, "moves kept                  6\n");
    assert_int_equal(MAKEBOOK("show", "pruned.bin"), 0);
    assert_null(strstr(result.output, "d4 "));
    assert_int_equal(MAKEBOOK("prune", "mine.bin", "-o", "pruned.bin", REPLIES, "--min-games", "2"),
                     0);
    assert_says(result.output, "1. d4: in too few games\n");
    assert_says(result.output, "1. Nf3: in too few games\n");
    assert_int_equal(MAKEBOOK("prune", "mine.bin", "-o", "x.bin", "--min-score", "50"), 1);
    assert_says(result.errors,
                "mine.bin: --min-score is for statistics (.wld), or with --store or --replies\n");
}

static void weights_from_it(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("convert", "mine.bin", "made.bin", REPLIES, "--weight", "expectation",
                              "--min-games", "0"),
                     0);
    assert_string_equal(result.errors, "");
    assert_int_equal(MAKEBOOK("show", "made.bin"), 0);
    /* 65535 * .625 / .71875. What is never played stays so; 1. d4, worth nothing, falls. */
    assert_says(result.output, "e4            65535     53.5%");
    assert_says(result.output, "Nf3           56987     46.5%");
    assert_says(result.output, "a3                0      0.0%");
    assert_null(strstr(result.output, "\nd4"));
    assert_int_equal(MAKEBOOK("show", "made.bin", "e4"), 0);
    assert_says(result.output, "c5                9    100.0%"); /* the others' moves */
    /* One game is too few, unless told otherwise. */
    assert_int_equal(MAKEBOOK("convert", "mine.bin", "made.bin", REPLIES), 0);
    assert_says(result.output, " of the moves left out: worth too few games (--min-games), or ");
    assert_int_equal(MAKEBOOK("show", "made.bin"), 0);
    assert_null(strstr(result.output, "\nNf3"));
    assert_int_equal(MAKEBOOK("convert", "mine.bin", "made.bin", "--weight", "games"), 2);
    assert_says(result.errors, "or expected scores (--replies)");
}

/* Of 2... d6 and Nc6 a search of any outcome: it counts as so many games. */
static void searches_where_games_are_few(void **state)
{
    (void)state;
    write_text("lines.pgn", "[Event \"?\"]\n[Result \"*\"]\n\n1. e4 c5 2. Nf3 d6 *\n");
    assert_int_equal(RUN("vet", path_of("lines.pgn"), "--nodes", "500", "--store",
                         path_of("s.store"), "--threads", "1", "-q"),
                     0);
    assert_int_equal(RUN("show", path_of("mine.bin"), "e4", "c5", "Nf3", "--replies",
                         path_of("games.wld"), "--color", "white", "--store", path_of("s.store"),
                         "--prior", "7"),
                     0);
    assert_says(result.output, "d6         75.0 %");
    assert_says(result.output, "        10          3  83.3 %"); /* worth 3 games and 7 */
    assert_int_equal(RUN("show", path_of("mine.bin"), "--replies", path_of("games.wld"), "--color",
                         "white", "--store", path_of("s.store"), "--eval-ply", "1"),
                     0);
    assert_says(result.output, "        30          4  62.5 %"); /* the search alone */
}

static void on_a_page(void **state)
{
    static char page[1 << 21];
    (void)state;
    assert_int_equal(RUN("explore", path_of("mine.bin"), "--replies", path_of("games.wld"),
                         "--color", "white", "-o", path_of("page.html")),
                     0);
    FILE *file = fopen(path_of("page.html"), "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_says(page, "\"parts\": 1, \"expected\": \"white\", \"roots\"");
}

static void refused(int status, const char *part)
{
    assert_int_equal(result.status, status);
    assert_string_equal(result.output, "");
    assert_says(result.errors, part);
    assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));
}

static void one_line_for_what_cannot_be(void **state)
{
    (void)state;
    (void)MAKEBOOK("show", "mine.bin", "--replies", "games.wld");
    refused(2, "mine.bin plays moves of both sides: --color says whose it is");
    (void)MAKEBOOK("show", "mine.bin", "--replies", "none.wld", "--color", "white");
    refused(1, "none.wld: No such file");
    (void)MAKEBOOK("show", "mine.bin", "--replies", "mine.bin", "--color", "white");
    refused(1, "knows no results of games: --replies wants statistics (.wld), or searches");
    (void)MAKEBOOK("show", "mine.bin", "h4", REPLIES);
    refused(1, "comes here: rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - 0 1");
    (void)RUN("show", path_of("mine.bin"), "--replies", path_of("games.wld"), "--color", "white",
              "--store", path_of("games.wld"));
    refused(1, "these are statistics, no store of searches");
    (void)MAKEBOOK("show", "mine.bin", "--eval-ply", "2");
    refused(2, "--eval-ply needs --replies");
    (void)MAKEBOOK("show", "mine.bin", REPLIES, "--samples", "2");
    refused(2, "--samples: not with --replies");
    (void)MAKEBOOK("convert", "mine.bin", "games.wld", REPLIES, "--to", "bin");
    refused(2, "a book is written here, not statistics");
    /* The file is cut. */
    static char bytes[FILE_MAX];
    size_t size = read_bytes("games.wld", bytes);
    FILE *file = fopen(path_of("cut.wld"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size / 2, file), size / 2);
    assert_int_equal(fclose(file), 0);
    (void)MAKEBOOK("prune", "mine.bin", "-o", "cut.bin", "--replies", "cut.wld", "--color", "white",
                   "--min-score", "1");
    refused(1, "cut.wld");
    assert_false(exists("cut.bin"));
    /* Black's moves, which nobody's games come to. */
    static const struct book_line black[] = {{"h2h4 a7a5", 1}};
    assert_true(book_write(path_of("black.bin"), black, 1));
    (void)MAKEBOOK("show", "black.bin", "--replies", "games.wld");
    refused(1, "comes to a move of Black\n");
    (void)RUN("explore", path_of("mine.bin"), path_of("mine.bin"), "--replies",
              path_of("games.wld"), "-o", path_of("x.html"));
    refused(2, "--replies is for one book");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(some_of_the_games),
        cmocka_unit_test(what_scores_worse_falls),
        cmocka_unit_test(weights_from_it),
        cmocka_unit_test(searches_where_games_are_few),
        cmocka_unit_test(on_a_page),
        cmocka_unit_test(one_line_for_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
