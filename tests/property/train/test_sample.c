/* Every position of games of random moves, Chess960 included, survives packing and unpacking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/train/sample.h"

enum { GAMES = 200, GAME_PLIES = 200 };

static void assert_same_position(const struct position *a, const struct position *b)
{
    assert_memory_equal(a->board, b->board, sizeof a->board);
    assert_memory_equal(a->types, b->types, sizeof a->types);
    assert_memory_equal(a->colors, b->colors, sizeof a->colors);
    assert_true(a->key == b->key);
    assert_true(a->checkers == b->checkers);
    assert_int_equal(a->turn, b->turn);
    assert_int_equal(a->castling, b->castling);
    assert_int_equal(a->ep, b->ep);
    assert_int_equal(a->rule50, b->rule50 < 255 ? b->rule50 : 255);
    for (int right = 0; right < 4; right++)
        if (b->castling >> right & 1)
            assert_int_equal(a->rook_home[right], b->rook_home[right]);
}

static void check(const struct position *pos, const struct sample_label *label)
{
    uint8_t bytes[SAMPLE_SIZE];
    uint8_t again[SAMPLE_SIZE];
    struct position back;
    struct sample_label read;
    sample_pack(pos, label, bytes);
    assert_int_equal(sample_unpack(bytes, &back, &read), STATUS_OK);
    assert_same_position(&back, pos);
    assert_int_equal(read.score, label->score);
    assert_int_equal(read.result, label->result);
    assert_int_equal(read.best, label->best);
    assert_int_equal(read.first, label->first);
    sample_pack(&back, &read, again);
    assert_memory_equal(again, bytes, SAMPLE_SIZE);
}

static void positions_survive(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 12);
    for (int game = 0; game < GAMES; game++) {
        struct position pos;
        fen_chess960(game % 2 ? 518 : (unsigned)rng_below(&rng, 960), &pos);
        for (int ply = 0; ply < GAME_PLIES; ply++) {
            move moves[MOVES_MAX];
            struct undo undo;
            int count = movegen_legal(&pos, moves);
            struct sample_label label = {.score = (int)rng_below(&rng, 64001) - 32000,
                                         .result = (int)rng_below(&rng, 3),
                                         .first = rng_below(&rng, 2) == 1};
            if (count)
                label.best = moves[rng_below(&rng, (uint64_t)count)];
            check(&pos, &label);
            if (!count)
                break;
            position_make(&pos, label.best, &undo);
        }
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {cmocka_unit_test(positions_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
