/* Looking into books: makebook stats, diff, and show on a terminal; books in a running engine. */
#define _XOPEN_SOURCE 700 /* a pseudo terminal */

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine.h"
#include "makebook.h"

#define TAG "[Event \"x\"]\n\n"

/* 1.Nf3 and 1.g3 transpose; the knights' way home comes back to the start. Twelve moves. */
static const char games[] =
    "[Event \"x\"]\n\n"
    "1. e4 {[%weight 60]} e5 {[%weight 3]} (1... c5 {[%weight 1]} 2. Nf3 {[%weight 1]}) "
    "2. Nf3 {[%weight 1]} *\n\n"
    "1. Nf3 {[%weight 30]} Nf6 {[%weight 1]} 2. g3 {[%weight 3]} (2. Ng1 {[%weight 1]} Ng8 "
    "{[%weight 1]}) *\n\n"
    "1. g3 {[%weight 10]} Nf6 {[%weight 1]} 2. Nf3 {[%weight 0]} *\n";

/* As the games, but 1.e4 is rarer, 1...c5 unknown and 1.d4 with two moves behind it known. */
static const char others[] =
    "[Event \"x\"]\n\n"
    "1. e4 {[%weight 40]} e5 {[%weight 3]} 2. Nf3 {[%weight 1]} *\n\n"
    "1. d4 {[%weight 20]} d5 {[%weight 1]} 2. c4 {[%weight 1]} *\n\n"
    "1. Nf3 {[%weight 30]} Nf6 {[%weight 1]} 2. g3 {[%weight 3]} (2. Ng1 {[%weight 1]} Ng8 "
    "{[%weight 1]}) *\n\n"
    "1. g3 {[%weight 10]} Nf6 {[%weight 1]} 2. Nf3 {[%weight 0]} *\n";

static int make_folder(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("a.pgn", games);
    write_text("b.pgn", others);
    return MAKEBOOK("convert", "a.pgn", "a.bin", "-q");
}

/* Statistics of a book ------------------------------------------------------------------------ */

static void stats_count_what_is_there(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("stats", "a.pgn"), 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "\npositions                     9\n");
    assert_says(result.output, "\n  by own moves                9  ");
    assert_null(strstr(result.output, "unreached"));
    assert_says(result.output, "\nmoves                        13\n");
    assert_says(result.output, "\n  never played                1  ");
    assert_says(result.output, "\nleaves                        4  moves that end lines");
    assert_says(result.output, "\ntranspositions                1  "); /* Ng8: the start again */
    assert_says(result.output, "\nbranching                  1.44  moves a position\n");
    assert_says(result.output,
                "\nlongest line                  4  plies\n  1. Nf3 Nf6 2. Ng1 Ng8\n");
    assert_says(result.output, "\ne4                    3            5    60.0%\n");
    assert_says(result.output, "\nNf3                   3            5    30.0%\n");
    assert_says(result.output, "\ng3                    2            3    10.0%\n");
    assert_says(result.output, "\n0                     1\n1                     3\n"
                               "2                     4\n3                     1\n");
    /* Of the same moves in another kind of book the same is said. */
    char first[2000];
    (void)snprintf(first, sizeof first, "%s", strchr(result.output, '\n'));
    assert_int_equal(MAKEBOOK("stats", "a.bin"), 0);
    assert_string_equal(first, strchr(result.output, '\n'));
}

static void stats_as_json(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("stats", "a.pgn", "--json"), 0);
    assert_says(result.output,
                "\"positions\": 9, \"positions_by_own_moves\": 9, \"positions_by_others\": 0, "
                "\"positions_unreached\": 0, \"moves_unreached\": 0, \"moves\": 13, "
                "\"moves_never_played\": 1, \"leaves\": 4, \"leaves_by_own_moves\": 4, "
                "\"transpositions\": 1, \"branching\": 1.44");
    assert_says(result.output, "\"longest_line\": [\"Nf3\", \"Nf6\", \"Ng1\", \"Ng8\"]");
    assert_says(result.output, "{\"san\": \"e4\", \"weight\": 60, \"share_permille\": 600, "
                               "\"positions\": 3, \"moves\": 5}");
    assert_says(result.output, "\"depths\": [1, 3, 4, 1]}");
    assert_null(strstr(result.output, "probe_ns"));
    assert_int_equal(MAKEBOOK("stats", "a.pgn", "--json", "--probe"), 0);
    assert_says(result.output, "\"probe_ns\": ");
}

/* A book of White's moves, and one with a position that no line reaches. */
static void stats_of_what_lines_do_not_reach(void **state)
{
    (void)state;
    write_text("white.pgn", "[Event \"1\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                            "[Event \"2\"]\n\n1. e4 c5 2. Nc3 1-0\n");
    assert_int_equal(MAKEBOOK("build", "white.pgn", "-o", "white.bin", "--color", "white",
                              "--min-games", "1", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("stats", "white.bin"), 0);
    assert_says(result.output, "\npositions                     3\n");
    assert_says(result.output, "\n  by own moves                1  ");
    assert_says(result.output, "\n  by others                   2  ");
    assert_says(result.output, "\nleaves                        2  "); /* 1.e4 is none */
    assert_int_equal(MAKEBOOK("show", "white.bin"), 0);
    assert_null(strstr(result.output, "leaves"));

    const char *lonely = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_int_equal(MAKEBOOK("convert", "a.pgn", "lonely.bin", "-q"), 0);
    assert_int_equal(MAKEBOOK("add", "lonely.bin", lonely, "a8=Q", "1"), 0);
    assert_int_equal(MAKEBOOK("add", "lonely.bin", lonely, "a8=R", "1"), 0);
    assert_int_equal(MAKEBOOK("stats", "lonely.bin"), 0);
    assert_says(result.output, "\npositions                    10\n");
    assert_says(result.output, "\n  unreached                   1  on no line, with 2 moves\n");
    assert_says(result.output, "\nmoves                        15  with those; ");
    assert_int_equal(MAKEBOOK("stats", "lonely.bin", "--json"), 0);
    assert_says(result.output, "\"positions_unreached\": 1, \"moves_unreached\": 2, "
                               "\"moves\": 15, ");
}

/* Differences --------------------------------------------------------------------------------- */

static void diff_compares_positions_not_files(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "a.bin"), 0);
    assert_says(result.output, "positions             9            0            0            0\n"
                               "moves                13            0            0            0\n");
    assert_string_equal(result.errors, "");
    /* 1.g3 first leads to the same positions. */
    write_text("order.pgn", TAG
               "1. g3 {[%weight 10]} Nf6 {[%weight 1]} 2. Nf3 {[%weight 0]} *\n\n"
               "1. e4 {[%weight 60]} c5 {[%weight 1]} 2. Nf3 {[%weight 1]} *\n\n"
               "1. e4 e5 {[%weight 3]} 2. Nf3 {[%weight 1]} *\n\n"
               "1. Nf3 {[%weight 30]} Nf6 {[%weight 1]} 2. Ng1 {[%weight 1]} Ng8 {[%weight 1]} *\n"
               "\n1. Nf3 Nf6 2. g3 {[%weight 3]} *\n");
    assert_int_equal(MAKEBOOK("diff", "a.bin", "order.pgn"), 0);
}

static void diff_names_what_matters_first(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn"), 1);
    assert_says(result.output, "positions             8            0            1            2\n"
                               "moves                 9            2            2            3\n");
    const char *share = strstr(result.output, "\n~   60.00%   40.00%  1. e4\n");
    const char *sicilian = strstr(result.output, "\n<   25.00%        -  1. e4 c5  (1 position)\n");
    const char *queen = strstr(result.output, "\n>        -   20.00%  1. d4  (2 positions)\n");
    assert_true(share && sicilian && queen);
    assert_true(share < sicilian && queen < sicilian); /* they are of the first move */
    assert_null(strstr(result.output, "2. c4"));       /* it is behind 1.d4 */

    assert_int_equal(MAKEBOOK("diff", "b.pgn", "a.pgn", "--limit", "1"), 1);
    assert_says(result.output, "\n\n<   20.00%        -  1. d4  (2 positions)\n... and 3 more");
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn", "--json"), 1);
    assert_says(result.output, "\"positions_both\": 8, \"positions_only\": [1, 2], "
                               "\"moves_alike\": 9, \"moves_changed\": 2, \"moves_only\": [2, 3], "
                               "\"unreached\": [0, 0]");
    assert_says(result.output, "{\"kind\": \"move\", \"only_in\": \"B\", \"share_ppm\": [0, 200000]"
                               ", \"positions\": 2, \"line\": [\"d4\"]}");
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn", "-q"), 1);
    assert_string_equal(result.output, "");
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn", "-q", "--json"), 1);
    assert_string_equal(result.output, "");
}

static void diff_has_a_threshold(void **state)
{
    (void)state;
    write_text("1.pgn", TAG "1. e4 {[%weight 500]} *\n\n1. d4 {[%weight 500]} *\n");
    write_text("2.pgn", TAG "1. e4 {[%weight 501]} *\n\n1. d4 {[%weight 499]} *\n");
    write_text("3.pgn", TAG "1. e4 {[%weight 5]} *\n\n1. d4 {[%weight 5]} *\n");
    assert_int_equal(MAKEBOOK("diff", "1.pgn", "2.pgn"), 0); /* 0.1 percent are allowed */
    assert_int_equal(MAKEBOOK("diff", "1.pgn", "2.pgn", "--threshold", "0.0999"), 1);
    assert_int_equal(MAKEBOOK("diff", "1.pgn", "2.pgn", "--threshold", "0.0999%"), 1);
    assert_int_equal(MAKEBOOK("diff", "1.pgn", "2.pgn", "--threshold", "0"), 1);
    assert_int_equal(MAKEBOOK("diff", "1.pgn", "3.pgn", "--threshold", "0"), 0);
}

static void diff_in_trouble(void **state)
{
    (void)state;
    write_text("bad.bin", "0123456789abcdef01234");
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "bad.bin"), 2);
    assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));
    assert_int_equal(MAKEBOOK("diff", "none.bin", "a.pgn"), 2);
    assert_int_equal(MAKEBOOK("diff", "a.pgn"), 2);
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn", "--threshold", "all"), 2);
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn", "--threshold", "%"), 2);
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn", "--threshold", "5%%"), 2);
    assert_int_equal(MAKEBOOK("diff", "--help"), 0);
    assert_int_equal(MAKEBOOK("stats", "bad.bin"), 1);
    assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));
}

/* Entries without a line are compared by their keys. */
static void diff_says_which_is_better(void **state)
{
    (void)state;
    write_text("won.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                          "[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n"
                          "[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n");
    write_text("only.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    assert_int_equal(MAKEBOOK("build", "won.pgn", "--stats", "won.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("diff", "won.wld", "only.pgn"), 1);
    assert_says(result.output,
                "\nA is deeper: positions are 1.0 and 0.0 plies from the start on average; A is "
                "broader: 2.00 and 1.00 moves in a position of both (A, B).\n"
                "White: B scores better: 50.0% and 100.0% of the points in 1 position of known "
                "results, +50.0 +- 23.1 for B.\n");
    assert_int_equal(MAKEBOOK("diff", "only.pgn", "won.wld", "--json"), 1);
    assert_says(result.output, "\"score_white\": [1.0000, 0.5000], \"error_white\": 0.2310, "
                               "\"positions_scored\": 1}");
    /* Two books by the games of a third file, over the positions of both. */
    write_text("other.pgn", "[Event \"x\"]\n\n1. d4 *\n");
    assert_int_equal(MAKEBOOK("diff", "only.pgn", "other.pgn", "won.wld"), 1);
    assert_says(result.output, "White: A scores better: 100.0% and 25.0% of the points in 1 "
                               "position of known results, -75.0 +- 34.6 for B.\n");
    assert_int_equal(MAKEBOOK("diff", "only.pgn", "other.pgn", "a.pgn"), 2);
    assert_says(result.errors, "a.pgn: these are no statistics (.wld) in a file");
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "b.pgn"), 1);
    assert_null(strstr(result.output, "scores"));
    assert_int_equal(MAKEBOOK("diff", "a.pgn", "a.bin"), 0);
    assert_null(strstr(result.output, "deep"));
}

static void diff_where_no_line_leads(void **state)
{
    (void)state;
    const char *lonely = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_int_equal(MAKEBOOK("convert", "a.pgn", "x.bin", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "a.pgn", "y.bin", "-q"), 0);
    assert_int_equal(MAKEBOOK("add", "x.bin", lonely, "a8=Q", "1"), 0);
    assert_int_equal(MAKEBOOK("diff", "x.bin", "y.bin"), 1);
    assert_says(result.output, "1 positions of A and 0 of B that no line reaches differ\n");
    assert_int_equal(MAKEBOOK("add", "y.bin", lonely, "a8=Q", "7"), 0);
    assert_int_equal(MAKEBOOK("diff", "x.bin", "y.bin"), 0);
    assert_int_equal(MAKEBOOK("add", "y.bin", lonely, "a8=R", "7"), 0);
    assert_int_equal(MAKEBOOK("diff", "x.bin", "y.bin"), 1);
    assert_says(result.output, "moves                13            1            0            1\n");
    /* A book that names the position has a line to it, of no moves. */
    write_text("named.pgn", games);
    FILE *file = fopen(path_of("named.pgn"), "ab");
    assert_non_null(file);
    assert_true(
        fprintf(file, "\n[FEN \"%s\"]\n[SetUp \"1\"]\n\n1. a8=Q {[%%weight 1]} *\n", lonely) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("diff", "x.bin", "named.pgn"), 0);
    assert_int_equal(MAKEBOOK("diff", "named.pgn", "y.bin"), 1);
    assert_says(result.output, "[4k3/P7/8/8/8/8/8/4K3 w - - 0 1] 1. a8=R+\n");
}

/* On a terminal ------------------------------------------------------------------------------- */

/* What makebook writes to a terminal under a locale. The terminal stays open here until a last line
 * has come through: the kernel may drop what is still under way when its last user closes it. */
static void on_terminal(const char *locale, const char *command, const char *book, char *out,
                        size_t capacity)
{
    static const char script[] = "\"$0\" \"$1\" \"$2\"; echo \"status $?.\"";
    const char *program = process_binary("MAKEBOOK_BINARY");
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    bool has_terminals = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0;
    int slave = has_terminals ? open(ptsname(master), O_RDWR | O_NOCTTY) : -1;
    if (slave < 0) { /* a container may be without /dev/ptmx or /dev/pts */
        if (master >= 0)
            (void)close(master);
        print_message("no terminal can be opened here: skipped\n");
        skip();
    }
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)setenv("LC_ALL", locale, 1);
        if (dup2(slave, STDOUT_FILENO) >= 0)
            (void)execl("/bin/sh", "sh", "-c", script, program, command, path_of(book),
                        (char *)NULL);
        _exit(127);
    }
    size_t size = 0;
    out[0] = '\0';
    for (const char *end = NULL; !end || !strstr(end, "\r\n"); end = strstr(out, "status ")) {
        ssize_t got = read(master, out + size, capacity - 1 - size);
        if (got < 0 && errno == EINTR)
            continue;
        assert_true(got > 0);
        size += (size_t)got;
        out[size] = '\0';
    }
    assert_says(out, "status 0.\r\n");
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(close(slave), 0);
    assert_int_equal(close(master), 0);
}

static void bars_are_for_terminals(void **state)
{
    (void)state;
    static char out[1 << 14];
    on_terminal("en_US.UTF-8", "show", "a.pgn", out, sizeof out);
    assert_says(out, "60.0%  \xE2\x96\x88\xE2\x96\x88");
    assert_null(strchr(out, '#'));
    assert_null(strchr(out, '\x1B')); /* bars have no colours */
    on_terminal("C", "show", "a.pgn", out, sizeof out);
    assert_says(out, "60.0%  ############          B00 King's Pawn Game");
    assert_says(out, "30.0%  ######");
    on_terminal("C", "stats", "a.pgn", out, sizeof out);
    assert_says(out, "60.0%  ##################\r\n");
    assert_int_equal(MAKEBOOK("show", "a.pgn"), 0);
    assert_says(result.output, "60.0%  B00 King's Pawn Game\n");
    assert_null(strchr(result.output, '#'));

    write_text("w.pgn", "[Event \"1\"]\n[White \"a\"]\n\n1. e4 1-0\n\n"
                        "[Event \"2\"]\n[White \"b\"]\n\n1. e4 1/2-1/2\n\n"
                        "[Event \"3\"]\n[White \"c\"]\n\n1. e4 0-1\n\n"
                        "[Event \"4\"]\n[White \"d\"]\n\n1. e4 0-1\n");
    assert_int_equal(MAKEBOOK("build", "w.pgn", "-o", "w.wld", "-q"), 0);
    on_terminal("C", "show", "w.wld", out, sizeof out);
    assert_says(out, "e4           4 ");
    assert_says(out, "%    25.0%   25.0%   50.0%   37.5%");
    assert_says(out, "37.5%  #####=====..........  B00");
}

/* Books in a running engine ------------------------------------------------------------------- */

static void assert_answers(struct process *engine, const char *moves, const char *wanted)
{
    engine_say(engine, "position startpos%s%s", *moves ? " moves " : "", moves);
    process_write(engine, "go depth 1");
    char line[40];
    (void)snprintf(line, sizeof line, "bestmove %s", wanted);
    (void)process_read_until(engine, "info string book");
    const char *answer = process_read_until(engine, "bestmove");
    assert_int_equal(strncmp(answer, line, strlen(line)), 0);
}

/* BookFile changes between moves of one game, to books of other kinds and to several at once: the
 * first that knows the position answers. */
static void books_are_switched_in_a_session(void **state)
{
    (void)state;
    write_text("c4.pgn", TAG "1. c4 {[%weight 1]} e5 {[%weight 1]} *\n");
    write_text("f4.pgn", TAG "1. f4 {[%weight 1]} *\n\n1. c4 {[%weight 0]} c5 {[%weight 1]} *\n");
    write_text("mirror.pgn", "[Event \"1\"]\n\n1. e4 d5 2. b3 1-0\n");
    char c4_bin[100];
    char f4_epd[100];
    char wld[100];
    char both[400];
    (void)snprintf(c4_bin, sizeof c4_bin, "%s", path_of("c4.bin"));
    (void)snprintf(f4_epd, sizeof f4_epd, "%s", path_of("f4.epd"));
    (void)snprintf(wld, sizeof wld, "%s", path_of("mirror.wld"));
    assert_int_equal(MAKEBOOK("convert", "c4.pgn", "c4.bin", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "f4.pgn", f4_epd, "-q"), 0);
    assert_int_equal(
        MAKEBOOK("build", "mirror.pgn", "--mirror", "-o", "mirror.wld", "--min-games", "1", "-q"),
        0);
    struct process *engine = engine_start();
    engine_set(engine, "OwnBook", "true");
    engine_set(engine, "BookFile", c4_bin);
    assert_answers(engine, "", "c2c4");
    engine_set(engine, "BookFile", f4_epd);
    assert_answers(engine, "", "f2f4");
    assert_answers(engine, "c2c4", "c7c5");
    engine_set(engine, "BookFile", c4_bin);
    assert_answers(engine, "c2c4", "e7e5"); /* nothing of the book before is left */
    (void)snprintf(both, sizeof both, "%s; %s", f4_epd, c4_bin);
    engine_set(engine, "BookFile", both);
    assert_answers(engine, "", "f2f4");
    (void)snprintf(both, sizeof both, "%s;%s;%s", c4_bin, f4_epd, wld);
    engine_set(engine, "BookFile", both);
    assert_answers(engine, "", "c2c4");
    assert_answers(engine, "c2c4", "e7e5");
    assert_answers(engine, "e2e4 d7d5", "b2b3");      /* only the third knows it, */
    assert_answers(engine, "d2d3 e7e5 d3d4", "b7b6"); /* with either colour */
    engine_quit(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stats_count_what_is_there),
        cmocka_unit_test(stats_as_json),
        cmocka_unit_test(stats_of_what_lines_do_not_reach),
        cmocka_unit_test(diff_compares_positions_not_files),
        cmocka_unit_test(diff_names_what_matters_first),
        cmocka_unit_test(diff_has_a_threshold),
        cmocka_unit_test(diff_in_trouble),
        cmocka_unit_test(diff_says_which_is_better),
        cmocka_unit_test(diff_where_no_line_leads),
        cmocka_unit_test(bars_are_for_terminals),
        cmocka_unit_test(books_are_switched_in_a_session),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
