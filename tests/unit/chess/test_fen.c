/* FEN: each fault is named with its column, good text is read and written back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"

static const struct {
    const char *fen;
    enum caxton_status status;
    size_t column;
    const char *words; /* part of the message */
} faults[] = {
    {"", STATUS_SYNTAX, 1, "placement is missing"},
    {"8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 14, "missing squares"},
    {"8/8/8/8/8/8/8/7 w - - 0 1", STATUS_SYNTAX, 16, "missing squares"},
    {"7/8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 2, "fewer than eight"},
    {"8p/8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 2, "more than eight squares"},
    {"8/8/8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 16, "more than eight ranks"},
    {"44/8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 2, "two digits"},
    {"4x3/8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 2, "not a piece letter"},
    {"9/8/8/8/8/8/8/8 w - - 0 1", STATUS_SYNTAX, 1, "not a piece letter"},
    {"8/8/8/8/8/8/8/4K3 w - - 0 1", STATUS_ILLEGAL, 1, "Black has no king"},
    {"4k3/8/8/8/8/8/8/8 w - - 0 1", STATUS_ILLEGAL, 1, "White has no king"},
    {"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", STATUS_ILLEGAL, 1, "White has more than one king"},
    {"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", STATUS_ILLEGAL, 1, "pawn stands on"},
    {"4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", STATUS_ILLEGAL, 1, "more pawns and promoted"},
    {"4k3/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1", STATUS_ILLEGAL, 1, "more than 16"},
    {"4k3/8/8/8/8/8/8/4K3", STATUS_SYNTAX, 20, "side to move is missing"},
    {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", STATUS_SYNTAX, 21, "must be w or b"},
    {"4k3/8/8/8/8/8/8/4KR2 w", STATUS_SYNTAX, 23, "castling rights are missing"},
    {"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", STATUS_ILLEGAL, 23, "not to move is in check"},
    {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", STATUS_ILLEGAL, 23, "without king and rook"},
    {"4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", STATUS_SYNTAX, 26, "for two rooks"},
    {"4k3/8/8/8/8/8/8/4K2R w KZ - 0 1", STATUS_SYNTAX, 25, "must be one of"},
    {"4k3/8/8/8/8/8/8/4K3 w -", STATUS_SYNTAX, 24, "en passant square is missing"},
    {"4k3/8/8/8/8/8/8/4K3 w - e9 0 1", STATUS_SYNTAX, 25, "not - or a square"},
    {"4k3/8/8/8/8/8/8/4K3 w - e3 0 1", STATUS_ILLEGAL, 25, "wrong rank"},
    {"4k3/8/8/8/8/8/8/4K3 w - e6 0 1", STATUS_ILLEGAL, 25, "no pawn can just have"},
    {"4k3/8/8/8/8/8/8/4K3 w - - x 1", STATUS_SYNTAX, 27, "half-move clock"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 -1", STATUS_SYNTAX, 29, "move number"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1", STATUS_SYNTAX, 27, "half-move clock"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves", STATUS_SYNTAX, 31, "more text"},
};

static void faults_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct position pos;
        position_start(&pos);
        struct position before = pos;
        struct diag diag = {0};
        enum caxton_status status = fen_parse(span_of(faults[i].fen), &pos, &diag);
        if (status != faults[i].status || diag.column != faults[i].column ||
            !strstr(diag.text, faults[i].words))
            fail_msg("\"%s\": %s, column %zu: %s", faults[i].fen, status_name(status), diag.column,
                     diag.text);
        assert_memory_equal(&pos, &before, sizeof pos);
    }
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    static const char *const same[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/8/8/k7/2K5 b - - 99 120",
        "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
        "rrk4r/8/8/8/8/8/8/RRK4R w KBkb - 0 1", /* the inner rook needs its letter */
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct position pos;
        char fen[FEN_MAX];
        assert_int_equal(fen_parse(span_of(same[i]), &pos, NULL), STATUS_OK);
        fen_format(&pos, fen);
        assert_string_equal(fen, same[i]);
    }
}

static void forgiven(void **state)
{
    (void)state;
    struct position pos;
    char fen[FEN_MAX];
    /* Four fields, blanks around, rook files for castling, a pawn step that nobody can answer. */
    assert_int_equal(
        fen_parse(span_of("  rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR  b HAha e3 \r\n"), &pos,
                  NULL),
        STATUS_OK);
    fen_format(&pos, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    /* A right given again for the same rook says nothing new. */
    assert_int_equal(fen_parse(span_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkqKQHa - 0 1"), &pos, NULL),
                     STATUS_OK);
    fen_format(&pos, fen);
    assert_string_equal(fen, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
}

/* Rights and squares that the board forbids; all else is as for fen_parse(). */
static void lenient_leaves_out(void **state)
{
    (void)state;
    struct position pos;
    struct diag diag;
    char fen[FEN_MAX];
    assert_int_equal(
        fen_parse_lenient(span_of("r3k2r/8/8/8/4p3/8/8/R3K2R w KQkq e3 4 9"), &pos, &diag),
        STATUS_OK);
    fen_format(&pos, fen);
    assert_string_equal(fen, "r3k2r/8/8/8/4p3/8/8/R3K2R w KQkq - 4 9");
    assert_int_equal(diag.column, 34);
    assert_non_null(strstr(diag.text, "en passant square is on the wrong rank"));
    assert_int_equal(fen_parse_lenient(span_of("4k3/8/8/8/8/8/8/R3K3 w KQk e6 0 1"), &pos, &diag),
                     STATUS_OK);
    fen_format(&pos, fen);
    assert_string_equal(fen, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_int_equal(diag.column, 24);
    assert_non_null(strstr(diag.text, "castling right without"));
    assert_int_equal(fen_parse_lenient(span_of("4k3/8/8/8/8/8/8/R3K3 b"), &pos, &diag), STATUS_OK);
    fen_format(&pos, fen);
    assert_string_equal(fen, "4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
    assert_non_null(strstr(diag.text, "castling rights are missing"));
    assert_int_equal(fen_parse_lenient(span_of("4k3/8/8/8/8/8/8/R3K3"), &pos, &diag),
                     STATUS_SYNTAX);
    assert_int_equal(fen_parse_lenient(span_of(fen_start), &pos, &diag), STATUS_OK);
    assert_string_equal(diag.text, "");
    assert_int_equal(fen_parse_lenient(span_of("4k3/8/8/8/8/8/8/R3K3 w Qx - 0 1"), &pos, &diag),
                     STATUS_SYNTAX);
}

static void epd_leaves_its_operations(void **state)
{
    (void)state;
    struct position pos;
    struct span rest;
    assert_int_equal(
        fen_parse_epd(span_of("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";"), &pos, &rest, NULL),
        STATUS_OK);
    assert_true(span_equal(rest, "bm O-O; id \"x\";"));
}

static void chess960_numbers(void **state)
{
    (void)state;
    struct position pos;
    struct position start;
    char fen[FEN_MAX];
    position_start(&start);
    fen_chess960(518, &pos);
    assert_memory_equal(&pos, &start, sizeof pos);
    assert_false(fen_is_chess960(&pos));
    fen_chess960(0, &pos);
    fen_format(&pos, fen);
    assert_string_equal(fen, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    assert_true(fen_is_chess960(&pos));
    fen_chess960(959, &pos);
    fen_format(&pos, fen);
    assert_string_equal(fen, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
    fen_double_chess960(959, 518, &pos);
    fen_format(&pos, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_named), cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(forgiven),         cmocka_unit_test(epd_leaves_its_operations),
        cmocka_unit_test(chess960_numbers), cmocka_unit_test(lenient_leaves_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
