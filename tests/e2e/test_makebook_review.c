/* makebook review: where games left a repertoire, by positions, and what it cost; the gaps as
 * games; one line for what cannot be. makebook coverage: an
 * example counted by hand. */
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

static void what_costs_nothing_has_no_minus(void **state)
{
    (void)state;
    write_text("even.pgn", GAME("Me", "A", "1/2-1/2", "1", "1. d4 d5"));
    assert_int_equal(MAKEBOOK("review", "even.pgn", "--book", "white.pgn", MINE), 0);
    assert_says(result.output, "by an own move, where the book has another: +0.0 points\n");
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
    assert_says(
        result.output,
        "\"color\": \"white\", \"left\": \"gap\", \"plies\": 3, \"came_back\": false, \"line\": "
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

/* A book of both colours knows what may follow a move that it does not play: that is not ours. */
static void what_the_book_never_plays_is_no_repertoire(void **state)
{
    (void)state;
    static const struct book_line both[] = {{"e2e4", 1},
                                            {"e2e4 e7e5", 1},
                                            {"e2e4 e7e6", 0},
                                            {"e2e4 e7e6 d2d4", 1},
                                            {"e2e4 e7e6 d2d4 d7d5", 1}};
    assert_true(book_write(path_of("both.bin"), both, sizeof both / sizeof *both));
    write_text("french.pgn", GAME("A", "Me", "1-0", "1", "1. e4 e6 2. d4 d5 3. e5"));
    assert_int_equal(
        MAKEBOOK("review", "french.pgn", "--book", "both.bin", "--player", "Me", "--games"), 0);
    assert_says(result.output, "Black, by an own move, where the book has another: 1. e4 e6\n");
}

/* A repertoire a colour, in one run. */
static void two_books(void **state)
{
    (void)state;
    write_text("black.pgn", "[Event \"Black\"]\n[Result \"*\"]\n\n1. e4 c5 2. Nf3 Nc6 *\n");
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", "--black", "black.pgn",
                              "--player", "Me"),
                     0);
    assert_says(result.output, "black.pgn: PGN repertoire\n");
    assert_says(result.output, "as White: 5 games");
    assert_says(result.output, "as Black: 1 games");
    assert_says(result.output, "deviation  1. e4\n      book c5; played e5 1 (0 %)\n");
    assert_says(result.output,
                "deviation  1. e4 e5 2. Nf3 Nc6\n      book Bb5; played Bc4 2 (25 %)\n");
}

/* Where the book counts games they say what was to be expected: 3. Bb5 scored 3 of 4; with ten
 * games of our 60 % that is 9 of 14. */
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
                "  -0.79      2   25.0 %   64.3 %  deviation  1. e4 e5 2. Nf3 Nc6\n");
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

/* What was found, on the page and as what to answer first -------------------------------------- */

#define REFUSES_ALL(text, command, ...)                                                            \
    do {                                                                                           \
        assert_int_not_equal(MAKEBOOK(command, __VA_ARGS__), 0);                                   \
        assert_says(result.errors, text);                                                          \
        assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));               \
        assert_string_equal(result.output, "");                                                    \
    } while (0)

static char review_text[1 << 16];

static int write_review(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", MINE, "--json"), 0);
    text_copy(review_text, sizeof review_text, span_of(result.output));
    write_text("review.txt", review_text);
    return 0;
}

/* The text of the review with something else in one place. */
static void write_changed(const char *from, const char *to)
{
    char text[sizeof review_text];
    const char *at = strstr(review_text, from);
    assert_non_null(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - review_text), review_text, to,
                   at + strlen(from));
    write_text("changed.txt", text);
}

static void a_page_holds_what_was_found(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("explore", "white.pgn", "--review", "review.txt", "-o",
                              path_of("page.html"), "-q"),
                     0);
    assert_string_equal(result.errors, "");
    assert_int_equal(MAKEBOOK("explore", "white.pgn", "--review", "review.txt", "-o", "-", "-q"),
                     0);
    assert_says(result.output, "{\"kind\": \"deviation\", \"color\": \"White\", \"fen\": ");
    assert_says(result.output, "\"games\": 2, \"cost\": 0.70, \"answered\": false, \"samples\": "
                               "[{\"text\": \"Me - A 0-1 2024.05.01\", \"link\": null}");
    assert_int_equal(MAKEBOOK("explore", "white.pgn", "-o", "-", "-q"), 0);
    assert_null(strstr(result.output, "\"kind\": \"deviation\""));
}

/* Each with the file and the line. */
static void one_line_for_what_is_no_review(void **state)
{
    (void)state;
#define PAGE(name) "white.pgn", "--review", name, "-o", path_of("no.html")
    REFUSES_ALL("no.txt: ", "explore", PAGE("no.txt"));
    write_text("cut.txt", "");
    REFUSES_ALL("cut.txt:1: this is not what makebook review --json writes", "explore",
                PAGE("cut.txt"));
    write_changed("\"kind\": \"gap\"", "\"kind\": \"gap");
    REFUSES_ALL("changed.txt:1: this is not what", "explore", PAGE("changed.txt"));
    char *end = strstr(review_text, "\"kind\": \"gap\"");
    *end = '\0';
    write_text("cut.txt", review_text);
    *end = '"';
    REFUSES_ALL("cut.txt:10: the file is cut off", "explore", PAGE("cut.txt"));
    write_changed("\"kind\": \"gap\"", "\"kind\": \"gape\"");
    REFUSES_ALL("changed.txt:10: no position of a review", "explore", PAGE("changed.txt"));
    write_changed("{\"move\": \"Bc4\"", "{\"move\": \"Ba4\"");
    REFUSES_ALL("changed.txt:8: a move that is not legal there", "explore", PAGE("changed.txt"));
    write_changed("\"book\": [\"Bb5\"]", "\"book\": [\"Be2\"]");
    REFUSES_ALL("white.pgn does not have the move Be2: another book was reviewed", "explore",
                PAGE("changed.txt"));
    write_text("fake.txt", "{\"reviewed\": [], \"positions\": {\"kind\": 1}}\n");
    REFUSES_ALL("fake.txt:1: no list of positions", "explore", PAGE("fake.txt"));
    assert_int_equal(MAKEBOOK("stats", "white.pgn", "--json"), 0);
    write_text("stats.txt", result.output);
    REFUSES_ALL("stats.txt:1: this is not what", "explore", PAGE("stats.txt"));
    write_text("black.pgn", "[Event \"Black\"]\n[Result \"*\"]\n\n1. e4 c5 2. Nf3 Nc6 *\n");
    assert_int_equal(MAKEBOOK("review", "games.pgn", "--book", "white.pgn", "--black", "black.pgn",
                              "--player", "Me", "--json"),
                     0);
    write_text("two.txt", result.output);
    REFUSES_ALL("two.txt:1: a review of two books", "explore", PAGE("two.txt"));
    REFUSES_ALL("review.txt", "explore", "white.pgn", "--review", "review.txt", "-o", "review.txt");
    assert_file("review.txt", review_text);
}

#define END "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"
#define GAP "e4 c5 Nf3 Nc6"
#define GROW                                                                                       \
    "grow", "--against", path_of("his.bin"), "--keep", path_of("white.pgn"), "--color", "white",   \
        "--nodes", "4000", "--min-nodes", "2000"

/* Does the book play a move there? */
static bool plays(const char *book, const char *moves)
{
    return RUN("show", path_of(book), moves) == 0;
}

/* The opponent's book has none of the replies that my games met: they are answered all the same,
 * the dearest first, whatever the number of threads. */
static void grow_answers_first_what_was_found(void **state)
{
    (void)state;
    static const struct book_line his[] = {{"e2e4 e7e5", 1}, {"e2e4 e7e5 g1f3 d7d6", 1}};
    assert_true(book_write(path_of("his.bin"), his, sizeof his / sizeof *his));
    assert_int_equal(RUN(GROW, "-o", path_of("plain.bin"), "-q"), 0);
    assert_true(plays("plain.bin", "e4 e5 Nf3 d6"));
    assert_false(plays("plain.bin", END));
    assert_false(plays("plain.bin", GAP));
    assert_int_equal(RUN(GROW, "-o", path_of("one.bin"), "--first", path_of("review.txt")), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "             2  positions of the review, answered first\n");
    assert_true(plays("one.bin", "e4 e5 Nf3 d6"));
    assert_true(plays("one.bin", END));
    assert_true(plays("one.bin", GAP));
    assert_int_equal(RUN(GROW, "-o", path_of("four.bin"), "--first", path_of("review.txt"),
                         "--threads", "4", "-q"),
                     0);
    assert_same_files("one.bin", "four.bin");
    assert_int_equal(RUN(GROW, "-o", path_of("few.bin"), "--first", path_of("review.txt"),
                         "--max-positions", "4", "-q"),
                     0);
    assert_true(plays("few.bin", END)); /* it cost 0.10, the gap nothing */
    assert_false(plays("few.bin", GAP));
    /* With their answers kept nothing is left to do first. */
    assert_int_equal(RUN("grow", "--against", path_of("his.bin"), "--keep", path_of("one.bin"),
                         "--color", "white", "--nodes", "4000", "--min-nodes", "2000", "--first",
                         path_of("review.txt"), "-o", path_of("again.bin"), "-q"),
                     0);
    assert_says(result.errors, "review.txt: nothing in it wants an answer");
    assert_same_files("one.bin", "again.bin");
    REFUSES_ALL("--keep", "grow", "--against", "his.bin", "--first", "review.txt", "-o", "n.bin");
    REFUSES_ALL("his.bin does not have the move Bb5", "grow", "--against", "his.bin", "--keep",
                "his.bin", "--first", "review.txt", "-o", "n.bin");
    REFUSES_ALL("white.pgn:1: this is not", "grow", "--against", "his.bin", "--keep", "white.pgn",
                "--first", "white.pgn", "-o", "n.bin");
}

#define LEARN                                                                                      \
    "learn", path_of("lost.pgn"), "--book", path_of("white.pgn"), "--player", "Me", "--color",     \
        "white", "--nodes", "4000"

/* What my games teach stays the same; the gap and the end have a move besides. */
static void learn_answers_first_what_was_found(void **state)
{
    (void)state;
    write_text("lost.pgn", GAME("Me", "A", "0-1", "1", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"));
    assert_int_equal(RUN(LEARN, "-o", path_of("plain.bin"), "-q"), 0);
    assert_false(plays("plain.bin", END));
    assert_false(plays("plain.bin", GAP));
    assert_int_equal(RUN(LEARN, "-o", path_of("one.bin"), "--first", path_of("review.txt")), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "answered                    2  positions of the review\n");
    assert_true(plays("one.bin", END));
    assert_true(plays("one.bin", GAP));
    assert_int_equal(RUN("diff", path_of("plain.bin"), path_of("one.bin"), "--threshold", "0"), 1);
    assert_says(result.output, "positions            10            0            0            2\n"
                               "moves                12            0            0            2\n");
    for (int i = 0; i < 2; i++) { /* with other threads, and again with its store */
        assert_int_equal(RUN(LEARN, "-o", path_of("four.bin"), "--first", path_of("review.txt"),
                             "--threads", i ? "1" : "4"),
                         0);
        assert_same_files("one.bin", "four.bin");
    }
    assert_says(result.output, "searches made now: 0");
    REFUSES_ALL("lost.pgn:1: this is not", "learn", "lost.pgn", "--book", "white.pgn", "--first",
                "lost.pgn", "-o", "n.bin");
    REFUSES_ALL("his.bin does not have the move Bb5", "learn", "lost.pgn", "--book", "his.bin",
                "--first", "review.txt", "-o", "n.bin");
}

/* Coverage, counted by hand ------------------------------------------------------------------ */

/* White plays 1. e4 in three of four games, else 1. Nf3, and has answers to some replies. */
static const struct book_line covered[] = {{"e2e4", 3},
                                           {"g1f3", 1},
                                           {"e2e4 e7e5 g1f3", 1},
                                           {"e2e4 e7e5 g1f3 d7d6 d2d4", 1},
                                           {"e2e4 c7c5 g1f3", 1},
                                           {"g1f3 b8c6 e2e4", 1},
                                           {"g1f3 b8c6 e2e4 d7d6 d2d4", 1}};

static const struct book_line replies[] = {{"e2e4 e7e5", 60},
                                           {"e2e4 c7c5", 30},
                                           {"e2e4 e7e6", 10},
                                           {"g1f3 d7d5", 60},
                                           {"g1f3 b8c6", 40},
                                           {"e2e4 e7e5 g1f3 b8c6", 80},
                                           {"e2e4 e7e5 g1f3 d7d6", 20},
                                           {"e2e4 c7c5 g1f3 d7d6", 7},
                                           {"g1f3 b8c6 e2e4 e7e5", 50},
                                           {"g1f3 b8c6 e2e4 d7d6", 50},
                                           {"e2e4 e7e5 g1f3 b8c6 f1b5", 1}};

/* By ply 2: 1. e4 e6 is a gap in 0.75 * 0.1 games, 1. Nf3 d5 in 0.25 * 0.6. In 0.45 of them stands
 * 1. e4 e5 2. Nf3: 2... Nc6, which has no answer, follows in 0.36. The same position comes about in
 * 0.25 * 0.4 * 0.5 by 1. Nf3 Nc6 2. e4 e5: together 0.41. 2... d6 is answered in 0.09 and 0.05,
 * where the line ends; that of 1. e4 c5 2. Nf3 ends in 0.225. */
static void coverage_as_by_hand(void **state)
{
    (void)state;
    assert_true(book_write(path_of("mine.bin"), covered, sizeof covered / sizeof *covered));
    assert_true(book_write(path_of("base.bin"), replies, sizeof replies / sizeof *replies));
    assert_int_equal(
        MAKEBOOK("coverage", "mine.bin", "--replies", "base.bin", "--min-reach", "9.5"), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output,
                "coverage: 36.50 of 100 games find an answer till their line ends; "
                "1.9 own moves a game\n"
                "    63.50  meet a gap: a reply without an answer, where others have "
                "one\n"
                "    36.50  come to the end of a line: no reply is answered there\n"
                "     0.00  come to where the database has no games\n");
    assert_says(result.output, "    2    100.00     77.50     22.50      0.00      0.00\n"
                               "    4     77.50     14.00     41.00     22.50      0.00\n"
                               "    6     14.00      0.00      0.00     14.00      0.00\n");
    assert_says(result.output, "most frequent first: 3; 3 answers make it 95 of 100\n");
    assert_says(result.output, "          2     77.50  Bb5       1. e4 e5 2. Nf3 Nc6\n"
                               "          7     92.50  ?         1. Nf3 d5\n"
                               "         13    100.00  ?         1. e4 e6\n");
    assert_says(result.output, "own moves in doubt: 1 position with several\n"
                               "          1 e4 75 %, Nf3 25 %: the start\n");
    assert_says(result.output,
                "kept, though fewer than 9.5 of 100 games come there: 2 own positions "
                "on 2 lines\n");
    assert_says(result.output, "         20         1  1. Nf3 Nc6 2. e4 d6\n");
    assert_int_equal(
        MAKEBOOK("coverage", "mine.bin", "--replies", "base.bin", "--json", "--target", "90"), 0);
    assert_says(result.output, "\"color\": \"white\", \"coverage\": 36.5000, \"moves\": 1.9150, "
                               "\"gap\": 63.5000, \"line_ended\": 36.5000, \"no_games\": 0.0000, "
                               "\"plies\": [{\"ply\": 2, \"in_book\": 100.0000, \"answered\": "
                               "77.5000, \"gap\": 22.5000, ");
    assert_says(result.output, "\"answers_wanted\": 2, ");
    assert_says(result.output, "{\"eco\": \"C00\", \"name\": \"French Defense\", \"games\": "
                               "7.5000, \"gaps\": 7.5000}");
}

/* A gap that another order of moves answers: the answer leads back. */
static void an_answer_that_leads_back(void **state)
{
    (void)state;
    static const struct book_line mine[] = {
        {"e2e4", 1}, {"e2e4 c7c6 d2d4", 1}, {"e2e4 c7c6 d2d4 d7d5 b1c3", 1}};
    static const struct book_line base[] = {
        {"e2e4 c7c6", 1}, {"e2e4 d7d5", 1}, {"e2e4 c7c6 d2d4 d7d5", 1}, {"e2e4 d7d5 e4d5", 1}};
    assert_true(book_write(path_of("m.bin"), mine, sizeof mine / sizeof *mine));
    assert_true(book_write(path_of("b.bin"), base, sizeof base / sizeof *base));
    assert_int_equal(MAKEBOOK("coverage", "m.bin", "--replies", "b.bin"), 0);
    assert_says(result.output, "coverage: 50.00 of 100 games");
    assert_says(result.output, "          2    100.00  exd5      1. e4 d5\n");
    /* A database that knows nothing of the lines. */
    assert_int_equal(MAKEBOOK("coverage", "m.bin", "--replies", "whites.bin"), 0);
    assert_says(result.output, "   100.00  come to where the database has no games\n");
    /* Black's repertoire; and one that is asked for the wrong color. */
    static const struct book_line black[] = {{"e2e4 e7e5", 1}, {"d2d4 d7d5", 1}};
    static const struct book_line first[] = {{"e2e4", 50}, {"d2d4", 30}, {"c2c4", 20}};
    assert_true(book_write(path_of("k.bin"), black, 2));
    assert_true(book_write(path_of("f.bin"), first, 3));
    assert_int_equal(MAKEBOOK("coverage", "k.bin", "--replies", "f.bin"), 0);
    assert_says(result.output, "k.bin (Black) against ");
    assert_says(result.output, "coverage: 80.00 of 100 games");
}

#define COVERAGE_REFUSES(status, text, ...)                                                        \
    do {                                                                                           \
        assert_int_equal(MAKEBOOK("coverage", __VA_ARGS__), status);                               \
        assert_says(result.errors, text);                                                          \
        assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));               \
        assert_string_equal(result.output, "");                                                    \
    } while (0)

static void coverage_says_what_cannot_be(void **state)
{
    (void)state;
    COVERAGE_REFUSES(2, "what does the other side play?", "mine.bin");
    COVERAGE_REFUSES(1, "no.bin", "no.bin", "--replies", "base.bin");
    COVERAGE_REFUSES(1, "no.bin", "mine.bin", "--replies", "no.bin");
    COVERAGE_REFUSES(2, "white.pgn plays moves of both sides: --color says", "white.pgn",
                     "--replies", "base.bin");
    COVERAGE_REFUSES(1, "b.bin comes to a move of White", "k.bin", "--replies", "b.bin", "--color",
                     "white");
    COVERAGE_REFUSES(1, "base.bin comes to a move of Black", "mine.bin", "--replies", "base.bin",
                     "--color", "black");
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
    REFUSES(1, "no.pgn", "games.pgn", "--book", "white.pgn", "--black", "no.pgn");
    REFUSES(2, "--gaps wants a file", "games.pgn", "--book", "white.pgn", "--gaps", "-");
    REFUSES(2, "--engine", "games.pgn", "--book", "white.pgn", "--engine-option", "a=b");
    assert_file("white.pgn", repertoire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_is_judged_by_position),
        cmocka_unit_test(what_costs_nothing_has_no_minus),
        cmocka_unit_test(positions_stand_by_cost),
        cmocka_unit_test(as_json),
        cmocka_unit_test(a_book_of_one_side),
        cmocka_unit_test(what_the_book_never_plays_is_no_repertoire),
        cmocka_unit_test(two_books),
        cmocka_unit_test(the_books_games_are_the_measure),
        cmocka_unit_test(searches_say_centipawns),
        cmocka_unit_test(gaps_are_games_to_study),
        cmocka_unit_test_setup(a_page_holds_what_was_found, write_review),
        cmocka_unit_test_setup(one_line_for_what_is_no_review, write_review),
        cmocka_unit_test_setup(grow_answers_first_what_was_found, write_review),
        cmocka_unit_test_setup(learn_answers_first_what_was_found, write_review),
        cmocka_unit_test(coverage_as_by_hand),
        cmocka_unit_test(an_answer_that_leads_back),
        cmocka_unit_test(coverage_says_what_cannot_be),
        cmocka_unit_test(one_line_for_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
