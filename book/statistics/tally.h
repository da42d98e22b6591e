/* What games say of one move in one position. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Results from the view of the side that makes the move. */
enum outcome { OUTCOME_WIN, OUTCOME_DRAW, OUTCOME_LOSS, OUTCOMES };

/* Counts are in games, or, where games count in parts, in units: so many make one game. */
enum { TALLY_UNIT_BITS = 16, TALLY_UNIT = 1 << TALLY_UNIT_BITS };

struct tally {
    uint64_t key;
    uint64_t counts[OUTCOMES]; /* games or units, by enum outcome */
    uint16_t move;             /* as polyglot_from_move() gives it */
};

static inline uint64_t tally_games(const struct tally *tally)
{
    return tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW] + tally->counts[OUTCOME_LOSS];
}

/* Half points: two for a win. */
static inline uint64_t tally_points(const struct tally *tally)
{
    return 2 * tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW];
}

/* Receives tallies in the order of tally_compare(), each (key, move) once. */
typedef enum caxton_status (*tally_sink)(void *context, const struct tally *tally);

/* The order of everything that is written: by key, then by move. */
static inline int tally_compare(const struct tally *a, const struct tally *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->move < b->move ? -1 : a->move > b->move;
}
