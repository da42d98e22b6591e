/* Moves as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"

static const char knights[] = "4k3/8/8/8/8/2N3N1/8/N3K3 w - - 0 1";
static const char castle[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
static const char promote[] = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
static const char passant[] = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
static const char pinned[] = "4r1k1/8/8/8/4N3/8/8/N3K3 w - - 0 1";

static struct position read_fen(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

static void san_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        const char *san;
        const char *uci; /* NULL: refused with `status` */
        enum caxton_status status;
    } cases[] = {
        {fen_start, "e4", "e2e4", STATUS_OK},
        {fen_start, "Nf3", "g1f3", STATUS_OK},
        {fen_start, "e2-e4", "e2e4", STATUS_OK},
        {fen_start, "Ng1-f3", "g1f3", STATUS_OK},
        {fen_start, "e2e4!?", "e2e4", STATUS_OK},
        {fen_start, "\u2658f3", "g1f3", STATUS_OK},
        {fen_start, "\u265Ef3!", "g1f3", STATUS_OK},
        {fen_start, "\u2659e4", "e2e4", STATUS_OK},
        {fen_start, "\u2654", NULL, STATUS_SYNTAX},
        {fen_start, "\u2653f3", NULL, STATUS_SYNTAX},
        {fen_start, "g1f3", NULL, STATUS_ILLEGAL},
        {fen_start, "e5", NULL, STATUS_ILLEGAL},
        {fen_start, "Ke2", NULL, STATUS_ILLEGAL},
        {fen_start, "hello", NULL, STATUS_SYNTAX},
        {fen_start, "", NULL, STATUS_SYNTAX},
        {fen_start, "N", NULL, STATUS_SYNTAX},
        {fen_start, "e9", NULL, STATUS_SYNTAX},
        {knights, "Ne4", NULL, STATUS_AMBIGUOUS},
        {knights, "Nce4", "c3e4", STATUS_OK},
        {knights, "Ng3e4", "g3e4", STATUS_OK},
        {knights, "Nb3", "a1b3", STATUS_OK},
        {castle, "O-O", "e1h1", STATUS_OK},
        {castle, "0-0-0+", "e1a1", STATUS_OK},
        {castle, "O-O-O-O", NULL, STATUS_SYNTAX},
        {promote, "e8=Q+", "e7e8q", STATUS_OK},
        {promote, "e8N", "e7e8n", STATUS_OK},
        {promote, "exd8(R)", "e7d8r", STATUS_OK},
        {promote, "exd8=B", "e7d8b", STATUS_OK},
        {promote, "e8", NULL, STATUS_ILLEGAL},
        {promote, "e8=K", NULL, STATUS_SYNTAX},
        {promote, "d8=Q", NULL, STATUS_ILLEGAL},
        {passant, "exd6", "e5d6", STATUS_OK},
        {passant, "exd6e.p.", "e5d6", STATUS_OK},
        {passant, "exd6ep", "e5d6", STATUS_OK},
        {passant, "d6", NULL, STATUS_ILLEGAL},
        {pinned, "Nc2+", "a1c2", STATUS_OK}, /* a wrong check sign is no fault */
        {pinned, "Nc3", NULL, STATUS_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct position pos = read_fen(cases[i].fen);
        move m = MOVE_NONE;
        enum caxton_status status = move_from_san(&pos, span_of(cases[i].san), &m);
        char uci[UCI_MAX];
        move_to_uci(m, true, uci);
        if (status != cases[i].status)
            fail_msg("%s: %s (%s)", cases[i].san, status_name(status), uci);
        if (cases[i].uci)
            assert_string_equal(uci, cases[i].uci);
    }
}

static void san_is_shortest(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        const char *uci;
        const char *san;
    } cases[] = {
        {knights, "c3e4", "Nce4"},
        {knights, "a1b3", "Nb3"},
        {castle, "e1g1", "O-O"},
        {castle, "e1c1", "O-O-O"},
        {castle, "a1a8", "Rxa8+"},
        {promote, "e7d8q", "exd8=Q+"},
        {passant, "e5d6", "exd6"},
        {"k7/8/1QK5/8/8/8/8/8 w - - 0 1", "b6b7", "Qb7#"},
        /* Three queens: the file is shared, the rank is shared, both are needed. */
        {"1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
        {"4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3", "R5a3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct position pos = read_fen(cases[i].fen);
        move m;
        char san[SAN_MAX];
        assert_int_equal(move_from_uci(&pos, span_of(cases[i].uci), &m), STATUS_OK);
        move_to_san(&pos, m, san);
        assert_string_equal(san, cases[i].san);
    }
}

static void castling_in_uci(void **state)
{
    (void)state;
    struct position pos = read_fen(castle);
    move by_goal;
    move by_rook;
    char uci[UCI_MAX];
    assert_int_equal(move_from_uci(&pos, span_of("e1g1"), &by_goal), STATUS_OK);
    assert_int_equal(move_from_uci(&pos, span_of("e1h1"), &by_rook), STATUS_OK);
    assert_int_equal(by_goal, by_rook);
    move_to_uci(by_goal, false, uci);
    assert_string_equal(uci, "e1g1");
    move_to_uci(by_goal, true, uci);
    assert_string_equal(uci, "e1h1");

    /* f1g1 is a king's step here; castling must be written as taking the rook. */
    pos = read_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert_int_equal(move_from_uci(&pos, span_of("f1g1"), &by_goal), STATUS_OK);
    assert_int_equal(move_kind(by_goal), MOVE_NORMAL);
    assert_int_equal(move_from_uci(&pos, span_of("f1h1"), &by_rook), STATUS_OK);
    assert_int_equal(move_kind(by_rook), MOVE_CASTLING);
}

static void bad_uci(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "e2", "e2e", "e2e5", "e2e4q", "i2i4", "e2e4xx", "0000"};
    struct position pos = read_fen(fen_start);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        move m = MOVE_NULL;
        assert_true(move_from_uci(&pos, span_of(wrong[i]), &m) != STATUS_OK);
        assert_int_equal(m, MOVE_NULL);
    }
    pos = read_fen(promote);
    move m;
    assert_int_equal(move_from_uci(&pos, span_of("e7e8"), &m), STATUS_ILLEGAL);
    assert_int_equal(move_from_uci(&pos, span_of("e7e8Q"), &m), STATUS_OK);
}

static void either_way(void **state)
{
    (void)state;
    struct position pos = read_fen(fen_start);
    move m;
    assert_int_equal(move_from_text(&pos, span_of("Nf3"), &m), STATUS_OK);
    assert_int_equal(m, move_make(6, 21));
    assert_int_equal(move_from_text(&pos, span_of("b1c3"), &m), STATUS_OK);
    assert_int_equal(m, move_make(1, 18));
    assert_int_equal(move_from_text(&pos, span_of("g1e2"), &m), STATUS_ILLEGAL);
    assert_int_equal(move_from_text(&pos, span_of("nonsense"), &m), STATUS_SYNTAX);
}

static void long_algebraic(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        const char *text;
        const char *uci; /* NULL: refused */
    } cases[] = {
        {fen_start, "g1-f3", "g1f3"},  {fen_start, "g1f3!?", "g1f3"}, {fen_start, "Ng1f3", "g1f3"},
        {fen_start, "Bg1-f3", NULL},   {fen_start, "g1-", NULL},      {fen_start, "g1-f4", NULL},
        {fen_start, "g1--f3", NULL},   {castle, "e1-g1", "e1h1"},     {castle, "Ke1-g1", "e1h1"},
        {castle, "e1c1+", "e1a1"},     {castle, "a1xa8+", "a1a8"},    {castle, "a1a8#", "a1a8"},
        {promote, "e7e8=Q", "e7e8q"},  {promote, "e7-e8Q", "e7e8q"},  {promote, "e7e8q+", "e7e8q"},
        {promote, "e7xd8=N", "e7d8n"}, {promote, "e7-e8", NULL},      {passant, "e5-d6", "e5d6"},
        {passant, "e5d6e.p.", "e5d6"}, {passant, "e5xd6ep", "e5d6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct position pos = read_fen(cases[i].fen);
        move m = MOVE_NONE;
        char uci[UCI_MAX];
        enum caxton_status status = move_from_text(&pos, span_of(cases[i].text), &m);
        move_to_uci(m, true, uci);
        if ((status == STATUS_OK) != (cases[i].uci != NULL))
            fail_msg("%s: %s", cases[i].text, status_name(status));
        if (cases[i].uci)
            assert_string_equal(uci, cases[i].uci);
    }
}

static void move_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {
        {"1.", 2}, {"1.e4", 2}, {"12... Nf6", 5}, {"12 Nf6", 2}, {"7", 1},
        {"", 0},   {"e4", 0},   {"0-0", 0},       {".e4", 0},    {"1-0", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(move_number_size(span_of(cases[i].text)), cases[i].size);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(san_is_read),     cmocka_unit_test(san_is_shortest),
        cmocka_unit_test(castling_in_uci), cmocka_unit_test(bad_uci),
        cmocka_unit_test(either_way),      cmocka_unit_test(move_numbers),
        cmocka_unit_test(long_algebraic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
