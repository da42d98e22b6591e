/* Sets of squares as 64-bit words, bit n = square n. Compiler builtins live here only. */
#pragma once

#include <stdint.h>

#include "chess/types.h"

#define BB_FILE_A UINT64_C(0x0101010101010101)
#define BB_FILE_H UINT64_C(0x8080808080808080)
#define BB_RANK_1 UINT64_C(0x00000000000000FF)
#define BB_RANK_8 UINT64_C(0xFF00000000000000)
#define BB_DARK   UINT64_C(0xAA55AA55AA55AA55)

static inline uint64_t bb_square(int square)
{
    return UINT64_C(1) << square;
}

static inline uint64_t bb_file(int file)
{
    return BB_FILE_A << file;
}

static inline uint64_t bb_rank(int rank)
{
    return BB_RANK_1 << (8 * rank);
}

static inline int bb_count(uint64_t set)
{
    return __builtin_popcountll(set);
}

static inline bool bb_many(uint64_t set)
{
    return (set & (set - 1)) != 0;
}

/* The lowest square of a set that is not empty. */
static inline int bb_first(uint64_t set)
{
    return __builtin_ctzll(set);
}

static inline int bb_last(uint64_t set)
{
    return 63 ^ __builtin_clzll(set);
}

/* Takes the lowest square off a set that is not empty. */
static inline int bb_pop(uint64_t *set)
{
    int square = bb_first(*set);
    *set &= *set - 1;
    return square;
}

static inline uint64_t bb_east(uint64_t set)
{
    return (set & ~BB_FILE_H) << 1;
}

static inline uint64_t bb_west(uint64_t set)
{
    return (set & ~BB_FILE_A) >> 1;
}

/* One step forward as `color` sees it. */
static inline uint64_t bb_forward(int color, uint64_t set)
{
    return color == WHITE ? set << 8 : set >> 8;
}
