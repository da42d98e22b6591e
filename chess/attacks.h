/* Which squares a piece attacks. Sliders use pext where the processor has it at compile time,
 * fancy magic multiplication elsewhere; both give the same sets.
 * Source: https://www.chessprogramming.org/Magic_Bitboards, .../BMI2#PEXTBitboards */
#pragma once

#include "chess/bitboard.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

struct slider {
    uint64_t mask;  /* the squares whose occupation matters */
    uint64_t magic; /* unused with pext */
    uint64_t *sets; /* attack sets by index */
    int shift;
};

/* Tables computed once by chess_init(), constant from then on. */
extern uint64_t attacks_pawn_table[2][64];
extern uint64_t attacks_between_table[64][64];
extern uint64_t attacks_line_table[64][64];
extern uint64_t attacks_empty_table[PIECE_TYPES][64];
extern struct slider attacks_bishop_sliders[64];
extern struct slider attacks_rook_sliders[64];

/* Computes every table of chess/; harmless when called again from the same thread. Call it before
 * anything else and before starting threads. */
void chess_init(void);

/* Computes the tables of this part; chess_init() calls it. */
void attacks_init(void);

static inline unsigned slider_index(const struct slider *slider, uint64_t occupied)
{
#ifdef __BMI2__
    return (unsigned)_pext_u64(occupied, slider->mask);
#else
    return (unsigned)(((occupied & slider->mask) * slider->magic) >> slider->shift);
#endif
}

static inline uint64_t attacks_pawn(int color, int square)
{
    return attacks_pawn_table[color][square];
}

/* What a piece, no pawn, attacks on an empty board. */
static inline uint64_t attacks_empty(int type, int square)
{
    return attacks_empty_table[type][square];
}

static inline uint64_t attacks_knight(int square)
{
    return attacks_empty(KNIGHT, square);
}

static inline uint64_t attacks_king(int square)
{
    return attacks_empty(KING, square);
}

static inline uint64_t attacks_bishop(int square, uint64_t occupied)
{
    const struct slider *slider = &attacks_bishop_sliders[square];
    return slider->sets[slider_index(slider, occupied)];
}

static inline uint64_t attacks_rook(int square, uint64_t occupied)
{
    const struct slider *slider = &attacks_rook_sliders[square];
    return slider->sets[slider_index(slider, occupied)];
}

/* Any piece but a pawn. */
uint64_t attacks_piece(int type, int square, uint64_t occupied);

/* All squares attacked by a set of pawns of `color`. */
static inline uint64_t attacks_pawns(int color, uint64_t pawns)
{
    uint64_t ahead = bb_forward(color, pawns);
    return bb_east(ahead) | bb_west(ahead);
}

/* The squares strictly between two squares on one line; empty otherwise. */
static inline uint64_t attacks_between(int a, int b)
{
    return attacks_between_table[a][b];
}

/* The whole line through two different squares, edge to edge; empty when there is none. */
static inline uint64_t attacks_line(int a, int b)
{
    return attacks_line_table[a][b];
}
