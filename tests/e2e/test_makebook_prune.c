/* makebook prune: every kind in and out, the list of what falls, exact numbers, bad input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

static const struct book_line openings[] = {
    {"e2e4", 60},          {"d2d4", 30},     {"g1f3", 10},          {"e2e4 e7e5", 3},
    {"e2e4 c7c5", 1},      {"d2d4 d7d5", 1}, {"e2e4 e7e5 g1f3", 1}, {"e2e4 c7c5 g1f3", 1},
    {"a2a3 a7a6 b2b3", 1}, {"g1f3 d7d5", 1},
};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0)
        return -1;
    return book_write(path_of("in.bin"), openings, sizeof openings / sizeof *openings) ? 0 : -1;
}

/* What falls is listed in the order of lines, with its reason. */
static void what_falls_is_listed(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--min-share", "26"), 0);
    assert_string_equal(result.errors, "");
    assert_true(strstr(result.output,
                       "1. Nf3: too small a share\n"
                       "1. e4 c5: too small a share\n"
                       "1. e4 c5 2. Nf3: in a position that no line reaches\n"
                       "1. Nf3 d5: in a position that no line reaches\n") == result.output);
    assert_null(strstr(result.output, "b2b3"));
    assert_says(result.output, "1 move of positions that no line reached before either (");
    assert_says(result.output, "moves read                 10");
    assert_says(result.output, "moves kept                  5");
    assert_says(result.output, "  positions                 4");
    assert_says(result.output, "  left out                  2  too small a share");
    assert_says(result.output, "  left out                  3  in a position that no line reaches");
    assert_int_equal(MAKEBOOK("verify", "out.bin"), 0);
    assert_says(result.output, "5 entries, 4 positions, 4 reached");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "quiet.bin", "--min-share", "26", "--quiet"),
                     0);
    assert_null(strstr(result.output, "1. Nf3"));
    assert_says(result.output, "moves kept                  5");
    assert_same_files("out.bin", "quiet.bin");
    /* A book that has all that it should stays as it is. */
    assert_int_equal(MAKEBOOK("prune", "out.bin", "-o", "again.bin", "--min-share", "25"), 0);
    assert_same_files("out.bin", "again.bin");
}

static void every_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"k.abk", "k.bin", "k.epd", "k.pgn", "k.lines", "k.tree"};
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "p.bin", "--best", "1", "-q"), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        /* Out: */
        assert_int_equal(
            RUN("prune", path_of("in.bin"), "-o", path_of(kinds[i]), "--best", "1", "-q"), 0);
        assert_int_equal(RUN("verify", path_of(kinds[i])), 0);
        assert_int_equal(RUN("convert", path_of(kinds[i]), path_of("back.bin"), "-q"), 0);
        assert_same_files("p.bin", "back.bin");
        /* In: */
        assert_int_equal(RUN("convert", path_of("in.bin"), path_of(kinds[i]), "-q"), 0);
        assert_int_equal(
            RUN("prune", path_of(kinds[i]), "-o", path_of("back.bin"), "--best", "1", "-q"), 0);
        assert_same_files("p.bin", "back.bin");
    }
    assert_int_equal(RUN("prune", path_of("in.bin"), "-o", "-", "--to", "epd"), 0);
    assert_says(result.output, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    assert_says(result.errors, "moves kept ");
}

/* A removed move leaves nothing behind that only it leads to. */
static void by_hand(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--remove", "1. e4 c5"), 0);
    assert_says(result.output, "1. e4 c5: taken out by hand\n"
                               "1. e4 c5 2. Nf3: in a position that no line reaches\n");
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. e4 c5"), 1);
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--remove", "e2e4", "--remove",
                              "1.d4", "--keep-unreached", "-q"),
                     0);
    assert_says(result.output, "moves kept                  3");
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. Nf3"), 0);
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. a3 a6"), 0);
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. e4 e5"), 1);
    /* The reply of a book of White's moves, which the book does not know itself. */
    assert_int_equal(MAKEBOOK("convert", "in.bin", "white.bin", "--color", "white", "-q"), 0);
    assert_int_equal(MAKEBOOK("prune", "white.bin", "-o", "out.bin", "--remove", "1. e4 c5", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. e4 e5"), 0);
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. e4 c5"), 1);
    /* A file: an added move, a weight, one that is always played. */
    write_text("hand.txt", "1. e4 : 7 # few\n1. c4 : 9\nd4 : never\n1. e4 e5 : always\n");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--override", "hand.txt",
                              "--min-share", "40", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("show", "out.bin"), 0);
    assert_says(result.output, "c4                9");
    assert_says(result.output, "e4                7");
    assert_null(strstr(result.output, "d4 "));
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. e4"), 0);
    assert_says(result.output, "e5            65535    100.0%");
    assert_null(strstr(result.output, "c5 "));
}

/* What is said of a position that no line reaches does nothing, unless such positions are kept. */
static void by_hand_beside_the_book(void **state)
{
    (void)state;
    write_text("off.txt", "1. e4 : 50\n1. h3 h6 2. h4 : 5\n1. h4 h5 2. g3 : never\n"
                          "1. a3 a6 2. b3 : 9\n");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--override", "off.txt"), 0);
    assert_null(strstr(result.errors, "off.txt:1:"));
    assert_says(result.errors, "off.txt:2: no effect: no line of the book comes here\n");
    assert_says(result.errors, "off.txt:3: no effect");
    assert_says(result.errors, "off.txt:4: no effect");
    assert_says(result.output, "moves read                 10");
    assert_says(result.output, "moves kept                  9");
    assert_null(strstr(result.output, "h2h4"));
    assert_null(strstr(result.output, "b2b3"));
    assert_says(result.output, "1 move of positions that no line reached before either (");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--override", "off.txt",
                              "--keep-unreached", "-q"),
                     0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "moves kept                 11");
    assert_int_equal(MAKEBOOK("show", "in.bin", "1. a3 a6"), 0);
    assert_says(result.output, "b3");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "out.bin", "--remove", "1. a3 a6 2. b3",
                              "--keep-unreached", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("show", "out.bin", "1. a3 a6"), 1);
}

static void by_hand_wrongly(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int status;
        const char *errors;
    } cases[] = {{"1. h4", 1, "does not know this move"},
                 {"1. e4 e4", 2, "is not legal here"},
                 {"startpos", 2, "there is no move"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "no.bin", "--remove", cases[i].line),
                         cases[i].status);
        assert_says(result.errors, cases[i].errors);
        assert_string_equal(result.output, "");
    }
    write_text("bad.txt", "1. e4 : often\n");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "no.bin", "--override", "bad.txt"), 1);
    assert_says(result.errors, "bad.txt:1:9: often is neither");
    assert_int_equal(MAKEBOOK("prune", "in.bin", "-o", "no.bin", "--reachable", "--keep-unreached"),
                     2);
    assert_false(exists("no.bin"));
}

/* By moves that the book plays: not by a weight of 0, not by others where it knows some. */
static void only_what_is_reachable(void **state)
{
    (void)state;
    static const struct book_line lines[] = {
        {"e2e4", 3},      {"d2d4", 0},           {"d2d4 d7d5", 1},
        {"e2e4 e7e5", 1}, {"e2e4 e7e5 g1f3", 1}, {"e2e4 c7c5 g1f3", 1},
    };
    assert_true(book_write(path_of("some.bin"), lines, sizeof lines / sizeof *lines));
    assert_int_equal(MAKEBOOK("prune", "some.bin", "-o", "out.bin", "-q"), 0);
    assert_says(result.output, "moves kept                  6");
    assert_int_equal(MAKEBOOK("prune", "some.bin", "-o", "out.bin", "--reachable"), 0);
    assert_says(result.output, "1. e4 c5 2. Nf3: in a position that no line reaches\n"
                               "1. d4 d5: in a position that no line reaches\n");
    assert_says(result.output, "moves kept                  4");
    /* A book of one side's moves has lines by any reply. */
    assert_int_equal(MAKEBOOK("convert", "some.bin", "white.bin", "--color", "white", "-q"), 0);
    assert_int_equal(MAKEBOOK("prune", "white.bin", "-o", "out.bin", "--reachable"), 0);
    assert_says(result.output, "moves kept                  4");
    assert_int_equal(
        MAKEBOOK("prune", "some.bin", "-o", "out.bin", "--reachable", "--start", "1. e4 e5"), 0);
    assert_says(result.output, "moves kept                  1");
}

/* Games and scores as statistics know them: as convert leaves moves out. */
static void statistics(void **state)
{
    (void)state;
    write_text("games.pgn", "[Event \"a\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n"
                            "1. e4 e5 2. Nf3 1-0\n\n"
                            "[Event \"b\"]\n[White \"c\"]\n[Black \"d\"]\n[Result \"0-1\"]\n\n"
                            "1. e4 c5 0-1\n\n"
                            "[Event \"c\"]\n[White \"e\"]\n[Black \"f\"]\n[Result \"1/2-1/2\"]\n\n"
                            "1. d4 d5 1/2-1/2\n");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "s.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("prune", "s.wld", "-o", "g.bin", "--min-games", "2"), 0);
    assert_says(result.output, "1. d4: in too few games\n");
    assert_says(result.output, "moves kept                  1");
    assert_int_equal(MAKEBOOK("prune", "s.wld", "-o", "g.bin", "--min-score", "50"), 0);
    assert_says(result.output, "1. e4 e5: scored too little\n");
    assert_says(result.output, "moves kept                  4");
    assert_int_equal(MAKEBOOK("show", "g.bin"), 0);
    assert_says(result.output, "e4");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "m.wld", "--mirror", "-q"), 0);
    assert_int_equal(MAKEBOOK("prune", "m.wld", "-o", "g.bin", "--min-score", "50"), 0);
    assert_says(result.output, "1. e4 e5: scored too little\n");
}

/* prune drops a move by the score that show tells, whatever searches the store has of it. */
static void assert_falls_by_its_score(const char *store)
{
    char score[16];
    assert_int_equal(RUN("show", store, "--json"), 0);
    const char *at = strstr(result.output, "\"score\": ");
    assert_non_null(at);
    int shown = (int)strtol(at + strlen("\"score\": "), NULL, 10);
    for (int more = 0; more < 2; more++) {
        (void)snprintf(score, sizeof score, "%d", shown + more);
        (void)MAKEBOOK("prune", "grown.bin", "-o", "by_score.bin", "--store", store, "--min-eval",
                       score);
        bool falls = strstr(result.output, "1. e4: too bad by a search\n") ||
                     strstr(result.errors, "no move is left");
        assert_int_equal(falls, more);
    }
}

/* Every move of a grown book was searched; others are not known, and stay. */
static void searches_of_a_store(void **state)
{
    (void)state;
    assert_int_equal(RUN("grow", "--against", path_of("in.bin"), "-o", path_of("grown.bin"),
                         "--depth", "6", "--min-depth", "4", "-q"),
                     0);
    const char *store = path_of("grown.bin.store");
    assert_int_equal(
        MAKEBOOK("prune", "grown.bin", "-o", "all.bin", "--store", store, "--min-eval", "-31000"),
        0);
    assert_same_files("grown.bin", "all.bin");
    assert_falls_by_its_score(store);
    assert_int_equal(MAKEBOOK("vet", "grown.bin", "--store", store, "--depth", "8", "-q"), 0);
    assert_falls_by_its_score(store);
    assert_int_equal(
        MAKEBOOK("prune", "grown.bin", "-o", "none.bin", "--store", store, "--min-eval", "31000"),
        1);
    assert_says(result.errors, "no move is left");
    assert_int_equal(MAKEBOOK("merge", "grown.bin", "in.bin", "-o", "both.bin", "-q"), 0);
    assert_int_equal(
        MAKEBOOK("prune", "both.bin", "-o", "rest.bin", "--store", store, "--min-eval", "31000"),
        0);
    assert_says(result.output, ": too bad by a search\n");
    assert_int_equal(
        MAKEBOOK("prune", "in.bin", "-o", "played.bin", "--store", store, "--min-games", "2"),
        0); /* no games are known: nothing falls by them */
    assert_says(result.output, "moves kept                  9");
}

static void fails(int status, const char *why)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, why);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors)); /* one line */
    assert_string_equal(result.output, "");
}

static void bad_input(void **state)
{
    (void)state;
    (void)MAKEBOOK("prune", "in.bin");
    fails(2, "where to? -o says it");
    (void)MAKEBOOK("prune", "in.bin", "-o", "in.bin");
    fails(2, "in.bin");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.wld");
    fails(2, "a book is written here, not statistics");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--to", "ctg");
    fails(2, "what kind of book? --to says: bin");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-share", "101");
    fails(2, "--min-share wants a percent");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-reach", "x");
    fails(2, "--min-reach wants a percent");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--color", "white");
    fails(2, "--color needs --min-reach");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-games", "3");
    fails(1, "--min-games is for statistics (.wld), or with --store");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-score", "3");
    fails(1, "--min-score is for statistics (.wld), or with --store");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-eval", "5");
    fails(2, "--min-eval needs searches: --store names them");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-eval", "a", "--store", "in.bin");
    fails(2, "--min-eval wants centipawns");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-eval", "5", "--store", "in.bin");
    fails(1, "in.bin: is no store of scores");
    assert_int_equal(RUN("convert", path_of("in.bin"), path_of("kept.pgn"), "-q"), 0);
    (void)RUN("prune", path_of("in.bin"), "-o", path_of("kept.pgn"), "--store", path_of("kept.pgn"),
              "--min-eval", "5");
    fails(2, "kept.pgn is read: it would be lost");
    (void)MAKEBOOK("prune", "in.bin", "-o", "x.bin", "--min-share", "100");
    fails(1, "in.bin: no move is left");
    (void)MAKEBOOK("prune", "none.bin", "-o", "x.bin");
    fails(1, "No such file or directory");
    assert_false(exists("x.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_is_listed),
        cmocka_unit_test(every_kind),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(by_hand_beside_the_book),
        cmocka_unit_test(by_hand_wrongly),
        cmocka_unit_test(only_what_is_reachable),
        cmocka_unit_test(statistics),
        cmocka_unit_test(searches_of_a_store),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
