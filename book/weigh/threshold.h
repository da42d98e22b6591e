/* When a move has too little: the rules that weighing counts and pruning books have in common. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { THRESHOLD_MILLION = 1000000 };

/* Sums of many 64-bit numbers, and their products with small ones. */
__extension__ typedef unsigned __int128 threshold_sum;

/* Is `value` less than min_ppm millionths of `sum`? */
static inline bool threshold_share_is_below(threshold_sum value, threshold_sum sum,
                                            uint32_t min_ppm)
{
    return value * THRESHOLD_MILLION < sum * min_ppm;
}

/* Is it too rare? games: in units, `unit` of which make one game. */
static inline bool threshold_is_rare(threshold_sum games, uint64_t min_games, uint64_t unit)
{
    return games < (threshold_sum)min_games * unit;
}
