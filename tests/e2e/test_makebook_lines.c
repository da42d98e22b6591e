/* White's lines as a person works with them: makebook proof-reads, repairs and converts them, the
 * engine plays from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/any_book.h"

/* White's Table 1 as it was printed: the fourth line begins with a slip of the pen. */
static const char printed[] = "e2e4e7e5g1f3b8c6f1b5a7a6\n"
                              "e2e4e7e5g1f3b8c6f1c4\n"
                              "e2e4e7e5g1f3g8f6\n"
                              "e4e4e7e5f2f4\n"
                              "e2e4c7c5g1f3d7d6d2d4\n"
                              "e2e4c7c5g1f3b8c6\n"
                              "e2e4e7e6\n";

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return create_folder();
}

static void assert_text(const char *name, const char *expected)
{
    static char text[FILE_MAX];
    size_t size = read_bytes(name, text);
    text[size] = '\0';
    assert_string_equal(text, expected);
}

static void the_slip_is_found_and_the_rest_is_played(void **state)
{
    (void)state;
    write_text("table1.lines", printed);
    assert_int_equal(RUN("verify", path_of("table1.lines")), 1);
    assert_says(result.output, "line 4, column 1: move 1 `e4e4`: not legal here\n");
    assert_says(result.output, ": 1 fault\n");
    assert_int_equal(RUN("show", path_of("table1.lines"), "e4", "c5", "Nf3"), 0);
    assert_says(result.output, "Nc6");
    assert_says(result.errors, "warning: ");
    assert_says(result.errors, "table1.lines: line 4, move 1 `e4e4`: not legal here\n");
    /* Nothing sound at all. */
    write_text("bad.lines", "e4e4\n");
    assert_int_equal(RUN("show", path_of("bad.lines")), 1);
    assert_says(result.errors, "bad.lines: line 1, move 1 `e4e4`: not legal here");
}

/* From Table 1 to Table 2. */
static void front_parts_are_shared(void **state)
{
    (void)state;
    char text[sizeof printed];
    memcpy(text, printed, sizeof text);
    char *slip = strstr(text, "e4e4");
    slip[1] = '2';
    write_text("table1.lines", text);
    assert_int_equal(RUN("verify", path_of("table1.lines")), 0);
    assert_says(result.output, "29 moves");
    assert_int_equal(RUN("convert", path_of("table1.lines"), path_of("table2.lines")), 0);
    assert_text("table2.lines", "e2e4e7e5g1f3b8c6f1b5a7a6\n"
                                "*8f1c4\n"
                                "*6g8f6\n"
                                "*4f2f4\n"
                                "*2c7c5g1f3d7d6d2d4\n"
                                "*6b8c6\n"
                                "*2e7e6\n");
}

static const char mine[] = "lines san ; mine\n"
                           "; Queen's Gambit\n"
                           "d4 d5 c4 e6 Nc3 Nf6\n"
                           "e4:3 e5 Nf3\n"
                           "c4 e6 d4 d5        ; transposes\n"
                           "e4 c5 Nf3\n"
                           "e4 e5 Nf3\n"
                           "d4 (Nf6) d5 Qe9\n"
                           "d4 (f5)\n"
                           "otherwise e5 except d4, f4\n";

static void each_finding_has_line_column_and_move(void **state)
{
    (void)state;
    write_text("mine.lines", mine);
    assert_int_equal(RUN("verify", path_of("mine.lines")), 1);
    assert_says(result.output, "line 8, column 13: move 4 `Qe9`: not a move\n");
    assert_says(result.output, "line 7, column 7: move 3 `Nf3`: ends the same line as line 4\n");
    assert_says(result.output, "line 6, column 1: move 1 `e4`: up to here the same as line 4, but "
                               "stands apart from it\n");
    assert_says(result.output, "line 9, column 5: move 2 `(f5)`: nothing is played behind this "
                               "non-book move\n");
    assert_says(result.output, "line 10, column 25: `f4`: no line answers it\n");
    assert_says(result.output,
                "line 5, column 10: move 4 `d5`: reaches a position of line 3 by another order\n"
                "    this line would join them: c4 e6 d4 d5 = d4 d5 c4 e6\n");
    assert_says(result.output, "3  lines that stand apart");
    assert_says(result.output, ": 2 faults\n");
    /* A rewrite that cuts a line off. */
    write_text("cut.lines", "d4 d5 c4 e6\nc4 d5 d4 c6\nc4 d5 d4 = d4 d5 c4\n");
    assert_int_equal(RUN("verify", path_of("cut.lines")), 1);
    assert_says(result.output, "line 2, column 7: move 3 `d4`: a rewrite leads games from here to "
                               "another order, never on this line\n");
    assert_says(result.output, "1  lines that no game can come to\n");
}

static void a_repair_keeps_every_word(void **state)
{
    (void)state;
    write_text("mine.lines", mine);
    assert_int_equal(RUN("verify", path_of("mine.lines"), "--repair", "-o", path_of("sound.lines")),
                     0);
    assert_text("sound.lines", "lines san ; mine\n"
                               "; Queen's Gambit\n"
                               "d4 d5 c4 e6 Nc3 Nf6\n"
                               "; e4 e5 Nf3\n"
                               "; d4 (Nf6) d5 Qe9\n"
                               "d4 (f5)\n"
                               "e4:3 e5 Nf3\n"
                               "e4 c5 Nf3\n"
                               "c4 e6 d4 d5        ; transposes\n"
                               "otherwise e5 except d4 f4\n");
    assert_int_equal(RUN("verify", path_of("sound.lines")), 0);
    assert_says(result.output, ": 0 faults\n");
    assert_int_equal(RUN("convert", path_of("sound.lines"), path_of("again.lines")), 0);
    assert_text("again.lines", "lines san ; mine\n"
                               "; Queen's Gambit\n"
                               "d4 d5 c4 e6 Nc3 Nf6\n"
                               "; e4 e5 Nf3\n"
                               "; d4 (Nf6) d5 Qe9\n"
                               "*1 (f5)\n"
                               "e4:3 e5 Nf3\n"
                               "*1 c5 Nf3\n"
                               "c4 e6 d4 d5        ; transposes\n"
                               "otherwise e5 except d4 f4\n");
}

/* What the other kinds of file have no place for is said; a weight of 0 has one. */
static void what_a_conversion_loses_is_said(void **state)
{
    (void)state;
    static const char text[] =
        "; mine\ne4:7 e5 ; sharp\nd4:0 d5:3\n*1 Nf6:2\n(c4) e5:9 (Nf3) d6:4\n";
    write_text("said.lines", text);
    assert_int_equal(RUN("verify", path_of("said.lines")), 0);
    assert_int_equal(RUN("convert", path_of("said.lines"), path_of("said.tree")), 0);
    assert_says(result.errors, "said.tree: 2 comments, names and marks not kept\n");
    assert_int_equal(RUN("verify", path_of("said.tree")), 0);
    assert_int_equal(RUN("convert", path_of("said.tree"), path_of("back.lines")), 0);
    assert_string_equal(result.errors, "");
    assert_text("back.lines",
                "lines san\n\ne4:7 e5:10000\nd4:0 d5:3\n*1 Nf6:2\n(c4) e5:9 (Nf3) d6:4\n");
    assert_int_equal(RUN("convert", path_of("said.tree"), path_of("said.tree-small")), 0);
    assert_says(result.errors,
                "said.tree-small: 2 of 5 positions left out: only moves that are not "
                "the book's lead to them; 3 weights not kept\n");
    assert_int_equal(RUN("convert", path_of("said.tree"), path_of("said.tree-pure")), 0);
    assert_says(result.errors, "; 6 weights not kept\n");
    assert_int_equal(RUN("show", path_of("said.tree-pure")), 0);
    assert_says(result.output, "d4");
    assert_int_equal(RUN("convert", path_of("said.lines"), path_of("same.lines")), 0);
    assert_string_equal(result.errors, "");
}

/* A book of Black's moves only, there and back through other formats. */
static void one_side_through_every_format(void **state)
{
    (void)state;
    static const char *const kinds[] = {"abk", "pgn", "lines"};
    static const char black[] =
        "lines san\n\n(e4) c5:30 (Nf3) d6:2\n*1 e5:5\n(d4) d5:3 (c4) e6:2\n";
    write_text("black.lines", black);
    assert_int_equal(RUN("convert", path_of("black.lines"), path_of("black.bin"), "-q"), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "there.%s", kinds[i]);
        assert_int_equal(RUN("convert", path_of("black.bin"), path_of(name), "-q"), 0);
        assert_int_equal(RUN("verify", path_of(name)), 0);
        assert_int_equal(RUN("convert", path_of(name), path_of("back.bin"), "-q"), 0);
        assert_same_files("black.bin", "back.bin");
    }
    assert_text("there.lines", black);
}

static void engine_answers(const char *moves, const char *wanted)
{
    char input[600];
    (void)snprintf(input, sizeof input,
                   "setoption name BookFile value %s\nsetoption name BestBookMove value true\n"
                   "position startpos%s%s\ngo depth 1\nquit\n",
                   path_of("hints.lines"), *moves ? " moves " : "", moves);
    const char *const arguments[] = {process_binary("CAXTON_BINARY"), NULL};
    struct process_result played = process_run(arguments, input);
    assert_int_equal(played.status, 0);
    assert_says(played.output, wanted);
    process_result_free(&played);
}

/* The move after ours in the lines is the one to ponder on; along the game, rewritten where need
 * be, and in brackets, too. */
static void the_engine_ponders_on_the_hint(void **state)
{
    (void)state;
    write_text("hints.lines", "transpose listed\n"
                              "e4:9 e5:2 Nf3 (Nc6) Bb5\n"
                              "*3 (Nf6) Nxe5\n"
                              "*1 c5:7 Nf3\n"
                              "d4:0 d5 c4 c6\n"
                              "c4 d5 d4 = d4 d5 c4\n"
                              "c4:0 d5 d4\n"
                              "otherwise b6 except e4 d4 c4\n");
    engine_answers("", "bestmove e2e4 ponder c7c5\n");
    engine_answers("e2e4 e7e5", "bestmove g1f3 ponder b8c6\n");
    engine_answers("e2e4 e7e5 g1f3 g8f6", "bestmove f3e5\n");
    engine_answers("e2e4 c7c5", "bestmove g1f3\n");
    engine_answers("c2c4 d7d5", "bestmove d2d4 ponder c7c6\n");
    engine_answers("b1c3", "bestmove b7b6\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slip_is_found_and_the_rest_is_played),
        cmocka_unit_test(front_parts_are_shared),
        cmocka_unit_test(each_finding_has_line_column_and_move),
        cmocka_unit_test(a_repair_keeps_every_word),
        cmocka_unit_test(what_a_conversion_loses_is_said),
        cmocka_unit_test(one_side_through_every_format),
        cmocka_unit_test(the_engine_ponders_on_the_hint),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
