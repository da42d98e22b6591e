/* Histories: how well moves did in this search and before. The scores order moves and steer
 * reductions; those named corrections improve the static evaluation (correction.h).
 * Source: https://www.chessprogramming.org/History_Heuristic (gravity form by Stefan Geschwentner,
 * continuation history as in Stockfish). */
#pragma once

#include "search/moves.h"
#include "search/piece_keys.h"

/* LOW_PLIES: plies from the root whose quiet moves have a history of their own. PAWN_SIZE: hashed
 * pawn keys. Not tuned. The largest entries of each table, away from 0, are rows of params.h
 * (QUIET_LIMIT ..). */
enum { CORRECTION_SIZE = 16384, PAWN_SIZE = 1024, LOW_PLIES = 5 };

/* Scores of a piece moving to a square. */
struct piece_to {
    int16_t value[12][64];
};

/* About five megabytes; one per thread. */
struct history {
    int16_t quiet[2][64][64];               /* side, from, to */
    int16_t low_ply[LOW_PLIES][64][64];     /* ply, from, to; of one search */
    int16_t noisy[12][64][PIECE_TYPES + 1]; /* piece, to, captured type */
    struct piece_to pawn[PAWN_SIZE];        /* by pawn key */
    struct piece_to continuation[12][64];   /* what was good after this piece moved there */
    struct piece_to none; /* stands for "no move before" and the null move; never written */
    int16_t tt_move;      /* how often the TT move is the best */
    int16_t pawn_correction[2][CORRECTION_SIZE];        /* side, pawn key */
    int16_t minor_correction[2][CORRECTION_SIZE];       /* side, minor key */
    int16_t non_pawn_correction[2][2][CORRECTION_SIZE]; /* side, colour, its non-pawn key */
    struct piece_to continuation_correction[12][64];    /* the move before, after this one */
};

/* The state of a new game. */
void history_clear(struct history *history);

/* Before a search: what was learnt of quiet moves counts less, and nothing is known of the first
 * plies. */
void history_age(struct history *history);

static inline int16_t *history_quiet(struct history *history, int color, move m)
{
    return &history->quiet[color][move_from(m)][move_to(m)];
}

static inline int16_t *history_noisy(struct history *history, const struct position *pos, move m)
{
    int victim = move_victim(pos, m);
    return &history->noisy[pos->board[move_from(m)]][move_to(m)][victim];
}

/* Scores of moves in positions with the same pawns. */
static inline struct piece_to *history_pawn(struct history *history, const struct piece_keys *keys)
{
    return &history->pawn[keys->pawn % PAWN_SIZE];
}

/* Adds `bonus`, at most `limit` of it, the less the nearer `entry` is to `limit` ("gravity"), which
 * keeps the entry within +-limit. */
static inline void history_update(int16_t *entry, int bonus, int limit)
{
    bonus = bonus > limit ? limit : bonus < -limit ? -limit : bonus;
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / limit);
}
