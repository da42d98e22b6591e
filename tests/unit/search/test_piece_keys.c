/* Keys of parts of a position: kept from move to move they are those counted anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "search/piece_keys.h"

static struct position position_of(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

static struct piece_keys keys_after(const struct position *pos, const char *uci)
{
    struct piece_keys before = piece_keys_of(pos);
    move m;
    assert_int_equal(move_from_uci(pos, span_of(uci), &m), STATUS_OK);
    return piece_keys_after(&before, pos, m);
}

/* Games with castling of both kinds, en passant and promotions. */
static void moves_keep_the_keys(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1",
        "8/1P1k2p1/8/2pP3p/5pP1/8/4P1K1/8 w - c6 0 1",
    };
    struct rng rng;
    rng_seed(&rng, 3);
    for (int walk = 0; walk < 60; walk++) {
        struct position pos = position_of(starts[walk % 3]);
        struct piece_keys kept = piece_keys_of(&pos);
        for (int ply = 0; ply < 100; ply++) {
            move legal[MOVES_MAX];
            int count = movegen_legal(&pos, legal);
            if (count == 0)
                break;
            for (int i = 0; i < count; i++) {
                struct position next = position_after(&pos, legal[i]);
                struct piece_keys wanted = piece_keys_of(&next);
                struct piece_keys found = piece_keys_after(&kept, &pos, legal[i]);
                assert_memory_equal(&found, &wanted, sizeof wanted);
            }
            move m = legal[rng_below(&rng, (uint64_t)count)];
            kept = piece_keys_after(&kept, &pos, m);
            position_play(&pos, m);
        }
    }
}

static void a_move_changes_its_parts_only(void **state)
{
    (void)state;
    struct position pos = position_of("r3k3/1p6/8/8/8/2N5/1P6/R3K3 w - - 0 1");
    struct piece_keys before = piece_keys_of(&pos);
    struct piece_keys after = keys_after(&pos, "a1b1");
    assert_true(after.pawn == before.pawn && after.minor == before.minor);
    assert_true(after.non_pawn[WHITE] != before.non_pawn[WHITE]);
    assert_true(after.non_pawn[BLACK] == before.non_pawn[BLACK]);
    after = keys_after(&pos, "c3e4");
    assert_true(after.pawn == before.pawn && after.minor != before.minor);
    assert_true(after.non_pawn[WHITE] != before.non_pawn[WHITE]);
    after = keys_after(&pos, "b2b3");
    assert_true(after.pawn != before.pawn && after.minor == before.minor);
    assert_true(after.non_pawn[WHITE] == before.non_pawn[WHITE]);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_keep_the_keys),
        cmocka_unit_test(a_move_changes_its_parts_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
