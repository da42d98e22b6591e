/* Statistics as Symbolic keeps them: the book of four parameters, the table, and positions of both
 * colours counted as one. Source: S. J. Edwards, "Making Symbolic's opening book", talkchess.com,
 * July 2015; all numbers are our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "book/polyglot_entry.h"
#include "book/statistics/wld.h"
#include "chess/attacks.h"
#include "chess/notation.h"
#include "makebook.h"

/* The same opening with either colour, castling included: White's side in one game, Black's, who
 * is given the move by 1.c3 or 1.e3, in the other. */
static const char sicilian[] = "[Event \"1\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n\n"
                               "[Event \"2\"]\n\n1. c3 e5 2. c4 Nf6 3. d3 0-1\n\n"
                               "[Event \"3\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O 1/2-1/2\n\n"
                               "[Event \"4\"]\n\n1. e3 e5 2. e4 Nf6 3. Nf3 Bc5 4. Bc4 O-O 1-0\n\n";

static int make_folder(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0)
        return -1;
    write_text("both.pgn", sicilian);
    return 0;
}

static void four_parameters(void **state)
{
    (void)state;
    /* Equal games count once: here each has a player of its own. */
    FILE *file = fopen(path_of("sixteen.pgn"), "wb");
    assert_non_null(file);
    for (int i = 0; i < 20; i++)
        assert_true(fprintf(file, "[Event \"x\"]\n[White \"%c\"]\n\n1. %s\n\n", 'a' + i,
                            i < 16 ? "e4 e5 1-0" : "d4 d5 0-1") > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(
        MAKEBOOK("build", "sixteen.pgn", "-o", "out.wld", "--max-ply", "64", "--min-games", "16"),
        0);
    assert_says(result.output, "games used                 20\n");
    assert_says(result.output, "leaves                      1  moves that end lines");
    assert_says(result.output, "statistics                  2  moves\n");
    assert_int_equal(MAKEBOOK("verify", "out.wld"), 0);
    assert_says(result.output, "statistics, 2 moves in 2 positions\nfacets "
                               "rating,speed,month\nmax-ply 64\nmin-games 16\n");
    assert_int_equal(MAKEBOOK("show", "out.wld"), 0);
    assert_says(result.output, "\nleaves 1: moves that end lines from here\n");
    assert_says(result.output, "\ne4          16 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    assert_null(strstr(result.output, "\nd4 ")); /* the folder may have any name */
    assert_int_equal(MAKEBOOK("build", "sixteen.pgn", "-o", "deep.wld", "--max-ply", "1",
                              "--min-games", "1", "--json"),
                     0);
    assert_says(result.output, "\"leaves\": 2,");
    assert_says(result.output, "\"statistics\": 2,");

    /* What was left out is missing from sums. */
    assert_int_equal(MAKEBOOK("merge", "out.wld", "deep.wld", "-o", "sum.wld"), 1);
    assert_says(result.errors, "has no moves of fewer than 16 games");
    assert_false(exists("sum.wld"));
    assert_int_equal(MAKEBOOK("merge", "out.wld", "out.wld", "-o", "sum.wld", "--force", "-q"), 0);
    assert_int_equal(MAKEBOOK("show", "sum.wld"), 0);
    assert_says(result.output, "\ne4          32 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");

    /* Of every move they are those of --stats. */
    assert_int_equal(MAKEBOOK("build", "sixteen.pgn", "-o", "a.wld", "--min-games", "1", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "sixteen.pgn", "--stats", "b.wld", "-q"), 0);
    assert_same_files("a.wld", "b.wld");
}

static void put(struct wld_writer *writer, const char *uci, uint64_t wins, uint64_t losses,
                uint64_t draws)
{
    struct position pos;
    move m;
    position_start(&pos);
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    const struct tally tally = {
        .key = pos.key,
        .move = polyglot_from_move(m),
        .counts = {[OUTCOME_WIN] = wins, [OUTCOME_DRAW] = draws, [OUTCOME_LOSS] = losses}};
    assert_int_equal(wld_writer_take(writer, &tally), STATUS_OK);
}

/* Columns under their heads, the most frequent move first. */
static void statistics_are_a_table(void **state)
{
    (void)state;
    struct wld_writer *writer = NULL;
    uint64_t records;
    FILE *file = fopen(path_of("table.wld"), "wb");
    assert_non_null(file);
    assert_int_equal(wld_writer_create(file, "max-ply 64\nmin-games 16\n", &writer), STATUS_OK);
    put(writer, "g1f3", 71234, 50001, 61000); /* in the order of a file */
    put(writer, "c2c4", 0, 17, 0);
    put(writer, "d2d4", 999, 1000, 1);
    put(writer, "e2e4", 1446009, 355049, 313166);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    wld_writer_destroy(writer);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("show", "table.wld"), 0);
    assert_says(
        result.output,
        "\n\n"
        "move         games   share      win    draw    loss   score  opening\n"
        "e4       2,114,224   92.0%    68.4%   14.8%   16.8%   75.8%  B00 King's Pawn Game\n"
        "Nf3        182,235    7.9%    39.1%   33.5%   27.4%   55.8%  A04 Zukertort Opening\n"
        "d4           2,000    0.1%    50.0%    0.1%   50.0%   50.0%  A40 Queen's Pawn Game\n"
        "c4              17    0.0%     0.0%    0.0%  100.0%    0.0%  A10 English Opening\n");
}

/* Games 1 and 2 are one position with either colour, so are 3 and 4. */
static void colours_share_their_counts(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("build", "both.pgn", "--mirror", "-o", "m.wld", "--min-games", "1", "-q"), 0);
    assert_int_equal(MAKEBOOK("verify", "m.wld"), 0);
    assert_says(result.output, "max-ply 40\nmirror white\n");

    assert_int_equal(MAKEBOOK("show", "m.wld", "1. e4 c5"), 0);
    assert_says(result.output, "in ");
    assert_says(result.output, ", of both colours\n");
    assert_says(result.output, "\nNf3          2 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    assert_int_equal(MAKEBOOK("show", "m.wld", "1. c3 e5 2. c4"), 0);
    assert_says(result.output, "\nNf6          2 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    /* 2...d6 and 3.d3 were both played by the loser. */
    assert_int_equal(MAKEBOOK("show", "m.wld", "1. e4 c5 2. Nf3"), 0);
    assert_says(result.output, "\nd6           2 ");
    assert_says(result.output, "%     0.0%    0.0%  100.0%    0.0%");
    assert_int_equal(MAKEBOOK("show", "m.wld", "1. c3 e5 2. c4 Nf6"), 0);
    assert_says(result.output, "\nd3           2 ");
    assert_says(result.output, "%     0.0%    0.0%  100.0%    0.0%");
    assert_int_equal(MAKEBOOK("show", "m.wld", "1. e3 e5 2. e4 Nf6 3. Nf3 Bc5 4. Bc4", "--json"),
                     0);
    assert_says(result.output, "\"mirrored\": true");
    assert_says(result.output, "\"san\": \"O-O\", \"uci\": \"e8g8\", \"games\": 2, \"wins\": 0, "
                               "\"draws\": 1, \"losses\": 1");

    /* As if counted one by one, where no colour has what the other has. */
    assert_int_equal(MAKEBOOK("build", "both.pgn", "-o", "u.wld", "--min-games", "1", "-q"), 0);
    assert_int_equal(MAKEBOOK("show", "u.wld", "1. e4 c5"), 0);
    assert_says(result.output, "\nNf3          1 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
}

static void mirrored_and_not_do_not_add(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "both.pgn", "--mirror", "--stats", "m.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "both.pgn", "--stats", "u.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "m.wld", "u.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "do not add: only one of them is mirrored\n");
    assert_int_equal(MAKEBOOK("merge", "u.wld", "m.wld", "-o", "no.wld", "--force"), 1);
    assert_says(result.errors, "only one of them is mirrored\n");
    assert_false(exists("no.wld"));
    assert_int_equal(MAKEBOOK("merge", "m.wld", "m.wld", "-o", "mm.wld", "-q", "--force"), 0);
    assert_int_equal(MAKEBOOK("show", "mm.wld", "1. c3 e5 2. c4"), 0);
    assert_says(result.output, "\nNf6          4 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    /* Cut anywhere by threads and memory: the same bytes. */
    assert_int_equal(MAKEBOOK("build", "both.pgn", "--mirror", "--stats", "j.wld", "-q", "-j", "3",
                              "--memory", "1"),
                     0);
    assert_same_files("m.wld", "j.wld");
}

/* The engine's answer with one or more books. */
static void assert_plays(const char *book, const char *moves, const char *wanted)
{
    char input[600];
    char line[40];
    (void)snprintf(input, sizeof input,
                   "setoption name BookFile value %s\nposition startpos moves %s\ngo depth 1\n"
                   "quit\n",
                   book, moves);
    (void)snprintf(line, sizeof line, "bestmove %s", wanted);
    const char *const arguments[] = {process_binary("CAXTON_BINARY"), NULL};
    struct process_result played = process_run(arguments, input);
    assert_int_equal(played.status, 0);
    assert_says(played.output, line);
    assert_says(played.output, "info string book");
    process_result_free(&played);
}

static void books_of_both_colours(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("build", "both.pgn", "--mirror", "-o", "m.wld", "--min-games", "1", "-q"), 0);
    assert_plays(path_of("m.wld"), "e2e4 c7c5", "g1f3");
    assert_plays(path_of("m.wld"), "c2c3 e7e5 c3c4", "g8f6");

    /* Into books that know positions: each stands there with both colours if a line leads to it. */
    static const char *const books[] = {"m.bin", "m.pgn"};
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        assert_int_equal(
            MAKEBOOK("convert", "m.wld", books[i], "--min-games", "1", "--weight", "games", "-q"),
            0);
        assert_int_equal(MAKEBOOK("verify", books[i]), 0);
        assert_int_equal(MAKEBOOK("show", books[i], "1. e4 c5"), 0);
        assert_says(result.output, "\nNf3 ");
        assert_int_equal(MAKEBOOK("show", books[i], "1. c3 e5 2. c4"), 0);
        assert_says(result.output, "\nNf6 ");
        assert_plays(path_of(books[i]), "c2c3 e7e5 c3c4", "g8f6");
    }
    assert_int_equal(MAKEBOOK("stats", "m.wld"), 0);
    assert_says(result.output, "statistics, mirrored\n");
    assert_int_equal(MAKEBOOK("explore", "m.wld", "-o", path_of("no.html")), 1);
    assert_says(result.errors, "m.wld: mirrored statistics; makebook convert makes a book of both");
    assert_false(exists("no.html"));

    /* An override holds for both colours, too. */
    write_text("never.txt", "1. e4 c5 2. Nf3 : never\n");
    assert_int_equal(
        MAKEBOOK("convert", "m.wld", "m.bin", "--min-games", "1", "--override", "never.txt", "-q"),
        0);
    assert_int_equal(MAKEBOOK("show", "m.bin", "1. c3 e5 2. c4"), 1);
    assert_int_equal(MAKEBOOK("show", "m.bin", "1. e4 c5"), 1);
}

static void wrong_use_is_told(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "both.pgn", "-o", "x.bin", "--mirror"), 2);
    assert_says(result.errors, "--mirror is for statistics");
    assert_int_equal(MAKEBOOK("build", "both.pgn", "-o", "x.wld", "--stats", "y.wld"), 2);
    assert_int_equal(MAKEBOOK("build", "both.pgn", "-o", "x.wld", "--weight", "games"), 2);
    assert_says(result.errors, "statistics are not weighed");
    static const char *const weighing[][2] = {
        {"--weight", "games"}, {"--uniform", "-q"}, {"--min-share", "5"}, {"--min-score", "40"}};
    for (size_t i = 0; i < sizeof weighing / sizeof *weighing; i++)
        for (int add = 0; add < 2; add++) {
            assert_int_equal(MAKEBOOK("build", "both.pgn", add ? "--add-to" : "--stats", "y.wld",
                                      weighing[i][0], weighing[i][1]),
                             2);
            assert_says(result.errors, "statistics are not weighed");
        }
    assert_int_equal(MAKEBOOK("build", "both.pgn", "--stats", "y.wld", "--min-games", "3"), 2);
    assert_says(result.errors, "--stats and --add-to keep every move: --min-games is for -o");
    assert_false(exists("x.bin"));
    assert_false(exists("x.wld"));
    assert_false(exists("y.wld"));

    struct wld_writer *writer = NULL;
    uint64_t records;
    FILE *file = fopen(path_of("odd.wld"), "wb");
    assert_non_null(file);
    assert_int_equal(wld_writer_create(file, "mirror black\n", &writer), STATUS_OK);
    put(writer, "e2e4", 1, 1, 1);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    wld_writer_destroy(writer);
    assert_int_equal(fclose(file), 0);
    static const char *const commands[] = {"show", "stats", "verify"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_int_equal(MAKEBOOK(commands[i], "odd.wld"), 1);
        assert_says(result.errors, "colours are mirrored in a way unknown here\n");
        assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_parameters),
        cmocka_unit_test(statistics_are_a_table),
        cmocka_unit_test(colours_share_their_counts),
        cmocka_unit_test(mirrored_and_not_do_not_add),
        cmocka_unit_test(books_of_both_colours),
        cmocka_unit_test(wrong_use_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
