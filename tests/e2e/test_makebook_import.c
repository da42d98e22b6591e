/* makebook import, and what show, prune, convert and explore do with what it imported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

/* 1. e4 f6 scored best of Black's replies, and is no good. */
static const char games[] =
    "[Event \"a\"]\n[Result \"0-1\"]\n\n1. e4 { [%eval 0.3] } f6 { [%clk 0:01:00] } { [%eval 1.9] "
    "} "
    "2. d4 {[%clk 0:01:00] [%eval 1.6,18]} 0-1\n\n"
    "[Event \"b\"]\n[Result \"0-1\"]\n\n1. e4 {[%eval 0.3,20]} f6 2. Qh5+ {[%eval #-3]} g6 0-1\n\n"
    "[Event \"c\"]\n[Result \"1-0\"]\n\n1. e4 e5 {no score} {[%eval 0.25]} 2. Nf3 1-0\n\n"
    "[Event \"d\"]\n[Result \"1/2-1/2\"]\n\n1. d4 {+0.30/12} d5 1/2-1/2\n";

/* The start position, one behind 1. e4 f6, and one that no game has. */
static const char lichess[] =
    "{\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq "
    "-\",\"evals\":[{\"pvs\":[{\"cp\":18,"
    "\"line\":\"e2e4 e7e5\"},{\"cp\":15,\"line\":\"d2d4 g8f6\"}],\"knodes\":5,\"depth\":40}]}\n"
    "{\"fen\":\"rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq "
    "-\",\"evals\":[{\"pvs\":[{\"cp\":"
    "150,\"line\":\"d2d4\"}],\"knodes\":9,\"depth\":33}]}\n"
    "{\"fen\":\"7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - "
    "-\",\"evals\":[{\"pvs\":[{\"cp\":69,\"line\":"
    "\"f7g7\"}],\"knodes\":9,\"depth\":46}]}\n";

static int set_up(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("games.pgn", games);
    write_text("lichess.txt", lichess);
    write_text("chessdb.txt", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - ; cdb eval: "
                              "-20, ply: 1;\n");
    return RUN("build", path_of("games.pgn"), "-o", path_of("all.wld"), "--min-games", "1", "-q") |
           RUN("convert", path_of("all.wld"), path_of("book.bin"), "--min-games", "1", "--weight",
               "games", "-q");
}

static int import(const char *from, const char *to)
{
    return RUN("import", path_of(from), "-o", path_of(to));
}

static int show(const char *book, const char *store, const char *moves)
{
    return RUN("show", path_of(book), "--store", path_of(store), "--json", moves);
}

static void lichess_beside_statistics(void **state)
{
    (void)state;
    assert_int_equal(import("lichess.txt", "lichess.store"), 0);
    assert_says(result.output,
                "3 lines or games read, 3 with evaluations that are wanted, 0 faulty");
    assert_says(result.output, "7 scores of Lichess evaluations");
    assert_string_equal(result.errors, "");
    assert_int_equal(show("all.wld", "lichess.store", ""), 0);
    assert_says(result.output, "\"scores_of\": \"Lichess evaluations\"");
    assert_says(result.output,
                "\"uci\": \"e2e4\", \"games\": 3, \"wins\": 1, \"draws\": 0, \"losses\""
                ": 2, \"share_permille\": 750, \"score_permille\": 333, \"score\": 18, "
                "\"depth\": 40, \"nodes\": 5000");
    assert_says(result.output, "\"score\": 15, \"depth\": 40");
    assert_int_equal(RUN("show", path_of("all.wld"), "--store", path_of("lichess.store"), "e4"), 0);
    assert_says(result.output, "scores of Lichess evaluations\n");
    assert_says(result.output, "100.0%   -1.50??    34  B00 Barnes");
    assert_int_equal(RUN("show", path_of("book.bin"), "--store", path_of("lichess.store"), "e4"),
                     0);
    assert_says(result.output, "   -1.50    34           9,000");
}

/* What nobody wants is not kept; what is kept is alike from a pipe, packed or not. */
static void only_of_a_book(void **state)
{
    (void)state;
    const char *const books[] = {"all.wld", "book.bin"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(RUN("import", path_of("lichess.txt"), "--book", path_of(books[i]), "-o",
                             path_of("some.store")),
                         0);
        assert_says(result.output, "3 lines or games read, 2 with evaluations that are wanted");
        assert_int_equal(show("all.wld", "some.store", "e4"), 0);
        assert_says(result.output,
                    "\"score\": -150, \"depth\": 34, \"nodes\": 9000, \"refuted\": true");
    }
    assert_int_equal(
        RUN("import", path_of("lichess.txt"), "--book", path_of("all.wld"), "-o", "-", "-q"), 0);
    assert_string_equal(result.errors, "");
    assert_int_equal(RUN("import", path_of("chessdb.txt"), "--book", path_of("book.bin"), "-o",
                         path_of("chessdb.store")),
                     0);
    assert_says(result.output, "1 scores of chessdb.cn");
    assert_int_equal(RUN("verify", path_of("some.store")), 0);
}

static void scores_in_games(void **state)
{
    (void)state;
    assert_int_equal(import("games.pgn", "games.store"), 0);
    assert_says(result.output, "4 lines or games read, 3 with evaluations");
    assert_int_equal(show("all.wld", "games.store", ""), 0);
    assert_says(result.output, "\"score\": 30, \"depth\": 21"); /* the deeper of two */
    assert_int_equal(show("all.wld", "games.store", "e4"), 0);
    assert_says(result.output, "\"score\": -190, \"depth\": 0, \"nodes\": 0, \"refuted\": true");
    assert_says(result.output, "\"score\": -25, \"depth\": 0");
    assert_int_equal(show("all.wld", "games.store", "e4 f6"), 0);
    assert_says(result.output, "\"score\": \"#-3\"");
    assert_says(result.output, "\"score\": 160, \"depth\": 19");
    assert_int_equal(
        RUN("import", path_of("games.pgn"), path_of("lichess.txt"), "-o", path_of("both.store")),
        1);
    assert_says(result.errors,
                "lichess.txt: Lichess evaluations beside evaluations in games: import "
                "each by itself");
    assert_false(exists("both.store"));
    assert_int_equal(RUN("import", path_of("games.pgn"), path_of("lichess.txt"), "--source", "Both",
                         "-o", path_of("both.store"), "-q"),
                     0);
    assert_string_equal(result.output, "");
    assert_int_equal(show("all.wld", "both.store", "e4"), 0);
    assert_says(result.output, "\"scores_of\": \"Both\"");
}

/* Commands that search refuse such a store, and it stays as it was. */
static void never_taken_for_ours(void **state)
{
    (void)state;
    assert_int_equal(RUN("import", path_of("lichess.txt"), "--source", "Caxton 1.0", "-o",
                         path_of("false.store")),
                     0);
    assert_int_equal(
        RUN("vet", path_of("book.bin"), "--store", path_of("false.store"), "--depth", "3", "-q"),
        1);
    assert_says(result.errors, "scores of Caxton 1.0, not of ");
    assert_int_equal(
        RUN("merge", path_of("false.store"), path_of("false.store"), "-o", path_of("sum.store")),
        0);
    assert_same_files("false.store", "sum.store");
    assert_int_equal(import("lichess.txt", "lichess.store"), 0);
    assert_int_equal(
        RUN("merge", path_of("false.store"), path_of("lichess.store"), "-o", path_of("sum.store")),
        1);
    assert_says(result.errors, "scores of Lichess evaluations, not of Caxton 1.0");
}

static void prune_statistics(void **state)
{
    (void)state;
    assert_int_equal(import("lichess.txt", "lichess.store"), 0);
    assert_int_equal(RUN("prune", path_of("all.wld"), "-o", path_of("good.bin"), "--store",
                         path_of("lichess.store"), "--min-eval", "-100"),
                     0);
    assert_says(result.output, "1. e4 f6: too bad by a search\n");
    assert_int_equal(RUN("show", path_of("good.bin"), "e4"), 0);
    assert_null(strstr(result.output, "f6"));
    assert_int_equal(RUN("prune", path_of("all.wld"), "-o", path_of("good.bin"), "--store",
                         path_of("lichess.store"), "--min-eval", "-151", "--min-games", "2", "-q"),
                     0);
    assert_says(result.output, "moves kept                  2"); /* 1. e4 f6 */
}

/* A move that is 100 centipawns worse counts a quarter; what no search knows, all. */
static void weights_by_scores(void **state)
{
    (void)state;
    write_text("four.pgn", "[Result \"0-1\"]\n\n1. e4 {[%eval 0.3]} f6 {[%eval 1.3]} 0-1\n\n"
                           "[Result \"0-1\"]\n\n1. e4 e5 {[%eval 0.3]} 0-1\n\n"
                           "[Result \"0-1\"]\n\n1. e4 c5 {[%eval 0.55]} 0-1\n\n"
                           "[Result \"0-1\"]\n\n1. e4 d5 0-1\n");
    assert_int_equal(RUN("build", path_of("four.pgn"), "-o", path_of("four.wld"), "-q"), 0);
    assert_int_equal(import("four.pgn", "four.store"), 0);
    const char *const words[] = {"convert",
                                 path_of("four.wld"),
                                 path_of("four.bin"),
                                 "--store",
                                 path_of("four.store"),
                                 "--min-games",
                                 "1",
                                 "-q",
                                 NULL};
    assert_int_equal(run(words), 0);
    assert_int_equal(RUN("show", path_of("four.bin"), "e4"), 0);
    assert_says(result.output, "e5            65535 ");
    assert_says(result.output, "d5            65535 ");
    assert_says(result.output, "c5            49151 ");
    assert_says(result.output, "f6            16384 ");
    assert_int_equal(RUN("convert", path_of("four.wld"), path_of("four.bin"), "--store",
                         path_of("four.store"), "--min-games", "1", "--min-eval", "-100", "-q"),
                     0);
    assert_int_equal(RUN("show", path_of("four.bin"), "e4"), 0);
    assert_null(strstr(result.output, "f6"));
    assert_says(result.output, "c5            49151 ");
    assert_int_equal(RUN("convert", path_of("four.wld"), path_of("four.bin"), "--min-eval", "1"),
                     2);
    assert_int_equal(
        RUN("convert", path_of("book.bin"), path_of("four.bin"), "--store", path_of("four.store")),
        2);
    assert_int_equal(
        RUN("convert", path_of("four.wld"), path_of("four.bin"), "--store", path_of("book.bin")),
        1);
}

static void fails(const char *text, const char *says)
{
    write_text("bad.txt", text);
    assert_int_equal(import("bad.txt", "bad.store"), 1);
    assert_says(result.errors, says);
    assert_int_equal(strchr(result.errors, '\n') - result.errors + 1, strlen(result.errors));
    assert_false(exists("bad.store"));
}

static void bad_input(void **state)
{
    (void)state;
    static char cut[sizeof lichess];
    memcpy(cut, lichess, sizeof cut);
    cut[strcspn(cut, "\n") + 60] = '\0';
    fails(cut, "bad.txt:2: no JSON with a fen and evals, as Lichess publishes it");
    fails("some text\n", "no evaluation");
    fails("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - cdb eval: 3\nx y\n", "bad.txt:2: ");
    /* A line that lies costs itself alone. */
    write_text("lies.txt",
               "7k/8/6K1/8/8/8/8/R7 w - - cdb eval: 1; PV: a1b8\n"
               "7k/8/6K1/8/8/8/8/R7 w - - cdb eval: 9999999;\n"
               "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - cdb eval: -20\n");
    assert_int_equal(import("lies.txt", "lies.store"), 0);
    assert_says(result.errors, "warning: ");
    assert_says(result.errors, "lies.txt:1: an illegal move, or a score that is none");
    assert_null(strstr(result.errors, "lies.txt:2"));
    assert_says(result.output, "2 faulty");
    assert_says(result.output, ": 1 scores of chessdb.cn");
    /* Words that do not go together. */
    assert_int_equal(RUN("import", path_of("lichess.txt"), "-o", path_of("lichess.txt")), 2);
    assert_int_equal(RUN("import", path_of("lichess.txt"), "-o", path_of("x.bin")), 2);
    assert_int_equal(RUN("import", path_of("lichess.txt")), 2);
    assert_int_equal(
        RUN("import", path_of("lichess.txt"), "--source", "", "-o", path_of("x.store")), 2);
    assert_int_equal(RUN("import", path_of("lichess.txt"), "--book", path_of("none.bin"), "-o",
                         path_of("x.store")),
                     1);
    assert_int_equal(RUN("show", path_of("all.wld"), "--store", path_of("book.bin")), 1);
    assert_says(result.errors, "book.bin: is no store of scores");
    write_text("long.txt", "{\"fen\":\"");
    FILE *file = fopen(path_of("long.txt"), "ab");
    assert_non_null(file);
    for (int i = 0; i < 1 << 16; i++)
        assert_true(fputs("                                ", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(import("long.txt", "x.store"), 1);
    assert_says(result.errors, "long.txt:1: a line of more than a million bytes");
}

/* Files beside others: one of another kind is no quiet nothing, one without a word is no games. */
static void one_of_several(void **state)
{
    (void)state;
    write_text("empty.txt", "\xef\xbb\xbf\r\n# nothing\n");
    assert_int_equal(import("empty.txt", "bad.store"), 1);
    assert_says(result.errors, "empty.txt: nothing is in it");
    assert_says(result.errors, "empty.txt: no evaluation");
    assert_int_equal(RUN("import", path_of("empty.txt"), path_of("lichess.txt"),
                         path_of("empty.txt"), "-o", path_of("beside.store")),
                     0);
    assert_says(result.errors, "warning: ");
    assert_says(result.output, "7 scores of Lichess evaluations");
    assert_int_equal(
        RUN("import", path_of("games.pgn"), path_of("all.wld"), "-o", path_of("bad.store")), 1);
    assert_says(result.errors, "all.wld: no evaluation: neither");
    assert_int_equal(RUN("import", path_of("lichess.txt"), path_of("book.bin"), "--source", "x",
                         "-o", path_of("bad.store")),
                     1);
    assert_says(result.errors, "book.bin: no evaluation: neither");
    assert_false(exists("bad.store"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lichess_beside_statistics),
        cmocka_unit_test(only_of_a_book),
        cmocka_unit_test(scores_in_games),
        cmocka_unit_test(never_taken_for_ours),
        cmocka_unit_test(prune_statistics),
        cmocka_unit_test(weights_by_scores),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(one_of_several),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
