/* Experience files of other engines on the command line: looked at, repaired, added up, pruned, and
 * both ways between them and stores. What they mean is in tests/unit/book/test_experience.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

#define SUGAR TEST_DATA_DIR "/experience/sugar_ai_230.exp"
#define BRAIN TEST_DATA_DIR "/experience/brainlearn_30.exp"

static int set_up(void **state)
{
    (void)state;
    return create_folder();
}

/* The first `size` bytes of a file, then those from `next` on. */
static void copy_without(const char *path, const char *name, size_t size, size_t next)
{
    static char bytes[FILE_MAX];
    FILE *in = fopen(path, "rb");
    FILE *out = fopen(path_of(name), "wb");
    assert_true(in && out);
    size_t all = fread(bytes, 1, sizeof bytes, in);
    assert_true(fwrite(bytes, 1, size, out) == size);
    if (next < all)
        assert_true(fwrite(bytes + next, 1, all - next, out) == all - next);
    assert_int_equal(fclose(in) | fclose(out), 0);
}

static int size_of(const char *name)
{
    static char bytes[FILE_MAX];
    return (int)read_bytes(name, bytes);
}

static void looked_at(void **state)
{
    (void)state;
    assert_int_equal(RUN("show", SUGAR, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), 0);
    assert_says(result.output, "Rd8#");
    assert_says(result.output, "#1");
    assert_int_equal(RUN("show", BRAIN, "--json"), 0);
    assert_says(result.output, "\"san\": \"Nf3\", \"uci\": \"g1f3\", \"weight\": 1, ");
    assert_says(result.output, "\"score\": 12, \"depth\": 10");
    assert_int_equal(RUN("verify", BRAIN), 0);
    assert_says(result.output, "experience file, 25 moves, 18 positions, ");
}

static void repaired(void **state)
{
    (void)state;
    copy_without(SUGAR, "cut.exp", 26 + 24 * 5 + 9, 26 + 24 * 6);
    assert_int_equal(RUN("verify", path_of("cut.exp")), 1);
    assert_says(result.output, "byte 146: no record: they go on at byte 155");
    assert_int_equal(RUN("verify", path_of("cut.exp"), "--repair", "-o", path_of("sound.exp")), 0);
    assert_int_equal(RUN("verify", path_of("sound.exp")), 0);
    assert_says(result.output, "experience file, 21 moves, 17 positions, ");
    assert_says(result.output, ": 0 faults");
    assert_int_equal(size_of("sound.exp"), 26 + 24 * 21);
}

static void added_up_and_written_for_both(void **state)
{
    (void)state;
    assert_int_equal(RUN("merge", SUGAR, BRAIN, "-o", path_of("all.exp")), 0);
    assert_says(result.output, "47 moves read");
    assert_says(result.errors, "of 36 positions left out: no line reaches them");
    assert_int_equal(RUN("show", path_of("all.exp")), 0);
    assert_says(result.output, "e4 ");
    assert_says(result.output, "Nf3 ");
    assert_int_equal(RUN("convert", path_of("all.exp"), path_of("b.exp"), "--to", "exp-brainlearn"),
                     0);
    assert_true(size_of("b.exp") % 24 == 0);
    assert_int_equal(RUN("convert", path_of("b.exp"), path_of("s.exp"), "--to", "exp-sugar"), 0);
    assert_int_equal((size_of("s.exp") - 26) % 24, 0);
    assert_int_equal(RUN("prune", path_of("s.exp"), "-o", path_of("p.exp"), "--store",
                         path_of("s.exp"), "--min-eval", "54"),
                     0);
    assert_int_equal(RUN("show", path_of("p.exp")), 0);
    assert_says(result.output, "Nf3 ");
    assert_null(strstr(result.output, "0.53"));
    /* What only a key tells of is not lost without a word. */
    assert_int_equal(RUN("prune", SUGAR, "-o", path_of("p.exp"), "--best", "1"), 0);
    assert_says(result.errors, "16 of 18 positions left out: no line reaches them");
}

static void moves_of_no_line_are_counted(void **state)
{
    (void)state;
    assert_int_equal(RUN("stats", SUGAR), 0);
    assert_says(result.output, "\n  unreached                  16  on no line, with 20 moves\n");
    assert_says(result.output, "\nmoves                        22  with those;");
}

/* Moves of positions that are known by their keys alone are not said to be alike. */
static void compared(void **state)
{
    (void)state;
    copy_without(SUGAR, "short.exp", 26 + 24 * 20, FILE_MAX);
    assert_int_equal(RUN("diff", SUGAR, path_of("short.exp")), 0);
    assert_says(result.errors, "16 of 18 positions are not compared: no line reaches them");
    assert_says(result.errors, "short.exp: ");
}

static void stores(void **state)
{
    (void)state;
    assert_int_equal(RUN("convert", BRAIN, path_of("b.store")), 0);
    assert_says(result.output, "of them scores");
    assert_int_equal(RUN("convert", path_of("b.store"), path_of("of_store.exp")), 0);
    assert_int_equal(RUN("show", path_of("of_store.exp")), 0);
    assert_says(result.output, "0.12    10");
    /* Their scores are theirs. */
    assert_int_equal(RUN("merge", SUGAR, BRAIN, "-o", path_of("x.store")), 1);
    assert_says(result.errors, "scores of experience of BrainLearn or ShashChess");
    assert_int_equal(RUN("grow", "--against", BRAIN, "-o", path_of("x.bin"), "--depth", "4",
                         "--min-depth", "4", "--store", path_of("b.store"), "-q"),
                     1);
    assert_says(result.errors, "scores of experience of BrainLearn or ShashChess");
    assert_false(exists("x.store"));
    assert_false(exists("x.bin"));
}

static void nothing_without_scores(void **state)
{
    (void)state;
    write_text("x.lines", "lines san\ne4 e5\n");
    assert_int_equal(RUN("convert", path_of("x.lines"), path_of("x.exp")), 1);
    assert_says(result.errors, "has no scores of searches");
    assert_false(exists("x.exp"));
    write_text("x.pgn", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    assert_int_equal(RUN("build", path_of("x.pgn"), "-o", path_of("x.wld")), 0);
    assert_int_equal(RUN("convert", path_of("x.wld"), path_of("x.exp"), "--min-games", "1"), 1);
    assert_says(result.errors, "x.wld has no scores of searches"); /* and is no Polyglot book */
    assert_int_equal(RUN("add", SUGAR, "startpos", "d4", "9"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looked_at),
        cmocka_unit_test(repaired),
        cmocka_unit_test(added_up_and_written_for_both),
        cmocka_unit_test(moves_of_no_line_are_counted),
        cmocka_unit_test(compared),
        cmocka_unit_test(stores),
        cmocka_unit_test(nothing_without_scores),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
