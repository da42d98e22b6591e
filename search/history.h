/* Histories: how well moves did in this search and before. The scores order moves and steer
 * reductions; corrections improve the static evaluation.
 * Source: https://www.chessprogramming.org/History_Heuristic (gravity form by Stefan Geschwentner,
 * continuation history as in Stockfish), .../Static_Evaluation_Correction_History. */
#pragma once

#include <assert.h>

#include "search/moves.h"

/* The largest entries of each table, away from 0. */
enum {
    QUIET_LIMIT = 7183,
    NOISY_LIMIT = 10692,
    CONTINUATION_LIMIT = 29952,
    CORRECTION_LIMIT = 1024,
};

enum { CORRECTION_SIZE = 16384 };

/* Scores of a piece moving to a square. */
struct piece_to {
    int16_t value[12][64];
};

/* About two megabytes; one per thread. */
struct history {
    int16_t quiet[2][64][64];               /* side, from, to */
    int16_t noisy[12][64][PIECE_TYPES + 1]; /* piece, to, captured type */
    struct piece_to continuation[12][64];   /* what was good after this piece moved there */
    struct piece_to none; /* stands for "no move before" and the null move; never written */
    move counter[12][64]; /* the last quiet move that refuted this piece's move to this square */
    int16_t pawn_correction[2][CORRECTION_SIZE];     /* side, pawn structure */
    int16_t piece_correction[2][2][CORRECTION_SIZE]; /* side, colour, that colour's pieces */
};

void history_clear(struct history *history);

static inline int16_t *history_quiet(struct history *history, int color, move m)
{
    return &history->quiet[color][move_from(m)][move_to(m)];
}

static inline int16_t *history_noisy(struct history *history, const struct position *pos, move m)
{
    int victim = move_victim(pos, m);
    return &history->noisy[pos->board[move_from(m)]][move_to(m)][victim];
}

/* Adds `bonus`, the less of it the nearer `entry` is to `limit` ("gravity"). |bonus| <= limit,
 * which keeps the entry within +-limit. */
static inline void history_update(int16_t *entry, int bonus, int limit)
{
    int size = bonus < 0 ? -bonus : bonus;
    assert(size <= limit);
    *entry = (int16_t)(*entry + bonus - *entry * size / limit);
}

/* The mean error of the static evaluation in positions with the same pawns or pieces, in
 * centipawns. */
int history_correction(const struct history *history, const struct position *pos);
void history_correct(struct history *history, const struct position *pos, int depth, int error);
