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

/* The least score of a move. */
struct least_score {
    int32_t ppm;   /* of the points to be had, in millionths */
    bool relative; /* so much more than all moves of the position score that are not too rare */
};

/* Did the move score less? Games below 2^52 units, points in half units. */
static inline bool threshold_score_is_below(uint64_t points, uint64_t games, uint64_t all_points,
                                            uint64_t all_games, struct least_score least)
{
    __extension__ typedef __int128 wide_score;
    wide_score n = 2 * (wide_score)games;
    if (!least.relative)
        return (wide_score)points * THRESHOLD_MILLION < n * least.ppm;
    return (wide_score)points * all_games * THRESHOLD_MILLION <
           (wide_score)all_points * games * THRESHOLD_MILLION + n * all_games * least.ppm;
}

/* Is it too rare? games: in units, `unit` of which make one game. */
static inline bool threshold_is_rare(threshold_sum games, uint64_t min_games, uint64_t unit)
{
    return games < (threshold_sum)min_games * unit;
}
