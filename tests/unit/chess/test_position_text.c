/* Positions as people name them: "startpos", a FEN, moves, and moves behind the first two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/position_text.h"

#define START_BOARD "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void assert_reads(const char *text, const char *fen)
{
    struct position pos;
    struct diag diag = {.text = ""};
    char found[FEN_MAX];
    if (position_from_text(span_of(text), &pos, &diag) != STATUS_OK)
        fail_msg("%s: %s", text, diag.text);
    fen_format(&pos, found);
    assert_string_equal(found, fen);
}

static void the_start_has_several_names(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", " ", "startpos", "startpos moves", "moves", "1.", START_BOARD, START_BOARD " 0 1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_reads(texts[i], fen_start);
}

static void moves_are_read_as_people_write_them(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "e4 e5 Nf3",
        "1. e4 e5 2.Nf3",
        "1.e4 1...e5 2 Nf3",
        " e2e4\te7e5  g1f3 ",
        "startpos moves e2e4 e7e5 g1f3",
        "startpos e4 e5 Nf3!",
        START_BOARD " e4 e5 Nf3",
        START_BOARD " 0 1 moves e4 e5 Nf3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 1... e5 2. Nf3",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_reads(texts[i], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
}

static void the_clocks_of_a_fen_count(void **state)
{
    (void)state;
    assert_reads("4k3/8/8/8/8/8/4P3/4K3 b - - 7 31", "4k3/8/8/8/8/8/4P3/4K3 b - - 7 31");
    assert_reads("4k3/8/8/8/8/8/4P3/4K3 b - -  7 31 Kd8", "3k4/8/8/8/8/8/4P3/4K3 w - - 8 32");
}

static void faults_are_named_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum caxton_status status;
        const char *message;
    } cases[] = {
        {"hello", STATUS_SYNTAX, "ply 1: hello is no move"},
        {"1. e4 e4", STATUS_ILLEGAL, "ply 2: e4 is not legal here"},
        {"Nf3 a6 d3 a5 Nd2", STATUS_AMBIGUOUS, "ply 5: Nd2 can be more than one move"},
        {"e4 startpos", STATUS_SYNTAX, "ply 2: startpos is no move"},
        {START_BOARD " 0 1 e5", STATUS_ILLEGAL, "ply 1: e5 is not legal here"},
        {"8/8/8/8/8/8/8/8 w - - 0 1", STATUS_ILLEGAL, "FEN, column "},
        {"rnbqkbnr/pppppppp w KQkq -", STATUS_SYNTAX, "FEN, column 18: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct position pos = {.key = 5};
        struct diag diag = {.text = ""};
        assert_int_equal(position_from_text(span_of(cases[i].text), &pos, &diag), cases[i].status);
        assert_int_equal(position_from_text(span_of(cases[i].text), &pos, NULL), cases[i].status);
        if (strncmp(diag.text, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s: %s", cases[i].text, diag.text);
        assert_int_equal(pos.key, 5);
    }
}

static void lines_are_told_move_by_move(void **state)
{
    (void)state;
    struct position root;
    struct position start;
    struct diag diag = {.text = ""};
    move moves[3];
    size_t count = 9;
    position_start(&start);
    assert_int_equal(line_from_text(span_of("1. e4 e5 2. Nf3"), &root, moves, 3, &count, &diag),
                     STATUS_OK);
    assert_int_equal(count, 3);
    assert_true(root.key == start.key);
    assert_int_equal(moves[2], move_make(G1, 21)); /* f3 */
    assert_int_equal(
        line_from_text(span_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), &root, moves, 3, &count, &diag),
        STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(root.castling, 1);
    assert_int_equal(line_from_text(span_of("e4 e5 Nf3 Nc6"), &root, moves, 3, &count, &diag),
                     STATUS_RANGE);
    assert_string_equal(diag.text, "more than 3 plies");
    assert_int_equal(count, 0);
    assert_int_equal(line_from_text(span_of("e4 e4"), &root, moves, 3, &count, &diag),
                     STATUS_ILLEGAL);
    assert_string_equal(diag.text, "ply 2: e4 is not legal here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_has_several_names),
        cmocka_unit_test(moves_are_read_as_people_write_them),
        cmocka_unit_test(the_clocks_of_a_fen_count),
        cmocka_unit_test(faults_are_named_with_their_place),
        cmocka_unit_test(lines_are_told_move_by_move),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
