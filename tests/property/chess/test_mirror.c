/* What holds for a position holds for the same with colours exchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/mirror.h"
#include "chess/movegen.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void assert_same(const struct position *a, const struct position *b)
{
    char x[FEN_MAX];
    char y[FEN_MAX];
    fen_format(a, x);
    fen_format(b, y);
    assert_string_equal(x, y);
    assert_true(a->key == b->key);
    assert_true(a->checkers == b->checkers);
    assert_memory_equal(a->types, b->types, sizeof a->types);
    assert_memory_equal(a->colors, b->colors, sizeof a->colors);
    assert_memory_equal(a->rook_home, b->rook_home, sizeof a->rook_home);
}

static bool is_among(const move *moves, int count, move m)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

static void check(const struct position *pos)
{
    struct position there;
    struct position back;
    move moves[MOVES_MAX];
    move mirrored[MOVES_MAX];
    position_mirror(pos, &there);
    position_mirror(&there, &back);
    assert_same(pos, &back);
    assert_true(there.key == position_compute_key(&there));
    assert_true(there.key == position_mirror_key(pos));
    assert_true(there.turn != pos->turn);
    int count = movegen_legal(pos, moves);
    assert_int_equal(count, movegen_legal(&there, mirrored));
    for (int i = 0; i < count; i++)
        assert_true(is_among(mirrored, count, move_mirror(moves[i])));
}

/* Plays random moves here and their mirrors there: both games stay mirrors of each other. The
 * number of the move counts after Black's, and so differs. */
static void play(const char *fen, uint64_t seed)
{
    struct position pos;
    struct position other;
    struct rng rng;
    rng_seed(&rng, seed);
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    position_mirror(&pos, &other);
    for (int ply = 0; ply < 120; ply++) {
        move moves[MOVES_MAX];
        struct undo undo;
        struct position wanted;
        check(&pos);
        int count = movegen_legal(&pos, moves);
        if (count == 0)
            return;
        move m = moves[rng_below(&rng, (uint64_t)count)];
        position_make(&pos, m, &undo);
        position_make(&other, move_mirror(m), &undo);
        position_mirror(&pos, &wanted);
        wanted.fullmove = other.fullmove;
        assert_same(&wanted, &other);
    }
}

static void games_stay_mirrors_of_each_other(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", /* Chess960 */
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        for (uint64_t seed = 1; seed <= 5; seed++)
            play(fens[i], seed);
}

static void the_start_is_its_own_mirror_but_for_the_turn(void **state)
{
    (void)state;
    struct position pos;
    struct position mirror;
    char fen[FEN_MAX];
    position_start(&pos);
    position_mirror(&pos, &mirror);
    fen_format(&mirror, fen);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    assert_int_equal(move_mirror(move_make(square_make(4, 1), square_make(4, 3))),
                     move_make(square_make(4, 6), square_make(4, 4)));
    assert_int_equal(move_mirror(MOVE_NONE), MOVE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_stay_mirrors_of_each_other),
        cmocka_unit_test(the_start_is_its_own_mirror_but_for_the_turn),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
