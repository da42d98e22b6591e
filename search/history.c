#include "search/history.h"

#include <string.h>

#include "search/params.h"

void history_clear(struct history *history)
{
    memset(history, 0, sizeof *history);
}

/* A hash of two sets of squares; the position keeps no pawn or piece keys. */
static unsigned structure_index(uint64_t white, uint64_t black)
{
    uint64_t mixed = white * UINT64_C(0x9E3779B97F4A7C15) ^ black * UINT64_C(0xC2B2AE3D27D4EB4F);
    mixed ^= mixed >> 29;
    mixed *= UINT64_C(0xBF58476D1CE4E5B9);
    return (unsigned)(mixed >> 50);
}

_Static_assert(CORRECTION_SIZE == 1 << (64 - 50), "the index has fourteen bits");

static unsigned pawn_index(const struct position *pos)
{
    return structure_index(position_pieces(pos, WHITE, PAWN), position_pieces(pos, BLACK, PAWN));
}

static unsigned piece_index(const struct position *pos, int color)
{
    uint64_t own = pos->colors[color];
    uint64_t mixed = 0;
    for (int type = KNIGHT; type <= KING; type++)
        mixed = (mixed ^ (own & pos->types[type])) * UINT64_C(0x9E3779B97F4A7C15);
    return structure_index(mixed, own & ~pos->types[PAWN]);
}

int history_correction(const struct history *history, const struct position *pos)
{
    int us = pos->turn;
    int sum = 2 * history->pawn_correction[us][pawn_index(pos)] +
              history->piece_correction[us][WHITE][piece_index(pos, WHITE)] +
              history->piece_correction[us][BLACK][piece_index(pos, BLACK)];
    return sum / CORRECTION_DIVISOR;
}

void history_correct(struct history *history, const struct position *pos, int depth, int error)
{
    int us = pos->turn;
    int bonus = error * depth / CORRECTION_DEPTH_DIVISOR;
    bonus = bonus > CORRECTION_STEP_MAX    ? CORRECTION_STEP_MAX
            : bonus < -CORRECTION_STEP_MAX ? -CORRECTION_STEP_MAX
                                           : bonus;
    history_update(&history->pawn_correction[us][pawn_index(pos)], bonus, CORRECTION_LIMIT);
    history_update(&history->piece_correction[us][WHITE][piece_index(pos, WHITE)], bonus,
                   CORRECTION_LIMIT);
    history_update(&history->piece_correction[us][BLACK][piece_index(pos, BLACK)], bonus,
                   CORRECTION_LIMIT);
}
