/* The Polyglot entry, byte by byte, and its moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/movegen.h"
#include "tests/support/book_entries.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void entry_is_big_endian(void **state)
{
    (void)state;
    static const uint8_t bytes[POLYGLOT_ENTRY_SIZE] = {0x46, 0x3b, 0x96, 0x18, 0x16, 0x91,
                                                       0xfc, 0x9c, 0x03, 0x1c, 0x2f, 0x67,
                                                       0x01, 0x02, 0x03, 0x04};
    struct polyglot_entry entry = polyglot_decode(bytes);
    assert_true(entry.key == UINT64_C(0x463b96181691fc9c));
    assert_int_equal(entry.move, 0x031c); /* e2e4: from 12, to 28 */
    assert_int_equal(entry.weight, 12135);
    assert_int_equal(entry.learn, 0x01020304);
    uint8_t again[POLYGLOT_ENTRY_SIZE];
    polyglot_encode(&entry, again);
    assert_memory_equal(again, bytes, sizeof bytes);
}

/* The stored move is understood as `uci` in the position (castling: king takes rook), or as none
 * where uci is NULL. */
static void check(const char *fen, const char *stored, const char *uci)
{
    struct position pos = position_of(fen);
    move m = polyglot_to_move(&pos, stored_move(stored));
    char got[UCI_MAX];
    move_to_uci(m, true, got);
    assert_string_equal(got, uci ? uci : "0000");
}

static void castling_is_read_both_ways(void **state)
{
    (void)state;
    static const char both[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(both, "e1h1", "e1h1");
    check(both, "e1g1", "e1h1");
    check(both, "e1a1", "e1a1");
    check(both, "e1c1", "e1a1");
    static const char black[] = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    check(black, "e8h8", "e8h8");
    check(black, "e8g8", "e8h8");
    check(black, "e8c8", "e8a8");
    /* No right, no castling; and a rook that goes from e1 to g1 is a rook. */
    check("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", NULL);
    check("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1h1", NULL);
    check("k7/8/8/8/8/8/8/K3R3 w - - 0 1", "e1g1", "e1g1");
}

static void castling_in_chess960(void **state)
{
    (void)state;
    /* King b1, rooks a1 and c1: b1c1 is castling short, not a king's step. */
    check("1k6/8/8/8/8/8/8/RKR5 w CA - 0 1", "b1c1", "b1c1");
    /* King f1, rook h1: to g1 he just steps. */
    check("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "f1g1");
    check("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "f1h1");
}

static void other_moves(void **state)
{
    (void)state;
    check("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n");
    check("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", NULL); /* promotion to nothing */
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6");
    check("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", NULL);
    check(fen_start, "e2e5", NULL);
    check(fen_start, "e7e5", NULL); /* not his turn */
    check(fen_start, "e2e4q", NULL);
    check(fen_start, "e4e5", NULL); /* nothing stands there */
    struct position start = position_of(fen_start);
    assert_int_equal(polyglot_to_move(&start, 0x8000 | 0x031c), MOVE_NONE);
}

/* Every legal move of positions with all kinds of moves is stored and read again. */
static void legal_moves_come_back(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "1rk1r1b1/1p4p1/2pp4/8/8/2PP4/1P4P1/1RK1R1B1 w EBeb - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct position pos = position_of(fens[i]);
        move moves[MOVES_MAX];
        int count = movegen_legal(&pos, moves);
        assert_true(count > 0);
        for (int j = 0; j < count; j++) {
            uint16_t stored = polyglot_from_move(moves[j]);
            assert_true(polyglot_is_conceivable(stored));
            assert_int_equal(polyglot_to_move(&pos, stored), moves[j]);
        }
    }
}

static void few_codes_are_conceivable(void **state)
{
    (void)state;
    unsigned count = 0;
    for (unsigned code = 0; code < 1u << 16; code++)
        count += polyglot_is_conceivable((uint16_t)code);
    /* 1,792 moves of queens and knights; 2 * 22 pawn moves in four promotions. */
    assert_int_equal(count, 1792 + 2 * 22 * 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entry_is_big_endian),   cmocka_unit_test(castling_is_read_both_ways),
        cmocka_unit_test(castling_in_chess960),  cmocka_unit_test(other_moves),
        cmocka_unit_test(legal_moves_come_back), cmocka_unit_test(few_codes_are_conceivable),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
