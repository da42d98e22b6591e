/* Sorting, sharing and proof-reading White's lines. It is long because each finding
 * of the proof-reader is a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/formats/white/lines_write.h"
#include "chess/attacks.h"
#include "tests/unit/book/lines_file.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void check_sorted(const char *text, const char *expected)
{
    struct lines *lines = read_lines(text);
    assert_int_equal(lines_sort(lines), STATUS_OK);
    check_text(lines, expected);
    assert_int_equal(lines_sort(lines), STATUS_OK);
    check_text(lines, expected);
    lines_destroy(lines);
}

static void similar_lines_come_together(void **state)
{
    (void)state;
    check_sorted("", "");
    check_sorted(table_1, table_1);
    check_sorted(table_2, table_2);
    check_sorted("e4 c5 Nf3\nd4\ne4 e5\nd4 d5\ne4 c5 Nc3\nd4\ne4\n",
                 "e4\ne4 c5 Nf3\ne4 c5 Nc3\ne4 e5\nd4\nd4\nd4 d5\n");
    check_sorted("e4 c5 Nf3\nd4 d5\n*1 f5\ne4 e5\n*1 c5 Nc3\n",
                 "e4 c5 Nf3\n*2 Nc3\n*1 e5\nd4 d5\n*1 f5\n");
}

static void comments_travel_with_their_line(void **state)
{
    (void)state;
    check_sorted("; My book\n"
                 "\n"
                 "; Open games\n"
                 "e4:1 e5:2 ; first\n"
                 "\n"
                 "; Queen's pawn,\n"
                 "; closed\n"
                 "d4:3 d5 ; second\n"
                 "; Sicilian\n"
                 "e4 c5:4 ; third\n"
                 "; the end\n"
                 "\n"
                 "c4 e6 d4 = d4 e6 c4 ; fourth\n"
                 "e4 e5 Nf3\n"
                 "otherwise e5\n",
                 "; My book\n"
                 "\n"
                 "; Open games\n"
                 "e4:1 e5:2 ; first\n"
                 "\n"
                 "e4 e5 Nf3\n"
                 "; Sicilian\n"
                 "e4 c5:4 ; third\n"
                 "; the end\n"
                 "\n"
                 "c4 e6 d4 = d4 e6 c4 ; fourth\n"
                 "; Queen's pawn,\n"
                 "; closed\n"
                 "d4:3 d5 ; second\n"
                 "otherwise e5\n");
}

static void sorting_keeps_the_order_of_merit(void **state)
{
    (void)state;
    struct lines *lines = read_lines("e4 c5\nd4\ne4 e5\nc4\ne4 e6\nd4 Nf6\nd4 d5\ne4 c5 Nf3\n");
    for (int round = 0; round < 2; round++) {
        check_position(lines, "", "e4:6000 d4:2400 c4:1600");
        check_position(lines, "e2e4", "c5:6000 e5:2400 e6:1600");
        check_position(lines, "d2d4", "Nf6:6000 d5:4000");
        assert_int_equal(lines_sort(lines), STATUS_OK);
    }
    check_text(lines, "e4 c5\ne4 c5 Nf3\ne4 e5\ne4 e6\nd4\nd4 Nf6\nd4 d5\nc4\n");
    lines_destroy(lines);
}

/* Adds "MOVE:WEIGHT" behind `moves`. */
static void check_added(const char *text, const char *moves, const char *san, uint32_t weight,
                        const char *expected)
{
    struct book_addition addition = {.pos = position_by_moves(moves), .weight = weight};
    char *written = NULL;
    size_t size = 0;
    struct diag diag = {.text = ""};
    assert_int_equal(move_from_san(&addition.pos, span_of(san), &addition.m), STATUS_OK);
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    enum caxton_status status =
        lines_add((const uint8_t *)text, strlen(text), &addition, file, &diag);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(status == STATUS_OK ? written : diag.text, expected);
    free(written);
}

static void a_move_is_added(void **state)
{
    (void)state;
    static const char book[] = "; mine\n"
                               "e4 e5 Nf3 ; open\n"
                               "*1 c5     ; Sicilian\n"
                               "d4 d5\n"
                               "Nf3 Nf6 c4\n"
                               "c4 Nf6 Nf3\n"
                               "d4 e6 c4 = c4 e6 d4\n"
                               "otherwise e5 except d4 ; always\n";
#define BEFORE "; mine\ne4 e5 Nf3 ; open\n*1 c5     ; Sicilian\n"
#define AFTER  "d4 e6 c4 = c4 e6 d4\notherwise e5 except d4 ; always\n"
    /* Behind the lines that begin so, whose moves keep the weights that they have by merit; */
    check_added(book, "e2e4", "e6", 7,
                "; mine\ne4 e5:6000 Nf3 ; open\n*1 c5:4000     ; Sicilian\n"
                "*1 e6:7\nd4 d5\nNf3 Nf6 c4\nc4 Nf6 Nf3\n" AFTER);
    /* at the end of a line; on each way to the position where lines go on, */
    check_added(book, "d2d4 d7d5", "Nf3", 2, BEFORE "d4 d5 Nf3:2\nNf3 Nf6 c4\nc4 Nf6 Nf3\n" AFTER);
    check_added("Nf3 Nf6 c4 e6:1\nc4 Nf6 Nf3 g6\ne4\n", "c2c4 g8f6 g1f3", "d5", 2,
                "Nf3 Nf6 c4 e6:1\nNf3 Nf6 c4 d5:2\nc4 Nf6 Nf3 g6:1\nc4 Nf6 Nf3 d5:2\ne4\n");
    /* or on the first where none does. */
    check_added(book, "c2c4 g8f6 g1f3", "d5", 2,
                BEFORE "d4 d5\nNf3 Nf6 c4 d5:2\nc4 Nf6 Nf3\n" AFTER);
    /* One that is there gets the weight. */
    check_added("e4:3 e5\nd4:2\n", "", "e4", 0, "e4:0 e5\nd4:2\n");
    check_added("e2e4e7e5\n*2c7c5:4\n", "e2e4", "e5", 3, "e2e4e7e5:3\n*2c7c5:4\n");
    check_added("e4 (e5) Nf3\n", "e2e4", "e5", 3, "e4 e5:3 Nf3\n");
    check_added("", "", "e4", 3, "e4:3\n");
    check_added(book, "e2e4 g7g6", "d4", 1, "no line reaches the position");
    check_added("e4 e5\nd4 Nd4\n", "", "c4", 1, "line 2, move 2 `Nd4`: not legal here");
#undef BEFORE
#undef AFTER
}

/* Lines that do not change stay as somebody typed them. */
static void adding_keeps_what_was_typed(void **state)
{
    (void)state;
    check_added("\xEF\xBB\xBF# mine\r\n1. e4   e5  2. Ng1f3;x\r\n\r\n1. d4 d5\r\nc4 e6",
                "d2d4 d7d5", "c4", 3,
                "\xEF\xBB\xBF# mine\r\n1. e4   e5  2. Ng1f3;x\r\n\r\nd4 d5 c4:3\r\nc4 e6\r\n");
    check_added("e4  e5\n", "e2e4", "c5", 10001,
                "e4 e5:10000\n"
                "e4 c5:10001\n");
    check_added("\xEF\xBB\xBF"
                "e4\n",
                "e2e4", "c5", 1,
                "\xEF\xBB\xBF"
                "e4 c5:1\n");
}

static void rewrites_share_too(void **state)
{
    (void)state;
    struct lines *lines = read_lines("e4 e6 d4 d5\n"
                                     "d4 e6 e4 d5 = e4 e6 d4 d5\n"
                                     "d4 d5 e4 e6 = d4 e6 e4 d5\n");
    lines_share(lines);
    check_text(lines, "e4 e6 d4 d5\n"
                      "d4 e6 e4 d5 = e4 e6 d4 d5\n"
                      "*1 d5 e4 e6 = *1 e6 e4 d5\n");
    check_game(lines, "d2d4 d7d5 e2e4", "");
    lines_destroy(lines);
}

/* Proof-reading ----------------------------------------------------------------------------- */

/* Names of the faults that the proof-reader reports. */
static const char *const fault_names[BOOK_FAULTS] = {
    [BOOK_FAULT_DUPLICATE] = "duplicate", [BOOK_FAULT_SYNTAX] = "syntax",
    [BOOK_FAULT_ILLEGAL] = "illegal",     [BOOK_FAULT_CUT_OFF] = "cut off",
    [BOOK_REMARK_APART] = "apart",        [BOOK_REMARK_IDLE] = "idle",
    [BOOK_REMARK_ORDER] = "order",        [BOOK_REMARK_GAP] = "gap",
};

static void collect(void *context, enum book_fault fault, const struct diag *diag,
                    const char *offer)
{
    text_append(context, "%s: line %zu, %s%s%s\n", fault_names[fault], diag->line, diag->text,
                offer ? " > " : "", offer ? offer : "");
}

static void check_findings(const char *text, const char *expected)
{
    char found[4096];
    struct text_buffer report = text_buffer_on(found, sizeof found);
    *found = '\0';
    verify_text(text, strlen(text), collect, &report);
    assert_string_equal(found, expected);
}

static void nothing_to_find(void **state)
{
    (void)state;
    check_findings("", "");
    check_findings(table_1, "");
    check_findings(table_2, "");
}

/* The fourth line of Table 1 as it was printed begins with a slip of the pen. */
static void the_slip_in_table_1(void **state)
{
    (void)state;
    check_findings("e2e4e7e5g1f3b8c6f1b5a7a6\n"
                   "e2e4e7e5g1f3b8c6f1c4\n"
                   "e2e4e7e5g1f3g8f6\n"
                   "e4e4e7e5f2f4\n"
                   "e2e4c7c5g1f3d7d6d2d4\n"
                   "e2e4c7c5g1f3b8c6\n"
                   "e2e4e7e6\n",
                   "illegal: line 4, move 1 `e4e4`: not legal here\n");
}

static void every_faulty_line_is_named(void **state)
{
    (void)state;
    check_findings("lines san\n"
                   "e4 e5 Nd6\n"
                   "*2 Nf3 ; fine, e4 e5 could be read\n"
                   "*9 d4\n"
                   "c4 e6 d4 = d4 c4\n"
                   "prefer earlier 60%\n"
                   "lines san\n"
                   "otherwise e6 except e6\n"
                   "d4\n",
                   "illegal: line 2, move 3 `Nd6`: not legal here\n"
                   "syntax: line 4, `*9`: the line before has only 3 moves\n"
                   "illegal: line 5, move 2 `c4`: not legal here\n"
                   "syntax: line 6, `prefer` must stand before the lines\n"
                   "syntax: line 7, `lines` stands here a second time\n"
                   "illegal: line 8, `e6`: not legal here as a first move\n");
    check_findings("d4 d5 c4\n"
                   "c4 d5 d4 = d4 d5 c4\n"
                   "d4 d5 c4 = c4 d5 d4\n"
                   "e4 e6 d4 = d4 e6 e4\n",
                   "syntax: line 2, rewrites lead in a circle, this one among them\n"
                   "idle: line 4, move 3 `d4`: no line goes on from where this rewrite leads\n");
}

static void lines_that_add_nothing(void **state)
{
    (void)state;
    check_findings(
        "e4 e5 Nf3\n"
        "*2\n"
        "d4\n"
        "e4 e5 Nf3\n"
        "d4 d5\n",
        "idle: line 2, move 2 `e5`: ends here, where line 1 goes on\n"
        "idle: line 3, move 1 `d4`: ends here, where line 5 goes on\n"
        "duplicate: line 4, move 3 `Nf3`: ends the same line as line 1\n"
        "apart: line 4, move 3 `Nf3`: up to here the same as line 1, but stands apart from it\n"
        "apart: line 5, move 1 `d4`: up to here the same as line 3, but stands apart from it\n");
}

static void missing_rewrites_are_offered(void **state)
{
    (void)state;
    static const char text[] = "lines san\n"
                               "d4 d5 c4 e6 Nc3 Nf6\n"
                               "c4 e6 d4 d5\n"
                               "*1 Nf6 d4 e6 Nc3 d5 Bg5\n";
    check_findings(text,
                   "order: line 2, move 6 `Nf6`: reaches a position of line 4 by another order > "
                   "d4 d5 c4 e6 Nc3 Nf6 = c4 Nf6 d4 e6 Nc3 d5\n"
                   "order: line 3, move 4 `d5`: reaches a position of line 2 by another order > "
                   "c4 e6 d4 d5 = d4 d5 c4 e6\n");
    /* What is offered can be pasted in, and is not missed again. */
    char more[1024];
    struct text_buffer pasted = text_buffer_on(more, sizeof more);
    text_append(&pasted, "%sc4 e6 d4 d5 = d4 d5 c4 e6\nd4 d5 c4 e6 Nc3 Nf6 = c4 Nf6 d4 e6 Nc3 d5\n",
                text);
    check_findings(more, "");
    /* One rewrite does for all that follows. */
    check_findings("d4 d5 c4 e6 Nc3\nc4 d5 d4 e6\n",
                   "order: line 2, move 3 `d4`: reaches a position of line 1 by another order > "
                   "c4 d5 d4 = d4 d5 c4\n");
    check_findings("d2d4d7d5c2c4e7e6\nc2c4d7d5d2d4e7e6b1c3\n*6c7c6\n",
                   "order: line 1, move 4 `e7e6`: reaches a position of line 2 by another order > "
                   "d2d4d7d5c2c4e7e6=c2c4d7d5d2d4e7e6\n"
                   "order: line 2, move 3 `d2d4`: reaches a position of line 1 by another order > "
                   "c2c4d7d5d2d4=d2d4d7d5c2c4\n");
}

static void rewrites_that_do_harm_or_nothing(void **state)
{
    (void)state;
    check_findings(
        "d4 d5 c4 e6\n"
        "c4 d5 d4 c6\n"
        "e4 e6 d4\n"
        "c4 d5 d4 = d4 d5 c4\n"
        "d4 e6 e4 = e4 e6 d4\n",
        "cut off: line 2, move 3 `d4`: a rewrite leads games from here to another order, "
        "never on this line\n"
        "idle: line 5, move 3 `e4`: no line goes on from where this rewrite leads\n");
}

static void moves_without_the_universal_reply(void **state)
{
    (void)state;
    check_findings("lines san\n"
                   "d4 d5\n"
                   "otherwise e5 except d4 f4 Nf3\n",
                   "gap: line 3, `f4`: no line answers it\n"
                   "gap: line 3, `Nf3`: no line answers it\n");
}

static void brackets_that_do_nothing(void **state)
{
    (void)state;
    check_findings("e4 (e5) Nf3 (Nc6)\n"
                   "*2 d4\n"
                   "*1 e5 Bc4\n",
                   "idle: line 1, move 4 `(Nc6)`: nothing is played behind this non-book move\n"
                   "idle: line 1, move 2 `e5`: in brackets in one line, and played in another\n");
    /* Another line plays there. */
    check_findings("d4 d5 (c4)\nc4 d5 d4 e6\nd4 d5 c4 = c4 d5 d4\n", "");
}

static void alternatives_that_are_never_taken(void **state)
{
    (void)state;
    static const char text[] = "e4 e5\n*1 c5\nd4:0\nc4\n";
    char file[100];
    (void)snprintf(file, sizeof file, "prefer later 100%%\n%s", text);
    check_findings(file, "idle: line 2, move 1 `e4`: `prefer later 100%` always takes the move of "
                         "line 5\n"
                         "idle: line 2, move 2 `e5`: `prefer later 100%` always takes the move of "
                         "line 3\n");
    (void)snprintf(file, sizeof file, "prefer earlier 100%%\n%s", text);
    check_findings(file, "idle: line 3, move 2 `c5`: `prefer earlier 100%` always takes the move "
                         "of line 2\n"
                         "idle: line 5, move 1 `c4`: `prefer earlier 100%` always takes the move "
                         "of line 2\n");
    check_findings(text, "");
    /* Beside a stated weight each has its chance. */
    check_findings("prefer earlier 100%\ne4:3\nd4\nc4\n", "");
}

static void keep_columns(void *context, enum book_fault fault, const struct diag *diag,
                         const char *offer)
{
    (void)fault;
    (void)offer;
    text_append(context, "%zu.%zu@%zu ", diag->line, diag->column, diag->offset);
}

/* Each finding points at the move that it names; at `*n` when it is among the shared ones. */
static void findings_have_columns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *columns;
    } cases[] = {
        {"e4 e5 Nf3\n  e4 \t (e5) Nf3:3 (Nc6) ; x\n", "1.7@6 2.20@29 1.4@3 "},
        {"\xEF\xBB\xBF"
         "d4\ne4 e5:2\n*2 Nf3\nd4 d5\n",
         "1.1@3 2.4@9 4.1@21 "},
        {"e2e4e7e5:20(g1f3)b8c6\nd2d4\n*0e2e4e7e5g1f3g8f6\n", "3.11@37 1.13@12 "},
        {"d4 d5 c4 e6 Nc3\nc4 d5:1 d4:2 e6\n", "2.9@24 "},
        {"1. e4 (1... e5) 2.Nf3:3 (2... Nc6) ; x\n", "1.31@30 "},
        {"d4 d5\notherwise e5  except d4,\tf4, Nf3 ; f4\n", "2.26@31 2.30@35 "},
        {"d4 d5 c4\nc4 d5 d4 = d4 d5 c4\nd4 d5 c4 = c4 d5 d4\n", "2.1@9 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[256];
        struct text_buffer report = text_buffer_on(found, sizeof found);
        verify_text(cases[i].text, strlen(cases[i].text), keep_columns, &report);
        assert_string_equal(found, cases[i].columns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similar_lines_come_together),
        cmocka_unit_test(comments_travel_with_their_line),
        cmocka_unit_test(sorting_keeps_the_order_of_merit),
        cmocka_unit_test(a_move_is_added),
        cmocka_unit_test(adding_keeps_what_was_typed),
        cmocka_unit_test(rewrites_share_too),
        cmocka_unit_test(nothing_to_find),
        cmocka_unit_test(the_slip_in_table_1),
        cmocka_unit_test(every_faulty_line_is_named),
        cmocka_unit_test(lines_that_add_nothing),
        cmocka_unit_test(missing_rewrites_are_offered),
        cmocka_unit_test(rewrites_that_do_harm_or_nothing),
        cmocka_unit_test(moves_without_the_universal_reply),
        cmocka_unit_test(brackets_that_do_nothing),
        cmocka_unit_test(alternatives_that_are_never_taken),
        cmocka_unit_test(findings_have_columns),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
